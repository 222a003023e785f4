import { describe, expect, it } from "vitest";
import { importName } from "../../../../src/workbook/imports/saved/import-name";

const ahj = (name: string, state_code: string, type = "county") => ({ name, state_code, type });
const travis = ahj("Travis County", "TX");
const bexar = ahj("Bexar County", "TX");
const austin = ahj("Austin", "TX", "city");
const pima = ahj("Pima County", "AZ");
const type = (name: string, ...category_ids: number[]) => ({ name, category_ids });
const categories = [
  { id: 1, name: "Inspections" },
  { id: 2, name: "PV Permit Fees" },
];

describe("the name of an import", () => {
  it.each([
    [
      "the state and kind of all, and the category of all",
      [travis, bexar],
      [type("A", 2, 1), type("B", 1)],
      "2 TX counties, inspections",
    ],
    [
      "abbreviations of a category as they are",
      [travis, bexar],
      [type("A", 2), type("B", 2)],
      "2 TX counties, PV permit fees",
    ],
    [
      "how many questions of several categories",
      [travis, bexar],
      [type("A", 1), type("B", 2)],
      "2 TX counties, 2 questions",
    ],
    ["no kind of several", [travis, austin], [type("A", 1), type("B", 2)], "2 in TX, 2 questions"],
    ["the one question", [travis, bexar], [type("Permit Fee", 2)], "2 TX counties, Permit Fee"],
    ["the one jurisdiction", [travis], [type("A", 1), type("B", 1)], "Travis County inspections"],
    [
      "how many jurisdictions of several states",
      [travis, pima],
      [type("A", 1), type("B", 1)],
      "2 jurisdictions, inspections",
    ],
    ["both numbers", [travis, pima], [type("A", 1), type("B", 2)], "2 jurisdictions, 2 questions"],
    ["no state where none is known", [ahj("A", ""), ahj("B", "")], [type("Fee")], "2 jurisdictions, Fee"],
  ])("says %s", (_, ahjs, types, name) => {
    expect(importName({ ahjs, types, categories })).toBe(name);
  });

  it("for a collection is the collection's name", () => {
    expect(importName({ ahjs: [travis, bexar], collection: { name: "Solar Starter" } })).toBe(
      "2 TX counties, Solar Starter",
    );
    expect(importName({ ahjs: [travis, pima], collection: { name: "Solar Starter" } })).toBe(
      "2 jurisdictions, Solar Starter",
    );
  });

  it("for a state or its counties says that all are chosen, as long as they are all that was added", () => {
    const types = [type("A", 1), type("B", 2)];
    const named = (ahjs: (typeof travis)[], ofState: { state: string; found: number }) =>
      importName({ ahjs, types, ofState });
    expect(named([travis, austin], { state: "TX", found: 2 })).toBe("TX, 2 questions");
    expect(named([travis, bexar], { state: "TX", found: 2 })).toBe("TX counties, 2 questions");
    expect(named([travis, bexar], { state: "TX", found: 3 })).toBe("2 TX counties, 2 questions");
    expect(named([travis, pima], { state: "TX", found: 2 })).toBe("2 jurisdictions, 2 questions");
  });

  it("is as long as Excel takes, cut between words", () => {
    const many = Array.from({ length: 30_000 }, (_, index) =>
      ahj(`County ${index}`, index % 2 ? "TX" : "AZ"),
    );
    const types = Array.from({ length: 53 }, (_, index) => type(`Question ${index}`));
    expect(importName({ ahjs: many, types })).toBe("30,000 jurisdictions");
    expect(importName({ ahjs: many, collection: { name: "Solar Starter Kit" } })).toBe("Solar Starter Kit");
    const long = { name: "Fees, Inspections and Everything Else" };
    expect(importName({ ahjs: [travis, bexar], collection: long })).toBe("TX Fees, Inspections and");
    expect(importName({ ahjs: [travis, bexar], collection: { name: "x".repeat(40) } })).toBe(
      `TX ${"x".repeat(28)}`,
    );
    expect(importName({ ahjs: [ahj("y".repeat(40), "TX")], types })).toBe("y".repeat(31));
  });

  it("has no character that Excel refuses, and is never blank", () => {
    expect(importName({ ahjs: [travis, bexar], collection: { name: "Fees: 1/2 [new]?" } })).toBe(
      "2 TX counties, Fees  1 2  new",
    );
    expect(importName({ ahjs: [ahj("'Quoted'", "TX")], types: [type("'")] })).toBe("Quoted");
    expect(importName({ ahjs: [ahj("History", "")], collection: { name: " " } })).toBe(
      "History, 0 questions",
    );
    expect(importName({ ahjs: [ahj("\ud800", "")], types: [type("\u0000")] })).toBe("RegData");
  });
});
