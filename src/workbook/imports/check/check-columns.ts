import { readAnswer } from "../../../find/readings/answer-reading";
import type { EditedCell } from "../refresh/compare-answers";
import { finishRefresh, type RefreshPlan, type RefreshReport } from "../refresh/plan-refresh";
import { planFirstRun, type RefreshDependencies } from "../refresh/refresh";
import type { RunOptions } from "../run/import-types";
import type { FillOrder } from "../run/fill-table";
import { importToFill } from "../saved/import-to-fill";
import type { SavedImport } from "../saved/saved-import";
import { type LiveCells, planLiveCells, type RowIds } from "./live-cells";

/** The outcome of comparing cells of the user's own columns with the service. Nothing was written. */
export interface CheckedColumns {
  /** The number of cells that show exactly what the service says. */
  equal: number;
  /** Cells that say the same in another form: "$135" as a text beside the number 135, "yes" beside TRUE. */
  otherForm: EditedCell[];
  /** Cells that say something else, and those for which the service has no value. */
  differing: EditedCell[];
  /** The number of blank cells in the rows whose places are certain. */
  blanks: number;
  /** The rows whose places are not certain, counted from 0. */
  unclearRows: number[];
  /** The cells with an answer as formulas. */
  live: LiveCells;
  /** The report of a fill that stopped before writing: it has the places of the cells, and the rows that the service does not answer. */
  report: RefreshReport;
}

/**
 * Compares what stands in the user's own columns with the service's answers for the places of the rows. A text is equal or it is not; amounts are
 * compared by their values in the question's unit. The service is asked anew. Fails with a Failure.
 * @example const { differing } = await checkColumns(order, { ...session, tables, book }, { signal });
 */
export async function checkColumns(
  { types, into, ...list }: FillOrder,
  dependencies: RefreshDependencies,
  options: RunOptions = {},
): Promise<CheckedColumns> {
  const saved = importToFill(list, dependencies.credentials.baseUrl);
  const change = { types, newAhjs: [], into };
  const { plan, table } = await planFirstRun(saved, dependencies, { ...options, change });
  const outcome = {
    ...{ changedCells: [], missingCells: [], missingColumns: [], changedColumns: [], notesLeft: 0 },
    notesOfOthers: { kept: [], replaced: [] },
  };
  const { report } = finishRefresh(plan, outcome, Date.now());
  const isEdited = new Set(report.edited.map(({ place }) => `${place.row} ${place.header}`));
  const notAnswered = new Set(
    report.notRefreshed.flatMap(({ places }) => places.map(({ row, header }) => `${row} ${header}`)),
  );
  const certainRows = new Set(report.followed.map(({ place }) => place.row));
  const hasNoValue = new Set(
    report.edited.flatMap(({ place, after }) => (after ? [] : [`${place.row} ${place.header}`])),
  );
  const unknownIds = new Set(report.unknownTypes.map(({ id }) => id));
  let [equal, blanks] = [0, 0];
  for (const { header, typeId } of into) {
    // Nothing was said about the cells of a question that the service no longer knows.
    if (unknownIds.has(typeId)) continue;
    const column = table.columns.get(header);
    for (const row of certainRows) {
      const key = `${row} ${header}`;
      if (column?.values[row] === "" && !column.formulas?.has(row)) blanks += 1;
      else if (!isEdited.has(key) && !notAnswered.has(key)) equal += 1;
    }
  }
  const known = into.filter(({ typeId }) => !unknownIds.has(typeId));
  const ids = await rowIds(saved, plan, dependencies);
  const live = planLiveCells(table, known, ids, (row, header) => {
    const key = `${row} ${header}`;
    return certainRows.has(row) && !notAnswered.has(key) && !hasNoValue.has(key);
  });
  return {
    ...{ equal, blanks, live },
    otherForm: report.edited.filter(isOtherForm),
    differing: report.edited.filter((cell) => !isOtherForm(cell)),
    unclearRows: Array.from({ length: table.rowCount }, (_, row) => row).filter(
      (row) => !certainRows.has(row),
    ),
    // The table has no ids yet, so that its rows are found again by the columns of their places.
    report: { ...report, read: plan.edit.newIds?.read ?? report.read },
  };
}

/** The ids that a fill would write into a new column; or those of an earlier fill or comparison, if they are the ones of all rows. */
async function rowIds(
  saved: SavedImport,
  { edit: { read, newIds, newColumns } }: RefreshPlan,
  { tables }: Pick<RefreshDependencies, "tables">,
): Promise<RowIds> {
  const header = saved.columns[0]?.header ?? "";
  const [{ header: usual = "" } = {}] = importToFill({ ...saved, headers: [] }, saved.service).columns;
  if (usual !== header && newIds) {
    const { columns } = await tables.read(saved.tableId, [usual]);
    const there = columns.get(usual)?.values;
    if (newIds.updates.every(({ row, cell }) => there?.[row] === cell.value))
      return { header: usual, read: newIds.read };
  }
  return { header, read, added: { newIds, newColumns } };
}

/** True if a cell says what the service says, and only looks different. */
function isOtherForm({ text, after, type }: EditedCell): boolean {
  if (!after || !type) return false;
  const [own, said] = [text, after.value].map((raw) => readAnswer(raw, type.unit_of_measure));
  if (!own || !said) return false;
  if (own.folded === said.folded) return true;
  if (own.yes !== null && own.yes === said.yes) return true;
  if (own.edition !== null && JSON.stringify(own.edition) === JSON.stringify(said.edition)) return true;
  return own.range !== null && own.range.min === said.range?.min && own.range.max === said.range.max;
}
