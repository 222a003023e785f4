import { describe, expect, it, vi } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import { parsePastedList } from "../../../../src/engine/lookup/search/jurisdiction-list";
import { resolveList } from "../../../../src/engine/lookup/search/resolve-list";
import { connected, countByPath } from "../../../recorded-service";

const { lookup } = connected("demo-national");

async function resolved(text: string, state?: string) {
  const { found, named, ambiguous, unmatched } = await resolveList(await parsePastedList(text), lookup, {
    state,
  });
  const label = ({ name, state_code, geoid }: Ahj) => `${name}, ${state_code} ${geoid}`;
  return {
    found: found.map(({ ahj }) => label(ahj)),
    named: Object.fromEntries(named.map(({ name, ahj }) => [name, label(ahj)])),
    ambiguous: Object.fromEntries(ambiguous.map(({ name, candidates }) => [name, candidates.map(label)])),
    unmatched: Object.fromEntries(unmatched.map(({ entry, kind }) => [entry, kind])),
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
  ])("are taken where one jurisdiction alone has it: %s", async (name) => {
    expect(Object.values((await resolved(name)).named)).toEqual([alameda]);
  });

  it("are asked about where several have it", async () => {
    expect(await resolved("Baldwin County")).toMatchObject({
      named: {},
      ambiguous: { "Baldwin County": ["Baldwin County, AL 01003", "Baldwin County, GA 13009"] },
    });
  });

  it("are narrowed by their state, then by the chosen one", async () => {
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
    const list = await parsePastedList("Alameda County");
    const user = new AbortController();
    vi.stubGlobal("scheduler", { yield: () => Promise.resolve(user.abort()) });
    await expect(resolveList(list, lookup, { signal: user.signal })).rejects.toMatchObject({
      kind: "cancelled",
    });
    vi.unstubAllGlobals();
  });

  it("are listed where nothing has them", async () => {
    const text = "Nowhere County\nNowhere County, TX\nAlameda County Carson\nAlameda County, TX\nAlameda";
    expect((await resolved(text)).unmatched).toEqual({
      "Nowhere County": "nothing-found",
      "Nowhere County, TX": "nothing-found",
      "Alameda County Carson": "nothing-found",
      "Alameda County, TX": "nothing-found",
      Alameda: "nothing-found",
    });
  });
});

describe("geoIDs and AHJ ids in a list", () => {
  it("give their jurisdictions, or why there is none", async () => {
    expect(await resolved("06001 99999\nahj:10243\nahj:1")).toMatchObject({
      found: [alameda, expect.stringMatching(/ /)],
      unmatched: { "99999": "unknown-jurisdiction", "ahj:1": "outside-subscription" },
    });
  });

  it("ask for no directory, and fail where the service can't be asked", async () => {
    const { lookup, requests } = connected("demo-national");
    await resolveList(await parsePastedList("06001 ahj:10243"), lookup);
    expect(countByPath(requests)["GET /v1/ahjs"]).toBeUndefined();
    const offline = connected("demo-national", {
      intercept: () => new Response(null, { status: 401 }),
    });
    await expect(resolveList(await parsePastedList("06001"), offline.lookup)).rejects.toMatchObject({
      kind: "wrong-key",
    });
  });
});

describe("a list of 100,000 lines", () => {
  it("loads the directory once and no more", async () => {
    const { lookup, requests } = connected("demo-national");
    const lines = Array.from({ length: 100_000 }, (_, at) => (at % 2 ? `Nowhere ${at} County` : "06001"));
    const { found, unmatched } = await resolveList(await parsePastedList(lines.join("\n")), lookup);
    expect([found.length, unmatched.length]).toEqual([1, 50_000]);
    expect(countByPath(requests)).toEqual({ "GET /v1/ahjs": 66 });
  });
});
