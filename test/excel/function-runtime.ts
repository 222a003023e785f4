import { config } from "../../src/config";
import type { CustomFunction } from "../../workbench/host/function-metadata";
import type { MessageEntry } from "../../workbench/host/objects/object-events";
import { type FormulaName, formulas } from "../functions/excel";

/** The add-in's functions, described as far as Excel's calculation needs. */
export const customFunctions: CustomFunction[] = Object.entries(formulas).map(([id, { run, matrices }]) => ({
  id,
  name: `${config.namespace}.${id}`,
  description: "",
  cancelable: true,
  returnsMatrix: true,
  usesDataTypes: true,
  // The invocation, the last parameter, is left out.
  parameters: Array.from({ length: run.length - 1 }, (_, index) => ({
    ...{ name: String(index), description: "", optional: true },
    dimensionality: (matrices as readonly number[]).includes(index)
      ? ("matrix" as const)
      : ("scalar" as const),
  })),
}));

/**
 * The part of office.js's runtime of custom functions that the host sees: calls are made at once, and their results are handed over
 * together after a moment.
 */
export function createFunctionRuntime(settle: (results: unknown) => void) {
  const running = new Map<number, { onCanceled?: (() => void) | undefined }>();
  let ended: unknown[] = [];

  function end(id: number, entry: unknown[]) {
    if (!running.delete(id)) return;
    if (ended.push([id, ...entry]) === 1)
      setTimeout(() => {
        const results = ended;
        ended = [];
        settle(results);
      }, handOverMs);
  }

  return (entries: MessageEntry[]) => {
    for (const [, type, , json] of entries) {
      if (type === cancel) {
        const { invocationId } = JSON.parse(json) as { invocationId: number };
        const invocation = running.get(invocationId);
        running.delete(invocationId);
        invocation?.onCanceled?.();
      }
      if (type !== invoke) continue;
      const [id, functionId, sent] = JSON.parse(json) as [number, string, unknown[]];
      const args = sent.map(asGiven);
      const invocation = {};
      running.set(id, invocation);
      const { run } = formulas[functionId as FormulaName] as { run: (...all: unknown[]) => Promise<unknown> };
      run(...args, invocation).then(
        (value) => end(id, [true, asSent(value)]),
        ({ code, message }: { code?: string; message: string }) =>
          end(id, [false, message, code === "#N/A" ? notAvailable : invalidValue]),
      );
    }
  };
}

const [invoke, cancel] = [1000, 1001];
const handOverMs = 200;
const [notAvailable, invalidValue] = [1, 2];

/** A data type is passed to a function as an object that holds its text. */
function asGiven(argument: unknown): unknown {
  if (Array.isArray(argument)) return argument.map(asGiven);
  if (typeof argument !== "object" || argument === null) return argument;
  return JSON.parse((argument as { value: string }).value) as unknown;
}

/** An error inside rows is sent as a cell value of the type Error. */
function asSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asSent);
  if (value instanceof Error) {
    const { code, message } = value as Error & { code?: string };
    return { type: "Error", basicValue: code, message };
  }
  return value;
}
