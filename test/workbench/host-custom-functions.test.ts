import { beforeEach, describe, expect, it, vi } from "vitest";
import { createFunctionBridge, readFunctions } from "../../src/workbench/host/custom-functions";
import type { FunctionBridge } from "../../src/workbench/host/custom-functions";
import type { MessageEntry } from "../../src/workbench/host/object-events";
import { call, createMemorySpreadsheet } from "./memory-spreadsheet";

describe("functions.json", () => {
  const metadata = {
    functions: [
      {
        id: "VALUE",
        name: "VALUE",
        description: "One value.",
        parameters: [
          { name: "geoid", type: "any" },
          { name: "types", type: "any", dimensionality: "matrix", optional: true },
        ],
        options: { cancelable: true },
      },
      { id: "TICK", name: "TICK", parameters: [], options: { stream: true } },
      { id: "ALL", name: "ALL", parameters: [{ name: "each", repeating: true }] },
    ],
  };

  it("becomes definitions with the namespace in front of the names", () => {
    const [value] = readFunctions(metadata, "SAMPLE", vi.fn());
    expect(value).toEqual({
      id: "VALUE",
      name: "SAMPLE.VALUE",
      description: "One value.",
      cancelable: true,
      parameters: [
        { name: "geoid", description: "", optional: false, repeating: false, dimensionality: "scalar" },
        { name: "types", description: "", optional: true, repeating: false, dimensionality: "matrix" },
      ],
    });
  });

  it("names the functions that the workbench does not model, and leaves them out", () => {
    const report = vi.fn();
    expect(readFunctions(metadata, "SAMPLE", report)).toHaveLength(1);
    expect(report).toHaveBeenCalledWith(expect.stringMatching(/SAMPLE\.TICK.*stream/));
    expect(report).toHaveBeenCalledWith(expect.stringMatching(/SAMPLE\.ALL.*repeating/));
  });
});

describe("the bridge", () => {
  let spreadsheet: ReturnType<typeof createMemorySpreadsheet>;
  let bridge: FunctionBridge;
  let posts: MessageEntry[][];
  const connect = () => bridge.connect((entries) => void posts.push(entries));
  const sent = () =>
    posts.map((entries) => entries.map(([, type, , json]) => [type, JSON.parse(json) as unknown]));

  beforeEach(() => {
    spreadsheet = createMemorySpreadsheet();
    posts = [];
    const parts = { description: "", parameters: [] };
    bridge = createFunctionBridge(spreadsheet, [
      { id: "PLAIN", name: "SAMPLE.PLAIN", cancelable: false, ...parts },
      { id: "SLOW", name: "SAMPLE.SLOW", cancelable: true, ...parts },
    ]);
  });

  it("keeps calls until the add-in can be called, then sends them together", () => {
    bridge.call([call(1, "PLAIN", [1, null])]);
    bridge.call([call(2, "SLOW", [[["a"], ["b"]]])]);
    expect(posts).toEqual([]);
    connect();
    expect(sent()).toEqual([
      [
        [1000, [1, "PLAIN", [1, null], "", 0]],
        [1000, [2, "SLOW", [[["a"], ["b"]]], "", 1]],
      ],
    ]);
  });

  it("asks a new page what an old one left unanswered", () => {
    connect();
    bridge.call([call(1, "PLAIN"), call(2, "PLAIN")]);
    bridge.settle([[1, true, "done"]]);
    bridge.disconnect();
    connect();
    expect(sent()[1]).toEqual([[1000, [2, "PLAIN", [], "", 0]]]);
  });

  it("cancels what is still unanswered, and drops its late result", () => {
    connect();
    bridge.call([call(1, "SLOW"), call(2, "SLOW")]);
    bridge.settle([[1, true, 5]]);
    bridge.cancel([1, 2]);
    bridge.settle([[2, true, 6]]);
    expect(sent()[1]).toEqual([[1001, { invocationId: 2 }]]);
    expect(spreadsheet.settled).toEqual([{ id: 1, result: 5 }]);
  });

  const returned = { type: "Error", valueType: "CustomFunctionError", basicValue: "#N/A", message: "Soon" };
  it.each([
    ["a number", [true, 1.5], 1.5],
    ["nothing", [true, null], null],
    [
      "rows",
      [
        true,
        [
          ["a", 1],
          [true, null],
        ],
      ],
      [
        ["a", 1],
        [true, null],
      ],
    ],
    ["a returned error", [true, returned], { error: "#N/A", message: "Soon" }],
    ["a returned error inside rows", [true, [[1, returned]]], [[1, { error: "#N/A", message: "Soon" }]]],
    ["rows of different lengths", [true, [[1, 2], [3]]], { error: "#VALUE!", message: "" }],
    ["no rows", [true, []], { error: "#VALUE!", message: "" }],
    ["a list that is no matrix", [true, [1, 2]], { error: "#VALUE!", message: "" }],
    [
      "an entity",
      [true, { type: "Entity", text: "Shown", properties: {} }],
      { error: "#VALUE!", message: "The workbench does not model data types." },
    ],
    ["a thrown #N/A", [false, "Not yet", 1, [3]], { error: "#N/A", message: "Not yet" }],
    ["a thrown #VALUE!", [false, "Bad", 7, [3]], { error: "#VALUE!", message: "Bad" }],
    ["a thrown #DIV/0!, whose words Excel drops", [false, "Zero", 5, [3]], { error: "#DIV/0!", message: "" }],
    ["a plain error", [false, "", 2, [3]], { error: "#VALUE!", message: "" }],
    ["a rejected promise", [false, "", 3, [3]], { error: "#VALUE!", message: "" }],
    ["NaN", [false, "NaN", 0, [3]], { error: "#NUM!", message: "" }],
  ])("shows %s as Excel does", (_what, wire, result) => {
    connect();
    bridge.call([call(1, "PLAIN")]);
    bridge.settle([[1, ...wire]]);
    expect(spreadsheet.settled).toEqual([{ id: 1, result }]);
  });
});
