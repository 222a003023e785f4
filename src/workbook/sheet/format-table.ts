import { columnWidths, frozenColumns, tallRows, wrappedColumns } from "./layout/table-look";
import type { SheetTable } from "./layout/table-plan";

/** A table that stands in a sheet, header row included, and what its place allows. */
export interface WrittenPlace {
  target: Excel.Range;
  /** Nothing else is on the sheet. */
  isAlone: boolean;
  /** Nothing else stands in the target's columns. */
  mayWiden: boolean;
  /** The user's own column beside which it stands, header included: the table is to look like it. */
  ownColumn?: Excel.Range | undefined;
}

/** Wraps long texts of a table, and makes its columns as wide as they need where they may be. All but a look at the own column is queued. */
export async function formatTable(
  context: Excel.RequestContext,
  { target, mayWiden, ownColumn }: WrittenPlace,
  plan: SheetTable,
): Promise<void> {
  const own = ownColumn && (await readLook(context, ownColumn));
  target.format.verticalAlignment = own?.body ?? "Top";
  const header = target.getRow(0);
  header.format.wrapText = true;
  header.format.verticalAlignment = own?.header ?? "Top";
  // A table's style makes headers bold: only where the user's own is bold by itself would the new ones look different.
  if (own?.isBold) header.format.font.bold = true;
  for (const column of wrappedColumns(plan)) target.getColumn(column).format.wrapText = true;
  if (!mayWiden) return;
  columnWidths(plan).forEach((width, column) => {
    target.getColumn(column).format.columnWidth = width;
  });
  header.format.autofitRows();
}

/** How the header and the first cell of a column are aligned, and whether the header is bold. */
async function readLook(context: Excel.RequestContext, column: Excel.Range) {
  const header = column.getCell(0, 0).format.load("verticalAlignment");
  const font = column.getCell(0, 0).format.font.load("bold");
  const body = column.getCell(1, 0).format.load("verticalAlignment");
  await context.sync();
  return { header: header.verticalAlignment, isBold: font.bold, body: body.verticalAlignment };
}

/**
 * Sets up a sheet that holds a table alone, whose place is loaded: rows are as high as their texts, and the header and the jurisdictions' names stay in
 * sight. Excel refuses some of it while another workbook is in front (excel-add-ins-troubleshooting.md); the table stands.
 */
export async function setUpSheet(
  context: Excel.RequestContext,
  target: Excel.Range,
  plan: SheetTable,
): Promise<void> {
  for (const run of tallRows(plan)) {
    target
      .getCell(run.start + 1, 0)
      .getAbsoluteResizedRange(run.rows, 1)
      .format.autofitRows();
    // One request a piece: Excel measures every text of these rows.
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync().catch(() => undefined);
  }
  if (target.rowIndex > 0) return;
  const { freezePanes } = target.worksheet;
  const columns = target.columnIndex === 0 ? frozenColumns(plan) : 0;
  if (columns > 0) freezePanes.freezeAt(target.getCell(0, 0).getAbsoluteResizedRange(1, columns));
  else freezePanes.freezeRows(1);
  await context.sync().catch(() => undefined);
}

/** Sets up how a sheet of its own is printed: all columns on one page, the header on each. Whatever Excel refuses, the table stands. */
export async function setUpPrint(
  context: Excel.RequestContext,
  { pageLayout }: Excel.Worksheet,
): Promise<void> {
  pageLayout.orientation = "Landscape";
  pageLayout.setPrintTitleRows("$1:$1");
  await context.sync().catch(() => undefined);
  // As many pages as it takes downwards.
  pageLayout.zoom = { horizontalFitToPages: 1, verticalFitToPages: 0 };
  await context.sync().catch(() => undefined);
}
