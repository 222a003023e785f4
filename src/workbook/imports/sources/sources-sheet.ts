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
import { textOrBlank } from "../../sheet/values/plain-cells";

/** An answer with its citation, as a row of a sheet shows it. */
export interface CitedAnswer {
  /** The cell that shows it. */
  address: string;
  jurisdiction: string;
  /** Null if it is not known. */
  ahjId: number | null;
  question: string;
  value: string;
  reference: string | null;
  section: string | null;
  /** ISO 8601; null if it is not known. */
  updatedAt: string | null;
  /** Null if it is not known. A text is what a sheet of the workbook says. */
  fetchedAtMs: number | string | null;
}

type CitedHeader =
  | "Cell"
  | "Jurisdiction"
  | "Question"
  | "Value"
  | "Reference"
  | "Section"
  | "Updated (UTC)"
  | "Retrieved (UTC)"
  | "AHJ ID";

/** The headers of a Sources sheet, by which it is recognized. */
export const sourcesHeaders: CitedHeader[] = [
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
  const cellsOf = createCitations(values);
  const rows: FormattedCell[][] = [];
  for (const { cells, address } of imports) {
    for (const { row, column, ahj, type, answer } of cells) {
      yield;
      const cited = cellsOf({
        ...answer,
        address: cellAddress(address, row + 1, column),
        // The table may have no column of states.
        jurisdiction: [ahj.name, ahj.state_code].filter((part) => part !== "").join(", "),
        ahjId: ahj.id,
        question: type.name,
      });
      rows.push(sourcesHeaders.map((header) => cited[header]));
    }
  }
  return { columns: sourcesHeaders.map((header) => ({ header })), rows };
}

/** Gives the cells of cited answers by their headers, with no more links than a sheet with so many rows can hold. */
export function createCitations(rows: number): (answer: CitedAnswer) => Record<CitedHeader, FormattedCell> {
  let links = 0;
  return ({ address, jurisdiction, ahjId, question, value, reference, section, updatedAt, fetchedAtMs }) => {
    const source = referenceCell(reference, links < mostLinks);
    if (source.link !== undefined) links += 1;
    return {
      Cell: placeCell(address, rows <= config.mostLinks),
      Jurisdiction: textOrBlank(jurisdiction),
      Question: textOrBlank(question),
      Value: textOrBlank(value),
      Reference: source,
      Section: textOrBlank(section ?? ""),
      "Updated (UTC)": updatedCell(updatedAt),
      "Retrieved (UTC)":
        fetchedAtMs === null
          ? blankCell
          : typeof fetchedAtMs === "string"
            ? textCell(fetchedAtMs)
            : momentCell(fetchedAtMs),
      "AHJ ID": ahjId === null ? blankCell : { value: ahjId, numberFormat: "0" },
    };
  };
}

/** A cell with the address of another, which leads there if it may. */
export function placeCell(address: string, mayLink: boolean): FormattedCell {
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
