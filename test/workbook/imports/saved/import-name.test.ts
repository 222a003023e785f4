import { describe, expect, it } from "vitest";
import { importName } from "../../../../src/workbook/imports/saved/import-name";

const ahj = (name: string, state_code: string) => ({ name, state_code });
const travis = ahj("Travis County", "TX");
const bexar = ahj("Bexar County", "TX");
const pima = ahj("Pima County", "AZ");
const questions = (...names: string[]) => names.map((name) => ({ name }));
const others = (count: number) => Array.from({ length: count }, (_, at) => `Other ${at}`);

describe("the name of an import", () => {
  it.each([
    ["the one question", [travis, pima], ["Permit Fee"], "Permit Fee"],
    ["both of two questions", [travis, pima], ["Permit Fee", "Setback"], "Permit Fee and Setback"],
    [
      "as many questions as have room, and how many others there are",
      [travis, pima],
      ["Permit Fee", "Setback", ...others(4)],
      "Permit Fee, Setback and 4 more",
    ],
    [
      "one question of longer names",
      [travis, pima],
      ["Building Code in Force", ...others(2)],
      "Building Code and 2 more",
    ],
    ["the state of all", [travis, bexar], ["Permit Fee", ...others(5)], "TX Permit Fee and 5 more"],
    ["the one jurisdiction", [travis], ["Permit Fee"], "Travis County Permit Fee"],
    ["no state where none is known", [ahj("A", ""), ahj("B", "")], ["Fee"], "Fee"],
    ["no question without a name", [travis, pima], ["Fee", " ", "Setback"], "Fee and Setback"],
  ])("says %s", (_, ahjs, names, name) => {
    expect(importName({ ahjs, types: questions(...names) })).toBe(name);
  });

  it("for a collection is the collection's name", () => {
    const collection = { name: "Solar Starter" };
    expect(importName({ ahjs: [travis, bexar], types: questions("Fee"), collection })).toBe(
      "TX Solar Starter",
    );
    expect(importName({ ahjs: [travis, pima], collection })).toBe("Solar Starter");
  });

  it("is as long as Excel takes, cut between words", () => {
    const review = ["Residential Permit Review Time", ...others(5)];
    expect(importName({ ahjs: [travis, pima], types: questions(...review) })).toBe(
      "Residential Permit and 5 more",
    );
    expect(importName({ ahjs: [travis, bexar], types: questions(...review) })).toBe(
      "TX Residential and 5 more",
    );
    const long = { name: "Fees, Inspections and Everything Else" };
    expect(importName({ ahjs: [travis, bexar], collection: long })).toBe("TX Fees, Inspections");
    expect(importName({ ahjs: [travis, bexar], collection: { name: "x".repeat(40) } })).toBe(
      `TX ${"x".repeat(28)}`,
    );
    expect(importName({ ahjs: [ahj("y".repeat(40), "TX")], types: questions(...review) })).toBe(
      "y".repeat(31),
    );
    const many = questions(...Array.from({ length: 53 }, (_, at) => `Question ${at}`));
    expect(importName({ ahjs: [travis, pima], types: many })).toBe("Question 0 and 52 more");
  });

  it("has no character that Excel refuses, and is never blank", () => {
    expect(importName({ ahjs: [travis, bexar], collection: { name: "Fees: 1/2 [new]?" } })).toBe(
      "TX Fees  1 2  new",
    );
    expect(importName({ ahjs: [ahj("'Quoted'", "TX")], types: questions("'") })).toBe("Quoted");
    expect(importName({ ahjs: [ahj("History", "")], collection: { name: " " } })).toBe("History 2");
    expect(importName({ ahjs: [ahj("\ud800", "")], types: questions("\u0000") })).toBe("RegData");
  });
});
