import { AsyncLocalStorage } from "node:async_hooks";
import { vi } from "vitest";
import { type AppDependencies, startApp } from "../../src/app";
import { connectionStorageKey, storedForm, type UserStorage } from "../../src/settings/connection";
import { learnDates } from "../../src/workbook/sheet/date-system";
// Scripts that load when somebody writes would arrive in real time, but most of these tests use fake time, so they are loaded here.
import "../../src/workbook/sheet/cells/replace-cells";
import "../../src/workbook/sheet/cells/write-formula";
import "../../src/workbook/sheet/tables/cell-marks";
import "../../src/workbook/sheet/tables/table-edit";
import { lastKnownNamespace } from "../../src/workbook/last-known/last-known-values";
import { holdFormulaOf } from "../../src/workbook/sheet/parts/hold-here";
import { createWithoutKey, heldAnswers } from "../../src/workbook/last-known/without-key";
import { partTexts } from "../../src/workbook/sheet/parts/part-texts";
import { createPaneApp, type PaneApp } from "../../src/taskpane/pane-app";
import { parseAddress } from "../../workbench/address";
import { createFunctionBridge } from "../../workbench/host/custom-functions";
import { createDocument, type WorkbookDocument } from "../../workbench/host/office-document";
import type { MessageEntry } from "../../workbench/host/objects/object-events";
import { createSession, type Session } from "../../workbench/host/session";
import type { CellValue, CellView } from "../../workbench/spreadsheet";
import { forgetDateSystem } from "../functions/excel";
import { memoryStorage } from "../settings/memory-storage";
import { baseUrl, recordedService } from "../recorded-service";
import { officeOn, tellOffice } from "../../workbench/memory/office-js";
import { createMemorySpreadsheet, type MemorySpreadsheet } from "../../workbench/memory/memory-spreadsheet";
import { createFunctionRuntime, customFunctions } from "./function-runtime";

type ServiceOptions = NonNullable<Parameters<typeof recordedService>[0]>;

export interface ExcelOptions
  extends
    ServiceOptions,
    Partial<Omit<AppDependencies, "fetch" | "storage" | "hasExcelApi" | "hasDataTypes">> {
  /** The user's key; null if none is saved. Default: the key that sees everything. */
  key?: string | null;
  /** The user's storage on this device; if it is given, `key` is ignored. */
  storage?: UserStorage;
  /** The host's version of ExcelApi. Default: 1.9, what the manifest asks for. */
  excelApi?: string;
  /** The host's version of CustomFunctionsRuntime. Default: 1.4. */
  customFunctionsRuntime?: string;
  /** The platform whose list of calls without undo is played. Default: web. */
  undo?: "web" | "desktop";
  /** For how long a cell shows 0 between #BUSY! and its value. Default: never. */
  zeroMs?: number;
  /** Executes requests one after another, with some milliseconds between them. */
  isPaced?: boolean;
  /** A file to open, as `save` gave it. Default: an empty workbook. */
  file?: SavedFile;
  /** Used instead of the reference service. */
  fetch?: typeof fetch;
  /** Called before each request to the workbook with the number of earlier ones. */
  onRequest?: (requestsBefore: number) => void;
  /** Stands between office.js and Excel: it can cut a request or withhold its answer. Default: all are carried out. */
  deliver?: (request: unknown, carryOut: (request: unknown) => unknown) => unknown;
}

export interface SavedFile {
  spreadsheet: unknown;
  document: unknown;
}

/** Excel with a workbook, and the add-in running in it. */
export interface PlayedExcel {
  /** The interface to the app that the task pane uses. */
  app: PaneApp;
  /** The grid, as the user sees and changes it. */
  spreadsheet: MemorySpreadsheet;
  document: WorkbookDocument;
  /** Requests to the service, from the first. */
  requests: string[];
  /** Makes Excel refuse requests: see `Session.fail`. */
  fail: Session["fail"];
  /** Requests to Excel that the workbench does not model. */
  problems: string[];
  /** How often a call has emptied the list of what the user could undo. */
  undoStackCleared(): number;
  /** Enters values and formulas as a user does; the address may name the sheet. */
  enter(address: string, rows: (CellValue | null)[][]): void;
  cells(address: string): CellView[][];
  values(address: string): CellValue[][];
  /** The message behind the error of one cell. */
  errorMessage(address: string): string | null;
  /** The file that Excel would save. */
  save(): SavedFile;
  /** Closes the workbook. */
  close(): void;
}

/**
 * Opens a workbook without a browser: Microsoft's office.js, the workbench's host and a spreadsheet in memory, with the add-in's formulas
 * and the pane's app, on the reference service. Formulas work only in the workbook that was opened last. For tests with `playExcel()`.
 */
