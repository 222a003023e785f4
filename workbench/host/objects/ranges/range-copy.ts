import { tokenize, translateFormulaToA1, translateFormulaToR1C1 } from "@borgar/fx";
import {
  formatAddress,
  intersect,
  MAX_COLUMNS,
  MAX_ROWS,
  parseAddress,
  quoteSheetName,
} from "../../../address";
import { type CellValue, type CellView, formulaIn, type Rect } from "../../../spreadsheet";
import { HostError, known, notModelled } from "../../host-error";
import { found, mustNotBeProtected, type Family, type Model } from "../object-model";
import { findSheet, isWithin, rangeOf } from "../range-object";
import { bounded } from "../range-format";
import { nextName, writeHeaders } from "../tables/table-names";
import { constantEntry, entryAt } from "./adjusted-formulas";

interface Place {
  sheetId: string;
  rect: Rect;
}

interface Copy {
  contents: boolean;
  formats: boolean;
  /** Contents are values, without their formulas. */
  isOfValues: boolean;
  skipsBlanks: boolean;
  isTransposed: boolean;
}

const kinds = new Map<unknown, Pick<Copy, "contents" | "formats" | "isOfValues">>([
  ["All", { contents: true, formats: true, isOfValues: false }],
  ["Formulas", { contents: true, formats: false, isOfValues: false }],
  ["Values", { contents: true, formats: false, isOfValues: true }],
  ["Formats", { contents: false, formats: true, isOfValues: false }],
]);

/** Copies and moves cells. */
export const copyFamily: Family<"Range" | "RangeAreas"> = {
  Range: ({ sheetId, rect }, model) => ({
    calls: {
      CopyFrom: (...given) => copyFrom({ sheetId, rect }, given, model),
      MoveTo: (destination) => moveTo({ sheetId, rect }, destination, model),
    },
  }),
  RangeAreas: ({ sheetId, rects }, model) => ({
    calls: {
      CopyFrom(...given) {
        mustNotBeProtected(sheetId, model);
        for (const rect of rects) copyFrom({ sheetId, rect }, given, model);
      },
    },
  }),
};

function copyFrom(to: Place, [source, type, skipsBlanks, isTransposed]: unknown[], model: Model): void {
  const from = rangeOf(source, model);
  // "The type of cell data or formatting to copy over. Default is "All"" (Range.copyFrom in @types/office-js).
  const kind = known(kinds.get(type ?? "All"), `Range.CopyFrom ${String(type)}`);
  const isSame = from.sheetId === to.sheetId && formatAddress("", from.rect) === formatAddress("", to.rect);
  if (kind.isOfValues && isSame) return model.spreadsheet.keepValues(to.sheetId, to.rect);
  copyRange(
    from,
    to,
    { ...kind, skipsBlanks: skipsBlanks === true, isTransposed: isTransposed === true },
    model,
  );
}

/**
 * Copies cells as Excel does. A destination whose size is a multiple of the source's is filled with copies; any other destination gets
 * one copy (Range.copyFrom in @types/office-js). A whole table is copied as a new table, as by Excel's Copy and Paste, unless another
 * table is in its place.
 */
function copyRange(from: Place, to: Place, copy: Copy, model: Model): void {
  const { row, column, rows, columns } = to.rect;
  const [height, width] = copy.isTransposed
    ? [from.rect.columns, from.rect.rows]
    : [from.rect.rows, from.rect.columns];
  const isMultiple = rows % height === 0 && columns % width === 0;
  const [down, across] = isMultiple ? [rows / height, columns / width] : [1, 1];
  const tables = model.spreadsheet.tables();
  const isPlain = !copy.isOfValues && !copy.skipsBlanks && !copy.isTransposed;
  for (let y = 0; y < down; y += 1) {
    for (let x = 0; x < across; x += 1) {
      const at = { row: row + y * height, column: column + x * width };
      if (isPlain) copyOnce(from, { sheetId: to.sheetId, ...at }, copy, model);
      else copyCells(from, { sheetId: to.sheetId, ...at }, copy, model);
      if (!isPlain || !copy.contents || !copy.formats) continue;
      for (const { rect, sheetId, style, showsTotals = false } of tables) {
        if (sheetId !== from.sheetId || !isWithin(rect, from.rect)) continue;
        const place = {
          ...rect,
          row: at.row + rect.row - from.rect.row,
          column: at.column + rect.column - from.rect.column,
        };
        const isTaken = model.spreadsheet
          .tables()
          .some((table) => table.sheetId === to.sheetId && intersect(table.rect, place));
        const name = nextName("Table", model.spreadsheet.tables());
        if (!isTaken)
          model.spreadsheet.addTable({ name, sheetId: to.sheetId, rect: place, style, showsTotals });
      }
    }
  }
}

