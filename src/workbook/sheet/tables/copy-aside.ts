import { Failure } from "../../../errors";

/** What the names of sheets with copies begin with: whoever finds one that was left knows what it is. */
export const copySheetName = "RegData copy";

/** A name for a sheet with a copy: two people may copy at once in a workbook that they share. */
export function newCopyName(): string {
  return `${copySheetName} ${crypto.randomUUID().slice(0, 4)}`;
}

/** Ids of the sheets with copies that this run of the add-in still needs. */
const neededSheets = new Set<string>();

/** Whether a sheet holds a copy that is still needed. */
export function isNeeded(sheetId: string): boolean {
  return neededSheets.has(sheetId);
}

/** A copy of what stood somewhere, on a hidden sheet. */
export interface Backup {
  sheet: Excel.Worksheet;
  /** The sheet's name when it was added. */
  name: string;
  range: Excel.Range;
  rows: number;
  columns: number;
  /** Nothing stood there: the copy holds only how the cells looked. */
  isBlank: boolean;
}

/**
 * Copies a range, as it is, to the same place on a hidden sheet. Reading it into memory would lose apostrophes and
 * formats, and break the size limit of an answer.
 */
export async function copyAside(
  context: Excel.RequestContext,
  target: Excel.Range,
  { sheetName = newCopyName(), isBlank = false }: { sheetName?: string; isBlank?: boolean } = {},
): Promise<Backup> {
  target.load("rowIndex,columnIndex,rowCount,columnCount");
  const sheet = context.workbook.worksheets.add(sheetName);
  // Never VeryHidden: Excel does not delete such a sheet, and no user can show it.
  sheet.visibility = "Hidden";
  sheet.load("id");
  await context.sync();
  neededSheets.add(sheet.id);
  const range = sheet.getRangeByIndexes(
    target.rowIndex,
    target.columnIndex,
    target.rowCount,
    target.columnCount,
  );
  range.copyFrom(target, "All");
  try {
    await context.sync();
  } catch (thrown) {
    await letGo(context, { sheet });
    throw thrown;
  }
  const { rowCount: rows, columnCount: columns } = target;
  return { sheet, name: sheetName, range, rows, columns, isBlank };
}

/** Takes the hidden sheet away. Should it stay, all else is as it should be: that is no failure, see left-copies.ts. */
export async function letGo(context: Excel.RequestContext, { sheet }: Pick<Backup, "sheet">): Promise<void> {
  neededSheets.delete(sheet.id);
  const take = () => {
    sheet.delete();
    return context.sync();
  };
  // What Excel refuses once, such as for too many requests, it mostly does the next time.
  await take()
    .catch(take)
    .catch(() => undefined);
}

/**
 * Undoes what was done, and lets go of the copy. Where Excel refuses that, and cells of the user's are in the copy, it
 * stays and is shown. Fails with sheet-refused, which says where.
 */
export async function takeBack(
  context: Excel.RequestContext,
  undo: () => Promise<void>,
  copy: () => Backup | undefined,
): Promise<void> {
  try {
    await undo();
  } catch (cause) {
    const detail = `What had been written could not be taken back.${await whereKept(context, copy())}`;
    throw new Failure("sheet-refused", { detail, isPartlyWritten: true, cause });
  }
  const backup = copy();
  if (backup) await letGo(context, backup);
}

async function whereKept(context: Excel.RequestContext, backup: Backup | undefined): Promise<string> {
  if (!backup) return "";
  const { sheet } = backup;
  neededSheets.delete(sheet.id);
  const look = async () => {
    const used = sheet.getUsedRangeOrNullObject(true).load("address");
    await context.sync();
    return used.isNullObject;
  };
  const show = async () => {
    sheet.visibility = "Visible";
    await context.sync();
    return true;
  };
  try {
    if (backup.isBlank || (await look().catch(look))) {
      await letGo(context, backup);
      return "";
    }
  } catch {
    // It is shown, whatever it holds.
  }
  const isShown = await show()
    .catch(show)
    .catch(() => false);
  const { name } = backup;
  const where = isShown
    ? `the sheet “${name}”`
    : `the hidden sheet “${name}”: right-click a sheet tab, Unhide`;
  return ` The cells as they were stand on ${where}.`;
}
