import {
  MAX_COLUMNS,
  MAX_ROWS,
  allButFirst,
  between,
  cellAt,
  contains,
  formatAddress,
  intersect,
  parseAddress,
  union,
} from "../../address";
import type { StripShift } from "../../line-shift";
import type { CellValue, CellView, DefinedName, Rect, SheetInfo, TableInfo } from "../../spreadsheet";
import { HostError, known, notModelled } from "../host-error";
import { found, integer, mustNotBeProtected, position, text } from "./object-model";
import type { Classes, Model, Ref } from "./object-model";
import { bounded, isUnbounded } from "./range-format";
import { fillColumns } from "./tables/table-columns";
import { nameClearedHeaders, nameColumns, writeHeaders } from "./tables/table-names";

const MOST_COUNTED_CELLS = 2 ** 31 - 1;

/** The number of merged areas that Excel lists at most. */
const MOST_MERGED_AREAS = 512;

const clearings = new Map<unknown, { contents: boolean; formats: boolean }>([
  ["All", { contents: true, formats: true }],
  ["Contents", { contents: true, formats: false }],
  ["Formats", { contents: false, formats: true }],
]);

export const rangeClasses: Classes<"Range" | "RangeAreas" | "RangeCollection"> = {
  Range({ sheetId, rect }, model) {
    const { spreadsheet } = model;
    const { row, column, rows, columns } = rect;
    const at = (row: number, column: number, rows: number, columns: number) =>
      rangeAt(sheetId, { row, column, rows, columns });
    // For whole rows and columns, cell-level properties are null (excel-add-ins-ranges-unbounded.md).
    const read = (part: (cell: CellView) => unknown) => () =>
      isUnbounded(rect) ? null : spreadsheet.read(sheetId, rect).map((cells) => cells.map(part));
    /** For each row, whether a filter hides it. */
    const hidden = () => {
      const { isRowFiltered } = spreadsheet;
      return Array.from({ length: rows }, (_, down) => isRowFiltered(sheetId, row + down));
    };
    // Excel drops values for merged cells without an error, except the value for the area's first cell.
    const write = (value: unknown) => {
      mustNotBeUnbounded(rect);
      const areas = spreadsheet.merged(sheetId).filter((area) => intersect(area, rect));
      const isDropped = (y: number, x: number) =>
        areas.some((area) => contains(area, y, x) && (area.row !== y || area.column !== x));
      const entries = asFiltered(spread(rect, value, cellValue), value, hidden);
      const kept = entries.map((cells, down) =>
        cells.map((cell, across) => (isDropped(row + down, column + across) ? null : cell)),
      );
      // "Excel specifications and limits" of support.microsoft.com: a formula has 8,192 characters.
      if (kept.flat().some((entry) => typeof entry === "string" && isLongFormula(entry)))
        throw new HostError("InvalidArgument", "a formula of more than 8,192 characters");
      const grown = tableThatGrows(sheetId, rect, model);
      writeHeaders(sheetId, rect, model, () => {
        spreadsheet.writeFormulas(sheetId, rect, kept);
      });
      if (grown) spreadsheet.updateTable(grown.id, { rect: { ...grown.rect, rows: grown.rect.rows + rows } });
      fillColumns(sheetId, rect, model);
    };
    const onThisSheet = (other: Rect | null): Ref<"Range"> | null =>
      other && { type: "Range", sheetId, rect: other };

    return {
      properties: {
        Values: { get: read((cell) => cell.value), set: write },
        Formulas: { get: read((cell) => cell.formula), set: write },
        Text: { get: read((cell) => cell.text) },
        NumberFormat: {
          get: read((cell) => cell.numberFormat),
          set(value) {
            mustNotBeUnbounded(rect);
            const formats = spread(rect, oneFormat(value), numberFormat);
            spreadsheet.writeNumberFormats(sheetId, rect, asFiltered(formats, oneFormat(value), hidden));
          },
        },
        Hyperlink: {
          // Null without a link, and (the strict assumption) for several cells.
          get() {
            const link = rows > 1 || columns > 1 ? null : spreadsheet.link(sheetId, row, column);
            if (link === null) return null;
            const [[cell] = []] = spreadsheet.read(sheetId, rect);
            const target = link.startsWith("#") ? { documentReference: link.slice(1) } : { address: link };
            const screenTip = spreadsheet.linkTip(sheetId, row, column) ?? "";
            return { ...target, screenTip, textToDisplay: cell?.text ?? "" };
          },
          set(wanted) {
            const { address, textToDisplay, screenTip } = linkOf(wanted);
            // Excel's limit counts the characters of the encoded address (EPPlusSoftware/EPPlus#778).
            if (encodeURI(address).length > 2_079)
              throw new HostError("InvalidArgument", "an address of more than 2,079 characters");
            if (rows > 1 || columns > 1) throw notModelled("Range.Hyperlink of several cells");
            spreadsheet.writeFormulas(sheetId, rect, [[textToDisplay]]);
            spreadsheet.setLink(sheetId, row, column, address, screenTip);
          },
        },
        HasSpill: {
          get() {
            const spilled = spreadsheet
              .read(sheetId, bounded(rect))
              .flatMap((cells, down) =>
                cells.map(
                  (_, across) => spreadsheet.spillParent(sheetId, row + down, column + across) !== null,
                ),
              );
            return spilled.every(Boolean) || (spilled.some(Boolean) ? null : false);
          },
        },
        Address: { get: () => formatAddress(found(findSheet(model, sheetId)).name, rect) },
        RowIndex: { get: () => row },
        ColumnIndex: { get: () => column },
        RowCount: { get: () => rows },
        ColumnCount: { get: () => columns },
        // "The API returns -1 if the cell count exceeds 2^31-1" (Range.cellCount in @types/office-js).
        CellCount: { get: () => (rows * columns > MOST_COUNTED_CELLS ? -1 : rows * columns) },
      },
      links: {
        Worksheet: () => ({ type: "Worksheet", sheetId }),
        Format: () => ({ type: "RangeFormat", sheetId, areas: [rect] }),
        ConditionalFormats: () => ({ type: "ConditionalFormatCollection", sheetId, rect }),
        Sort: () => ({ type: "RangeSort", sheetId, rect }),
      },
      objects: {
        GetCell: (down, across) => at(row + integer(down), column + integer(across), 1, 1),
        GetRow: (index) => at(row + position(index, rows), column, 1, columns),
        GetColumn: (index) => at(row, column + position(index, columns), rows, 1),
        GetLastCell: () => at(row + rows - 1, column + columns - 1, 1, 1),
        GetLastRow: () => at(row + rows - 1, column, 1, columns),
        GetLastColumn: () => at(row, column + columns - 1, rows, 1),
        // A negative count gives rows or columns inside the range, from the same edge (Range.getRowsAbove in @types/office-js).
        GetRowsAbove: (count) => at(row - outside(count), column, size(count, rows), columns),
        GetRowsBelow: (count) =>
          at(row + rows + outside(count) - size(count, rows), column, size(count, rows), columns),
        GetColumnsBefore: (count) => at(row, column - outside(count), rows, size(count, columns)),
        GetColumnsAfter: (count) =>
          at(row, column + columns + outside(count) - size(count, columns), rows, size(count, columns)),
        GetSurroundingRegion: () => onThisSheet(surroundingRegion(sheetId, cellAt(row, column), model)),
        GetEntireRow: () => at(row, 0, rows, MAX_COLUMNS),
        GetEntireColumn: () => at(0, column, MAX_ROWS, columns),
        GetOffsetRange: (down, across) => at(row + integer(down), column + integer(across), rows, columns),
        GetResizedRange: (more, wider) => at(row, column, rows + integer(more), columns + integer(wider)),
        GetAbsoluteResizedRange: (height, width) => at(row, column, integer(height), integer(width)),
        GetBoundingRect: (other) => onThisSheet(union(rect, rangeOf(other, model, sheetId).rect)),
        GetIntersection: (other) => found(onThisSheet(intersect(rect, rangeOf(other, model, sheetId).rect))),
        GetIntersectionOrNullObject: (other) =>
          onThisSheet(intersect(rect, rangeOf(other, model, sheetId).rect)),
        GetTables: (fullyContained) => ({
          type: "TableCollection",
          sheetId,
          [fullyContained === true ? "within" : "touching"]: rect,
        }),
        // Only a single cell has a spill parent, as with getSpillingToRange (@types/office-js).
        GetSpillParentOrNullObject() {
          if (rows > 1 || columns > 1) return null;
          const parent = spreadsheet.spillParent(sheetId, row, column);
          return parent && at(parent.row, parent.column, 1, 1);
        },
        // "Fails if it's applied to more than one cell", and where nothing spills (types; excel-add-ins-ranges-dynamic-arrays.md).
        GetSpillingToRange: () =>
          found(onThisSheet(rows === 1 && columns === 1 ? spreadsheet.spillOf(sheetId, row, column) : null)),
        GetSpillingToRangeOrNullObject: () =>
          onThisSheet(rows === 1 && columns === 1 ? spreadsheet.spillOf(sheetId, row, column) : null),
        Insert(direction) {
          if (direction === "Right" && rows === MAX_ROWS) insertColumns(sheetId, rect, model);
          else if (direction === "Down") moveRows(sheetId, rect, { by: rows, isRange: true }, model);
          else throw notModelled(`Range.Insert ${String(direction)}`);
          return at(row, column, rows, columns);
        },
        // Lists the merged areas whose first cell is in the range, as Excel does (OfficeDev/office-js#3611). "If there are more than
        // 512 merged areas, the API will fail to return the result" (@types/office-js).
        GetMergedAreasOrNullObject() {
          const rects = spreadsheet
            .merged(sheetId)
            .filter((area) => intersect(rect, cellAt(area.row, area.column)));
          if (rects.length > MOST_MERGED_AREAS)
            throw new HostError("GeneralException", `more than ${MOST_MERGED_AREAS} merged areas`);
          return rects.length > 0 ? { type: "RangeAreas", sheetId, rects } : null;
        },
        // "If there are no used cells within the range, this function will throw an ItemNotFound error" (@types/office-js).
        GetUsedRange: (valuesOnly) =>
          found(onThisSheet(spreadsheet.usedRect(sheetId, valuesOnly === true, rect))),
        GetUsedRangeOrNullObject: (valuesOnly) =>
          onThisSheet(spreadsheet.usedRect(sheetId, valuesOnly === true, rect)),
      },
      calls: {
        Calculate: () => spreadsheet.recalculate(sheetId, rect),
        Clear(applyTo) {
          // "RemoveHyperlinks" also removes the formats, and keeps the contents (ClearApplyTo in @types/office-js).
          if (applyTo === "Hyperlinks" || applyTo === "RemoveHyperlinks") {
            const linked = spreadsheet.usedRect(sheetId, false, rect);
            if (linked)
              eachCell(linked, (y, x) => {
                const isLinked = spreadsheet.link(sheetId, y, x) !== null;
                spreadsheet.setLink(sheetId, y, x, null);
                if (isLinked && applyTo === "RemoveHyperlinks")
                  spreadsheet.clear(sheetId, cellAt(y, x), { contents: false, formats: true });
              });
            return;
          }
          const what = known(clearings.get(applyTo ?? "All"), `Range.Clear ${String(applyTo)}`);
          const tables = spreadsheet.tables().filter((table) => table.sheetId === sheetId);
          // Clearing a whole table removes it, as do Excel's Clear All and VBA's Range.Clear. Microsoft does not document the API here:
          // the strict assumption.
          if (what.contents && what.formats)
            for (const table of tables) if (isWithin(table.rect, rect)) spreadsheet.deleteTable(table.id);
          spreadsheet.clear(sheetId, rect, what);
          // Clearing formats also unmerges cells, as Excel's Clear Formats does.
          if (what.formats && spreadsheet.merged(sheetId).some((area) => intersect(area, rect)))
            spreadsheet.unmerge(sheetId, rect);
          // Excel would cut a conditional format that reaches beyond the range. The workbench does not simulate this, and keeps it.
          if (what.formats)
            for (const format of spreadsheet.drawings.formats(sheetId))
              if (isWithin(format.rect, rect)) spreadsheet.drawings.delete(format.id);
          if (what.contents) nameClearedHeaders(sheetId, rect, model);
        },
        Merge(across) {
          mustNotBeProtected(sheetId, model);
          const strips = Array.from({ length: across === true ? rows : 1 }, (_, down) =>
            across === true ? { ...rect, row: row + down, rows: 1 } : rect,
          );
          for (const strip of strips) merge(sheetId, strip, model);
        },
        Unmerge() {
          mustNotBeProtected(sheetId, model);
          spreadsheet.unmerge(sheetId, rect);
        },
        Select() {
          mustBeInFront(model, "Range.Select");
          mustBeShown(sheetId, model);
          spreadsheet.select(sheetId, [rect]);
        },
        Delete(shift) {
          if (shift === "Left" && rows === MAX_ROWS)
            return spreadsheet.deleteColumns(sheetId, column, columns);
          if (shift !== "Up") throw notModelled(`Range.Delete ${String(shift)}`);
          moveRows(sheetId, { ...rect, row: row + rows }, { by: -rows, isRange: true }, model);
        },
        /** office.js calls this before a write that it cuts into pieces. */
        _ValidateArraySize(height, width) {
          if (height !== rows || width !== columns) throw wrongShape(rect);
        },
      },
    };
  },

  RangeAreas: ({ sheetId, rects }, model) => ({
    properties: {
      Address: {
        get() {
          const { name } = found(findSheet(model, sheetId));
          return rects.map((rect) => formatAddress(name, rect)).join(",");
        },
      },
      AreaCount: { get: () => rects.length },
    },
    links: {
      Format: () => ({ type: "RangeFormat", sheetId, areas: rects }),
      Areas: () => ({ type: "RangeCollection", ranges: rects.map((rect) => ({ sheetId, rect })) }),
    },
  }),
  RangeCollection: ({ ranges }) => ({
    items() {
      // Excel hangs if the areas of a selection of all cells are loaded (OfficeDev/office-js#5758).
      if (ranges.some(({ rect }) => isWholeSheet(rect)))
        throw new HostError("GeneralException", "Excel hangs: the areas of all cells");
      return ranges.map((range) => ({ type: "Range", ...range }));
    },
    objects: {
      GetItemAt: (index) => ({ type: "Range", ...found(ranges[integer(index)]) }),
    },
  }),
};

