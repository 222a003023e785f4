/**
 * A workbook is on hold while it has this defined name. The name's text says since when and by whom, so that people read it in Excel's
 * Name Manager too, and can release the workbook there without the add-in by deleting the name.
 */
export const holdName = "RegData.OnHold";

/** The formula of the name by which the workbook is on hold (ExcelApi 1.4); null if it is not on hold. */
export async function holdFormulaOf(context: Excel.RequestContext): Promise<string | null> {
  const name = context.workbook.names.getItemOrNullObject(holdName).load("formula");
  await context.sync();
  return name.isNullObject ? null : (name.formula as string);
}

/** The same for formulas, which come before the pane; see `partTexts`. */
export function holdFormulaHere(): Promise<string | null> {
  return Excel.run({ delayForCellEdit: true }, holdFormulaOf);
}
