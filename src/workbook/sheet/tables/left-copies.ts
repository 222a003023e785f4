import { copySheetName, isNeeded } from "./copy-aside";

/** A hidden sheet with a copy of cells that an interrupted or earlier run of the add-in has left in the workbook. */
export interface LeftCopy {
  sheetId: string;
  sheetName: string;
  /** The address of the filled cells; null if none are filled. */
  filled: string | null;
}

/** The names that Excel gives to sheets by itself, in any language: Sheet3, Tabelle3, Feuil3. */
const nameOfNoName = /^[\p{L}\p{M}]+ ?\d+$/u;

/**
 * Hidden sheets that the add-in has made: those with its name, and very hidden ones with one of Excel's own names, as earlier versions left
 * them. Another program may have made the latter, so the user should look at a sheet before deleting it.
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

/** Shows a hidden sheet, by its id or name, so that its cells can be looked at. Returns false if it is gone. */
export async function showSheet(context: Excel.RequestContext, sheetId: string): Promise<boolean> {
  const sheet = context.workbook.worksheets.getItemOrNullObject(sheetId).load("id");
  await context.sync();
  if (sheet.isNullObject) return false;
  sheet.visibility = "Visible";
  sheet.activate();
  await context.sync();
  return true;
}

/** Deletes sheets, including very hidden ones. Sheets that are gone are skipped. */
export async function deleteSheets(
  context: Excel.RequestContext,
  sheetIds: readonly string[],
): Promise<void> {
  const sheets = sheetIds.map((id) => context.workbook.worksheets.getItemOrNullObject(id).load("visibility"));
  await context.sync();
  for (const sheet of sheets) {
    if (sheet.isNullObject) continue;
    // Excel does not delete a sheet that is very hidden (Worksheet.delete).
    if (sheet.visibility === "VeryHidden") sheet.visibility = "Hidden";
    sheet.delete();
  }
  await context.sync();
}
