import type { App } from "../../src/app";
import { config } from "../../src/config";
import { createPaneApp, type PaneApp } from "../../src/taskpane/pane-app";
import type { OpenedXlsx } from "../../workbench/files/read-xlsx";
import { createFunctionBridge } from "../../workbench/host/custom-functions";
import { createDocument } from "../../workbench/host/office-document";
import type { MessageEntry } from "../../workbench/host/objects/object-events";
import { createSession } from "../../workbench/host/session";
import { createMemorySpreadsheet } from "../../workbench/memory/memory-spreadsheet";
import { officeOn, tellOffice } from "../../workbench/memory/office-js";

/**
 * The version of Excel's API that the host simulates: the newest one without notes on cells, because the host does not read notes from the
 * file.
 */
const excelApi = "1.16";

export function hasExcelApi(wanted: string): boolean {
  const [major = 0, minor = 0] = excelApi.split(".").map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split(".").map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/** A workbook in which the add-in's own code works as it does in Excel. */
export interface BookInNode {
  app: PaneApp;
  /** The workbook's current content. */
  contents(): OpenedXlsx;
  /** Calls of the add-in that the host does not simulate. */
  problems: readonly string[];
  close(): void;
}

/**
 * Opens a workbook without Excel, in Microsoft's office.js and the workbench's host, on a spreadsheet in memory. Only one can be open at a
 * time. No formula is calculated: each keeps the value with which it was saved.
 */
export function openInNode({ contents, document: saved }: OpenedXlsx, app: App): BookInNode {
  const spreadsheet = createMemorySpreadsheet({ calculates: false });
  const document = createDocument();
  const problems: string[] = [];
  const report = (problem: string) => void problems.push(problem);
  const version = { excelApi, customFunctionsRuntime: "1.1", undo: "desktop" as const };
  const session = createSession(
    {
      appId: "",
      addinName: config.namespace,
      conversationId: "",
      hostOrigin: "",
      paneVisible: true,
      ...version,
    },
    {
      spreadsheet,
      document,
      functions: createFunctionBridge(spreadsheet, [], { ...version, report }),
      shell: { paneVisible: () => true, showPane() {}, takeFocus() {}, report, undoStackCleared() {} },
    },
    (event, data) => {
      if (event === "richApiMessage") tellOffice((data as { ArrayData: MessageEntry[] }).ArrayData);
    },
  );
  const excel = officeOn(session);
  // Defines the globals that office.js gives the add-in in a page.
  Object.assign(globalThis, {
    Excel: excel,
    Office: { context: { document: { mode: "readWrite" } }, DocumentMode: { ReadOnly: "readOnly" } },
  });
  document.open(saved);
  spreadsheet.openContents(contents);
  return {
    app: createPaneApp(app, () => excel),
    contents: () => ({ contents: spreadsheet.contents(), document: document.save() }),
    problems,
    close: session.close,
  };
}
