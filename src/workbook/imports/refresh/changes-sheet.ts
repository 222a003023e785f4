import { partsWithin } from "../../../lists";
import { type FormattedCell, textCell } from "../../sheet/values/cell-value";
import { fitsSheet, type SheetTable } from "../../sheet/layout/table-plan";
import { config } from "../../../config";
import { Failure } from "../../../errors";
import type { TableCell } from "../../sheet/tables/bound-table";
import { noType, type PastRefresh } from "../saved/refresh-history";
import { type ChangeLine, changeLines, countValues, ruleLines } from "./change-lists";
import { textsOf, type ValueChange } from "./compare-answers";
import { placeName } from "./place-name";
import type { RefreshReport } from "./plan-refresh";
import { datesOf } from "./same-rule";

/** A line of the list of changes, with the address of its cell if it has one. */
export type PlacedLine = ChangeLine & { address: string | undefined };

/** The columns of a line, by their headers. The sheet has one more, for the other places of a rule. */
const columns = {
  Cell: ({ address }) => address,
  Jurisdiction: ({ jurisdiction }) => jurisdiction,
  Question: ({ question }) => question,
  Change: ({ what }) => what,
  Before: ({ before }) => before?.value,
  Now: ({ after }) => after?.value,
  "Kept in the cell": ({ kept }) => kept,
  "Reference before": ({ before }) => before?.reference,
  "Reference now": ({ after }) => after?.reference,
  "Section before": ({ before }) => before?.section,
  "Section now": ({ after }) => after?.section,
  Updated: ({ after }) => after?.updatedAt,
} satisfies Record<string, (line: PlacedLine) => string | null | undefined>;

const ofPlaces = "Also for";
const headers = [...Object.keys(columns), "Refreshed", ofPlaces];

/** The cells that the list of changes names, one for each of its lines; undefined for a line without a cell. */
export function reportedCells(report: RefreshReport): (TableCell | undefined)[] {
  return changeLines(report).map(({ place }) => place);
}

/** The lines of the list of changes with the addresses of `reportedCells`. */
export function placedLines(report: RefreshReport, addresses: readonly (string | undefined)[]): PlacedLine[] {
  return changeLines(report).map((line, index) => ({ ...line, address: addresses[index] }));
}

/** A line as texts by the headers of the sheet of changes. A value that is none is an empty text. */
export function lineTexts(line: PlacedLine): Record<keyof typeof columns, string> {
  const texts = Object.entries(columns).map(([header, textOf]) => [header, textOf(line) ?? ""]);
  return Object.fromEntries(texts) as Record<keyof typeof columns, string>;
}

/**
 * A refresh as a table of texts: a row for each changed, new and vanished value, or for all that one rule has changed; for each cell that
 * somebody has edited; and for each jurisdiction that was not refreshed, that entered or that left. `addresses` are those of
 * `reportedCells`. A rule with more places than a cell can name has further rows.
 * @throws Failure `too-large` if a sheet could not hold the rows.
 */
export function planChanges(report: RefreshReport, addresses: readonly (string | undefined)[]): SheetTable {
  const refreshed = new Date(report.atMs).toISOString().replace(/\.\d+Z$/, "Z");
  const rules = ruleLines(placedLines(report, addresses));
  const rows = rules.flatMap((rule) => {
    const texts = {
      ...lineTexts(rule.own),
      ...{ Jurisdiction: rule.places, Updated: datesOf(rule), Refreshed: refreshed },
    };
    const names = rule.others.map(({ jurisdiction, address }) =>
      address === undefined ? jurisdiction : `${jurisdiction} (${address.replace(/^.*!/s, "")})`,
    );
    const lists = partsWithin(names, ({ length }) => length + 2, { room: config.cellCharacters });
    return (lists.length > 0 ? lists : [[]]).map((list) => ({ ...texts, [ofPlaces]: list.join("; ") }));
  });
  if (!fitsSheet({ rows: rows.length + 1, columns: headers.length })) throw new Failure("too-large");
  const mayLink = rows.length <= config.mostLinks;
  return {
    columns: headers.map((header) => ({ header, ...(header === ofPlaces && { isOneLine: true }) })),
    rows: rows.map((row: Record<string, string>) =>
      headers.map((header): FormattedCell => {
        const text = row[header] ?? "";
        const isPlace = header === "Cell" && text !== "" && mayLink;
        return { ...textCell(text), ...(isPlace && { documentReference: text }) };
      }),
    ),
  };
}

/** The name of the sheet of changes of a refresh. */
export function changesSheetName({ atMs }: Pick<RefreshReport, "atMs">): string {
  return `Changes ${new Date(atMs).toISOString().slice(0, "2026-01-31".length)}`;
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