type Corner = { sheetId: string; row: number; column: number };

/** Copies all cells at once; relative references go along. */
function copyOnce(from: Place, to: Corner, what: Copy, { spreadsheet, ...others }: Model): void {
  const model = { spreadsheet, ...others };
  const moves = what.contents && (to.row !== from.rect.row || to.column !== from.rect.column);
  const source = moves ? spreadsheet.read(from.sheetId, from.rect) : [];
  const place = { ...from.rect, row: to.row, column: to.column };
  const adjusted = source.map((cells, down) =>
    cells.map((cell, across) => {
      const own = { row: from.rect.row + down, column: from.rect.column + across };
      const there = { row: to.row + down, column: to.column + across };
      return formulaIn(cell) === undefined ? null : entryAt(cell, own, there);
    }),
  );
  const copy = () => {
    spreadsheet.copy(from, to, { contents: what.contents, formats: what.formats });
    if (adjusted.flat().some((entry) => entry !== null))
      spreadsheet.writeFormulas(to.sheetId, place, adjusted);
  };
  if (what.contents) writeHeaders(to.sheetId, place, model, copy);
  else copy();
}

/** Copies cell by cell: without blank ones, rows to columns, or values for formulas. */
function copyCells(from: Place, to: Corner, what: Copy, model: Model): void {
  const { spreadsheet } = model;
  const source = spreadsheet.read(from.sheetId, bounded(from.rect));
  const size = what.isTransposed
    ? { rows: from.rect.columns, columns: from.rect.rows }
    : { rows: from.rect.rows, columns: from.rect.columns };
  const entries = Array.from({ length: size.rows }, () => Array<CellValue | null>(size.columns).fill(null));
  source.forEach((cells, down) =>
    cells.forEach((cell, across) => {
      if (what.skipsBlanks && cell.formula === "") return;
      const [y, x] = what.isTransposed ? [across, down] : [down, across];
      const own = { row: from.rect.row + down, column: from.rect.column + across };
      const there = { row: to.row + y, column: to.column + x };
      entries[y]![x] = entryOf(cell, own, there, what);
      if (what.formats)
        spreadsheet.copy(
          { sheetId: from.sheetId, rect: { ...own, rows: 1, columns: 1 } },
          { sheetId: to.sheetId, ...there },
          { contents: false, formats: true },
        );
    }),
  );
  const place = { row: to.row, column: to.column, ...size };
  if (what.contents)
    writeHeaders(to.sheetId, place, model, () => spreadsheet.writeFormulas(to.sheetId, place, entries));
}

function entryOf(
  cell: CellView,
  from: { row: number; column: number },
  to: { row: number; column: number },
  { isOfValues, isTransposed }: Copy,
): CellValue {
  if (isOfValues) return constantEntry(cell);
  const formula = formulaIn(cell);
  return isTransposed && formula !== undefined ? transposed(formula, from, to) : entryAt(cell, from, to);
}

/** A formula whose relative references go right where they went down. */
function transposed(
  formula: string,
  from: { row: number; column: number },
  to: { row: number; column: number },
): string {
  const anchor = (place: { row: number; column: number }) =>
    formatAddress(null, { ...place, rows: 1, columns: 1 });
  const swapped = tokenize(translateFormulaToR1C1(formula, anchor(from)), { r1c1: true })
    .map(({ type, value }) => {
      if (!type.startsWith("range") || type === "range_named") return value;
      return value.replaceAll(/R(\[-?\d+\]|\d+)?C(\[-?\d+\]|\d+)?/g, (whole, row = "", column = "") => {
        const isFixed = (part: string) => /^\d/.test(part);
        if (isFixed(row) !== isFixed(column))
          throw notModelled("Range.CopyFrom transposed, of mixed references");
        return isFixed(row) ? whole : `R${column}C${row}`;
      });
    })
    .join("");
  return translateFormulaToA1(swapped, anchor(to));
}

/**
 * Moves cells as by Cut and Paste: formulas that refer to them follow. References to a part of them, or to cells that are
 * overwritten, are not modeled.
 */
