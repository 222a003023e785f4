import { MAX_COLUMNS, MAX_ROWS, between, formatAddress, intersect, parseAddress } from "../address";
import type { CellValue, CellView, RangeStyle, Rect, SheetInfo, Spreadsheet } from "../spreadsheet";
import { HostError, notModelled } from "./host-error";
import { found, integer, readOnly, text } from "./object-model";
import type { Classes, Model, Property, Ref } from "./object-model";

export const WHOLE_SHEET: Rect = { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS };

/** Above this, and for whole rows and columns, Excel on the web gives null instead of the cells. */
const READABLE_CELLS = 5_000_000;

/** Office.js measures widths and heights in points, the grid in pixels: 96 to the inch instead of 72. */
const POINTS_PER_PIXEL = 0.75;

/** A cell that shows one of these holds an error. The grid has no other mark for it. */
export const errorTexts = new Set(
  "#N/A #VALUE! #REF! #DIV/0! #NUM! #NAME? #NULL! #SPILL! #CALC! #BUSY!".split(" "),
);

const clearings = { All: "all", Contents: "contents", Formats: "formats" } as const;

export const rangeClasses: Classes<"Range" | "RangeFormat" | "RangeFont" | "RangeFill"> = {
  Range(self, model) {
    const { sheetId, rect } = self;
    const { spreadsheet } = model;
    const { row, column, rows, columns } = rect;
    const [bottom, right] = [row + rows - 1, column + columns - 1];
    const isReadable = rows < MAX_ROWS && columns < MAX_COLUMNS && rows * columns <= READABLE_CELLS;

    const read = (part: (cell: CellView) => unknown) => () =>
      isReadable ? spreadsheet.read(sheetId, rect).map((cells) => cells.map(part)) : null;
    const write = (value: unknown) => {
      if (!isReadable) throw new HostError("InvalidArgument", "the range is too large");
      spreadsheet.writeFormulas(sheetId, rect, spread(rect, value, cellValue));
    };
    const address = readOnly(() => formatAddress(found(findSheet(model, sheetId)).name, rect));
    const at = rangeAt.bind(null, sheetId);
    const overlap = (other: unknown): Ref<"Range"> | null => {
      const common = intersect(rect, rangeOf(other, model, sheetId).rect);
      return common && { ...self, rect: common };
    };
    const used = (valuesOnly: unknown) => usedPart(self, valuesOnly === true, spreadsheet);

    return {
      properties: {
        Values: { get: read((cell) => cell.value), set: write },
        Formulas: { get: read((cell) => cell.formula), set: write },
        FormulasLocal: { get: read((cell) => cell.formula), set: write },
        Text: readOnly(read((cell) => cell.text)),
        ValueTypes: readOnly(read(valueType)),
        NumberFormat: {
          get: read((cell) => cell.numberFormat),
          set(value) {
            if (!isReadable) throw notModelled("Range.NumberFormat of whole rows or columns");
            spreadsheet.writeNumberFormats(sheetId, rect, spread(rect, value, text));
          },
        },
        Address: address,
        AddressLocal: address,
        RowIndex: readOnly(() => row),
        ColumnIndex: readOnly(() => column),
        RowCount: readOnly(() => rows),
        ColumnCount: readOnly(() => columns),
        // Excel's count is a 32-bit number and gives -1 beyond it.
        CellCount: readOnly(() => (rows * columns < 2 ** 31 ? rows * columns : -1)),
        IsEntireColumn: readOnly(() => rows === MAX_ROWS),
        IsEntireRow: readOnly(() => columns === MAX_COLUMNS),
      },
      links: {
        Worksheet: () => ({ type: "Worksheet", sheetId }),
        Format: () => ({ type: "RangeFormat", sheetId, rect }),
      },
      objects: {
        GetCell: (down, across) => at(row + integer(down), column + integer(across), 1, 1),
        GetRow: (index) => at(row + below(index, rows), column, 1, columns),
        GetColumn: (index) => at(row, column + below(index, columns), rows, 1),
        GetLastRow: () => at(bottom, column, 1, columns),
        GetLastColumn: () => at(row, right, rows, 1),
        GetLastCell: () => at(bottom, right, 1, 1),
        GetEntireColumn: () => at(0, column, MAX_ROWS, columns),
        GetEntireRow: () => at(row, 0, rows, MAX_COLUMNS),
        GetOffsetRange: (down, across) => at(row + integer(down), column + integer(across), rows, columns),
        GetResizedRange: (more, wider) => at(row, column, rows + integer(more), columns + integer(wider)),
        GetAbsoluteResizedRange: (height, width) => at(row, column, integer(height), integer(width)),
        GetBoundingRect(argument) {
          const other = rangeOf(argument, model, sheetId).rect;
          const top = Math.min(row, other.row);
          const left = Math.min(column, other.column);
          const height = Math.max(bottom + 1, other.row + other.rows) - top;
          return at(top, left, height, Math.max(right + 1, other.column + other.columns) - left);
        },
        GetIntersection: (other) => found(overlap(other)),
        GetIntersectionOrNullObject: overlap,
        GetUsedRange: (valuesOnly) => found(used(valuesOnly)),
        GetUsedRangeOrNullObject: used,
      },
      calls: {
        Clear(applyTo) {
          const what = clearings[(applyTo ?? "All") as keyof typeof clearings];
          if (!what) throw notModelled(`Range.Clear("${String(applyTo)}")`);
          spreadsheet.clear(sheetId, rect, what);
        },
        Select: () => spreadsheet.select(sheetId, rect),
        Calculate: () => recalculate(self, spreadsheet),
        /** Sent ahead of a write that the client cuts into pieces. */
        _ValidateArraySize(height, width) {
          if (height !== rows || width !== columns) throw wrongShape(rect);
        },
      },
    };
  },

  RangeFormat({ sheetId, rect }, { spreadsheet }) {
    const style = styleOf(sheetId, rect, spreadsheet);
    return {
      properties: {
        WrapText: style("wrapText", false),
        HorizontalAlignment: style("horizontalAlignment", "General"),
        VerticalAlignment: style("verticalAlignment", "Bottom"),
        /** Points; null when the columns differ. */
        ColumnWidth: {
          get() {
            const width = (index: number) => spreadsheet.columnWidth(sheetId, rect.column + index);
            const same = Array.from({ length: rect.columns }, (_, index) => width(index) === width(0));
            return same.every(Boolean) ? width(0) * POINTS_PER_PIXEL : null;
          },
          set: (width) => spreadsheet.setColumnWidth(sheetId, rect.column, rect.columns, pixels(width)),
        },
        RowHeight: {
          get() {
            throw notModelled("reading RangeFormat.RowHeight");
          },
          set: (height) => spreadsheet.setRowHeight(sheetId, rect.row, rect.rows, pixels(height)),
        },
      },
      links: {
        Font: () => ({ type: "RangeFont", sheetId, rect }),
        Fill: () => ({ type: "RangeFill", sheetId, rect }),
      },
      calls: {
        AutofitColumns: () => spreadsheet.autofitColumns(sheetId, rect),
        AutofitRows: () => spreadsheet.autofitRows(sheetId, rect),
      },
    };
  },

  RangeFont({ sheetId, rect }, { spreadsheet }) {
    const style = styleOf(sheetId, rect, spreadsheet);
    return {
      properties: {
        Bold: style("bold", false),
        Italic: style("italic", false),
        Color: style("fontColor", "#000000"),
      },
    };
  },

  RangeFill: ({ sheetId, rect }, { spreadsheet }) => ({
    properties: { Color: styleOf(sheetId, rect, spreadsheet)("fillColor", "#FFFFFF") },
    calls: { Clear: () => spreadsheet.applyStyle(sheetId, rect, { fillColor: "" }) },
  }),
};

