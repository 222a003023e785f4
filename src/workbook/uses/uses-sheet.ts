import { config } from "../../config";
import { Failure } from "../../errors";
import { fitsSheet, type SheetTable } from "../sheet/layout/table-plan";
import { blankCell, type FormattedCell, textCell } from "../sheet/values/cell-value";
import { serialOfMs } from "../sheet/values/serial-date";
import type { BookUses } from "./plan-uses";
import { type UseLine, linesOfUses } from "./use-lines";
import { textOrBlank } from "../sheet/values/plain-cells";

const numberCell = (value: number | null): FormattedCell =>
  value === null ? blankCell : { value, numberFormat: "0" };
const listCell = (texts: readonly string[]) => textOrBlank(texts.join("; "));

/** The columns of a line, by their headers. */
const columns = {
  Kind: ({ kind }) => textCell(kind),
  Name: ({ name }) => textOrBlank(name),
  Code: ({ code }) => textOrBlank(code),
  Formulas: ({ formulas }) => numberCell(formulas),
  Imports: ({ imports }) => listCell(imports),
  Where: ({ places }) => listCell(places.map(({ address }) => address)),
  Standing: ({ standing }) => textOrBlank(standing),
  "Meant now": ({ successors }) => listCell(successors),
  More: ({ more }) => textOrBlank(more),
  "As of (UTC)": ({ asOfMs }) =>
    asOfMs === null ? blankCell : { value: serialOfMs(asOfMs), numberFormat: "yyyy-mm-dd hh:mm:ss" },
} satisfies Record<string, (line: UseLine) => FormattedCell>;

const headers = Object.keys(columns) as (keyof typeof columns)[];

/**
 * The uses of a workbook as a table of plain values: a row for each place, question, import and argument that can't be told. The first
 * place of each leads there.
 * @throws Failure `too-large` if a sheet could not hold the rows.
 */
export function planUsesSheet(uses: BookUses): SheetTable {
  const lines = linesOfUses(uses);
  if (!fitsSheet({ rows: lines.length + 1, columns: headers.length })) throw new Failure("too-large");
  const mayLink = lines.length <= config.mostLinks;
  return {
    columns: headers.map((header) => ({ header })),
    rows: lines.map((line) =>
      headers.map((header) => {
        const cell = columns[header](line);
        const [first] = header === "Where" && mayLink ? line.places : [];
        return first ? { ...cell, documentReference: first.address } : cell;
      }),
    ),
  };
}
