import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { config } from "../../src/config";
import { readFunctions } from "../../src/help/documented-functions";
import { quirkNames } from "../../reference-service/quirks/quirks";
import { createService } from "../../reference-service/service";
import { baseUrl, countByPath, type Interception, untilAborted } from "../recorded-service";
import {
  answering,
  call,
  column,
  type FormulaName,
  formulaNames,
  invalidValue,
  notAvailable,
  outage,
  pass,
  playExcel,
  preview,
  result,
  row,
  rowsOf,
  settled,
  start,
  type StartOptions,
} from "./excel";

playExcel();

const outside = notAvailable(/outside your subscription/);
const notAsked = notAvailable(/A preview shows only answers that were fetched before/);
const notConnected = notAvailable(/not connected/);
const cancelled = notAvailable(/Canceled/);

/** A call of each formula that asks the service something. */
const each: [FormulaName, ...unknown[]][] = [
  ["VALUE", "06001", 1003],
  ["MATRIX", "06001", 1003],
  ["CITATION", "06001", 1003],
  ["CARD", "06001", 1003],
  ["CHANGED", "06001", 1003, "2026-01-01"],
  ["GEOID", "Alameda County, CA"],
  ["AHJ", "06001", "county"],
  ["AHJS", "CA"],
  ["TYPES"],
  ["CATEGORIES"],
  ["UNITS"],
  ["COLLECTIONS"],
  ["COLLECTION", "Zoning", "06001"],
  // An old answer is kept only if it holds a value, and a find needs the answers of all its jurisdictions.
  ["FIND", "06001", [[1003, "has a value", ""]]],
];

/** Expects this error in each cell below the header. */
function expectEverywhere([shown]: unknown[], error: unknown) {
  const cells = Array.isArray(shown) ? (shown as unknown[][]).slice(1).flat() : [shown];
  expect(cells.length).toBeGreaterThan(0);
  expect(cells).toEqual(cells.map(() => error));
}

const neverAnswering: Interception = (request) => untilAborted(request);

const source = readFileSync(resolve(import.meta.dirname, "../../src/functions/functions.ts"), "utf8");

describe("the formulas", () => {
  it.each(formulaNames)("%s is told to Excel as cancelable, neither volatile nor streaming", (name) => {
    const [comment = ""] = (source.split(`@customfunction ${name}\n`)[1] ?? "").split("*/");
    expect(comment).toMatch(/@cancelable/);
    expect(comment).not.toMatch(/@volatile|@stream|StreamingInvocation/);
  });

  it("are fourteen, each called here", () => {
    expect(source.match(/@customfunction/g)).toHaveLength(each.length);
    expect(each.map(([name]) => name)).toEqual(formulaNames);
  });
});

describe("an argument that a formula can't use", () => {
  const documented = readFunctions(source);

  it.each<[FormulaName, RegExp, ...unknown[]]>([
    ["VALUE", /"mayor" is none of: value, text, reference/, "06001", 1003, "mayor"],
    ["MATRIX", /"perhaps" is none of: true, false/, "06001", 1003, "perhaps"],
    ["CITATION", /TRUE is neither a geoID nor a name/, true, 1003],
    ["CARD", /TRUE/, "06001", true],
    ["CHANGED", /"last month" is not a date/, "06001", 1003, "last month"],
    ["GEOID", /6001\.5/, 6001.5],
    ["AHJ", /"mayor" is none of: name, id/, "06001", "mayor"],
    ["AHJS", /"XX" is not a state.s code/, "XX"],
    ["TYPES", /no category "Nonsense"/, null, "Nonsense"],
    ["CATEGORIES", /"perhaps" is none of: true, false/, "perhaps"],
    ["UNITS", /"perhaps" is none of: true, false/, "perhaps"],
    ["COLLECTIONS", /"perhaps" is none of: true, false/, "perhaps"],
    ["COLLECTION", /"tall" is none of: wide, long/, "Zoning", "06001", "tall"],
    ["FIND", /Row 1 of the conditions: "cheaper than" is no operator/, "CA", [[1057, "cheaper than", 300]]],
  ])(
    "%s is told with %s and an example of that formula, from its documentation",
    async (name, why, ...args) => {
      start();
      const [error] = [await result(name, ...args)].flat(2);
      expect(error).toEqual(invalidValue(why));
      expect(error).toEqual(invalidValue(/ Write it like =.*; the help shows more examples\.$/));
      const [, example] = /Write it like (=.*);/.exec((error as Error).message) ?? [];
      const { examples } = documented.find((each) => each.name === name) ?? { examples: [] };
      expect(examples.map(({ formula }) => formula)).toContain(example);
    },
  );
});

