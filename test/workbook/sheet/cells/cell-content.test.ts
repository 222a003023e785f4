import { describe, expect, it } from "vitest";
import { contentAfter, entryOf, holds, isFormula } from "../../../../src/workbook/sheet/cells/cell-content";

/** A cell without a formula, as Excel returns it. */
const plain = (value: unknown, numberFormat = "General") => ({ value, formula: value, numberFormat });
const sum = { value: 3, formula: "=1+2", numberFormat: "0.00" };

describe("a cell's content", () => {
  it("is a formula only if Excel calculates it, not if it is a text that begins with =", () => {
    expect(isFormula(sum)).toBe(true);
    expect(isFormula({ ...sum, value: "" })).toBe(true);
    expect(isFormula(plain("=1+2", "@"))).toBe(false);
    expect(isFormula(plain("=REGDATA.VALUE(A1,1003)"))).toBe(false);
    expect(isFormula(plain("a=b"))).toBe(false);
    expect(isFormula(plain(3))).toBe(false);
    expect(isFormula({ value: "text", formula: "text=" })).toBe(false);
  });

  it("is what is expected if all that is named is the same", () => {
    const three = plain(3, "0.00");
    expect(holds(three, { value: 3, numberFormat: "0.00" })).toBe(true);
    expect(holds(three, { value: 3, numberFormat: "General" })).toBe(false);
    expect(holds(three, { value: 4, numberFormat: "0.00" })).toBe(false);
    expect(holds(sum, { formula: "=1+2" })).toBe(true);
    expect(holds(sum, {})).toBe(true);
  });

  it("is not what is expected if a formula shows the expected value, for somebody has typed it", () => {
    expect(holds(sum, { value: 3 })).toBe(false);
    expect(holds({ ...sum, value: "" }, { value: "" })).toBe(false);
    expect(holds(plain("=1+2", "@"), { value: "=1+2" })).toBe(true);
  });

  it.each([
    ["a number", { value: 3, numberFormat: null }, { value: 3 }],
    ["a text", { value: "three", numberFormat: null }, { value: "three" }],
    ["a text after an apostrophe", { value: "'06001", numberFormat: null }, { value: "06001" }],
    ["a text with an apostrophe inside", { value: "O'Brien", numberFormat: null }, { value: "O'Brien" }],
    ["a formula", { value: "=1+2", numberFormat: null }, { formula: "=1+2" }],
    ["a text that ends with =", { value: "1+2=", numberFormat: null }, { value: "1+2=" }],
    ["= in a text cell", { value: "=1+2", numberFormat: "@" }, { value: "=1+2" }],
    ["an apostrophe in a text cell", { value: "'06001", numberFormat: "@" }, { value: "'06001" }],
  ])("is expected as Excel returns it, after the entry of %s", (_, entry, expected) => {
    expect(contentAfter(entry)).toEqual(expected);
  });

  it.each([
    ["a formula", sum, { value: "=1+2", numberFormat: "0.00" }],
    ["a formula in a text cell, which would keep it as text", { ...sum, numberFormat: "@" }, "General"],
    ["a text, so that it becomes no number", plain("06001"), { value: "'06001", numberFormat: "General" }],
    ["a text in a text cell", plain("06001", "@"), { value: "06001", numberFormat: "@" }],
    ["a text that begins with =", plain("=1+2"), { value: "'=1+2", numberFormat: "General" }],
    ["a number", plain(3, "0.00"), { value: 3, numberFormat: "0.00" }],
    ["an error", plain("#N/A"), { value: "#N/A", numberFormat: "General" }],
    ["a blank", plain(""), { value: "", numberFormat: "General" }],
  ])("comes again by its entry: %s", (_, content, expected) => {
    const whole = typeof expected === "string" ? { value: "=1+2", numberFormat: expected } : expected;
    expect(entryOf(content)).toEqual(whole);
  });
});
