import * as z from "zod/mini";
import { parseAddress } from "../address";
import { newGuid } from "../guid";
import { newestExcel } from "../host/launch";
import type { WorkbookDocument } from "../host/office-document";
import { horizontalAlignments, verticalAlignments } from "../spreadsheet";
import type { Rect, RangeStyle, Spreadsheet } from "../spreadsheet";
import { createCellsApi } from "./cells-api";

const cellValue = z.union([z.string(), z.number(), z.boolean()]);
const rangeStyle = z.object({
  bold: z.optional(z.boolean()),
  wrapText: z.optional(z.boolean()),
  fillColor: z.optional(z.string()),
  horizontalAlignment: z.optional(z.literal(horizontalAlignments)),
  verticalAlignment: z.optional(z.literal(verticalAlignments)),
});
/** Addresses are without a sheet's name. */
const sheetToFill = z.object({
  name: z.string(),
  /** By the address of the first cell or of all. The format comes before the entry, as it would for a user. */
  numberFormats: z._default(
    z.array(z.object({ address: z.string(), rows: z.array(z.array(z.string())) })),
    [],
  ),
  /** Entered as a user would. */
  cells: z._default(z.array(z.object({ address: z.string(), rows: z.array(z.array(cellValue)) })), []),
  tables: z._default(
    z.array(z.object({ id: z.string(), name: z.string(), address: z.string(), style: z.string() })),
    [],
  ),
  styles: z._default(z.array(z.object({ address: z.string(), style: rangeStyle })), []),
  /** Widths of the first columns, in pixels. */
  columnWidths: z._default(z.array(z.number()), []),
  /** Rows that become as high as their wrapped texts need. */
  fittedRows: z._default(z.array(z.string()), []),
  frozenRows: z._default(z.number(), 0),
  frozenColumns: z._default(z.number(), 0),
});

/** The setup that the server hands to the page. */
export const setupFile = z.object({
  addin: z.object({
    /** The path below which this server gives the add-in out. */
    base: z.string(),
    /** The address that this path stands for: so begin the manifest's own addresses. */
    root: z.string(),
    /** As XML. */
    manifest: z.string(),
  }),
  /** A sentence on the data, shown beside the title. */
  note: z.optional(z.string()),
  /** First values of `OfficeRuntime.storage`, written once in each browser. */
  storage: z._default(z.record(z.string(), z.string()), {}),
  /** A result of `window.workbench.save()`, which is opened at the start. */
  workbook: z.optional(z.unknown()),
  /** Sheets of a workbook that begins with them instead of an empty one. The first is shown. */
  sheets: z._default(z.array(sheetToFill), []),
  /** The custom XML parts of that workbook. */
  customXmlParts: z._default(z.array(z.string()), []),
  /** The address of the cell that is selected at the start, with its sheet's name. */
  selected: z.optional(z.string()),
  /** The Excel to simulate. Facts that are left out are as in `newestExcel`. */
  excel: z._default(
    z.object({
      excelApi: z._default(z.string(), newestExcel.excelApi),
      customFunctionsRuntime: z._default(z.string(), newestExcel.customFunctionsRuntime),
      undo: z._default(z.enum(["web", "desktop"]), newestExcel.undo),
    }),
    newestExcel,
  ),
});
export type Setup = z.infer<typeof setupFile>;
export type SetupInput = z.input<typeof setupFile>;
export type SheetToFill = z.input<typeof sheetToFill>;

/** Makes the workbook of one empty sheet the one that a setup describes. */
export function fillWorkbook(
  { sheets, customXmlParts, selected }: Pick<Setup, "sheets" | "customXmlParts" | "selected">,
  { spreadsheet, file }: { spreadsheet: Spreadsheet; file: WorkbookDocument },
): void {
  const cells = createCellsApi(spreadsheet);
  sheets.forEach((sheet, index) => fillSheet(sheet, sheetAt(index, sheet.name, spreadsheet), spreadsheet));
  for (const xml of customXmlParts) file.customXmlParts.set(newGuid(), xml);
  if (selected !== undefined) cells.select(selected);
}

/** The sheet that is there for the first, new ones for the others. */
function sheetAt(index: number, name: string, spreadsheet: Spreadsheet): string {
  if (index > 0) return spreadsheet.addSheet(name).id;
  const { sheetId } = spreadsheet.selection();
  spreadsheet.renameSheet(sheetId, name);
  return sheetId;
}

function fillSheet(sheet: Setup["sheets"][number], sheetId: string, spreadsheet: Spreadsheet): void {
  const rectOf = (address: string): Rect => {
    const parsed = parseAddress(address);
    if (!parsed) throw new Error(`${address} is not an address.`);
    return parsed.rect;
  };
  const sizeOf = (rows: unknown[][]) => ({ rows: rows.length, columns: rows[0]?.length ?? 0 });
  for (const { address, rows } of sheet.numberFormats)
    spreadsheet.writeNumberFormats(sheetId, { ...rectOf(address), ...sizeOf(rows) }, rows);
  for (const { address, rows } of sheet.cells)
    spreadsheet.writeFormulas(sheetId, { ...rectOf(address), ...sizeOf(rows) }, rows);
  for (const { address, ...table } of sheet.tables)
    spreadsheet.addTable({ ...table, sheetId, rect: rectOf(address) });
  for (const { address, style } of sheet.styles)
    spreadsheet.applyStyle(sheetId, rectOf(address), style as RangeStyle);
  sheet.columnWidths.forEach((width, column) => spreadsheet.setColumnWidth(sheetId, column, 1, width));
  if (sheet.frozenRows + sheet.frozenColumns > 0)
    spreadsheet.freeze(sheetId, { rows: sheet.frozenRows, columns: sheet.frozenColumns });

  const fitRows = () => {
    const isThere = spreadsheet.sheets().some(({ id }) => id === sheetId);
    if (isThere) for (const address of sheet.fittedRows) spreadsheet.autofitRows(sheetId, rectOf(address));
  };
  fitRows();
  // Results of formulas come later and may need higher rows.
  void spreadsheet.idle().then(fitRows);
}
