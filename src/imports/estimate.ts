import type { DataPointType } from "../api/schemas";
import { config } from "../config";
import type { Lookup } from "../lookup/lookup";
import { fitsSheet, plainForm, type TableForm, tableSize } from "../sheet/table-plan";
import { collectionChunks, typesOfCollection } from "../lookup/read-collection";
import type { ImportQuestion } from "./question";
import { wantedBy } from "./run-matrix";

/** What an import will take, before it is started. */
export interface ImportEstimate {
  /** With the header row. */
  rows: number;
  columns: number;
  /** For a matrix exact, as long as the service takes its size; for a collection at most this many. */
  requests: number;
  fitsSheet: boolean;
}

/** By what memory holds: `lookup.answers.recall` first brings what the disk has. */
export function estimateImport(
  question: ImportQuestion,
  { requestsFor }: Pick<Lookup, "requestsFor">,
  catalogue: readonly DataPointType[],
  form: TableForm = plainForm,
): ImportEstimate {
  const types =
    question.kind === "matrix" ? question.types : typesOfCollection(question.collection, catalogue);
  const size = tableSize(question.ahjs.length, types, form);
  const requests =
    question.kind === "matrix"
      ? requestsFor({ values: wantedBy(question.ahjs, question.types) })
      : collectionChunks(question.ahjs.map((ahj) => ahj.id)).reduce(
          (sum, ids) => sum + Math.max(1, Math.ceil((ids.length * types.length) / config.pageSize)),
          0,
        );
  return { ...size, requests, fitsSheet: fitsSheet(size) };
}
