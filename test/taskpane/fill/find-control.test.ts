import { beforeEach, describe, expect, it } from "vitest";
import type { Ahj } from "../../../src/engine/api/schemas";
import {
  isUsable,
  missingWords,
  withOperator,
  withType,
} from "../../../src/taskpane/fill/find/condition-draft";
import { inTime } from "../../excel/in-time";
import { pass, playExcel } from "../../functions/excel";
import { countByPath } from "../../recorded-service";
import { type OpenedFind, openFind, storage } from "./opened-find";

playExcel();

let excel: OpenedFind["excel"];
let session: OpenedFind["session"];
let control: OpenedFind["control"];
let types: OpenedFind["types"];
let state: OpenedFind["state"];
let counts: OpenedFind["counts"];
let write: OpenedFind["write"];
let writeAll: OpenedFind["writeAll"];
let until: OpenedFind["until"];
let estimated: OpenedFind["estimated"];
let run: OpenedFind["run"];
async function open(intercept?: (request: Request) => Response | undefined) {
  ({ excel, session, control, types, state, counts, write, writeAll, until, estimated, run } = await openFind(
    {
      intercept,
    },
  ));
}
beforeEach(() => open());

/** All jurisdictions of a state with the published text of each question, read page by page. */
async function published(stateCode: string, typeIds: readonly number[]) {
  const ahjs: Ahj[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data } = await inTime(session.client.listAhjs({ state_code: stateCode, page, page_size: 500 }));
    ahjs.push(...data.items);
    pages = data.pagination.total_pages;
  }
  const { data } = await inTime(
    session.client.matrix({ ahj_ids: ahjs.map(({ id }) => id), data_point_type_ids: [...typeIds] }),
  );
  return data.rows.map(({ ahj, values }) => ({ ahj, text: (id: number) => values[id]?.value ?? null }));
}

const yesWords = ["yes", "y", "true", "required"];
const noWords = ["no", "n", "false", "not required"];
const isOneOf = (words: readonly string[], text: string | null) =>
  text !== null && words.includes(text.toLowerCase());

