import * as z from "zod/mini";
import type { FunctionBridge } from "./custom-functions";
import { appContext } from "./launch";
import type { Launch } from "./launch";
import { createBindingEvents } from "./binding-events";
import { createObjectEvents } from "./objects/object-events";
import type { MessageEntry } from "./objects/object-events";
import type { Model } from "./objects/object-model";
import { halfOf, setsSomething } from "./half-request";
import type { Refusal, RequestNote } from "./request-text";
import { createRichApi } from "./rich-api";
import type { Conversant } from "./office-messages";
import { getSelectedData, setSelectedData } from "./selected-data";
import { UNDO_GROUP_FLAG } from "./objects/undo";

/** Excel on the web takes and gives no more than this in one request. */
const PAYLOAD_LIMIT_BYTES = 5 * 1024 * 1024;

/** The numbers that office.js gives its methods and what can go wrong in them. */
const Dispatch = {
  getSelectedData: 64,
  setSelectedData: 65,
  getBinding: 68,
  saveSettings: 76,
  richApi: 93,
  commandCompleted: 94,
} as const;
const Failure = {
  bindingNotExist: 3002,
  notSupported: 5000,
  cellIsEdited: 5004,
  requestTooLarge: 5103,
  responseTooLarge: 5104,
} as const;

/** The refusals of whole requests, in words. */
const failureTexts: Record<number, string> = {
  [Failure.notSupported]: "The operation is not supported.",
  [Failure.cellIsEdited]: "A cell is being edited.",
  5012: "The session has timed out.",
  5102: "There were too many requests.",
  [Failure.requestTooLarge]: "The request is larger than 5 MB.",
  [Failure.responseTooLarge]: "The answer is larger than 5 MB.",
  7000: "Access is denied.",
};
/** A longer request is noted without its steps. */
const MOST_NOTED_CHARACTERS = 2 ** 18;

/** The flag of a request that waits for the end of a cell's editing (office.js sets it for `delayForCellEdit`). */
const DELAY_FOR_CELL_EDIT = 64;

/** How office.js asks for the workbook, and hands over results; its other services do not touch the sheets. */
const touchesWorkbook = /"ObjectPathType":1[,}]|"Name":"SetInvocationArrayResults"/;

/** Requests to move the focus, by the number with which the page in the frame sends them (`OSF.AgaveHostAction`). */
const focusMoves: Record<number, "previous" | "grid"> = {
  5: "grid", // Ctrl+F6
  6: "grid", // Ctrl+Shift+F6
  13: "grid", // Tab at the last control
  14: "previous", // Shift+Tab at the first
  15: "grid", // Esc
  17: "grid", // Tab where nothing can have the focus
  18: "previous",
};

/** A richApiMessage that calls a function: office.js's ActionMessageCategory and ActionDispatchMessageType. */
const ACTION = 2;
const ACTION_DISPATCHED = 1000;

const SETTINGS_CHANGED = "settingsChanged";

/**
 * The events of Office.js itself, which it always registers for, and for one of its own question before a dialog opens; and that of
 * saved settings.
 */
const registrable = ["richApiMessage", "appCommandInvoked", "dialogNotificationShown", SETTINGS_CHANGED];

/** The names of methods that are supported, besides Excel's objects. */
const supportedMethods: Record<number, string> = {
  [Dispatch.getSelectedData]: "Document.getSelectedDataAsync",
  [Dispatch.setSelectedData]: "Document.setSelectedDataAsync",
  [Dispatch.getBinding]: "Bindings.getByIdAsync",
  [Dispatch.saveSettings]: "Settings.saveAsync",
};

