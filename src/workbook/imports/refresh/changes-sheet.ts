import { textCell } from "../../sheet/values/cell-value";
import { fitsSheet, type SheetTable } from "../../sheet/layout/table-plan";
import { Failure } from "../../../errors";
import type { RefreshReport } from "./plan-refresh";
import type { TableCell } from "../../sheet/tables/bound-table";

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
];

/** The cells that the sheet of changes names: of each change, then of each AHJ that was not refreshed. */
export function reportedCells({ changes, notRefreshed }: RefreshReport): (TableCell | undefined)[] {
  return [...changes.map(({ place }) => place), ...notRefreshed.map(({ places: [first] }) => first)];
}

/**
 * A refresh as a table of texts: a row for each changed, new and vanished value, and for each jurisdiction that was not
 * refreshed. `addresses` are those of `reportedCells`.
 * @throws Failure `too-large` where a sheet could not hold them.
 */
export function planChanges(
  { changes, notRefreshed }: RefreshReport,
  addresses: readonly (string | undefined)[],
): SheetTable {
  const rowCount = changes.length + notRefreshed.length + 1;
  if (!fitsSheet({ rows: rowCount, columns: headers.length })) throw new Failure("too-large");
  const changed = changes.map(({ ahj, type, before, after }, index) => [
    addresses[index],
    ahj.name,
    type.name,
    before ? (after ? "changed" : "gone") : "new",
    before?.value,
    after?.value,
    before?.reference,
    after?.reference,
    before?.section,
    after?.section,
    after?.updatedAt,
  ]);
  const kept = notRefreshed.map(({ name }, index) => [
    addresses[changes.length + index],
    name,
    undefined,
    "not refreshed",
  ]);
  const rows = [...changed, ...kept].map((row) => headers.map((_, place) => textCell(row[place] ?? "")));
  return { columns: headers.map((header) => ({ header })), rows };
}
