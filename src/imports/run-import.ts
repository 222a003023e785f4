import type { Client } from "../api/client";
import type { Lookup } from "../lookup/lookup";
import { plainForm, planTable, type TableForm, type TablePlan } from "../sheet/table-plan";
import type { ImportAnswers } from "./answers";
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

/** What came, and what became of everything that was asked. */
export interface ReadImport {
  answers: ImportAnswers;
  report: ImportReport;
}

export interface ImportResult extends ReadImport {
  table: TablePlan;
}

/** Fetches everything an import asks for and plans its table; nothing is written yet. Fails with a Failure. */
export async function runImport(
  question: ImportQuestion,
  session: { client: Client; lookup: Lookup },
  { form = plainForm, ...options }: RunOptions & { form?: TableForm } = {},
): Promise<ImportResult> {
  const read = await readImport(question, session, options);
  return { ...read, table: planTable(read.answers, form) };
}

/** Fetches everything an import asks for. Fails with a Failure. */
export async function readImport(
  question: ImportQuestion,
  { client, lookup }: { client: Client; lookup: Lookup },
  options: RunOptions = {},
): Promise<ReadImport> {
  return question.kind === "matrix"
    ? runMatrix(question, lookup.answers, options)
    : runCollection(
        question,
        { client, answers: lookup.answers, types: await lookup.catalogue.types() },
        options,
      );
}
