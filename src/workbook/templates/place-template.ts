import type { Area } from "../sheet/layout/area";
import { cellAddress } from "../sheet/layout/cell-address";
import { freeSheetName } from "../sheet/layout/sheet-name";
import { cellText, type Scalar } from "../sheet/values/cell-value";
import type { Workbook } from "../sheet/workbook";
import { mayWrite } from "../sheet/write-access";
import type { Look, PlannedCell, PlannedSheet } from "./sheet-draft";

/**
 * The most cells written at once, since a request on the web holds at most 5 MB (Microsoft, "Resource limits and performance
 * optimization").
 */
const cellsAtOnce = 5_000;

/**
 * Adds a planned sheet at the end of the workbook, shows it, and returns its name. If writing fails, the sheet is deleted again. Fails as
 * the workbook does.
 */
export function placeTemplate({ run }: Pick<Workbook, "run">, plan: PlannedSheet): Promise<string> {
  return run(async (context) => {
    await mayWrite(context);
    const sheets = context.workbook.worksheets.load("items/name");
    await context.sync();
    const name = freeSheetName(
      plan.name,
      sheets.items.map((sheet) => sheet.name),
    );
    const sheet = sheets.add(name);
    await context.sync();
    try {
      await writeCells(context, sheet, plan.cells);
      for (const { look, area } of plan.looks) applyLook(areaOf(sheet, area), look);
      plan.columnWidths.forEach((width, column) => {
        areaOf(sheet, { row: 0, column, rows: 1, columns: 1 }).format.columnWidth = width;
      });
      fitRows(sheet, plan, "heading");
      fitRows(sheet, plan, "tableHeader");
      if (plan.table) sheets.getItem(name).tables.add(areaOf(sheet, plan.table), true);
      await context.sync();
    } catch (thrown) {
      // The sheet is deleted at once, so nobody else has had the time to write on it.
      sheets.getItem(name).delete();
      await context.sync().catch(() => undefined);
      throw thrown;
    }
    await setUp(context, sheet, plan);
    return name;
  });
}

/** Fits the heights of rows to their answers, which arrive after the formulas were written. Fails as the workbook does. */
export function fitAnswerRows(
  { run }: Pick<Workbook, "run">,
  sheetName: string,
  plan: PlannedSheet,
): Promise<void> {
  return run(async (context) => {
    fitRows(context.workbook.worksheets.getItem(sheetName), plan, "wrapped");
    await context.sync();
  });
}

function fitRows(sheet: Excel.Worksheet, { looks }: PlannedSheet, look: Look): void {
  for (const each of looks) if (each.look === look) areaOf(sheet, each.area).format.autofitRows();
}

/** Writes the cells in blocks of rows. Cells that are not planned stay blank. */
async function writeCells(
  context: Excel.RequestContext,
  sheet: Excel.Worksheet,
  cells: readonly PlannedCell[],
): Promise<void> {
  const columns = Math.max(...cells.map(({ column }) => column)) + 1;
  const rows = Math.max(...cells.map(({ row }) => row)) + 1;
  const contents = Array.from({ length: rows }, () => Array<Scalar>(columns).fill(""));
  const formats = Array.from({ length: rows }, () => Array<string>(columns).fill("General"));
  for (const { row, column, content, numberFormat } of cells) {
    contents[row]![column] = entryOf(content);
    formats[row]![column] = numberFormat;
  }
  const rowsAtOnce = Math.max(1, Math.floor(cellsAtOnce / columns));
  for (let row = 0; row < rows; row += rowsAtOnce) {
    const piece = areaOf(sheet, { row, column: 0, rows: Math.min(rowsAtOnce, rows - row), columns });
    // The format is set first, so that a text that looks like a number or a formula stays text.
    piece.numberFormat = formats.slice(row, row + rowsAtOnce);
    piece.formulas = contents.slice(row, row + rowsAtOnce);
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
  }
}

function entryOf(content: PlannedCell["content"]): Scalar {
  if (content === "blank") return "";
  if ("text" in content) return cellText(content.text);
  return "number" in content ? content.number : content.formula;
}

function areaOf(sheet: Excel.Worksheet, { row, column, rows, columns }: Area): Excel.Range {
  return sheet.getRangeByIndexes(row, column, rows, columns);
}

function applyLook({ format }: Excel.Range, look: Look): void {
  if (look === "wrapped" || look === "heading" || look === "tableHeader") {
    format.wrapText = true;
    format.verticalAlignment = "Top";
  }
  // Headers of a table are bold by the table's style.
  if (look === "title" || look === "heading" || look === "total") format.font.bold = true;
  const color = fills[look];
  if (color !== undefined) format.fill.color = color;
}

const fills: Partial<Record<Look, string>> = { heading: "#DDE6F0", input: "#FFF6D5", total: "#F0F0F0" };

/**
 * Shows the sheet and sets up how it is printed. Excel refuses some of this while another workbook is in front
 * (excel-add-ins-troubleshooting.md); the sheet then stays without it.
 */
async function setUp(
  context: Excel.RequestContext,
  sheet: Excel.Worksheet,
  { frozen, print }: PlannedSheet,
): Promise<void> {
  const trySync = () => context.sync().catch(() => undefined);
  sheet.activate();
  await trySync();
  if (frozen.columns === 0) sheet.freezePanes.freezeRows(frozen.rows);
  else sheet.freezePanes.freezeAt(areaOf(sheet, { row: 0, column: 0, ...frozen }));
  await trySync();
  const { pageLayout } = sheet;
  const last = cellAddress("A1", print.area.row + print.area.rows - 1, print.area.columns - 1);
  pageLayout.setPrintArea(`A1:${last}`);
  pageLayout.orientation = print.orientation;
  if (print.titleRows)
    pageLayout.setPrintTitleRows(`$${print.titleRows.first + 1}:$${print.titleRows.last + 1}`);
  pageLayout.zoom = { horizontalFitToPages: 1, verticalFitToPages: print.isOnePage ? 1 : 0 };
  // The codes stand for the sheet's name, the page of all pages ("Page 1 of 2") and the day of printing ("11/26/2026").
  pageLayout.headersFooters.defaultForAllPages.leftFooter = "&A";
  pageLayout.headersFooters.defaultForAllPages.centerFooter = "Page &P of &N";
  pageLayout.headersFooters.defaultForAllPages.rightFooter = "&D";
  await trySync();
}
