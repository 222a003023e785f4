import { afterEach, beforeEach, expect, vi } from "vitest";
import { type App, type AppDependencies, startApp } from "../../src/app";
// A script that a formula loads on demand would arrive in real time, but these tests use fake time, so it is loaded here.
import "../../src/engine/lookup/answers/ask-data-points";
import "../../src/engine/lookup/directory/identify";
import "../../src/engine/lookup/directory/tell-apart";
import "../../src/engine/lookup/jurisdiction-argument";
import "../../src/engine/lookup/lists/county-names";
import "../../src/engine/lookup/lists/successors";
import "../../src/engine/lookup/search/find-ahjs";
import "../../src/engine/lookup/search/did-you-mean";
import "../../src/engine/lookup/search/meant-name";
import "../../src/engine/lookup/search/find-named";
import "../../src/engine/lookup/search/find-types";
import "../../src/engine/lookup/collections/collection-runs";
import "../../src/functions/collection";
import "../../src/functions/data-type-arguments";
import "../../src/functions/dated-answers";
import "../../src/functions/matrix";
import "../../src/key-forms";
import "../../src/functions/find/found-jurisdictions";
import "../../src/functions/lists-and-collections";
import * as functions from "../../src/functions/functions";
import { connectionStorageKey, storedForm, type UserStorage } from "../../src/settings/connection";
import { defaultPreferences, type Preferences } from "../../src/settings/preferences";
import type { RegisteredFunction } from "../../src/workbook/formula-text/formula-examples";
import { useDateSystem } from "../../src/workbook/sheet/date-system";
import { dateSystem } from "../../src/workbook/sheet/values/serial-date";
import { createService } from "../../reference-service/service";
import { memoryStorage } from "../settings/memory-storage";
import { turnsAndDigests, watchDigests } from "../real-digests";
import { baseUrl, type Interception, recordedService } from "../recorded-service";

