import { utcMs } from "../../../engine/api/utc-time";
import { blankCell, type Cell, textCell } from "../../sheet/values/cell-value";
import { cellAddress } from "../../sheet/layout/cell-address";
import { serialOfMs } from "../../sheet/values/serial-date";
import { fitsSheet, type Published, type SheetTable } from "../../sheet/layout/table-plan";
import { webAddress } from "../../sheet/values/web-address";
import { Failure } from "../../../errors";
import type { ValueCell } from "../run/value-cells";

const headers = [
  "Cell",
  "Jurisdiction",
  "Question",
  "Value",
  "Reference",
  "Section",
  "Updated (UTC)",
  "Retrieved (UTC)",
];

/** How wide the Sources sheet is. */
export const sourcesColumns = headers.length;

/** Excel holds 65,530 links on a sheet. */
const mostLinks = 65_000;

/** A cell whose value has a source; the moment it was retrieved is not always known. */
export interface SourceCell extends Omit<ValueCell, "answer"> {
  answer: Omit<Published, "fetchedAtMs"> & { fetchedAtMs: number | null };
}

/**
 * Where each value of an import comes from: a row for each, with the cell that shows it.
 * `address` is where the cells of the import stand, header row included.
 * @throws Failure `too-large` where a sheet could not hold them.
 */
export function planSources(cells: readonly SourceCell[], address: string): SheetTable {
  return planSourcesOf([{ cells, address }]);
}

/** The same of several imports, one below the other. */
export function planSourcesOf(
  imports: readonly { cells: readonly SourceCell[]; address: string }[],
): SheetTable {
  let links = 0;
  const rows = imports.flatMap(({ cells, address }) =>
    cells.map(({ row, column, ahj, type, answer }): Cell[] => {
      const reference = referenceCell(answer.reference, links < mostLinks);
      if (reference.link !== undefined) links += 1;
      return [
        textCell(cellAddress(address, row + 1, column)),
        // A table may have no column of states.
        textCell([ahj.name, ahj.state_code].filter((part) => part !== "").join(", ")),
        textCell(type.name),
        textCell(answer.value),
        reference,
        answer.section === null ? blankCell : textCell(answer.section),
        updatedCell(answer.updatedAt),
        answer.fetchedAtMs === null ? blankCell : momentCell(answer.fetchedAtMs),
      ];
    }),
  );
  if (!fitsSheet({ rows: rows.length + 1, columns: headers.length })) throw new Failure("too-large");
  return { columns: headers.map((header) => ({ header })), rows };
}

function referenceCell(reference: string | null, mayLink: boolean): Cell {
  if (reference === null) return blankCell;
  const link = mayLink ? webAddress(reference) : undefined;
  return { ...textCell(reference), ...(link !== undefined && { link }) };
}

function updatedCell(updatedAt: string | null): Cell {
  if (updatedAt === null) return blankCell;
  const ms = utcMs(updatedAt);
  return Number.isNaN(ms) ? textCell(updatedAt) : momentCell(ms);
}

function momentCell(ms: number): Cell {
  return { value: serialOfMs(ms), numberFormat: "yyyy-mm-dd hh:mm:ss" };
}
