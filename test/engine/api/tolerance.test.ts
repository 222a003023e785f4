import { describe, expect, it } from "vitest";
import { failureOfReply } from "../../../src/engine/api/answer-failure";
import { createClient } from "../../../src/engine/api/client";

const asItIs = (text: string) => text;

/** A client whose service answers with exactly this body. */
function told(body: unknown, status = 200) {
  return createClient({
    send: () => Promise.resolve({ status, headers: new Headers(), body: JSON.stringify(body) }),
    endAll: () => undefined,
    withoutKey: asItIs,
  });
}
const envelope = (data: unknown, rest: object = {}) => ({
  response_type: "success",
  description: "",
  data,
  ...rest,
});
const ahj = { id: 7, name: "Alameda County", type: "county", state_code: "CA", geoid: "06001" };
const type = { id: 1, name: "Fee", description: "", unit_of_measure: "USD", category_ids: [3] };
const pagination = { page: 1, page_size: 500, total: 1, total_pages: 1 };

describe("the client accepts what docs/interface.md leaves open:", () => {
  it("unknown fields, ids and counts as strings of digits", async () => {
    const items = [{ ...ahj, id: "7", mayor: "?" }];
    const counts = { page: "1", page_size: "500", total: "1", total_pages: "1" };
    const { data } = await told(envelope({ items, pagination: counts, next: null })).listAhjs({});
    expect(data).toEqual({ items: [ahj], pagination });
  });

  it("a list without data is empty", async () => {
    const { data } = await told(envelope(null)).listTypes({});
    expect(data.items).toEqual([]);
  });

  it("texts that are null", async () => {
    const odd = { ...type, description: null, unit_of_measure: null, category_ids: null };
    const answer = await told(envelope({ items: [odd], pagination }, { description: null })).listTypes({});
    expect(answer.data.items[0]).toEqual({ ...type, unit_of_measure: "", category_ids: [] });
  });

  it("fields of an AHJ that are null, missing, zero or text", async () => {
    const detail = { ...ahj, state_name: "California", population: "1,671", lat: "37.6", lon: 0 };
    const { data } = await told(envelope({ ...detail, population: "1671" })).getAhj({ ahj_id: 7 });
    expect(data).toEqual({ ...detail, county: null, population: 1671, lat: 37.6 });
  });

  it.each([[null], [[]], [undefined]])("warnings that are %j", async (warnings) => {
    const answer = await told(envelope({ items: [], pagination }, { warnings })).listAhjs({});
    expect(answer.warnings).toEqual([]);
  });

  it("warnings with fields that are null or missing", async () => {
    const warnings = [{ code: null, message: null, excluded_ahj_ids: ["9"] }];
    const answer = await told(envelope({ items: [], pagination }, { warnings })).listAhjs({});
    expect(answer.warnings).toEqual([{ code: "", message: "", excluded_ahj_ids: [9], unmatched_geoids: [] }]);
  });

  it.each([
    [["feet", "USD"]],
    [[{ name: "feet" }, { label: "USD" }]],
    [{ items: [{ symbol: "feet" }, { unit: "USD" }], pagination }],
    [{ units: ["feet", { abbreviation: "USD" }] }],
  ])("units as %j", async (data) => {
    expect((await told(envelope(data)).listUnits({})).data).toEqual([{ name: "feet" }, { name: "USD" }]);
  });

  it("a matrix cell that is null, missing or without a citation", async () => {
    const rows = [{ ahj, values: { 1: { value: "$5", reference: null }, 2: null } }];
    const { data } = await told(envelope({ ahjs: [ahj], data_point_types: [type], rows })).matrix({
      ahj_ids: [7],
      data_point_type_ids: [1, 2, 3],
    });
    expect(data.rows[0]?.values).toEqual({ 1: { value: "$5", reference: null }, 2: null });
  });

  it.each([
    ["a number", 5],
    ["a list", []],
    ["a cell with a number", { value: 5 }],
  ])("but not %s for a matrix cell", async (_, cell) => {
    const rows = [{ ahj, values: { 1: cell } }];
    const asked = { ahj_ids: [7], data_point_type_ids: [1] };
    const report = { ahjs: [ahj], data_point_types: [type], rows };
    await expect((async () => (await told(envelope(report))).matrix(asked))()).rejects.toMatchObject({
      kind: "unexpected-answer",
    });
  });
});

describe("the client calls an answer unexpected that can't be right:", () => {
  it.each([
    [{ hello: "world" }],
    [envelope({ items: "none" })],
    [envelope({ items: [{ ...ahj, id: "seven" }], pagination })],
  ])("%j", async (body) => {
    await expect(told(body).listAhjs({})).rejects.toMatchObject({ kind: "unexpected-answer" });
  });
});

describe("an error's body", () => {
  const kindOf = (status: number, body: unknown) =>
    failureOfReply({ status, body: typeof body === "string" ? body : JSON.stringify(body) }, asItIs).kind;

  it.each([
    [403, { error: "AHJ_ACCESS_DENIED" }, "outside-subscription"],
    [403, { error: "AHJ_ACCESS_DENIED", detail: { a: 1 }, description: ["x"] }, "outside-subscription"],
    [403, { error: "FORBIDDEN" }, "no-rights"],
    [403, "<html>", "no-rights"],
    [401, "", "wrong-key"],
    [422, { detail: [{ loc: ["header", "x-api-key"], msg: "missing", type: "x" }] }, "wrong-key"],
    [422, { detail: [{ loc: ["query", 0], msg: "bad", type: "x" }] }, "invalid-request"],
    [404, { detail: "Not Found" }, "not-found"],
    [405, "", "invalid-request"],
    [500, "<html>", "service-error"],
    [302, "", "unexpected-answer"],
  ])("with status %i and %j is %s", (status, body, kind) => {
    expect(kindOf(status, body)).toBe(kind);
  });

  it("is quoted, cut to a readable length", () => {
    const body = JSON.stringify({ description: "x".repeat(5_000) });
    const failure = failureOfReply({ status: 500, body }, asItIs);
    expect(failure.message).toMatch(/The service says: “x{300}”/);
    expect(failure.message).toContain("(HTTP 500)");
  });
});
