import {
  BaseFunction,
  type BaseValueObject,
  ERROR_TYPE_SET,
  ErrorType,
  FormulaDataModel,
  FunctionType,
  IDescriptionService,
  IFunctionService,
  InsertColMutation,
  InsertRowMutation,
  MoveColsMutation,
  MoveRangeMutation,
  MoveRowsMutation,
  RemoveColMutation,
  RemoveRowMutation,
  RemoveSheetMutation,
  ReorderRangeMutation,
  SetRangeValuesMutation,
} from "@univerjs/preset-sheets-core";
import { between, contains, formatAddress } from "../address";
import type {
  FunctionCall,
  FunctionDefinition,
  FunctionResult,
  FunctionScalar,
  Spreadsheet,
} from "../spreadsheet";
import { type FunctionVariant, PENDING, bindArguments, errorObject, toValueObject } from "./arguments";
import { type Calculation, type CellPlace, placeKey } from "./calculation";
import { contents, formulaCells, unresolvedCells } from "./cells";
import { type Book, type CellMatrix, toRect } from "./univer";

type Bridge = Parameters<Spreadsheet["registerFunctions"]>[1];

/** One function in one cell with one list of arguments. */
interface Evaluation {
  /** Null until it is handed to the add-in. */
  callId: number | null;
  functionId: string;
  args: unknown[];
  result?: FunctionResult;
}

/** A cell whose formula calls custom functions, and the answers kept for it. */
interface CallingCell extends CellPlace {
  evaluations: Map<string, Evaluation>;
  /** Keys asked for in the latest pass; the others are of no use any more. */
  wanted: Set<string>;
  pass: number;
}

/** An answer as it is saved with the workbook. */
export interface SavedAnswer extends CellPlace {
  functionId: string;
  args: unknown[];
  result: FunctionResult;
}

export type Formulas = Pick<
  Spreadsheet,
  "registerFunctions" | "settle" | "recalculate" | "idle" | "errorMessage"
> & {
  savedAnswers(): SavedAnswer[];
  /** Forgets everything and starts with these answers. */
  restoreAnswers(answers: SavedAnswer[]): void;
};

/** After these a cell may lie elsewhere than its answers. */
const cellsMoved = new Set([
  InsertRowMutation.id,
  InsertColMutation.id,
  RemoveRowMutation.id,
  RemoveColMutation.id,
  MoveRangeMutation.id,
  MoveRowsMutation.id,
  MoveColsMutation.id,
  ReorderRangeMutation.id,
]);

/**
 * Custom functions on Univer's synchronous engine. A function without an answer notes its call and shows #BUSY!;
 * when a calculation ends, its calls go to the add-in together; an answer recalculates the cells that wait for it.
 *
 * As in Excel, a call is made once for a calling cell and its arguments. The answer is kept for the cell as long
 * as the arguments stay the same, so that an unrelated edit calls nothing; entering the formula again forgets it.
 */
