import type { Ahj } from "../../../engine/api/schemas";
import type { Client } from "../../../engine/api/client";
import type { Lookup } from "../../../engine/lookup/lookup";
import { asFailure, Failure } from "../../../errors";
import {
  fitsSheet,
  plainForm,
  openTablePlan,
  tableRows,
  type TableForm,
  type TableRow,
} from "../../sheet/layout/table-plan";
import type { FormattedCell } from "../../sheet/values/cell-value";
import { isLong, isLongText, longTexts } from "./long-texts";
import { runCollection } from "./run-collection";
import { runMatrix } from "./run-matrix";
import type { ImportData, ImportQuestion, PlannedImport, RunOptions, LongText } from "./import-types";

/** Fetches all answers of an import and plans its table; nothing is written yet. Fails with a Failure. */
export async function runImport(
  question: ImportQuestion,
  session: { client: Client; lookup: Lookup },
  { form = plainForm, ...options }: RunOptions & { form?: TableForm } = {},
): Promise<PlannedImport> {
  return planned(await readImport(question, session, options), form, session.lookup);
}

/** The cells that are planned without a pause, in some 20 ms, so that the page can respond to its user. */
const cellsAtOnce = 5_000;

/** The answers with their table. Fails with too-large. */
export async function planned(
  read: ImportData,
  form: TableForm,
  { delay }: Pick<Lookup, "delay">,
): Promise<PlannedImport> {
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
  const cells: FormattedCell[][] = [];
  const rows: TableRow[] = [];
  const cut: LongText[] = [];
  const step = Math.ceil(cellsAtOnce / Math.max(1, types.length));
  for (let at = 0; at < ahjs.length; at += step) {
    const some = ahjs.slice(at, at + step);
    hasLongTexts = false;
    const part = rowsOf(some);
    cells.push(...part.rows);
    rows.push(...part.about);
    if (hasLongTexts) cut.push(...longTexts({ ...answers, ahjs: some }, form));
    if (at + step < ahjs.length) await delay(0);
  }
  if (!fitsSheet({ rows: rows.length + 1, columns: columns.length })) throw new Failure("too-large");
  return { ...read, table: { columns: settle(cells), rows: cells }, rows, longTexts: cut };
}

/** Fetches all answers of an import. Fails with a Failure. */
export async function readImport(
  question: ImportQuestion,
  { client, lookup }: { client: Client; lookup: Lookup },
  options: RunOptions = {},
): Promise<ImportData> {
  return question.kind === "matrix"
    ? runMatrix(question, lookup.answers, options)
    : runCollection(
        question,
        { client, answers: lookup.answers, types: await lookup.catalogue.types(options) },
        options,
      );
}

/**
 * The answers that had come before a matrix was cancelled or failed, for those AHJs that have all of their answers. Asks the service
 * nothing. Null if no AHJ is complete, and for a collection, whose pages don't tell which AHJs are complete.
 */
export async function readSoFar(
  question: ImportQuestion,
  session: { client: Client; lookup: Lookup },
  options: Pick<RunOptions, "isDated" | "hold">,
): Promise<ImportData | null> {
  if (question.kind !== "matrix") return null;
  const read = await readImport(question, session, { ...options, keptOnly: true }).catch((thrown: unknown) =>
    asFailure(thrown),
  );
  return "answers" in read && read.answers.ahjs.length > 0 ? read : null;
}

/** The part of an import that had been written: the AHJs whose rows are all among the first `writtenRows`. Null if there is none. */
export function firstRows(
  { answers, report }: ImportData,
  layout: TableForm["layout"],
  writtenRows: number,
): ImportData | null {
  const rows = tableRows(answers, layout);
  const open = new Set(rows.slice(writtenRows).map(({ ahj }) => ahj.id));
  const ahjs = answers.ahjs.filter(({ id }) => !open.has(id));
  if (ahjs.length === 0) return null;
  const isIn = ({ id }: Ahj) => !open.has(id);
  const withoutValue = report.withoutValue
    .map(({ type, ahjs: blank }) => ({ type, ahjs: blank.filter(isIn) }))
    .filter(({ ahjs: blank }) => blank.length > 0);
  let values = 0;
  for (const ahj of ahjs) for (const type of answers.types) if (answers.of(ahj.id, type.id)) values += 1;
  return {
    answers: { ...answers, ahjs },
    report: {
      ...report,
      rows: ahjs.length,
      values,
      withoutValue,
      notRead: [...report.notRead, ...answers.ahjs.filter((ahj) => !isIn(ahj))],
    },
  };
}
