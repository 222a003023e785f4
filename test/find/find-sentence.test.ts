import { describe, expect, it } from "vitest";
import { readFindSentence } from "../../src/find/find-sentence";

describe("a find in a user's words", () => {
  it("names kinds, states and conditions with their operators and values", () => {
    expect(
      readFindSentence(
        "counties in CA and OR with plan review time under 10 days and minimum permit fee at most $300",
      ),
    ).toEqual({
      ...{ states: ["CA", "OR"], kinds: ["county"], match: "all", rest: [] },
      conditions: [
        { question: "plan review time", operator: "less-than", operands: ["10 days"] },
        { question: "minimum permit fee", operator: "at-most", operands: ["$300"] },
      ],
    });
  });

  it.each([
    ["Cities and counties of North Carolina, Texas", { states: ["NC", "TX"], kinds: ["city", "county"] }],
    ["all jurisdictions in Oregon where fire setback >= 3 feet", { states: ["OR"], kinds: [] }],
    ["permit fee>100 in or out", { states: [], kinds: [] }],
    ["counties in or or in in", { states: [], kinds: ["county"] }],
  ])("has the places of %s", (text, places) => {
    expect(readFindSentence(text)).toMatchObject(places);
  });

  it.each([
    ["permit fee >100", "permit fee", "more-than", ["100"]],
    ["residential minimum fee under 300", "residential minimum fee", "less-than", ["300"]],
    ["review time between 5 and 10 days", "review time", "between", ["5", "10 days"]],
    ["review time between 5 to 10", "review time", "between", ["5", "10"]],
    ["electrical code is NEC 2020", "electrical code", "is", ["NEC 2020"]],
    ["online application is yes", "online application", "is-yes", []],
    ["fire setback is not required", "fire setback", "is-not", ["required"]],
    ["wind and snow load over 1,000 lb", "wind and snow load", "more-than", ["1,000 lb"]],
    ["permit fee was updated after 2026-01-31", "permit fee", "updated-after", ["2026-01-31"]],
    ["permit fee has no value", "permit fee", "no-value", []],
  ])("has one condition: %s", (text, question, operator, operands) => {
    expect(readFindSentence(text)).toEqual({
      ...{ states: [], kinds: [], match: "all", rest: [] },
      conditions: [{ question, operator, operands }],
    });
  });

  it("asks for any condition if all of them are linked by “or”", () => {
    const { match, conditions, rest } = readFindSentence(
      "fee under 5 or review time under 3, or setback over 1",
    );
    expect([match, conditions.length, rest]).toEqual(["any", 3, []]);
  });

  it("tells what it does not understand, and guesses nothing", () => {
    expect(readFindSentence("nice counties in CA").rest).toEqual(["nice counties in CA"]);
    expect(readFindSentence("counties with fee under 5 and good weather")).toMatchObject({
      conditions: [{ question: "fee" }],
      rest: ["good weather"],
    });
    expect(readFindSentence("fee under 5 and review under 3 or setback over 1").rest).toEqual(["and … or"]);
    expect(readFindSentence("fee under cheap").rest).toEqual(["fee under cheap"]);
    expect(readFindSentence("  ")).toEqual({ states: [], kinds: [], match: "all", conditions: [], rest: [] });
  });
});