/** A range inside Excel's limits; anything else is refused. */
export function rangeAt(sheetId: string, row: number, column: number, rows: number, columns: number) {
  const isInside = row >= 0 && column >= 0 && rows >= 1 && columns >= 1;
  if (!isInside || row + rows > MAX_ROWS || column + columns > MAX_COLUMNS)
    throw new HostError("InvalidArgument", "outside the sheet");
  return { type: "Range", sheetId, rect: { row, column, rows, columns } } satisfies Ref<"Range">;
}

/** A range argument: a Range, or an address. With `sheetId`, it must be on that sheet. */
export function rangeOf(argument: unknown, model: Model, sheetId?: string): Ref<"Range"> {
  const range = typeof argument === "string" ? addressed(argument, model, sheetId) : argument;
  if (!isRange(range)) throw new HostError("InvalidArgument", "a range or an address expected");
  if (sheetId !== undefined && range.sheetId !== sheetId)
    throw new HostError("InvalidArgument", "the range is on another sheet");
  return range;
}

function addressed(address: string, model: Model, sheetId?: string): Ref<"Range"> {
  const parsed = parseAddress(address);
  if (!parsed) throw new HostError("InvalidArgument", `address ${address}`);
  const { sheetName, rect } = parsed;
  const own = sheetId ?? model.spreadsheet.activeSheet().id;
  return {
    type: "Range",
    sheetId: sheetName === undefined ? own : found(findSheet(model, sheetName)).id,
    rect,
  };
}

function isRange(value: unknown): value is Ref<"Range"> {
  return typeof value === "object" && value !== null && "type" in value && value.type === "Range";
}

