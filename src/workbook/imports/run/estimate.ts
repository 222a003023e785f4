import type { DataPointType } from "../../../engine/api/schemas";
import { config } from "../../../config";
import type { Lookup } from "../../../engine/lookup/lookup";
import { fitsSheet, tableSize } from "../../sheet/layout/table-plan";
import { collectionChunks, typesOfCollection } from "../../../engine/lookup/collections/read-collection";
import type { ImportOrder, ImportQuestion } from "./import-types";
import { needsDates, workFor } from "./run-matrix";

/** The size of an import's table. */
export interface ImportSize {
  /** The number of rows, header row included. */
  rows: number;
  columns: number;
  /** True if a sheet can hold the table and, if there is one, the Sources sheet. */
  fitsSheet: boolean;
  /** The most answers that may come. */
  answers: number;
}

/** The size of an import and the requests that it costs, before it starts. */
export interface ImportEstimate extends ImportSize {
  /** The number of requests: exact for a matrix unless the service refuses its size, and the most for a collection. */
  requests: number;
  /** The requests for the service's own CSV file. Answers that are held save none of them. */
  csvRequests: number;
}

/** The parts of an order on which its size and its requests depend. With `hasSources`, a Sources sheet has a row for each value. */
type Estimated = Pick<ImportOrder, "question" | "form" | "hasSources">;

/** The size of an import's table. The catalogue tells the types of a collection. */
export function importSize(
  { question, form, hasSources }: Estimated,
  catalogue: readonly DataPointType[],
): ImportSize {
  const types = typesOf(question, catalogue);
  const size = tableSize(question.ahjs.length, types, form);
  const answers = question.ahjs.length * types.length;
  const mostSources = { rows: answers + 1, columns: 1 };
  return { ...size, answers, fitsSheet: fitsSheet(size) && (!hasSources || fitsSheet(mostSources)) };
}

function typesOf(question: ImportQuestion, catalogue: readonly DataPointType[]): readonly DataPointType[] {
  return question.kind === "matrix" ? question.types : typesOfCollection(question.collection, catalogue);
}

/** An estimate from the answers in memory; call `lookup.answers.recall` first to load those stored on this device. */
export async function estimateImport(
  order: Estimated,
  { requestsFor }: Pick<Lookup, "requestsFor">,
  catalogue: readonly DataPointType[],
): Promise<ImportEstimate> {
  const { question, form, hasSources } = order;
  const types = typesOf(question, catalogue);
  const requests =
    question.kind === "matrix"
      ? await requestsFor(workFor(question, needsDates(form, hasSources)))
      : collectionChunks(question.ahjs.map((ahj) => ahj.id)).reduce(
          (sum, ids) => sum + Math.max(1, Math.ceil((ids.length * types.length) / config.pageSize)),
          0,
        );
  const csvRequests = csvParts(question).length;
  return { ...importSize(order, catalogue), requests, csvRequests };
}

/** The ids for each request for a CSV file, as many as an address may hold or as the service accepts in a matrix. */
export function csvParts(question: ImportQuestion): number[][] {
  const ids = question.ahjs.map(({ id }) => id);
  if (question.kind === "collection") return collectionChunks(ids);
  const size = Math.max(1, Math.floor(config.mostMatrixCells / question.types.length));
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );
}
