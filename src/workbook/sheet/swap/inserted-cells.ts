import { entryOf } from "../cells/cell-content";

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
