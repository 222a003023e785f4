import { describe, expect, it } from "vitest";
import { sampleDataset } from "../../reference-service/dataset";
import { createService } from "../../reference-service/service";
import { countByPath, type Interception, untilAborted } from "../recorded-service";
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
  type StartOptions,
} from "./excel";
import { argumentChoices } from "../../src/workbook/formula-text/argument-choices";

playExcel();

const { records } = sampleDataset().geography;
/** geoIDs of jurisdictions of one state, each belonging to one AHJ only. */
function geoidsOf(state: string, count: number): string[] {
  const geoids = records.flatMap(({ ahj }) => (ahj.state_code === state && ahj.geoid ? [ahj.geoid] : []));
  return [...new Set(geoids)].slice(0, count);
}
const utilities = records.flatMap(({ ahj }) => (ahj.geoid === null ? [ahj] : []));

const outside = notAvailable(/outside your subscription/);
const missing = notAvailable(/No value is recorded/);
const unreachable = notAvailable(/can't be reached/);

/** Makes the service give Alameda County these answers, on every endpoint. */
function published(answers: Record<number, { value: string; unit: string }>): StartOptions["intercept"] {
  const setType = (type: { id: number; unit_of_measure: string }) => {
    type.unit_of_measure = answers[type.id]?.unit ?? type.unit_of_measure;
  };
  const matrices = answering(/matrix$/, (data) => {
    data.data_point_types.forEach(setType);
    for (const { values } of data.rows) {
      for (const [id, { value }] of Object.entries(answers)) {
        if (id in values) values[id] = { value, reference: "Code", section: "§ 1" };
      }
    }
  });
  const dataPoints = answering(/data-points$/, (data) => {
    for (const item of data.items) {
      setType(item.data_point_type);
      const { value } = answers[item.data_point_type.id] ?? item;
      Object.assign(item, { value, reference: "Code", section: "§ 1", updated_at: "2026-01-31T12:00:00Z" });
    }
  });
  const catalogue = answering(/types$/, (data) => data.items.forEach(setType));
  return async (request) =>
    (await matrices(request)) ?? (await dataPoints(request)) ?? (await catalogue(request));
}

const answers = {
  1001: { value: "$1,250.50", unit: "USD" },
  1002: { value: "Yes", unit: "boolean" },
  1003: { value: "2023 NEC", unit: "code edition" },
  1004: { value: "July 1, 2026", unit: "date" },
  1005: { value: "12 working days", unit: "days" },
  1006: { value: "07/01/2026", unit: "date" },
};
const asked = row(1001, 1002, 1003, 1004, 1005, 1006);
const serial = Date.UTC(2026, 6, 1) / 86_400_000 + 25_569;

describe("numbers and dates", () => {
  it("are plain numbers and text in a host without data types", async () => {
    start({ intercept: published(answers), preferences: { citedNumbers: true } });
    expect(await rowsOf("VALUE", "06001", asked)).toEqual([
      [1250.5, true, "2023 NEC", "July 1, 2026", "12 working days", "07/01/2026"],
    ]);
  });

  it.each([
    [1.16, false, "FormattedNumber"],
    [1.18, true, "FormattedNumber"],
    [1.19, false, "Double"],
  ])(
    "with ExcelApi %f and cited numbers %s: a date is a %s, a number stays a number",
    async (excelApi, cited, type) => {
      const { requests } = start({
        intercept: published(answers),
        excelApi,
        preferences: { citedNumbers: cited },
      });
      const date = { type, basicType: "Double", basicValue: serial, numberFormat: "mmmm d, yyyy" };
      const expected = [1250.5, true, "2023 NEC", date, "12 working days", "07/01/2026"];
      expect(await rowsOf("VALUE", "06001", asked)).toEqual([expected]);
      expect(await rowsOf("MATRIX", "06001", asked, false)).toEqual([["Alameda County", "CA", ...expected]]);
      expect(await rowsOf("VALUE", "06001", asked, "text")).toEqual([
        Object.values(answers).map(({ value }) => value),
      ]);
      expect(countByPath(requests)).toEqual({ "GET /v1/geoid/{geoid}": 1, "POST /v1/reports/matrix": 1 });
    },
  );

  it("carry format, reference, section and date if the user wants that", async () => {
    const { app, requests } = start({
      intercept: published(answers),
      excelApi: 1.19,
      preferences: { citedNumbers: true },
    });
    await app.session();
    const text = (basicValue: string) => ({ type: "String", basicType: "String", basicValue });
    const properties = {
      Reference: text("Code"),
      Section: text("§ 1"),
      Updated: {
        type: "Double",
        basicType: "Double",
        basicValue: Date.UTC(2026, 0, 31, 12) / 86_400_000 + 25_569,
        numberFormat: "yyyy-mm-dd hh:mm:ss",
      },
    };
    const double = (basicValue: number, numberFormat: string) => ({
      type: "Double",
      basicType: "Double",
      basicValue,
      numberFormat,
      properties,
    });
    expect(await rowsOf("VALUE", "06001", asked)).toEqual([
      [
        double(1250.5, '"$"#,##0.00'),
        true,
        "2023 NEC",
        double(serial, "mmmm d, yyyy"),
        "12 working days",
        "07/01/2026",
      ],
    ]);
    expect(requests.some((request) => request.startsWith("POST"))).toBe(false);
  });

  it("carry their date even if a formula runs before the preferences are read", async () => {
    start({
      intercept: published(answers),
      excelApi: 1.19,
      preferences: { citedNumbers: true },
      storage: (kept) => ({
        ...kept,
        getItem: async (key) => {
          await new Promise((resolve) => setTimeout(resolve, 5_000));
          return kept.getItem(key);
        },
      }),
    });
    expect(await result("VALUE", "06001", 1001)).toMatchObject({
      properties: { Updated: { type: "Double" } },
    });
  });

  it("are shown as kept if the service can't be asked for their date", async () => {
    const service = outage();
    const intercept: Interception = async (request) =>
      (await service.intercept(request)) ?? published(answers)?.(request);
    start({ intercept, excelApi: 1.19, preferences: { citedNumbers: true } });
    await result("VALUE", "06001", 1001, "text");
    service.isDown = true;
    const cited = { Reference: expect.anything() as unknown, Section: expect.anything() as unknown };
    expect(await result("VALUE", "06001", 1001)).toMatchObject({ basicValue: 1250.5, properties: cited });
    expect(await result("CARD", "06001", 1001)).toMatchObject({
      type: "Entity",
      text: "$1,250.50",
      properties: cited,
    });
    expect(await result("VALUE", "06001", 1001, "updated_at")).toEqual(unreachable);
    expect(await result("CHANGED", "06001", 1001, "2026-01-01")).toEqual(unreachable);
  });

  it("that are known with their date do not wait behind a slow batch", async () => {
    let isSlow = false;
    start({
      intercept: (request) => (isSlow ? untilAborted(request) : undefined),
      excelApi: 1.19,
      preferences: { citedNumbers: true },
    });
    const cells = () => [
      call("VALUE", "06001", 1003),
      call("CARD", "06001", 1003),
      call("CHANGED", "06001", 1003, "2026-01-01"),
    ];
    const shown = await settled(cells());
    for (const cell of shown) expect(cell).not.toBeInstanceOf(Error);
    isSlow = true;
    const slow = call("VALUE", "06037", 1003);
    await pass(1_000);
    expect(await settled(cells(), 2_000)).toEqual(shown);
    slow.cancel();
  });
});

describe("=REGDATA.MATRIX", () => {
  it("has a header row, and name and state in front", async () => {
    start({ key: "demo-west" });
    const [header, ...rows] = await rowsOf(
      "MATRIX",
      row("06001", "48201", "", "x", "ahj:10243"),
      column(1003, "Residential Code in Force", 999_999, 1.5, ""),
    );
    const typeFailure = invalidValue(/1\.5 is not a question id/);
    const unknown = notAvailable(/no such question/);
    expect(header).toEqual([
      "Name",
      "State",
      "Electrical Code in Force",
      "Residential Code in Force",
      999_999,
      typeFailure,
      "",
    ]);
    const values = [expect.any(String), expect.any(String), unknown, typeFailure, ""];
    const invalid = invalidValue(/"x" is neither a geoID nor a name/);
    expect(rows).toEqual([
      ["Alameda County", "CA", ...values],
      [outside, outside, outside, outside, outside, typeFailure, ""],
      ["", "", "", "", "", "", ""],
      [invalid, invalid, invalid, invalid, invalid, invalid, ""],
      ["Alameda County", "CA", ...values],
    ]);
  });

  it("shows any field of VALUE, and no header if none is wanted", async () => {
    start();
    const geoids = column("06001", "06037");
    const names = [
      ["Alameda County", "CA"],
      ["Los Angeles County", "CA"],
    ];
    for (const field of argumentChoices.field) {
      const values = await rowsOf("VALUE", geoids, row(1001, 1003), field);
      const shown = await rowsOf("MATRIX", geoids, row(1001, 1003), false, field);
      expect(shown).toEqual(values.map((cells, at) => [...(names[at] ?? []), ...cells]));
    }
    const [header] = await rowsOf("MATRIX", geoids, 1001, "TRUE", "updated_at");
    expect(header).toEqual(["Name", "State", "Building Code in Force"]);
    expect(await result("MATRIX", "06001", 1001, "maybe")).toEqual(invalidValue(/"maybe" is none of: true/));
  });

  it("of 1,000 by 20 is one matrix request, beside the pages of the state", async () => {
    const { requests } = start();
    const typeIds = Array.from({ length: 20 }, (_, index) => 1001 + index);
    const rows = await rowsOf("MATRIX", column(...geoidsOf("TX", 1_000)), row(...typeIds));
    expect(rows).toHaveLength(1_001);
    expect(rows.every((cells) => cells.length === 22)).toBe(true);
    const ofTexas = records.filter(({ ahj }) => ahj.state_code === "TX").length;
    expect(countByPath(requests)).toEqual({
      "GET /v1/ahjs": 1 + Math.ceil(ofTexas / 500),
      "POST /v1/reports/matrix": 1,
    });
    const before = requests.length;
    await rowsOf("MATRIX", column(...geoidsOf("TX", 1_000)), row(...typeIds), false, "citation");
    expect(requests).toHaveLength(before);
  });

  it("of AHJ ids takes their names from the answer", async () => {
    const { requests } = start();
    const some = utilities.slice(0, 100);
    const rows = await rowsOf("MATRIX", column(...some.map(({ id }) => `ahj:${id}`)), row(1001, 1003), false);
    expect(rows.map(([name, state]) => [name, state])).toEqual(
      some.map(({ name, state_code }) => [name, state_code]),
    );
    expect(requests).toEqual(["POST /v1/reports/matrix"]);
  });

  it.each([3, 30])("of %i AHJ ids that the answer denies asks nothing more", async (count) => {
    const { requests } = start({ key: "demo-west" });
    const texan = records.filter(({ ahj }) => ahj.state_code === "TX").slice(0, count);
    const ids = texan.map(({ ahj }) => `ahj:${ahj.id}`);
    const rows = await rowsOf("MATRIX", column("ahj:10243", ...ids), 1003, false);
    expect(rows).toEqual([
      ["Alameda County", "CA", expect.any(String)],
      ...ids.map(() => [outside, outside, outside]),
    ]);
    expect(requests).toEqual(["POST /v1/reports/matrix"]);
  });

  it.each([3, 30])("of %i AHJ ids that the answer does not know asks nothing more", async (count) => {
    const service = createService();
    const { requests } = start({
      async intercept(request) {
        const answer = (await (await service.fetch(request.clone())).json()) as object;
        return Response.json({ ...answer, warnings: [] });
      },
    });
    const ids = Array.from({ length: count }, (_, index) => `ahj:${900_001 + index}`);
    const rows = await rowsOf("MATRIX", column("ahj:10243", ...ids), 1003, false);
    const nobody = notAvailable(/no jurisdiction/);
    expect(rows).toEqual([
      ["Alameda County", "CA", expect.any(String)],
      ...ids.map(() => [nobody, nobody, nobody]),
    ]);
    expect(requests).toEqual(["POST /v1/reports/matrix"]);
  });

  it("names AHJs by id if the service can't be reached any more", async () => {
    const service = outage();
    start({ intercept: service.intercept });
    const rows = await rowsOf("MATRIX", column("ahj:39733", "06001"), 1003);
    await pass(25 * 3_600_000);
    service.isDown = true;
    expect(readable(await rowsOf("MATRIX", column("ahj:39733", "06001"), 1003))).toEqual(rows);
  });

  it("says which AHJs are outside the subscription, by a warning or by a refusal of all", async () => {
    start({ key: "demo-west", quirks: ["bare-warnings"] });
    expect(await rowsOf("VALUE", column("ahj:10243", "ahj:12680"), 1003)).toEqual([
      [expect.any(String)],
      [outside],
    ]);
    start({ key: "demo-west" });
    expect(await rowsOf("VALUE", column("ahj:12680", "ahj:12681"), row(1003, 1004))).toEqual([
      [outside, outside],
      [outside, outside],
    ]);
    expect(await rowsOf("MATRIX", "ahj:12680", 1003, false)).toEqual([[outside, outside, outside]]);
  });

  it('says "maybe" if a list of data points counts AHJs outside the subscription without naming them', async () => {
    start({ key: "demo-west", quirks: ["bare-warnings"] });
    const maybe = notAvailable(/may be outside your subscription/);
    const shown = await rowsOf("VALUE", column("ahj:10243", "ahj:12680"), 1003, "updated_at");
    expect(shown).toEqual([[expect.any(String)], [maybe]]);
    start({ key: "demo-west" });
    expect(await rowsOf("CHANGED", column("ahj:12680", "ahj:12681"), 1003, "2026-01-01")).toEqual([
      [outside],
      [outside],
    ]);
  });
});

describe("=REGDATA.CARD", () => {
  it("is an Entity that shows jurisdiction, question, unit, reference, section and date", async () => {
    start({ intercept: published(answers), excelApi: 1.16 });
    const text = (basicValue: string) => ({ type: "String", basicType: "String", basicValue });
    const card = await result("CARD", "06001", 1001);
    expect(card).toEqual({
      type: "Entity",
      text: "$1,250.50",
      properties: {
        Value: { type: "Double", basicType: "Double", basicValue: 1250.5 },
        Jurisdiction: text("Alameda County, CA"),
        Question: text("Building Code in Force"),
        Unit: text("USD"),
        Reference: text("Code"),
        Section: text("§ 1"),
        Updated: {
          type: "FormattedNumber",
          basicType: "Double",
          basicValue: Date.UTC(2026, 0, 31, 12) / 86_400_000 + 25_569,
          numberFormat: "yyyy-mm-dd hh:mm:ss",
        },
      },
      layouts: {
        card: {
          title: { property: "Question" },
          subTitle: { property: "Jurisdiction" },
          sections: [
            {
              layout: "List",
              properties: ["Value", "Jurisdiction", "Question", "Unit", "Reference", "Section", "Updated"],
            },
          ],
        },
      },
    });
  });

  it("is the plain value if the host lacks cards, asked as VALUE asks", async () => {
    const { requests } = start({ intercept: published(answers), excelApi: 1.15 });
    expect(await rowsOf("CARD", "06001", asked)).toEqual(await rowsOf("VALUE", "06001", asked));
    expect(countByPath(requests)).toEqual({ "GET /v1/geoid/{geoid}": 1, "POST /v1/reports/matrix": 1 });
  });

  it("spills, with an error of its own in each cell without a card", async () => {
    start({ key: "demo-west", excelApi: 1.19 });
    const entity: unknown = expect.objectContaining({ type: "Entity" });
    const geoids = column("06001", "48201", "", "x", "ahj:10243", "ahj:12680");
    const shown = await rowsOf("CARD", geoids, row(1003, 999_999));
    const unknown = notAvailable(/no such question/);
    const invalid = invalidValue(/"x"/);
    expect(shown).toEqual([
      [entity, unknown],
      [outside, outside],
      ["", ""],
      [invalid, invalid],
      [entity, unknown],
      [outside, outside],
    ]);
  });

  it("waits for the host to say which data types it knows", async () => {
    let isReady = false;
    start({
      intercept: published(answers),
      excelApi(version) {
        if (!isReady) throw new TypeError("Office is not ready");
        return Number(version) <= 1.16;
      },
      storage: (kept) => ({
        ...kept,
        async getItem(key) {
          await new Promise((resolve) => setTimeout(resolve, 5_000));
          isReady = true;
          return kept.getItem(key);
        },
      }),
    });
    expect(await result("CARD", "06001", 1001)).toMatchObject({ type: "Entity" });
  });
});

describe("=REGDATA.CHANGED", () => {
  const since = (updated_at: string) =>
    answering(/data-points$/, (data) => {
      for (const item of data.items) item.updated_at = updated_at;
    });

  it.each([
    ["2026-03-01T00:00:00Z", "2026-03-01", false],
    ["2026-03-01T00:00:01Z", "2026-03-01", true],
    ["2026-02-28T23:59:59.999Z", "2026-03-01", false],
    ["2026-03-01T01:00:00+02:00", "2026-03-01", false],
    ["2026-03-01T12:00:00.123456+00:00", "2026-03-01T11:59:59Z", true],
    ["2026-03-01T12:00:00", "2026-03-01 12:30", false],
    ["2026-03-01T00:00:01Z", 46_082, true],
    ["2026-03-01T00:00:00Z", 46_082, false],
    ["2026-03-01T12:00:00Z", 46_082.75, false],
  ])("of %s since %j is %s", async (updatedAt, date, expected) => {
    const { requests } = start({ intercept: since(updatedAt) });
    expect(await result("CHANGED", "06001", 1003, date)).toBe(expected);
    expect(countByPath(requests)).toEqual({
      "GET /v1/geoid/{geoid}": 1,
      "GET /v1/data-points/types": 1,
      "GET /v1/data-points": 1,
    });
  });

  it("never takes an unreadable date for an old one", async () => {
    start({ intercept: since("yesterday") });
    expect(await result("CHANGED", "06001", 1003, "2026-03-01")).toMatchObject({ code: "#N/A" });
  });

  it.each(["3/1/2026", "soon", true, -1, 1e9, "2026-13-01", "2026-02-30"])(
    "of %j is #VALUE!",
    async (date) => {
      const { requests } = start();
      expect(await result("CHANGED", "06001", 1003, date)).toEqual(invalidValue(/is not a date/));
      expect(requests).toEqual([]);
    },
  );

  it("of a blank jurisdiction, type or date is blank and costs nothing", async () => {
    const { requests } = start({ key: null });
    expect(await result("CHANGED", "", 1003, "2026-03-01")).toBe("");
    expect(await result("CHANGED", "06001", 0, "2026-03-01")).toBe("");
    expect(await result("CHANGED", "06001", 1003, 0)).toBe("");
    expect(requests).toEqual([]);
  });

  it("spills, with an error of its own where there is nothing to compare", async () => {
    const { requests } = start({ key: "demo-west" });
    const shown = await rowsOf(
      "CHANGED",
      column("06001", "48201", "4899999", "", "x"),
      row(1003, 999_999),
      "1901-01-01",
    );
    const [unknownType, nobody] = [notAvailable(/no such question/), notAvailable(/no jurisdiction/)];
    expect(shown).toEqual([
      [true, unknownType],
      [outside, outside],
      [nobody, nobody],
      ["", ""],
      [invalidValue(/"x"/), invalidValue(/"x"/)],
    ]);
    expect(requests.some((request) => request.startsWith("POST"))).toBe(false);
  });

  it("without a value is #N/A", async () => {
    start({
      intercept: answering(/data-points$/, (data) => {
        data.items = [];
        data.pagination.total = data.pagination.total_pages = 0;
      }),
    });
    expect(await result("CHANGED", "06001", 1003, "2026-03-01")).toEqual(missing);
  });
});
