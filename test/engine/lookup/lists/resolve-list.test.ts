import { describe, expect, it, vi } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import { successorsOf } from "../../../../src/engine/lookup/lists/successors";
import { summarizeList } from "../../../../src/engine/lookup/lists/list-summary";
import { readListText } from "../../../../src/engine/lookup/lists/read-list";
import {
  type FoundEntry,
  resolveList,
  type SendQuestion,
} from "../../../../src/engine/lookup/lists/resolve-list";
import { connected, countByPath } from "../../../recorded-service";

const { lookup } = connected("demo-national");

async function resolved(text: string, state?: string) {
  const { found, ambiguous, unmatched } = await resolveList(await readListText(text), lookup, { state });
  const isNamed = ({ how }: FoundEntry) => how.startsWith("name");
  const label = ({ name, state_code, geoid }: Ahj) => `${name}, ${state_code} ${geoid}`;
  return {
    found: found.filter((entry) => !isNamed(entry)).map(({ ahj }) => label(ahj)),
    named: Object.fromEntries(found.filter(isNamed).map(({ given, ahj }) => [given, label(ahj)])),
    ambiguous: Object.fromEntries(ambiguous.map(({ name, candidates }) => [name, candidates.map(label)])),
    unmatched: Object.fromEntries(unmatched.map(({ given, kind }) => [given, kind])),
  };
}

const alameda = "Alameda County, CA 06001";

describe("names in a list", () => {
  it.each([
    "Alameda County",
    "ALAMEDA county",
    "Alameda County, CA",
    "Alameda County, ca",
    "Alameda County CA",
    "Alameda County,California",
    "Alameda County , CA",
  ])("are taken if exactly one jurisdiction has it: %s", async (name) => {
    expect(Object.values((await resolved(name)).named)).toEqual([alameda]);
  });

  it("lead to a question if several jurisdictions have it", async () => {
    expect(await resolved("Baldwin County")).toMatchObject({
      named: {},
      ambiguous: { "Baldwin County": ["Baldwin County, AL 01003", "Baldwin County, GA 13009"] },
    });
  });

  it("are narrowed by their state, then by the chosen state", async () => {
    const { named } = await resolved("Baldwin County, GA\nOrleans County", "VT");
    expect(named).toEqual({
      "Baldwin County, GA": "Baldwin County, GA 13009",
      "Orleans County": "Orleans County, VT 50019",
    });
    const { ambiguous } = await resolved("Sample Hillburg, CA");
    expect(ambiguous["Sample Hillburg, CA"]).toHaveLength(5);
  });

  it("are not narrowed to nothing by the chosen state", async () => {
    const { named, ambiguous } = await resolved("Alameda County\nBaldwin County", "TX");
    expect(named).toEqual({ "Alameda County": alameda });
    expect(ambiguous["Baldwin County"]).toHaveLength(2);
  });

  it("are no longer looked for when nobody waits any more", async () => {
    await lookup.directory.load();
    const list = await readListText("Alameda County");
    const user = new AbortController();
    vi.stubGlobal("scheduler", { yield: () => Promise.resolve(user.abort()) });
    let nowMs = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 1));
    await expect(resolveList(list, lookup, { signal: user.signal })).rejects.toMatchObject({
      kind: "cancelled",
    });
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it("are listed if no jurisdiction has them", async () => {
    const text = "Nowhere County\nNowhere County, TX\nAlameda County Carson\nAlameda County, TX\nAlameda";
    expect((await resolved(text)).unmatched).toEqual({
      "Nowhere County": "nothing-found",
      "Nowhere County, TX": "nothing-found",
      "Alameda County Carson": "nothing-found",
      "Alameda County, TX": "nothing-found",
    });
  });

  it("come with guesses if no jurisdiction has them, and a sure spelling is taken without a question", async () => {
    const text = "Alameda\nSaint Louis County, MO\nAlameda County";
    const { ambiguous, found } = await resolveList(await readListText(text), lookup);
    expect(ambiguous).toMatchObject([
      { name: "Alameda", guess: "perhaps", candidates: [{ geoid: "06001" }] },
    ]);
    expect(found).toMatchObject([
      { given: "Saint Louis County, MO", how: "name-spelled", ahj: { geoid: "29189" } },
      { given: "Alameda County", how: "name", ahj: { geoid: "06001" } },
    ]);
  });
});