/** The names of methods that are not supported, as Office's documentation writes them, by their numbers (`OSF.DDA.MethodDispId`). */
const unsupportedMethods: Record<number, string> = {
  66: "Bindings.addFromSelectionAsync",
  67: "Bindings.addFromPromptAsync",
  69: "Bindings.releaseByIdAsync",
  70: "Binding.getDataAsync",
  71: "Binding.setDataAsync",
  72: "TableBinding.addRowsAsync",
  73: "TableBinding.deleteAllDataValuesAsync",
  74: "Bindings.getAllAsync",
  75: "Settings.refreshAsync",
  77: "Document.getFileAsync",
  78: "Bindings.addFromNamedItemAsync",
  79: "TableBinding.addColumnsAsync",
  82: "Document.goToByIdAsync",
  83: "Document.getActiveViewAsync",
  86: "Document.getFilePropertiesAsync",
  87: "TableBinding.clearFormatsAsync",
  88: "TableBinding.setTableOptionsAsync",
  89: "TableBinding.setFormatsAsync",
  98: "Auth.getAccessToken",
  102: "UI.openBrowserWindow",
};

const method = z.object({
  DdaMethod: z.object({ DispatchId: z.number() }),
  ArrayData: z.optional(z.array(z.unknown())),
  DdaSetBindingData: z.optional(z.unknown()),
  DdaGetBindingData: z.optional(z.unknown()),
  DdaBindingsMethod: z.optional(z.object({ BindingId: z.string() })),
  DdaSettingsMethod: z.optional(z.object({ Properties: z.array(z.tuple([z.string(), z.string()])) })),
});

/** Which requests a fault hits: those of `Excel.run` and its like, or the hand-over of function results. */
export type FaultTarget = "workbook" | "functions";

/** The add-in's page, from its start until its frame is removed. */
export interface Session extends Conversant {
  /** Resolves when the add-in's page can be called: `Office.onReady` has run, and its functions, if it has any, can be called. */
  readonly started: Promise<void>;
  /** Presses a ribbon button whose action is ExecuteFunction; resolves when the add-in calls `event.completed`. */
  runCommand(controlId: string, functionName: string): Promise<void>;
  /** Calls the function of the add-in that a keyboard shortcut names by this action. */
  runAction(action: string): void;
  /** After `after` requests that succeed, makes `times` requests fail with this code of the host, such as 5102 (ActivityLimitReached). */
  fail(code: number, times: number, target: FaultTarget, after?: number): void;
  /**
   * After `after` requests that set properties, carries out half of the steps of the next one. Neither that request nor any later one
   * is answered. Resolves when the half is done.
   */
  cut(after: number): Promise<void>;
  paneVisibilityChanged(visible: boolean): void;
  close(): void;
}

/** The workbook that an add-in's page works on, and what is around it. */
export interface SessionWorkbook extends Pick<
  Model,
  "spreadsheet" | "document" | "shell" | "functionNamespace"
> {
  functions: FunctionBridge;
}

