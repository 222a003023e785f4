import { describe, expect, it } from "vitest";
import { sampleDataset } from "../../../reference-service/dataset";
import { createService } from "../../../reference-service/service";
import { baseUrl, countByPath } from "../../recorded-service";
import {
  call,
  column,
  invalidValue,
  notAvailable,
  outage,
  pass,
  playExcel,
  preview,
  readable,
  result,
  row,
  rowsOf,
  type Sent,
  settled,
  start,
} from "../excel";

playExcel();

const [fee, code, permit, reviewShare, effective] = [1057, 1003, 1019, 1051, 1013];

interface Listed {
  id: number;
  name: string;
  state_code: string;
  geoid: string | null;
}

interface Published {
  ahj: Listed;
  data_point_type: { id: number };
  value: string | null;
  updated_at: string;
}

/** All pages of one of the service's lists, read without the add-in. */
async function pagesOf<Item>(path: string, query: Record<string, string>): Promise<Item[]> {
  const service = createService();
  const items: Item[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const url = new URL(path, baseUrl);
    url.search = new URLSearchParams({ ...query, page: String(page), page_size: "500" }).toString();
    const answer = await service.fetch(new Request(url, { headers: { "X-API-Key": "demo-national" } }));
    const { data } = (await answer.json()) as { data: Sent };
    items.push(...(data.items as Item[]));
    pages = data.pagination.total_pages as number;
  }
  return items;
}

/** The service's published answers to some questions in a state, by AHJ and question. */
async function publishedIn(state: string, questions: readonly number[]) {
  const ahjs = await pagesOf<Listed>("/v1/ahjs", { state_code: state });
  const answers = new Map<string, Published>();
  for (let at = 0; at < ahjs.length; at += 100) {
    const ids = ahjs.slice(at, at + 100).map(({ id }) => id);
    const query = { ahj_ids: ids.join(), data_point_type_ids: questions.join() };
    for (const answer of await pagesOf<Published>("/v1/data-points", query))
      answers.set(`${answer.ahj.id} ${answer.data_point_type.id}`, answer);
  }
  return { ahjs, answer: (ahjId: number, question: number) => answers.get(`${ahjId} ${question}`) };
}

/** The least and the most that a fee may be, by the forms that docs/find.md lists; null for any other text. */
function dollarsIn(text: string): [least: number, most: number] | null {
  const amount = String.raw`(?:\$|USD )?(\d{1,3}(?:,\d{3})+|\d+)(\.\d\d?)?`;
  const [, bound, whole = "", cents = "", whole2 = "", cents2 = ""] =
    new RegExp(`^(Minimum )?${amount}(?: - ${amount})?$`).exec(text) ?? [];
  if (whole === "") return null;
  const figure = (dollars: string, rest: string) => Number(dollars.replaceAll(",", "") + rest);
  const least = figure(whole, cents);
  return [least, bound ? Infinity : whole2 === "" ? least : figure(whole2, cents2)];
}

const yesOrNo: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, y: true, required: true },
  ...{ false: false, no: false, n: false, "not required": false },
};

/** True if a fee is certainly at most this many dollars, false if certainly not; undefined if that is not known. */
function isAtMost(limit: number, text: string): boolean | undefined {
  const [least = NaN, most = NaN] = dollarsIn(text) ?? [];
  return most <= limit ? true : least > limit ? false : undefined;
}

const byName = (one: Listed, other: Listed) => one.name.localeCompare(other.name, "en") || one.id - other.id;

/** The name by which a formula calls a jurisdiction. Its geoID works for the lowest id only, if several share it. */
function formulaName({ id, geoid }: Listed, all: readonly Listed[]): string {
  const lowest = Math.min(...all.filter((ahj) => ahj.geoid === geoid).map((ahj) => ahj.id));
  return geoid !== null && lowest === id ? geoid : `ahj:${id}`;
}

const cheap = [fee, "at most", 100];
const needed = ["Building Permit Required for Rooftop Solar", "is", true];