/** Excel's error as the functions' runtime knows it. */
class ExcelError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Plays clocks, timers and the functions' runtime for each test of a file. */
export function playExcel() {
  beforeEach(() => {
    watchDigests();
    vi.useFakeTimers({
      now: new Date("2026-03-12T12:00:00Z"),
      toFake: ["Date", "setTimeout", "clearTimeout"],
    });
    vi.stubGlobal("CustomFunctions", {
      Error: ExcelError,
      ErrorCode: {
        notAvailable: "#N/A",
        invalidValue: "#VALUE!",
        divisionByZero: "#DIV/0!",
        invalidNumber: "#NUM!",
        nullReference: "#NULL!",
      },
    });
  });
  afterEach(() => {
    forgetDateSystem();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}

/** Forgets the date system, as a runtime that has just started: each workbook has one of its own. */
export function forgetDateSystem() {
  useDateSystem(false);
  dateSystem.isKnown = false;
}

export interface StartOptions extends NonNullable<Parameters<typeof recordedService>[0]> {
  /** The user's key; null if none is saved. Default: the key that sees everything. */
  key?: string | null;
  /** The host's version of ExcelApi, such as 1.16; a function to play more of it. Default: none. */
  excelApi?: number | AppDependencies["hasExcelApi"];
  /** True if custom functions may give data types. Default: true. */
  hasDataTypes?: boolean;
  preferences?: Partial<Preferences>;
  /** Answers that travel with the workbook. Default: none. */
  lastKnown?: AppDependencies["lastKnown"];
  /** Learns the workbook's date system. Default: the usual one is taken. */
  learnDates?: AppDependencies["learnDates"];
  /** Changes the storage that the app is given. */
  storage?: (storage: UserStorage) => UserStorage;
}

/** Starts the app that the formulas use, on the reference service. */
export function start(options: StartOptions = {}): { app: App; requests: string[] } {
  const {
    key = "demo-national",
    excelApi = 0,
    hasDataTypes = true,
    preferences,
    storage = (kept) => kept,
    lastKnown,
    learnDates,
    ...service
  } = options;
  const { fetch, requests } = recordedService(service);
  const hasExcelApi =
    typeof excelApi === "number" ? (version: string) => Number(version) <= excelApi : excelApi;
  const kept = memoryStorage({
    ...(key === null ? {} : { [connectionStorageKey]: storedForm({ baseUrl, key }) }),
    ...(preferences && {
      "regdata.preferences": JSON.stringify({ version: 1, ...defaultPreferences, ...preferences }),
    }),
  });
  return {
    app: startApp({
      fetch,
      storage: storage(kept),
      hasExcelApi,
      hasDataTypes: () => hasDataTypes,
      lastKnown,
      learnDates,
    }),
    requests,
  };
}

/** The formulas, and which of their parameters Excel passes as rows even where a single value is given. */
export const formulas = {
  VALUE: { run: functions.value, matrices: [0, 1] },
  MATRIX: { run: functions.matrix, matrices: [0, 1] },
  CITATION: { run: functions.citation, matrices: [0, 1] },
  CARD: { run: functions.card, matrices: [0, 1] },
  CHANGED: { run: functions.changed, matrices: [0, 1] },
  GEOID: { run: functions.geoid, matrices: [0, 1] },
  AHJ: { run: functions.ahj, matrices: [0, 1] },
  AHJS: { run: functions.ahjs, matrices: [] },
  TYPES: { run: functions.types, matrices: [] },
  CATEGORIES: { run: functions.categories, matrices: [] },
  UNITS: { run: functions.units, matrices: [] },
  COLLECTIONS: { run: functions.collections, matrices: [] },
  COLLECTION: { run: functions.collection, matrices: [1] },
  FIND: { run: functions.find, matrices: [0, 1, 2] },
} satisfies Record<RegisteredFunction, { run: (...args: never[]) => Promise<unknown>; matrices: number[] }>;

export type FormulaName = keyof typeof formulas;
export const formulaNames = Object.keys(formulas) as FormulaName[];

export interface Called {
  /** The value that the cell shows, or Excel's error. */
  settled: Promise<unknown>;
  /** Cancels the call, as Excel does when the cell is deleted or recalculated. */
  cancel(): void;
}

/** Calls a formula as Excel does: a range as rows, an omitted argument as null. */
export function call(name: FormulaName, ...given: unknown[]): Called {
  return callWith({}, name, ...given);
}

/** Calls a formula while the user still types, as a host with a formula preview does. */
export function preview(name: FormulaName, ...given: unknown[]): Called {
  return callWith({ isInValuePreview: true }, name, ...given);
}

function callWith(state: object, name: FormulaName, ...given: unknown[]): Called {
  const { run, matrices } = formulas[name] as {
    run: (...args: unknown[]) => Promise<unknown>;
    matrices: readonly number[];
  };
  const args = Array.from({ length: run.length - 1 }, (_, index) => {
    const argument = given[index] ?? null;
    if (argument === null && index >= given.length) return null;
    return matrices.includes(index) && !Array.isArray(argument) ? [[argument]] : argument;
  });
  const invocation: Partial<CustomFunctions.CancelableInvocation> = { ...state };
  const settled = run(...args, invocation).then(shown, (error: unknown) => error);
  return { settled, cancel: () => invocation.onCanceled?.() };
}

/** Functions give rows, as functions.json declares; the result for a single cell is returned without them. */
function shown(given: unknown): unknown {
  if (!Array.isArray(given) || !given.every(Array.isArray)) return new Error(`no rows but ${String(given)}`);
  const rows = given as unknown[][];
  return rows.length === 1 && rows[0]?.length === 1 ? rows[0][0] : rows;
}

/** The values of the cells of one recalculation, once all are there or the time is over. */
export async function settled(called: readonly Called[], withinMs = 20_000): Promise<unknown[]> {
  let outcomes: unknown[] | undefined;
  const waiting = new Set(called.keys());
  const settling = called.map((one, index) => one.settled.finally(() => waiting.delete(index)));
  void Promise.all(settling).then((all) => (outcomes = all));
  for (let turn = 0; turn < 200 && !outcomes; turn += 1) {
    await advance(withinMs / 200);
  }
  if (!outcomes) {
    const places = [...waiting].map((index) => index + 1).join(", ");
    throw new Error(`No answer within ${withinMs} ms to formula ${places} of ${called.length}.`);
  }
  return outcomes;
}

/** The value that a cell shows. */
export async function result(name: FormulaName, ...given: unknown[]): Promise<unknown> {
  const [outcome] = await settled([call(name, ...given)]);
  return outcome;
}

/** The rows of a range; fails if the result is a single value or error. */
export async function rowsOf(name: FormulaName, ...given: unknown[]): Promise<unknown[][]> {
  const rows = await result(name, ...given);
  if (!Array.isArray(rows)) throw new Error(`No rows but ${String(rows)}`);
  return rows as unknown[][];
}

/** Cells with each error as a text, to compare whole results. */
export const readable = (rows: unknown[][]) =>
  rows.map((cells) =>
    cells.map((cell) => (cell instanceof ExcelError ? `${cell.code} ${cell.message}` : cell)),
  );

/** Lets time pass, once the scripts that load on demand have come: they take real time, however fast the fake clock runs. */
export async function pass(ms: number, isOver = () => false) {
  await vi.dynamicImportSettled();
  for (let turn = 0; turn < 20 && !isOver(); turn += 1) await advance(ms / 20);
}

/** Advances the fake clock, and gives response bodies the turns of the event loop that fake timers do not give. */
async function advance(ms: number) {
  await turnsAndDigests(1);
  await vi.advanceTimersByTimeAsync(ms);
  await turnsAndDigests(1);
}

/** A range of one column, or of one row. */
export const column = (...cells: unknown[]) => cells.map((cell) => [cell]);
export const row = (...cells: unknown[]) => [cells];

/** Excel's errors, each with the sentence that the cell's card shows. */
export const notAvailable = (sentence: RegExp): unknown => excelError("#N/A", sentence);
export const invalidValue = (sentence: RegExp): unknown => excelError("#VALUE!", sentence);

function excelError(code: string, sentence: RegExp): unknown {
  return expect.objectContaining({ code, message: expect.stringMatching(sentence) as unknown });
}

/** An answer's `data`, which a test may change into something that no type allows. */
// eslint-disable-next-line typescript/no-explicit-any
export type Sent = any;

/** Changes what the service answers to requests whose `METHOD /path` matches. */
export function answering(pattern: RegExp, change: (data: Sent) => void): Interception {
  const service = createService();
  return async (request) => {
    if (!pattern.test(`${request.method} ${new URL(request.url).pathname}`)) return undefined;
    const answer = await service.fetch(request.clone());
    const body = (await answer.json()) as { data: unknown };
    change(body.data);
    return Response.json(body, { status: answer.status });
  };
}

/** A service that can be reached until `isDown`; then no request reaches it. */
export function outage(): { isDown: boolean; intercept: Interception } {
  const state = {
    isDown: false,
    intercept: () => (state.isDown ? Promise.reject(new TypeError("no network")) : undefined),
  };
  return state;
}