describe("a cancelled formula", () => {
  it.each(each)("%s asks nothing once it is cancelled", async (name, ...args) => {
    const { app, requests } = start({ excelApi: 1.19 });
    await app.session();
    const called = call(name, ...args);
    called.cancel();
    expectEverywhere(await settled([called]), cancelled);
    await pass(5_000);
    expect(requests).toEqual([]);
  });

  it.each(each)("%s ends the request that is under way", async (name, ...args) => {
    let ended = 0;
    const { requests } = start({
      excelApi: 1.19,
      intercept(request) {
        request.signal.addEventListener("abort", () => (ended += 1));
        return untilAborted(request);
      },
    });
    const called = call(name, ...args);
    await pass(2_000);
    const sent = requests.length;
    expect(sent).toBeGreaterThan(0);
    expect(ended).toBe(0);
    called.cancel();
    expectEverywhere(await settled([called]), cancelled);
    await pass(5_000);
    expect(ended).toBe(sent);
    expect(requests).toHaveLength(sent);
  });

  it("leaves the others their answers", async () => {
    start();
    const [first, second] = [call("VALUE", "06001", 1003), call("VALUE", "06001", 1003)];
    const lists = [call("TYPES"), call("TYPES")];
    first.cancel();
    lists[0]?.cancel();
    const [gone, there, noList, list] = await settled([first, second, ...lists]);
    expect([gone, noList]).toEqual([cancelled, cancelled]);
    expect(there).toEqual(expect.any(String));
    expect(list).toBeInstanceOf(Array);
  });
});