export function isWithin(inner: Rect, outer: Rect): boolean {
  const common = intersect(inner, outer);
  return common?.rows === inner.rows && common.columns === inner.columns;
}

/** The range at a place of a sheet. Throws a HostError if it is empty or outside of Excel's limits. */
export function rangeAt(sheetId: string, { row, column, rows, columns }: Rect) {
  const isInside = row >= 0 && column >= 0 && rows >= 1 && columns >= 1;
  if (!isInside || row + rows > MAX_ROWS || column + columns > MAX_COLUMNS)
    throw new HostError("InvalidArgument", "outside the sheet");
  return { type: "Range", sheetId, rect: { row, column, rows, columns } } satisfies Ref<"Range">;
}

/** Reads an argument that is a Range or an address. Throws a HostError if it is neither, or not on the sheet `sheetId`, if given. */
export function rangeOf(argument: unknown, model: Model, sheetId?: string): Ref<"Range"> {
  const range = typeof argument === "string" ? addressed(argument, model, sheetId) : argument;
  if (!isRange(range)) throw new HostError("InvalidArgument", "a range or an address expected");
  if (sheetId !== undefined && range.sheetId !== sheetId)
    throw new HostError("InvalidArgument", "the range is on another sheet");
  return range;
}

function addressed(address: string, model: Model, sheetId?: string): Ref<"Range"> {
  const parsed = parseAddress(address) ?? namedPlace(address, model, sheetId);
  if (!parsed) throw new HostError("InvalidArgument", `address ${address}`);
  const { sheetName, rect } = parsed;
  const sheet = sheetName === undefined ? undefined : found(findSheet(model, sheetName));
  return { type: "Range", sheetId: sheet?.id ?? sheetId ?? model.spreadsheet.selection().sheetId, rect };
}

