import type { Area } from "../sheet/layout/area";
import { cellAddress } from "../sheet/layout/cell-address";
import { setUpPrint } from "../sheet/print-setup";
import { fillWith } from "../sheet/swap/fills";
import { addFilledSheet, type AddedSheet } from "../sheet/tables/filled-sheet";
import { cellText, type FormattedCell, type Scalar } from "../sheet/values/cell-value";
import type { Workbook } from "../sheet/workbook";
import type { Look, PlannedCell, PlannedSheet } from "./sheet-draft";

/**
 * Adds a planned sheet at the end of the workbook and shows it. If writing fails, the sheet is deleted again; see `addFilledSheet`. Fails as
 * the workbook does.
 */
export function placeTemplate(
  { run }: Pick<Workbook, "run">,
  plan: PlannedSheet,
): Promise<Pick<AddedSheet, "id" | "name">> {
  return run(async (context) => {
    const { sheet, id, name } = await addFilledSheet(
      context,
      { name: plan.name, rows: entriesOf(plan.cells) },
      (added) => {
        for (const { look, area } of plan.looks) applyLook(areaOf(added.sheet, area), look);
        plan.columnWidths.forEach((width, column) => {
          areaOf(added.sheet, { row: 0, column, rows: 1, columns: 1 }).format.columnWidth = width;
        });
        fitRows(added.sheet, plan, "heading");
        if (plan.table) added.sheet.tables.add(areaOf(added.sheet, plan.table), true);
        // The table's style makes the headers bold, and so wider.
        fitRows(added.sheet, plan, "tableHeader");
      },
    );
    await setUp(context, sheet, plan);
    return { id, name };
  });
}

/** Fits the heights of rows to their answers, which arrive after the formulas were written. Fails as the workbook does. */
export function fitAnswerRows(
  { run }: Pick<Workbook, "run">,
  sheetId: string,
  plan: PlannedSheet,
): Promise<void> {
  return run(async (context) => {
    fitRows(context.workbook.worksheets.getItem(sheetId), plan, "wrapped");
    await context.sync();
  });
}

function fitRows(sheet: Excel.Worksheet, { looks }: PlannedSheet, look: Look): void {
  for (const each of looks) if (each.look === look) areaOf(sheet, each.area).format.autofitRows();
}

/** The cells as whole rows from A1 on. Cells that are not planned are blank. */
function entriesOf(cells: readonly PlannedCell[]): FormattedCell[][] {
  const columns = Math.max(...cells.map(({ column }) => column)) + 1;
  const rows = Math.max(...cells.map(({ row }) => row)) + 1;
  const blank = { value: "", numberFormat: "General" };
  const entries = Array.from({ length: rows }, () => Array<FormattedCell>(columns).fill(blank));
  for (const { row, column, content, numberFormat } of cells)
    entries[row]![column] = { value: scalarOf(content, numberFormat), numberFormat };
  return entries;
}

function scalarOf(content: PlannedCell["content"], numberFormat: string): Scalar {
  if (content === "blank") return "";
  // In a cell of another format, the apostrophe makes it a text.
  if ("text" in content) return numberFormat === "@" ? cellText(content.text) : cellText(`'${content.text}`);
  return "number" in content ? content.number : content.formula;
}

function areaOf(sheet: Excel.Worksheet, { row, column, rows, columns }: Area): Excel.Range {
  return sheet.getRangeByIndexes(row, column, rows, columns);
}

function applyLook(range: Excel.Range, look: Look): void {
  const { format } = range;
  if (look === "wrapped" || look === "heading" || look === "tableHeader") {
    format.wrapText = true;
    format.verticalAlignment = "Top";
  }
  // Headers of a table are bold by the table's style.
  if (look === "title" || look === "heading" || look === "total") format.font.bold = true;
  const color = fills[look];
  if (color !== undefined) fillWith(range, { color, pattern: null, patternColor: null });
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
  const { area, titleRows, orientation, isOnePage } = print;
  await setUpPrint(context, sheet, {
    orientation,
    area: `A1:${cellAddress("A1", area.row + area.rows - 1, area.columns - 1)}`,
    titleRows: titleRows ? `$${titleRows.first + 1}:$${titleRows.last + 1}` : undefined,
    pages: { across: 1, down: isOnePage ? 1 : 0 },
  });
}
