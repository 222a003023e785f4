import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { DataPointType } from "../../../../src/engine/api/schemas";
import { createTypeFinder } from "../../../../src/engine/lookup/search/find-types";
import { connected } from "../../../recorded-service";

const type = (id: number, name: string, description = ""): DataPointType => ({
  ...{ id, name, description, unit_of_measure: "" },
  category_ids: [],
});
const finder = createTypeFinder([
  type(1001, "Building Code in Force"),
  type(1003, "Electrical Code in Force", "Edition of the model code enforced for new applications."),
  type(1030, "Residential Permit Review Time"),
  type(1045, "Residential Solar Permit Fee", "Fee charged for a standard residential rooftop permit."),
  type(1057, "Re-Inspection Fee"),
  type(1025, "Automated Solar Permitting Available"),
  type(1060, "Setback to Road"),
]);
const found = (text: string) => finder.find(text).types.map(({ id }) => id);

describe("the search for questions", () => {
  it.each([
    ["permit solar fee", 1045],
    ["rooftop", 1045],
    ["re inspection", 1057],
    ["1057", 1057],
    ["NEC", 1003],
    ["IBC", 1001],
    ["SolarAPP", 1025],
    ["turnaround", 1030],
    ["setbck", 1060],
    ["Sétback", 1060],
  ])("finds by %s", (text, id) => {
    expect(found(text)[0]).toBe(id);
  });

  it.each(["permit fee", "Permit Fees"])(
    "puts the question that is meant by %s first: a name that ends with the words, then homes before others",
    (text) => {
      const fees = createTypeFinder([
        type(1, "Permit Fee Rebate"),
        type(2, "Residential Solar Permit Fee"),
        type(3, "Minimum Permit Fee"),
        type(4, "Permit Fee"),
      ]);
      expect(fees.find(text).types.map(({ id }) => id)).toEqual([4, 2, 3, 1]);
    },
  );

  it("puts names that are almost the words first, then homes, and descriptions last", () => {
    const times = createTypeFinder([
      type(1, "Permit Expiration", "Counted from the end of the review time."),
      type(2, "Residential Review Time Limit"),
      type(3, "Review Time Limit for Plans"),
      type(4, "Review Time Limit"),
    ]);
    expect(times.find("review time").types.map(({ id }) => id)).toEqual([4, 2, 3, 1]);
  });

  it("puts names first that add only what most names say, then those that add a word of their own", () => {
    const times = createTypeFinder([
      type(1, "Historic Review Time"),
      type(2, "Building Permit Review Time"),
      type(3, "Building Permit Fee"),
      type(4, "Building Permit Portal"),
      type(5, "Building Permit Required"),
      type(6, "Building Permit Review Time for Ballasted Carports"),
    ]);
    expect(times.find("how long review").types.map(({ id }) => id)).toEqual([2, 1, 6]);
  });

  it.each([
    ["NEC", [1003]],
    ["IBC", [1001]],
    ["turnaround", [1030]],
    ["price", [1045, 1057]],
  ])("finds by the builders' word %s only the questions that it means", (word, ids) => {
    expect(found(word).toSorted((one, other) => one - other)).toEqual(ids);
  });

  it("finds a question in the singular by a word in the plural", () => {
    expect(found("fees").toSorted((one, other) => one - other)).toEqual([1045, 1057]);
  });

  it("gives all in their order without a text, and none by letters that no name has", () => {
    expect(found(" ")).toEqual([1001, 1003, 1030, 1045, 1057, 1025, 1060]);
    expect(found("zzzz")).toEqual([]);
  });
});

describe("the words of the trade", async () => {
  const { lookup } = connected("demo-national");
  const [types, categories] = await Promise.all([lookup.catalogue.types(), lookup.catalogue.categories()]);
  const ofSample = createTypeFinder(types, categories);
  /**
   * Texts as coordinators, installers and builders type them, with the ids of the questions that answer each. They were invented before
   * anybody looked at the catalogue's names.
   */
  const phrasings = readFileSync(new URL("phrasings.tsv", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"))
    .map(([text = "", ids = ""]) => ({ text, right: new Set(ids.split(",").map(Number)) }));

  it.each([
    [1, 0.85],
    [3, 0.94],
  ])("bring the right question among the first %i for %d of the phrasings", (most, share) => {
    const missed = phrasings.filter(
      ({ text, right }) =>
        !ofSample
          .find(text)
          .types.slice(0, most)
          .some(({ id }) => right.has(id)),
    );
    expect(phrasings.length).toBeGreaterThan(150);
    expect(
      1 - missed.length / phrasings.length,
      missed.map(({ text }) => text).join("\n"),
    ).toBeGreaterThanOrEqual(share);
  });

  it.each([
    ["how long does plan review take", 1030],
    ["permit fee", 1045],
    ["fire setback", 1105],
    ["turnaround", 1030],
    ["ev charger", 1329],
    ["NEC", 1003],
    ["review time", 1030],
    ["how long review", 1030],
    ["setback", 1105],
    ["solar permit", 1045],
  ])("bring first, by “%s”, the question that it asks", (text, id) => {
    expect(ofSample.find(text).types[0]?.id).toBe(id);
  });

  it("find by the unit and by the category, too", () => {
    const ids = (text: string) => ofSample.find(text).types.map(({ id }) => id);
    expect(ids("megawatts")).toContain(1199);
    expect(ids("historic and aesthetic")).toContain(1320);
  });
});

it("says if no question has all words, and gives the closest", () => {
  const { types, areClose } = finder.find("electrical zebra");
  expect([types[0]?.id, areClose]).toEqual([1003, true]);
  expect(finder.find("electrical code").areClose).toBe(false);
});