/** The cells of a defined name ("the address or the name of the range", Worksheet.getRange). The sheet's names precede the workbook's. */
function namedPlace(name: string, { spreadsheet }: Model, sheetId?: string) {
  const defined = spreadsheet.names().filter((one) => one.name.toLowerCase() === name.toLowerCase());
  const ofSheet = defined.find((one) => one.sheetId === sheetId && sheetId !== undefined);
  const wanted = ofSheet ?? defined.find((one) => one.sheetId === null);
  return wanted ? cellsOfName(wanted) : null;
}

/** The cells of a defined name; null if the name stands for anything but the cells of one area. */
export function cellsOfName({ formula }: DefinedName): ReturnType<typeof parseAddress> {
  return parseAddress(formula.replace(/^=/, ""));
}

function isRange(value: unknown): value is Ref<"Range"> {
  return typeof value === "object" && value !== null && "type" in value && value.type === "Range";
}

function isWholeSheet({ row, column, rows, columns }: Rect): boolean {
  return row === 0 && column === 0 && rows === MAX_ROWS && columns === MAX_COLUMNS;
}

/** Throws a HostError if another workbook is in front, because such members then fail (excel-add-ins-troubleshooting.md). */
export function mustBeInFront({ document }: Model, member: string): void {
  if (document.isBehind) throw new HostError("GeneralException", `${member}: another workbook is in front`);
}

