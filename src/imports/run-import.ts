import type { Client } from "../api/client";
import type { Lookup } from "../lookup/lookup";
import {
  plainForm,
  planTable,
  type TableForm,
  type TablePlan,
  type TableRow,
  tableRows,
} from "../sheet/table-plan";
import type { ImportAnswers } from "./answers";
import { type LongText, longTexts } from "./long-texts";
import type { ImportQuestion } from "./question";
import type { ImportReport } from "./report";
import { runCollection } from "./run-collection";
import { runMatrix } from "./run-matrix";

export interface ImportProgress {
  phase: "fetching" | "writing";
  /** Cells; of a collection the values that it has. */
  done: number;
  total: number;
  /** AHJs that are complete; undefined where that is not told. */
  ahjs?: { done: number; total: number } | undefined;
}

export interface RunOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Told when the request limit makes the import wait, and until when. */
  onWait?: ((untilMs: number) => void) | undefined;
  /** The date of each value's last change is wanted: of a matrix that takes more requests. */
  isDated?: boolean | undefined;
  /** Awaited before anything more is asked; what is under way comes in. */
  gate?: (() => Promise<void>) | undefined;
  /** Nothing is asked: AHJs whose answers are not all kept are left out, as not read. Of a matrix only. */
  keptOnly?: boolean | undefined;
}

/** What came, and what became of everything that was asked. */
export interface ReadImport {
  answers: ImportAnswers;
  report: ImportReport;
}

export interface ImportResult extends ReadImport {
  table: TablePlan;
  /** What the rows of the table are about; null where about nothing. */
  rows: readonly (TableRow | null)[];
  /** Texts that the table shows only in part. */
  longTexts: LongText[];
}

/** Fetches everything an import asks for and plans its table; nothing is written yet. Fails with a Failure. */
export async function runImport(
  question: ImportQuestion,
  session: { client: Client; lookup: Lookup },
  { form = plainForm, ...options }: RunOptions & { form?: TableForm } = {},
): Promise<ImportResult> {
  return planned(await readImport(question, session, options), form);
}

/** What came, and its table. Fails with too-large. */
export function planned(read: ReadImport, form: TableForm): ImportResult {
  return {
    ...read,
    table: planTable(read.answers, form),
    rows: tableRows(read.answers, form.layout),
    longTexts: longTexts(read.answers, form.hasCitations),
  };
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
