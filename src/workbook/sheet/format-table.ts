import { columnLetters } from "./layout/cell-address";
import {
  columnWidth,
  columnWidths,
  frozenColumns,
  idColumns,
  lineCharacters,
  mostTallRows,
  narrowestIds,
  numberColumns,
  printedTable,
  tallRows,
  wrappedColumns,
} from "./layout/table-look";
import type { SheetTable } from "./layout/table-plan";
import { setUpPrint } from "./print-setup";

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
 * Aligns and wraps a table's texts, and fits the widths of its columns if `mayWiden` allows it. Everything except reading the own column is
 * only queued.
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
  align(target, plan);
  if (mayWiden) {
    columnWidths(plan).forEach((width, column) => {
      target.getColumn(column).format.columnWidth = width;
    });
  }
  // The widths come first, because Excel fits rows when their texts begin to wrap.
  for (const column of wrappedColumns(plan)) target.getColumn(column).format.wrapText = true;
  if (mayWiden) header.format.autofitRows();
}

/** Texts are indented, so that they don't touch a number at their left; those between numbers are aligned as the numbers are. */
function align(target: Excel.Range, plan: SheetTable): void {
  const numbers = new Set(numberColumns(plan));
  const ids = new Set(idColumns(plan));
  const bodyOf = (column: number) =>
    target.getCell(1, column).getAbsoluteResizedRange(plan.rows.length, 1).format;
  for (const column of plan.columns.keys()) {
    if (numbers.has(column)) bodyOf(column).horizontalAlignment = "Right";
    else {
      const { format } = target.getColumn(column);
      format.horizontalAlignment = "Left";
      format.indentLevel = 1;
    }
    if (ids.has(column)) bodyOf(column).font.color = idColor;
  }
}

/** A gray that recedes behind the answers. */
const idColor = "#808080";

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
 * jurisdictions' names stay in sight, also on each printed page, with `heading` above. Excel refuses some of this while another workbook is
 * in front (excel-add-ins-troubleshooting.md); the table then stays without it.
 */
export async function setUpSheet(
  context: Excel.RequestContext,
  target: Excel.Range,
  plan: SheetTable,
  heading?: string,
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
  if (target.columnIndex === 0) await setUpTablePrint(context, target.worksheet, plan, heading);
}

function setUpTablePrint(
  context: Excel.RequestContext,
  sheet: Excel.Worksheet,
  plan: SheetTable,
  heading: string | undefined,
): Promise<void> {
  const { columns, pagesAcross } = printedTable(plan);
  return setUpPrint(context, sheet, {
    orientation: "Landscape",
    area: printedColumns(columns),
    titleRows: "$1:$1",
    titleColumns: frozenColumns(plan) > 0 ? "$A:$A" : undefined,
    pages: { across: pagesAcross, down: 0 },
    heading,
  });
}

/**
 * Widens columns that were added to a table side by side, if nothing else stands in their columns of the sheet, because Excel keeps the
 * widths of a sheet's columns when cells move to the right. Their texts begin to wrap. The columns are printed, too, if the sheet is printed
 * as `setUpSheet` has set it up. Columns of `ids` are narrow and gray, and are not printed. Refusals of Excel are ignored.
 */
export async function setUpColumns(
  context: Excel.RequestContext,
  table: Excel.Table,
  headers: readonly string[],
  ids: readonly string[] = [],
): Promise<void> {
  const { pageLayout } = table.worksheet;
  const printed = pageLayout.getPrintAreaOrNullObject().load("address");
  const header = table.getHeaderRowRange().load("values");
  const whole = table.getRange().load("rowIndex,rowCount");
  const isRead = await context.sync().then(
    () => true,
    () => false,
  );
  if (!isRead) return;
  const there = (header.values[0] ?? []).map(String);
  const placesOf = (some: readonly string[]) =>
    some.map((each) => there.indexOf(each)).filter((place) => place >= 0);
  await setUpIds(context, whole, placesOf(headers.filter((each) => ids.includes(each))));
  const places = placesOf(headers.filter((each) => !ids.includes(each)));
  if (places.length === 0) return;
  const [first, end] = [Math.min(...places), Math.max(...places) + 1];
  // An interrupted edit may have printed them already.
  const isSetUp = [first, end].some(
    (columns) => !printed.isNullObject && printed.address.endsWith(`!${printedColumns(columns)}`),
  );
  if (isSetUp) pageLayout.setPrintArea(printedColumns(end));
  const added = whole.getColumn(first).getResizedRange(0, end - first - 1);
  const filled = filledAround(added);
  await context.sync().catch(() => undefined);
  const isAlone = isWithin(filled, whole);
  // The width comes first, because Excel fits rows when their texts begin to wrap.
  if (isAlone) added.format.columnWidth = columnWidth(lineCharacters);
  added.format.wrapText = true;
  await context.sync().catch(() => undefined);
}

/** Makes columns of ids of a table, whose range is loaded, narrow and gray. */
async function setUpIds(
  context: Excel.RequestContext,
  whole: Excel.Range,
  places: readonly number[],
): Promise<void> {
  if (places.length === 0) return;
  const columns = places.map((place) => {
    const column = whole.getColumn(place);
    return { column, filled: filledAround(column) };
  });
  await context.sync().catch(() => undefined);
  for (const { column, filled } of columns) {
    column.getCell(1, 0).getAbsoluteResizedRange(whole.rowCount - 1, 1).format.font.color = idColor;
    if (isWithin(filled, whole)) column.format.columnWidth = narrowestIds;
  }
  await context.sync().catch(() => undefined);
}

/** The cells of a range's columns that hold anything. */
const filledAround = (range: Excel.Range) =>
  range.getEntireColumn().getUsedRangeOrNullObject(true).load("rowIndex,rowCount");

/** True if all of these cells lie in the rows of a table. */
function isWithin(filled: Excel.Range, whole: Excel.Range): boolean {
  const endOf = ({ rowIndex, rowCount }: Excel.Range) => rowIndex + rowCount;
  return !filled.isNullObject && filled.rowIndex >= whole.rowIndex && endOf(filled) <= endOf(whole);
}

/**
 * Fits rows to long texts that were written into cells of a table's body. Excel fits a row to a text that begins to wrap, unless somebody
 * has set the row's height (Range.WrapText). Microsoft does not say that it fits the row of a text that is written where texts wrap already.
 * Texts in the `added` columns begin to wrap; elsewhere only cells that wrap do so again. Refusals of Excel are ignored.
 */
export async function fitLongTexts(
  context: Excel.RequestContext,
  table: Excel.Table,
  cells: readonly { row: number; column: number; header: string }[],
  added: readonly string[],
): Promise<void> {
  const body = table.getDataBodyRange();
  const isAdded = ({ header }: { header: string }) => added.includes(header);
  const formats = cells
    .filter((cell) => !isAdded(cell))
    .slice(0, mostTallRows)
    .map(({ row, column }) => body.getCell(row, column).format.load("wrapText"));
  for (const column of new Set(cells.filter(isAdded).map((cell) => cell.column)))
    body.getColumn(column).format.wrapText = true;
  await context.sync();
  const wrapped = formats.filter(({ wrapText }) => wrapText);
  if (wrapped.length === 0) return;
  for (const format of wrapped) format.wrapText = true;
  await context.sync();
}

/** The print area of a sheet's first columns. Whole columns include the rows that a refresh adds. */
function printedColumns(columns: number): string {
  return `A:${columnLetters(columns - 1)}`;
}
