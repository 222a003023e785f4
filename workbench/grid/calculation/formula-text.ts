import {
  BaseFunction,
  type BaseValueObject,
  ERROR_TYPE_SET,
  ErrorType,
  FunctionType,
  IDescriptionService,
  IFunctionService,
  RemoveSheetMutation,
  SetRangeValuesMutation,
} from "@univerjs/preset-sheets-core";
import { contains } from "../../address";
import { hasFunctionWithAt } from "../../function-with-at";
import { PENDING, errorTexts } from "../../spreadsheet";
import type {
  FunctionCall,
  FunctionDefinition,
  FunctionResult,
  FunctionRunner,
  FunctionScalar,
  Spreadsheet,
} from "../../spreadsheet";
import { argumentAddresses, callingAddress } from "./calling-addresses";
import { type FunctionVariant, bindArguments, errorObject, toValueObject } from "./call-arguments";
import { type Calculation, type CellPlace, placeKey } from "./calculation";
import { attachmentOf, formulaCells, unresolvedCells } from "../cells";
import { type Book, type CellMatrix, isEntered } from "../univer";

/** One function in one cell with one list of arguments. */
interface Evaluation {
  cell: CallingCell;
  definition: FunctionDefinition;
  /** The call's function, cell and arguments, apart from its id. */
  told: Told;
  /** The latest pass that asked for it. */
  pass: number;
  /** Absent until it is handed to the add-in. */
  callId?: number;
  /** Its cell shows 0 in place of its answer. */
  isZero?: boolean;
  result?: FunctionResult;
}

type Told = Omit<FunctionCall, "id" | "functionId">;

/** A cell whose formula calls custom functions, and the answers kept for it. */
interface CallingCell extends CellPlace {
  /** By function and arguments. */
  evaluations: Map<string, Evaluation>;
  /** The latest pass in which it was evaluated: what it asked for before is of no use any more. */
  pass: number;
}

export type Formulas = Pick<
  Spreadsheet,
  "registerFunctions" | "showZero" | "settle" | "recalculate" | "calculated" | "idle"
> & {
  /** Forgets all answers and calculates the cells that show an error or nothing. */
  startOver(): void;
};