/** Throws a HostError for a hidden sheet, which users can't select either. Microsoft does not document this: the strict assumption. */
export function mustBeShown(sheetId: string, model: Model): void {
  if (found(findSheet(model, sheetId)).isHidden)
    throw new HostError("InvalidOperation", "a hidden sheet can't be shown or selected");
}

/** The sheet with this id or name. Names are compared without regard to case. */
export function findSheet({ spreadsheet }: Model, key: unknown): SheetInfo | null {
  const wanted = text(key).toLowerCase();
  return spreadsheet.sheets().find(({ id, name }) => id === key || name.toLowerCase() === wanted) ?? null;
}

/**
 * Moves the cells of a strip, from a line to the sheet's end: down or right, or up or left over cells that are lost. Throws
 * InsertDeleteConflict if a table or merged cells would be cut (application-specific-api-error-handling.md;
 * OfficeDev/office-scripts-docs#654; for merged cells the strict assumption), and NonBlankCellOffSheet at the sheet's end. `isRange` is true
 * for cells that were inserted or deleted as such: references and names then follow blank cells, too.
 */
export function move(
  sheetId: string,
  shift: StripShift,
  { spreadsheet }: Model,
  { isRange = false }: { isRange?: boolean } = {},
): void {
  const { axis, at, by, strip } = shift;
  const [from, to] = [strip.from, strip.from + strip.size];
  const [moved, last, line, lines, across, size] =
    axis === "row"
      ? ([between(at, from, MAX_ROWS - 1, to - 1), MAX_ROWS, "row", "rows", "column", "columns"] as const)
      : ([
          between(from, at, to - 1, MAX_COLUMNS - 1),
          MAX_COLUMNS,
          "column",
          "columns",
          "row",
          "rows",
        ] as const);
  const isCut = (rect: Rect) => rect[across] < from || rect[across] + rect[size] > to;
  const tables = spreadsheet.tables().filter((one) => one.sheetId === sheetId && intersect(one.rect, moved));
  const losesHeader = ({ rect }: TableInfo) =>
    axis === "row" && rect.row >= at && rect.row < at - by && rect.row + rect.rows > at - by;
  if (tables.some((table) => isCut(table.rect) || losesHeader(table)))
    throw new HostError("InsertDeleteConflict", "it would move a part of a table");
  const merged = spreadsheet.merged(sheetId).filter((area) => intersect(area, moved));
  if (merged.some(isCut)) throw new HostError("InsertDeleteConflict", "it would move a part of merged cells");
  const used = spreadsheet.usedRect(sheetId, false, moved);
  if (used && used[line] + used[lines] + by > last)
    throw new HostError("NonBlankCellOffSheet", `the last ${lines} are not blank`);
  if (isRange || used || merged.length > 0 || tables.length > 0) spreadsheet.moveCells(sheetId, shift);
}