describe("geoIDs and AHJ ids in a list", () => {
  it("give their jurisdictions, or the reason why there is none", async () => {
    expect(await resolved("06001 4899999 99999\nahj:10243\nahj:1")).toMatchObject({
      found: [alameda, expect.stringMatching(/ /)],
      unmatched: {
        "4899999": "unknown-jurisdiction",
        "99999": "not-a-jurisdiction",
        "ahj:1": "outside-subscription",
      },
    });
  });

  describe("of a long list", () => {
    const counties = Array.from({ length: 12 }, (_, at) => `06${String(2 * at + 1).padStart(3, "0")}`);
    /** Numbers of an inventory, which look like geoIDs. */
    const own = Array.from({ length: 30 }, (_, at) => `4812${String(2 * at + 900).padStart(3, "0")}`);

    it("go out after the directory of their states only, and after a question if most are not in it", async () => {
      for (const isAllowed of [true, false]) {
        const { lookup, requests } = connected("demo-national");
        const maySend = vi.fn((_: SendQuestion) => {
          expect(Object.keys(countByPath(requests))).toEqual(["GET /v1/ahjs"]);
          return Promise.resolve(isAllowed);
        });
        const list = await readListText([...counties, ...own].join("\n"));
        const { found, unmatched } = await resolveList(list, lookup, { maySend });
        expect(maySend.mock.calls).toEqual([[{ found: counties.length, lacking: own }]]);
        expect(found.map(({ key }) => key)).toEqual(counties);
        expect(unmatched).toHaveLength(own.length);
        const paths = Object.keys(countByPath(requests)).filter((path) => path !== "GET /v1/ahjs");
        expect(paths.length > 0, "asked about them").toBe(isAllowed);
      }
    });

    it("need no question if at least half of them are in the directory, or if the list is short", async () => {
      const { lookup } = connected("demo-national");
      const maySend = vi.fn(() => Promise.resolve(true));
      const half = [...counties, ...own.slice(0, 12)];
      await resolveList(await readListText(half.join("\n")), lookup, { maySend });
      await resolveList(await readListText(own.slice(12, 32).join("\n")), lookup, { maySend });
      expect(maySend).not.toHaveBeenCalled();
    });
  });

  it("ask for no directory, and fail if the service can't be asked", async () => {
    const { lookup, requests } = connected("demo-national");
    await resolveList(await readListText("06001 ahj:10243"), lookup);
    expect(countByPath(requests)["GET /v1/ahjs"]).toBeUndefined();
    const offline = connected("demo-national", {
      intercept: () => new Response(null, { status: 401 }),
    });
    await expect(resolveList(await readListText("06001"), offline.lookup)).rejects.toMatchObject({
      kind: "wrong-key",
    });
  });
});

describe("codes and names that have gone", () => {
  it.each([
    [
      "46113",
      ["46102"],
      true,
      "46113 was Shannon County, SD, until 2015. It is Oglala Lakota County (46102) now.",
    ],
    ["02270", ["02158"], true, "Kusilvak Census Area (02158)"],
    ["51515", ["51019"], false, "It became part of Bedford County (51019)."],
    ["12025", ["12086"], true, "Miami-Dade County (12086)"],
    ["02280", ["02275", "02195"], false, "It was split into"],
    ["Shannon County, SD", ["46102"], true, "Oglala Lakota County"],
    ["Wade Hampton Census Area, Alaska", ["02158"], true, "Kusilvak"],
    ["Shannon Co., SD", ["46102"], true, "Oglala Lakota County"],
    ["Wade Hampton, Alaska", ["02158"], true, "Kusilvak"],
    ["City of Bedford, VA", ["51019"], false, "Bedford County (51019)"],
    ["Clifton Forge city, VA", ["51005"], false, "Alleghany County (51005)"],
  ])("%s is told with its successors, which are not taken", async (text, offers, isRenamed, sentence) => {
    const { found, unmatched } = await resolveList(await readListText(text), lookup);
    expect(found).toEqual([]);
    expect(unmatched).toMatchObject([
      { offers, isRenamed, sentence: expect.stringContaining(sentence) as string },
    ]);
  });

  it("that name a jurisdiction again are told as repeated, in whatever words", async () => {
    const list = await readListText("06037\nLos Angeles County, CA\nTravis County, TX\n48453");
    const { found } = await resolveList(list, lookup);
    const { doubles, line } = summarizeList(list, { found, open: new Set() });
    expect(doubles).toEqual(["Los Angeles County, CA", "48453"]);
    expect(line).toBe("4 entries: 4 as given.");
  });

  it("of Connecticut are asked while the service knows them, and its regions are never mapped", async () => {
    const { found } = await resolveList(await readListText("09003"), lookup);
    expect(found).toMatchObject([{ key: "09003", ahj: { name: "Hartford County" } }]);
    const list = await readListText("09110\n09003");
    const { unmatched } = await resolveList(list, lookup);
    expect(unmatched).toMatchObject([{ key: "09110", kind: "unknown-jurisdiction" }]);
    expect(summarizeList(list, { found, open: new Set() }).mixesConnecticut).toBe(true);
  });

  it("are told in a formula, too", async () => {
    const found = await lookup.ask({ questions: [{ ahj: "46113", type: 1003 }] });
    expect(found.values).toMatchObject([
      { kind: "unknown-jurisdiction", message: expect.stringContaining("Use 46102.") as string },
    ]);
  });

  it("a place that the directory has as a county subdivision is told with it", () => {
    const ahj = { id: 1, name: "Somewhere township", type: "city", state_code: "PA", geoid: "4204368288" };
    const successor = successorsOf(["4268288", "4268289"], [ahj]);
    expect([...successor]).toMatchObject([["4268288", { geoids: ["4204368288"], isOneToOne: false }]]);
  });
});

describe("a list without names", () => {
  it.each([
    ["3.4E+09\n6.00E+09", 0],
    ["8600000US36001\n01001020100", 0],
    ["ZIP\n10001\n48001", 0],
    ["#VALUE!\n#N/A", 0],
    ["GEOID\n94501\n06002", 0],
    ["—\n$\n...", 0],
    ['GEO_ID,NAME\n0500000US06001,"Alameda County, California"', 1],
  ])("asks for what can be one only: %j takes %i requests", async (text, count) => {
    const own = connected("demo-national");
    await resolveList(await readListText(text), own.lookup);
    expect(own.requests).toHaveLength(count);
  });
});

describe("a list of 100,000 lines", () => {
  it("loads the directory once and no more", async () => {
    const { lookup, requests } = connected("demo-national");
    const lines = Array.from({ length: 100_000 }, (_, at) => (at % 2 ? `Nowhere ${at} County` : "06001"));
    const { found, unmatched } = await resolveList(await readListText(lines.join("\n")), lookup);
    expect([found.length, unmatched.length]).toEqual([1, 50_000]);
    expect(countByPath(requests)).toEqual({ "GET /v1/ahjs": 66 });
  });
});
