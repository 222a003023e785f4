import type { App } from "../app";
import { utcMs } from "../engine/api/utc-time";
import type { DataPointType } from "../engine/api/schemas";
import type { FoundAnswer } from "../engine/lookup/answers/answers";
import { joinedCitation, noCitation } from "../workbook/formula-text/formula-functions";
import { cellText, formattedValue, formulaValue, type Scalar } from "../workbook/sheet/values/cell-value";
import { dataTypes, numbersWithProperties } from "../workbook/sheet/excel-api";
import { serialOfMs } from "../workbook/sheet/values/serial-date";

/** An answer as it was published. */
export interface Published {
  cell: Pick<FoundAnswer["cell"], "value" | "reference" | "section" | "updatedAt">;
  type: Pick<DataPointType, "name" | "unit_of_measure">;
}

/** Which of Excel's data types the host knows, and what the user wants of them. */
export type Host = Pick<App, "hasExcelApi" | "hasDataTypes" | "preferences">;

/** Whether a formula may give data types at all, such as cards, and dates as numbers with a format. */
export function hasCards({ hasExcelApi, hasDataTypes }: Host): boolean {
  return hasExcelApi(dataTypes) && hasDataTypes();
}

/** Whether numbers are to carry reference, section and date. */
export function citesNumbers(host: Host): boolean {
  return host.preferences().citedNumbers && host.hasExcelApi(numbersWithProperties) && host.hasDataTypes();
}

/**
 * A value as a formula gives it. A date shows as one only where a number can have a format; elsewhere it stays the
 * published text.
 */
export function valueCell(answer: Published, host: Host): Cell {
  return typedCell(answer, host, citesNumbers(host));
}

/** When a value last changed: a date where a number can have a format, else as the service says it. */
export function updatedCell(updatedAt: string | null, host: Host): Cell {
  const ms = utcMs(updatedAt ?? "");
  if (Number.isNaN(ms) || !hasCards(host)) return cellText(updatedAt ?? "");
  return formattedNumber({ value: serialOfMs(ms), numberFormat: "yyyy-mm-dd hh:mm:ss" }, host);
}

/** Reference and section in one text. */
export function citationOf(cell: Pick<Published["cell"], "reference" | "section">): string {
  const recorded = joinedCitation(cell);
  return recorded === "" ? noCitation : cellText(recorded);
}

export type Cell = Scalar | Excel.CellValue;

/** The same, with or without its citation. */
export function typedCell({ cell, type }: Published, host: Host, isCited: boolean): Cell {
  const plain = formulaValue(cell.value, type.unit_of_measure);
  const mayBeDate = typeof plain === "string" && hasCards(host);
  const number =
    mayBeDate || (isCited && typeof plain === "number")
      ? formattedValue(cell.value, type.unit_of_measure)
      : null;
  if (!number) return plain;
  const formatted = formattedNumber(number, host);
  if (!isCited) return formatted;
  // It takes ExcelApi 1.19, where every such number is a Double.
  return { ...(formatted as Excel.DoubleCellValue), properties: citationProperties(cell, host) };
}

function formattedNumber(
  { value, numberFormat }: { value: number; numberFormat: string },
  host: Host,
): Excel.DoubleCellValue | Excel.FormattedNumberCellValue {
  const type = host.hasExcelApi(numbersWithProperties) ? ("Double" as const) : ("FormattedNumber" as const);
  return { type, basicType: "Double" as const, basicValue: value, numberFormat };
}

/** Reference, section and date, for a card; what is not recorded has no line. */
export function citationProperties({ reference, section, updatedAt }: Published["cell"], host: Host) {
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
export function property(value: Cell): Excel.CellValue {
  if (typeof value === "object") return value;
  if (typeof value === "number") return { type: "Double", basicType: "Double", basicValue: value };
  if (typeof value === "boolean") return { type: "Boolean", basicType: "Boolean", basicValue: value };
  return { type: "String", basicType: "String", basicValue: value };
}
