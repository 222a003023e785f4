import * as z from "zod/mini";
import { allButFirst, MAX_COLUMNS, MAX_ROWS } from "../address";
import { HostError, notModelled } from "./host-error";
import type { Model } from "./objects/object-model";
import { membersOf } from "./rich-api";

/** Excel on the web writes no more cells in one call (Document.setSelectedDataAsync in @types/office-js). */
const MOST_CELLS = 20_000;

/** Excel's numbers for a refusal (javascript-api-for-office-error-codes.md). */
const Refusal = {
  selectionCannotBeRead: 1004,
  tooMuchToRead: 1008,
  unsupportedData: 2000,
  selectionCannotBeWritten: 2001,
  shapeDiffers: 2002,
  wouldOverwrite: 2003,
  tooLarge: 2009,
  notSupported: 5000,
  notAllowed: 5002,
} as const;

/** As office.js sends it: a single value is one cell. */
const request = z.object({
  CoerceType: z.string(),
  Data: z.unknown(),
  CellFormat: z._default(z.array(z.unknown()), []),
  TableOptions: z._default(z.array(z.unknown()), []),
});
const readRequest = z.object({
  CoerceType: z.string(),
  ValueFormat: z._default(z.string(), "unformatted"),
  FilterType: z._default(z.string(), "all"),
});
const entry = z.union([z.string(), z.number(), z.boolean()]);
const matrix = z.array(z.array(entry)).check(z.minLength(1));

/**
 * Document.setSelectedDataAsync of a value or a matrix: gives 0, or the number of the refusal. In one selected cell, a matrix needs
 * blank cells around it; several selected cells need a matrix of their shape (@types/office-js). Where Microsoft says nothing, such
 * as of several areas, it is refused: the strict assumption.
 */
export function setSelectedData(sent: unknown, model: Model): number {
  const { CoerceType, Data, CellFormat, TableOptions } = request.parse(sent);
  const isPlain = CoerceType === "text" || CoerceType === "matrix";
  if (!isPlain || CellFormat.length > 0 || TableOptions.length > 0) {
    const what = isPlain ? "with formats" : `of coercion type ${CoerceType}`;
    model.shell.report(notModelled(`Document.setSelectedDataAsync ${what}`).message);
    return Refusal.notSupported;
  }
  const parsed = matrix.safeParse(Data);
  const rows = parsed.success ? parsed.data : [];
  const columns = rows[0]?.length ?? 0;
  if (columns === 0 || rows.some((row) => row.length !== columns)) return Refusal.unsupportedData;
  if (rows.length * columns > MOST_CELLS) return Refusal.tooLarge;

  const { sheetId, rects } = model.document.isBehind
    ? { sheetId: "", rects: [] }
    : model.spreadsheet.selection();
  const [selected, otherArea] = rects;
  if (!selected || otherArea) return Refusal.selectionCannotBeWritten;
  const target = { ...selected, rows: rows.length, columns };
  const isCell = selected.rows === 1 && selected.columns === 1;
  if (!isCell && (selected.rows !== target.rows || selected.columns !== columns)) return Refusal.shapeDiffers;
  if (target.row + target.rows > MAX_ROWS || target.column + columns > MAX_COLUMNS)
    return Refusal.selectionCannotBeWritten;
  if (isCell && allButFirst(target).some((rect) => model.spreadsheet.usedRect(sheetId, true, rect)))
    return Refusal.wouldOverwrite;
  if (model.document.protectedSheets.has(sheetId)) return Refusal.notAllowed;
  try {
    membersOf({ type: "Range", sheetId, rect: target }, model).properties?.Values?.set?.(rows);
    return 0;
  } catch (cause) {
    if (cause instanceof HostError) return Refusal.unsupportedData;
    throw cause;
  }
}

/**
 * Document.getSelectedDataAsync of one cell as text, or of an area as a matrix, unformatted: gives the data, or the number of the
 * refusal. Formatted values, the visible rows alone and several cells as one text are refused by name.
 */
export function getSelectedData(sent: unknown, model: Model): number | { data: unknown } {
  const { CoerceType, ValueFormat, FilterType } = readRequest.parse(sent);
  const { sheetId, rects } = model.document.isBehind
    ? { sheetId: "", rects: [] }
    : model.spreadsheet.selection();
  const [selected, otherArea] = rects;
  if (!selected || otherArea) return Refusal.selectionCannotBeRead;
  const isText = CoerceType === "text" && selected.rows === 1 && selected.columns === 1;
  if ((!isText && CoerceType !== "matrix") || ValueFormat !== "unformatted" || FilterType !== "all") {
    const what =
      CoerceType === "text" && !isText
        ? "of several cells as text"
        : `of ${CoerceType}, ${ValueFormat}, ${FilterType}`;
    model.shell.report(notModelled(`Document.getSelectedDataAsync ${what}`).message);
    return Refusal.notSupported;
  }
  if (selected.rows === MAX_ROWS || selected.columns === MAX_COLUMNS) return Refusal.tooMuchToRead;
  const values = model.spreadsheet.read(sheetId, selected).map((row) => row.map(({ value }) => value));
  return { data: isText ? String(values[0]?.[0] ?? "") : values };
}
