import { describe, expect, it } from "vitest";
import { formatValue, parseValue, textOf } from "../../../workbench/grid/calculation/calculated-values";

describe("a text written to a General cell", () => {
  it.each([
    ["06001", { value: 6001 }],
    ["-1.5", { value: -1.5 }],
    [" 12 ", { value: 12 }],
    [".5", { value: 0.5 }],
    ["(5)", { value: -5 }],
    ["1e5", { value: 100_000, numberFormat: "0.00E+00" }],
    ["1,234", { value: 1234, numberFormat: "#,##0" }],
    ["50%", { value: 0.5, numberFormat: "0%" }],
    ["12.5%", { value: 0.125, numberFormat: "0.00%" }],
    ["$1,234", { value: 1234, numberFormat: "$#,##0" }],
    ["$1.50", { value: 1.5, numberFormat: "$#,##0.00" }],
    ["12:30", { value: 0.5208333333333334, numberFormat: "h:mm" }],
  ])("reads %j as a number", (text, parsed) => {
    expect(parseValue(text, "General")).toEqual(parsed);
  });

  it.each([
    ["4-12-7", 39184],
    ["4/12/2007", 39184],
    ["4-12-30", 11060],
    ["4-12-29", 47220],
    ["2024-05-01", 45413],
  ])("reads %j as a date", (text, serial) => {
    expect(parseValue(text, "General")).toEqual({ value: serial, numberFormat: "m/d/yyyy" });
  });

  it.each(["TRUE", "true", "False"])("reads %j as a truth value", (text) => {
    expect(parseValue(text, "General")).toEqual({ value: text.toUpperCase() === "TRUE" });
  });

  it.each(["#N/A", "#value!"])("reads %j as an error", (text) => {
    expect(parseValue(text, "General")).toEqual({ value: text.toUpperCase() });
  });

  it.each([
    "R301.1",
    "12abc",
    "IRC 2021",
    "13-45",
    "2-30-24",
    "4-12/7",
    "100-2-1",
    "1.2.3",
    "0x10",
    "1E400",
    "May",
    "Maybe 4",
    "Truely",
    "#notes",
    "-",
    "$",
  ])("keeps %j", (text) => {
    expect(parseValue(text, "General")).toEqual({ value: text });
  });

  it("strips an apostrophe and keeps what follows", () => {
    expect(parseValue("'06001", "General")).toEqual({ value: "06001" });
    expect(parseValue("'=A1", "General")).toEqual({ value: "=A1" });
  });
});

describe("a text written to a Text cell", () => {
  it.each(["06001", "4-12-7", "50%", "TRUE", "#N/A", "'x", "=A1"])("keeps %j", (text) => {
    expect(parseValue(text, "@")).toEqual({ value: text });
  });
});

describe("a cell's text", () => {
  it.each([
    [1 / 3, "General", "0.333333333"],
    [0.1 + 0.2, "General", "0.3"],
    [1234.5, "#,##0.0", "1,234.5"],
    [12, '0.0" ft"', "12.0 ft"],
    [39184, "m/d/yyyy", "4/12/2007"],
    [0.125, "0.00%", "12.50%"],
    ["06001", "@", "06001"],
    ["abc", "0.00", "abc"],
    [true, "General", "TRUE"],
    ["", "General", ""],
  ])("shows %j with the format %j as %j", (value, numberFormat, text) => {
    expect(formatValue(value, numberFormat)).toBe(text);
  });
});

describe("a data type's text", () => {
  const date = { value: 46204, numberFormat: "yyyy-mm-dd" };
  it.each([
    [date, "General", "2026-07-01"],
    [date, "0.0", "46204.0"],
    [{ value: 0.5 }, "General", "0.5"],
    [{ value: "#VALUE!", text: "Ventura County" }, "0.0", "Ventura County"],
    [{ value: "#VALUE!", text: "" }, "General", ""],
  ])("shows %j in a cell of the format %j as %j", (dataType, cellFormat, text) => {
    expect(textOf(dataType, cellFormat)).toBe(text);
  });
});