describe("the errors of cells", () => {
  it("are one object where reason and words are the same, which nobody changes", async () => {
    start();
    // The service has no value for these (reference-service/data).
    const asks = () => [call("VALUE", "2190195", 1019), call("VALUE", "2190195", 1019, "citation")];
    const [value, citation] = await settled(asks());
    expect(value).toEqual(notAvailable(/No value is recorded/));
    expect(citation).toBe(value);
    Object.freeze(value);
    expect(await settled([...asks(), call("MATRIX", "2190195", 1019, false)])).toEqual([
      value,
      value,
      [[expect.any(String), "KY", value]],
    ]);
  });

  it("name the function in which an argument was refused, each its own", async () => {
    start();
    const refused = await settled([call("VALUE", "06001", -1), call("CITATION", "06001", -1)]);
    expect(refused).toEqual([invalidValue(/REGDATA\.VALUE\(/), invalidValue(/REGDATA\.CITATION\(/)]);
  });
});

describe("a preview", () => {
  it.each(each)("of %s sends nothing, and says so", async (name, ...args) => {
    const { requests } = start({ excelApi: 1.19 });
    expectEverywhere(await settled([preview(name, ...args)]), notAsked);
    expect(requests).toEqual([]);
  });

  it.each(each)("of %s shows the earlier answer, even if it is old", async (name, ...args) => {
    const { requests } = start({ excelApi: 1.19 });
    const shown = await result(name, ...args);
    const before = requests.length;
    expect(await settled([preview(name, ...args)])).toEqual([shown]);
    await pass(2 * 86_400_000);
    expect(await settled([preview(name, ...args)])).toEqual([shown]);
    expect(requests).toHaveLength(before);
    expect(await result(name, ...args)).toEqual(shown);
    expect(requests.length).toBeGreaterThan(before);
  });

  it("does not wait for Excel, which tells nothing while the user types", async () => {
    let isTyping = false;
    const learnDates = () => (isTyping ? new Promise<never>(() => {}) : Promise.resolve());
    start({ excelApi: 1.19, learnDates });
    const asked: [FormulaName, ...unknown[]][] = [
      ["VALUE", "06", 1013],
      ["CHANGED", "06", 1003, 46_000],
    ];
    const shown = await settled(asked.map((args) => call(...args)));
    isTyping = true;
    expect(await settled(asked.map((args) => preview(...args)))).toEqual(shown);
  });

  it("shows known answers beside unknown ones", async () => {
    const { requests } = start();
    const known = await result("VALUE", "06001", 1003);
    const before = requests.length;
    const range = [column("06001", "06037", ""), row(1003, 1001)] as const;
    expect(await settled([preview("VALUE", ...range), preview("VALUE", ...range, "status")])).toEqual([
      [
        [known, notAsked],
        [notAsked, notAsked],
        ["", ""],
      ],
      [
        ["ok", "not asked"],
        ["not asked", "not asked"],
        ["", ""],
      ],
    ]);
    expect(requests).toHaveLength(before);
  });

  it("of a collection that was not run for somebody sends nothing either", async () => {
    const { requests } = start();
    await settled([call("COLLECTION", "Zoning", "06001"), call("AHJ", "06037")]);
    const before = requests.length;
    expect(await settled([preview("COLLECTION", "Zoning", "06037")])).toEqual([notAsked]);
    expect(requests).toHaveLength(before);
  });

  it("does not keep the formula from asking, once it is entered", async () => {
    start();
    const first = await settled(each.map(([name, ...args]) => preview(name, ...args)));
    expect(first).toHaveLength(each.length);
    const entered = await settled(each.map(([name, ...args]) => call(name, ...args)));
    for (const shown of entered) expect(shown).not.toBeInstanceOf(Error);
  });
});

describe("before the add-in is ready", () => {
  const answersAfter = (ms: number): StartOptions => ({
    storage: (kept) => ({
      ...kept,
      async getItem(key) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        return kept.getItem(key);
      },
    }),
  });

  it("a formula waits for the saved connection", async () => {
    const { requests } = start(answersAfter(10_000));
    const shown = each.map(([name, ...args]) => call(name, ...args));
    await pass(9_000);
    expect(requests).toEqual([]);
    for (const one of await settled(shown)) expect(one).not.toBeInstanceOf(Error);
  });

  it("a formula waits for a limited time, and the next one tries again", async () => {
    let answersMs = Infinity;
    const { requests } = start({
      storage: (kept) => ({
        ...kept,
        async getItem(key) {
          if (answersMs === Infinity) return new Promise(() => {});
          return kept.getItem(key);
        },
      }),
    });
    const shown = call("VALUE", "06001", 1003);
    let isSettled = false;
    void shown.settled.then(() => (isSettled = true));
    await pass(config.startPatienceMs - 1_000);
    expect(isSettled).toBe(false);
    await pass(2_000);
    expect(isSettled).toBe(true);
    expect(await shown.settled).toEqual(notAvailable(/saved connection can't be read/));
    expect(requests).toEqual([]);
    answersMs = 0;
    expect(await result("VALUE", "06001", 1003)).toEqual(expect.any(String));
  });

  it("a blank cell waits for nothing", async () => {
    start({ storage: (kept) => ({ ...kept, getItem: () => new Promise(() => {}) }) });
    for (const args of [
      ["", 1003],
      ["06001", ""],
    ]) {
      for (const name of ["VALUE", "CITATION", "CARD"] as const) expect(await result(name, ...args)).toBe("");
    }
    expect(await result("CHANGED", "06001", 1003, "")).toBe("");
    expect(await result("AHJ", column("", 0), "county")).toEqual(column("", ""));
    expect(await result("COLLECTION", "Zoning", "")).toBe("");
  });

  it("a failing storage is an error with its own sentence", async () => {
    start({ storage: (kept) => ({ ...kept, getItem: () => Promise.reject(new Error("denied")) }) });
    expect(await result("VALUE", "06001", 1003)).toEqual(notAvailable(/saved connection can't be read/));
    expect(await result("VALUE", "06001", 1003, "status")).toBe("no key");
  });
});

describe("one recalculation", () => {
  it("shares the requests of all its formulas", async () => {
    const { requests } = start({ excelApi: 1.19 });
    const shown = await settled([
      ...["06001", "06037", "06073"].flatMap((geoid) => [
        call("VALUE", geoid, 1003),
        call("VALUE", geoid, 1001, "citation"),
        call("CITATION", geoid, 1003),
        call("AHJ", geoid),
        call("AHJ", geoid, row("type", "id")),
        call("MATRIX", geoid, row(1001, 1003)),
      ]),
      call("MATRIX", column("06001", "06037", "06073"), 1003),
    ]);
    for (const one of shown) expect(one).not.toBeInstanceOf(Error);
    const { "POST /v1/reports/matrix": matrices, ...directory } = countByPath(requests);
    expect(matrices).toBe(1);
    // Page 1 shows that three geoIDs are asked for sooner one by one.
    expect(directory).toEqual({ "GET /v1/ahjs": 1, "GET /v1/geoid/{geoid}": 3 });
  });

  it("gives VALUE and AHJ of one geoID from one look-up, with all details", async () => {
    const { requests } = start();
    await settled([
      call("VALUE", "06001", 1003),
      call("AHJ", "06001"),
      call("AHJ", "06001", "county"),
      call("AHJ", 6001, "lat"),
    ]);
    expect(requests.sort()).toEqual(["GET /v1/geoid/06001", "POST /v1/reports/matrix"]);
  });

  it("gives CARD, CHANGED and updated_at from one list of data points", async () => {
    const { requests } = start({ excelApi: 1.19 });
    await settled([
      call("CARD", "06001", 1003),
      call("CHANGED", "06001", 1003, "2026-01-01"),
      call("VALUE", "06001", 1003, "updated_at"),
      call("VALUE", "06001", 1003),
    ]);
    expect(countByPath(requests)).toEqual({
      "GET /v1/geoid/{geoid}": 1,
      "GET /v1/data-points/types": 1,
      "GET /v1/data-points": 1,
    });
  });

  it("costs nothing the second time, whatever the formula", async () => {
    const { requests } = start({ excelApi: 1.19 });
    const all = () => settled(each.map(([name, ...args]) => call(name, ...args)));
    const first = await all();
    const before = requests.length;
    expect(await all()).toEqual(first);
    expect(requests.slice(before)).toEqual([]);
  });
});

describe("other lawful readings of docs/interface.md", () => {
  // The order of the units is up to the service.
  it.each(each.filter(([name]) => name !== "UNITS"))("give %s the same answer", async (name, ...args) => {
    start({ excelApi: 1.19 });
    const plain = await settled([call(name, ...args)]);
    start({ excelApi: 1.19, quirks: quirkNames });
    const other = await settled([call(name, ...args)]);
    expect(other).toStrictEqual(plain);
    expect(plain[0]).not.toBeInstanceOf(Error);
  });
});

describe("the request limit", () => {
  const limited = (seconds: number): Interception => {
    let left = 1;
    return () => {
      left -= 1;
      if (left < 0) return undefined;
      return Response.json(
        { error: "RATE_LIMIT_EXCEEDED" },
        { status: 429, headers: { "Retry-After": String(seconds) } },
      );
    };
  };

  it.each(each)("makes %s wait if it ends soon", async (name, ...args) => {
    start({ intercept: limited(30) });
    const [shown] = await settled([call(name, ...args)], 60_000);
    expect(shown).not.toBeInstanceOf(Error);
  });

  it.each(each)("fails %s with its end if it takes longer than a minute", async (name, ...args) => {
    const { requests } = start({ intercept: limited(300) });
    const shown = await settled([call(name, ...args)]);
    expectEverywhere(shown, notAvailable(/request limit is used up\. It resets at \d+:\d\d/));
    // Two requests go out before the first answer reports the limit.
    expect(requests.length).toBeLessThanOrEqual(config.firstRequests);
  });

  it("is the status limit, and no reason against giving an old answer", async () => {
    let isUsedUp = false;
    const { app } = start({
      intercept: () =>
        isUsedUp ? new Response("{}", { status: 429, headers: { "Retry-After": "600" } }) : undefined,
    });
    await app.setPreferences({ answerAgeMs: 1_000, citedNumbers: false });
    const shown = await result("VALUE", "06001", 1003);
    await pass(5_000);
    isUsedUp = true;
    expect(await rowsOf("VALUE", "06001", row(1003, 1001), "status")).toEqual([["old answer", "limit"]]);
    expect(await result("VALUE", "06001", 1003)).toBe(shown);
  });
});

describe("when the connection changes", () => {
  /** Holds back the first key's requests for a path, until its session ends. */
  const holding =
    (pattern: RegExp, key = "demo-national"): Interception =>
    (request) =>
      request.headers.get("X-API-Key") === key && pattern.test(request.url)
        ? untilAborted(request)
        : undefined;

  it("a formula asks with the new key, and never shows the old key's answers", async () => {
    const { app } = start();
    expect(await result("VALUE", "48201", 1001)).not.toBeInstanceOf(Error);
    expect(await result("AHJ", "48201")).toBe("Harris County");
    expect(await result("COLLECTION", "Zoning", "48201")).toBeInstanceOf(Array);
    await app.connect(baseUrl, "demo-west");
    expect(await result("VALUE", "48201", 1001)).toEqual(outside);
    expect(await result("AHJ", "48201")).toEqual(outside);
    const [, cells] = await rowsOf("COLLECTION", "Zoning", "48201");
    expect(cells).toEqual(cells?.map(() => outside));
    await app.forget();
    for (const [name, ...args] of each) {
      expectEverywhere(await settled([call(name, ...args)]), notConnected);
    }
  });

  it.each([
    ["VALUE", /matrix/, ["48201", 1003]],
    ["AHJ", /geoid/, ["48201", "county"]],
    ["CHANGED", /data-points/, ["48201", 1003, "2026-01-01"]],
  ] as const)("during a call of %s, the call is answered with the new key", async (name, held, args) => {
    const { app } = start({ intercept: holding(held) });
    const called = call(name, ...args);
    await pass(2_000);
    await app.connect(baseUrl, "demo-west");
    expect(await settled([called])).toEqual([outside]);
  });

  it.each([/\/collections\?/, /\/data\?/])(
    "during a call of COLLECTION (at %s), nothing of the old key is in the result",
    async (path) => {
      const { app } = start({ intercept: holding(path) });
      const called = call("COLLECTION", "Zoning", column("48201", "06001"), "wide", false);
      await pass(2_000);
      await app.connect(baseUrl, "demo-west");
      const [shown] = await settled([called]);
      expect(shown).toEqual([
        Array.from({ length: (shown as unknown[][])[0]?.length ?? 0 }, () => outside),
        expect.arrayContaining(["Alameda County", "CA"]),
      ]);
    },
  );

  it.each(each)("a call of %s ends if the key is forgotten meanwhile", async (name, ...args) => {
    const { app } = start({ excelApi: 1.19, intercept: neverAnswering });
    const called = call(name, ...args);
    await pass(2_000);
    await app.forget();
    expectEverywhere(await settled([called]), notConnected);
  });
});

describe("failures of formulas", () => {
  it.each(each)("show #N/A in %s if the service fails or sends nonsense", async (name, ...args) => {
    for (const [answer, sentence] of [
      [() => new Response("oops", { status: 500 }), /The service reported a failure\. \(HTTP 500\)/],
      [() => new Response("<html>"), /not what a regulatory data service sends/],
      [() => Response.json({ error: "API_KEY_INVALID" }, { status: 401 }), /does not accept this API key/],
      [() => Response.json({ error: "SUSPENDED" }, { status: 403 }), /key does not give access to this/],
      [() => Promise.reject(new TypeError("no network")), /can't be reached/],
    ] as const) {
      start({ excelApi: 1.19, intercept: answer });
      expectEverywhere(await settled([call(name, ...args)], 60_000), notAvailable(sentence));
    }
    start({ excelApi: 1.19, key: null });
    expectEverywhere(await settled([call(name, ...args)]), notConnected);
  });

  it("leave a matrix its header, with ids for names that are not known", async () => {
    start({ key: null });
    const [header] = await rowsOf("MATRIX", "06001", 1003);
    expect(header).toEqual(["Name", "State", 1003]);
  });

  it("of one jurisdiction leave the other ones their answers", async () => {
    const service = createService();
    start({
      intercept: (request) =>
        request.url.endsWith("/geoid/06037") ? new Response("oops", { status: 500 }) : service.fetch(request),
    });
    expect(await rowsOf("AHJ", column("06001", "06037"), row("name", "county"))).toEqual([
      ["Alameda County", expect.any(String)],
      [notAvailable(/The service reported a failure/), notAvailable(/The service reported a failure/)],
    ]);
  });

  it("never give an old answer for a refused key", async () => {
    let isRefused = false;
    start({
      intercept: () => (isRefused ? Response.json({ error: "API_KEY_INVALID" }, { status: 401 }) : undefined),
    });
    expect(await result("VALUE", "06001", 1003)).toEqual(expect.any(String));
    await pass(2 * 86_400_000);
    isRefused = true;
    expect(await result("VALUE", "06001", 1003)).toEqual(notAvailable(/does not accept this API key/));
    expect(await result("COLLECTIONS")).toEqual(notAvailable(/does not accept this API key/));
  });

  it("of a service that is down are told to waiting formulas at once, and mended by asking again", async () => {
    const service = outage();
    service.isDown = true;
    start({ intercept: service.intercept });
    expect(await result("MATRIX", "06001", 1003, false)).toEqual([
      Array.from({ length: 3 }, () => notAvailable(/can't be reached/)),
    ]);
    service.isDown = false;
    expect(await result("MATRIX", "06001", 1003, false)).toEqual([
      ["Alameda County", "CA", expect.any(String)],
    ]);
  });

  it("are not taken from a text that the service gives as a value", async () => {
    start({
      intercept: answering(/matrix$/, (data) => {
        for (const { values } of data.rows) values[1003] = { value: "#N/A", reference: null, section: null };
      }),
    });
    expect(await result("VALUE", "06001", 1003)).toBe("#N/A");
  });
});
