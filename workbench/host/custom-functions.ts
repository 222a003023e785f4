import * as z from "zod/mini";
import { MAX_ROWS } from "../address";
import type {
  DataType,
  FunctionCall,
  FunctionResult,
  FunctionRunner,
  FunctionScalar,
  Spreadsheet,
} from "../spreadsheet";
import type { CustomFunction } from "./function-metadata";
import { readDataType } from "./objects/json-values";
import type { MessageEntry } from "./objects/object-events";

/** The longest text that a cell holds. */
const MOST_TEXT_CHARACTERS = 32_767;

/** The numbers of office.js's custom-function messages. */
const CUSTOM_FUNCTIONS = 1;
const INVOKE = 1000;
const CANCEL = 1001;
/** Flags of a call: it can be canceled; it gives results again and again; arguments that are data types come as `{ value: JSON text }`. */
const CANCELABLE = 1;
const STREAMING = 2;
const DATA_TYPE_ARGUMENTS = 8;

/** The error that a cell shows for the code in a failed result. */
const errorOfCode: Record<number, string> = {
  0: "#NUM!",
  1: "#N/A",
  5: "#DIV/0!",
  6: "#NUM!",
  8: "#NULL!",
  9: "#N/A",
  10: "#N/A",
};

/** The errors with which Excel shows a function's own message. */
const errorsWithMessage = new Set(["#VALUE!", "#N/A"]);

/** Id, success, value; or id, failure, message, code. More may follow. */
const resultEntry = z.union([
  z.tuple([z.number(), z.literal(true), z.unknown()], z.unknown()),
  z.tuple([z.number(), z.literal(false), z.unknown(), z.number()], z.unknown()),
]);

export interface FunctionBridge extends FunctionRunner {
  /** A runtime has started and can be called: everything that waits for an answer goes out to it. */
  connect(post: (entries: MessageEntry[]) => void): void;
  /** The runtime is gone; calls wait for the next one. */
  disconnect(): void;
  /** Takes the argument of `SetInvocationArrayResults`. */
  settle(results: unknown): void;
}

/** Data types in custom functions came with this set (custom-functions-requirement-sets.md). */
const DATA_TYPES_RUNTIME = 4;

/** The version of Excel that calls the functions. It decides which results are accepted. */
interface CallingExcel {
  /** The highest requirement set ExcelApi, such as "1.19". */
  readonly excelApi: string;
  /** The highest requirement set CustomFunctionsRuntime, such as "1.4". */
  readonly customFunctionsRuntime: string;
  report: (problem: string) => void;
  /** For how long a cell shows 0 between #BUSY! and its value, as Excel on the web sometimes does (OfficeDev/office-js#6577). Default: never. */
  readonly zeroMs?: number;
}

/**
 * Carries the grid's calls to the functions in the add-in's page and their results back. A result that this Excel would
 * not take becomes #VALUE! and is named to `report`, once.
 */