/** The sheet of this id or, whatever the case, this name. */
export function findSheet({ spreadsheet }: Model, key: unknown): SheetInfo | null {
  const wanted = text(key);
  const sheets = spreadsheet.sheets();
  const hasName = ({ name }: SheetInfo) => name.toLowerCase() === wanted.toLowerCase();
  return sheets.find(({ id }) => id === wanted) ?? sheets.find(hasName) ?? null;
}

/** Calculates the formulas of a range again, by entering them again. */
function recalculate({ sheetId, rect }: Ref<"Range">, spreadsheet: Spreadsheet): void {
  const used = spreadsheet.usedRect(sheetId, true);
  const area = used && intersect(rect, used);
  if (!area) return;
  const entered = ({ formula, numberFormat }: CellView) =>
    typeof formula === "string" && formula.startsWith("=") && numberFormat !== "@" ? formula : null;
  spreadsheet.writeFormulas(
    sheetId,
    area,
    spreadsheet.read(sheetId, area).map((cells) => cells.map(entered)),
  );
}

/** One entry for each cell from what was assigned: rows of the range's shape, or one value for all cells. */
function spread<T>(rect: Rect, assigned: unknown, parse: (entry: unknown) => T): (T | null)[][] {
  const entry = (value: unknown) => (value === null ? null : parse(value));
  if (!Array.isArray(assigned)) {
    const value = entry(assigned);
    return Array.from({ length: rect.rows }, () => Array<T | null>(rect.columns).fill(value));
  }
  const fits = (row: unknown): row is unknown[] => Array.isArray(row) && row.length === rect.columns;
  if (assigned.length !== rect.rows || !assigned.every(fits)) throw wrongShape(rect);
  return assigned.map((row) => row.map(entry));
}

function cellValue(value: unknown): CellValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new HostError("InvalidArgument", "a cell holds text, a number or true or false");
}

function wrongShape({ rows, columns }: Rect): HostError {
  return new HostError("InvalidArgument", `the range has ${rows} rows and ${columns} columns`);
}

function valueType({ value, formula }: CellView): string {
  if (typeof value === "number") return "Double";
  if (typeof value === "boolean") return "Boolean";
  if (errorTexts.has(value)) return "Error";
  return value === "" && formula === "" ? "Empty" : "String";
}

/** A format that all cells share; null when they differ. Cells outside the used range look like the first. */
function styleOf(sheetId: string, rect: Rect, spreadsheet: Spreadsheet) {
  return <Name extends keyof RangeStyle>(name: Name, standard: NonNullable<RangeStyle[Name]>): Property => ({
    get() {
      const at = (row: number, column: number) =>
        spreadsheet.readStyle(sheetId, row, column)[name] || standard;
      const first = at(rect.row, rect.column);
      const used = spreadsheet.usedRect(sheetId, false);
      const area = (used && intersect(rect, used)) ?? { row: 0, column: 0, rows: 0, columns: 0 };
      for (let row = area.row; row < area.row + area.rows; row++)
        for (let column = area.column; column < area.column + area.columns; column++)
          if (at(row, column) !== first) return null;
      return first;
    },
    set(value) {
      if (typeof value !== typeof standard)
        throw new HostError("InvalidArgument", `${name} ${String(value)}`);
      spreadsheet.applyStyle(sheetId, rect, { [name]: value });
    },
  });
}

function pixels(points: unknown): number {
  if (typeof points !== "number" || points < 0) throw new HostError("InvalidArgument", "points expected");
  return points / POINTS_PER_PIXEL;
}

function below(index: unknown, count: number): number {
  const position = integer(index);
  if (position < 0 || position >= count)
    throw new HostError("InvalidArgument", `index ${position} of ${count}`);
  return position;
}

/** The smallest range around the used cells of a range; cells that only have a format count unless `valuesOnly`. */
function usedPart(self: Ref<"Range">, valuesOnly: boolean, spreadsheet: Spreadsheet): Ref<"Range"> | null {
  const used = spreadsheet.usedRect(self.sheetId, valuesOnly);
  const area = used && intersect(self.rect, used);
  if (!area || !valuesOnly) return area && { ...self, rect: area };
  const isFilled = ({ formula }: CellView) => formula !== "";
  const cells = spreadsheet.read(self.sheetId, area);
  const rows = cells.flatMap((row, index) => (row.some(isFilled) ? [area.row + index] : []));
  const columns = cells.flatMap((row) =>
    row.flatMap((cell, index) => (isFilled(cell) ? [area.column + index] : [])),
  );
  if (rows.length === 0) return null;
  const [left, right] = columns.reduce(
    ([least, most], next) => [Math.min(least, next), Math.max(most, next)],
    [Infinity, 0],
  );
  return { ...self, rect: between(rows[0]!, left, rows.at(-1)!, right) };
}
