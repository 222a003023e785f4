import { beforeAll, describe, expect, it } from "vitest";
import type { Ahj, AhjDetail, Page } from "../../src/engine/api/schemas";
import { allItems, asking, type Query } from "./asking";

const ask = asking("demo-national");
const western = ["CA", "OR", "WA", "NV", "AZ"];

let ahjs: Ahj[];
let sharedGeoids: { geoid: string; low: Ahj; high: Ahj }[];

const named = (name: string, state: string) =>
  ahjs.filter((ahj) => ahj.name === name && ahj.state_code === state);

beforeAll(async () => {
  ahjs = await allItems<Ahj>(ask, "/v1/ahjs");
  const byGeoid = new Map<string, Ahj[]>();
  for (const ahj of ahjs) {
    if (ahj.geoid !== null) byGeoid.set(ahj.geoid, [...(byGeoid.get(ahj.geoid) ?? []), ahj]);
  }
  sharedGeoids = [...byGeoid].flatMap(([geoid, [low, high]]) => (low && high ? [{ geoid, low, high }] : []));
});

describe("Geography", () => {
  it("each id is there once, and the list is by id", () => {
    const ids = ahjs.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
  });

  it("there are AHJs in 56 states and territories", () => {
    expect(new Set(ahjs.map(({ state_code }) => state_code)).size).toBe(56);
  });

  it("a geoID has digits only, two for a state; a utility has none", () => {
    const lengths = (type: string) =>
      [...new Set(ahjs.filter((ahj) => ahj.type === type).map(({ geoid }) => geoid?.length ?? null))].sort();
    expect(lengths("state")).toEqual([2]);
    expect(lengths("utility")).toEqual([null]);
    expect(ahjs.every(({ geoid }) => geoid === null || /^\d+$/.test(geoid))).toBe(true);
  });

  it.each([
    ["Alameda County", "CA", "06001"],
    ["Orleans Parish", "LA", "22071"],
    ["Baltimore County", "MD", "24005"],
    ["Baltimore city", "MD", "24510"],
    ["St. Louis County", "MO", "29189"],
    ["St. Louis city", "MO", "29510"],
    ["Carson City", "NV", "32510"],
    ["Charles City County", "VA", "51036"],
    ["Virginia Beach city", "VA", "51810"],
    ["North Slope Borough", "AK", "02185"],
    ["Nome Census Area", "AK", "02180"],
    ["Anchorage Municipality", "AK", "02020"],
    ["Sitka City and Borough", "AK", "02220"],
    ["District of Columbia", "DC", "11001"],
    ["Mayagüez Municipio", "PR", "72097"],
    ["St. Croix Island", "VI", "78010"],
    ["Guam", "GU", "66010"],
  ])("counties are real and named as people say: %s, %s is %s", (name, state, geoid) => {
    expect(named(name, state).map((ahj) => ahj.geoid)).toContain(geoid);
  });

  it("every county of the atlas is there, and no county name ends bare", () => {
    const counties = ahjs.filter(({ type }) => type === "county");
    expect(counties).toHaveLength(3_231);
    const whole =
      /( County| Parish| Borough| Census Area| Municipality| Municipio| District| Island| city)$|^(District of Columbia|Guam|Carson City)$/;
    expect(counties.filter(({ name }) => !whole.test(name))).toEqual([]);
  });

  it("places, townships and utilities are recognizable as samples, but for the large cities", () => {
    const generated = ahjs.filter(({ type }) => type === "city" || type === "utility");
    const real = generated.filter(({ name }) => !name.startsWith("Sample "));
    expect(real).toHaveLength(117);
    // Codes of generated places begin at 90000.
    for (const { geoid } of real) expect(geoid).toMatch(/^\d\d[0-8]\d{4}$/);
    expect(generated.some(({ name }) => name.endsWith(" Township"))).toBe(true);
  });

  it("the data is the same each time", async () => {
    const again = await allItems<Ahj>(asking("demo-national"), "/v1/ahjs");
    expect(again).toEqual(ahjs);
    expect(ahjs[20_000]).toMatchInlineSnapshot(`
      {
        "geoid": "3790644",
        "id": 30001,
        "name": "Sample Mapleport",
        "state_code": "NC",
        "type": "city",
      }
    `);
  });
});

describe("1. GET /v1/ahjs", () => {
  it("state_code takes a list, in either case", async () => {
    const { body } = await ask.get<Page<Ahj>>("/v1/ahjs", { state_code: "or,WA", page_size: 500 });
    expect(new Set(body.data.items.map(({ state_code }) => state_code))).toEqual(new Set(["OR", "WA"]));
  });

  it("the description is true for a filtered list as well", async () => {
    const descriptionOf = async (query: Query) => (await ask.get("/v1/ahjs", query)).body.description;
    expect(await descriptionOf({})).toBe(`${ahjs.length} AHJs in your subscription.`);
    expect(await descriptionOf({ state_code: "GU" })).toBe(
      `${ahjs.filter(({ state_code }) => state_code === "GU").length} AHJs of your subscription in the states asked for.`,
    );
  });

  it("a state without entitled AHJs gives an empty list", async () => {
    const { status, body } = await asking("demo-west").get<Page<Ahj>>("/v1/ahjs", { state_code: "TX" });
    expect(status).toBe(200);
    expect(body.data.items).toEqual([]);
  });

  it.each(["", "California", "C", "CA,", "06"])("a malformed state_code is 422: %j", async (state_code) => {
    expect((await ask.get("/v1/ahjs", { state_code })).status).toBe(422);
  });

  it("demo-county sees one county with its places and utilities", async () => {
    const seen = await allItems<Ahj>(asking("demo-county"), "/v1/ahjs");
    const county = seen.filter(({ type }) => type === "county");
    expect(county).toMatchObject([{ name: "San Diego County", geoid: "06073" }]);
    expect(seen.filter(({ type }) => type === "city").length).toBeGreaterThan(5);
    expect(seen.filter(({ type }) => type === "utility").length).toBeGreaterThan(1);
    for (const { id } of seen.filter(({ type }) => type === "city")) {
      expect((await ask.get<AhjDetail>(`/v1/ahjs/${id}`)).body.data.county).toBe("San Diego County");
    }
  });

  it("demo-limited sees all AHJs", async () => {
    const { body } = await asking("demo-limited").get<Page<Ahj>>("/v1/ahjs");
    expect(body.data.pagination.total).toBe(ahjs.length);
  });

  it("demo-none sees none: 200 and an empty list", async () => {
    const { status, body } = await asking("demo-none").get<Page<Ahj>>("/v1/ahjs");
    expect(status).toBe(200);
    expect(body.data.items).toEqual([]);
  });
});

