import { describe, expect, it } from "vitest";
import { config } from "../../src/config";
import { formulaValue } from "../../src/workbook/sheet/values/cell-value";
import { baseUrl, countByPath, type Interception } from "../recorded-service";
import {
  answering,
  call,
  column,
  invalidValue,
  notAvailable,
  outage,
  pass,
  playExcel,
  readable,
  result,
  row,
  rowsOf,
  settled,
  start,
} from "./excel";

playExcel();

/** Changes the matrix's cell of Alameda County to this test's answer. */
const published = (typeId: number, cell: object | null, unit?: string) =>
  answering(/matrix$/, (data) => {
    for (const row of data.rows) row.values[typeId] = cell;
    for (const type of data.data_point_types) if (type.id === typeId && unit) type.unit_of_measure = unit;
  });

const mask = (answer: Partial<{ value: string; reference: string | null; section: string | null }>) => ({
  value: "x",
  reference: null,
  section: null,
  ...answer,
});

describe("=REGDATA.VALUE", () => {
  it("gives a number or a boolean if it is certain, else the text as published", async () => {
    const { app } = start();
    const { client } = await app.session();
    const { data: ahj } = await client.resolveGeoid({ geoid: "06001" });
    const { data: all } = await client.listTypes({ page: 1, page_size: 500 });
    const typeIds = all.items.map(({ id }) => id);
    const { data } = await client.matrix({ ahj_ids: [ahj.id], data_point_type_ids: typeIds });
    const [shown = []] = await rowsOf("VALUE", "06001", row(...typeIds));
    const [texts = []] = await rowsOf("VALUE", "06001", row(...typeIds), "text");
    const kinds = new Set<string>();
    typeIds.forEach((typeId, at) => {
      const raw = data.rows[0]?.values[typeId]?.value;
      if (!raw) return expect(shown[at]).toEqual(notAvailable(/No value is recorded/));
      const type = data.data_point_types.find(({ id }) => id === typeId);
      expect(shown[at]).toBe(formulaValue(raw, type?.unit_of_measure ?? ""));
      expect(texts[at]).toBe(raw);
      kinds.add(typeof shown[at]);
    });
    expect(kinds).toEqual(new Set(["number", "boolean", "string"]));
  });

  it.each([
    [6001, "06001"],
    [6, "06"],
    [667000, "0667000"],
    [100190171, "0100190171"],
    [48201, "48201"],
    ["0500000US06001", "06001"],
    [" 06001 ", "06001"],
    ["6001", "06001"],
    ["6", "06"],
  ])("reads %j as the geoID %s", async (given, geoid) => {
    const { requests } = start();
    await result("VALUE", given, 1003);
    expect(requests[0]).toBe(`GET /v1/geoid/${geoid}`);
  });

  it("takes a name that is exact or sure, and asks for it as for its geoID", async () => {
    const byGeoid = start();
    const value = await result("VALUE", "06001", 1003);
    const { requests } = byGeoid;
    const asked = requests.filter((request) => !request.includes("ahjs") && !request.includes("geoid"));
    const byName = start();
    expect(await rowsOf("VALUE", column("Alameda County, CA", "alameda county ca"), 1003)).toEqual([
      [value],
      [value],
    ]);
    const others = byName.requests.filter((request) => !request.includes("ahjs"));
    expect(others).toEqual(asked);
    const before = byName.requests.length;
    expect(await result("AHJ", "Alameda County, CA", "geoid")).toBe("06001");
    expect(byName.requests).toHaveLength(before);
  });

  it("of a name that several have is #N/A and names them", async () => {
    start();
    expect(await result("VALUE", "Baldwin County", 1003)).toEqual(
      notAvailable(/Several jurisdictions have this name\. Baldwin County, AL \(01003\); Baldwin County, GA/),
    );
    expect(await result("CITATION", "Alamedda County, CA", 1003)).toEqual(
      notAvailable(/Did you mean Alameda County, CA \(06001\)\?$/),
    );
  });

  it("of a formula that a cell holds as text says how to make it one", async () => {
    const { requests } = start();
    expect(await result("VALUE", '=REGDATA.GEOID("Maricopa County, AZ")', 1003)).toEqual(
      invalidValue(
        /formatted as text\. Set the cell's number format to General, and enter the formula again\.$/,
      ),
    );
    expect(requests).toEqual([]);
  });

  it("takes an AHJ id, and asks only for the value", async () => {
    const { requests } = start();
    const byGeoid = await result("VALUE", "06001", 1003);
    start();
    expect(await result("VALUE", "ahj:10243", 1003)).toBe(byGeoid);
    const alone = start();
    expect(await result("VALUE", " AHJ: 10243", 1003)).toBe(byGeoid);
    expect(alone.requests).toEqual(["POST /v1/reports/matrix"]);
    expect(requests).toEqual(["GET /v1/geoid/06001", "POST /v1/reports/matrix"]);
  });

  it("takes a type by its id, also as text, or by its name in any case", async () => {
    start();
    const byId = await result("VALUE", "06001", 1003);
    expect(await result("VALUE", "06001", "1003")).toBe(byId);
    expect(await result("VALUE", "06001", "Electrical Code in Force")).toBe(byId);
    expect(await result("VALUE", "06001", "electrical code in force")).toBe(byId);
  });

  it("of an unknown name suggests the questions that it may mean", async () => {
    start();
    expect(await result("VALUE", "06001", "permit fee")).toEqual(
      notAvailable(
        /^The service knows no such question\. Did you mean "Residential Solar Permit Fee" \(1045\), .+, or .+\?$/,
      ),
    );
    expect(await result("VALUE", "06001", "how long does plan review take")).toEqual(
      notAvailable(/Did you mean "Residential Permit Review Time" \(1030\)/),
    );
    expect(await result("VALUE", "06001", "zzzzzz")).toEqual(
      notAvailable(/no such question\. Search for it in the RegData pane/),
    );
  });

  it("of a name that two types have is #VALUE! and says so", async () => {
    start({
      intercept: answering(/types$/, (data) => {
        data.items[0].name = data.items[1].name = "Fee";
      }),
    });
    expect(await result("VALUE", "06001", "Fee")).toEqual(invalidValue(/Several have this name/));
    expect(await result("VALUE", "06001", "Fee", "status")).toBe("ambiguous question");
  });

  it("finds a type by name that was added to the service after the catalogue was read", async () => {
    let isThere = false;
    const { requests } = start({
      intercept: answering(/types$/, (data) => {
        if (isThere) return;
        data.items = data.items.filter(({ id }: { id: number }) => id !== 1003);
        data.pagination.total = data.items.length;
      }),
    });
    const readings = () => countByPath(requests)["GET /v1/data-points/types"];
    const names = row("Electrical Code in Force", "No such name");
    const unknown = notAvailable(/no such question/);
    expect(await rowsOf("VALUE", "06001", names)).toEqual([[unknown, unknown]]);
    expect(readings()).toBe(1);
    isThere = true;
    await pass(3_600_000);
    const byId = await result("VALUE", "06001", 1003);
    expect(byId).toEqual(expect.any(String));
    expect(await rowsOf("VALUE", "06001", names)).toEqual([[byId, unknown]]);
    expect(await rowsOf("VALUE", "06001", row("Nor such", "names"))).toEqual([[unknown, unknown]]);
    expect(readings()).toBe(2);
  });

  it("takes the names of types as =REGDATA.TYPES() gives them", async () => {
    const names = ["Fee,\r\nper roof", " Fee with a space before it", "ends with one "];
    start({
      intercept: answering(/types$/, (data) => {
        names.forEach((name, at) => (data.items[at].name = name));
      }),
    });
    const shown = (await rowsOf("TYPES", null, null, false)).slice(0, names.length).map(([, name]) => name);
    const byId = await rowsOf("VALUE", "06001", row(1001, 1002, 1003));
    expect(readable(await rowsOf("VALUE", "06001", row(...shown)))).toEqual(byId);
  });

  it.each([
    ["", 1003],
    ["ahj:", 1003],
    [null, 1003],
    [0, 1003],
    ["06001", ""],
    ["06001", null],
    ["06001", 0],
    ["", "Electrical Code in Force"],
  ])("of a blank cell is blank and costs nothing: %j, %j", async (geoid, typeId) => {
    const { requests } = start({ key: null });
    for (const field of [null, "text", "citation", "updated_at", "unit", "status"]) {
      expect(await result("VALUE", geoid, typeId, field, "none")).toBe("");
    }
    start();
    for (const field of [null, "unit", "status"]) {
      expect(await result("VALUE", geoid, typeId, field)).toBe("");
    }
    expect(requests).toEqual([]);
  });

  it("with an endless unit shows as much as a cell takes, with a value and without one", async () => {
    for (const cell of [mask({}), null]) {
      start({ intercept: published(1003, cell, "x".repeat(1_000_000)) });
      expect(String(await result("VALUE", "06001", 1003, "unit")).length).toBeLessThanOrEqual(32_767);
    }
  });

  it("asks nothing for blank cells, whatever stands in the other range", async () => {
    const { requests } = start();
    const blank = column("", null, 0);
    const names = row(1003, "Electrical Code in Force");
    for (const field of [null, "unit", "updated_at"]) {
      expect(await result("VALUE", blank, names, field)).toEqual([
        ["", ""],
        ["", ""],
        ["", ""],
      ]);
    }
    expect(requests).toEqual([]);
  });

  it.each([
    ["County", 1003, /"County" is neither a geoID nor a name/],
    [true, 1003, /TRUE is neither a geoID nor a name/],
    [6001.5, 1003, /6001\.5 is neither a geoID nor a name/],
    [-6001, 1003, /-6001 is neither a geoID nor a name/],
    ["06001", 1.5, /1\.5 is not a question id/],
    ["06001", -1, /-1 is not a question id/],
    ["06001", true, /TRUE is not a question id/],
  ])("of %j, %j is #VALUE! and says why", async (geoid, typeId, sentence) => {
    const { requests } = start();
    expect(await result("VALUE", geoid, typeId)).toEqual(invalidValue(sentence));
    expect(await result("VALUE", geoid, typeId, "status")).toBe("invalid argument");
    expect(requests).toEqual([]);
  });

  it("of an unknown field is #VALUE! and names the fields", async () => {
    const { requests } = start();
    const error = invalidValue(/"price" is none of: value, text, reference, section, citation, updated_at/);
    expect(await result("VALUE", "06001", 1003, "price")).toEqual(error);
    expect(await result("MATRIX", "06001", 1003, true, "price")).toEqual(error);
    expect(await result("VALUE", "06001", 1003, " Status ")).toBe("ok");
    expect(requests).toHaveLength(2);
  });

  it.each([
    ["demo-west", "48201", 1003, /outside your subscription/, "outside subscription"],
    ["demo-national", "4899999", 1003, /no jurisdiction with this geoID/, "unknown jurisdiction"],
    ["demo-national", "99999", 1003, /No state's code is 99/, "unknown jurisdiction"],
    ["demo-national", "06001", 999_999, /no such question/, "unknown question"],
    ["demo-national", "06001", "No such name", /no such question/, "unknown question"],
    ["not-a-key", "06001", 1003, /does not accept this API key/, "wrong key"],
    [null, "06001", 1003, /Connect in the RegData pane\. The formulas then ask the service\./, "no key"],
  ])("with key %s of %s, %s is #N/A and says what to do", async (key, geoid, typeId, sentence, status) => {
    start({ key });
    expect(await result("VALUE", geoid, typeId)).toEqual(notAvailable(sentence));
    expect(await result("VALUE", geoid, typeId, null, "none")).toEqual(notAvailable(sentence));
    expect(await result("VALUE", geoid, typeId, "status", "none")).toBe(status);
  });

  it("uses if_missing only for a missing value", async () => {
    start({ intercept: published(1003, null) });
    const missing = /No value is recorded/;
    expect(await result("VALUE", "06001", 1003)).toEqual(notAvailable(missing));
    expect(await result("VALUE", "06001", 1003, "text")).toEqual(notAvailable(missing));
    for (const instead of ["none", 0, false, ""]) {
      expect(await result("VALUE", "06001", 1003, null, instead)).toBe(instead);
    }
    expect(await result("VALUE", "06001", 1003, "section", "none")).toBe("none");
    expect(await result("VALUE", "06001", 1003, "status", "none")).toBe("no value");
    expect(await result("VALUE", "06001", 1003, "unit")).toBe("code edition");
    expect(await result("VALUE", "4899999", 1003, null, "none")).toEqual(notAvailable(/geoID/));
    expect(await result("VALUE", "06001", 999_999, null, "none")).toEqual(notAvailable(/question/));
    expect(await result("VALUE", "x", 1003, null, "none")).toEqual(
      invalidValue(/neither a geoID nor a name/),
    );
  });

  it("takes an empty text for no value", async () => {
    start({ intercept: published(1003, mask({ value: "" })) });
    expect(await result("VALUE", "06001", 1003, "status")).toBe("no value");
  });

  it("shows each field of an answer", async () => {
    const cell = mask({ value: "120 days", reference: "Municipal Code", section: "§ 15.04" });
    start({ intercept: published(1003, cell, "days") });
    const field = (name: string | null) => result("VALUE", "06001", 1003, name);
    expect(await field(null)).toBe(120);
    expect(await field("value")).toBe(120);
    expect(await field("text")).toBe("120 days");
    expect(await field("reference")).toBe("Municipal Code");
    expect(await field("section")).toBe("§ 15.04");
    expect(await field("citation")).toBe("Municipal Code, § 15.04");
    expect(await field("unit")).toBe("days");
    expect(await field("status")).toBe("ok");
  });

  it("asks the list of data points for the date, and only then", async () => {
    const { requests, app } = start();
    const text = await result("VALUE", "06001", 1003, "updated_at");
    const { client } = await app.session();
    const { data } = await client.listDataPoints({ ahj_ids: [10243], data_point_type_ids: [1003] });
    expect(text).toBe(data.items[0]?.updated_at);
    const before = requests.length;
    expect(await result("VALUE", "06001", 1003)).toBe(data.items[0]?.value);
    expect(requests).toHaveLength(before);
    expect(countByPath(requests)).toEqual({
      "GET /v1/geoid/{geoid}": 1,
      "GET /v1/data-points/types": 1,
      "GET /v1/data-points": 2,
    });
    start({ excelApi: 1.16 });
    expect(await result("VALUE", "06001", 1003, "updated_at")).toEqual({
      type: "FormattedNumber",
      basicType: "Double",
      basicValue: Date.parse(String(text)) / 86_400_000 + 25_569,
      numberFormat: "yyyy-mm-dd hh:mm:ss",
    });
  });

  it("asks for value and date of one cell once", async () => {
    const { requests } = start();
    await settled([call("VALUE", "06001", 1003), call("VALUE", "06001", 1003, "updated_at")]);
    expect(countByPath(requests)).toEqual({
      "GET /v1/geoid/{geoid}": 1,
      "GET /v1/data-points/types": 1,
      "GET /v1/data-points": 1,
    });
  });

  it("spills: jurisdictions are rows and types columns, whatever the orientation of the ranges", async () => {
    const { requests } = start();
    const expected = await rowsOf("VALUE", column("06001", "06037"), row(1001, 1003, 1002));
    expect(expected).toEqual([
      [await result("VALUE", "06001", 1001), await result("VALUE", "06001", 1003), expect.anything()],
      [await result("VALUE", "06037", 1001), await result("VALUE", "06037", 1003), expect.anything()],
    ]);
    expect(await result("VALUE", row("06001", "06037"), column(1001, 1003, 1002))).toEqual(expected);
    expect(await result("VALUE", column("06001", "06037"), 1001)).toEqual(expected.map(([first]) => [first]));
    expect(countByPath(requests)).toEqual({ "GET /v1/geoid/{geoid}": 2, "POST /v1/reports/matrix": 1 });
  });

  it("gives each cell of a range its own error", async () => {
    start({ key: "demo-west" });
    const shown = await rowsOf(
      "VALUE",
      column("06001", "48201", "4899999", "", "x"),
      row(1003, 999_999, 1.5),
    );
    expect(shown).toEqual([
      [expect.any(String), notAvailable(/no such question/), invalidValue(/1\.5 is not a question id/)],
      [notAvailable(/outside/), notAvailable(/outside/), invalidValue(/1\.5/)],
      [notAvailable(/no jurisdiction/), notAvailable(/no jurisdiction/), invalidValue(/1\.5/)],
      ["", "", ""],
      [invalidValue(/"x" is neither/), invalidValue(/"x" is neither/), invalidValue(/"x" is neither/)],
    ]);
    expect(await result("VALUE", column("06001", "48201", "4899999", "", "x"), 1003, "status")).toEqual(
      column("ok", "outside subscription", "unknown jurisdiction", "", "invalid argument"),
    );
  });

  it("fails in each cell of a range if there is no key, except for blank ones", async () => {
    start({ key: null });
    const noKey = notAvailable(/not connected/);
    expect(await result("VALUE", column("06001", "", "x"), row(1003, 1001))).toEqual([
      [noKey, noKey],
      ["", ""],
      [invalidValue(/"x"/), invalidValue(/"x"/)],
    ]);
  });

  it("asks nothing twice for duplicates", async () => {
    const { requests } = start();
    const sent: unknown[] = [];
    start({
      async intercept(request) {
        if (request.method === "POST") sent.push(await request.clone().json());
        return undefined;
      },
    });
    const shown = await rowsOf("VALUE", column("06001", 6001, "06001", "ahj:10243"), row(1003, "1003"));
    expect(new Set(shown.flat()).size).toBe(1);
    expect(sent).toEqual([{ ahj_ids: [10243], data_point_type_ids: [1003] }]);
    expect(requests).toEqual([]);
  });

  it("gives the service's text as text: with a leading =, line breaks, and cut with a mark", async () => {
    const long = "é".repeat(39_999) + "!";
    start({ intercept: published(1003, mask({ value: '=HYPERLINK("http://x")', reference: long })) });
    expect(await result("VALUE", "06001", 1003)).toBe('=HYPERLINK("http://x")');
    const cut = await result("VALUE", "06001", 1003, "reference");
    expect(cut).toHaveLength(config.cellCharacters);
    expect(cut).toMatch(/^é{32000,}… \[cut\]$/);
    expect(await result("CITATION", "06001", 1003)).toHaveLength(config.cellCharacters);

    start({ intercept: published(1003, mask({ value: "one\r\ntwo\rthree\nfour", section: "a\r\nb" })) });
    expect(await result("VALUE", "06001", 1003)).toBe("one\ntwo\nthree\nfour");
    expect(await result("VALUE", "06001", 1003, "text")).toBe("one\ntwo\nthree\nfour");
    expect(await result("VALUE", "06001", 1003, "section")).toBe("a\nb");
  });

  it.each([0, 1])("never cuts a character in two (after %i)", async (before) => {
    const value = "x".repeat(before) + "\u{1F3E0}".repeat(20_000);
    start({ intercept: published(1003, mask({ value })) });
    const shown = String(await result("VALUE", "06001", 1003));
    expect(shown.length).toBeLessThanOrEqual(config.cellCharacters);
    expect(shown).toBe(Buffer.from(shown).toString());
  });

  it("refuses more than a sheet holds before anything is asked", async () => {
    const { requests } = start();
    const tall = Array.from({ length: 1_048_577 }, () => ["06001"]);
    const wide = row(...Array.from({ length: 16_385 }, (_, index) => index + 1));
    expect(await result("VALUE", tall, 1003)).toEqual(invalidValue(/too large/));
    expect(await result("VALUE", "06001", wide)).toEqual(invalidValue(/too large/));
    expect(await result("MATRIX", "06001", row(...(wide[0] ?? []).slice(2)))).toEqual(
      invalidValue(/too large/),
    );
    expect(await result("VALUE", tall.slice(0, 200), row(...(wide[0] ?? []).slice(0, 10_000)))).toEqual(
      invalidValue(/too large/),
    );
    expect(requests).toEqual([]);
  });

  it("takes a whole column", async () => {
    start();
    const tall = Array.from({ length: 1_048_576 }, (_, index) => [index === 1_048_575 ? "06001" : ""]);
    const rows = await rowsOf("VALUE", tall, 1003);
    expect(rows).toHaveLength(1_048_576);
    expect([rows[0], rows.at(-1)]).toEqual([[""], [expect.stringMatching(/./)]]);
  });

  it("never shows a sentence instead of an error, not even as a status", async () => {
    const gone: Interception = (request) =>
      request.url.includes("/geoid/") ? undefined : new Response("{}", { status: 404 });
    start({ intercept: gone });
    expect(await result("VALUE", "06001", 1003)).toEqual(notAvailable(/did not find/));
    for (const type of [1003, "Electrical Code in Force"]) {
      const status = await result("VALUE", "06001", type, "status");
      expect(status).toMatch(/^[a-z ]{2,40}$/);
    }
  });

  it.each([
    [500, "{}", "unreachable"],
    [200, "<html>", "unreachable"],
    [401, "{}", "wrong key"],
    [403, '{"error":"PLAN_EXPIRED"}', "no rights"],
    [403, '{"error":"AHJ_ACCESS_DENIED"}', "outside subscription"],
    [422, '{"detail":"no"}', "invalid argument"],
  ])("counts an answer with HTTP %i %s as: %s 'unreachable'", async (status, body, expected) => {
    start({
      intercept: (request) => (request.method === "POST" ? new Response(body, { status }) : undefined),
    });
    expect(await result("VALUE", "06001", 1003, "status")).toBe(expected);
  });

  it("never shows the key in a message", async () => {
    start({
      key: "marked-key-4711",
      intercept: () => Promise.reject(new TypeError("no network for marked-key-4711")),
    });
    const error = (await result("VALUE", "06001", 1003)) as Error;
    expect(error.message).toMatch(/can't be reached/);
    expect(error.message).not.toContain("4711");
  });

  it("gives an old answer if the service can't be reached, and says so as its status", async () => {
    const service = outage();
    const { app, requests } = start({ intercept: service.intercept });
    await app.setPreferences({ answerAgeMs: 3_600_000, citedNumbers: false });
    const fresh = await result("VALUE", "06001", 1003);
    await pass(2 * 3_600_000);
    service.isDown = true;
    expect(await result("VALUE", "06001", 1003)).toBe(fresh);
    expect(await result("VALUE", "06001", 1003, "status")).toBe("old answer");
    expect(await result("VALUE", "06001", 1001)).toEqual(notAvailable(/can't be reached/));
    expect(await result("VALUE", "06001", 1001, "status", "none")).toBe("unreachable");
    service.isDown = false;
    // Formulas leave an endpoint alone for so long that did not answer twice.
    await pass(10_000);
    const before = requests.length;
    expect(await result("VALUE", "06001", 1003, "status")).toBe("ok");
    expect(requests.slice(before)).toEqual(["POST /v1/reports/matrix"]);
  });

  it("is not harmed by an id in another cell that no AHJ has", async () => {
    start();
    const shown = await rowsOf("VALUE", column("06001", "ahj:0", "ahj:999999999999999"), 1003);
    expect(shown[0]).toEqual([expect.any(String)]);
  });
});

describe("=REGDATA.CITATION", () => {
  it.each([
    ["Municipal Code", "§ 1", "Municipal Code, § 1"],
    ["Municipal Code", null, "Municipal Code"],
    [null, "§ 1", "§ 1"],
    ["", "", "no citation recorded"],
    [null, null, "no citation recorded"],
  ])("of reference %j and section %j is %j", async (reference, section, citation) => {
    start({ intercept: published(1003, mask({ reference, section })) });
    expect(await result("CITATION", "06001", 1003)).toBe(citation);
  });

  it("is empty if there is no value, and an error if anything else fails", async () => {
    start({ intercept: published(1003, null), key: "demo-west" });
    expect(await result("CITATION", column("06001", "48201", "4899999", "", "x"), 1003)).toEqual(
      column("", notAvailable(/outside/), notAvailable(/no jurisdiction/), "", invalidValue(/"x"/)),
    );
  });

  it("asks for nothing beyond the value", async () => {
    const { requests } = start();
    await settled([call("VALUE", "06001", 1003), call("CITATION", "06001", 1003)]);
    await result("CITATION", "06001", 1003);
    expect(requests).toEqual(["GET /v1/geoid/06001", "POST /v1/reports/matrix"]);
  });
});

describe("connecting", () => {
  it("checks the key with one request", async () => {
    const { app, requests } = start({ key: null });
    await app.connect(` ${baseUrl}/v1/ `, " demo-national ");
    expect(app.currentSession()?.credentials).toEqual({ baseUrl, key: "demo-national" });
    expect(requests).toEqual(["GET /v1/ahjs?page=1&page_size=1"]);
  });

  it("saves nothing if the key or the address is refused", async () => {
    const { app } = start({ key: null });
    await expect(app.connect(baseUrl, "wrong")).rejects.toMatchObject({ kind: "wrong-key" });
    await expect(app.connect("http://example.com", "demo-national")).rejects.toThrow(/Only https/);
    await expect(app.session()).rejects.toMatchObject({ kind: "no-key" });
  });
});
