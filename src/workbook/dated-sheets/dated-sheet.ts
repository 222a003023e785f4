import { config } from "../../config";
import { Failure } from "../../errors";
import { idOf } from "../imports/saved/import-rows";
import { momentCell, referenceCell, updatedCell } from "../imports/sources/sources-sheet";
import { dayOf } from "../sheet/layout/answer-parts";
import { fitsSheet, type SheetTable } from "../sheet/layout/table-plan";
import type { TableColumns } from "../sheet/tables/bound-table";
import { blankCell, type FormattedCell, type Scalar, textCell } from "../sheet/values/cell-value";
import { shownInCell } from "../sheet/values/shown-number";
import type { DatedAnswer } from "./dated-answer";
import { idCell, textOrBlank } from "../sheet/values/plain-cells";

/** The cells of a row, by the headers of a dated sheet. */
const columns = {
  Import: ({ importName }) => textCell(importName),
  Jurisdiction: ({ jurisdiction }) => textCell(jurisdiction),
  "AHJ ID": ({ ahjId }) => idCell(ahjId),
  Question: ({ question }) => textCell(question),
  "Question ID": ({ typeId }) => idCell(typeId),
  Value: valueCell,
  Unit: ({ unit }) => textOrBlank(unit),
  Standing: ({ standing }) => textOrBlank(standing),
  Reference: ({ reference }, mayLink) => referenceCell(reference, mayLink),
  Section: ({ section }) => textOrBlank(section),
  Updated: ({ updatedAt }) => updatedCell(updatedAt),
  "As of (UTC)": ({ asOfMs }) => (asOfMs === null ? blankCell : momentCell(asOfMs)),
} satisfies Record<string, (answer: DatedAnswer, mayLink: boolean) => FormattedCell>;

type Header = keyof typeof columns;

/** The headers of a dated sheet. */
export const datedHeaders = Object.keys(columns) as Header[];

/** The columns without which rows can't be compared. They tell a dated sheet from all other tables: the one of question ids has no other. */
const needed: readonly Header[] = ["AHJ ID", "Question ID", "Value"];

/** True if a table is that of a dated sheet, also one that somebody has sorted, shortened or copied from another workbook. */
export function isDatedSheet({ headers }: { headers: readonly string[] }): boolean {
  return needed.every((header) => headers.includes(header));
}

/** The name of the sheet that keeps the values of this time; its day is that of UTC, as on sheets of changes. */
export function datedSheetName(atMs: number): string {
  return `Values ${dayOf(new Date(atMs).toISOString())}`;
}

/** The plain value of a cell. */
export function valueCell({
  value,
  numberFormat,
}: Pick<DatedAnswer, "value" | "numberFormat">): FormattedCell {
  if (typeof value === "string") return textOrBlank(value);
  // In a cell of texts, a number would become one.
  return { value, numberFormat: numberFormat === "@" ? "General" : numberFormat };
}

/**
 * Plans a dated sheet: a row for each answer. Pauses after each row.
 * @throws Failure `too-large` if a sheet could not hold the rows.
 */
export function* planDatedSheet(answers: readonly DatedAnswer[]): Generator<void, SheetTable> {
  if (!fitsSheet({ rows: answers.length + 1, columns: datedHeaders.length })) throw new Failure("too-large");
  const mayLink = answers.length <= config.mostLinks;
  const rows: FormattedCell[][] = [];
  for (const answer of answers) {
    yield;
    rows.push(datedHeaders.map((header) => columns[header](answer, mayLink)));
  }
  return { columns: datedHeaders.map((header) => ({ header })), rows };
}

/** The answers on a dated sheet. */
export interface DatedAnswers {
  answers: DatedAnswer[];
  /** The number of rows with something in them that have no AHJ ID or no Question ID. */
  unreadRows: number;
}

/** Reads the rows of a dated sheet, wherever its columns stand. Facts whose column is gone count as not known. Pauses after each row. */
export function* readDatedRows({ rowCount, columns: read }: TableColumns): Generator<void, DatedAnswers> {
  const found: DatedAnswers = { answers: [], unreadRows: 0 };
  const valueAt = (header: Header, row: number) => read.get(header)?.values[row] ?? "";
  const formatAt = (header: Header, row: number) => read.get(header)?.numberFormats[row] ?? "General";
  const textAt = (header: Header, row: number) => {
    const value = valueAt(header, row);
    return value === "" ? null : shownInCell(value, formatAt(header, row));
  };
  for (let row = 0; row < rowCount; row += 1) {
    yield;
    const [ahjId, typeId] = [idOf(valueAt("AHJ ID", row)), idOf(valueAt("Question ID", row))];
    if (ahjId === null || typeId === null) {
      if (datedHeaders.some((header) => valueAt(header, row) !== "")) found.unreadRows += 1;
      continue;
    }
    const numberFormat = formatAt("Value", row);
    found.answers.push({
      importName: textAt("Import", row) ?? "",
      ahjId,
      jurisdiction: textAt("Jurisdiction", row) ?? `AHJ ${ahjId}`,
      typeId,
      question: textAt("Question", row) ?? `Question ${typeId}`,
      unit: read.has("Unit") ? (textAt("Unit", row) ?? "") : null,
      value: valueAt("Value", row) as Scalar,
      numberFormat,
      standing: textAt("Standing", row) ?? "",
      reference: textAt("Reference", row),
      section: textAt("Section", row),
      updatedAt: textAt("Updated", row),
      asOfMs: null,
    });
  }
  return found;
}
