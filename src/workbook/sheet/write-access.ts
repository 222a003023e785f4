import { SheetFailure } from "../../sheet-failure";

const nextStep = "Unprotect the sheet under Review, then try again.";

/** Fails if the workbook, or this sheet of it, can't be written. Call it before anything is asked or written. */
export async function mayWrite(context: Excel.RequestContext, sheet?: Excel.Worksheet): Promise<void> {
  // Cells that are overwritten are first copied to a sheet that is added and deleted again, which takes an unprotected structure.
  context.workbook.protection.load("protected");
  await mayChange(context, sheet);
  if (context.workbook.protection.protected) {
    throw new SheetFailure("sheet-refused", { detail: "The workbook's structure is protected.", nextStep });
  }
}

/** Fails if this sheet can't be changed. Work that adds no sheet needs no other check. */
export async function mayChange(context: Excel.RequestContext, sheet?: Excel.Worksheet): Promise<void> {
  if (Office.context.document.mode === Office.DocumentMode.ReadOnly) {
    throw new SheetFailure("sheet-refused", {
      detail: "The workbook is open for reading only.",
      nextStep: "Open it for editing, then try again.",
    });
  }
  sheet?.load("name");
  sheet?.protection.load("protected");
  await context.sync();
  if (sheet?.protection.protected) {
    throw new SheetFailure("sheet-refused", { detail: `The sheet “${sheet.name}” is protected.`, nextStep });
  }
}

/** The ids of the protected sheets. */
export async function protectedSheetIds(context: Excel.RequestContext): Promise<string[]> {
  const sheets = context.workbook.worksheets.load("items/id");
  await context.sync();
  for (const { protection } of sheets.items) protection.load("protected");
  await context.sync();
  return sheets.items.filter(({ protection }) => protection.protected).map(({ id }) => id);
}
