import type { DataPointType } from "../../../engine/api/schemas";
import { config } from "../../../config";
import type { Lookup } from "../../../engine/lookup/lookup";
import { fitsSheet, plainForm, type TableForm, tableSize } from "../../sheet/layout/table-plan";
import { collectionChunks, typesOfCollection } from "../../../engine/lookup/collections/read-collection";
import type { ImportQuestion } from "./question";
import { needsDates, workFor } from "./run-matrix";

/** How large an import's table will be. */
export interface ImportSize {
  /** With the header row. */
  rows: number;
  columns: number;
  /** With its Sources sheet, if it has one. */
  fitsSheet: boolean;
  /** At most so many answers come. */
  answers: number;
}

/** What an import will take, before it is started. */
export interface ImportEstimate extends ImportSize {
  /** For a matrix exact, as long as the service takes its size; for a collection at most this many. */
  requests: number;
  /** Of the service's own CSV file: what is kept saves none. */
  csvRequests: number;
}

/** `hasSources`: with a Sources sheet, which has a row for each value. */
export function importSize(
  question: ImportQuestion,
  catalogue: readonly DataPointType[],
  form: TableForm,
  hasSources: boolean,
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

/**
 * By what memory holds: `lookup.answers.recall` first brings what the disk has. `hasSources`: with a Sources sheet, which
 * has a row for each value and tells its date.
 */
export async function estimateImport(
  question: ImportQuestion,
  { requestsFor }: Pick<Lookup, "requestsFor">,
  catalogue: readonly DataPointType[],
  form: TableForm = plainForm,
  hasSources = false,
): Promise<ImportEstimate> {
  const types = typesOf(question, catalogue);
  const requests =
    question.kind === "matrix"
      ? await requestsFor(workFor(question, needsDates(form, hasSources)))
      : collectionChunks(question.ahjs.map((ahj) => ahj.id)).reduce(
          (sum, ids) => sum + Math.max(1, Math.ceil((ids.length * types.length) / config.pageSize)),
          0,
        );
  const csvRequests = csvParts(question).length;
  return { ...importSize(question, catalogue, form, hasSources), requests, csvRequests };
}

/** The ids of each request for a CSV file: as large as an address, or what the service takes of a matrix, may be. */
export function csvParts(question: ImportQuestion): number[][] {
  const ids = question.ahjs.map(({ id }) => id);
  if (question.kind === "collection") return collectionChunks(ids);
  const size = Math.max(1, Math.floor(config.mostMatrixCells / question.types.length));
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );
}
