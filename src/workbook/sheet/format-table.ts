import { columnWidths, frozenColumns, tallRows, wrappedColumns } from "./layout/table-look";
import type { SheetTable } from "./layout/table-plan";

/** A table in a sheet, header row included, with everything that its place allows. */
export interface WrittenPlace {
  target: Excel.Range;
  /** True if nothing else is on the sheet. */
  isAlone: boolean;
  /** True if nothing else stands in the target's columns. */
  mayWiden: boolean;
  /** The user's own column beside which the table stands, header included. The table is to look like it. */
  ownColumn?: Excel.Range | undefined;
}

/**
 * Wraps a table's long texts, and fits the widths of its columns if `mayWiden` allows it. Everything except reading the own column is only
 * queued.
 */
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
  // A table's style makes headers bold. New headers need to be bold themselves only if the user's own header is.
  if (own?.isBold) header.format.font.bold = true;
  for (const column of wrappedColumns(plan)) target.getColumn(column).format.wrapText = true;
  if (!mayWiden) return;
  columnWidths(plan).forEach((width, column) => {
    target.getColumn(column).format.columnWidth = width;
  });
  header.format.autofitRows();
}

/** The alignment of a column's header and first cell, and whether the header is bold. */
async function readLook(context: Excel.RequestContext, column: Excel.Range) {
  const header = column.getCell(0, 0).format.load("verticalAlignment");
  const font = column.getCell(0, 0).format.font.load("bold");
  const body = column.getCell(1, 0).format.load("verticalAlignment");
  await context.sync();
  return { header: header.verticalAlignment, isBold: font.bold, body: body.verticalAlignment };
}

/**
 * Sets up a sheet that holds only a table, whose place is loaded: rows get the heights of their texts, and the header and the
 * jurisdictions' names stay in sight. Excel refuses some of this while another workbook is in front (excel-add-ins-troubleshooting.md); the
 * table then stays without it.
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
    // Each run of rows takes a request of its own, because Excel measures all of their texts.
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

/** Sets up how a new sheet is printed: all columns fit one page's width, and each page has the header. Refusals of Excel are ignored. */
export async function setUpPrint(
  context: Excel.RequestContext,
  { pageLayout }: Excel.Worksheet,
): Promise<void> {
  pageLayout.orientation = "Landscape";
  pageLayout.setPrintTitleRows("$1:$1");
  await context.sync().catch(() => undefined);
  // The number of pages downwards is not limited.
  pageLayout.zoom = { horizontalFitToPages: 1, verticalFitToPages: 0 };
  await context.sync().catch(() => undefined);
}
