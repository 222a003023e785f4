import { beforeAll, describe, expect, it } from "vitest";
import type { Ahj, AhjDetail, DataPointType, DataPointValue, Page } from "../../src/engine/api/schemas";
import { allItems, asking, type Query } from "./asking";

const ask = asking("demo-national");
const west = asking("demo-west");

const list = (query: Query) => ask.get<Page<DataPointValue>>("/v1/data-points", query);

/** Ids of some AHJs, by state and type. */
let sample: Record<"california" | "sanDiego" | "texas" | "orleans", number>;

beforeAll(async () => {
  const id = async (geoid: string) => (await ask.get<AhjDetail>(`/v1/geoid/${geoid}`)).body.data.id;
  sample = {
    california: await id("06"),
    sanDiego: await id("06073"),
    texas: await id("48"),
    orleans: await id("22071"),
  };
});

describe("4. GET /v1/data-points", () => {
  it("no value changed before the year 2000 or after the day of the interface's release", async () => {
    const { body } = await list({ ahj_ids: sample.sanDiego, page_size: 500 });
    for (const { updated_at } of body.data.items) {
      expect(Date.parse(updated_at)).toBeGreaterThan(Date.UTC(2000));
      expect(Date.parse(updated_at)).toBeLessThan(Date.UTC(2026, 2, 12));
    }
  });

  it("the total over all pairs is true: it is the sum of the totals by state", async () => {
    const totalOf = async (query: Query) =>
      (await list({ ...query, page_size: 1 })).body.data.pagination.total;
    const states = (await allItems<Ahj>(ask, "/v1/ahjs")).map(({ state_code }) => state_code);
    let sum = 0;
    for (const state_code of new Set(states)) sum += await totalOf({ state_code });
    expect(await totalOf({})).toBe(sum);
    // About four in five questions have an answer.
    const share = sum / (states.length * 334);
    expect(share).toBeGreaterThan(0.77);
    expect(share).toBeLessThan(0.85);
  });

  it("the last page ends with the last data point, and the next is empty", async () => {
    const first = (await list({ page_size: 100 })).body.data.pagination;
    const last = (await list({ page_size: 100, page: first.total_pages })).body.data;
    expect(last.items).toHaveLength(first.total - 100 * (first.total_pages - 1));
    expect(last.pagination).toEqual({ ...first, page: first.total_pages });
    expect((await list({ page_size: 100, page: first.total_pages + 1 })).body.data.items).toEqual([]);
  });

  it("results are by AHJ id, then type id, with no pair twice, over all pages", async () => {
    const small: DataPointValue[] = [];
    for (let page = 1; page <= 30; page += 1) {
      small.push(
        ...(await asking("demo-county").get<Page<DataPointValue>>("/v1/data-points", { page, page_size: 37 }))
          .body.data.items,
      );
    }
    const keys = small.map(({ ahj, data_point_type }) => ahj.id * 10_000 + data_point_type.id);
    expect(keys).toEqual([...new Set(keys)].sort((one, other) => one - other));
    const whole = await allItems<DataPointValue>(asking("demo-county"), "/v1/data-points");
    expect(small).toEqual(whole.slice(0, small.length));
  });

  it("the id belongs to the pair: the same in every answer, another for every other pair", async () => {
    const points = await allItems<DataPointValue>(asking("demo-county"), "/v1/data-points");
    expect(new Set(points.map(({ id }) => id)).size).toBe(points.length);
    const { ahj, data_point_type, id } = points[1_000]!;
    const { body } = await list({ ahj_ids: ahj.id, data_point_type_ids: data_point_type.id });
    expect(body.data.items.map((item) => item.id)).toEqual([id]);
  });

  it("a data point passes every filter given", async () => {
    const { body } = await list({
      data_point_type_ids: "1076,1089,1001",
      category_ids: "4,5",
      state_code: "NV",
    });
    expect(new Set(body.data.items.map(({ data_point_type }) => data_point_type.id))).toEqual(
      new Set([1076, 1089]),
    );
  });

  it.each([{ data_point_type_ids: "9999" }, { category_ids: "99" }, { state_code: "ZZ" }])(
    "a filter that nothing passes gives an empty list, not everything: %j",
    async (query) => {
      const { status, body } = await list(query);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ items: [], pagination: { total: 0 } });
    },
  );

  it("the warning stands on every page", async () => {
    const query = { ahj_ids: `${sample.orleans},${sample.sanDiego}`, page_size: 10 };
    for (const page of [1, 2, 1_000]) {
      const { body } = await west.get("/v1/data-points", { ...query, page });
      expect(body.warnings).toMatchObject([{ excluded_ahj_ids: [sample.orleans] }]);
    }
  });

  it("an unknown id counts like an excluded one", async () => {
    const { status, body } = await list({ ahj_ids: `${sample.texas},7`, page_size: 1 });
    expect(status).toBe(200);
    expect(body.warnings?.[0]?.excluded_ahj_ids).toEqual([7]);
  });

  it("a warning about excluded AHJs names each once, however often it was asked for", async () => {
    const { body } = await list({ ahj_ids: `7,${sample.texas},7`, page_size: 1 });
    expect(body.warnings?.[0]?.excluded_ahj_ids).toEqual([7]);
  });

  it("a duplicated id gives its data points once", async () => {
    const once = await list({ ahj_ids: sample.texas, page_size: 500 });
    const twice = await list({ ahj_ids: `${sample.texas},${sample.texas}`, page_size: 500 });
    expect(twice.body).toEqual(once.body);
  });

  it("demo-none has no data points: 200 and an empty list", async () => {
    const { status, body } = await asking("demo-none").get<Page<DataPointValue>>("/v1/data-points");
    expect(status).toBe(200);
    expect(body.data).toEqual({
      items: [],
      pagination: { page: 1, page_size: 100, total: 0, total_pages: 0 },
    });
  });
});

