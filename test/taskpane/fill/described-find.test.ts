import { describe, expect, it } from "vitest";
import { createTypeFinder } from "../../../src/engine/lookup/search/find-types";
import { conditionOf } from "../../../src/taskpane/fill/find/condition-draft";
import { describedFind } from "../../../src/taskpane/fill/find/described-find";
import { inTime } from "../../excel/in-time";
import { playExcel } from "../../functions/excel";
import { inState, openFind } from "./opened-find";

playExcel();

async function described(...sentences: string[]) {
  const { excel, session, state, act } = await openFind();
  const finder = createTypeFinder(await inTime(session.lookup.catalogue.types()));
  const rests = sentences.map((text) => {
    const { action, rest } = describedFind(text, finder);
    if (action) act(action);
    return rest;
  });
  const { within, match, drafts } = state();
  const conditions = drafts.flatMap((draft) => {
    const condition = conditionOf(draft);
    return condition ? [[condition.type.name, condition.operator, condition.operand]] : [];
  });
  expect(excel.requests).toEqual([]);
  excel.close();
  return { within, match, conditions, rests, ids: drafts.map(({ id }) => id) };
}

describe("a find that is described in a sentence", () => {
  it("sets places and conditions, without a request", async () => {
    const { rests, ids, ...set } = await described(
      "counties in CA and OR with plan review time under 10 days and minimum permit fee at most $300",
    );
    expect(set).toEqual({
      within: { kind: "states", states: ["CA", "OR"], kinds: ["county"] },
      match: "all",
      conditions: [
        ["Residential Permit Review Time", "less-than", "10 days"],
        ["Minimum Permit Fee", "at-most", "$300"],
      ],
    });
    expect(rests).toEqual([[]]);
    expect(new Set(ids).size).toBe(2);
  });

  it("reads the example of the guide", async () => {
    const { within, conditions, rests } = await described(
      "TX with storage moratorium is no, storage permit fee at most 300 and storage capacity limit at least 40",
    );
    expect([within, rests]).toEqual([inState("TX"), [[]]]);
    expect(conditions).toEqual([
      ["Storage Moratorium in Effect", "is-no", ""],
      ["Residential Storage Permit Fee", "at-most", "300"],
      ["Storage Capacity Limit per Dwelling", "at-least", "40"],
    ]);
  });

  it("takes the question whose answers can be compared with the value", async () => {
    const { conditions } = await described("plan review under 10 days and plan review under $300");
    expect(conditions).toEqual([
      ["Residential Permit Review Time", "less-than", "10 days"],
      ["Plan Review Fee", "less-than", "$300"],
    ]);
  });

  it("keeps what it does not name, and tells what it does not understand", async () => {
    const { within, match, conditions, rests } = await described(
      "counties in NV",
      "minimum permit fee over 100 or flying saucers over 3",
      "good weather",
    );
    expect([within, match]).toEqual([{ ...inState("NV"), kinds: ["county"] }, "any"]);
    expect(conditions).toEqual([["Minimum Permit Fee", "more-than", "100"]]);
    expect(rests).toEqual([[], ["flying saucers more than 3"], ["good weather"]]);
  });

  it("does not take an operator that its question's answers can't be compared by", async () => {
    const { conditions, rests } = await described("online application accepted under 5");
    expect([conditions, rests]).toEqual([[], [["online application accepted less than 5"]]]);
  });
});