/** After these a cell may lie elsewhere than its answers. */
const cellsMoved = /^sheet\.mutation\.(insert|remove|move|reorder)-(row|col|range)/;

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
  const cells = new Map<string, CallingCell>();
  /** Calls that the add-in has to answer, by their ids. */
  const calls = new Map<number, Evaluation>();
  const waiting: { isOver(): boolean; resolve(): void }[] = [];
  let runner: FunctionRunner | null = null;
  let lastCallId = 0;
  let hasVolatiles = false;

  // The engine lets errors through formulas; now this one too.
  (ERROR_TYPE_SET as Set<string>).add(PENDING);

  /** An error among the arguments, also that one of them waits, is the result: the add-in is not asked. */
  function ask(definition: FunctionDefinition, place: CellPlace, told: Told): FunctionResult {
    const pass = calculation.pass();
    const cell = cells.get(placeKey(place)) ?? { ...place, evaluations: new Map<string, Evaluation>(), pass };
    cells.set(placeKey(place), cell);
    cell.pass = pass;
    const error = told.args.flat(3).find((argument) => errorTexts.has(argument as string));
    if (error !== undefined) return { error: error as string, message: "" };
    const key = JSON.stringify([definition.id, told]);
    const evaluation = cell.evaluations.get(key) ?? { cell, definition, told, pass };
    cell.evaluations.set(key, evaluation);
    evaluation.pass = pass;
    if (evaluation.result !== undefined) return evaluation.result;
    return evaluation.isZero ? 0 : { error: PENDING, message: "" };
  }

  const isStuck = ({ sheetId, row, column }: CellPlace) =>
    attachmentOf(book.sheet(sheetId).getCellMatrix().getValue(row, column)).isStuck === true;

  function calculate(definition: FunctionDefinition, place: CellPlace, variants: FunctionVariant[]) {
    if (isStuck(place)) return errorObject(ErrorType.NAME);
    const bound = bindArguments(definition, variants);
    if (!Array.isArray(bound)) return errorObject(bound.error);
    const results = bound.map((row, y) =>
      row.map((args, x) =>
        ask(definition, place, {
          args,
          ...(definition.needsAddress && { address: callingAddress(book, place) }),
          ...(definition.needsParameterAddresses && {
            parameterAddresses: argumentAddresses(book, definition, variants, { y, x }),
          }),
        }),
      ),
    );
    const isLifted = results.length > 1 || results[0]!.length > 1;
    return toValueObject(isLifted ? results.map((row) => row.map(firstScalar)) : results[0]![0]!);
  }

  function handOver() {
    const batch: FunctionCall[] = [];
    const unwanted: Evaluation[] = [];
    for (const cell of cells.values()) {
      for (const [key, evaluation] of cell.evaluations) {
        if (evaluation.pass !== cell.pass) {
          cell.evaluations.delete(key);
          unwanted.push(evaluation);
        } else if (evaluation.callId === undefined) {
          const id = (lastCallId += 1);
          evaluation.callId = id;
          calls.set(id, evaluation);
          batch.push({ id, functionId: evaluation.definition.id, ...evaluation.told });
        }
      }
    }
    cancel(unwanted);
    if (batch.length > 0) runner?.call(batch);
  }

  function forget(forgotten: CallingCell[]) {
    for (const cell of forgotten) cells.delete(placeKey(cell));
    cancel(forgotten.flatMap((cell) => [...cell.evaluations.values()]));
  }

  const cellsOf = (sheetId: string) => [...cells.values()].filter((cell) => cell.sheetId === sheetId);

  function enteredCells(sheetId: string, changes: CellMatrix): CallingCell[] {
    return Object.entries(changes).flatMap(([row, columns]) =>
      Object.entries(columns ?? {}).flatMap(([column, change]) => {
        if (!isEntered(change)) return [];
        return cells.get(placeKey({ sheetId, row: Number(row), column: Number(column) })) ?? [];
      }),
    );
  }

  function cancel(evaluations: Evaluation[]) {
    const ids = evaluations.flatMap(({ callId }) => callId ?? []).filter((id) => calls.delete(id));
    if (ids.length > 0) runner?.cancel(ids);
  }

  book.onRun(({ id, params }, options) => {
    const sheetId = params.subUnitId as string;
    if (id === SetRangeValuesMutation.id && !options.fromFormula) {
      const matrix = params.cellValue as CellMatrix;
      forget(enteredCells(sheetId, matrix));
      if (hasVolatiles && isAnyEntered(matrix)) callVolatiles();
    } else if (id === RemoveSheetMutation.id) {
      forget(cellsOf(sheetId));
    } else if (cellsMoved.test(id) && cells.size > 0) {
      startOver();
    }
  });

  /** Excel calculates with each entry, and calls these anew when it does (custom-functions-volatile.md). */
  function callVolatiles() {
    const isVolatile = ({ evaluations }: CallingCell) =>
      [...evaluations.values()].some(({ definition }) => definition.isVolatile === true);
    const volatiles = [...cells.values()].filter(isVolatile);
    if (volatiles.length === 0) return;
    forget(volatiles);
    calculation.start(volatiles);
  }

  function startOver() {
    forget([...cells.values()]);
    calculation.start(unresolvedCells(book));
  }

  function comeToRest() {
    for (const { isOver, resolve } of waiting.splice(0)) {
      if (isOver()) resolve();
      else waiting.push({ isOver, resolve });
    }
  }

  function when(isOver: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      waiting.push({ isOver, resolve });
      comeToRest();
    });
  }

  calculation.on("end", handOver);
  calculation.on("rest", comeToRest);

  return {
    registerFunctions(definitions, newRunner) {
      runner = newRunner;
      hasVolatiles = definitions.some(({ isVolatile }) => isVolatile === true);
      for (const definition of definitions) {
        const name = definition.name.toUpperCase();
        functions.registerExecutors(
          new AddInFunction(name, (place, variants) => calculate(definition, place, variants)),
        );
        descriptions.registerDescriptions([describe(name, definition)]);
      }
    },

    showZero(ids) {
      const shown = ids.flatMap((id) => calls.get(id) ?? []);
      for (const call of shown) call.isZero = true;
      if (shown.length > 0) calculation.start(shown.map(({ cell }) => cell));
    },

    settle(results) {
      const changed = new Set<CallingCell>();
      for (const { id, result } of results) {
        const call = calls.get(id);
        if (!call) continue;
        // A stream goes on.
        if (call.definition.isStreaming !== true) calls.delete(id);
        call.result = result;
        changed.add(call.cell);
        const { sheetId, row, column } = call.cell;
        if (Array.isArray(result))
          book.makeRoom(sheetId, { row, column, rows: result.length, columns: result[0]?.length ?? 0 });
      }
      if (changed.size > 0) calculation.start([...changed]);
    },

    recalculate(sheetId, within) {
      const isMeant = (cell: CellPlace) =>
        cell.sheetId === sheetId && (!within || contains(within, cell.row, cell.column));
      // Excel calculates no formula anew in which a function has an @ before it (OfficeDev/office-js#4398).
      const reached = formulaCells(book, ({ f }) => !hasFunctionWithAt(f ?? "")).filter(isMeant);
      const keys = new Set(reached.map(placeKey));
      forget([...cells.values()].filter((cell) => keys.has(placeKey(cell))));
      calculation.start(reached);
    },

    calculated: () => when(calculation.atRest),
    idle: () =>
      when(() => calculation.atRest() && [...calls.values()].every(({ result }) => result !== undefined)),

    startOver,
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
      repeat: parameter.repeating === true ? (1 as const) : (0 as const),
    })),
  };
}

function isAnyEntered(matrix: CellMatrix): boolean {
  return Object.values(matrix).some((cells) => Object.values(cells ?? {}).some(isEntered));
}

function firstScalar(result: FunctionResult): FunctionScalar {
  return Array.isArray(result) ? (result[0]?.[0] ?? null) : result;
}