export function openExcel(options: ExcelOptions = {}): PlayedExcel {
  const {
    key = "demo-national",
    storage,
    excelApi = "1.9",
    customFunctionsRuntime = "1.4",
    undo = "web",
    isPaced = false,
    zeroMs,
    file,
    fetch,
    onRequest,
    deliver = (request, carryOut) => carryOut(request),
    ...rest
  } = options;
  const version = {
    excelApi: String(excelApi),
    customFunctionsRuntime: String(customFunctionsRuntime),
    undo,
  };
  const recorded = fetch ? { fetch, requests: [] } : recordedService(rest);
  const problems: string[] = [];
  const report = (problem: string) => void problems.push(problem);
  const spreadsheet = createMemorySpreadsheet();
  const document = createDocument();
  const functions = createFunctionBridge(spreadsheet, customFunctions, {
    ...version,
    report,
    ...(zeroMs !== undefined && { zeroMs }),
  });
  let undoStackCleared = 0;
  const shell = {
    ...{ paneVisible: () => true, showPane() {}, takeFocus() {}, report },
    undoStackCleared: () => void (undoStackCleared += 1),
  };
  const session = createSession(
    {
      ...{ appId: "", addinName: "", conversationId: "", hostOrigin: "", paneVisible: true },
      ...version,
      msBetweenRequests: isPaced ? 15 : undefined,
    },
    { spreadsheet, document, functions, shell },
    (event, data) => {
      if (event === "richApiMessage") tellOffice((data as { ArrayData: MessageEntry[] }).ArrayData);
    },
  );
  let requestsBefore = 0;
  const excel = officeOn({
    invoke(action, data) {
      onRequest?.(requestsBefore++);
      if (loadsAll(data)) {
        report(
          "A load without names brings whatever there is: more than is read, and more than an answer may hold.",
        );
        return Promise.resolve({ Error: 5001 });
      }
      return deliver(data, (request) => session.invoke(action, request));
    },
  });
  vi.stubGlobal("Excel", excel);
  vi.stubGlobal("Office", {
    context: { document: { mode: "readWrite" } },
    DocumentMode: { ReadOnly: "readOnly" },
  });

  const kept =
    storage ?? memoryStorage(key === null ? {} : { [connectionStorageKey]: storedForm({ baseUrl, key }) });
  const hasExcelApi = (wanted: string) => isAtLeast(version.excelApi, wanted);
  const hasDataTypes = () => isAtLeast(version.customFunctionsRuntime, "1.4");
  forgetDateSystem();
  // Each workbook reads the values that came with it itself, as an own process does.
  const brought = createWithoutKey(() => partTexts(lastKnownNamespace));
  const app = startApp({
    ...{ ...rest, fetch: recorded.fetch, storage: kept, hasExcelApi, hasDataTypes },
    learnDates: () => learnDates(excel),
    lastKnown: brought,
    heldAnswers: () => Promise.resolve((asks, results) => heldAnswers(asks, results, brought)),
    readHold: () => excel.run({ delayForCellEdit: true }, holdFormulaOf),
  });
  const runtime = createFunctionRuntime(functions.settle);
  spreadsheet.registerFunctions(customFunctions, functions);
  functions.connect(runtime);
  if (file) {
    document.open(file.document);
    spreadsheet.open(file.spreadsheet);
  }

  const placeOf = (address: string) => {
    const parsed = parseAddress(address);
    const sheet =
      parsed?.sheetName === undefined
        ? spreadsheet.selection().sheetId
        : spreadsheet.sheets().find(({ name }) => name === parsed.sheetName)?.id;
    if (!parsed || sheet === undefined) throw new Error(`no place ${address}`);
    return { sheetId: sheet, rect: parsed.rect };
  };
  const cells = (address: string) => {
    const { sheetId, rect } = placeOf(address);
    return spreadsheet.read(sheetId, rect);
  };

  return {
    app: createPaneApp(app, () => neverInside(excel)),
    spreadsheet,
    document,
    requests: recorded.requests,
    fail: session.fail,
    problems,
    undoStackCleared: () => undoStackCleared,
    enter(address, rows) {
      const { sheetId, rect } = placeOf(address);
      const size = { rows: rows.length, columns: rows[0]?.length ?? 1 };
      spreadsheet.writeFormulas(sheetId, { ...rect, ...size }, rows);
    },
    cells,
    values: (address) => cells(address).map((row) => row.map(({ value }) => value)),
    errorMessage(address) {
      const { sheetId, rect } = placeOf(address);
      return spreadsheet.errorMessage(sheetId, rect.row, rect.column);
    },
    save: () => ({ spreadsheet: spreadsheet.save(), document: document.save() }),
    close: session.close,
  };
}

/** The query that office.js sends for a load without names. Inside a cell's text the quotation marks would be escaped. */
const loadOfAll = /"QueryInfo":\{(?!"Select":\[")/;

/** True if a request to the workbook loads an object without naming the properties. */
function loadsAll(data: unknown): boolean {
  const { ArrayData } = data as { ArrayData?: unknown[] };
  return loadOfAll.test(String(ArrayData?.[4]));
}

function isAtLeast(version: string, wanted: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split(".").map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

const runUnderWay = new AsyncLocalStorage<true>();

/** Excel's API, which refuses an Excel.run inside of another one: that would be a second connection, whose requests come in between. */
function neverInside(excel: typeof Excel): typeof Excel {
  const run = (...args: readonly unknown[]) => {
    if (runUnderWay.getStore()) throw new Error("Excel.run stands inside of another Excel.run.");
    const work = args.at(-1) as (context: Excel.RequestContext) => Promise<unknown>;
    const inside = (context: Excel.RequestContext) => runUnderWay.run(true, () => work(context));
    return Reflect.apply(excel.run, excel, [...args.slice(0, -1), inside]) as Promise<unknown>;
  };
  return new Proxy(excel, {
    get: (target, name) => (name === "run" ? run : (Reflect.get(target, name) as unknown)),
  });
}
