import { aboutOf } from "../../../engine/absence";
import { Failure } from "../../../errors";
import {
  type TableAnswers,
  type ColumnType,
  createAnswerCells,
  fitsSheet,
  hasIds,
  openTablePlan,
  type RowAhj,
  type TableRow,
} from "../../sheet/layout/table-plan";
import type { CellUpdate } from "../../sheet/tables/table-edit";
import type { FormattedCell } from "../../sheet/values/cell-value";
import { answerKey } from "../saved/import-rows";
import type { NewRow } from "../../sheet/layout/table-plan";
import type { SavedImport } from "../saved/saved-import";
import {
  noteFor,
  noteNotRefreshed,
  type NotRefreshed,
  type OutcomeOf,
  type ValueChange,
} from "./compare-answers";

/** The content of rows that are added at the end of a table. */
export interface NewRows {
  updates: CellUpdate[];
  /** The answers, by `answerKey`, whose notes are to be written. */
  noted: string[];
  /** The ids in the new rows' columns of ids, which tell the rows apart. */
  ids: number[][];
  rows: NewRow[];
  values: number;
  changes: ValueChange[];
}

/**
 * The cells of added rows, for the columns that the table has. `first` is the table row of the first added row. Pauses after each AHJ.
 * Fails with too-large if a sheet could not hold the rows.
 */
export function* planNewRows(
  answered: TableAnswers,
  saved: SavedImport,
  { first, here }: { first: number; here: ReadonlySet<string> },
): Generator<void, NewRows> {
  const { columns, form, types } = saved;
  const plan = openTablePlan(answered, form);
  const ofContent = new Map(columns.map((column) => [JSON.stringify(column.content), column]));
  const savedColumns = plan.columns.map(({ content }) => ofContent.get(JSON.stringify(content)));
  const typeOf = new Map(types.map((type) => [type.id, type]));
  const cellOf = createAnswerCells(form);
  const added: NewRows = { updates: [], noted: [], ids: [], rows: [], values: 0, changes: [] };
  const addRow = ({ ahj, type }: TableRow, cells: readonly FormattedCell[]) => {
    const row = first + added.rows.length;
    plan.columns.forEach(({ content }, across) => {
      const [column, planned] = [savedColumns[across], cells[across]];
      if (!column || !here.has(column.header) || !planned) return;
      const { header, numberFormat } = column;
      const place = { row, header };
      // The row is added with its ids. They are not written again, since a row that moved meanwhile would get another row's ids.
      if (hasIds({ content })) return;
      if (content.of !== "answer") return void added.updates.push({ ...place, cell: planned, shown: "" });
      const typeId = content.typeId ?? type?.id ?? 0;
      const published = answered.of(ahj.id, typeId);
      const ofColumn = typeOf.get(typeId);
      const cell = ofColumn ? cellOf(content.part, published, ofColumn, numberFormat) : planned;
      const note = noteFor(saved, content.part, published ?? null);
      if (note !== undefined) added.noted.push(answerKey(ahj.id, typeId));
      added.updates.push({ ...place, cell, note, shown: "" });
      // A wide table's rows were asked for, so their values are not reported as changes.
      if (type && content.part === "value")
        added.changes.push({ ahj, type, place, before: null, after: published ?? null });
    });
    added.ids.push(type ? [ahj.id, type.id] : [ahj.id]);
    added.rows.push({ ahj, typeId: type?.id ?? null });
    added.values += (type ? [type] : types).filter(({ id }) => answered.of(ahj.id, id)).length;
  };
  for (const ahj of answered.ahjs) {
    yield;
    const { rows, about } = plan.rowsOf([ahj]);
    about.forEach((row, index) => addRow(row, rows[index] ?? []));
  }
  if (!fitsSheet({ rows: first + added.rows.length + 1, columns: columns.length }))
    throw new Failure("too-large");
  return added;
}

/** The AHJs to be added whose answers the service gives; the others are added to `notRefreshed`. Pauses after each AHJ. */
export function* grantedAhjs(
  newAhjs: readonly RowAhj[],
  types: readonly ColumnType[],
  outcomeOf: OutcomeOf,
  notRefreshed: Map<number, NotRefreshed>,
): Generator<void, RowAhj[]> {
  const isRefusal = (outcome: unknown) => outcome instanceof Failure && aboutOf(outcome.kind) !== "type";
  const granted: RowAhj[] = [];
  for (const ahj of newAhjs) {
    yield;
    const refusal = types.map(({ id }) => outcomeOf(ahj.id, id)).find(isRefusal);
    if (refusal instanceof Failure) noteNotRefreshed(notRefreshed, ahj, refusal.kind);
    else granted.push(ahj);
  }
  return granted;
}
