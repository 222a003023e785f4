import { describe, expect, it } from "vitest";
import {
  parseCell,
  parseCellList,
  parsePastedList,
} from "../../../../src/engine/lookup/search/jurisdiction-list";
import { nameKey } from "../../../../src/engine/lookup/search/plain-name";

const empty = {
  ...{ geoids: [], repaired: [], ahjIds: [], names: [], unreadable: [], doubles: [], headers: [] },
  rows: expect.any(Map) as Map<string, number>,
};

describe("a pasted list", () => {
  it("takes geoIDs by lines, commas, tabs and quotes, once each, and lists what it repaired", async () => {
    expect(await parsePastedList('06001\n6003,"41051"\t06001\n\n0500000US48201 53033')).toEqual({
      ...empty,
      geoids: ["06001", "06003", "41051", "48201", "53033"],
      repaired: [{ given: "6003", geoid: "06003" }],
      doubles: ["06001"],
    });
  });

  it("takes AHJ ids", async () => {
    expect(await parsePastedList("ahj:123\nAHJ: 0456, 06001\nahj:123")).toEqual({
      ...empty,
      geoids: ["06001"],
      ahjIds: [123, 456],
      doubles: ["ahj:123"],
    });
  });

  it("takes names, one to a line, with their state behind a comma or in the next cell", async () => {
    const text =
      'Alameda County\n"Travis County, TX"\nFire District 9\nalameda  county\nOrange County\tCA\nCA';
    expect(await parsePastedList(text)).toEqual({
      ...empty,
      names: ["Alameda County", "Travis County, TX", "Fire District 9", "Orange County, CA", "CA"],
      doubles: ["alameda county"],
    });
  });

  it("tells the order of its entries, and the line of each entry's first place", async () => {
    const text = "geoID\n06003\nOrange County\tCA\n\nahj:7; 6001\nTravis County, TX\n06003";
    expect([...(await parsePastedList(text)).rows]).toEqual([
      ["geoID", 1],
      ["06003", 2],
      ["Orange County, CA", 3],
      ["ahj:7", 5],
      ["06001", 5],
      ["Travis County, TX", 6],
    ]);
  });

  it("takes lines that hold both a name and a geoID", async () => {
    expect(await parsePastedList("06001,Alameda County,CA\nahj:7\tTravis County\tTX")).toEqual({
      ...empty,
      geoids: ["06001"],
      ahjIds: [7],
      names: ["Alameda County, CA", "Travis County, TX"],
    });
  });

  it.each([
    ["06001  06003", ["06001", "06003"]],
    ["''06001\"\"", ["06001"]],
    ['  " 06001 "  ', ["06001"]],
    ["6001-2", ["6001-2"]],
    ['06001,"",06003', ["06001", "06003"]],
  ])("takes geoIDs out of %j", async (text, geoids) => {
    expect(await parsePastedList(text)).toMatchObject({ geoids, names: [], unreadable: [] });
  });

  it.each([
    ["ahj:  456", [456]],
    ["AHJ:\t7", []],
  ])("takes AHJ ids out of %j", async (text, ahjIds) => {
    expect(await parsePastedList(text)).toMatchObject({ ahjIds });
  });

  it.each(["Prince George's County", 'The "Old" Town'])("leaves the quotes within %s", async (name) => {
    expect((await parsePastedList(name)).names).toEqual([name]);
  });

  it("names the entries that can be neither", async () => {
    expect(await parsePastedList("6001.5\n—\n$")).toEqual({ ...empty, unreadable: ["6001.5", "—", "$"] });
  });
});

describe("selected cells", () => {
  it("are geoIDs, AHJ ids and names: lost zeros come back, to digits given as text too", async () => {
    const cells = [6003, "06001", "6005", "ahj:9", "Fire District 9", "CA", "", null, true, -5, "06001"];
    expect(await parseCellList(cells)).toEqual({
      ...empty,
      geoids: ["06003", "06001", "06005"],
      repaired: [
        { given: "6003", geoid: "06003" },
        { given: "6005", geoid: "06005" },
      ],
      ahjIds: [9],
      names: ["Fire District 9, CA"],
      unreadable: ["true", "-5"],
      doubles: ["06001"],
    });
  });

  it("may be a single cell", () => {
    const repaired = [{ given: "6003", geoid: "06003" }];
    expect(parseCell(6003)).toEqual({ ...empty, geoids: ["06003"], repaired });
    expect(parseCell("Travis County, TX")).toEqual({ ...empty, names: ["Travis County, TX"] });
    expect(parseCell(null)).toEqual(empty);
  });

  it("have a name and its state in two cells even if a blank cell stands between", async () => {
    expect((await parseCellList(["Orange County", "", "CA"])).names).toEqual(["Orange County, CA"]);
  });

  it("may have their header on top, which is no name to look up", async () => {
    expect(await parseCellList(["geoID", "06001", 6003])).toEqual({
      ...empty,
      geoids: ["06001", "06003"],
      repaired: [{ given: "6003", geoid: "06003" }],
      headers: ["geoID"],
    });
    expect(await parsePastedList("AHJ\nahj:7")).toEqual({ ...empty, ahjIds: [7], headers: ["AHJ"] });
  });

  it.each(["County", "TOWN", "Jurisdiction", "Name", "geoID", "FIPS", "AHJ", "US counties"])(
    "have %s as their header, which is no jurisdiction",
    async (header) => {
      expect(await parseCellList([header, "1772000"])).toMatchObject({ names: [], headers: [header] });
    },
  );

  it.each([
    "Cook County",
    "Orleans Parish",
    "Kansas City",
    "Chicago city",
    "Brookhaven town",
    "Pacific Gas & Electric Utility",
    "Fire District 9",
    "City of Chicago",
  ])("do not lose %s on top: it is a jurisdiction", async (name) => {
    expect(await parseCellList([name, 1772000, 1714000])).toMatchObject({ names: [name], headers: [] });
    expect(await parsePastedList(`${name}\n1772000\n1714000`)).toMatchObject({ names: [name], headers: [] });
  });

  it("are read at once, however many quotes stand in them", async () => {
    expect((await parseCellList([`a${"'".repeat(400_000)}b`])).names).toHaveLength(1);
  });

  it.each([
    ["with a state", ["Travis County, TX", "06001"], ["Travis County, TX"]],
    [
      "among other names",
      ["Travis County", "06001", "Fire District 9"],
      ["Travis County", "Fire District 9"],
    ],
    ["below an id", ["06001", "Travis County"], ["Travis County"]],
    ["alone", ["Travis County"], ["Travis County"]],
    ["below an id, with nothing that says what it is", ["06001", "Chicago"], ["Chicago"]],
    ["below an id and what can't be read", ["06001", "—", "Chicago"], ["Chicago"]],
    ["below an id, twice", ["06001", "Chicago", "Chicago"], ["Chicago"]],
    ["below ids of both kinds", ["06001", "ahj:7", "Chicago"], ["Chicago"]],
    ["on top, with another below", ["Chicago", "06001", "Boston"], ["Chicago", "Boston"]],
  ])("hold a name, and no header, where it stands %s", async (_, cells, names) => {
    expect(await parseCellList(cells)).toMatchObject({ names, headers: [] });
  });
});

describe("the key of a name", () => {
  it("is the same where only case and blanks differ", () => {
    const key = nameKey("Alameda County");
    for (const name of ["  alameda   county ", "ALAMEDA\u00a0\tCOUNTY"]) expect(nameKey(name)).toBe(key);
    expect(nameKey("AlamedaCounty")).not.toBe(key);
  });
});