describe("a find", () => {
  it("asks five questions of the whole subscription in the pages of the directory and at most eight requests", async () => {
    writeAll([
      [storage.permit, "is-yes"],
      [storage.fee, "at-most", "300"],
      [storage.capacity, "at-least", "40"],
      [storage.moratorium, "is-no"],
      [storage.setback, "at-most", "50"],
    ]);
    expect(await estimated()).toEqual({ questions: 5, answers: null });
    expect(excel.requests).toEqual([]);
    await run();
    const { among, result, failure } = state();
    expect(failure).toBeUndefined();
    expect(among).toBe(32_632);
    const { "GET /v1/ahjs": pages = 0, ...others } = countByPath(excel.requests);
    expect(pages).toBe(Math.ceil(32_632 / 500));
    expect(Object.values(others).reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(8);
    const { yes, no, "not-known": notKnown } = result!.heaps.counts;
    expect(yes + no + notKnown).toBe(32_632);
    expect(yes).toBeGreaterThan(0);
  });

  it("puts a state's jurisdictions into groups as their published texts say", async () => {
    const rows = await published("NV", Object.values(storage));
    excel.requests.length = 0;
    control.lookWithin({ kind: "states", states: ["NV"] });
    write(storage.moratorium, "is-no");
    await run();
    const no = rows.filter(({ text }) => isOneOf(noWords, text(storage.moratorium)));
    const yes = rows.filter(({ text }) => isOneOf(yesWords, text(storage.moratorium)));
    expect(no.length).toBeGreaterThan(5);
    expect(counts()).toEqual({
      yes: no.length,
      no: yes.length,
      "not-known": rows.length - no.length - yes.length,
    });
    const { ahjs, heaps } = state().result!;
    const found = heaps.placesIn("yes").map((place) => ahjs[place]!.id);
    expect(new Set(found)).toEqual(new Set(no.map(({ ahj }) => ahj.id)));

    control.changeCondition(withOperator(state().drafts[0]!, "no-value"));
    const without = rows.filter(({ text }) => text(storage.moratorium) === null).length;
    expect(counts()).toEqual({ yes: without, no: rows.length - without, "not-known": 0 });
  });

  it("shows the reason of each condition for each jurisdiction that is not known", async () => {
    control.lookWithin({ kind: "states", states: ["NV"] });
    writeAll([
      [storage.moratorium, "is-no"],
      [storage.fee, "at-most", "300"],
    ]);
    await run();
    const { heaps } = state().result!;
    const reasons = heaps.placesIn("not-known").flatMap((place) => heaps.reasonsFor(place));
    expect(heaps.placesIn("not-known").every((place) => heaps.reasonsFor(place).length > 0)).toBe(true);
    expect(new Set(reasons.map(({ reason }) => reason))).toContain("no-value");
  });

  it("answers a changed condition at once and sends nothing", async () => {
    control.lookWithin({ kind: "states", states: ["NV"] });
    write(storage.fee, "at-most", "300");
    await run();
    const before = counts()!;
    const sent = excel.requests.length;
    for (const limit of ["2", "25", "250"]) {
      write(storage.fee, "at-most", limit);
      expect(counts()!.yes).toBeLessThanOrEqual(before.yes);
    }
    control.setMatch("any");
    control.addCondition();
    write(storage.fee, "has-value");
    expect(counts()!.yes).toBeGreaterThan(before.yes);
    await pass(5_000);
    expect(excel.requests).toHaveLength(sent);
    expect(state()).toMatchObject({ need: null, work: null });
  });

  it("says how many requests a new question takes and asks it only when told to", async () => {
    control.lookWithin({ kind: "states", states: ["NV"] });
    write(storage.fee, "at-most", "300");
    await run();
    const sent = excel.requests.length;
    control.addCondition();
    write(storage.permit, "is-yes");
    expect(state().result).toBeNull();
    expect(await estimated()).toEqual({ questions: 1, answers: 1 });
    await pass(5_000);
    expect(excel.requests).toHaveLength(sent);
    await run();
    expect(excel.requests).toHaveLength(sent + 1);
    expect(counts()).toBeDefined();
  });

  it("asks nothing that is in the cache: another scope with the same answers is there at once", async () => {
    control.lookWithin({ kind: "states", states: ["NV"] });
    write(storage.fee, "at-most", "300");
    await run();
    const { ahjs } = state().result!;
    const sent = excel.requests.length;
    control.lookWithin({ kind: "chosen", ahjs: ahjs.slice(0, 20) });
    await until(() => state().result);
    expect(state().among).toBe(20);
    expect(excel.requests).toHaveLength(sent);
  });

  it("reads the dates of the last changes if a condition asks for an age", async () => {
    control.lookWithin({ kind: "states", states: ["NV"] });
    write(storage.fee, "has-value");
    await run();
    const known = counts()!.yes;
    control.changeCondition(withOperator(state().drafts[0]!, "older-than"));
    expect(state().drafts[0]!.operands[0]).toBe("12 months");
    await run();
    expect(counts()!.yes + counts()!.no).toBe(known);
  });
});

describe("a value typed into a condition", () => {
  it("stays when the operator or the question changes", () => {
    write(storage.fee, "at-most", "300");
    control.changeCondition(withOperator(state().drafts[0]!, "has-value"));
    control.changeCondition(withOperator(state().drafts[0]!, "at-least"));
    control.changeCondition(withType(state().drafts[0]!, types.get(storage.setback)!));
    expect(state().drafts[0]).toMatchObject({ operator: "at-least", operands: ["300", ""] });
  });

  it("that can't be used is named, and there is no result until it is corrected", async () => {
    control.lookWithin({ kind: "states", states: ["NV"] });
    write(storage.fee, "at-most", "300");
    await run();
    write(storage.fee, "at-most", "cheap");
    const { id } = state().drafts[0]!;
    expect(state().problems.get(id)?.message).toContain("cheap");
    expect(state().result).toBeNull();
    write(storage.fee, "at-most", "200");
    expect(state().problems.size).toBe(0);
    expect(state().result).not.toBeNull();
  });
});

describe("a value that a condition's new operator can't use", () => {
  it("is cleared, so that it does not stay unseen in a field for days", () => {
    write(storage.fee, "older-than", "12 months");
    control.changeCondition(withOperator(state().drafts[0]!, "updated-before"));
    expect(state().drafts[0]!.operands[0]).toBe("");
    expect(state().problems.size).toBe(0);
    write(storage.fee, "is", "Varies");
    control.changeCondition(withOperator(state().drafts[0]!, "at-most"));
    expect(state().drafts[0]!.operands[0]).toBe("");
    write(storage.fee, "between", "200");
    control.changeCondition({ ...state().drafts[0]!, operands: ["200", "300"] });
    control.changeCondition(withOperator(state().drafts[0]!, "is"));
    control.changeCondition(withOperator(state().drafts[0]!, "between"));
    expect(state().drafts[0]!.operands).toEqual(["200", "300"]);
  });

  it("is not turned into the offered age: no answer is compared with it", () => {
    write(storage.fee, "older-than", "12 months");
    control.changeCondition(withOperator(state().drafts[0]!, "contains"));
    expect(state().drafts[0]!.operands[0]).toBe("");
  });

  it("is not offered beside that age", () => {
    const fee = types.get(storage.fee)!;
    expect(["$300", "$45 - $70", "Varies"].map((text) => isUsable(fee, "at-most", text))).toEqual([
      true,
      false,
      false,
    ]);
    expect(isUsable(fee, "is", "Varies")).toBe(true);
  });
});

it("a find sends nothing while one of its conditions can't be used", async () => {
  control.lookWithin({ kind: "states", states: ["NV"] });
  write(storage.fee, "at-most", "cheap");
  await estimated();
  control.run();
  await pass(2_000);
  expect(excel.requests).toEqual([]);
  expect(state().work).toBeNull();
});

it("chosen states are there again after a change of the scope", () => {
  control.lookWithin({ kind: "states", states: ["NV", "TX"] });
  control.lookWithin({ kind: "chosen", ahjs: [] });
  expect(state().lastStates).toEqual(["NV", "TX"]);
});

describe("a condition whose value was cleared", () => {
  it("leaves no result and asks for its value, beside another condition that is complete", async () => {
    control.lookWithin({ kind: "states", states: ["NV"] });
    writeAll([
      [storage.moratorium, "is-no"],
      [storage.fee, "at-most", "300"],
    ]);
    await run();
    expect(state().result).not.toBeNull();
    write(storage.fee, "at-most", "  ");
    expect(state().result).toBeNull();
    expect(control.take(false)).toBeNull();
    expect(state().drafts.map(missingWords)).toEqual([null, "Enter a value, or remove this condition."]);
    control.removeCondition(state().drafts[1]!.id);
    expect(state().result).not.toBeNull();
  });

  it("leaves no result while a question is typed that nobody has chosen", async () => {
    control.lookWithin({ kind: "states", states: ["NV"] });
    write(storage.moratorium, "is-no");
    await run();
    control.addCondition();
    expect(state().result).not.toBeNull();
    control.changeCondition({ ...state().drafts[1]!, searchText: "review" });
    expect(state().result).toBeNull();
    expect(missingWords(state().drafts[1]!)).toBe(
      "Choose a question from the list, or remove this condition.",
    );
  });

  it("asks for both values of a range, and for nothing before its question is chosen", () => {
    expect(missingWords(state().drafts[0]!)).toBeNull();
    write(storage.fee, "between", "200");
    expect(missingWords(state().drafts[0]!)).toBe("Enter both values, or remove this condition.");
  });
});

describe("a find that can't have all of its answers", () => {
  it("counts an answer whose date can't be had as not answered, and asks for it again", async () => {
    let isDown = false;
    await open((request) =>
      isDown && request.url.includes("data-points?") ? new Response("{}", { status: 503 }) : undefined,
    );
    control.lookWithin({ kind: "states", states: ["NV"] });
    write(storage.fee, "has-value");
    await run();
    isDown = true;
    control.changeCondition(withOperator(state().drafts[0]!, "updated-after"));
    control.changeCondition({ ...state().drafts[0]!, operands: ["2026-01-31", ""] });
    await run();
    expect(state().failure?.kind).toBe("unreachable");
    const { heaps } = state().result!;
    const reasons = heaps.placesIn("not-known").flatMap((place) => heaps.reasonsFor(place));
    expect(reasons).toHaveLength(134);
    expect(new Set(reasons.map(({ reason }) => reason))).toEqual(new Set(["not-answered", "no-value"]));
    isDown = false;
    await run();
    expect(state().failure).toBeUndefined();
    expect(counts()!["not-known"]).toBeLessThan(134);
  });

  it("says why, keeps the answers that came, and asks for the rest again", async () => {
    let isDown = true;
    await open((request) =>
      isDown && request.url.includes("matrix") ? new Response("{}", { status: 503 }) : undefined,
    );
    control.lookWithin({ kind: "states", states: ["NV"] });
    write(storage.moratorium, "is-no");
    await run();
    expect(state().failure?.kind).toBe("service-error");
    expect(counts()).toEqual({ yes: 0, no: 0, "not-known": 134 });
    expect(state().result?.heaps.reasonsFor(0)).toEqual([{ condition: 0, reason: "not-answered" }]);
    isDown = false;
    await run();
    expect(state().failure).toBeUndefined();
    expect(counts()!.yes).toBeGreaterThan(0);
  });

  it("is canceled without a message, and keeps the typed conditions", async () => {
    write(storage.fee, "at-most", "300");
    await estimated();
    control.run();
    await pass(100);
    control.cancel();
    await pass(2_000);
    expect(state()).toMatchObject({ work: null, failure: undefined, result: null });
    expect(state().drafts[0]?.operands[0]).toBe("300");
  });
});

describe("the import of a find's result", () => {
  it("takes the found jurisdictions, with the find; with those not known it is a plain list", async () => {
    control.lookWithin({ kind: "states", states: ["NV"] });
    write(storage.moratorium, "is-no");
    await run();
    const { yes, "not-known": notKnown } = counts()!;
    const type = { id: 1150, name: "Storage Moratorium in Effect", unit_of_measure: "boolean" };
    expect(control.take(false)?.ahjs).toHaveLength(yes);
    expect(control.take(false)?.find).toEqual({
      match: "all",
      conditions: [{ type, operator: "is-no", operand: "" }],
      within: { kind: "states", states: ["NV"] },
    });
    expect(control.take(true)?.ahjs).toHaveLength(yes + notKnown);
    expect(control.take(true)?.find).toBeUndefined();
  });
});