export function createFormulas(book: Book, calculation: Calculation): Formulas {
  const functions = book.injector.get(IFunctionService);
  const descriptions = book.injector.get(IDescriptionService);
  const data = book.injector.get(FormulaDataModel);
  const cells = new Map<string, CallingCell>();
  /** Those the add-in has to answer. */
  const calls = new Map<number, { cell: CallingCell; evaluation: Evaluation }>();
  const cancelled: number[] = [];
  /** Cells evaluated since calls were last handed over. */
  const evaluated = new Set<CallingCell>();
  const waiting: (() => void)[] = [];
  let bridge: Bridge | null = null;
  let lastCallId = 0;

  // The engine lets errors through formulas; now this one too.
  (ERROR_TYPE_SET as Set<string>).add(PENDING);

  function cellAt(place: CellPlace): CallingCell {
    const key = placeKey(place);
    let cell = cells.get(key);
    if (!cell) cells.set(key, (cell = { ...place, evaluations: new Map(), wanted: new Set(), pass: -1 }));
    return cell;
  }

  function ask(functionId: string, place: CellPlace, args: unknown[]): FunctionResult {
    const cell = cellAt(place);
    if (cell.pass !== calculation.pass()) cell.wanted.clear();
    cell.pass = calculation.pass();
    evaluated.add(cell);
    const key = evaluationKey(functionId, args);
    cell.wanted.add(key);
    let evaluation = cell.evaluations.get(key);
    if (!evaluation) cell.evaluations.set(key, (evaluation = { callId: null, functionId, args }));
    return evaluation.result ?? { error: PENDING, message: "" };
  }

  function calculate({ id, parameters }: FunctionDefinition, place: CellPlace, variants: FunctionVariant[]) {
    const bound = bindArguments(parameters, variants);
    if (!Array.isArray(bound)) return errorObject(bound.error);
    const results = bound.map((row) => row.map((args) => ask(id, place, args)));
    const isLifted = results.length > 1 || results[0]!.length > 1;
    return toValueObject(isLifted ? results.map((row) => row.map(firstScalar)) : results[0]![0]!);
  }

  function handOver() {
    const batch: FunctionCall[] = [];
    for (const cell of evaluated) {
      for (const [key, evaluation] of cell.evaluations) {
        if (!cell.wanted.has(key)) {
          drop(cell, key);
        } else if (evaluation.callId === null && evaluation.result === undefined) {
          const id = (lastCallId += 1);
          evaluation.callId = id;
          calls.set(id, { cell, evaluation });
          const address = formatAddress(
            book.sheet(cell.sheetId).getName(),
            between(cell.row, cell.column, cell.row, cell.column),
          );
          batch.push({ id, functionId: evaluation.functionId, args: evaluation.args, address });
        }
      }
    }
    evaluated.clear();
    cancelDropped();
    if (batch.length > 0) bridge?.call(batch);
  }

  function drop(cell: CallingCell, key: string) {
    const callId = cell.evaluations.get(key)?.callId ?? null;
    cell.evaluations.delete(key);
    if (callId !== null && calls.delete(callId)) cancelled.push(callId);
  }

  function cancelDropped() {
    if (cancelled.length > 0) bridge?.cancel(cancelled.splice(0));
  }

  function forget(applies: (cell: CallingCell) => boolean) {
    for (const cell of [...cells.values()].filter(applies)) {
      for (const key of [...cell.evaluations.keys()]) drop(cell, key);
      evaluated.delete(cell);
      cells.delete(placeKey(cell));
    }
    cancelDropped();
  }

  book.onRun(({ id, params }, options) => {
    const sheetId = params.subUnitId;
    if (id === SetRangeValuesMutation.id && !options.fromFormula) {
      const matrix = params.cellValue as CellMatrix;
      forget((cell) => cell.sheetId === sheetId && isEntered(matrix[cell.row]?.[cell.column]));
    } else if (id === RemoveSheetMutation.id) {
      forget((cell) => cell.sheetId === sheetId);
    } else if (cellsMoved.has(id) && cells.size > 0) {
      forget(() => true);
      calculation.start(unresolvedCells(book));
    }
  });

  function makeRoomFor(
    { sheetId, row, column }: CellPlace,
    evaluation: Evaluation,
    rows: FunctionScalar[][],
  ) {
    try {
      book.makeRoom(sheetId, { row, column, rows: rows.length, columns: rows[0]?.length ?? 0 });
    } catch {
      evaluation.result = { error: ErrorType.SPILL, message: "" };
    }
  }

  function comeToRest() {
    if (calls.size === 0 && calculation.atRest()) for (const resolve of waiting.splice(0)) resolve();
  }

  calculation.on("end", handOver);
  calculation.on("rest", comeToRest);

  return {
    registerFunctions(definitions, newBridge) {
      bridge = newBridge;
      for (const definition of definitions) {
        const name = definition.name.toUpperCase();
        functions.registerExecutors(
          new AddInFunction(name, (place, variants) => calculate(definition, place, variants)),
        );
        descriptions.registerDescriptions([describe(name, definition)]);
        functions.deleteFormulaAstCacheKey(name);
      }
      const unknown = formulaCells(book).filter(({ value }) => value === ErrorType.NAME);
      if (unknown.length > 0) calculation.start(unknown);
    },

    settle(results) {
      const changed = new Set<CallingCell>();
      for (const { id, result } of results) {
        const call = calls.get(id);
        if (!call) continue;
        calls.delete(id);
        call.evaluation.result = result;
        changed.add(call.cell);
        if (Array.isArray(result)) makeRoomFor(call.cell, call.evaluation, result);
      }
      if (changed.size > 0) calculation.start([...changed]);
    },

    recalculate(sheetId) {
      forget((cell) => sheetId === undefined || cell.sheetId === sheetId);
      if (sheetId === undefined) calculation.startAll();
      else calculation.start(formulaCells(book).filter((cell) => cell.sheetId === sheetId));
    },

    idle() {
      return new Promise((resolve) => {
        waiting.push(resolve);
        comeToRest();
      });
    },

    errorMessage(sheetId, row, column) {
      const spills = data.getArrayFormulaRange()[book.unitId()]?.[sheetId] ?? {};
      const spilled = data.getArrayFormulaCellData()[book.unitId()]?.[sheetId]?.[row]?.[column];
      const shown = contents(spilled ?? book.sheet(sheetId).getCellMatrix().getValue(row, column));
      for (const cell of cells.values()) {
        if (cell.sheetId !== sheetId) continue;
        const spill = spills[cell.row]?.[cell.column];
        const shows = spill ? toRect(spill) : between(cell.row, cell.column, cell.row, cell.column);
        if (!contains(shows, row, column)) continue;
        for (const { result } of cell.evaluations.values()) {
          const scalar = Array.isArray(result) ? result[row - cell.row]?.[column - cell.column] : result;
          if (typeof scalar === "object" && scalar?.error === shown) return scalar.message || null;
        }
      }
      return null;
    },

    savedAnswers: () =>
      [...cells.values()].flatMap(({ sheetId, row, column, evaluations }) =>
        [...evaluations.values()].flatMap(({ functionId, args, result }) =>
          result === undefined ? [] : [{ sheetId, row, column, functionId, args, result }],
        ),
      ),

    restoreAnswers(answers) {
      forget(() => true);
      for (const { functionId, args, result, ...place } of answers) {
        const evaluation = { callId: null, functionId, args, result };
        cellAt(place).evaluations.set(evaluationKey(functionId, args), evaluation);
      }
    },
  };
}