function moveTo({ sheetId, rect }: Place, destination: unknown, model: Model): void {
  mustNotBeProtected(sheetId, model);
  const { spreadsheet } = model;
  const { sheetId: targetId, rect: corner } = rangeOf(destination, model);
  if (targetId !== sheetId) throw notModelled("Range.MoveTo another sheet");
  const target = { ...bounded(rect), row: corner.row, column: corner.column };
  if (target.row + target.rows > MAX_ROWS || target.column + target.columns > MAX_COLUMNS)
    throw new HostError("InvalidArgument", "outside the sheet");
  const touches = (other: Rect) => intersect(other, rect) !== null || intersect(other, target) !== null;
  if (spreadsheet.tables().some((table) => table.sheetId === sheetId && touches(table.rect)))
    throw notModelled("Range.MoveTo of cells of a table");
  if (spreadsheet.merged(sheetId).some(touches)) throw notModelled("Range.MoveTo of merged cells");
  const followed = followedFormulas({ sheetId, rect }, target, model);
  spreadsheet.copy({ sheetId, rect }, { sheetId, row: target.row, column: target.column });
  for (let row = rect.row; row < rect.row + rect.rows; row += 1)
    for (let column = rect.column; column < rect.column + rect.columns; column += 1) {
      const cell = { row, column, rows: 1, columns: 1 };
      if (!intersect(cell, target)) spreadsheet.clear(sheetId, cell, { contents: true, formats: true });
    }
  for (const { sheetId: id, row, column, formula } of followed) {
    const isMoved = id === sheetId && intersect({ row, column, rows: 1, columns: 1 }, rect) !== null;
    const [down, across] = isMoved ? [target.row - rect.row, target.column - rect.column] : [0, 0];
    spreadsheet.writeFormulas(id, { row: row + down, column: column + across, rows: 1, columns: 1 }, [
      [formula],
    ]);
  }
}

/** The formulas that refer to cells which move, as they are afterwards, by the cells where they are before. */
function followedFormulas({ sheetId, rect }: Place, target: Rect, model: Model) {
  const { spreadsheet } = model;
  const movedSheet = found(findSheet(model, sheetId)).name;
  const followed = (formula: string, homeId: string) =>
    tokenize(formula)
      .map(({ type, value }) => {
        const parsed = type.startsWith("range") ? parseAddress(value) : null;
        const meant = parsed?.sheetName === undefined ? homeId : findSheet(model, parsed.sheetName)?.id;
        if (!parsed || meant !== sheetId) return value;
        const isMoved = isWithin(parsed.rect, rect);
        if (isMoved ? false : (intersect(parsed.rect, rect) ?? intersect(parsed.rect, target)))
          throw notModelled("Range.MoveTo of cells that formulas refer to in part");
        return isMoved ? movedReference(value, parsed, rect, target) : value;
      })
      .join("");
  if (spreadsheet.names().some(({ formula }) => followed(formula, sheetId) !== formula))
    throw notModelled(`Range.MoveTo of cells of ${movedSheet} that a name refers to`);
  const all = { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS };
  return spreadsheet.sheets().flatMap(({ id }) => {
    const used = spreadsheet.usedRect(id, true, all);
    if (!used) return [];
    return spreadsheet.read(id, used).flatMap((cells, down) =>
      cells.flatMap((cell, across) => {
        const before = formulaIn(cell);
        const formula = before === undefined ? before : followed(before, id);
        return formula === undefined || formula === before
          ? []
          : [{ sheetId: id, row: used.row + down, column: used.column + across, formula }];
      }),
    );
  });
}

/** A reference to cells that have moved; it keeps its sheet and its dollar signs. */
function movedReference(
  text: string,
  { sheetName, rect }: NonNullable<ReturnType<typeof parseAddress>>,
  from: Rect,
  to: Rect,
): string {
  const moved = { ...rect, row: rect.row + to.row - from.row, column: rect.column + to.column - from.column };
  const plain = formatAddress(null, moved).split(":");
  const ends = text.slice(text.lastIndexOf("!") + 1).split(":");
  const written = ends.map((end, index) => {
    const [, letters = "", digits = ""] = /([A-Z]+)(\d+)/.exec(plain[index] ?? plain[0] ?? "") ?? [];
    return end.replace(/[a-z]+/i, letters).replace(/\d+/, digits);
  });
  return (sheetName === undefined ? "" : `${quoteSheetName(sheetName)}!`) + written.join(":");
}
