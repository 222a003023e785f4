import type { ErrorType } from "@univerjs/engine-formula";
import {
  ArrayValueObject,
  type BaseValueObject,
  BooleanValueObject,
  ErrorValueObject,
  NullValueObject,
  NumberValueObject,
  StringValueObject,
} from "@univerjs/engine-formula";
import { describe, expect, it } from "vitest";
import { bindArguments as bind, toValueObject } from "../../../workbench/grid/calculation/call-arguments";
import type { FunctionDefinition } from "../../../workbench/spreadsheet";

type Parameter = FunctionDefinition["parameters"][number];

const scalar: Parameter = {
  name: "x",
  description: "",
  optional: false,
  dimensionality: "scalar",
};
const matrix: Parameter = { ...scalar, dimensionality: "matrix" };
const optional: Parameter = { ...scalar, optional: true };

const bindArguments = (
  parameters: Parameter[],
  variants: Parameters<typeof bind>[1],
  usesDataTypes = false,
) => bind({ parameters, usesDataTypes }, variants);

const blank = NullValueObject.create();
const omitted = NullValueObject.create();
const number = (value: number) => NumberValueObject.create(value);
const text = (value: string) => StringValueObject.create(value);
const error = (value: string) => ErrorValueObject.create(value as ErrorType);

function range(rows: BaseValueObject[][]): BaseValueObject {
  const shape = { rowCount: rows.length, columnCount: rows[0]!.length };
  return ArrayValueObject.create({
    ...shape,
    calculateValueList: rows,
    unitId: "",
    sheetId: "",
    row: 0,
    column: 0,
  });
}

describe("a custom function's arguments", () => {
  it("arrive typed, text as text", () => {
    const given = [number(1.5), text("06001"), BooleanValueObject.create(true)];
    expect(bindArguments([scalar, scalar, scalar], given)).toEqual([[[1.5, "06001", true]]]);
  });

  it("of another type than is declared are #VALUE!, each for itself; a blank cell is none of another type", () => {
    const typed = (type: Parameter["type"]): Parameter => ({ ...scalar, type });
    expect(
      bindArguments([typed("number"), typed("string"), typed("boolean")], [text("1"), number(2), number(1)]),
    ).toEqual([[["#VALUE!", "#VALUE!", "#VALUE!"]]]);
    const column = range([[number(1)], [text("x")], [blank], [error("#N/A")]]);
    expect(bindArguments([typed("number")], [column])).toEqual([[[1]], [["#VALUE!"]], [[0]], [["#N/A"]]]);
    expect(bindArguments([{ ...matrix, type: "number" }], [column])).toEqual([
      [[[[1], ["#VALUE!"], [0], ["#N/A"]]]],
    ]);
  });

  const repeated: Parameter = { ...scalar, repeating: true };

  it("of a repeating parameter come in one array, values or rows as it is declared (custom-functions-parameter-options.md)", () => {
    expect(bindArguments([scalar, repeated], [number(2), number(3), text("a")])).toEqual([[[2, [3, "a"]]]]);
    const rows = range([[number(1)], [number(2)]]);
    expect(bindArguments([{ ...repeated, dimensionality: "matrix" }], [rows, number(5)])).toEqual([
      [[[[[1], [2]], [[5]]]]],
    ]);
  });

  it("of a repeating parameter that is not used are null, as all that is omitted", () => {
    expect(bindArguments([scalar, repeated], [number(2)])).toEqual([[[2, null]]]);
    expect(bindArguments([repeated], [])).toEqual([[[null]]]);
  });

  it("lift the function also where a repeated one is a range", () => {
    const rows = range([[number(1)], [number(2)]]);
    expect(bindArguments([repeated], [rows, number(5)])).toEqual([[[[1, 5]]], [[[2, 5]]]]);
  });

  it("take a one-cell range as a scalar or as rows, as the parameter wants it", () => {
    const cell = range([[text("a")]]);
    expect(bindArguments([scalar, matrix], [cell, cell])).toEqual([[["a", [["a"]]]]]);
  });

  it("take a scalar as rows", () => {
    expect(bindArguments([matrix], [number(1)])).toEqual([[[[[1]]]]]);
  });

  it("have zero for a blank cell and null if they are omitted", () => {
    const cells = range([[blank, text("a")]]);
    expect(bindArguments([scalar, optional, matrix, optional], [range([[blank]]), omitted, cells])).toEqual([
      [[0, null, [[0, "a"]], null]],
    ]);
  });

  it("have errors as their text", () => {
    const given = [error("#DIV/0!"), range([[error("#N/A"), number(1)]])];
    expect(bindArguments([scalar, matrix], given)).toEqual([[["#DIV/0!", [["#N/A", 1]]]]]);
  });

  it("have a data type whole if the function uses data types, and else its value", () => {
    const county = { value: "#VALUE!", text: "Ventura County", object: { type: "Entity" } };
    const given = () => [toValueObject(county), range([[toValueObject(county), number(1)]])];
    expect(bindArguments([scalar, matrix], given(), true)).toEqual([[[county, [[county, 1]]]]]);
    expect(bindArguments([scalar, matrix], given())).toEqual([[["#VALUE!", [["#VALUE!", 1]]]]]);
  });

  it.each([
    ["one too few", [scalar, scalar], [number(1)]],
    ["one too many", [scalar], [number(1), number(2)]],
    ["an omitted one that is required", [scalar, scalar], [omitted, number(2)]],
  ])("are refused with %s", (_case, parameters, given) => {
    expect(bindArguments(parameters, given)).toEqual({ error: "#VALUE!" });
  });
});

