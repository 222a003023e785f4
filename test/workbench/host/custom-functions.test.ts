import { beforeEach, describe, expect, it, vi } from "vitest";
import { createFunctionBridge } from "../../../workbench/host/custom-functions";
import type { FunctionBridge } from "../../../workbench/host/custom-functions";
import type { MessageEntry } from "../../../workbench/host/objects/object-events";
import { call, createLoggedSpreadsheet } from "../logged-spreadsheet";

describe("the bridge", () => {
  let spreadsheet: ReturnType<typeof createLoggedSpreadsheet>;
  let bridge: FunctionBridge;
  let posts: MessageEntry[][];
  const report = vi.fn();
  /** A result as Excel with this ExcelApi shows it; of a data type, without its object. */
  function shown(
    wire: unknown[],
    excelApi: string,
    { returnsMatrix = Array.isArray(wire[1]), usesDataTypes = true, customFunctionsRuntime = "1.4" } = {},
  ): unknown {
    const functions = [
      {
        ...{ id: "PLAIN", name: "SAMPLE.PLAIN", description: "", parameters: [], cancelable: false },
        ...{ returnsMatrix, usesDataTypes },
      },
    ];
    const other = createFunctionBridge(spreadsheet, functions, { excelApi, customFunctionsRuntime, report });
    other.call([call(1, "PLAIN")]);
    other.settle([[1, ...wire]]);
    const text = JSON.stringify(spreadsheet.settled.at(-1)?.result, (key, value: unknown) =>
      key === "object" ? undefined : value,
    );
    return JSON.parse(text) as unknown;
  }
  const connect = () => bridge.connect((entries) => void posts.push(entries));
  const sent = () =>
    posts.map((entries) => entries.map(([, type, , json]) => [type, JSON.parse(json) as unknown]));

  beforeEach(() => {
    spreadsheet = createLoggedSpreadsheet();
    posts = [];
    report.mockClear();
    const parts = { description: "", parameters: [], returnsMatrix: false, usesDataTypes: false };
    const functions = [
      { id: "PLAIN", name: "SAMPLE.PLAIN", cancelable: false, ...parts },
      { id: "SLOW", name: "SAMPLE.SLOW", cancelable: true, ...parts },
      { id: "RICH", name: "SAMPLE.RICH", cancelable: false, ...parts, usesDataTypes: true },
      { id: "STREAM", name: "SAMPLE.STREAM", cancelable: false, ...parts, isStreaming: true },
    ];
    const excel = { excelApi: "1.15", customFunctionsRuntime: "1.4", report };
    bridge = createFunctionBridge(spreadsheet, functions, excel);
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

  it("passes a data type as the text of its object where the metadata allows them, and else its value", () => {
    connect();
    const county = {
      value: "#VALUE!",
      text: "Ventura County",
      object: { type: "Entity", text: "Ventura County" },
    };
    bridge.call([call(1, "RICH", [county, [[county, "a"]]])]);
    bridge.call([call(2, "PLAIN", [{ value: 3, numberFormat: "0.0", object: {} }])]);
    const asText = { value: JSON.stringify(county.object) };
    expect(sent()).toEqual([
      [[1000, [1, "RICH", [asText, [[asText, "a"]]], "", 8]]],
      [[1000, [2, "PLAIN", [3], "", 0]]],
    ]);
  });

  it.each([
    ["an array, where no matrix is declared", [["a"]], { returnsMatrix: false }, /array.*does not declare/],
    ["a single value, where a matrix is", "a", { returnsMatrix: true }, /single value.*matrix/],
    [
      "a returned error alone, where a matrix is",
      { type: "Error", basicValue: "#N/A" },
      { returnsMatrix: true },
      /single/,
    ],
    [
      "a data type without the flag",
      { type: "String", basicValue: "a" },
      { usesDataTypes: false },
      /allowCustomData/,
    ],
    [
      "a data type before CustomFunctionsRuntime 1.4",
      { type: "String", basicValue: "a" },
      { customFunctionsRuntime: "1.3" },
      /needs CustomFunctionsRuntime 1\.4; this is 1\.3/,
    ],
  ])("refuses %s, and names the function", (_what, value, excel, problem) => {
    expect(shown([true, value], "1.20", excel)).toEqual({ error: "#VALUE!", message: "" });
    expect(report.mock.calls).toEqual([[expect.stringMatching(problem)]]);
    expect(report.mock.calls[0]?.[0]).toMatch(/^SAMPLE\.PLAIN returned/);
  });

  it("shows #CALC! for a text that no cell can hold (excel.calcerrorcellvaluesubtype.yml)", () => {
    expect(shown([true, [["x".repeat(32_767)]]], "1.15")).toEqual([["x".repeat(32_767)]]);
    expect(shown([true, [["x".repeat(32_768)]]], "1.15")).toEqual([[{ error: "#CALC!", message: "" }]]);
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

  it("takes result after result of a stream, until its cell wants no more", () => {
    connect();
    bridge.call([call(1, "STREAM")]);
    bridge.settle([[1, true, 5]]);
    bridge.settle([[1, true, 6]]);
    bridge.cancel([1]);
    bridge.settle([[1, true, 7]]);
    expect(sent()).toEqual([[[1000, [1, "STREAM", [], "", 2]]], [[1001, { invocationId: 1 }]]]);
    expect(spreadsheet.settled).toEqual([
      { id: 1, result: 5 },
      { id: 1, result: 6 },
    ]);
  });

  it("starts a stream anew in a new page, also one that has given results", () => {
    connect();
    bridge.call([call(1, "STREAM")]);
    bridge.settle([[1, true, 5]]);
    bridge.disconnect();
    connect();
    expect(sent()[1]).toEqual([[1000, [1, "STREAM", [], "", 2]]]);
  });

  it("tells a function where its formula and its arguments stand, if it is to know", () => {
    connect();
    const places = { address: "Prices!F6", parameterAddresses: ["Prices!A1:B2", null] };
    bridge.call([{ ...call(1, "PLAIN", [[[1]], 2]), ...places }]);
    expect(sent()).toEqual([[[1000, [1, "PLAIN", [[[1]], 2], "Prices!F6", 0, ["Prices!A1:B2", null]]]]]);
  });

  it("does not call a function with a whole column among repeated arguments", async () => {
    connect();
    const column = Array.from({ length: 1_048_576 }, () => [0]);
    bridge.call([call(1, "PLAIN", [[[[1]], column]])]);
    await Promise.resolve();
    expect(posts).toEqual([]);
    expect(spreadsheet.settled).toEqual([{ id: 1, result: { error: "#CALC!", message: "" } }]);
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
    ["a thrown #N/A", [false, "Not yet", 1, [3]], { error: "#N/A", message: "Not yet" }],
    ["a thrown #VALUE!", [false, "Bad", 7, [3]], { error: "#VALUE!", message: "Bad" }],
    ["a thrown #DIV/0!, whose words Excel drops", [false, "Zero", 5, [3]], { error: "#DIV/0!", message: "" }],
    ["a plain error", [false, "", 2, [3]], { error: "#VALUE!", message: "" }],
    ["a rejected promise", [false, "", 3, [3]], { error: "#VALUE!", message: "" }],
    ["NaN", [false, "NaN", 0, [3]], { error: "#NUM!", message: "" }],
  ] as [string, unknown[], unknown][])("shows %s as Excel does", (_what, wire, result) => {
    expect(shown(wire, "1.15")).toEqual(result);
  });

  const date = { type: "FormattedNumber", basicValue: 46204, numberFormat: "yyyy-mm-dd" };
  const shownDate = { value: 46204, numberFormat: "yyyy-mm-dd" };
  const properties = { Since: date, Code: { type: "String", basicValue: "06111" } };
  const fields = { Since: shownDate, Code: { value: "06111" } };
  const entity = { type: "Entity", text: "Shown", properties };
  it.each([
    ["a formatted number", date, shownDate],
    ["a number", { type: "Double", basicType: "Double", basicValue: 3 }, { value: 3 }],
    ["a number with a format", { ...date, type: "Double" }, shownDate],
    [
      "a number with properties",
      { type: "Double", basicValue: 3, properties },
      { value: 3, card: { title: { value: 3 }, fields } },
    ],
    ["a text", { type: "String", basicValue: "a" }, { value: "a" }],
    ["a truth value", { type: "Boolean", basicValue: false }, { value: false }],
    ["an empty value", { type: "Empty" }, null],
    [
      "an entity",
      entity,
      { value: "#VALUE!", text: "Shown", card: { title: { value: "#VALUE!", text: "Shown" }, fields } },
    ],
    ["an entity without properties", { type: "Entity", text: "Shown" }, { value: "#VALUE!", text: "Shown" }],
    ["data types inside rows", [["a", date]], [["a", shownDate]]],
  ])("takes %s as a data type", (_what, value, result) => {
    expect(shown([true, value], "1.19")).toEqual(result);
    expect(report).not.toHaveBeenCalled();
  });

  it("lays a card out as the add-in wants it", () => {
    const laidOut = {
      ...entity,
      properties: {
        ...properties,
        Hidden: { ...date, propertyMetadata: { excludeFrom: { cardView: true } } },
        Height: { type: "Double", basicValue: 35, propertyMetadata: { sublabel: "ft" } },
      },
      layouts: {
        card: {
          title: { property: "Code" },
          subTitle: { property: "Since" },
          sections: [
            { layout: "List", properties: ["Height"] },
            { layout: "List", properties: ["Hidden", "Code"] },
          ],
        },
      },
      provider: { description: "Sample data" },
    };
    expect(shown([true, laidOut], "1.19")).toMatchObject({
      card: {
        title: { value: "06111" },
        subtitle: shownDate,
        fields: { Height: { value: 35, sublabel: "ft" }, Code: { value: "06111" } },
        provider: "Sample data",
      },
    });
  });

  it.each([
    ["a card of things that are not there", { ...entity, layouts: { card: { title: { property: "No" } } } }],
    ["properties that are no data types", { ...entity, properties: { Code: "06111" } }],
    ["a formatted number without a format", { type: "FormattedNumber", basicValue: 1 }],
    ["a type that is not modeled", { type: "LinkedEntity", text: "MSFT" }],
    ["some other object", { a: 1 }],
  ])("refuses %s, and names it", (_what, value) => {
    expect(shown([true, value], "1.19")).toEqual({ error: "#VALUE!", message: "" });
    expect(report).toHaveBeenCalledWith(expect.stringMatching(/^SAMPLE\.PLAIN returned /));
  });

  const withFormat = { ...date, type: "Double" };
  it.each([
    ["1.15", entity, /Entity.*1\.16/],
    ["1.15", date, /FormattedNumber.*1\.16/],
    ["1.15", { type: "Double", basicValue: 1 }, /Double.*1\.16/],
    ["1.18", withFormat, /Double with numberFormat.*1\.19/],
    ["1.18", { type: "String", basicValue: "a", properties }, /String with properties.*1\.19/],
    ["1.18", { ...entity, properties: { Since: withFormat } }, /Double with numberFormat.*1\.19/],
  ])("with ExcelApi %s is an Excel that does not know %j, and names it once", (excelApi, value, problem) => {
    expect(shown([true, [[1, value, value]]], excelApi)).toEqual([
      [1, { error: "#VALUE!", message: "" }, { error: "#VALUE!", message: "" }],
    ]);
    expect(report.mock.calls).toEqual([[expect.stringMatching(problem)]]);
  });

  it("knows entities and formatted numbers from ExcelApi 1.16 on", () => {
    expect(shown([true, [[date, { type: "Double", basicValue: 1 }, entity]]], "1.16")).toMatchObject([
      [shownDate, { value: 1 }, { text: "Shown" }],
    ]);
    expect(report).not.toHaveBeenCalled();
  });
});
