import { describe, expect, it } from "vitest";
import { types as catalogue } from "../../reference-service/answers/sample-catalogue";
import { sampleDataset } from "../../reference-service/dataset";
import { countByPath, type Interception, untilAborted } from "../recorded-service";
import {
  answering,
  call,
  column,
  type FormulaName,
  invalidValue,
  notAvailable,
  outage,
  pass,
  playExcel,
  readable,
  result,
  row,
  rowsOf,
  type Sent,
  settled,
  start,
} from "./excel";

playExcel();

const { geography, organizations } = sampleDataset();
const { records } = geography;
const outside = notAvailable(/outside your subscription/);
const nobody = notAvailable(/no jurisdiction with this geoID/);
const dayMs = 86_400_000;

describe("=REGDATA.AHJ", () => {
  it("gives the name, or another field, or several as a row", async () => {
    const { requests } = start();
    expect(await result("AHJ", 6001)).toBe("Alameda County");
    expect(await result("AHJ", "06001", row("id", "TYPE", "state_code", "geoid", "name"))).toEqual([
      [10_243, "county", "CA", "06001", "Alameda County"],
    ]);
    expect(await result("AHJ", "06001", column("id", "type"))).toEqual([[10_243, "county"]]);
    expect(requests).toEqual(["GET /v1/geoid/06001"]);
  });

  it("leaves a column blank if the jurisdiction lacks that field", async () => {
    start();
    expect(await rowsOf("AHJ", "06001", row("name", "", "type"))).toEqual([["Alameda County", "", "county"]]);
    const fields = row(null, "county", 0);
    expect(await rowsOf("AHJ", "06001", fields)).toEqual([["", await result("AHJ", "06001", "county"), ""]]);
  });

  it("names AHJs that are known at once, even if a matrix asked for with them hangs", async () => {
    start({ intercept: (request) => (request.method === "POST" ? untilAborted(request) : undefined) });
    await result("AHJ", "ahj:10243");
    const hanging = call("VALUE", "06037", 1003);
    const names = call("AHJ", column("ahj:10243", "06037"));
    expect(await settled([names], 5_000)).toEqual([column("Alameda County", "Los Angeles County")]);
    hanging.cancel();
  });

  it("shows details as they come, even if others asked for with them hang", async () => {
    start({
      intercept: (request) => (request.url.endsWith("/ahjs/12680") ? untilAborted(request) : undefined),
    });
    const hanging = call("AHJ", "ahj:12680", "state_name");
    const there = call("AHJ", "ahj:10243", "state_name");
    expect(await settled([there], 5_000)).toEqual(["California"]);
    hanging.cancel();
  });

  it("has its details from the same one request", async () => {
    const { requests } = start();
    const [details] = await rowsOf("AHJ", "06001", row("county", "state_name", "population", "lat", "lon"));
    expect(requests).toEqual(["GET /v1/geoid/06001"]);
    expect(details).toEqual([
      expect.any(String),
      "California",
      expect.any(Number),
      expect.any(Number),
      expect.any(Number),
    ]);
    start();
    expect(await result("AHJ", "06001", "county")).toBe(details?.[0]);
  });

  it("leaves fields empty that are not recorded, and shows a text where a number should be", async () => {
    const { requests } = start({
      intercept: answering(/ahjs\/\d+$/, (data) => {
        Object.assign(data, { county: null, population: "", lat: "37.5", lon: "east" });
      }),
    });
    expect(await result("AHJ", "ahj:39733", row("geoid", "county", "population", "lat", "lon"))).toEqual([
      ["", "", "", 37.5, "east"],
    ]);
    expect(await result("AHJ", "ahj:39733")).toBe("Sample High Plains Electric Cooperative");
    expect(requests).toEqual(["GET /v1/ahjs/39733"]);
  });

  it("costs a request for each jurisdiction if details are wanted, and none if they are known", async () => {
    const { requests } = start();
    const ids = records.slice(300, 330).map(({ ahj }) => `ahj:${ahj.id}`);
    await rowsOf("AHJ", column(...ids, ...ids), row("name", "population"));
    await rowsOf("AHJ", column(...ids), "county");
    await rowsOf("AHJ", column(...ids), "name");
    expect(countByPath(requests)).toEqual(
      Object.fromEntries(ids.map((id) => [`GET /v1/ahjs/${id.slice(4)}`, 1])),
    );
  });

  it("spills, with an error of its own in each row", async () => {
    start({ key: "demo-west" });
    const geoids = column("06001", "48201", "4899999", "", "x", "ahj:12680");
    const invalid = invalidValue(/"x" is neither a geoID nor a name/);
    for (const fields of [row("state_code", "type"), row("state_code", "type", "state_name")]) {
      const rows = await rowsOf("AHJ", geoids, fields);
      expect(rows.map((cells) => cells.slice(0, 2))).toEqual([
        ["CA", "county"],
        [outside, outside],
        [nobody, nobody],
        ["", ""],
        [invalid, invalid],
        [outside, outside],
      ]);
      expect(rows.every((cells) => cells.length === fields[0]?.length)).toBe(true);
    }
  });

  it("refuses an unknown field, and costs nothing for a blank one", async () => {
    const { requests } = start({ key: null });
    expect(await result("AHJ", "06001", "mayor")).toEqual(invalidValue(/"mayor" is none of: name, id/));
    expect(await result("AHJ", "", row("name", "county"))).toEqual([["", ""]]);
    expect(await result("AHJ", column("", null, 0))).toEqual(column("", "", ""));
    expect(await result("AHJ", "06001")).toEqual(notAvailable(/not connected/));
    expect(requests).toEqual([]);
  });

  it("of 2,000 cells reads the lists, whether they are one range or 2,000 formulas", async () => {
    const geoids = records
      .flatMap(({ ahj }) => (ahj.geoid?.startsWith("48") ? [ahj.geoid] : []))
      .slice(0, 2_000);
    const names = geoids.map((geoid) => geography.byGeoid.get(geoid)?.ahj.name);
    const ofTexas = records.filter(({ ahj }) => ahj.state_code === "TX").length;
    const pages = { "GET /v1/ahjs": 1 + Math.ceil(ofTexas / 500) };
    const single = start();
    expect(await settled(geoids.map((geoid) => call("AHJ", geoid)))).toEqual(names);
    expect(countByPath(single.requests)).toEqual(pages);
    const range = start();
    expect(await rowsOf("AHJ", column(...geoids))).toEqual(column(...names));
    expect(countByPath(range.requests)).toEqual(pages);
  });
});

