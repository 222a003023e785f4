import { copySheetName, isNeeded } from "./copy-aside";

/** A hidden sheet with a copy of cells that an interrupted or earlier run of the add-in has left in the workbook. */
export interface LeftCopy {
  sheetId: string;
  sheetName: string;
  /** Of the cells that are filled; null where none is. */
  filled: string | null;
}

/** As Excel names a sheet that is given no name, in any language: Sheet3, Tabelle3, Feuil3. */
const nameOfNoName = /^[\p{L}\p{M}]+ ?\d+$/u;

/**
 * Hidden sheets that the add-in has made: those that bear its name, and very hidden ones without a name of their own, as
 * earlier builds left them. Another program may have made such a sheet, so whoever deletes one looks at it first.
 */
export async function findLeftCopies(context: Excel.RequestContext): Promise<LeftCopy[]> {
  const sheets = context.workbook.worksheets.load("items/id,items/name,items/visibility");
  await context.sync();
  const left = sheets.items.filter(
    ({ id, name, visibility }) =>
      visibility !== "Visible" &&
      !isNeeded(id) &&
      (name.startsWith(copySheetName) || (visibility === "VeryHidden" && nameOfNoName.test(name))),
  );
  if (left.length === 0) return [];
  const used = left.map((sheet) => sheet.getUsedRangeOrNullObject(true).load("address"));
  await context.sync();
  return left.map(({ id, name }, index) => {
    const filled = used[index];
    return { sheetId: id, sheetName: name, filled: filled && !filled.isNullObject ? filled.address : null };
  });
}

/** Gives a hidden sheet, by its id or name, its tab, so that its cells can be looked at. Says whether it is there. */
export async function showSheet(context: Excel.RequestContext, sheetId: string): Promise<boolean> {
  const sheet = context.workbook.worksheets.getItemOrNullObject(sheetId).load("id");
  await context.sync();
  if (sheet.isNullObject) return false;
  sheet.visibility = "Visible";
  sheet.activate();
  await context.sync();
  return true;
}

/** Deletes sheets, very hidden ones too; those that are gone are passed over. */
export async function deleteSheets(
  context: Excel.RequestContext,
  sheetIds: readonly string[],
): Promise<void> {
  const sheets = sheetIds.map((id) => context.workbook.worksheets.getItemOrNullObject(id).load("visibility"));
  await context.sync();
  for (const sheet of sheets) {
    if (sheet.isNullObject) continue;
    // Excel deletes no sheet that is very hidden (Worksheet.delete).
    if (sheet.visibility === "VeryHidden") sheet.visibility = "Hidden";
    sheet.delete();
  }
  await context.sync();
}
