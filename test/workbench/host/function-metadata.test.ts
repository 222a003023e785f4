import { describe, expect, it, vi } from "vitest";
import { readFunctions } from "../../../workbench/host/function-metadata";

describe("functions.json", () => {
  const metadata = {
    functions: [
      {
        id: "VALUE",
        name: "VALUE",
        description: "One value.",
        result: {},
        parameters: [
          { name: "geoid", type: "any" },
          { name: "types", type: "any", dimensionality: "matrix", optional: true },
        ],
        options: { cancelable: true },
      },
      { id: "TICK", name: "TICK", parameters: [], options: { stream: true, volatile: true } },
      { id: "ALL", parameters: [{ name: "each1", repeating: true }], options: { volatile: true } },
      { id: "HELD", name: "HELD", parameters: [], options: { supportSync: true } },
    ],
  };

  it("becomes definitions with the namespace in front of the names", () => {
    const [value] = readFunctions(metadata, "SAMPLE", vi.fn());
    expect(value).toEqual({
      id: "VALUE",
      name: "SAMPLE.VALUE",
      description: "One value.",
      cancelable: true,
      returnsMatrix: false,
      usesDataTypes: false,
      ...{ isStreaming: false, isVolatile: false, needsAddress: false, needsParameterAddresses: false },
      parameters: [
        { name: "geoid", description: "", optional: false, repeating: false, dimensionality: "scalar" },
        { name: "types", description: "", optional: true, repeating: false, dimensionality: "matrix" },
      ],
    });
  });

  it("says of each function whether its result is a matrix, and whether data types are allowed", () => {
    const [plain] = metadata.functions;
    const readOne = (function_: object, flags: object = {}) =>
      readFunctions({ ...flags, functions: [{ ...plain, ...function_ }] }, "SAMPLE", vi.fn())[0];
    expect(readOne({ result: { dimensionality: "matrix" } })).toMatchObject({ returnsMatrix: true });
    expect(readOne({ result: { dimensionality: "scalar" } })).toMatchObject({ returnsMatrix: false });
    expect(readOne({}, { allowCustomDataForDataTypeAny: true })).toMatchObject({ usesDataTypes: true });
    const entity = [{ name: "county", type: "any", cellValueType: "entity" }];
    expect(readOne({ parameters: entity })).toMatchObject({ usesDataTypes: true });
  });

  it("says of each function whether it streams, is volatile or is told addresses; a stream is not volatile", () => {
    const [, tick, all] = readFunctions(metadata, "SAMPLE", vi.fn());
    expect(tick).toMatchObject({ isStreaming: true, isVolatile: false });
    expect(all).toMatchObject({ isVolatile: true, parameters: [{ repeating: true }] });
    const [plain] = metadata.functions;
    const withOptions = (options: object) =>
      readFunctions(
        { functions: [{ ...plain, result: { dimensionality: "matrix" }, options }] },
        "SAMPLE",
        vi.fn(),
      )[0];
    expect(withOptions({ requiresAddress: true })).toMatchObject({ needsAddress: true });
    expect(withOptions({ stream: true, requiresStreamAddress: true })).toMatchObject({ needsAddress: true });
    expect(withOptions({ requiresParameterAddresses: true })).toMatchObject({
      needsParameterAddresses: true,
    });
    expect(withOptions({ stream: true, requiresStreamParameterAddresses: true })).toMatchObject({
      needsParameterAddresses: true,
    });
  });

  it("names a function by its id where it has no name", () => {
    expect(readFunctions(metadata, "SAMPLE", vi.fn())[2]?.name).toBe("SAMPLE.ALL");
  });

  const refusals = (function_: object) => {
    const report = vi.fn<(problem: string) => void>();
    const read = readFunctions({ functions: [{ ...metadata.functions[0], ...function_ }] }, "SAMPLE", report);
    return [read.length, report.mock.calls.flat()];
  };

  it("ignores supportSync of a function that is volatile or streams (custom-functions-synchronous.md)", () => {
    const report = vi.fn();
    const json = {
      functions: ["volatile", "stream"].map((option) => ({
        ...{ id: option.toUpperCase(), options: { supportSync: true, [option]: true } },
      })),
    };
    expect(readFunctions(json, "SAMPLE", report).map(({ id }) => id)).toEqual(["VOLATILE", "STREAM"]);
    expect(report).not.toHaveBeenCalled();
  });

  it.each(["", "AB", "1ST", "A-B"])(
    "has no function with the name or id %j, and names it (custom-functions-naming.md)",
    (name) => {
      expect(refusals({ name })).toEqual([
        0,
        [expect.stringMatching(/^SAMPLE\.VALUE is refused: its name /)],
      ]);
      expect(refusals({ id: name })).toEqual([0, [expect.stringMatching(/is refused: its id /)]]);
    },
  );

  const matrix = { dimensionality: "matrix" };
  it.each([
    ["stream and cancelable", { options: { stream: true, cancelable: true } }, /both stream and cancelable/],
    [
      "stream and requiresAddress",
      { options: { stream: true, requiresAddress: true } },
      /requiresStreamAddress/,
    ],
    ["requiresStreamAddress alone", { options: { requiresStreamAddress: true } }, /without stream/],
    [
      "requiresStreamParameterAddresses alone",
      { options: { requiresStreamParameterAddresses: true } },
      /without stream/,
    ],
    [
      "requiresParameterAddresses without a matrix",
      { options: { requiresParameterAddresses: true } },
      /matrix/,
    ],
    [
      "a repeating parameter that is not the last",
      { parameters: [{ name: "a", repeating: true }, { name: "b" }] },
      /repeating/,
    ],
    [
      "two repeating parameters",
      { parameters: ["a", "b"].map((name) => ({ name, repeating: true, ...matrix })) },
      /repeating/,
    ],
    [
      "a cellValueType of a number",
      { parameters: [{ name: "a", type: "number", cellValueType: "doublecellvalue" }] },
      /cellValueType/,
    ],
    ["a parameter of an unknown type", { parameters: [{ name: "a", type: "date" }] }, /parameters\.0\.type/],
  ])("refuses by name a function that declares %s (custom-functions-json.md)", (_what, declared, problem) => {
    expect(refusals(declared)).toEqual([0, [expect.stringMatching(problem)]]);
    expect(refusals(declared)[1]).toEqual([expect.stringMatching(/^SAMPLE\.VALUE is refused/)]);
  });

  it("refuses the second of two functions with one id or name", () => {
    const report = vi.fn();
    const [plain] = metadata.functions;
    const twice = {
      functions: [plain, { ...plain, name: "OTHER" }, { ...plain, id: "value2", name: "value" }],
    };
    expect(readFunctions(twice, "SAMPLE", report)).toHaveLength(1);
    expect(report.mock.calls.flat()).toEqual([
      expect.stringMatching(/^SAMPLE\.OTHER is refused.*another function/),
      expect.stringMatching(/^SAMPLE\.value is refused.*another function/),
    ]);
  });

  it.each([[[]], [{}], [{ functions: [{ name: "NAMELESS" }] }]])(
    "is refused as a whole with a sentence where it is %j",
    (json) => {
      expect(() => readFunctions(json, "SAMPLE", vi.fn())).toThrow(/^functions\.json: /);
    },
  );

  const field = { id: "Field", type: "string", values: [{ name: "value", stringValue: "value" }] };
  const withField = (parameter: object, enums: object[] = [field]) => ({
    functions: [{ ...metadata.functions[0], parameters: [{ name: "field", type: "any", ...parameter }] }],
    enums,
  });

  it("may suggest words for an argument, which stays what it is without them (custom-functions-custom-enums.md)", () => {
    const report = vi.fn();
    const [plain] = readFunctions(withField({}), "SAMPLE", report);
    expect(readFunctions(withField({ customEnumId: "FIELD" }), "SAMPLE", report)).toEqual([plain]);
    expect(report).not.toHaveBeenCalled();
  });

  it("has no words of two types, none twice, and none that it does not list (custom-functions-json.md)", () => {
    const values = [{ name: "one", numberValue: 1 }];
    for (const [parameter, enums] of [
      [{ customEnumId: "Other" }, [field]],
      [{ customEnumId: "Field" }, [{ ...field, values }]],
      [{ customEnumId: "Field" }, [field, { ...field, id: "FIELD" }]],
      [{ customEnumId: "Field" }, []],
    ] as [object, object[]][])
      expect(() => readFunctions(withField(parameter, enums), "SAMPLE", vi.fn())).toThrow();
  });

  it("leaves a function out whose argument is declared as text: a number and a blank would not arrive as they are", () => {
    const report = vi.fn();
    expect(readFunctions(withField({ type: "string", customEnumId: "Field" }), "SAMPLE", report)).toEqual([]);
    expect(report).toHaveBeenCalledWith(expect.stringMatching(/SAMPLE\.VALUE.*another type than "any"/));
  });

  it("names the functions that the workbench does not support, and leaves them out", () => {
    const report = vi.fn();
    expect(readFunctions(metadata, "SAMPLE", report).map(({ id }) => id)).toEqual(["VALUE", "TICK", "ALL"]);
    expect(report.mock.calls).toEqual([[expect.stringMatching(/SAMPLE\.HELD.*supportSync/)]]);
  });
});
