import * as z from "zod/mini";
import { MAX_ROWS } from "../address";
import type {
  DataType,
  FunctionCall,
  FunctionDefinition,
  FunctionResult,
  FunctionRunner,
  FunctionScalar,
  Spreadsheet,
} from "../spreadsheet";
import { readDataType } from "./objects/json-values";
import type { MessageEntry } from "./objects/object-events";

const dimensionality = z._default(z.enum(["scalar", "matrix"]), "scalar");
const parameter = z.object({
  name: z.string(),
  description: z._default(z.string(), ""),
  optional: z._default(z.boolean(), false),
  repeating: z._default(z.boolean(), false),
  dimensionality,
  cellValueType: z.optional(z.string()),
  type: z._default(z.enum(["any", "boolean", "number", "string"]), "any"),
  customEnumId: z.optional(z.string()),
});
const text = z.string().check(z.minLength(1));
/** A value per type of the enum (custom-functions-json.md, "Edit custom enums in JSON metadata"). */
const enumValue = { name: text, tooltip: z.optional(z.string()) };
const customEnum = z.discriminatedUnion("type", [
  z.object({
    ...{ id: text, type: z.literal("string") },
    values: z.array(z.strictObject({ ...enumValue, stringValue: z.string() })),
  }),
  z.object({
    ...{ id: text, type: z.literal("number") },
    values: z.array(z.strictObject({ ...enumValue, numberValue: z.number() })),
  }),
]);
const metadata = z.object({
  allowErrorForDataTypeAny: z._default(z.boolean(), false),
  allowCustomDataForDataTypeAny: z._default(z.boolean(), false),
  functions: z.array(
    z.object({
      // Three characters at least, a letter first (custom-functions-naming.md, unified-manifest-overview.md).
      id: z.string().check(z.regex(/^[\p{L}][\p{L}\p{N}_.]{2,}$/u)),
      name: z.string().check(z.regex(/^[\p{L}][\p{L}\p{N}_.]{2,}$/u)),
      description: z._default(z.string(), ""),
      result: z._default(z.object({ dimensionality }), { dimensionality: "scalar" }),
      parameters: z._default(z.array(parameter), []),
      options: z._default(z.record(z.string(), z.unknown()), {}),
    }),
  ),
  enums: z._default(z.array(customEnum), []),
});

/** A function of functions.json, and what it says of its calls and results. */
export interface CustomFunction extends FunctionDefinition {
  cancelable: boolean;
  /** The result is declared as rows of values; otherwise it is one value. */
  returnsMatrix: boolean;
}

const notModelledOptions = ["stream", "volatile", "requiresAddress", "requiresParameterAddresses"];

/**
 * Reads functions.json. Functions with an option that the workbench does not model are left out, so that their
 * cells say #NAME?, and are named to `report`.
 */
export function readFunctions(
  json: unknown,
  namespace: string,
  report: (problem: string) => void,
): CustomFunction[] {
  const { functions, enums, allowErrorForDataTypeAny, allowCustomDataForDataTypeAny } = metadata.parse(json);
  // Their ids are not case-sensitive (custom-functions-json.md). Suggestions themselves are the formula bar's, which is not played.
  const enumIds = new Set(enums.map(({ id }) => id.toLowerCase()));
  if (enumIds.size < enums.length) throw new Error("Two enums of functions.json have the same id.");
  if (allowErrorForDataTypeAny) report("The workbench does not model allowErrorForDataTypeAny.");
  return functions.flatMap(({ options, parameters, result, ...definition }) => {
    const name = `${namespace}.${definition.name}`;
    const missing = notModelledOptions.filter((option) => options[option] === true);
    if (parameters.some(({ repeating }) => repeating)) missing.push("repeating parameters");
    // Microsoft does not say how a number or a blank arrives where words are suggested for a text.
    if (parameters.some(({ type, customEnumId }) => customEnumId !== undefined && type !== "any"))
      missing.push('enums of parameters of another type than "any"');
    const lost = parameters.find(
      ({ customEnumId: id }) => id !== undefined && !enumIds.has(id.toLowerCase()),
    );
    if (lost) throw new Error(`${name} names the enum ${lost.customEnumId}, which functions.json lacks.`);
    if (missing.length > 0) {
      report(`${name} is left out: the workbench does not model ${missing.join(", ")}.`);
      return [];
    }
    // custom-functions-json.md: a parameter with `cellValueType` allows data types without the flag.
    const usesDataTypes =
      allowCustomDataForDataTypeAny || parameters.some(({ cellValueType }) => cellValueType !== undefined);
    return [
      {
        ...definition,
        parameters: parameters.map(({ cellValueType: _, type: __, customEnumId: ___, ...rest }) => rest),
        name,
        cancelable: options.cancelable === true,
        returnsMatrix: result.dimensionality === "matrix",
        usesDataTypes,
      },
    ];
  });
}

/** What a cell holds. */
const MOST_TEXT_CHARACTERS = 32_767;

/** The numbers of office.js's custom-function messages. */
const CUSTOM_FUNCTIONS = 1;
const INVOKE = 1000;
const CANCEL = 1001;
/** Flags of a call: it can be canceled; arguments that are data types come as `{ value: JSON text }`. */
const CANCELABLE = 1;
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

/** Excel shows a function's own words with these two errors only. */
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

/** The version of Excel that calls the functions, as far as it decides what becomes of their results. */
export interface CallingExcel {
  /** The highest requirement set ExcelApi, such as "1.19". */
  readonly excelApi: string;
  /** The highest requirement set CustomFunctionsRuntime, such as "1.4". */
  readonly customFunctionsRuntime: string;
  report: (problem: string) => void;
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

  const invocation = ({ id, functionId, args }: FunctionCall): MessageEntry => {
    const NO_ADDRESS = "";
    const definition = definitions.get(functionId);
    const passesDataTypes = definition?.usesDataTypes === true && knowsDataTypes();
    const flags = (definition?.cancelable ? CANCELABLE : 0) | (passesDataTypes ? DATA_TYPE_ARGUMENTS : 0);
    const message = [id, functionId, args.map((each) => argument(each, passesDataTypes)), NO_ADDRESS, flags];
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
    // Microsoft does not say what becomes of a single value where a matrix is declared: the harder reading.
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
      spreadsheet.settle(
        entries.flatMap(([id, succeeded, value, code]) => {
          const call = unanswered.get(id);
          if (!call) return [];
          unanswered.delete(id);
          const result = succeeded
            ? cellResult(call.functionId, value)
            : failure(errorOfCode[Number(code)] ?? "#VALUE!", value);
          return { id, result };
        }),
      );
    },
  };
}

function isWholeColumn(argument: FunctionCall["args"][number]): boolean {
  return Array.isArray(argument) && argument.length >= MAX_ROWS;
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
