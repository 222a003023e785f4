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

/** The version of Excel's API that the host plays: the newest without notes on cells, which are not read from the file. */
const excelApi = "1.16";

export function hasExcelApi(wanted: string): boolean {
  const [major = 0, minor = 0] = excelApi.split(".").map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split(".").map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/** A workbook in which the add-in's own code works, as it does in Excel. */
export interface BookInNode {
  app: PaneApp;
  /** The workbook as it is by now. */
  contents(): OpenedXlsx;
  /** What the add-in asked of Excel that is not played. */
  problems: readonly string[];
  close(): void;
}

/**
 * Opens a workbook without Excel: Microsoft's office.js and the workbench's host, on a spreadsheet in memory. One at a time.
 * No formula is calculated: each keeps the value with which it was saved.
 */
export function openInNode({ contents, document: saved }: OpenedXlsx, app: App): BookInNode {
  const spreadsheet = createMemorySpreadsheet({ calculates: false });
  const document = createDocument();
  const problems: string[] = [];
  const report = (problem: string) => void problems.push(problem);
  const version = { excelApi, customFunctionsRuntime: "1.1", undo: "desktop" as const };
  const session = createSession(
    {
      ...{ appId: "", addinName: config.namespace, conversationId: "", hostOrigin: "", paneVisible: true },
      ...version,
    },
    {
      ...{ spreadsheet, document },
      functions: createFunctionBridge(spreadsheet, [], { ...version, report }),
      shell: { paneVisible: () => true, showPane() {}, takeFocus() {}, report, undoStackCleared() {} },
    },
    (event, data) => {
      if (event === "richApiMessage") tellOffice((data as { ArrayData: MessageEntry[] }).ArrayData);
    },
  );
  const excel = officeOn(session);
  // What the add-in finds in a page with office.js.
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
