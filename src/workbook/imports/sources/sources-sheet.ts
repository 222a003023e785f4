import { utcMs } from "../../../engine/api/utc-time";
import { blankCell, type FormattedCell, textCell } from "../../sheet/values/cell-value";
import { cellAddress } from "../../sheet/layout/cell-address";
import { serialOfMs } from "../../sheet/values/serial-date";
import { fitsSheet, type SheetTable } from "../../sheet/layout/table-plan";
import type { PublishedAnswer } from "../../sheet/layout/answer-parts";
import { webAddress } from "../../sheet/values/web-address";
import { config } from "../../../config";
import { Failure } from "../../../errors";
import type { ValueCell } from "../run/value-cells";

/** The headers of a Sources sheet, by which it is recognized. */
export const sourcesHeaders = [
  "Cell",
  "Jurisdiction",
  "Question",
  "Value",
  "Reference",
  "Section",
  "Updated (UTC)",
  "Retrieved (UTC)",
  "AHJ ID",
];

/** True if a table is that of a Sources sheet, also one that somebody has edited. */
export function isSourcesSheet({ headers }: { headers: readonly string[] }): boolean {
  // Earlier versions wrote no ids.
  return [sourcesHeaders, sourcesHeaders.slice(0, -1)].some((ours) => String(headers) === String(ours));
}

/** The number of columns of the Sources sheet. */
export const sourcesColumns = sourcesHeaders.length;

/** A limit below Excel's own, which is 65,530 links on a sheet. */
const mostLinks = 65_000;

/** A cell whose value has a source. `fetchedAtMs` is null if the time of retrieval is not known. */
export interface SourceCell extends Omit<ValueCell, "answer"> {
  answer: Omit<PublishedAnswer, "fetchedAtMs"> & { fetchedAtMs: number | null };
}

/**
 * The sources of the values of imports: a row for each value, with the cell that shows it. Pauses after each value. `address` is the place
 * of an import's cells, header row included.
 * @throws Failure `too-large` if a sheet could not hold the rows.
 */
export function* planSources(
  imports: readonly { cells: readonly SourceCell[]; address: string }[],
): Generator<void, SheetTable> {
  const values = imports.reduce((sum, { cells }) => sum + cells.length, 0);
  if (!fitsSheet({ rows: values + 1, columns: sourcesHeaders.length })) throw new Failure("too-large");
  let links = 0;
  const rows: FormattedCell[][] = [];
  for (const { cells, address } of imports) {
    for (const { row, column, ahj, type, answer } of cells) {
      yield;
      const reference = referenceCell(answer.reference, links < mostLinks);
      if (reference.link !== undefined) links += 1;
      rows.push([
        placeCell(cellAddress(address, row + 1, column), values <= config.mostLinks),
        // The table may have no column of states.
        textCell([ahj.name, ahj.state_code].filter((part) => part !== "").join(", ")),
        textCell(type.name),
        textCell(answer.value),
        reference,
        answer.section === null ? blankCell : textCell(answer.section),
        updatedCell(answer.updatedAt),
        answer.fetchedAtMs === null ? blankCell : momentCell(answer.fetchedAtMs),
        { value: ahj.id, numberFormat: "0" },
      ]);
    }
  }
  return { columns: sourcesHeaders.map((header) => ({ header })), rows };
}

function placeCell(address: string, mayLink: boolean): FormattedCell {
  return { ...textCell(address), ...(mayLink && { documentReference: address }) };
}

/** A citation's reference, which leads to the web address in it if `mayLink` allows it. */
export function referenceCell(reference: string | null, mayLink: boolean): FormattedCell {
  if (reference === null) return blankCell;
  const link = mayLink ? webAddress(reference) : undefined;
  return { ...textCell(reference), ...(link !== undefined && { link }) };
}

/** The time of an answer's last change. A text that is no time stays text. */
export function updatedCell(updatedAt: string | null): FormattedCell {
  if (updatedAt === null) return blankCell;
  const cell = momentCell(utcMs(updatedAt));
  return Number.isNaN(cell.value) ? textCell(updatedAt) : cell;
}

/** A time, in UTC. */
export function momentCell(ms: number): FormattedCell {
  return { value: serialOfMs(ms), numberFormat: "yyyy-mm-dd hh:mm:ss" };
}
