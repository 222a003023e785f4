import { SheetFailure } from "../../sheet-failure";

/** Shows cells and selects them. Fails with sheet-hidden if their sheet is hidden, because Excel can't show it. */
export async function showRange(context: Excel.RequestContext, range: Excel.Range): Promise<void> {
  const sheet = range.worksheet.load("name,visibility");
  await context.sync();
  if (sheet.visibility !== "Visible")
    throw new SheetFailure("sheet-hidden", { detail: `It is called “${sheet.name}”.` });
  sheet.activate();
  range.select();
  await context.sync();
}
