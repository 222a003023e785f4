import {
  CellValueType,
  type ICellData,
  ICommandService,
  IUniverInstanceService,
  type IWorkbookData,
  LocaleType,
  LogLevel,
  Univer,
  UniverInstanceType,
  Workbook,
} from "@univerjs/core";
import {
  SetFormulaCalculationResultMutation,
  SetFormulaCalculationStartMutation,
  UniverFormulaEnginePlugin,
} from "@univerjs/engine-formula";
import type { BookContents, CellContents } from "../../workbench/book-contents";
import type { CellValue } from "../../workbench/spreadsheet";

/** The longest time that the engine may calculate. */
const patienceMs = 60_000;

/**
 * The workbook with the results of its formulas, calculated by the engine of the workbench's grid. Formulas for which `isCalculated` is
 * false, such as the add-in's, keep their values. Fails with an Error if the engine gives no result.
 */
export async function calculatedBook(
  contents: BookContents,
  isCalculated: (cell: CellContents) => boolean,
): Promise<BookContents> {
  const univer = new Univer({
    locale: LocaleType.EN_US,
    locales: { [LocaleType.EN_US]: {} },
    logLevel: LogLevel.ERROR,
  });
  univer.registerPlugin(UniverFormulaEnginePlugin);
  try {
    const results = await resultsOf(univer, contents, isCalculated);
    return {
      ...contents,
      sheets: contents.sheets.map((sheet) => ({
        ...sheet,
        cells: sheet.cells.map((cell) => {
          if (cell.formula === undefined || !isCalculated(cell)) return cell;
          const result = results[sheet.id]?.[cell.row]?.[cell.column];
          if (!result) throw new Error(`no result of ${cell.formula}`);
          const { v: value, t: type } = result;
          return { ...cell, value: type === CellValueType.BOOLEAN ? value === 1 : (value ?? "") };
        }),
      })),
    };
  } finally {
    univer.dispose();
  }
}

type Results = Partial<Record<string, Partial<Record<number, Partial<Record<number, ICellData>>>>>>;

function typedCell(value: CellValue): ICellData {
  if (typeof value === "boolean") return { v: Number(value), t: CellValueType.BOOLEAN };
  return { v: value, t: typeof value === "number" ? CellValueType.NUMBER : CellValueType.STRING };
}

async function resultsOf(
  univer: Univer,
  { sheets }: BookContents,
  isCalculated: (cell: CellContents) => boolean,
): Promise<Results> {
  const injector = univer.__getInjector();
  injector.get(IUniverInstanceService).registerCtorForType(UniverInstanceType.UNIVER_SHEET, Workbook);
  const unitId = "book";
  const formulas: Record<string, Record<number, Record<number, { f: string }>>> = {};
  const data: Partial<IWorkbookData> = { id: unitId, sheetOrder: sheets.map(({ id }) => id), sheets: {} };
  for (const { id, name, cells } of sheets) {
    const cellData: Record<number, Record<number, ICellData>> = {};
    const ofSheet: (typeof formulas)[string] = (formulas[id] = {});
    let [rowCount, columnCount] = [1, 1];
    for (const cell of cells) {
      const { row, column, value, formula } = cell;
      [rowCount, columnCount] = [Math.max(rowCount, row + 1), Math.max(columnCount, column + 1)];
      if (formula === undefined || !isCalculated(cell)) {
        if (value !== "") (cellData[row] ??= {})[column] = typedCell(value);
        continue;
      }
      (cellData[row] ??= {})[column] = { f: formula };
      (ofSheet[row] ??= {})[column] = { f: formula };
    }
    data.sheets![id] = { id, name, rowCount, columnCount, cellData };
  }
  univer.createUnit(UniverInstanceType.UNIVER_SHEET, data);
  const commands = injector.get(ICommandService);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("formulas were not calculated in time")), patienceMs);
    commands.onCommandExecuted(({ id, params }) => {
      if (id !== SetFormulaCalculationResultMutation.id) return;
      clearTimeout(timer);
      resolve((params as { unitData: Record<string, Results | undefined> }).unitData[unitId] ?? {});
    });
    const start = { commands: [], forceCalculation: true, formulaData: { [unitId]: formulas } };
    commands.executeCommand(SetFormulaCalculationStartMutation.id, start, { onlyLocal: true }).catch(reject);
  });
}
