import { describe, expect, it } from "vitest";
import { unitWords, withUnitWords } from "../../../../src/taskpane/cell/facts/unit-words";

describe("a unit", () => {
  it.each([
    ["USD", "US dollars"],
    ["USD per kW", "US dollars per kW"],
    ["$", "US dollars"],
    ["business days", "business days"],
    ["square feet", "square feet"],
    // Words of the catalogue that describe the form of an answer, not a unit.
    ["text", ""],
    ["boolean", ""],
    ["code edition", ""],
    ["url", ""],
    ["date", ""],
    ["Boolean", ""],
    ["", ""],
  ])("%s is shown as “%s”", (unit, words) => {
    expect(unitWords(unit)).toBe(words);
  });

  it("follows a bare number, and no text that already says the unit", () => {
    expect(withUnitWords("1,250.50", "USD")).toBe("1,250.50 US dollars");
    expect(withUnitWords("10", "business days")).toBe("10 business days");
    expect(withUnitWords("$30", "USD")).toBe("$30");
    expect(withUnitWords("10 to 15 days", "days")).toBe("10 to 15 days");
    expect(withUnitWords("2021", "code edition")).toBe("2021");
  });
});