class AddInFunction extends BaseFunction {
  /** Otherwise blank cells and omitted arguments would look alike. */
  override needsReferenceObject = true;

  constructor(
    name: string,
    private readonly answer: (place: CellPlace, variants: FunctionVariant[]) => BaseValueObject,
  ) {
    super(name as never);
  }

  /** A throw would stop all calculation until the page is loaded again. */
  override calculate(...variants: FunctionVariant[]): BaseValueObject {
    try {
      return this.answer({ sheetId: this.subUnitId ?? "", row: this.row, column: this.column }, variants);
    } catch (error) {
      console.error(error);
      return errorObject(ErrorType.VALUE);
    }
  }
}

function describe(functionName: string, { description, parameters }: FunctionDefinition) {
  return {
    functionName,
    functionType: FunctionType.User,
    description,
    abstract: description,
    functionParameter: parameters.map((parameter) => ({
      name: parameter.name,
      detail: parameter.description,
      example: "",
      require: parameter.optional ? (0 as const) : (1 as const),
      repeat: parameter.repeating ? (1 as const) : (0 as const),
    })),
  };
}

/** Whether a change of a cell enters something, be it nothing; a change of its format does not. */
function isEntered(change: object | null | undefined | void): boolean {
  return change === null || (!!change && ("v" in change || "f" in change || "si" in change));
}

function evaluationKey(functionId: string, args: unknown[]): string {
  return JSON.stringify([functionId, args]);
}

function firstScalar(result: FunctionResult): FunctionScalar {
  return Array.isArray(result) ? (result[0]?.[0] ?? null) : result;
}