/** Moves the cells of a rectangle's columns, from its first row to the sheet's end, by rows; see `move`. */
export function moveRows(
  sheetId: string,
  { row, column, columns }: Pick<Rect, "row" | "column" | "columns">,
  { by, isRange }: { by: number; isRange?: boolean },
  model: Model,
): void {
  const strip = { from: column, size: columns };
  move(sheetId, { axis: "row", at: Math.min(row, row + by), by, strip }, model, isRange ? { isRange } : {});
}

/**
 * Inserts whole columns, as a user does. Fails if cells with contents or formats would be pushed off the sheet
 * (application-specific-api-error-handling.md, NonBlankCellOffSheet). Columns in the middle of a table join it. Columns in the middle
 * of several tables are refused: Microsoft does not document this case, so this is the strict assumption.
 */
function insertColumns(sheetId: string, { column, columns }: Rect, model: Model): void {
  const { spreadsheet } = model;
  const pushedOff = between(0, MAX_COLUMNS - columns, MAX_ROWS - 1, MAX_COLUMNS - 1);
  if (spreadsheet.usedRect(sheetId, false, pushedOff))
    throw new HostError("NonBlankCellOffSheet", "the last columns are not blank");
  const widened = spreadsheet
    .tables()
    .filter(
      (table) =>
        table.sheetId === sheetId &&
        table.rect.column < column &&
        column < table.rect.column + table.rect.columns,
    );
  if (widened.length > 1) throw new HostError("InsertDeleteConflict", "it would widen several tables");
  spreadsheet.insertColumns(sheetId, column, columns);
  for (const { id } of widened)
    nameColumns(found(spreadsheet.tables().find((table) => table.id === id)), model);
}

