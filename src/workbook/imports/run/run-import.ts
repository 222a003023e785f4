import type { Client } from "../../../engine/api/client";
import type { Hold } from "../../../engine/cache/answer-cache";
import type { Lookup } from "../../../engine/lookup/lookup";
import { Failure } from "../../../errors";
import {
  fitsSheet,
  plainForm,
  openTablePlan,
  type TableForm,
  type TablePlan,
  type TableRow,
} from "../../sheet/layout/table-plan";
import type { Cell } from "../../sheet/values/cell-value";
import type { ImportAnswers } from "./import-answers";
import { isLong, isLongText, type LongText, longTexts } from "./long-texts";
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
  /** Keeps the answers as long as they are used. */
  hold?: Hold | undefined;
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
  return planned(await readImport(question, session, options), form, session.lookup);
}

/** Cells that are planned in one go, some 20 ms: the page has to answer its user meanwhile. */
const cellsAtOnce = 5_000;

/** What came, and its table. Fails with too-large. */
export async function planned(
  read: ReadImport,
  form: TableForm,
  { moment }: Pick<Lookup, "moment">,
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
  const tableRows: Cell[][] = [];
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
    if (at + step < ahjs.length) await moment(0);
  }
  if (!fitsSheet({ rows: rows.length + 1, columns: columns.length })) throw new Failure("too-large");
  return { ...read, table: { columns: settle(tableRows), rows: tableRows }, rows, longTexts: cut };
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
