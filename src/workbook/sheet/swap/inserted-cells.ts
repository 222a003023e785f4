import { type CellContent, entryOf, heldBy } from "../cells/cell-content";
import { cellAddress } from "../layout/cell-address";

/** The direction in which other cells move when cells are inserted, and in which they move back. */
const directions = { down: ["Down", "Up"], right: ["Right", "Left"] } as const;

/**
 * Deletes cells that were inserted, so that the others move back. If somebody has typed there meanwhile, they stay, and the address of the
 * texts is returned. The request that deletes also reads, so a text of the last moment comes back with its cells.
 *
 * @example
 * const left = await deleteInserted(context, () => sheet.getRange("D:E"), "right");
 */
export async function deleteInserted(
  context: Excel.RequestContext,
  cells: () => Excel.Range,
  moved: keyof typeof directions,
): Promise<string[]> {
  const [away, back] = directions[moved];
  const looked = cells().getUsedRangeOrNullObject(true).load("address");
  await context.sync();
  if (!looked.isNullObject) return [looked.address];
  const met = cells().getUsedRangeOrNullObject(true);
  met.load("address,values,formulas,numberFormat,rowIndex,columnIndex,rowCount,columnCount");
  cells().delete(back);
  await context.sync();
  if (met.isNullObject) return [];
  cells().insert(away);
  const { rowIndex, columnIndex, rowCount, columnCount, address } = met;
  enterAgain(cells().worksheet.getRangeByIndexes(rowIndex, columnIndex, rowCount, columnCount), met);
  await context.sync();
  return [address];
}

/** A cell of a sheet, whose row and column count from the sheet's first cell, from 0, and what it holds. */
export interface FilledCell extends CellContent {
  row: number;
  column: number;
}

/**
 * Deletes a sheet that was added, unless it holds anything that is not `isOurs`; it then stays, and the addresses of those cells are returned.
 * The request that deletes also reads; if somebody has typed at that moment, the sheet is added again, with their texts. If it holds more
 * than `most` cells it stays, too, because they can't be read in one request; its address is returned.
 *
 * @example
 * const left = await deleteAddedSheet(context, sheet, ({ value }) => value === "Fee");
 */
export async function deleteAddedSheet(
  context: Excel.RequestContext,
  sheet: Excel.Worksheet,
  isOurs: (cell: FilledCell) => boolean,
  most = Infinity,
): Promise<string[]> {
  const used = sheet.getUsedRangeOrNullObject(true).load("address,rowCount,columnCount");
  sheet.load("name");
  await context.sync();
  if (!used.isNullObject && used.rowCount * used.columnCount > most) return [used.address];
  const looked = queueFilled(sheet, isOurs);
  await context.sync();
  const there = looked();
  if (there.length > 0) return there.map(({ address }) => address);
  const met = queueFilled(sheet, isOurs);
  sheet.delete();
  await context.sync();
  const typed = met();
  if (typed.length === 0) return [];
  const again = context.workbook.worksheets.add(sheet.name);
  for (const cell of typed) {
    const range = again.getRangeByIndexes(cell.row, cell.column, 1, 1);
    const { value, numberFormat } = entryOf(cell);
    range.numberFormat = [[numberFormat]];
    range.values = [[value]];
  }
  await context.sync();
  return typed.map(({ address }) => address);
}

/** Queues the reading of a sheet's cells that hold anything but what `isOurs`. Call the returned function after the request. */
function queueFilled(sheet: Excel.Worksheet, isOurs: (cell: FilledCell) => boolean) {
  const used = sheet
    .getUsedRangeOrNullObject(true)
    .load("address,values,formulas,numberFormat,rowIndex,columnIndex");
  return (): (FilledCell & { address: string })[] => {
    if (used.isNullObject) return [];
    const { address, values, formulas, numberFormat, rowIndex, columnIndex } = used;
    return values.flatMap((line: unknown[], down) =>
      line.flatMap((value, across) => {
        const cell = {
          ...{ row: rowIndex + down, column: columnIndex + across },
          ...{ value, formula: formulas[down]?.[across] as unknown },
          numberFormat: String(numberFormat[down]?.[across]),
        };
        const isOthers = heldBy(cell) !== "" && !isOurs(cell);
        return isOthers ? [{ ...cell, address: cellAddress(address, down, across) }] : [];
      }),
    );
  };
}

/** Queues the writing of contents that were read from a range of the same size. Blank cells stay as they are. */
function enterAgain(
  range: Excel.Range,
  { values, formulas, numberFormat }: Pick<Excel.Range, "values" | "formulas" | "numberFormat">,
): void {
  const entries = values.map((line: unknown[], row) =>
    line.map((value, column) => {
      const formula = formulas[row]?.[column] as unknown;
      // Only a blank cell has no formula; the value of a formula may be "".
      return formula === ""
        ? null
        : entryOf({ value, formula, numberFormat: String(numberFormat[row]?.[column]) });
    }),
  );
  range.numberFormat = entries.map((line) => line.map((entry) => entry?.numberFormat ?? null));
  range.values = entries.map((line) => line.map((entry) => entry?.value ?? null));
}
