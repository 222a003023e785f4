import { describe, expect, it } from "vitest";
import { type Client, createClient } from "../../../src/engine/api/client";
import type { Exchange } from "../../../src/engine/transport/exchange";

/** A client whose service answers with exactly this body. */
function told(body: string, { status = 200, age }: { status?: number; age?: string } = {}) {
  const sent: Exchange[] = [];
  const client = createClient({
    send: (exchange) => {
      sent.push(exchange);
      return Promise.resolve({ status, headers: new Headers(age === undefined ? {} : { Age: age }), body });
    },
    endAll: () => undefined,
    masking: () => Promise.resolve((text) => text.replaceAll("k3y", "••••")),
  });
  return { client, sent };
}
const success = (data: unknown, rest: object = {}) =>
  told(JSON.stringify({ response_type: "success", data, ...rest })).client;
const unexpected = { kind: "unexpected-answer" };

const ahj = { id: 7, name: "Alameda County", type: "county", state_code: "CA", geoid: "06001" };
const pagination = { page: 1, page_size: 500, total: 1, total_pages: 1 };
const pointType = { id: 1, name: "Fee", description: "", unit_of_measure: "USD", category_ids: [3] };
const one = (item: unknown) => success({ items: [item], pagination });
const firstAhj = async (item: unknown) => (await one(item).listAhjs({})).data.items[0];

describe("the client accepts what docs/interface.md leaves open:", () => {
  it("unknown fields, ids and counts as strings of digits", async () => {
    const items = [{ ...ahj, id: "7", mayor: "?" }];
    const counts = { page: "1", page_size: "500", total: "1", total_pages: "1" };
    const { data } = await success({ items, pagination: counts, next: null }).listAhjs({});
    expect(data).toEqual({ items: [ahj], pagination });
  });

  it("texts that are null", async () => {
    const odd = { ...pointType, description: null, unit_of_measure: null, category_ids: null };
    const answer = await success({ items: [odd], pagination }, { description: null }).listTypes({});
    expect(answer.data.items[0]).toEqual({ ...pointType, unit_of_measure: "", category_ids: [] });
  });

  it("fields of an AHJ that are null, missing, zero or text", async () => {
    const detail = { ...ahj, state_name: "California", population: "1671", lat: "37.6", lon: 0 };
    const { data } = await success(detail).getAhj({ ahj_id: 7 });
    expect(data).toEqual({ ...detail, county: null, population: 1671, lat: 37.6 });
  });

  it.each([[null], [[]], [undefined]])("warnings that are %j", async (warnings) => {
    const answer = await success({ items: [], pagination }, { warnings }).listAhjs({});
    expect(answer.warnings).toEqual([]);
  });

  it("warnings with fields that are null or missing", async () => {
    const warnings = [{ code: null, message: null, excluded_ahj_ids: ["9"] }];
    const answer = await success({ items: [], pagination }, { warnings }).listAhjs({});
    expect(answer.warnings).toEqual([{ code: "", message: "", excluded_ahj_ids: [9], unmatched_geoids: [] }]);
  });

  it.each([
    [["feet", "USD"]],
    [[{ name: "feet" }, { label: "USD" }]],
    [{ items: [{ symbol: "feet" }, { unit: "USD" }], pagination }],
    [{ units: ["feet", { abbreviation: "USD" }] }],
  ])("units as %j", async (data) => {
    expect((await success(data).listUnits({})).data).toEqual([{ name: "feet" }, { name: "USD" }]);
  });
});

describe("an AHJ", () => {
  it("may lack a geoID", async () => {
    const { geoid: _, ...utility } = ahj;
    expect(await firstAhj(utility)).toEqual({ ...utility, geoid: null });
    expect(await firstAhj({ ...ahj, geoid: null })).toEqual({ ...utility, geoid: null });
  });

  it("may have an id of fifteen digits, as a text or a number", async () => {
    expect(await firstAhj({ ...ahj, id: "123456789012345" })).toMatchObject({ id: 123_456_789_012_345 });
    expect(await firstAhj({ ...ahj, id: 2 ** 53 - 1 })).toMatchObject({ id: 2 ** 53 - 1 });
  });

  it.each([
    ...["", "7a", "a7", "-7", "7.5", "1234567890123456"].map((id) => ({ ...ahj, id })),
    ...[7.5, 2 ** 53, null, [7], {}].map((id) => ({ ...ahj, id })),
    ...[{ name: 5 }, { name: null }, { type: 5 }, { state_code: null }, { geoid: 6001 }].map((odd) => ({
      ...ahj,
      ...odd,
    })),
    ...[null, [], "Alameda", 7, [ahj]],
  ])("is not %j", async (item) => {
    await expect(firstAhj(item)).rejects.toMatchObject(unexpected);
  });
});

