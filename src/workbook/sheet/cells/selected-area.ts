import type { CellPosition } from "../workbook";

/** The selected cells. */
export interface SelectedArea {
  sheetId: string;
  /** The address, with the sheet's name. */
  address: string;
}

/**
 * The first selected area. `getSelectedRange` can't be used, because it fails if several areas are selected (excel-add-ins-workbooks.md).
 * While a chart or a picture is selected, this fails with no-cells-selected, too.
 */
export function firstSelectedArea(context: Excel.RequestContext): Excel.Range {
  return context.workbook.getSelectedRanges().areas.getItemAt(0);
}

/** The most areas that are read, more than anybody selects by hand. */
const mostAreas = 1_000;

/**
 * All selected areas, with their places loaded. They are read one by one, because Excel hangs if `areas.items` is loaded while all cells
 * are selected (OfficeDev/office-js#5758).
 */
export async function selectedAreas(context: Excel.RequestContext): Promise<Excel.Range[]> {
  const selected = context.workbook.getSelectedRanges().load("areaCount");
  await context.sync();
  const count = Math.min(selected.areaCount, mostAreas);
  const areas = Array.from({ length: count }, (_, index) =>
    selected.areas.getItemAt(index).load("address,rowIndex,columnIndex,rowCount,columnCount"),
  );
  await context.sync();
  return areas;
}

/** Reads the selected area. Fails with no-cells-selected if several areas are selected. */
export async function readSelectedArea(context: Excel.RequestContext): Promise<SelectedArea> {
  const range = context.workbook.getSelectedRange().load("address");
  const sheet = range.worksheet.load("id");
  await context.sync();
  return { sheetId: sheet.id, address: range.address };
}

export function cellAt(context: Excel.RequestContext, { sheetId, row, column }: CellPosition): Excel.Range {
  return context.workbook.worksheets.getItem(sheetId).getRangeByIndexes(row, column, 1, 1);
}