export function createFunctionBridge(
  spreadsheet: Spreadsheet,
  functions: CustomFunction[],
  excel: CallingExcel,
): FunctionBridge {
  const definitions = new Map(functions.map((definition) => [definition.id, definition]));
  const reported = new Set<string>();
  const unanswered = new Map<number, FunctionCall>();
  let post: ((entries: MessageEntry[]) => void) | null = null;

  const knowsDataTypes = () => Number(excel.customFunctionsRuntime.split(".")[1]) >= DATA_TYPES_RUNTIME;

  const invocation = ({
    id,
    functionId,
    args,
    address = "",
    parameterAddresses,
  }: FunctionCall): MessageEntry => {
    const definition = definitions.get(functionId);
    const passesDataTypes = definition?.usesDataTypes === true && knowsDataTypes();
    const flags =
      (definition?.cancelable ? CANCELABLE : 0) |
      (definition?.isStreaming ? STREAMING : 0) |
      (passesDataTypes ? DATA_TYPE_ARGUMENTS : 0);
    const message: unknown[] = [
      id,
      functionId,
      args.map((each) => argument(each, passesDataTypes)),
      address,
      flags,
    ];
    if (parameterAddresses) message.push(parameterAddresses);
    return [CUSTOM_FUNCTIONS, INVOKE, "", JSON.stringify(message), 0, false];
  };

  function refused(functionId: string, why: string): { error: string; message: string } {
    const problem = `${definitions.get(functionId)?.name ?? functionId} ${why}.`;
    if (!reported.has(problem)) excel.report(problem);
    reported.add(problem);
    return failure("#VALUE!");
  }

  function cellResult(functionId: string, value: unknown): FunctionResult {
    const cell = (entry: unknown) => scalar(functionId, entry);
    const isDeclaredMatrix = definitions.get(functionId)?.returnsMatrix === true;
    // An array from a function whose result is not declared as a matrix shows #VALUE! (OfficeDev/office-js#2486).
    if (Array.isArray(value) && !isDeclaredMatrix)
      return refused(functionId, "returned an array, which its result in functions.json does not declare");
    // Microsoft does not document a single value from a function that declares a matrix: the strict assumption.
    if (!Array.isArray(value) && isDeclaredMatrix)
      return refused(functionId, "returned a single value, where functions.json declares a matrix");
    if (!Array.isArray(value)) return cell(value);
    const columns = Array.isArray(value[0]) ? value[0].length : 0;
    const isMatrix = columns > 0 && value.every((row) => Array.isArray(row) && row.length === columns);
    return isMatrix ? value.map((row: unknown[]) => row.map(cell)) : failure("#VALUE!");
  }

  function scalar(functionId: string, value: unknown): FunctionScalar {
    // excel.calcerrorcellvaluesubtype.yml: a text that no cell can hold.
    if (typeof value === "string" && value.length > MOST_TEXT_CHARACTERS) return failure("#CALC!");
    if (
      value === null ||
      typeof value === "string" ||
      typeof value === "number" ||
      typeof value === "boolean"
    )
      return value;
    const error = returnedError.safeParse(value).data;
    if (error) return failure(error.basicValue, error.message);
    // custom-functions-data-types-concepts.md: data types have to be enabled in the metadata.
    if (definitions.get(functionId)?.usesDataTypes !== true)
      return refused(
        functionId,
        "returned a data type without allowCustomDataForDataTypeAny in functions.json",
      );
    if (!knowsDataTypes())
      return refused(
        functionId,
        `returned a data type, which needs CustomFunctionsRuntime 1.4; this is ${excel.customFunctionsRuntime}`,
      );
    try {
      return readDataType(value, excel.excelApi);
    } catch (cause) {
      return refused(functionId, `returned ${(cause as Error).message}`);
    }
  }

  return {
    call(calls) {
      // A whole column as an argument is #CALC! on the web, and the function is not called (OfficeDev/office-js#4613).
      const refused = calls.filter(({ args }) => args.some(isWholeColumn));
      const asked = calls.filter((call) => !refused.includes(call));
      for (const call of asked) unanswered.set(call.id, call);
      if (asked.length > 0) post?.(asked.map(invocation));
      if (refused.length > 0)
        queueMicrotask(() =>
          spreadsheet.settle(refused.map(({ id }) => ({ id, result: failure("#CALC!") }))),
        );
    },
    cancel(ids) {
      const wanted = ids.filter((id) => unanswered.delete(id));
      const message = (invocationId: number) => JSON.stringify({ invocationId });
      if (wanted.length > 0)
        post?.(wanted.map((id) => [CUSTOM_FUNCTIONS, CANCEL, "", message(id), 0, false]));
    },
    connect(next) {
      post = next;
      if (unanswered.size > 0) post([...unanswered.values()].map(invocation));
    },
    disconnect() {
      post = null;
    },
    settle(results) {
      const entries = z.array(resultEntry).parse(results);
      const settled = entries.flatMap(([id, succeeded, value, code]) => {
        const call = unanswered.get(id);
        if (!call) return [];
        // A stream goes on until its cell no longer needs it.
        if (definitions.get(call.functionId)?.isStreaming !== true) unanswered.delete(id);
        const result = succeeded
          ? cellResult(call.functionId, value)
          : failure(errorOfCode[Number(code)] ?? "#VALUE!", value);
        return { id, result };
      });
      if (excel.zeroMs === undefined) return spreadsheet.settle(settled);
      spreadsheet.showZero(settled.map(({ id }) => id));
      setTimeout(() => spreadsheet.settle(settled), excel.zeroMs);
    },
  };
}

function isWholeColumn(argument: FunctionCall["args"][number]): boolean {
  if (!Array.isArray(argument)) return false;
  // A repeating parameter has a range for each argument.
  return (
    argument.length >= MAX_ROWS || argument.some((each) => Array.isArray(each) && each.length >= MAX_ROWS)
  );
}

/** An argument on the wire: `dataTypes` as objects of their own, or as the value that formulas calculate with. */
function argument(given: unknown, dataTypes: boolean): unknown {
  if (Array.isArray(given)) return given.map((each) => argument(each, dataTypes));
  if (typeof given !== "object" || given === null) return given;
  const { value, object } = given as DataType;
  return dataTypes ? { value: JSON.stringify(object) } : value;
}

const returnedError = z.object({
  type: z.literal("Error"),
  basicValue: z.string(),
  message: z.optional(z.string()),
});

function failure(error: string, message?: unknown): { error: string; message: string } {
  return { error, message: typeof message === "string" && errorsWithMessage.has(error) ? message : "" };
}