describe("a record whose id is 0 or below", () => {
  it.each([0, -5, "0"])("is missing from its list, and spoils no other: %j", async (id) => {
    const items = [{ ...ahj, id }, ahj];
    const { data } = await success({ items, pagination: { ...pagination, total: 2 } }).listAhjs({});
    expect(data).toEqual({ items: [ahj], pagination: { ...pagination, total: 2 } });
  });
});

describe("an AHJ in detail", () => {
  const detail = { ...ahj, state_name: "California", county: null, population: 5, lat: 37.6, lon: -122 };

  it.each(["n/a", "0x10", "1e3", "9007199254740993", "1,234,567", "+5", "1671 (2020)"])(
    "gives a text that is no plain number as it was sent: %j",
    async (population) => {
      const { data } = await success({ ...detail, population }).getAhj({ ahj_id: 7 });
      expect(data).toEqual({ ...detail, population });
    },
  );

  it.each(["9007199254740993", "1e999"])(
    "is refused with the number %s, which JSON can't hold",
    async (number) => {
      const sent = JSON.stringify({ response_type: "success", data: detail }).replace(
        '"population":5',
        `"population":${number}`,
      );
      await expect(told(sent).client.getAhj({ ahj_id: 7 })).rejects.toMatchObject(unexpected);
    },
  );

  it.each([[null], [undefined], [""], [" "]])(
    "without a number has none, not zero: %j",
    async (population) => {
      const { data } = await success({ ...detail, population }).getAhj({ ahj_id: 7 });
      expect(data).toEqual({ ...detail, population: null });
    },
  );

  it("has a geoID and the names of its county and state, or null", async () => {
    const { geoid: _, county: __, state_name: ___, ...rest } = detail;
    const named = { ...detail, county: "Alameda" };
    expect((await success(named).getAhj({ ahj_id: 7 })).data).toEqual(named);
    expect((await success(rest).getAhj({ ahj_id: 7 })).data).toEqual({
      ...rest,
      geoid: null,
      county: null,
      state_name: null,
    });
  });

  it.each([0, -5, "0", "000", 7.5, 2 ** 53])("has no id %j, whatever was asked for", async (id) => {
    await expect(success({ ...detail, id }).getAhj({ ahj_id: Number(id) })).rejects.toMatchObject(unexpected);
  });

  it.each(["id", "name", "type", "state_code"])("has its field %s", async (field) => {
    const lacking = { ...detail, [field]: undefined };
    await expect(success(lacking).getAhj({ ahj_id: 7 })).rejects.toMatchObject(unexpected);
  });
});

describe("a published value", () => {
  const value = {
    id: 5,
    ahj,
    data_point_type: pointType,
    value: "$5",
    reference: "Code",
    section: "§ 1",
    updated_at: "2026-01-01T00:00:00Z",
  };

  it("comes as it is published; its texts may be null or missing", async () => {
    expect((await one(value).listDataPoints({})).data.items).toEqual([value]);
    const { value: _, reference: __, section: ___, ...rest } = value;
    const bare = { ...rest, value: null, reference: null, section: null };
    expect((await one(rest).listDataPoints({})).data.items).toEqual([bare]);
    expect((await one(bare).listDataPoints({})).data.items).toEqual([bare]);
  });

  it.each([
    ["id", null],
    ["ahj", null],
    ["data_point_type", { name: "Fee" }],
    ["value", 5],
    ["reference", 5],
    ["section", 5],
    ["updated_at", null],
  ])("has no %s that is %j", async (field, odd) => {
    await expect(one({ ...value, [field]: odd }).listDataPoints({})).rejects.toMatchObject(unexpected);
  });

  it("of a collection comes with the collection's name; without data there are none", async () => {
    const named = { collection_id: "c", collection_name: "Fees" };
    const args = { collection_id: "c", ahj_ids: [7] };
    const full = { items: [value], pagination, ...named };
    expect((await success(full).runCollection(args)).data).toEqual(full);
    expect((await success(null).runCollection(args)).data).toEqual({
      items: [],
      pagination: { page: 1, page_size: 1, total: 0, total_pages: 0 },
      collection_id: "",
      collection_name: "",
    });
  });
});

describe("a list without data", () => {
  it("is one empty page", async () => {
    expect((await success(null).listAhjs({})).data).toEqual({
      items: [],
      pagination: { page: 1, page_size: 1, total: 0, total_pages: 0 },
    });
  });

  it.each(Object.keys(pagination))("has no page without its %s", async (field) => {
    const lacking = { items: [], pagination: { ...pagination, [field]: undefined } };
    await expect(success(lacking).listAhjs({})).rejects.toMatchObject(unexpected);
  });
});

