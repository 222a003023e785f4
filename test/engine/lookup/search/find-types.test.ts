import { describe, expect, it } from "vitest";
import type { DataPointType } from "../../../../src/engine/api/schemas";
import { createTypeFinder } from "../../../../src/engine/lookup/search/find-types";

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
const found = (text: string) => finder.find(text).map(({ id }) => id);

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
    "puts the question that is meant by %s first, the shorter name first",
    (text) => {
      const fees = createTypeFinder([
        type(1, "Permit Fee Rebate"),
        type(2, "Residential Solar Permit Fee"),
        type(3, "Minimum Permit Fee"),
        type(4, "Permit Fee"),
      ]);
      expect(fees.find(text).map(({ id }) => id)).toEqual([4, 3, 2, 1]);
    },
  );

  it("puts names that begin with the words before names that contain them, and descriptions last", () => {
    const times = createTypeFinder([
      type(1, "Permit Expiration", "Counted from the end of the review time."),
      type(2, "Residential Review Time Limit"),
      type(3, "Review Time Limit for Plans"),
      type(4, "Review Time Limit"),
    ]);
    expect(times.find("review time").map(({ id }) => id)).toEqual([4, 3, 2, 1]);
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