export function createSession(
  launch: Launch,
  workbook: SessionWorkbook,
  raise: (event: string, data: unknown) => void,
): Session {
  const { spreadsheet, document, functions, shell } = workbook;
  const post = (entries: MessageEntry[]) => {
    if (entries.length > 0) raise("richApiMessage", { ArrayData: entries });
  };
  let executing = false;
  const events = createObjectEvents(spreadsheet, post, () => executing);
  const bindings = createBindingEvents(workbook, raise, () => events.isEnabled);
  const stopHearing = document.onInFront(events.workbookActivated);
  let hearsOfSettings = false;
  const faults: Record<FaultTarget, (number | undefined)[]> = { workbook: [], functions: [] };
  const commands = new Map<string, { functionName: string; completed: () => void }>();
  let commandCount = 0;
  /** False in a page that runs only the pane or commands. */
  let hasFunctions = false;
  let start = () => {};
  const started = new Promise<void>((resolve) => (start = resolve));

  const model: Model = {
    spreadsheet,
    document,
    events,
    shell,
    excelApi: launch.excelApi,
    undo: launch.undo,
    functionNamespace: workbook.functionNamespace,
    actionsReady() {
      if (launch.runtime === "plain") start();
    },
    functions: {
      ready() {
        hasFunctions = true;
        functions.connect(post);
        start();
      },
      settle: functions.settle,
    },
  };
  const richApi = createRichApi(model);

  const stopFollowing = spreadsheet.on((event) => {
    if (event.kind === "moved") richApi.follow(event);
  });

  let lastTurn = Promise.resolve();
  function itsTurn(): Promise<void> {
    const { msBetweenRequests: ms } = launch;
    if (ms === undefined) return Promise.resolve();
    lastTurn = lastTurn.then(() => new Promise((resolve) => setTimeout(resolve, ms)));
    return lastTurn;
  }

  let cutting: { after: number; done: () => void } | undefined;
  let isCut = false;
  async function cutOff(body: string): Promise<never> {
    isCut = true;
    await richApi.execute(halfOf(body));
    cutting?.done();
    return new Promise(() => {});
  }

  async function execute(body: string, flags: number): Promise<object> {
    if (isCut) return new Promise(() => {});
    if (cutting && setsSomething(body) && cutting.after-- === 0) return cutOff(body);
    const target = body.includes('"Name":"SetInvocationArrayResults"') ? "functions" : "workbook";
    const fault = faults[target].shift();
    if (fault !== undefined) return { Version: 1, Error: fault };
    if (isTooLarge(body)) return { Version: 1, Error: Failure.requestTooLarge };
    if (touchesWorkbook.test(body)) {
      // excel-add-ins-delay-in-cell-edit.md: a request fails while a cell is being edited, unless it says that it waits.
      for (let ended = spreadsheet.editingEnds(); ended; ended = spreadsheet.editingEnds()) {
        if ((flags & DELAY_FOR_CELL_EDIT) === 0) return { Version: 1, Error: Failure.cellIsEdited };
        await ended;
      }
      await itsTurn();
    }
    executing = true;
    try {
      const response = JSON.stringify(await richApi.execute(body, (flags & UNDO_GROUP_FLAG) !== 0));
      if (isTooLarge(response)) return { Version: 1, Error: Failure.responseTooLarge };
      return { Version: 1, Error: 0, Data: [200, [], response] };
    } finally {
      executing = false;
    }
  }

  function writeSelection(sent: unknown): object {
    if (spreadsheet.editingEnds()) return { Version: 1, Error: Failure.cellIsEdited };
    executing = true;
    try {
      return { Version: 1, Error: setSelectedData(sent, model) };
    } finally {
      executing = false;
    }
  }

  function readSelection(sent: unknown): object {
    if (spreadsheet.editingEnds()) return { Version: 1, Error: Failure.cellIsEdited };
    const read = getSelectedData(sent, model);
    return typeof read === "number" ? { Version: 1, Error: read } : { Version: 1, Error: 0, Data: read.data };
  }

  /** Carries out a method, and notes it with its end. */
  async function noted(data: unknown): Promise<object> {
    const at = Date.now();
    const answer = await executeMethod(data);
    shell.noteRequest?.({ at, ms: Date.now() - at, ...requestOf(data), refusal: refusalOf(answer) });
    return answer;
  }

  async function executeMethod(data: unknown): Promise<object> {
    const {
      DdaMethod,
      ArrayData,
      DdaSetBindingData,
      DdaGetBindingData,
      DdaBindingsMethod,
      DdaSettingsMethod,
    } = method.parse(data);
    switch (DdaMethod.DispatchId) {
      case Dispatch.richApi:
        return execute(String(ArrayData?.[4]), Number(ArrayData?.[6] ?? 0));
      case Dispatch.setSelectedData:
        return writeSelection(DdaSetBindingData);
      case Dispatch.getSelectedData:
        return readSelection(DdaGetBindingData);
      case Dispatch.getBinding: {
        const binding = bindings.find(DdaBindingsMethod?.BindingId ?? "");
        if (!binding) return { Version: 1, Error: Failure.bindingNotExist };
        return { Version: 1, Error: 0, Bindings: [binding] };
      }
      case Dispatch.saveSettings:
        document.settings.clear();
        for (const [name, json] of DdaSettingsMethod?.Properties ?? []) document.settings.set(name, json);
        // "Only raised when your add-in's script calls the Settings.saveAsync method" (Settings.addHandlerAsync in @types/office-js).
        if (hearsOfSettings) raise(SETTINGS_CHANGED, {});
        return { Version: 1, Error: 0 };
      case Dispatch.commandCompleted: {
        const { 0: id, 1: status } = data as Record<string, unknown>;
        const command = commands.get(String(id));
        if (Number(status) !== 0)
          shell.report(
            `The add-in's page has no function ${command?.functionName ?? ""}, which a command calls.`,
          );
        command?.completed();
        commands.delete(String(id));
        return { Version: 1, Error: 0 };
      }
      default:
        shell.report(
          `The workbench does not model this API. (${unsupportedMethods[DdaMethod.DispatchId] ?? `Office.js method ${DdaMethod.DispatchId}`})`,
        );
        return { Version: 1, Error: Failure.notSupported };
    }
  }

  return {
    started,
    report: shell.report,
    invoke(action, data) {
      switch (action) {
        case "ContextActivationManager_getAppContextAsync":
          return appContext(launch, document.settings);
        case "ContextActivationManager_notifyHost": {
          const move = Array.isArray(data) ? focusMoves[Number(data[1])] : undefined;
          if (move) shell.takeFocus(move);
          return null;
        }
        case "executeMethod":
          return noted(data);
        default:
          throw new Error("not modeled by the workbench");
      }
    },
    register(event) {
      if (event === SETTINGS_CHANGED) hearsOfSettings = true;
      if (!registrable.includes(event) && !bindings.register(event))
        throw new Error("not modeled by the workbench");
    },
    runCommand(controlId, functionName) {
      const id = `${controlId}-${++commandCount}`;
      const completed = new Promise<void>((resolve) =>
        commands.set(id, { functionName, completed: resolve }),
      );
      raise("appCommandInvoked", {
        0: id,
        1: functionName,
        2: JSON.stringify({ source: { id: controlId } }),
      });
      return completed;
    },
    // Office.js gives the function what else the message has: with a key, nothing.
    runAction: (action) => post([[ACTION, ACTION_DISPATCHED, "", JSON.stringify([action]), 0, false]]),
    fail: (code, times, target, after = 0) =>
      void faults[target].push(...Array<undefined>(after), ...Array<number>(times).fill(code)),
    cut: (after) => new Promise((done) => (cutting = { after, done })),
    paneVisibilityChanged: events.visibilityChanged,
    close() {
      if (hasFunctions) functions.disconnect();
      events.close();
      bindings.close();
      stopHearing();
      stopFollowing();
    },
  };
}

