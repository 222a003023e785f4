import type { Client } from "../../../engine/api/client";
import type { Hold } from "../../../engine/cache/answer-cache";
import type { Lookup } from "../../../engine/lookup/lookup";
import type { RequestBudget } from "../../../engine/transport/request-budget";
import { Failure } from "../../../errors";
import {
  fitsSheet,
  plainForm,
  openTablePlan,
  type TableForm,
  type TablePlan,
  type TableRow,
} from "../../sheet/layout/table-plan";
import type { FormattedCell } from "../../sheet/values/cell-value";
import type { ImportAnswers } from "./import-answers";
import { isLong, isLongText, type LongText, longTexts } from "./long-texts";
import type { ImportQuestion } from "./question";
import type { ImportReport } from "./report";
import { runCollection } from "./run-collection";
import { runMatrix } from "./run-matrix";

export interface ImportProgress {
  phase: "fetching" | "writing";
  /** The number of cells that are done; for a collection, the number of its values. */
  done: number;
  total: number;
  /** The number of AHJs that are complete; undefined if that is not known. */
  ahjs?: { done: number; total: number } | undefined;
}

export interface RunOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Called when the request limit makes the import wait, with the time until which it waits. */
  onWait?: ((untilMs: number) => void) | undefined;
  /** Pays for the requests. Default: any number may be sent. */
  budget?: RequestBudget | undefined;
  /** True if the date of each value's last change is wanted. A matrix then takes more requests. */
  isDated?: boolean | undefined;
  /** Awaited before each further request. Requests under way are still answered. */
  gate?: (() => Promise<void>) | undefined;
  /** Keeps the answers in memory until it is released. */
  hold?: Hold | undefined;
  /** True asks the service nothing: AHJs whose answers are not all held are left out, as not read. Set for a matrix only. */
  keptOnly?: boolean | undefined;
}

/** The answers of an import, and its report. */
export interface ReadImport {
  answers: ImportAnswers;
  report: ImportReport;
}

export interface ImportResult extends ReadImport {
  table: TablePlan;
  /** The AHJ and type of each row of the table; null for a row without an AHJ. */
  rows: readonly (TableRow | null)[];
  /** Texts that the table shows only in part. */
  longTexts: LongText[];
}

/** Fetches all answers of an import and plans its table; nothing is written yet. Fails with a Failure. */
export async function runImport(
  question: ImportQuestion,
  session: { client: Client; lookup: Lookup },
  { form = plainForm, ...options }: RunOptions & { form?: TableForm } = {},
): Promise<ImportResult> {
  return planned(await readImport(question, session, options), form, session.lookup);
}

/** The cells that are planned without a pause, in some 20 ms, so that the page can respond to its user. */
const cellsAtOnce = 5_000;

/** The answers with their table. Fails with too-large. */
export async function planned(
  read: ReadImport,
  form: TableForm,
  { delay }: Pick<Lookup, "delay">,
): Promise<ImportResult> {
  const { ahjs, types } = read.answers;
  let hasLongTexts = false;
  const { value: valueOf } = read.answers;
  const answers = {
    types,
    of(ahjId: number, typeId: number) {
      const answer = read.answers.of(ahjId, typeId);
      if (answer && isLong(answer)) hasLongTexts = true;
      return answer;
    },
    value:
      valueOf &&
      ((ahjId: number, typeId: number) => {
        const value = valueOf(ahjId, typeId);
        if (value !== null && isLongText(value)) hasLongTexts = true;
        return value;
      }),
  };
  const { columns, rowsOf, settle } = openTablePlan(answers, form);
  const tableRows: FormattedCell[][] = [];
  const rows: TableRow[] = [];
  const cut: LongText[] = [];
  const step = Math.ceil(cellsAtOnce / Math.max(1, types.length));
  for (let at = 0; at < ahjs.length; at += step) {
    const some = ahjs.slice(at, at + step);
    hasLongTexts = false;
    const part = rowsOf(some);
    tableRows.push(...part.rows);
    rows.push(...part.about);
    if (hasLongTexts) cut.push(...longTexts({ ...answers, ahjs: some }, form.hasCitations));
    if (at + step < ahjs.length) await delay(0);
  }
  if (!fitsSheet({ rows: rows.length + 1, columns: columns.length })) throw new Failure("too-large");
  return { ...read, table: { columns: settle(tableRows), rows: tableRows }, rows, longTexts: cut };
}

/** Fetches all answers of an import. Fails with a Failure. */
export async function readImport(
  question: ImportQuestion,
  { client, lookup }: { client: Client; lookup: Lookup },
  options: RunOptions = {},
): Promise<ReadImport> {
  return question.kind === "matrix"
    ? runMatrix(question, lookup.answers, options)
    : runCollection(
        question,
        { client, answers: lookup.answers, types: await lookup.catalogue.types(options) },
        options,
      );
}
