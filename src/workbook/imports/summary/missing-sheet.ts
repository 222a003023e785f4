import { Failure, type FailureKind, statusOf } from "../../../errors";
import { fitsSheet, type SheetTable } from "../../sheet/layout/table-plan";
import type { TableColumns } from "../../sheet/tables/bound-table";
import { blankCell, type FormattedCell, textCell } from "../../sheet/values/cell-value";
import type { RefreshReport } from "../refresh/plan-refresh";
import { answerKey, answerPlaces, importRows } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";
import { heldValue, isEdited, stateOfAhj, type TableFacts } from "./shown-answers";

const columns: SheetTable["columns"] = [
  // The column of names stays in sight when the sheet is scrolled, as in an import.
  { header: "Name", content: { of: "ahj", field: "name" } },
  { header: "State" },
  { header: "geoID" },
  { header: "AHJ ID" },
  { header: "Question" },
  { header: "Question ID" },
  { header: "Reason" },
];

/** The facts from which the reason for a missing value is told. */
export interface MissingFacts extends TableFacts {
  /** The report of the last refresh; undefined if none has run since the pane was opened. */
  report: Pick<RefreshReport, "notRefreshed" | "unknownTypes"> | undefined;
}

/**
 * The missing values of an import's table, as a table of plain values: a row for each jurisdiction and question, with ids and the reason. A
 * question whose column is gone is left out. Pauses after each cell.
 * @throws Failure `too-large` if a sheet could not hold the rows.
 */
export function* planMissing(
  saved: SavedImport,
  table: TableColumns,
  { known, digests, report }: MissingFacts,
): Generator<void, SheetTable> {
  const rows = importRows(saved, table);
  const answered = new Set<string>();
  const asked = new Set<number>(saved.form.layout === "long" ? saved.types.map(({ id }) => id) : []);
  const cleared = new Set<string>();
  for (const place of answerPlaces(saved, table, rows)) {
    yield;
    const { ahj, type, part, shown } = place;
    if (part !== "value" || !shown) continue;
    asked.add(type.id);
    if (heldValue(shown.value, saved.form) !== null) answered.add(answerKey(ahj.id, type.id));
    else if (isEdited(place, digests)) cleared.add(answerKey(ahj.id, type.id));
  }
  const reasonOf = createReasons(saved, report, cleared);
  const planned: FormattedCell[][] = [];
  for (const ahj of new Map(rows.map((row) => [row.ahj.id, row.ahj])).values()) {
    for (const type of saved.types) {
      yield;
      if (!asked.has(type.id) || answered.has(answerKey(ahj.id, type.id))) continue;
      const geoid = ahj.geoid ?? known(ahj.id)?.geoid ?? null;
      planned.push([
        textCell(ahj.name),
        textCell(stateOfAhj(ahj, known)),
        geoid === null ? blankCell : textCell(geoid),
        { value: ahj.id, numberFormat: "0" },
        textCell(type.name),
        { value: type.id, numberFormat: "0" },
        textCell(reasonOf(ahj.id, type.id)),
      ]);
    }
  }
  if (!fitsSheet({ rows: planned.length + 1, columns: columns.length })) throw new Failure("too-large");
  return { columns, rows: planned };
}

/**
 * Returns a function that gives the reason for a missing value. Without a report, it is not known which AHJs the last refresh was not
 * given.
 */
function createReasons(
  { lastRun }: SavedImport,
  report: MissingFacts["report"],
  cleared: ReadonlySet<string>,
) {
  const notRefreshed = new Map(report?.notRefreshed.map(({ ahjId, kind }) => [ahjId, kind]));
  const unknownTypes = new Set(report?.unknownTypes.map(({ id }) => id));
  const otherwise = !report && lastRun.notRefreshed > 0 ? "No value, or not refreshed" : "No value";
  return (ahjId: number, typeId: number): string => {
    if (unknownTypes.has(typeId)) return "Unknown question";
    const kind = notRefreshed.get(ahjId);
    if (kind) return reasons[kind] ?? `Not refreshed: ${statusOf(kind)}`;
    return cleared.has(answerKey(ahjId, typeId)) ? "Cleared in the sheet" : otherwise;
  };
}

const reasons: Partial<Record<FailureKind, string>> = {
  "outside-subscription": "Outside your subscription",
  "maybe-outside-subscription": "Maybe outside your subscription",
};