describe("=REGDATA.AHJS", () => {
  const californian = records.flatMap(({ ahj }) => (ahj.state_code === "CA" ? [ahj] : []));

  it("lists a state, with header, by name", async () => {
    const { requests } = start();
    const [header, ...rows] = await rowsOf("AHJS", "ca");
    expect(header).toEqual(["AHJ ID", "Name", "Type", "State", "geoID"]);
    expect(rows).toHaveLength(californian.length);
    expect(new Set(rows.map(([id]) => id))).toEqual(new Set(californian.map(({ id }) => id)));
    expect(rows).toContainEqual([10_243, "Alameda County", "county", "CA", "06001"]);
    const names = rows.map(([, name]) => String(name));
    expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other, "en")));
    expect(countByPath(requests)).toEqual({ "GET /v1/ahjs": 3 });
    expect(await rowsOf("AHJS", "CA", null, false)).toEqual(rows);
    expect(requests).toHaveLength(3);
  });

  it("finds by the beginnings of words, or of the geoID", async () => {
    start({ key: "demo-west" });
    const oak = await rowsOf("AHJS", "CA", "oak", false);
    expect(oak.length).toBeGreaterThan(0);
    expect(oak.every(([, name, , state]) => /\boak/i.test(String(name)) && state === "CA")).toBe(true);
    expect(await rowsOf("AHJS", null, "06001", false)).toEqual([
      [10_243, "Alameda County", "county", "CA", "06001"],
    ]);
    expect(await result("AHJS", "CA", "no such place", false)).toEqual(notAvailable(/Nothing was found/));
    expect(await result("AHJS", "CA", "no such place")).toHaveLength(1);
  });

  it("lists the whole subscription", async () => {
    const { requests } = start({ key: "demo-west" });
    expect(await rowsOf("AHJS", null, null, false)).toHaveLength(1_370);
    expect(countByPath(requests)).toEqual({ "GET /v1/ahjs": 3 });
  });

  it.each(["California", "C", "XX"])("of %j is #VALUE!, and asks nothing", async (state) => {
    const { requests } = start();
    expect(await result("AHJS", state)).toEqual(invalidValue(/" is not a state's code, such as CA/));
    expect(requests).toEqual([]);
  });

  it("is #N/A rather than a list with entries left out", async () => {
    const shortened: Interception = answering(/ahjs$/, (data) => {
      data.items = data.items.filter(({ id }: { id: number }) => id !== 10_243);
    });
    start({ key: "demo-west", intercept: shortened });
    expect(await result("AHJS", "CA")).toEqual(
      notAvailable(/counts \d jurisdictions? that it does not list/),
    );
  });

  it("never gives a part of a state's list for the whole list, not even if it is old", async () => {
    let isSecondPageDown = true;
    let isDown = false;
    start({
      intercept: (request) =>
        isDown || (isSecondPageDown && request.url.includes("page=2"))
          ? Promise.reject(new TypeError("no network"))
          : undefined,
    });
    expect(await result("AHJS", "CA")).toEqual(notAvailable(/can't be reached/));
    await pass(dayMs + 1_000);
    isDown = true;
    expect(await result("AHJS", "CA")).toEqual(notAvailable(/can't be reached/));
    await pass(dayMs);
    isDown = isSecondPageDown = false;
    expect(await result("AHJS", "CA")).toHaveLength(californian.length + 1);
  });
});

describe("a catalogue formula", () => {
  it("=REGDATA.TYPES lists types, searches them, and those of a category", async () => {
    const { requests } = start();
    const all = await rowsOf("TYPES");
    expect(all.slice(0, 2)).toEqual([
      ["Type ID", "Name", "Description", "Unit", "Categories"],
      [
        1001,
        "Building Code in Force",
        "Model building code and edition the jurisdiction enforces for new applications.",
        "code edition",
        "Code Adoption",
      ],
    ]);
    expect(all).toHaveLength(catalogue.length + 1);
    expect(await rowsOf("TYPES", null, null, false)).toEqual(all.slice(1));
    const fees = await rowsOf("TYPES", "permit fee", null, false);
    expect(fees.length).toBeGreaterThan(0);
    expect(fees.every((cells) => /permit/i.test(cells.join()) && /fee/i.test(cells.join()))).toBe(true);
    expect(await rowsOf("TYPES", 1003, null, false)).toEqual([all[3]]);
    expect(await rowsOf("TYPES", " permit   FEES ", null, false)).toEqual(
      await rowsOf("TYPES", null, "Permit Fees", false),
    );
    const inspections = await rowsOf("TYPES", null, "Inspections", false);
    expect(inspections).toHaveLength(catalogue.filter(({ type }) => type.category_ids.includes(13)).length);
    expect(await rowsOf("TYPES", null, 13, false)).toEqual(inspections);
    expect(await rowsOf("TYPES", null, "INSPECTIONS", false)).toEqual(inspections);
    expect(await result("TYPES", null, "Inspectons")).toEqual(
      invalidValue(/no category "Inspectons"\. Did you mean "Inspections"\?/),
    );
    expect(await result("TYPES", "no such type", null, false)).toEqual(notAvailable(/Nothing was found/));
    expect(countByPath(requests)).toEqual({ "GET /v1/data-points/types": 1, "GET /v1/categories": 1 });
  });

  it("=REGDATA.CATEGORIES and =REGDATA.UNITS list theirs, each from one request", async () => {
    const { requests } = start();
    const categories = await rowsOf("CATEGORIES");
    expect(categories.slice(0, 3)).toEqual([
      ["Category ID", "Name"],
      [1, "Code Adoption"],
      [2, "Permit Process"],
    ]);
    expect(await rowsOf("CATEGORIES", false)).toEqual(categories.slice(1));
    const units = await rowsOf("UNITS");
    expect(units.slice(0, 2)).toEqual([["Unit"], ["USD"]]);
    expect(await rowsOf("UNITS", false)).toEqual(units.slice(1));
    expect(countByPath(requests)).toEqual({ "GET /v1/categories": 1, "GET /v1/units-of-measure": 1 });
  });

  it("shows the service's texts as cells can hold them", async () => {
    start({
      intercept: answering(/types$/, (data) => {
        data.items = [{ ...data.items[0], name: "=one\r\ntwo", description: "x".repeat(40_000) }];
        data.pagination.total = 1;
      }),
    });
    const [[id, name, description] = []] = await rowsOf("TYPES", null, null, false);
    expect([id, name]).toEqual([1001, "=one\ntwo"]);
    expect(description).toMatch(/^x{32000,}… \[cut\]$/);
    expect(description).toHaveLength(32_767);
  });

  it("takes the units of the types if the service has no list of units", async () => {
    start({
      intercept: (request) =>
        request.url.includes("units-of-measure") ? new Response("{}", { status: 404 }) : undefined,
    });
    const units = await rowsOf("UNITS", false);
    expect(new Set(units.flat())).toEqual(new Set(catalogue.map(({ type }) => type.unit_of_measure)));
  });

  it("shows an old list rather than an error if the service can't be reached", async () => {
    const service = outage();
    start({ intercept: service.intercept });
    const lists: [FormulaName, ...unknown[]][] = [
      ["TYPES"],
      ["CATEGORIES"],
      ["UNITS"],
      ["COLLECTIONS"],
      ["AHJS", "CA"],
      ["AHJ", "06001"],
      ["AHJ", "06001", "population"],
      ["AHJ", "ahj:39733", "state_name"],
      ["AHJ", "ahj:39733"],
    ];
    const ask = () =>
      settled(
        lists.map(([name, ...args]) => call(name, ...args)),
        60_000,
      );
    const fresh = await ask();
    await pass(3 * dayMs);
    service.isDown = true;
    expect(await ask()).toEqual(fresh);
  });

  it.each(["AHJS", "TYPES", "CATEGORIES", "UNITS", "COLLECTIONS"] as const)(
    "%s says why there is no list",
    async (name) => {
      start({ key: null });
      expect(await result(name)).toEqual(notAvailable(/not connected/));
      start({ key: "wrong" });
      expect(await result(name)).toEqual(notAvailable(/does not accept this API key/));
      start({ intercept: () => Promise.reject(new TypeError("no network")) });
      expect(await result(name)).toEqual(notAvailable(/can't be reached/));
    },
  );
});

const mine = organizations.find(({ key }) => key === "demo-west")?.collections ?? [];
const idOf = (name: string) => mine.find(({ definition }) => definition.name === name)?.definition.id ?? "";

describe("=REGDATA.COLLECTIONS", () => {
  it("lists the collections by name, with the date of the last change", async () => {
    const { requests } = start({ key: "demo-west", excelApi: 1.16 });
    const [header, ...rows] = await rowsOf("COLLECTIONS");
    expect(header).toEqual(["Collection ID", "Name", "Description", "Updated"]);
    expect(rows).toHaveLength(mine.length);
    expect(rows[0]).toEqual([
      idOf("New collection"),
      "New collection",
      "",
      expect.objectContaining({ type: "FormattedNumber", numberFormat: "yyyy-mm-dd hh:mm:ss" }),
    ]);
    await rowsOf("COLLECTIONS", false);
    expect(requests).toEqual(["GET /v1/collections?page=1&page_size=500"]);
    start({ key: "demo-west" });
    const [, [, , , updated] = []] = await rowsOf("COLLECTIONS");
    expect(updated).toMatch(/^\d{4}-\d\d-\d\dT/);
  });
});

describe("=REGDATA.COLLECTION", () => {
  const run = (requests: readonly string[]) => requests.filter((request) => /\/data\?/.test(request));

  it("wide: a row for each jurisdiction as asked, a column for each type", async () => {
    const { requests } = start({ key: "demo-west" });
    const geoids = column("06037", "", "48201", "06001", "4899999", "06002", "06037");
    const [header, ...rows] = await rowsOf("COLLECTION", "Residential solar", geoids);
    const types = catalogue.filter((entry) => entry.residentialSolar).map(({ type }) => type);
    expect(header).toEqual(["Name", "State", ...types.map(({ name }) => name)]);
    const values = await rowsOf("MATRIX", geoids, row(...types.map(({ id }) => id)), false);
    expect(readable(rows)).toEqual(readable(values));
    expect(rows[2]).toEqual(header?.map(() => outside));
    expect(rows[4]).toEqual(header?.map(() => nobody));
    expect(rows[5]).toEqual(header?.map(() => notAvailable(/no county with the code 06002/)));
    expect(run(requests)).toHaveLength(1);
    const again = await rowsOf("COLLECTION", "Residential solar", geoids, "WIDE", false);
    expect(readable(again)).toEqual(readable(rows));
    expect(run(requests)).toHaveLength(1);
  });

  it("is found by its id, too, in any case", async () => {
    start({ key: "demo-west" });
    const byName = await rowsOf("COLLECTION", "Zoning", "06001");
    expect(await rowsOf("COLLECTION", idOf("Zoning").toUpperCase(), "06001")).toEqual(byName);
  });

  it("is found by each name that =REGDATA.COLLECTIONS() gives", async () => {
    start({ key: "demo-west" });
    const names = (await rowsOf("COLLECTIONS", false)).map(([, name]) => name);
    for (const name of names) {
      expect(await result("COLLECTION", name, "06001"), String(name)).toBeInstanceOf(Array);
    }
  });

  it("long: has a row for each value, with citation and date, and one for each jurisdiction without", async () => {
    const { app } = start({ key: "demo-west" });
    const geoids = column("06001", "48201", "4899999", "", "x", "y", "06001");
    const [header, ...rows] = await rowsOf("COLLECTION", "Zoning", geoids, "long");
    expect(header).toEqual([
      "Name",
      "State",
      "geoID",
      "Question",
      "Value",
      "Unit",
      "Reference",
      "Section",
      "Updated",
    ]);
    const { client } = await app.session();
    const { data } = await client.runCollection({
      collection_id: idOf("Zoning"),
      ahj_ids: [10_243],
      page: 1,
      page_size: 500,
    });
    const found = rows.filter(([name]) => name === "Alameda County");
    expect(found.map((cells) => cells.filter((_, at) => at !== 4))).toEqual(
      data.items.map((item) => [
        "Alameda County",
        "CA",
        "06001",
        item.data_point_type.name,
        item.data_point_type.unit_of_measure,
        item.reference ?? "",
        item.section ?? "",
        item.updated_at,
      ]),
    );
    const failed = (geoid: unknown, error: unknown) =>
      header?.map((_, at) => (at === 2 ? geoid : error)) ?? [];
    expect(rows.slice(found.length, found.length + 2)).toEqual([
      failed("48201", outside),
      failed("4899999", nobody),
    ]);
    // No collection is left out in silence, not even the second of two that cannot be read.
    const rest = rows.slice(found.length + 2);
    expect(rest.map(([name]) => name)).toEqual([
      invalidValue(/"x" is neither a geoID nor a name/),
      invalidValue(/"y" is neither a geoID nor a name/),
    ]);
  });

  it("long: a jurisdiction without values has a row that says so", async () => {
    start({ key: "demo-west" });
    const missing = notAvailable(/No value is recorded/);
    expect(await rowsOf("COLLECTION", "New collection", column("06001", "ahj:10243"), "long", false)).toEqual(
      [
        ["Alameda County", "CA", "06001", ...Array.from({ length: 6 }, () => missing)],
        ["Alameda County", "CA", "06001", ...Array.from({ length: 6 }, () => missing)],
      ],
    );
    expect(await rowsOf("COLLECTION", "New collection", "06001")).toEqual([
      ["Name", "State"],
      ["Alameda County", "CA"],
    ]);
  });

  it("keeps the column of a type that the catalogue lacks", async () => {
    start({
      key: "demo-west",
      intercept: async (request) => {
        const add = (definition: { name: string; data_point_type_ids: number[] }) => {
          if (definition.name === "Residential solar") definition.data_point_type_ids.push(999_999);
        };
        return answering(/collections$/, (data) => data.items.forEach(add))(request);
      },
    });
    const [header, cells] = await rowsOf("COLLECTION", "Residential solar", "06001");
    expect(header?.at(-1)).toBe("999999");
    expect(cells?.at(-1)).toEqual(notAvailable(/no such question/));
  });

  it("names a type that was added to the service after the catalogue was read", async () => {
    let isThere = false;
    const without = (ids: (item: Sent) => number) => (data: Sent) => {
      data.items = data.items.filter((item: Sent) => ids(item) !== 1003);
      data.pagination.total = data.items.length;
    };
    const types = answering(/types$/, (data) => isThere || without(({ id }) => id)(data));
    // The type has no value anywhere yet.
    const data = answering(
      /\/data$/,
      without(({ data_point_type }) => data_point_type.id),
    );
    const { requests } = start({
      key: "demo-west",
      intercept: async (request) => (await types(request)) ?? data(request),
    });
    await rowsOf("TYPES");
    isThere = true;
    await pass(3_600_000);
    for (let time = 0; time < 2; time += 1) {
      const [header = [], cells = []] = await rowsOf("COLLECTION", "Residential solar", "06001");
      const place = header.indexOf("Electrical Code in Force");
      expect(header.slice(place - 1, place + 1)).toEqual([
        "Residential Code in Force",
        "Electrical Code in Force",
      ]);
      expect(cells[place]).toEqual(notAvailable(/No value is recorded/));
    }
    expect(countByPath(requests)["GET /v1/data-points/types"]).toBe(2);
  });

  it("in 30 cells at once is run once, and not again later", async () => {
    const { requests } = start({ key: "demo-west" });
    const geoids = records.flatMap(({ ahj }) => (ahj.state_code === "CA" && ahj.geoid ? [ahj.geoid] : []));
    const cells = () => settled(geoids.slice(0, 30).map((geoid) => call("COLLECTION", "Zoning", geoid)));
    const shown = await cells();
    expect(shown.every(Array.isArray)).toBe(true);
    const { "GET /v1/ahjs": pages, ...others } = countByPath(requests);
    expect(pages).toBe(3);
    expect(others).toEqual({
      "GET /v1/collections": 1,
      [`GET /v1/collections/${idOf("Zoning")}/data`]: run(requests).length,
      "GET /v1/data-points/types": 1,
    });
    // The requests are the pages of one run, not a run for each cell.
    expect(new Set(run(requests).map((request) => request.replace(/&page=.*/, ""))).size).toBe(1);
    const before = requests.length;
    expect(await cells()).toEqual(shown);
    expect(requests).toHaveLength(before);
    // The definition may have changed by then.
    await pass(3_600_000);
    expect(await cells()).toEqual(shown);
    expect(requests.slice(before)).toEqual(["GET /v1/collections?page=1&page_size=500"]);
  });

  it("runs again when its definition has changed, or its answers are too old", async () => {
    let updatedAt = "2026-01-01T00:00:00Z";
    const { app, requests } = start({
      key: "demo-west",
      intercept: (request) =>
        answering(/collections$/, (data) => {
          for (const item of data.items) item.updated_at = updatedAt;
        })(request),
    });
    await app.setPreferences({ answerAgeMs: 2 * 3_600_000, citedNumbers: false });
    await rowsOf("COLLECTION", "New collection", "06001");
    await pass(3_600_000);
    await rowsOf("COLLECTION", "New collection", "06001");
    expect(run(requests)).toHaveLength(1);
    updatedAt = "2026-03-01T00:00:00Z";
    await pass(120_000);
    await rowsOf("COLLECTION", "New collection", "06001");
    expect(run(requests)).toHaveLength(2);
    await pass(2 * 3_600_000);
    await rowsOf("COLLECTION", "New collection", "06001");
    expect(run(requests)).toHaveLength(3);
  });

  it("of an unknown name or id is #N/A, of a name that two collections have #VALUE!", async () => {
    const { requests } = start({ key: "demo-west" });
    expect(await result("COLLECTION", "Solar", "06001")).toEqual(
      notAvailable(/no collection with this name or id\. Did you mean "[^"]*solar[^"]*"/i),
    );
    const foreign = organizations.find(({ key }) => key === "demo-national")?.collections[0]?.definition.id;
    expect(await result("COLLECTION", foreign, "06001")).toEqual(
      notAvailable(/no collection with this name or id/),
    );
    expect(run(requests)).toEqual([]);
    start({
      key: "demo-west",
      intercept: answering(/collections$/, (data) => {
        for (const item of data.items) item.name = "Zoning";
      }),
    });
    expect(await result("COLLECTION", "Zoning", "06001")).toEqual(invalidValue(/Several have this name/));
    expect(await result("COLLECTION", idOf("Zoning"), "06001")).toBeInstanceOf(Array);
  });

  it("of a blank name or blank jurisdictions is blank and costs nothing", async () => {
    const { requests } = start({ key: null });
    expect(await result("COLLECTION", "", "06001")).toBe("");
    expect(await result("COLLECTION", "Zoning", column("", 0, null))).toBe("");
    expect(await result("COLLECTION", "Zoning", "06001", "tall")).toEqual(
      invalidValue(/"tall" is none of: wide, long/),
    );
    expect(requests).toEqual([]);
  });

  it.each(["wide", "long"])("%s, with an answer for no jurisdiction, says why for each", async (layout) => {
    const { requests } = start({ key: "demo-west" });
    const rows = await rowsOf("COLLECTION", "Zoning", column("48201", "4899999", "x"), layout, false);
    expect(rows.map(([name]) => name)).toEqual([outside, nobody, invalidValue(/"x"/)]);
    expect(run(requests)).toEqual([]);
  });

  it("says whom the run itself denies, by a warning or by refusing all", async () => {
    const denied = (change: (body: Sent) => object): Interception => {
      const whole = answering(/\/data$/, () => {});
      return async (request) => {
        const answer = await whole(request);
        return answer && Response.json(change(await answer.json()));
      };
    };
    const warned = (warning: object) =>
      denied((body) => ({
        ...body,
        data: {
          ...body.data,
          items: body.data.items.filter(({ ahj }: { ahj: { id: number } }) => ahj.id !== 10_243),
          pagination: { ...body.data.pagination, total: 0, total_pages: 1 },
        },
        warnings: [{ code: "AHJ_ACCESS_DENIED", message: "", ...warning }],
      }));
    start({ key: "demo-west", intercept: warned({ excluded_ahj_ids: [10_243] }) });
    const [named, unnamed] = [outside, notAvailable(/may be outside your subscription/)];
    const cells = async () => (await rowsOf("COLLECTION", "Zoning", "06001", "wide", false))[0]?.slice(2);
    const allAre = (shown: unknown[] | undefined, error: unknown) => {
      expect(shown?.length).toBeGreaterThan(5);
      expect(shown).toEqual(shown?.map(() => error));
    };
    allAre(await cells(), named);
    start({ key: "demo-west", intercept: warned({}) });
    allAre(await cells(), unnamed);
    start({
      key: "demo-west",
      intercept: (request) =>
        /\/data\?/.test(request.url)
          ? Response.json({ error: "AHJ_ACCESS_DENIED", description: "" }, { status: 403 })
          : undefined,
    });
    allAre(await cells(), named);
  });

  it("gives old answers if there are any, and an error beside them for the rest", async () => {
    const service = outage();
    start({ key: "demo-west", intercept: service.intercept });
    const [, alameda] = await rowsOf("COLLECTION", "Zoning", "06001");
    await result("AHJ", "06037");
    await pass(2 * dayMs);
    service.isDown = true;
    expect((await rowsOf("COLLECTION", "Zoning", "06001"))[1]).toEqual(alameda);
    const rows = await rowsOf("COLLECTION", "Zoning", column("06001", "06037"), "wide", false);
    expect(rows[0]).toEqual(alameda);
    expect(rows[1]?.slice(2)).toEqual(rows[1]?.slice(2).map(() => notAvailable(/can't be reached/)));
  });

  it("keeps its values for formulas that ask for them singly", async () => {
    const { requests } = start({ key: "demo-west" });
    const [[, , , question, value, , , , updatedAt] = []] = await rowsOf(
      "COLLECTION",
      "Zoning",
      "06001",
      "long",
      false,
    );
    await rowsOf("TYPES");
    const before = requests.length;
    expect(await result("VALUE", "06001", question)).toBe(value);
    expect(await result("VALUE", "06001", question, "updated_at")).toBe(updatedAt);
    expect(requests).toHaveLength(before);
  });
});