function requestOf(data: unknown): Pick<RequestNote, "body" | "method"> {
  const { DdaMethod, ArrayData } = method.parse(data);
  const { DispatchId: id } = DdaMethod;
  if (id !== Dispatch.richApi)
    return { body: null, method: supportedMethods[id] ?? unsupportedMethods[id] ?? `method ${id}` };
  const body = String(ArrayData?.[4]);
  if (body.length <= MOST_NOTED_CHARACTERS) return { body, method: "" };
  return { body: null, method: `a request of ${Math.round(body.length / 1024)} kB to Excel's objects` };
}

function refusalOf(answer: object): Refusal | null {
  const { Error: code, Data } = answer as { Error: number; Data?: unknown[] };
  if (code !== 0) return { code, message: failureTexts[code] ?? "The host has refused it." };
  const response = Data?.[2];
  if (typeof response !== "string" || !response.includes('"Error":{')) return null;
  const { Error: refused } = JSON.parse(response) as {
    Error?: { Code: string; Message: string; ActionIndex: number };
  };
  return refused ? { code: refused.Code, message: refused.Message, actionIndex: refused.ActionIndex } : null;
}

function isTooLarge(payload: string): boolean {
  // No text has more than three bytes a UTF-16 unit: only long ones need counting.
  return (
    payload.length * 3 > PAYLOAD_LIMIT_BYTES && new TextEncoder().encode(payload).length > PAYLOAD_LIMIT_BYTES
  );
}