describe("2. GET /v1/ahjs/{ahj_id}", () => {
  const detailOf = async (ahj: Ahj) => (await ask.get<AhjDetail>(`/v1/ahjs/${ahj.id}`)).body.data;

  it("a county lies in its state and in itself, and has over a thousand people", async () => {
    const [alameda] = named("Alameda County", "CA");
    const detail = await detailOf(alameda!);
    expect(detail).toMatchObject({ ...alameda, state_name: "California", county: "Alameda County" });
    expect(detail.population).toBeGreaterThan(1_000);
  });

  it.each([
    { geoid: "06001", lat: 37.68, lon: -121.9 },
    { geoid: "17031", lat: 41.81, lon: -87.89 },
    { geoid: "12086", lat: 25.56, lon: -80.5 },
    { geoid: "15003", lat: 21.49, lon: -157.97 },
    { geoid: "66010", lat: 13.45, lon: 144.79 },
    { geoid: "02016", lat: 54.23, lon: -176.82 },
  ])(
    "a county's latitude and longitude are the middle of its outline: $geoid",
    async ({ geoid, lat, lon }) => {
      const { data } = (await ask.get<AhjDetail>(`/v1/geoid/${geoid}`)).body;
      expect(data.lat).toBeCloseTo(lat, 1);
      expect(data.lon).toBeCloseTo(lon, 1);
    },
  );

  it("a longitude does not pass the 180th meridian", async () => {
    for (const ahj of ahjs.filter(({ state_code, type }) => state_code === "AK" && type === "city")) {
      const { lon } = await detailOf(ahj);
      expect(Math.abs(Number(lon))).toBeLessThanOrEqual(180);
      expect(Math.abs(Number(lon))).toBeGreaterThan(129);
    }
  });

  it("a place has its county, population, latitude and longitude", async () => {
    const city = ahjs.find(({ type, state_code }) => type === "city" && state_code === "TX")!;
    const detail = await detailOf(city);
    expect(detail.state_name).toBe("Texas");
    expect(detail.county).toMatch(/ County$/);
    expect(Number.isInteger(detail.population)).toBe(true);
    expect(detail.lat).toBeGreaterThan(25);
    expect(detail.lon).toBeLessThan(-90);
  });

  it("a utility has none of them", async () => {
    const utility = ahjs.find(({ type }) => type === "utility")!;
    expect(await detailOf(utility)).toEqual({
      ...utility,
      state_name: "Alabama",
      county: null,
      population: null,
      lat: null,
      lon: null,
    });
  });

  it.each([0, -1, 1, 999_999, 99_999_999_999, "99999999999999999999"])(
    "an unknown id is 403 as well: %s",
    async (id) => {
      const { status, body } = await ask.get(`/v1/ahjs/${id}`);
      expect(status).toBe(403);
      expect(body.error).toBe("AHJ_ACCESS_DENIED");
    },
  );

  it("an unknown id is 403 however many digits it has", async () => {
    expect((await ask.get(`/v1/ahjs/${"9".repeat(400)}`)).status).toBe(403);
  });
});

describe("3. GET /v1/geoid/{geoid}", () => {
  it.each(["99999", "0600", "0500000US06001", "null", "%20", "06001%20"])(
    "an unknown geoID is 404: %s",
    async (geoid) => {
      const { status, body } = await ask.get(`/v1/geoid/${geoid}`);
      expect(status).toBe(404);
      expect(body).toMatchObject({ response_type: "error", status_code: 404 });
    },
  );
});

describe("A geoID of several AHJs", () => {
  it("there are twelve", () => {
    expect(sharedGeoids).toHaveLength(12);
  });

  it("in half of them the lower id lies outside demo-west and the higher inside: 403, though the higher is entitled", async () => {
    const crossing = sharedGeoids.filter(
      ({ low, high }) => !western.includes(low.state_code) && western.includes(high.state_code),
    );
    expect(crossing).toHaveLength(6);
    const west = asking("demo-west");
    for (const { geoid, high } of crossing) {
      expect((await west.get(`/v1/geoid/${geoid}`)).status).toBe(403);
      expect((await west.get(`/v1/ahjs/${high.id}`)).status).toBe(200);
    }
  });

  it("in the other half the lower id lies inside demo-west: it is found, wherever the higher lies", async () => {
    const found = sharedGeoids.filter(({ low }) => western.includes(low.state_code));
    expect(found).toHaveLength(6);
    expect(new Set(found.map(({ high }) => western.includes(high.state_code)))).toEqual(
      new Set([true, false]),
    );
    for (const { geoid, low } of found) {
      const { body } = await asking("demo-west").get<AhjDetail>(`/v1/geoid/${geoid}`);
      expect(body.data.id).toBe(low.id);
    }
  });
});
