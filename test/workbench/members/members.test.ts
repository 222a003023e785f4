import { beforeAll, describe, expect, it } from "vitest";
import { createFunctionBridge } from "../../../workbench/host/custom-functions";
import { newestExcel } from "../../../workbench/host/launch";
import type { MessageEntry } from "../../../workbench/host/objects/object-events";
import { createDocument } from "../../../workbench/host/office-document";
import { createSession } from "../../../workbench/host/session";
import { createMemorySpreadsheet } from "../../../workbench/memory/memory-spreadsheet";
import { officeOn, tellOffice } from "../../../workbench/memory/office-js";
import { playCase } from "./member-case";
import { memberCases } from "./all-cases";

let excel: typeof Excel;
beforeAll(() => {
  const spreadsheet = createMemorySpreadsheet();
  const report = () => {};
  const session = createSession(
    {
      ...{ appId: "", addinName: "", conversationId: "", hostOrigin: "", paneVisible: true },
      ...newestExcel,
    },
    {
      ...{ spreadsheet, document: createDocument() },
      functions: createFunctionBridge(spreadsheet, [], { ...newestExcel, report }),
      shell: { paneVisible: () => true, showPane() {}, takeFocus() {}, report, undoStackCleared() {} },
    },
    (event, data) => {
      if (event === "richApiMessage") tellOffice((data as { ArrayData: MessageEntry[] }).ArrayData);
    },
  );
  excel = officeOn(session);
});

describe("on the spreadsheet in memory", () => {
  it.each(memberCases)("$name ($source)", async ({ work, expected }) => {
    expect(await excel.run((context) => playCase(context, work))).toEqual(expected);
  });
});
