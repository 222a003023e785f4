import { describe, expect, it } from "vitest";
import { outcomeSentence, togetherSentence } from "../../../src/taskpane/refresh/reports/outcome-sentence";

type Outcome = Parameters<typeof outcomeSentence>[0];
const outcome = (more: Partial<Outcome> = {}): Outcome => ({
  ...{
    changes: [],
    unsure: [],
    confirmed: 12,
    notRefreshed: [],
    unknownTypes: [],
    newRows: 0,
    followed: [],
    otherEntries: [],
  },
  ...{ entered: [], left: [], renamed: [], edited: [], unchecked: [], ...more },
});
const some = <Item>(count: number) => new Array<Item>(count).fill({} as Item);

describe("the sentence about a refresh", () => {
  it.each<[string, Partial<Outcome>]>([
    ["Nothing has changed.", {}],
    ["Nothing has changed in what the service confirmed.", { otherEntries: some(1) }],
    ["1 value changed.", { changes: some(1) }],
    ["2 values changed. 3 rows added at the end.", { changes: some(2), newRows: 3 }],
    ["1 value changed. 2 values changed or edited.", { changes: some(1), unsure: some(2) }],
    ["1 value changed or edited.", { unsure: some(1) }],
    [
      "2 jurisdictions entered. 1 jurisdiction left. 2 rows added at the end.",
      { entered: some(2), left: some(1), newRows: 2 },
    ],
    ["Nothing has changed. 1 row added at the end.", { newRows: 1 }],
  ])("is: %s", (sentence, more) => {
    expect(outcomeSentence(outcome(more))).toBe(sentence);
  });

  it("never says that nothing has changed if the service did not say so", () => {
    const outside = {
      ahjId: 1,
      name: "Butte County",
      kind: "outside-subscription" as const,
      places: [],
      values: 0,
    };
    const denied = { notRefreshed: [outside, outside] };
    expect(outcomeSentence(outcome({ ...denied, confirmed: 0 }))).toBe("No jurisdiction could be checked.");
    expect(outcomeSentence(outcome({ confirmed: 0 }))).toBe(
      "Nothing was confirmed: the service gave no answer for this table.",
    );
    expect(outcomeSentence(outcome(denied))).toBe("Nothing has changed in what the service confirmed.");
    const unknown = { unknownTypes: some<Outcome["unknownTypes"][number]>(1) };
    expect(outcomeSentence(outcome(unknown))).toBe("Nothing has changed in what the service confirmed.");
  });
});

describe("the sentence about imports that were refreshed together", () => {
  it.each<[string, Partial<Outcome>[], number]>([
    ["2 imports refreshed. Nothing has changed.", [{}, {}], 0],
    [
      "3 imports refreshed. 5 values changed in 2 imports.",
      [{ changes: some(2) }, {}, { changes: some(3) }],
      0,
    ],
    ["1 of 2 imports refreshed, 1 not. 1 value changed in 1 import.", [{ changes: some(1) }], 1],
    ["0 of 2 imports refreshed, 2 not.", [], 2],
    ["2 imports refreshed.", [{}, { confirmed: 0 }], 0],
    ["2 imports refreshed.", [{}, { unknownTypes: some(1) }], 0],
  ])("is: %s", (sentence, reports, failed) => {
    expect(togetherSentence(reports.map(outcome), failed)).toBe(sentence);
  });
});