/** An entry for each cell, from an assigned value: rows of the range's shape, or one value for all cells. Null leaves a cell as it is. */
function spread<T>(rect: Rect, assigned: unknown, parse: (entry: unknown) => T): (T | null)[][] {
  // "null is not a valid input for a single property" (excel-add-ins-blank-null-values.md), but it is valid for a cell.
  if (assigned === null) throw new HostError("InvalidArgument", "null for a whole property");
  const entry = (value: unknown) => (value === null ? null : parse(value));
  if (!Array.isArray(assigned)) {
    const value = entry(assigned);
    return Array.from({ length: rect.rows }, () => Array<T | null>(rect.columns).fill(value));
  }
  const fits = (row: unknown): row is unknown[] => Array.isArray(row) && row.length === rect.columns;
  if (assigned.length !== rect.rows || !assigned.every(fits)) throw wrongShape(rect);
  return assigned.map((row) => row.map(entry));
}

/**
 * An array, as rows take it of which a filter hides some: the hidden ones stay as they are, and each run of rows in sight begins with the
 * array's first row (OfficeDev/office-js#224, xlwings/xlwings#747). A single row gets what is written to it.
 */
function asFiltered<T>(
  entries: (T | null)[][],
  assigned: unknown,
  hiddenRows: () => boolean[],
): (T | null)[][] {
  // A question about rows would end the collection of a large write's pieces, which are single rows.
  if (entries.length === 1 || !Array.isArray(assigned)) return entries;
  const hidden = hiddenRows();
  if (!hidden.includes(true)) return entries;
  let inRun = 0;
  return entries.map((cells, down) => {
    if (!hidden[down]) return entries[inRun++] ?? cells;
    inRun = 0;
    return cells.map(() => null);
  });
}

/** One format in one row is that of all cells, as no value is (OfficeDev/office-js-docs-pr#5400). */
function oneFormat(assigned: unknown): unknown {
  const [row, otherRow] = Array.isArray(assigned) ? (assigned as unknown[]) : [];
  return Array.isArray(row) && row.length === 1 && otherRow === undefined ? (row[0] ?? assigned) : assigned;
}

/** Reads a number format. An empty text means General (excel-add-ins-blank-null-values.md). */
function numberFormat(value: unknown): string {
  return value === "" ? "General" : text(value);
}

function isLongFormula(entry: string): boolean {
  return entry.startsWith("=") && entry.length > 8_192;
}

/**
 * The table that grows when values are written into the blank cells directly below it, within its columns. Excel's AutoCorrect grows it
 * for the API, too (co-authoring-in-excel-add-ins.md). A user may have switched it off; that it is on is the strict assumption.
 */
function tableThatGrows(sheetId: string, rect: Rect, { spreadsheet }: Model): TableInfo | undefined {
  const table = spreadsheet
    .tables()
    .find(
      (one) =>
        one.sheetId === sheetId &&
        one.rect.row + one.rect.rows === rect.row &&
        one.rect.column <= rect.column &&
        rect.column + rect.columns <= one.rect.column + one.rect.columns,
    );
  // None grows below its totals row.
  return table && !table.showsTotals && !spreadsheet.usedRect(sheetId, true, rect) ? table : undefined;
}

function cellValue(value: unknown): CellValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new HostError("InvalidArgument", "a cell holds text, a number or true or false");
}

