import { textCell } from "../../sheet/values/cell-value";
import { fitsSheet, type SheetTable } from "../../sheet/layout/table-plan";
import { Failure } from "../../../errors";
import type { TableCell } from "../../sheet/tables/bound-table";
import { noType, type PastRefresh } from "../saved/refresh-history";
import { changeLines, countValues, placeName } from "./change-lists";
import { textsOf, type ValueChange } from "./compare-answers";
import type { RefreshReport } from "./plan-refresh";

const headers = [
  "Cell",
  "Jurisdiction",
  "Question",
  "What",
  "Before",
  "Now",
  "Reference before",
  "Reference now",
  "Section before",
  "Section now",
  "Updated",
  "Refreshed",
];

/** The cells that the sheet of changes names, one for each of its rows; undefined for a row without a cell. */
export function reportedCells(report: RefreshReport): (TableCell | undefined)[] {
  return changeLines(report).map(({ place }) => place);
}

/**
 * A refresh as a table of texts: a row for each changed, new and vanished value, for each cell that somebody has edited, and for each
 * jurisdiction that was not refreshed, that entered or that left. `addresses` are those of `reportedCells`.
 * @throws Failure `too-large` if a sheet could not hold the rows.
 */
export function planChanges(report: RefreshReport, addresses: readonly (string | undefined)[]): SheetTable {
  const lines = changeLines(report);
  if (!fitsSheet({ rows: lines.length + 1, columns: headers.length })) throw new Failure("too-large");
  const refreshed = new Date(report.atMs).toISOString().replace(/\.\d+Z$/, "Z");
  const rows = lines.map(({ jurisdiction, question, what, before, after }, index) =>
    [
      ...[addresses[index], jurisdiction, question, what],
      ...[before?.value, after?.value],
      ...[before?.reference, after?.reference],
      ...[before?.section, after?.section],
      ...[after?.updatedAt, refreshed],
    ].map((given) => textCell(given ?? "")),
  );
  return { columns: headers.map((header) => ({ header })), rows };
}

/** A refresh in the form that the workbook remembers. */
export function pastRefresh(report: RefreshReport): PastRefresh {
  const { atMs, changes, unsure, entered, left } = report;
  const past = (change: ValueChange) => ({
    ahjId: change.ahj.id,
    ...(change.type ? { typeId: change.type.id } : { typeId: noType, column: change.place.header }),
    name: placeName(change.ahj),
    ...textsOf(change),
  });
  return {
    atMs,
    changed: countValues(report),
    changes: [...changes.map(past), ...unsure.map((each) => ({ ...past(each), isUnsure: true }))],
    ...(entered.length > 0 && { entered: entered.map(placeName) }),
    ...(left.length > 0 && { left: left.map(({ ahj }) => placeName(ahj)) }),
  };
}
