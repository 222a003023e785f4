import { type IWorkbookData, generateRandomId } from "@univerjs/core";
import {
  FormulaDataModel,
  SetArrayFormulaDataMutation,
  SetWorksheetActiveOperation,
} from "@univerjs/preset-sheets-core";
import * as z from "zod/mini";
import type { Spreadsheet } from "../spreadsheet";
import type { Book } from "./univer";

const bySheet = z.record(z.string(), z.unknown());

/** A workbook as JSON: as Univer keeps it, and what it keeps beside it. */
const savedWorkbook = z.object({
  workbook: z.looseObject({ sheets: bySheet, sheetOrder: z.array(z.string()) }),
  activeSheetId: z.string(),
  tableStyles: z.record(z.string(), z.string()),
  spillRanges: bySheet,
  spilledCells: bySheet,
  tablesWithTotals: z._default(z.array(z.string()), []),
  drawings: z._default(z.unknown(), []),
  sheetFilters: z._default(z.unknown(), []),
});

/** `opened` runs when another workbook is in place. */
export function createSaving(
  book: Book,
  {
    tables,
    updateTable,
    drawings,
    sheetFilters,
  }: Pick<Spreadsheet, "tables" | "updateTable" | "drawings" | "sheetFilters">,
  opened: () => void,
): Pick<Spreadsheet, "save" | "open"> {
  const data = book.injector.get(FormulaDataModel);

  return {
    save: () =>
      JSON.parse(
        JSON.stringify({
          workbook: book.facade().save(),
          activeSheetId: book.workbook().getActiveSheet().getSheetId(),
          tableStyles: Object.fromEntries(tables().map(({ id, style }) => [id, style])),
          tablesWithTotals: tables().flatMap(({ id, showsTotals }) => (showsTotals ? [id] : [])),
          spillRanges: data.getArrayFormulaRange()[book.unitId()] ?? {},
          spilledCells: data.getArrayFormulaCellData()[book.unitId()] ?? {},
          drawings: drawings.save(),
          sheetFilters: sheetFilters.save(),
        }),
      ),

    open(saved) {
      const { workbook, tableStyles, tablesWithTotals, ...file } = savedWorkbook.parse(
        structuredClone(saved),
      );
      replaceWorkbook(book, { ...file, workbook: workbook as Partial<IWorkbookData> });
      // Univer saves a table's style and opens the table without it.
      for (const [tableId, style] of Object.entries(tableStyles)) updateTable(tableId, { style });
      for (const tableId of tablesWithTotals) {
        const rect = tables().find(({ id }) => id === tableId)?.rect;
        if (rect) updateTable(tableId, { rect: { ...rect, rows: rect.rows + 1 }, showsTotals: true });
      }
      drawings.open(file.drawings);
      sheetFilters.open(file.sheetFilters);
      opened();
    },
  };
}

interface OpenedWorkbook {
  workbook: Partial<IWorkbookData>;
  activeSheetId: string;
  /** By sheet, as Univer keeps them beside the cells. */
  spillRanges: Record<string, unknown>;
  spilledCells: Record<string, unknown>;
}

/** Another workbook takes the place of this one, under a new id. */
export function replaceWorkbook(
  book: Book,
  { workbook, activeSheetId, spillRanges, spilledCells }: OpenedWorkbook,
): void {
  const data = book.injector.get(FormulaDataModel);
  book.load({ ...workbook, id: generateRandomId() });
  // In place: Univer, taking leave of the old workbook, is about to write back the same two objects.
  const arrayFormulaRange = data.getArrayFormulaRange();
  const arrayFormulaCellData = data.getArrayFormulaCellData();
  arrayFormulaRange[book.unitId()] = spillRanges as (typeof arrayFormulaRange)[string];
  arrayFormulaCellData[book.unitId()] = spilledCells as (typeof arrayFormulaCellData)[string];
  book.run(SetArrayFormulaDataMutation.id, { arrayFormulaRange, arrayFormulaCellData }, { onlyLocal: true });
  book.run(SetWorksheetActiveOperation.id, { subUnitId: activeSheetId });
}
