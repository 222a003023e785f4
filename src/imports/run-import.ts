import type { Client } from "../api/client";
import type { Lookup } from "../lookup/lookup";
import type { TablePlan } from "../sheet/table-plan";
import type { ImportQuestion } from "./question";
import type { ImportReport } from "./report";
import { runCollection } from "./run-collection";
import { runMatrix } from "./run-matrix";

export interface ImportProgress {
  phase: "fetching" | "writing";
  done: number;
  total: number;
}

export interface RunOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Told when the request limit makes the import wait, and until when. */
  onWait?: ((untilMs: number) => void) | undefined;
}

export interface ImportResult {
  table: TablePlan;
  report: ImportReport;
}

/** Fetches everything an import asks for and plans its table; nothing is written yet. Fails with a Failure. */
export async function runImport(
  question: ImportQuestion,
  { client, lookup }: { client: Client; lookup: Lookup },
  options: RunOptions = {},
): Promise<ImportResult> {
  return question.kind === "matrix"
    ? runMatrix(question, lookup.answers, options)
    : runCollection(
        question,
        { client, answers: lookup.answers, types: await lookup.catalogue.types() },
        options,
      );
}
