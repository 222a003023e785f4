import { Failure } from "../../../errors";
import {
  type Answered,
  type ColumnType,
  planTable,
  type RowAhj,
  tableRows,
} from "../../sheet/layout/table-plan";
import type { CellUpdate } from "../../sheet/tables/table-edit";
import { answerKey, type NewRow } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";
import {
  noteFor,
  noteNotRefreshed,
  type NotRefreshed,
  type OutcomeOf,
  type ValueChange,
} from "./compare-answers";

/** What rows that are added at the end of a table hold. */
export interface NewRows {
  updates: CellUpdate[];
  /** The answers, by `answerKey`, whose notes are to be written. */
  noted: string[];
  /** What tells the rows apart: what their columns of ids hold. */
  ids: number[][];
  rows: NewRow[];
  values: number;
  changes: ValueChange[];
}

/** The cells of rows that are added, by the columns that are there; `first` is the row that the first of them is. */
export function planNewRows(
  answered: Answered,
  saved: SavedImport,
  { first, here }: { first: number; here: ReadonlySet<string> },
): NewRows {
  const { columns, form, types } = saved;
  const plan = planTable(answered, form);
  const headerOf = new Map(columns.map(({ header, content }) => [JSON.stringify(content), header]));
  const updates: CellUpdate[] = [];
  const noted: string[] = [];
  const changes: ValueChange[] = [];
  const rows = tableRows(answered, form.layout);
  rows.forEach(({ ahj, type }, down) => {
    plan.columns.forEach(({ content }, across) => {
      const [header, cell] = [headerOf.get(JSON.stringify(content)), plan.rows[down]?.[across]];
      if (header === undefined || !here.has(header) || !cell) return;
      const place = { row: first + down, header };
      // The row comes with its ids. They are not written again: should rows move, another's would no longer be found.
      if (content.of !== "answer" && content.field === "id") return;
      if (content.of !== "answer") return void updates.push({ ...place, cell, shown: "" });
      const typeId = content.typeId ?? type?.id ?? 0;
      const published = answered.of(ahj.id, typeId);
      const note = noteFor(saved, content.part, published);
      if (note !== undefined) noted.push(answerKey(ahj.id, typeId));
      updates.push({ ...place, cell, note, shown: "" });
      // In a wide table it was asked to come, and is no news.
      if (type && content.part === "value")
        changes.push({ ahj, type, place, before: null, after: published });
    });
  });
  const valuesIn = ({ ahj, type }: (typeof rows)[number]) =>
    (type ? [type] : types).filter(({ id }) => answered.of(ahj.id, id) !== null).length;
  return {
    updates,
    noted,
    ids: rows.map(({ ahj, type }) => (type ? [ahj.id, type.id] : [ahj.id])),
    rows: rows.map(({ ahj, type }) => ({ ahj, typeId: type?.id ?? null })),
    values: rows.reduce((sum, row) => sum + valuesIn(row), 0),
    changes,
  };
}

/** Of AHJs that are to be added, those that the service gives; the others are added to `notRefreshed`. */
export function grantedAhjs(
  newAhjs: readonly RowAhj[],
  types: readonly ColumnType[],
  outcomeOf: OutcomeOf,
  notRefreshed: Map<number, NotRefreshed>,
): RowAhj[] {
  const isRefusal = (outcome: unknown) => outcome instanceof Failure && outcome.kind !== "unknown-type";
  return newAhjs.filter((ahj) => {
    const refusal = types.map(({ id }) => outcomeOf(ahj.id, id)).find(isRefusal);
    if (refusal instanceof Failure) noteNotRefreshed(notRefreshed, ahj, refusal.kind);
    return !refusal;
  });
}
