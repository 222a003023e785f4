import { freeSheetName } from "../layout/sheet-name";
import { blocksOf, writeBlock, type WrittenBlock } from "../swap/blocks";
import type { TableSize } from "../layout/table-plan";
import type { FormattedCell } from "../values/cell-value";
import { mayWrite } from "../write-access";
import { takeBackTable } from "./take-back-table";
import type { Prepared } from "./target-place";

/** A sheet that was added. */
export interface AddedSheet {
  sheet: Excel.Worksheet;
  id: string;
  name: string;
}

/**
 * Adds a sheet at the end of the workbook and fills it from A1 on, with all rows of the same length; `finish` then does the rest. If that
 * fails, the sheet is deleted again. If somebody has entered something there meanwhile, that stays, and the failure names it.
 *
 * @example
 * const { name } = await addFilledSheet(context, { name: "Fees", rows: [[textCell("Fee")]] }, ({ sheet }) => sheet.activate());
 */
export async function addFilledSheet(
  context: Excel.RequestContext,
  { name, rows }: { name: string; rows: readonly (readonly FormattedCell[])[] },
  finish: (added: AddedSheet) => void,
): Promise<AddedSheet> {
  await mayWrite(context);
  const size = { rows: Math.max(1, rows.length), columns: rows[0]?.length ?? 1 };
  const place = await placeOnNewSheet(context, name, size);
  const { added } = place;
  const written: WrittenBlock[] = [];
  try {
    for (const block of blocksOf(rows)) await writeBlock(context, place, block, { written });
    finish(added);
    await context.sync();
  } catch (thrown) {
    throw await takeBackTable(context, place, written, thrown);
  }
  return added;
}

/**
 * Adds a sheet with a free name, as the place for cells of this size from A1 on. `beforeAdding` is awaited right before, with the name. If
 * Excel refuses to add the sheet, there is nothing to undo.
 */
export async function placeOnNewSheet(
  context: Excel.RequestContext,
  wantedName: string,
  { rows, columns }: TableSize,
  beforeAdding?: (sheetName: string) => Promise<void>,
): Promise<Prepared & { added: AddedSheet }> {
  const sheets = context.workbook.worksheets.load("items/name");
  await context.sync();
  const before = await activeSheet(context);
  const taken = sheets.items.map((item) => item.name);
  const name = freeSheetName(wantedName, taken);
  await beforeAdding?.(name);
  const sheet = context.workbook.worksheets.add(name).load("id,name");
  // An object of a request that Excel refuses can't be used anymore, so the target is loaded with the request that adds its sheet.
  const target = sheet.getRangeByIndexes(0, 0, rows, columns).load("address,rowCount,columnCount");
  await context.sync();
  return {
    target,
    isAlone: true,
    mayWiden: true,
    added: { sheet, id: sheet.id, name: sheet.name },
    addedSheet: sheet,
    async undoTable() {
      const tables = sheet.tables.load("items/name");
      await context.sync();
      for (const table of tables.items) table.convertToRange();
      await context.sync();
    },
    async undoPlace() {
      before?.activate();
      // The table is undone even if Excel can't show the earlier sheet.
      await context.sync().catch(() => undefined);
      return [];
    },
  };
}

/** The active sheet; null while a chart sheet is in front, because Excel then gives no worksheet (OfficeDev/office-js#2444). */
async function activeSheet(context: Excel.RequestContext): Promise<Excel.Worksheet | null> {
  const sheet = context.workbook.worksheets.getActiveWorksheet().load("id");
  return context.sync().then(
    () => sheet,
    () => null,
  );
}