describe("a matrix cell", () => {
  const cellOf = (cell: unknown) =>
    success({
      ahjs: [ahj],
      data_point_types: [pointType],
      rows: [{ ahj, values: { 1: cell } }],
    }).matrix({ ahj_ids: [7], data_point_type_ids: [1] });

  it.each([
    null,
    {},
    { value: null, reference: null, section: null },
    { value: "$5", reference: null },
    { value: "a", reference: "b", section: "c" },
  ])("may be %j", async (cell) => {
    expect((await cellOf(cell)).data.rows[0]?.values).toEqual({ 1: cell });
  });

  it("that is odd spoils the whole matrix, even if others are fine", async () => {
    const rows = [{ ahj, values: { 1: { value: "$5" }, 2: 5 } }];
    const report = success({ ahjs: [ahj], data_point_types: [pointType], rows });
    await expect(report.matrix({ ahj_ids: [7], data_point_type_ids: [1, 2] })).rejects.toMatchObject(
      unexpected,
    );
  });

  it.each([{ value: 5 }, { reference: 5 }, { section: 5 }, { value: {} }, "text", 5, [], false])(
    "is not %j",
    async (cell) => {
      await expect(cellOf(cell)).rejects.toMatchObject(unexpected);
    },
  );

  it.each([[null], [[]], ["text"]])("does not stand in %j", async (values) => {
    const report = { ahjs: [ahj], data_point_types: [pointType], rows: [{ ahj, values }] };
    await expect(success(report).matrix({ ahj_ids: [7], data_point_type_ids: [1] })).rejects.toMatchObject(
      unexpected,
    );
  });
});

describe("a saved collection", () => {
  it("may lack its description, types and categories", async () => {
    const times = { created_at: "2026-01-01", updated_at: "2026-01-02" };
    const bare = { id: "c", organization_id: "o", name: "Fees", ...times };
    const { data } = await success(bare).getCollection({ collection_id: "c" });
    expect(data).toEqual({ ...bare, description: "", data_point_type_ids: [], category_ids: [] });
  });
});

describe("units", () => {
  it("are named by the first of their names that is a text", async () => {
    const { data } = await success([{ name: "", label: 5, symbol: "ft", unit: "feet" }]).listUnits({});
    expect(data).toEqual([{ name: "ft" }]);
  });

  it.each([[[{ title: "feet" }]], [[5]], [{ unit: ["feet"] }], [null]])("are not %j", async (data) => {
    await expect(success(data).listUnits({})).rejects.toMatchObject(unexpected);
  });
});

describe("an answer", () => {
  const types = (client: Client) => client.listTypes({});

  it("with a good status may still say that it failed, without the key", async () => {
    const failed = told(JSON.stringify({ response_type: "error", description: "k3y is odd", data: null }));
    await expect(types(failed.client)).rejects.toMatchObject({
      kind: "service-error",
      detail: "The service says: “•••• is odd”",
    });
  });

  it.each(['{"response_type":5}', '{"response_type":"success","data":{"items":5}}'])(
    "of another shape tells the support where: %s",
    async (body) => {
      const failure = await types(told(body).client).catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ ...unexpected, cause: expect.any(Error) as Error });
    },
  );

  it.each([200, 201, 299])("with status %i is taken", async (status) => {
    const { client } = told(JSON.stringify({ response_type: "success", data: null }), { status });
    expect((await types(client)).data.items).toEqual([]);
  });

  it.each([199, 300])("with status %i is not taken", async (status) => {
    const { client } = told(JSON.stringify({ response_type: "success", data: null }), { status });
    await expect(types(client)).rejects.toMatchObject(unexpected);
  });

  it.each([
    ["1", 1_000],
    ["86400", 86_400_000],
    ["86401", 86_401_000],
    ["259200", 259_200_000],
    ["0", 0],
    ["-5", 0],
    ["soon", 0],
  ])("whose Age is %s was given %i ms ago", async (age, agoMs) => {
    const { client } = told(JSON.stringify({ response_type: "success", data: null }), { age });
    const before = Date.now();
    const { atMs } = await types(client);
    expect(atMs).toBeGreaterThanOrEqual(before - agoMs);
    expect(atMs).toBeLessThanOrEqual(Date.now() - agoMs);
  });
});

describe("a request", () => {
  it("carries its parameters encoded, and none that is not given", async () => {
    const { client, sent } = told("{}");
    await Promise.allSettled([
      client.listAhjs({ page: 2, state_code: "C A" }),
      client.listAhjs({}),
      client.listTypes({ page: 1, page_size: undefined as never }),
    ]);
    expect(sent).toEqual([
      { method: "GET", path: "/v1/ahjs?page=2&state_code=C%20A", endpoint: "/v1/ahjs" },
      { method: "GET", path: "/v1/ahjs", endpoint: "/v1/ahjs" },
      { method: "GET", path: "/v1/data-points/types?page=1", endpoint: "/v1/data-points/types" },
    ]);
  });

  it.each(["..", ".", "../../admin", "a/b", "a?b", "a#b", "%2e%2e", "", " ", "a\u202eb"])(
    "is not sent to another path than the interface's by the id %j",
    async (id) => {
      const { client, sent } = told("{}");
      await expect(client.getCollection({ collection_id: id })).rejects.toMatchObject({ kind: "not-found" });
      expect(sent).toEqual([]);
    },
  );
});
