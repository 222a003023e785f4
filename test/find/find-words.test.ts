import { expect, it } from "vitest";
import type { Condition } from "../../src/find/conditions/condition";
import { savedFindWords } from "../../src/find/find-words";

const moratorium: Condition = {
  type: { id: 1150, name: "Storage Moratorium in Effect", unit_of_measure: "boolean" },
  operator: "is-no",
  operand: "",
};
const fee: Condition = {
  type: { id: 1140, name: "Residential Storage Permit Fee", unit_of_measure: "USD" },
  operator: "at-most",
  operand: "300",
};

it("a remembered find is described with all of its conditions and its states", () => {
  expect(
    savedFindWords({
      match: "all",
      conditions: [moratorium, fee],
      within: { kind: "states", states: ["NV", "TX"] },
    }),
  ).toBe(
    "Those that answer: Storage Moratorium in Effect is no, and Residential Storage Permit Fee at most 300. Look within: NV, TX.",
  );
});

it("a remembered find with any of its conditions says so, and among how many chosen jurisdictions it looks", () => {
  expect(
    savedFindWords({
      match: "any",
      conditions: [moratorium, fee],
      within: { kind: "chosen", ahjIds: [1, 2, 3] },
    }),
  ).toBe(
    "Those that answer: Storage Moratorium in Effect is no, or Residential Storage Permit Fee at most 300. Look within: 3 chosen jurisdictions.",
  );
  expect(savedFindWords({ match: "any", conditions: [moratorium], within: { kind: "all" } })).toMatch(
    /Look within: the whole subscription\.$/,
  );
  const counties = { kind: "states", states: ["CA", "OR"], kinds: ["county"] } as const;
  expect(savedFindWords({ match: "any", conditions: [moratorium], within: counties })).toMatch(
    /Look within: counties of CA, OR\.$/,
  );
});
