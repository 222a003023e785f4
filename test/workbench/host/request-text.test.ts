import { expect, it } from "vitest";
import { requestSteps } from "../../../workbench/host/request-text";

/** The request that office.js makes of a write, a load and a new sheet (shared with the tests of the protocol). */
const body = JSON.stringify({
  Actions: [
    { Id: 2, ActionType: 1, Name: "", ObjectPathId: 1 },
    { Id: 8, ActionType: 1, Name: "", ObjectPathId: 7 },
    { Id: 9, ActionType: 3, Name: "_KeepReference", ObjectPathId: 7, ArgumentInfo: { Arguments: [] } },
    {
      ...{ Id: 11, ActionType: 4, Name: "Values", ObjectPathId: 7 },
      ArgumentInfo: { Arguments: [[["Place"], ["Kern"]]] },
    },
    { Id: 12, ActionType: 2, Name: "", ObjectPathId: 7, QueryInfo: { Select: ["address", "values"] } },
    { Id: 13, ActionType: 1, Name: "", ObjectPathId: 8 },
    {
      ...{ Id: 14, ActionType: 3, Name: "CopyFrom", ObjectPathId: 9 },
      ArgumentInfo: { Arguments: [null, "All"], ReferencedObjectPathIds: [7, 0] },
    },
  ],
  ObjectPaths: {
    1: { Id: 1, ObjectPathType: 1, Name: "" },
    3: { Id: 3, ObjectPathType: 4, Name: "Worksheets", ParentObjectPathId: 1 },
    5: { Id: 5, ObjectPathType: 5, Name: "", ParentObjectPathId: 3, ArgumentInfo: { Arguments: ["Fees"] } },
    7: {
      Id: 7,
      ObjectPathType: 3,
      Name: "GetRange",
      ParentObjectPathId: 5,
      ArgumentInfo: { Arguments: ["A1:A2"] },
    },
    8: { Id: 8, ObjectPathType: 3, Name: "Add", ParentObjectPathId: 3, ArgumentInfo: { Arguments: ["New"] } },
    9: { Id: 9, ObjectPathType: 6, Name: "r1" },
  },
});
const range = 'workbook.worksheets.getItem("Fees").getRange("A1:A2")';

it("tells what a request sets, loads, makes and calls, and not how office.js finds the objects", () => {
  expect(requestSteps(body, undefined).map(({ text }) => text)).toEqual([
    `${range}.values = [["Place"],["Kern"]]`,
    `${range}.load("address, values")`,
    'workbook.worksheets.add("New")',
    `(object r1 of an earlier request).copyFrom(${range}, "All")`,
  ]);
});

it("tells the step that was refused, whatever it is, and those after it that were not carried out", () => {
  expect(requestSteps(body, 1).map(({ end }) => end)).toEqual(["refused", ...Array(4).fill("left out")]);
  expect(requestSteps(body, 1)[0]?.text).toBe(range);
  expect(requestSteps(body, 4).map(({ end }) => end)).toEqual(["done", "refused", "left out", "left out"]);
});

it("cuts long values", () => {
  const long = body.replace("Kern", "x".repeat(500));
  expect(requestSteps(long, undefined)[0]?.text).toMatch(/^.{100,160}…$/);
});
