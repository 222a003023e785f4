import { beforeAll, describe, expect, it } from "vitest";
import { createFunctionBridge } from "../../../workbench/host/custom-functions";
import { newestExcel } from "../../../workbench/host/launch";
import type { MessageEntry } from "../../../workbench/host/objects/object-events";
import { createDocument } from "../../../workbench/host/office-document";
import { createSession } from "../../../workbench/host/session";
import { createMemorySpreadsheet } from "../../../workbench/memory/memory-spreadsheet";
import { officeOn, tellOffice } from "../../../workbench/memory/office-js";
import { playCase, type SetSelectedData } from "./member-case";
import { memberCases } from "./all-cases";

let excel: typeof Excel;
let setSelectedData: SetSelectedData;
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
  // Office.js sends a single value as one cell.
  setSelectedData = async (data) => {
    const CoerceType = Array.isArray(data) ? "matrix" : "text";
    const sent = { CoerceType, Data: Array.isArray(data) ? data : [[data]] };
    const request = { DdaMethod: { DispatchId: 65 }, DdaSetBindingData: sent };
    return ((await session.invoke("executeMethod", request)) as { Error: number }).Error;
  };
});

describe("on the spreadsheet in memory", () => {
  it.each(memberCases)("$name ($source)", async ({ work, expected }) => {
    expect(await excel.run((context) => playCase(context, work, setSelectedData))).toEqual(expected);
  });
});
