import { describe, expect, it } from "vitest";
import { inEnvironment } from "../../deployment/environment";
import { draftOf, formulaOf } from "../../src/taskpane/cell/builder/formula-draft";
import { callsFunction } from "../../src/workbook/sheet/cells/formula-search";

describe("a text in an environment", () => {
  it("has the environment's names in formulas, in sentences and in stored texts", () => {
    const text = '"\\nREGDATA.VALUE" RegData for Excel; "regdata" "regdata.connection" urn:regdata:import';
    expect(inEnvironment(text, "DEV")).toBe(
      '"\\nREGDATA_DEV.VALUE" RegData DEV for Excel; "regdata-dev" "regdata-dev.connection" urn:regdata-dev:import',
    );
    expect(inEnvironment(text, "")).toBe(text);
  });
});

describe("formulas of two environments", () => {
  const production = '=IFERROR(REGDATA.VALUE("06001", 1003), "")';
  const dev = inEnvironment(production, "DEV");

  it("are each recognized by their own add-in only", () => {
    expect(callsFunction(production, "REGDATA")).toBe(true);
    expect(callsFunction(dev, "REGDATA_DEV")).toBe(true);
    expect(callsFunction(dev, "REGDATA")).toBe(false);
    expect(callsFunction(production, "REGDATA_DEV")).toBe(false);
  });

  it("are read and written by the builder", () => {
    const formula = '=REGDATA_DEV.VALUE("06001", 1003)';
    const parameters = ["geoid", "question_id"].map((name) => ({ name, description: "", optional: false }));
    const value = { name: "VALUE", description: "", parameters };
    const draft = draftOf(formula, [value], "REGDATA_DEV");
    expect(draft && formulaOf(draft, value, "REGDATA_DEV")).toBe(formula);
    expect(draftOf(formula, [value], "REGDATA")).toBeNull();
  });
});