describe("Jurisdictional laddering", () => {
  const points = (query: Query) => allItems<DataPointValue>(ask, "/v1/data-points", query);
  const rule = ({ value, reference, section, updated_at }: DataPointValue) => ({
    value,
    reference,
    section,
    updated_at,
  });

  it("a rule made by the state is the same for all its AHJs", async () => {
    for (const typeId of [1001, 1003, 1018, 1240, 1302]) {
      const found = await points({ state_code: "OR", data_point_type_ids: typeId });
      if (found.length === 0) continue;
      expect(new Set(found.map((point) => JSON.stringify(rule(point)))).size, String(typeId)).toBe(1);
      expect(found).toHaveLength((await allItems<Ahj>(ask, "/v1/ahjs", { state_code: "OR" })).length);
    }
  });

  it("a question of the counties has the county's answer in all its places", async () => {
    const inCounty = await points({ state_code: "CA", data_point_type_ids: "1089,1091,1095,1184" });
    const county = await allItems<Ahj>(asking("demo-county"), "/v1/ahjs");
    for (const typeId of [1089, 1091, 1095, 1184]) {
      const answers = inCounty.filter(
        ({ ahj, data_point_type }) => data_point_type.id === typeId && county.some(({ id }) => id === ahj.id),
      );
      if (answers.length === 0) continue;
      expect(answers, String(typeId)).toHaveLength(county.length);
      expect(new Set(answers.map((point) => JSON.stringify(rule(point)))).size, String(typeId)).toBe(1);
    }
  });

  it("a city with a rule of its own shows it; one without shows its county's, value, citation and date", async () => {
    const all = await allItems<DataPointValue>(asking("demo-county"), "/v1/data-points");
    const countyRules = new Map(
      all.filter(({ ahj }) => ahj.type === "county").map((point) => [point.data_point_type.id, point]),
    );
    const cityPoints = all.filter(
      ({ ahj, data_point_type }) => ahj.type === "city" && data_point_type.category_ids.includes(3),
    );
    const same = cityPoints.filter((point) => {
      const parent = countyRules.get(point.data_point_type.id);
      return parent !== undefined && JSON.stringify(rule(parent)) === JSON.stringify(rule(point));
    });
    expect(same.length).toBeGreaterThan(10);
    expect(cityPoints.length - same.length).toBeGreaterThan(10);
  });

  it("where the county has an answer, so has every place in it", async () => {
    const all = await allItems<DataPointValue>(asking("demo-county"), "/v1/data-points");
    const typesOf = (id: number) =>
      new Set(all.filter(({ ahj }) => ahj.id === id).map((p) => p.data_point_type.id));
    const county = typesOf(sample.sanDiego);
    for (const id of new Set(all.filter(({ ahj }) => ahj.type === "city").map(({ ahj }) => ahj.id))) {
      const own = typesOf(id);
      expect([...county].filter((typeId) => !own.has(typeId))).toEqual([]);
    }
  });

  it("on questions that cities do not rule on, every city equals its county, for every type", async () => {
    const { data } = (await ask.get<Page<DataPointType>>("/v1/data-points/types", { page_size: 500 })).body;
    const ruledByCities = new Set([2, 3, 4, 6, 7, 8, 9, 10, 13, 14, 20, 21, 22]);
    const others = data.items.filter(({ category_ids }) => !category_ids.some((id) => ruledByCities.has(id)));
    expect(others.length).toBeGreaterThan(100);
    for (const state_code of ["AZ", "HI", "MA"]) {
      const cities = (await allItems<Ahj>(ask, "/v1/ahjs", { state_code })).filter(
        ({ type }) => type === "city",
      );
      const found = await points({ state_code, data_point_type_ids: others.map(({ id }) => id).join() });
      const rules = new Map<number, string[]>();
      for (const point of found) {
        const own = rules.get(point.ahj.id) ?? [];
        own.push(JSON.stringify([point.data_point_type.id, rule(point)]));
        rules.set(point.ahj.id, own);
      }
      const counties = new Map(
        found.filter(({ ahj }) => ahj.type === "county").map(({ ahj }) => [ahj.name, ahj]),
      );
      for (const { id } of cities) {
        const { county } = (await ask.get<AhjDetail>(`/v1/ahjs/${id}`)).body.data;
        const parent = counties.get(county!)!;
        expect(rules.get(id), `${id}, ${county}, ${state_code}`).toEqual(rules.get(parent.id));
      }
    }
  });

  it("a question of the utilities has the serving utility's answer in the cities", async () => {
    const all = await allItems<DataPointValue>(asking("demo-county"), "/v1/data-points", {
      category_ids: "16",
    });
    const ofUtilities = all
      .filter(({ ahj }) => ahj.type === "utility")
      .map((point) => JSON.stringify(rule(point)));
    const ofCities = all.filter(({ ahj }) => ahj.type === "city");
    expect(ofCities.length).toBeGreaterThan(20);
    expect(ofCities.filter((point) => !ofUtilities.includes(JSON.stringify(rule(point))))).toEqual([]);
  });
});
