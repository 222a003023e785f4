import * as z from "zod/mini";
import type {
  FunctionCall,
  FunctionDefinition,
  FunctionResult,
  FunctionRunner,
  FunctionScalar,
  Spreadsheet,
} from "../spreadsheet";
import { readDataType } from "./data-types";
import type { MessageEntry } from "./object-events";

const parameter = z.object({
  name: z.string(),
  description: z._default(z.string(), ""),
  optional: z._default(z.boolean(), false),
  repeating: z._default(z.boolean(), false),
  dimensionality: z._default(z.enum(["scalar", "matrix"]), "scalar"),
});
const metadata = z.object({
  allowErrorForDataTypeAny: z._default(z.boolean(), false),
  functions: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z._default(z.string(), ""),
      parameters: z._default(z.array(parameter), []),
      options: z._default(z.record(z.string(), z.unknown()), {}),
    }),
  ),
});

/** A function of functions.json and what its calls must carry. */
export interface CustomFunction extends FunctionDefinition {
  cancelable: boolean;
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
  const { functions, allowErrorForDataTypeAny } = metadata.parse(json);
  if (allowErrorForDataTypeAny) report("The workbench does not model allowErrorForDataTypeAny.");
  return functions.flatMap(({ options, parameters, ...definition }) => {
    const name = `${namespace}.${definition.name}`;
    const missing = notModelledOptions.filter((option) => options[option] === true);
    if (parameters.some(({ repeating }) => repeating)) missing.push("repeating parameters");
    if (missing.length > 0) {
      report(`${name} is left out: the workbench does not model ${missing.join(", ")}.`);
      return [];
    }
    return [{ ...definition, parameters, name, cancelable: options.cancelable === true }];
  });
}

/** The numbers of office.js's custom-function messages. */
const CUSTOM_FUNCTIONS = 1;
const INVOKE = 1000;
const CANCEL = 1001;
const CANCELABLE = 1;

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

/**
 * Carries the grid's calls to the functions in the add-in's page and their results back. A result that Excel, by its
 * `excelApi` of that moment, would not take becomes #VALUE! and is named to `report`, once.
 */
export function createFunctionBridge(
  spreadsheet: Spreadsheet,
  functions: CustomFunction[],
  excel: { readonly excelApi: string; report: (problem: string) => void },
): FunctionBridge {
  const names = new Map(functions.map(({ id, name }) => [id, name]));
  const reported = new Set<string>();
  const cancelable = new Set(functions.filter((definition) => definition.cancelable).map(({ id }) => id));
  const unanswered = new Map<number, FunctionCall>();
  let post: ((entries: MessageEntry[]) => void) | null = null;

  const invocation = ({ id, functionId, args }: FunctionCall): MessageEntry => {
    const NO_ADDRESS = "";
    const message = [id, functionId, args, NO_ADDRESS, cancelable.has(functionId) ? CANCELABLE : 0];
    return [CUSTOM_FUNCTIONS, INVOKE, "", JSON.stringify(message), 0, false];
  };

  function cellResult(functionId: string, value: unknown): FunctionResult {
    const cell = (entry: unknown) => scalar(functionId, entry);
    if (!Array.isArray(value)) return cell(value);
    const columns = Array.isArray(value[0]) ? value[0].length : 0;
    const isMatrix = columns > 0 && value.every((row) => Array.isArray(row) && row.length === columns);
    return isMatrix ? value.map((row: unknown[]) => row.map(cell)) : failure("#VALUE!");
  }

  function scalar(functionId: string, value: unknown): FunctionScalar {
    if (
      value === null ||
      typeof value === "string" ||
      typeof value === "number" ||
      typeof value === "boolean"
    )
      return value;
    const error = returnedError.safeParse(value).data;
    if (error) return failure(error.basicValue, error.message);
    try {
      return readDataType(value, excel.excelApi);
    } catch (cause) {
      const problem = `${names.get(functionId)} returned ${(cause as Error).message}.`;
      if (!reported.has(problem)) excel.report(problem);
      reported.add(problem);
      return failure("#VALUE!");
    }
  }

  return {
    call(calls) {
      for (const call of calls) unanswered.set(call.id, call);
      post?.(calls.map(invocation));
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

const returnedError = z.object({
  type: z.literal("Error"),
  basicValue: z.string(),
  message: z.optional(z.string()),
});

function failure(error: string, message?: unknown): { error: string; message: string } {
  return { error, message: typeof message === "string" && errorsWithMessage.has(error) ? message : "" };
}
