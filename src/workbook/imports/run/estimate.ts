import type { DataPointType } from "../../../engine/api/schemas";
import { config } from "../../../config";
import type { Lookup } from "../../../engine/lookup/lookup";
import { fitsSheet, plainForm, type TableForm, tableSize } from "../../sheet/layout/table-plan";
import { collectionChunks, typesOfCollection } from "../../../engine/lookup/collections/read-collection";
import type { ImportQuestion } from "./question";
import { workFor } from "./run-matrix";

/** What an import will take, before it is started. */
export interface ImportEstimate {
  /** With the header row. */
  rows: number;
  columns: number;
  /** For a matrix exact, as long as the service takes its size; for a collection at most this many. */
  requests: number;
  fitsSheet: boolean;
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
  const types =
    question.kind === "matrix" ? question.types : typesOfCollection(question.collection, catalogue);
  const size = tableSize(question.ahjs.length, types, form);
  const requests =
    question.kind === "matrix"
      ? await requestsFor(workFor(question, hasSources))
      : collectionChunks(question.ahjs.map((ahj) => ahj.id)).reduce(
          (sum, ids) => sum + Math.max(1, Math.ceil((ids.length * types.length) / config.pageSize)),
          0,
        );
  const mostSources = { rows: question.ahjs.length * types.length + 1, columns: 1 };
  return { ...size, requests, fitsSheet: fitsSheet(size) && (!hasSources || fitsSheet(mostSources)) };
}