describe("=REGDATA.FIND", () => {
  it.each(["NV", "CA", "WY"])(
    "lists the jurisdictions in %s that certainly meet the conditions, as a plain computation from the service's pages does",
    async (state) => {
      const { ahjs, answer } = await publishedIn(state, [fee, permit]);
      const text = (ahj: Listed, question: number) => answer(ahj.id, question)?.value ?? "";
      const verdicts = ahjs.map((ahj) => {
        const each = [isAtMost(100, text(ahj, fee)), yesOrNo[text(ahj, permit).toLowerCase()]];
        return each.includes(false) ? "no" : each.includes(undefined) ? "not known" : "yes";
      });
      const found = ahjs.filter((_, place) => verdicts[place] === "yes").sort(byName);
      const notKnown = verdicts.filter((verdict) => verdict === "not known").length;
      expect(Math.min(found.length, notKnown)).toBeGreaterThan(0);

      const { requests } = start();
      const conditions = [cheap, [0, null, ""], needed];
      const [header, ...rows] = await rowsOf("FIND", state.toLowerCase(), conditions);
      expect(header).toEqual([`Found ${found.length} (${notKnown} not known)`, "State", "geoID"]);
      expect(rows).toEqual(found.map((ahj) => [ahj.name, state, formulaName(ahj, ahjs)]));
      expect(countByPath(requests)).toEqual({
        "GET /v1/ahjs": 1 + Math.ceil(ahjs.length / 500),
        "GET /v1/data-points/types": 1,
        "POST /v1/reports/matrix": 1,
      });
    },
  );

  it("lists the jurisdictions whose result is not known, with the reason, including geoIDs that nobody has", async () => {
    start();
    const where = column("06001", "ahj:39733", "0699999", 6001, "");
    const rows = await rowsOf("FIND", where, [[fee, "at least", 0.01]], fee, null, null, "unknown");
    const why = rows.slice(1).map((cells) => [cells[2], cells.at(-1)]);
    expect(rows[0]).toEqual([`Not known ${why.length}`, "State", "geoID", "Re-Inspection Fee", "Why"]);
    expect(why).toContainEqual(["0699999", expect.stringMatching(/knows no jurisdiction with this geoID/)]);
    for (const [, reason] of why.filter(([geoid]) => geoid !== "0699999"))
      expect(reason).toMatch(/^Re-Inspection Fee: (The service has no value|The answer is not certainly)/);
    const [header, ...found] = await rowsOf("FIND", where, [[fee, "at least", 0.01]]);
    expect(header?.[0]).toBe(`Found ${found.length} (${why.length} not known)`);
    expect(found.length + why.length).toBe(3);
  });

  it("lists codes of other areas with what they are, and asks for the others", async () => {
    start();
    const where = column("06001", "8600000US36001", "99999");
    const rows = await rowsOf("FIND", where, [[fee, "at least", 0.01]], fee, null, null, "unknown");
    const why = new Map(rows.slice(1).map((cells) => [cells[2], cells.at(-1)]));
    expect(why.get("8600000US36001")).toMatch(/the code of a ZIP code area/);
    expect(why.get("99999")).toMatch(/No state's code is 99/);
  });

  it("takes one condition of several with match any", async () => {
    start();
    const geoids = async (...given: unknown[]) =>
      (await rowsOf("FIND", "NV", ...given)).slice(1).map(([, , id]) => id);
    const one = await geoids([cheap]);
    const other = await geoids([needed]);
    const any = await geoids([cheap, needed], null, null, "ANY");
    expect(new Set(any)).toEqual(new Set([...one, ...other]));
    expect(await geoids([cheap, needed], null, true, "all")).toEqual(one.filter((id) => other.includes(id)));
  });

  it("shows answers as VALUE does, each missing one with its own error", async () => {
    const { requests } = start();
    const where = column("06001", "06037", "06073", "32003");
    const [header, ...rows] = await rowsOf("FIND", where, [[code, "has a value"]], row(fee, "", code));
    expect(header?.slice(3)).toEqual(["Re-Inspection Fee", "Electrical Code in Force"]);
    const geoids = rows.map((cells) => cells[2]);
    const values = await rowsOf("VALUE", column(...geoids), row(fee, code));
    expect(readable(rows.map((cells) => cells.slice(3)))).toEqual(readable(values));
    expect(requests.filter((request) => request.startsWith("POST"))).toHaveLength(1);
  });

  it("asks for shown answers only of found jurisdictions, if asking all would take more requests", async () => {
    const { requests } = start();
    await rowsOf("FIND", "CA", [[fee, "at most", 1]]);
    const before = requests.length;
    const conditions = [[fee, "at most", 50]];
    const names = row(...Array.from({ length: 60 }, (_, index) => 1001 + index));
    const [, ...rows] = await rowsOf("FIND", "CA", conditions, names);
    expect(rows.length).toBeGreaterThan(0);
    expect(requests.slice(before)).toHaveLength(1);
  });

  it("shares its requests with the formulas of one recalculation", async () => {
    const { requests } = start();
    await settled([
      call("FIND", "NV", [cheap]),
      call("FIND", "Nevada", [needed]),
      call("FIND", row("NV"), [[code, "is not", "2023 NEC"]]),
      call("AHJS", "NV"),
    ]);
    expect(countByPath(requests)).toEqual({
      "GET /v1/ahjs": 2,
      "GET /v1/data-points/types": 1,
      "POST /v1/reports/matrix": 1,
    });
    await rowsOf("VALUE", "32003", row(fee, permit, code));
    await rowsOf("FIND", "NV", [cheap, needed]);
    expect(requests).toHaveLength(4);
  });

  it("sends at most 20 requests by itself, says how many it needs and where to start it, and then answers from the cache", async () => {
    const { requests } = start();
    const many = notAvailable(
      /more requests than the add-in sends by itself\. It needs \d\d or more; 20 are sent at most\. Start it in the RegData pane: Get data, Which places, Filter by answers…/,
    );
    for (const where of [
      "all",
      row("CA", "TX", "PA", "NY", "IL", "OH", "MN", "WI", "MI", "IA", "MO", "KS"),
    ]) {
      const before = requests.length;
      expect(await result("FIND", where, [cheap])).toEqual(many);
      expect(requests.length - before).toBeLessThanOrEqual(20);
    }
    const pages = Math.ceil((await rowsOf("AHJS", null, null, false)).length / 500);
    expect(pages).toBeGreaterThan(20);
    const before = requests.length;
    const [header] = await rowsOf("FIND", "All", [cheap]);
    expect(header?.[0]).toMatch(/^Found [\d,]+ \([\d,]+ not known\)$/);
    expect(requests.length - before).toBeLessThanOrEqual(20);
  });

  it("resolves geoIDs in no more than 20 requests either", async () => {
    const { requests } = start();
    const geoids = sampleDataset().geography.records.flatMap(({ ahj }) => ahj.geoid ?? []);
    const where = column(...geoids.filter((_, place) => place % 11 === 0));
    expect(await result("FIND", where, [cheap])).toEqual(notAvailable(/20 are sent at most/));
    expect(requests.length).toBeLessThanOrEqual(20);
  });

  it("compares numbers as Excel hands them over: shares, days, TRUE and FALSE", async () => {
    start();
    const geoids = async (...conditions: unknown[][]) =>
      (await rowsOf("FIND", "CA", conditions)).map(([first, , id]) => [/\(.*/.exec(String(first))?.[0], id]);
    // Excel's day 45,000 is 15 March 2023.
    for (const [excel, typed] of [
      [
        [reviewShare, ">=", 0.33],
        [reviewShare, ">=", "33%"],
      ],
      [
        [effective, "on or after", 45_000],
        [effective, "on or after", "2023-03-15"],
      ],
      [
        [fee, "was updated after", 45_000],
        [fee, "was updated after", "2023-03-15"],
      ],
      [
        [fee, "is older than", 45_000],
        [fee, "was updated before", "2023-03-15"],
      ],
      [
        [permit, "is", false],
        [permit, "is no", ""],
      ],
      [
        [code, "at least", 2020],
        [code, "at least", "2020"],
      ],
    ] as [unknown[], unknown[]][])
      expect(await geoids(excel)).toEqual(await geoids(typed));
  });

  it.each<[RegExp, unknown]>([
    [
      /The conditions are missing/,
      [
        [0, 0, 0],
        ["", null, " "],
      ],
    ],
    [/need three columns: question, operator and value/, [[fee]]],
    [/need three columns/, [[fee, "at most", 300, "a note"]]],
    [
      /Row 2 of the conditions: The question is missing/,
      [
        [fee, "at most", 300],
        [0, "at most", 300],
      ],
    ],
    [/Row 1 of the conditions: The operator is missing/, [[fee, "", 300]]],
    [
      /Row 1 of the conditions: "cheap" is no operator\. There are: is yes, is no, at least/,
      [[fee, "cheap", 1]],
    ],
    [/Row 1 of the conditions: The service knows no question 9999/, [[9999, "at most", 300]]],
    [/Row 1 of the conditions: The service knows no question "Nonsense"/, [["Nonsense", "at most", 300]]],
    [
      /Row 1 of the conditions: "at most" needs a value\. Excel gives a blank cell as 0/,
      [[fee, "at most", 0]],
    ],
    [/Row 1 of the conditions: "at most" needs a value\. Write/, [[fee, "at most", ""]]],
    [/Row 1 of the conditions: "is yes" takes no value/, [[permit, "is yes", "x"]]],
    [/Row 1 of the conditions: "is yes" does not fit .*What fits: at least/, [[fee, "is yes", ""]]],
    [/Row 1 of the conditions: “soon” can't be used with “at most”/, [[fee, "at most", "soon"]]],
    [
      /Row 1 of the conditions: As a number 33 is 3300 %\. Write 33% instead/,
      [[reviewShare, "at least", 33]],
    ],
  ])("refuses conditions with %s", async (why, conditions) => {
    start();
    const error = await result("FIND", "NV", conditions);
    expect(error).toEqual(invalidValue(why));
    expect(error).toEqual(invalidValue(/Write it like =REGDATA\.FIND\("CA", \{1057,"at most",300\}\)/));
  });

  it("takes operator and value from one cell, with a blank or no third column", async () => {
    start();
    const found = async (...conditions: unknown[][]) => rowsOf("FIND", "CA", conditions, null, false);
    for (const [whole, parts] of [
      [
        [fee, "under 300"],
        [fee, "under", 300],
      ],
      [
        [fee, "<=300"],
        [fee, "<=", 300],
      ],
      [
        [fee, "Is Not $300", 0],
        [fee, "is not", "$300"],
      ],
      [
        [reviewShare, "at least 33%", ""],
        [reviewShare, "at least", 0.33],
      ],
      [
        [effective, "on or after 2023-03-15"],
        [effective, "on or after", "2023-03-15"],
      ],
      [
        [permit, "is yes"],
        [permit, "is yes", ""],
      ],
    ] as [unknown[], unknown[]][])
      expect(await found(whole), String(whole)).toEqual(await found(parts));
    expect(await result("FIND", "NV", [[fee, "under 10", 20]])).toEqual(
      invalidValue(/Row 1 of the conditions: "under 10" is no operator/),
    );
  });

  it("looks among the jurisdictions of a kind, of states or of all", async () => {
    start({ key: "demo-west" });
    const all = await rowsOf("FIND", "NV", [[1003, "has a value", ""]], null, false);
    const counties = await rowsOf("FIND", row("NV", "Counties"), [[1003, "has a value", ""]], null, false);
    expect(counties.length).toBeGreaterThan(0);
    // A county's geoID has five digits.
    expect(counties).toEqual(all.filter(([, , geoid]) => String(geoid).length === 5));
    expect(await result("FIND", row("32003", "counties"), [cheap])).toEqual(
      invalidValue(/beside them it takes states or "all" alone/),
    );
  });

  it("looks among jurisdictions by name, and counts a name that nobody has as not known", async () => {
    start();
    const names = column("Clark County, NV", "32003", "Atlantis County, NV");
    const [header, ...rows] = await rowsOf("FIND", names, [[1003, "has a value", ""]]);
    expect(rows).toEqual([["Clark County", "NV", "32003"]]);
    expect(header?.[0]).toMatch(/1 not known/);
    const unknown = await rowsOf("FIND", names, [[1003, "has a value", ""]], null, false, null, "unknown");
    expect(unknown).toEqual([["", "", "Atlantis County, NV", expect.stringMatching(/has this name/)]]);
  });

  it("refuses an unknown place, and columns that are no questions", async () => {
    start();
    expect(await result("FIND", "", [cheap])).toEqual(
      invalidValue(/"where" is blank: give geoIDs, states or "all"/),
    );
    expect(await result("FIND", "Califronia", [cheap])).toEqual(
      invalidValue(
        /"Califronia" in "where" is no state, and the name of a jurisdiction needs its state here/,
      ),
    );
    expect(await result("FIND", 1.5, [cheap])).toEqual(
      invalidValue(/1\.5 in "where" is neither a geoID nor a state, nor "all"/),
    );
    expect(await result("FIND", "NV", [cheap], 9999)).toEqual(
      invalidValue(/9999 in "columns" is no question of the service/),
    );
  });

  it.each([[undefined], [null], [""], [0]])(
    "without conditions (%j) says which columns they have",
    async (conditions) => {
      start();
      const error = await result("FIND", "NV", conditions);
      expect(error).toEqual(
        invalidValue(/The conditions are missing: give question, operator and value in three columns/),
      );
      expect(error).toEqual(invalidValue(/Write it like =REGDATA\.FIND\("CA", \{1057,"at most",300\}\)/));
    },
  );

  it("finds zero where zero is written as text", async () => {
    start();
    expect(await rowsOf("FIND", "NV", [[fee, "at least", "0"]])).not.toHaveLength(1);
  });

  it("says that nothing was found, and how many are not known, if there is no header to say so", async () => {
    start();
    const none = [[fee, "at most", "0"], needed];
    expect(await rowsOf("FIND", "NV", none)).toEqual([
      [expect.stringMatching(/^Found 0 \(\d+ not known\)$/), "State", "geoID"],
    ]);
    expect(await result("FIND", "NV", none, null, false)).toEqual(
      notAvailable(/Nothing was found\. Of \d+ it is not known\./),
    );
  });

  it("fails as a whole if some answers can't be had, rather than leave jurisdictions out", async () => {
    const service = outage();
    start(service);
    await rowsOf("AHJS", "NV");
    await rowsOf("TYPES");
    service.isDown = true;
    expect(await result("FIND", "NV", [cheap])).toEqual(notAvailable(/can't be reached/));
    service.isDown = false;
    const rows = await rowsOf("FIND", "NV", [cheap]);
    service.isDown = true;
    expect(await rowsOf("FIND", "NV", [cheap])).toEqual(rows);
  });

  it("fails if the date of an answer can't be had, rather than say that the service has none", async () => {
    const service = outage();
    start(service);
    await rowsOf("MATRIX", "06001", fee);
    await rowsOf("FIND", "06001", [[fee, "has a value"]]);
    service.isDown = true;
    const dated = [[fee, "older than", "1 day"]];
    expect(await result("FIND", "06001", dated)).toEqual(notAvailable(/The service can't be reached/));
    expect(await settled([preview("FIND", "06001", dated)])).toEqual([notAvailable(/A preview shows only/)]);
  });

  it("asks for the list of questions once a day, even if conditions share a question", async () => {
    const { requests } = start();
    const twice = [cheap, [fee, "at least", 10]];
    const rows = await rowsOf("FIND", "NV", twice, column(fee, fee));
    await pass(3_600_000);
    requests.length = 0;
    expect(await rowsOf("FIND", "NV", twice, column(fee, fee))).toEqual(rows);
    expect(requests).toEqual([]);
  });

  it("sends nothing in a preview, and shows kept results", async () => {
    const { requests } = start();
    expect(await settled([preview("FIND", "NV", [cheap])])).toEqual([notAvailable(/A preview shows only/)]);
    expect(requests).toEqual([]);
    const rows = await rowsOf("FIND", "NV", [cheap]);
    const sent = requests.length;
    expect(await settled([preview("FIND", "NV", [cheap])])).toEqual([rows]);
    expect(requests).toHaveLength(sent);
  });
});
