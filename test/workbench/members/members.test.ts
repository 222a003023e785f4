import { beforeAll, describe, expect, it } from "vitest";
import type { MessageEntry } from "../../../workbench/host/objects/object-events";
import { officeOn, tellOffice } from "../../../workbench/memory/office-js";
import { playCase, type SetSelectedData } from "./member-case";
import { memorySession } from "./memory-session";
import { memberCases } from "./all-cases";

let excel: typeof Excel;
let setSelectedData: SetSelectedData;
beforeAll(() => {
  const session = memorySession((event, data) => {
    if (event === "richApiMessage") tellOffice((data as { ArrayData: MessageEntry[] }).ArrayData);
  });
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
