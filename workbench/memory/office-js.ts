import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import vm from "node:vm";
import type { Session } from "../host/session";
import type { MessageEntry } from "../host/objects/object-events";
import { addUndoGroups } from "../host/objects/undo";

/** The globals that office.js leaves in the page. */
interface OfficePage {
  Excel: typeof Excel;
  OSF: { DDA: { RichApi: { executeRichApiRequestAsync?: ExecuteRequest } } };
  OfficeExtension: {
    GenericEventRegistration: { s_genericEventRegistrations: object };
    _testSetRichApiMessageReadyImpl(ready: () => Promise<void>): void;
    _testTriggerRichApiMessageEvent(message: { entries: object[] }): void;
  };
}
type ExecuteRequest = (message: unknown[], callback: (result: object) => void) => void;

let page: OfficePage | undefined;

/**
 * Microsoft's own office.js, without a browser: its `Excel` with the checks of the client, its batches, and its errors
 * made of what the host answers. From now on, the messages that it would post to Excel's window go to `session`.
 */
export function officeOn(session: Pick<Session, "invoke">): typeof Excel {
  page ??= load();
  // Listeners of an earlier workbook hear nothing of this one.
  page.OfficeExtension.GenericEventRegistration.s_genericEventRegistrations = {};
  page.OSF.DDA.RichApi.executeRichApiRequestAsync = (message, callback) => {
    const request = { DdaMethod: { DispatchId: richApi }, ArrayData: message };
    void Promise.resolve(session.invoke("executeMethod", request)).then((answer) => {
      const { Error: code, Data: data } = answer as { Error: number; Data?: unknown };
      callback(
        code === 0
          ? { status: "succeeded", value: { data } }
          : { status: "failed", error: { code, message: messages[code] ?? "" } },
      );
    });
  };
  return page.Excel;
}

/** Tells office.js what has happened in the workbook, once what runs now is over: Excel's messages come in their own time. */
export function tellOffice(told: readonly MessageEntry[]): void {
  const entries = told.map(([messageCategory, messageType, targetId, message, id, isRemoteOverride]) => ({
    ...{ messageCategory, messageType, targetId, message, id, isRemoteOverride },
  }));
  void Promise.resolve().then(() => page?.OfficeExtension._testTriggerRichApiMessageEvent({ entries }));
}

/** The numbers of office.js's methods (`OSF.DDA.MethodDispId`). */
const richApi = 93;

/** The sentences of office.js for the host's error codes (`Strings.OfficeOM` of office_strings.js). */
const messages: Record<number, string> = {
  5012: "Your Office session has expired or is invalid. To continue, refresh the page.",
  7000: "You don't have sufficient permissions for this action.",
  5004: "Excel is in cell-editing mode.",
  5102: "Too many requests are in progress.",
  5103: "The request payload size has exceeded the limit.",
  5104: "The response payload size has exceeded the limit.",
};

function load(): OfficePage {
  const script = createRequire(import.meta.url).resolve("@microsoft/office-js/dist/excel-web-16.00.js");
  const element = () => ({ setAttribute() {}, appendChild() {}, style: {}, getElementsByTagName: () => [] });
  const store = { getItem: () => null, setItem() {}, removeItem() {} };
  const address = {
    href: "https://addin.test/",
    search: "",
    hash: "",
    protocol: "https:",
    host: "addin.test",
  };
  const window: Record<string, unknown> = {
    document: {
      getElementsByTagName: () => [],
      createElement: element,
      head: element(),
      URL: address.href,
      location: address,
      domain: address.host,
      addEventListener() {},
      readyState: "complete",
      cookie: "",
    },
    location: address,
    navigator: { userAgent: "", language: "en-US" },
    ...{ sessionStorage: store, localStorage: store, console },
    addEventListener() {},
    // The test's own classes, so that a thrown error is an Error to the test. Timers are looked up late, since a test may replace them.
    ...{ Error, Promise, TypeError },
    setTimeout: (work: () => void, ms?: number) => setTimeout(work, ms),
    clearTimeout: (timer: NodeJS.Timeout) => clearTimeout(timer),
  };
  window.window = window.self = window;
  vm.createContext(window);
  vm.runInContext(readFileSync(script, "utf8"), window, { filename: "excel-web-16.00.js" });
  const loaded = window as unknown as OfficePage;
  loaded.OfficeExtension._testSetRichApiMessageReadyImpl(() => Promise.resolve());
  addUndoGroups(loaded.Excel as unknown as Parameters<typeof addUndoGroups>[0]);
  return loaded;
}
