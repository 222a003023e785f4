import { type IWorkbookData, generateRandomId } from "@univerjs/core";
import {
  FormulaDataModel,
  SetArrayFormulaDataMutation,
  SetWorksheetActiveOperation,
} from "@univerjs/preset-sheets-core";
import * as z from "zod/mini";
import type { Spreadsheet } from "../spreadsheet";
import { type Calculation, placeKey } from "./calculation";
import { unresolvedCells } from "./cells";
import type { Formulas, SavedAnswer } from "./formulas";
import type { Book } from "./univer";

const bySheet = z.record(z.string(), z.unknown());

/** A workbook as JSON: as Univer keeps it, what its formulas spilled, and what the custom functions answered. */
const savedWorkbook = z.object({
  workbook: z.looseObject({ sheets: bySheet, sheetOrder: z.array(z.string()) }),
  activeSheetId: z.string(),
  tableStyles: z.record(z.string(), z.string()),
  spillRanges: bySheet,
  spilledCells: bySheet,
  answers: z.array(
    z.object({
      sheetId: z.string(),
      row: z.number(),
      column: z.number(),
      functionId: z.string(),
      args: z.array(z.unknown()),
      result: z.unknown(),
    }),
  ),
});

export function createSaving(
  book: Book,
  calculation: Calculation,
  formulas: Formulas,
  { tables, updateTable }: Pick<Spreadsheet, "tables" | "updateTable">,
): Pick<Spreadsheet, "save" | "open"> {
  const data = book.injector.get(FormulaDataModel);

  return {
    save: () =>
      JSON.parse(
        JSON.stringify({
          workbook: book.api.getActiveWorkbook()!.save(),
          activeSheetId: book.workbook().getActiveSheet().getSheetId(),
          tableStyles: Object.fromEntries(tables().map(({ id, style }) => [id, style])),
          spillRanges: data.getArrayFormulaRange()[book.unitId()] ?? {},
          spilledCells: data.getArrayFormulaCellData()[book.unitId()] ?? {},
          answers: formulas.savedAnswers(),
        }),
      ),

    open(saved) {
      const { workbook, activeSheetId, tableStyles, spillRanges, spilledCells, answers } =
        savedWorkbook.parse(structuredClone(saved));
      book.load({ ...(workbook as Partial<IWorkbookData>), id: generateRandomId() });
      // Univer saves a table's style and opens the table without it.
      for (const [tableId, style] of Object.entries(tableStyles)) updateTable(tableId, { style });
      // In place: Univer, taking leave of the old workbook, is about to write back the same two objects.
      const arrayFormulaRange = data.getArrayFormulaRange();
      const arrayFormulaCellData = data.getArrayFormulaCellData();
      arrayFormulaRange[book.unitId()] = spillRanges as (typeof arrayFormulaRange)[string];
      arrayFormulaCellData[book.unitId()] = spilledCells as (typeof arrayFormulaCellData)[string];
      book.run(
        SetArrayFormulaDataMutation.id,
        { arrayFormulaRange, arrayFormulaCellData },
        { onlyLocal: true },
      );
      book.run(SetWorksheetActiveOperation.id, { subUnitId: activeSheetId });
      const unresolved = unresolvedCells(book);
      const stale = new Set(unresolved.map(placeKey));
      formulas.restoreAnswers((answers as SavedAnswer[]).filter((answer) => !stale.has(placeKey(answer))));
      calculation.start(unresolved);
    },
  };
}
