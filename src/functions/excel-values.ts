import type { App } from "../app";
import { utcMs } from "../engine/api/utc-time";
import type { DataPointType } from "../engine/api/schemas";
import type { FoundAnswer } from "../engine/lookup/answers/kept-answers";
import { joinedCitation, noCitation } from "../workbook/formula-text/answer-fields";
import { cellText, formattedValue, formulaValue, type Scalar } from "../workbook/sheet/values/cell-value";
import { dataTypes, numbersWithProperties } from "../workbook/sheet/excel-api";
import { serialOfMs } from "../workbook/sheet/values/serial-date";

/** An answer as it was published. */
export interface TypedAnswer {
  cell: Pick<FoundAnswer["cell"], "value" | "reference" | "section" | "updatedAt">;
  type: Pick<DataPointType, "name" | "unit_of_measure">;
}

/** The Excel data types that the host knows, and the user's preferences for them. */
export type Host = Pick<App, "hasExcelApi" | "hasDataTypes" | "preferences">;

/** True if a formula may give data types at all, such as cards, and dates as numbers with a format. */
export function hasCards({ hasExcelApi, hasDataTypes }: Host): boolean {
  return hasExcelApi(dataTypes) && hasDataTypes();
}

/** True if numbers should carry reference, section and date. */
export function citesNumbers(host: Host): boolean {
  return host.preferences().citedNumbers && host.hasExcelApi(numbersWithProperties) && host.hasDataTypes();
}

/**
 * A value as a formula gives it. A date becomes a number only if the host can give numbers a format; otherwise it stays the published text.
 */
export function valueCell(answer: TypedAnswer, host: Host): ResultCell {
  return typedCell(answer, host, citesNumbers(host));
}

/** The time of a value's last change: a date if numbers can have a format, otherwise the service's text. */
export function updatedCell(updatedAt: string | null, host: Host): ResultCell {
  const value = serialOfMs(utcMs(updatedAt ?? ""));
  if (Number.isNaN(value) || !hasCards(host)) return cellText(updatedAt ?? "");
  return formattedNumber({ value, numberFormat: "yyyy-mm-dd hh:mm:ss" }, host);
}

/** Reference and section in one text. */
export function citationOf(cell: Pick<TypedAnswer["cell"], "reference" | "section">): string {
  const recorded = joinedCitation(cell);
  return recorded === "" ? noCitation : cellText(recorded);
}

export type ResultCell = Scalar | Excel.CellValue;

/** A value as a formula gives it, with or without its citation. */
export function typedCell({ cell, type }: TypedAnswer, host: Host, isCited: boolean): ResultCell {
  const plain = formulaValue(cell.value, type.unit_of_measure);
  const mayBeDate = typeof plain === "string" && hasCards(host);
  const number =
    mayBeDate || (isCited && typeof plain === "number")
      ? formattedValue(cell.value, type.unit_of_measure)
      : null;
  if (!number) return plain;
  const formatted = formattedNumber(number, host);
  if (!isCited) return formatted;
  // Citations take ExcelApi 1.19, where every formatted number is a Double.
  return { ...(formatted as Excel.DoubleCellValue), properties: citationProperties(cell, host) };
}

function formattedNumber(
  { value, numberFormat }: { value: number; numberFormat: string },
  host: Host,
): Excel.DoubleCellValue | Excel.FormattedNumberCellValue {
  const type = host.hasExcelApi(numbersWithProperties) ? ("Double" as const) : ("FormattedNumber" as const);
  return { type, basicType: "Double" as const, basicValue: value, numberFormat };
}

/** Reference, section and date for a card. Facts that are not recorded have no line. */
export function citationProperties({ reference, section, updatedAt }: TypedAnswer["cell"], host: Host) {
  const lines = { Reference: reference, Section: section, Updated: updatedCell(updatedAt, host) };
  return Object.fromEntries(
    Object.entries(lines).flatMap(([name, line]) =>
      line === null || line === ""
        ? []
        : [[name, property(typeof line === "string" ? cellText(line) : line)]],
    ),
  );
}

/** A value as a line of a card. */
export function property(value: ResultCell): Excel.CellValue {
  if (typeof value === "object") return value;
  if (typeof value === "number") return { type: "Double", basicType: "Double", basicValue: value };
  if (typeof value === "boolean") return { type: "Boolean", basicType: "Boolean", basicValue: value };
  return { type: "String", basicType: "String", basicValue: value };
}