describe("a range for a scalar parameter", () => {
  const column = range([[text("a")], [text("b")]]);
  const row = range([[number(1), number(2)]]);

  it("calls the function for each cell", () => {
    expect(bindArguments([scalar, scalar], [column, number(1)])).toEqual([[["a", 1]], [["b", 1]]]);
  });

  it("is combined with another, a column with a row", () => {
    expect(bindArguments([scalar, scalar], [column, row])).toEqual([
      [
        ["a", 1],
        ["a", 2],
      ],
      [
        ["b", 1],
        ["b", 2],
      ],
    ]);
  });

  it("gives #N/A if the other range is too short", () => {
    const three = range([[number(1)], [number(2)], [number(3)]]);
    expect(bindArguments([scalar, scalar], [column, three])).toEqual([[["a", 1]], [["b", 2]], [["#N/A", 3]]]);
  });

  it("leaves a matrix parameter whole", () => {
    expect(bindArguments([scalar, matrix], [column, row])).toEqual([[["a", [[1, 2]]]], [["b", [[1, 2]]]]]);
  });
});

describe("a custom function's result", () => {
  const shown = (result: Parameters<typeof toValueObject>[0]) => {
    const value = toValueObject(result);
    return value.isArray() ? (value as ArrayValueObject).toValue() : value.getValue();
  };

  it.each([
    [1.5, 1.5],
    [true, true],
    ["06001", "06001"],
    ["", ""],
    [null, 0],
    [NaN, "#NUM!"],
    [{ error: "#N/A", message: "no such place" }, "#N/A"],
    [{ value: 46204, numberFormat: "yyyy-mm-dd", object: {} }, 46204],
    [{ value: "#VALUE!", text: "Ventura County", object: {} }, "#VALUE!"],
    [[["only"]], "only"],
  ])("%j shows as %j", (result, value) => {
    expect(shown(result)).toBe(value);
  });

  it("is an error to formulas if it can only be shown", () => {
    expect(toValueObject({ value: "#VALUE!", text: "Ventura County", object: {} }).isError()).toBe(true);
  });

  it("leaves out properties that belong to itself", () => {
    toValueObject({ value: "06001", text: "Alameda County", object: {} });
    toValueObject({ error: "#N/A", message: "no such place" });
    expect(text("06001").getCustomData()).toBeUndefined();
    expect(error("#N/A").getCustomData()).toBeUndefined();
  });

  it("stays a text if it looks like a number", () => {
    expect(toValueObject("06001").isString()).toBe(true);
  });

  it("of rows spills, with errors and nulls in their cells", () => {
    expect(
      shown([
        ["a", { error: "#N/A", message: "" }],
        [null, 2],
      ]),
    ).toEqual([
      ["a", "#N/A"],
      [0, 2],
    ]);
  });
});