/** Reads a link to a web address, or to cells of the workbook, whose address then begins with "#". Other properties are refused. */
function linkOf(wanted: unknown): { address: string; textToDisplay: string; screenTip?: string } {
  const { address, documentReference, textToDisplay, screenTip, ...others } = wanted as Record<
    string,
    unknown
  >;
  const [other] = Object.keys(others);
  if (other !== undefined) throw notModelled(`Range.Hyperlink ${other}`);
  if (address !== undefined && documentReference !== undefined)
    throw notModelled("Range.Hyperlink with two targets");
  const target = address === undefined ? `#${text(documentReference)}` : text(address);
  const tip = screenTip === undefined || screenTip === null ? {} : { screenTip: tipOf(screenTip) };
  return { address: target, textToDisplay: text(textToDisplay), ...tip };
}

/** VBA's Hyperlink.ScreenTip has 255 characters at most. Microsoft does not document the API here: the strict assumption. */
function tipOf(tip: unknown): string {
  if (text(tip).length > 255)
    throw new HostError("InvalidArgument", "a screen tip of more than 255 characters");
  return text(tip);
}

function wrongShape({ rows, columns }: Rect): HostError {
  return new HostError("InvalidArgument", `the range has ${rows} rows and ${columns} columns`);
}

function mustNotBeUnbounded(rect: Rect): void {
  if (isUnbounded(rect))
    throw new HostError("InvalidArgument", "cells of whole rows and columns can't be set");
}

/**
 * The number of rows or columns in a neighboring range, by default 1. Zero, and more rows inside the range than it has, are refused:
 * Microsoft does not document them, so this is the strict assumption.
 */
function size(count: unknown, inside: number): number {
  const lines = integer(count ?? 1);
  if (lines === 0 || lines < -inside) throw new HostError("InvalidArgument", `${lines} rows or columns`);
  return Math.abs(lines);
}

/** The number of a neighboring range's rows or columns that are outside of the range: none for a negative count. */
function outside(count: unknown): number {
  return Math.max(integer(count ?? 1), 0);
}

function eachCell({ row, column, rows, columns }: Rect, visit: (row: number, column: number) => void): void {
  for (let y = row; y < row + rows; y += 1) for (let x = column; x < column + columns; x += 1) visit(y, x);
}

/** The region around a cell that is bounded by blank rows and columns (Range.getSurroundingRegion in @types/office-js). */
function surroundingRegion(sheetId: string, cell: Rect, { spreadsheet }: Model): Rect {
  const sheet = between(0, 0, MAX_ROWS - 1, MAX_COLUMNS - 1);
  const isFilled = (border: Rect) => {
    const within = intersect(border, sheet);
    return (
      within !== null &&
      spreadsheet
        .read(sheetId, within)
        .flat()
        .some(({ formula }) => formula !== "")
    );
  };
  let { row: top, column: left } = cell;
  let [bottom, right] = [top + cell.rows - 1, left + cell.columns - 1];
  // Only the cells around the region are looked at, corners included: a region of many rows grows in as many small steps.
  for (;;) {
    if (isFilled(between(bottom + 1, left - 1, bottom + 1, right + 1))) bottom += 1;
    else if (isFilled(between(top - 1, left - 1, top - 1, right + 1))) top -= 1;
    else if (isFilled(between(top - 1, right + 1, bottom + 1, right + 1))) right += 1;
    else if (isFilled(between(top - 1, left - 1, bottom + 1, left - 1))) left -= 1;
    else return between(top, left, bottom, right);
  }
}

/**
 * Merges cells. The upper-left cell keeps its contents, and the others lose theirs (support.microsoft.com, "Merge and unmerge cells").
 * Throws a HostError for cells of a table, which users can't merge either, and for an area that cuts merged cells.
 */
function merge(sheetId: string, rect: Rect, { spreadsheet }: Model): void {
  if (isUnbounded(rect)) throw notModelled("Range.Merge of whole rows and columns");
  if (rect.rows === 1 && rect.columns === 1) return;
  if (spreadsheet.tables().some((table) => table.sheetId === sheetId && intersect(table.rect, rect)))
    throw new HostError("InvalidOperation", "cells of a table are not merged");
  const met = spreadsheet.merged(sheetId).filter((area) => intersect(area, rect));
  if (met.some((area) => !isWithin(area, rect))) throw notModelled("Range.Merge of a part of merged cells");
  if (met.length > 0) spreadsheet.unmerge(sheetId, rect);
  for (const part of allButFirst(rect)) spreadsheet.clear(sheetId, part, { contents: true, formats: false });
  spreadsheet.merge(sheetId, rect);
}
