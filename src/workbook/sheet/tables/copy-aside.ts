import { twice } from "../../../async/twice";
import { SheetFailure } from "../../../sheet-failure";

/** The beginning of the names of sheets with copies, so that a user who finds a forgotten one knows its purpose. */
export const copySheetName = "RegData copy";

/** A new name for a sheet with a copy. It is random, because two people may make a copy at once in a shared workbook. */
export function newCopyName(): string {
  return `${copySheetName} ${crypto.randomUUID().slice(0, 4)}`;
}

/** The ids of the sheets with copies that this session of the add-in still needs. */
const neededSheets = new Set<string>();

/** True if a sheet holds a copy that is still needed. */
export function isNeeded(sheetId: string): boolean {
  return neededSheets.has(sheetId);
}

/** A copy of cells on a hidden sheet. */
export interface Backup {
  sheet: Excel.Worksheet;
  /** The name that the sheet got when it was added. */
  name: string;
  range: Excel.Range;
  rows: number;
  columns: number;
  /** True if the cells were blank, so that the copy holds only their formats. */
  isBlank: boolean;
}

/**
 * Copies a range to the same place on a hidden sheet. Reading it into memory would lose apostrophes and formats, and could exceed the size
 * limit of a response.
 */
export async function copyAside(
  context: Excel.RequestContext,
  target: Excel.Range,
  { sheetName = newCopyName(), isBlank = false }: { sheetName?: string; isBlank?: boolean } = {},
): Promise<Backup> {
  target.load("rowIndex,columnIndex,rowCount,columnCount");
  const sheet = context.workbook.worksheets.add(sheetName);
  // VeryHidden would not do: Excel does not delete such a sheet, and no user can show it.
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

/** Deletes the hidden sheet. A sheet that stays does no harm, so this does not fail; see left-copies.ts. */
export async function letGo(context: Excel.RequestContext, { sheet }: Pick<Backup, "sheet">): Promise<void> {
  neededSheets.delete(sheet.id);
  const take = () => {
    sheet.delete();
    return context.sync();
  };
  await twice(take).catch(() => undefined);
}

/**
 * Undoes a write and deletes the copy. If Excel refuses the undo and the copy holds cells of the user's, the copy stays and is shown. Fails
 * with sheet-refused, whose detail names the copy's sheet.
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
    throw new SheetFailure("sheet-refused", { detail, isPartlyWritten: true, cause });
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
    if (backup.isBlank || (await twice(look))) {
      await letGo(context, backup);
      return "";
    }
  } catch {
    // The sheet is shown if it can't be read whether it is blank.
  }
  const isShown = await twice(show).catch(() => false);
  const { name } = backup;
  const where = isShown
    ? `the sheet “${name}”`
    : `the hidden sheet “${name}”: right-click a sheet tab, Unhide`;
  return ` The cells as they were stand on ${where}.`;
}
