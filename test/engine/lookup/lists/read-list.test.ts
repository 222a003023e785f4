import { describe, expect, it } from "vitest";
import type { ReadList } from "../../../../src/engine/lookup/lists/list-entries";
import { readListCells, readListText } from "../../../../src/engine/lookup/lists/read-list";

/** The geoID, id or name that each entry asks for, or the kind of misreading. */
function meant({ entries }: ReadList): string[] {
  return entries.map(({ meaning }) =>
    meaning.kind === "geoid"
      ? meaning.geoid
      : meaning.kind === "ahj"
        ? `ahj:${meaning.id}`
        : meaning.kind === "name"
          ? `name ${meaning.name}`
          : `none ${meaning.why}`,
  );
}

const hows = ({ entries }: ReadList) =>
  entries.map(({ meaning }) => (meaning.kind === "none" ? meaning.why : meaning.how));

const pasted = async (text: string) => meant(await readListText(text));
const selected = async (rows: unknown[][], ...headings: string[]) =>
  meant(await readListCells(rows, headings.length > 0 ? { headings } : {}));
const columnOf = (...cells: unknown[]) => cells.map((cell) => [cell]);

/** The sentence about a single entry that is none. */
async function reasonFor(text: string): Promise<string> {
  const [entry] = (await readListText(text)).entries;
  return entry?.meaning.kind === "none" ? entry.meaning.sentence : `taken: ${JSON.stringify(entry?.meaning)}`;
}

describe("a code of the Census Bureau's long form", () => {
  it.each([
    ["0500000US06001", "06001"],
    ["0400000US06", "06"],
    ["0600000US0900108070", "0900108070"],
    ["1600000US0644000", "0644000"],
    ["1700000US1836003", "1836003"],
    ["050M200US48201", "48201"],
    ["0600000US3401710000", "3401710000"],
  ])("of a level that the service can have is cut: %s", async (text, geoid) => {
    const list = await readListText(text);
    expect([meant(list), hows(list)]).toEqual([[geoid], ["prefix-cut"]]);
  });

  it.each([
    ["9700000US5103000", /unified school district/],
    ["9500000US3600001", /elementary school district/],
    ["9600000US0601234", /secondary school district/],
    ["8600000US36001", /ZIP code area/],
    ["860Z200US94501", /ZIP code area/],
    ["7950000US0600101", /public use microdata area/],
    ["6100000US06001", /state senate district/],
    ["610U800US06001", /state senate district/],
    ["6200000US06001", /state house district/],
    ["4000000US78904", /urban area/],
    ["400C200US78904", /urban area/],
    ["310M700US41860", /metropolitan or micropolitan area/],
    ["3300000US41860", /combined statistical area/],
    ["5000000US0601", /congressional district/],
    ["5001800US0601", /congressional district/],
    ["7000000US06001", /voting district/],
    ["2500000US0010", /American Indian area/],
    ["0100000US", /whole United States/],
    ["0200000US1", /region/],
    ["1400000US06001400100", /census tract of \{county\}/],
    ["1500000US060014001001", /block group of \{county\}/],
    ["1000000US060014001001000", /census block of \{county\}/],
    ["0670000US721270000512345", /part of a county subdivision/],
    ["0500043US06001", /part of a county/],
    ["0400001US06", /part of a state/],
    ["1234500US06001", /level 123/],
  ])("of another level is named for what it is, and is no code: %s", async (text, words) => {
    expect(await reasonFor(text)).toMatch(words);
    expect(meant(await readListText(text))).toEqual(["none other-area"]);
  });

  it.each([
    ["05000US06001", "06001"],
    ["06000US0900108070", "0900108070"],
    ["16000US0644000", "0644000"],
    ["04000US48", "48"],
    ["0500000us06001", "06001"],
    ["050us48201", "48201"],
  ])("in a shorter or smaller spelling is read by its level, too: %s", async (text, geoid) => {
    expect(await pasted(text)).toEqual([geoid]);
  });

  it.each(["86000US36001", "31000US41860", "97000US5103000", "14000US06001400100", "610US06001"])(
    "in a shorter spelling of another level is none: %s",
    async (text) => {
      expect(await pasted(text)).toEqual(["none other-area"]);
    },
  );

  it("whose digits have lost their zero gets it back, and one whose digits don't fit is none", async () => {
    const list = await readListText("0500000US6001");
    expect([meant(list), hows(list)]).toEqual([["06001"], ["zero-back"]]);
    expect(await pasted("0500000US060010")).toEqual(["none unreadable"]);
    expect(await pasted("0500000US06002")).toEqual(["none no-such-county"]);
    expect(await pasted("1600000US06001")).toEqual(["none unreadable"]);
  });
});

describe("other spellings of a code", () => {
  it.each([
    ["US06001", "06001", "prefix-cut"],
    ["us48201", "48201", "prefix-cut"],
    ["FIPS 06001", "06001", "prefix-cut"],
    ["fips:06037", "06037", "prefix-cut"],
    ["FIPS code 48201", "48201", "prefix-cut"],
    ["GEOID: 0644000", "0644000", "prefix-cut"],
    ["geo_id=06001", "06001", "prefix-cut"],
    ["G0600010", "06001", "prefix-cut"],
    ["G4802010", "48201", "prefix-cut"],
    ["G060", "06", "prefix-cut"],
    ["06-001", "06001", "joined"],
    ["51-515", "51515", "joined"],
    ["6-037", "06037", "joined"],
    ["06–001", "06001", "joined"],
    ["06/037", "06037", "joined"],
    ["06 001", "06001", "joined"],
    ["48 201", "48201", "joined"],
    ["06-44000", "0644000", "joined"],
    ["09-001-08070", "0900108070", "joined"],
    ["6,001", "06001", "zero-back"],
    ["48,201", "48201", "tidied"],
    ["1,836,003\t", "1836003", "tidied"],
    ["6001.0", "06001", "zero-back"],
    ["1001.0", "01001", "zero-back"],
    ["36061.00", "36061", "tidied"],
    ["48201.000", "48201", "tidied"],
    ["06037.0", "06037", "tidied"],
    ['="06001"', "06001", "tidied"],
    ['="06037"', "06037", "tidied"],
    ['= "48201"', "48201", "tidied"],
    ['="6001"', "06001", "zero-back"],
    ["\u001f06001", "06001", "tidied"],
    ["06001\u200b", "06001", "tidied"],
    ["\u200e06037", "06037", "tidied"],
    ["\ufeff06037", "06037", "as-given"],
    ["x\n\ufeff06037", "06037", "as-given"],
    ["06\u00ad037", "06037", "tidied"],
    ["\u206606001\u2069", "06001", "tidied"],
    ["06001\u00a0", "06001", "as-given"],
    ["‘06037", "06037", "tidied"],
    ["'06037", "06037", "tidied"],
    ["“48201”", "48201", "tidied"],
    ["`06001", "06001", "tidied"],
    ["０６００１", "06001", "tidied"],
    ["00001", "01", "whole-state"],
    ["00006", "06", "whole-state"],
    ["00048", "48", "whole-state"],
    ["06000", "06", "whole-state"],
    ["1000", "01", "whole-state"],
    ["Alameda County, CA (06001)", "06001", "tidied"],
    ["06001 Alameda County", "06001", "tidied"],
    ["06001: Alameda County", "06001", "tidied"],
    ["6001", "06001", "zero-back"],
    ["6", "06", "zero-back"],
    ["644000", "0644000", "zero-back"],
    ["900108070", "0900108070", "zero-back"],
    ["ahj: 12", "ahj:12", "as-given"],
    ["AHJ:0012", "ahj:12", "as-given"],
  ])("%j is %s (%s)", async (text, meaning, how) => {
    const list = await readListText(text);
    const last = list.entries.length - 1;
    expect([meant(list)[last], hows(list)[last]]).toEqual([meaning, how]);
  });

  it("numbers of cells get their zero back", async () => {
    expect(await selected(columnOf(6001, 48201, 6, 644000, 3401710000, 900108070, 1))).toEqual([
      "06001",
      "48201",
      "06",
      "0644000",
      "3401710000",
      "0900108070",
      "01",
    ]);
  });

  it.each(["3.4E+09", "6.00E+09", "1.00102E+10", "6.001E+03", "4E+9", "4.0E+10"])(
    "%s was shortened by Excel, and is no name",
    async (text) => {
      expect(await pasted(text)).toEqual(["none shortened"]);
      expect(await selected(columnOf(text))).toEqual(["none shortened"]);
    },
  );

  it.each([
    ["6001.5", "none unreadable"],
    ["—", "none unreadable"],
    ["$", "none unreadable"],
    ["#VALUE!", "none sheet-error"],
    ["#N/A", "none sheet-error"],
    ["#BUSY!", "none sheet-error"],
    ["#REF!", "none sheet-error"],
    ["#NAME?", "none sheet-error"],
    ["00000", "none unreadable"],
    ["94501", "none no-such-state"],
    ["99999", "none no-such-state"],
    ["03", "none no-such-state"],
    ["9912345", "none no-such-state"],
    ["06002", "none no-such-county"],
    ["48999", "none no-such-county"],
    ["0600290000", "none no-such-county"],
    ["94501-1234", "none zip-code"],
    ["037", "none part-of-code"],
    ["G06000010", "none other-area"],
    ["G0600015", "none other-area"],
    ["G06000104001", "none other-area"],
  ])("%s is %s", async (text, why) => {
    expect(await pasted(text)).toEqual([why]);
  });

  it("the message about a text that can't be read has the code points of signs that nobody sees", async () => {
    expect(await reasonFor("☃06?")).toContain("U+2603");
  });

  it("numbers with decimals, negative numbers, 0 and TRUE are none", async () => {
    expect(await selected(columnOf(6001.5, -5, 0, true))).toEqual(Array(4).fill("none unreadable"));
  });
});

describe("codes of census tracts and smaller areas", () => {
  it.each([
    [1001020100, "01001"],
    ["1001020100", "01001"],
    [6001400100, "06001"],
    ["06001400100", "06001"],
    ["01001020100", "01001"],
    [48201100000, "48201"],
    [10010201001, "01001"],
    ["010010201001", "01001"],
    [60014001001000, "06001"],
    ["060014001001000", "06001"],
    ["4013010101", "04013"],
  ])("%s is named with its county, which can be offered: %s", async (cell, county) => {
    const [entry] = (await readListCells(columnOf(cell))).entries;
    expect(entry?.meaning).toMatchObject({ kind: "none", why: "other-area", county });
  });

  it("ten digits that are a county subdivision are one, unless the list has more tracts than subdivisions", async () => {
    expect(await selected(columnOf(1000590000, 3401710000))).toEqual(["1000590000", "3401710000"]);
    const tracts = await readListCells(columnOf(1001020100, 1001020200, 1003010100));
    expect(tracts.entries.map(({ meaning }) => meaning)).toEqual([
      expect.objectContaining({ county: "01001" }),
      expect.objectContaining({ county: "01001" }),
      expect.objectContaining({ county: "01003" }),
    ]);
  });
});

describe("columns with headings", () => {
  it.each([
    ["STATEFP\tCOUNTYFP\n06\t001\n06\t037", ["06001", "06037"]],
    ["STATEFP,COUNTYFP\n6,1\n6,37", ["06001", "06037"]],
    ["STATE;COUNTY\n48;201\n6;1", ["48201", "06001"]],
    ["State FIPS\tCounty FIPS\tName\n06\t001\tAlameda", ["06001"]],
    ["STATEFP20,COUNTYFP20,POP\n51,515,6222\n51,19,77000", ["51515", "51019"]],
    ["COUNTYFP\tSTATEFP\n001\t06", ["06001"]],
    ["state,countyfp\nCA,1\nTexas,201", ["06001", "48201"]],
    ["STATEFP,PLACEFP\n06,44000\n6,562", ["0644000", "0600562"]],
    ["STATEFP,COUNTYFP,COUSUBFP\n09,001,08070", ["0900108070"]],
    ["STATEFP,COUNTYFP\n6.0,1.0", ["06001"]],
  ])("of codes in parts are joined: %j", async (text, geoids) => {
    const list = await readListText(text);
    expect([meant(list), new Set(hows(list))]).toEqual([geoids, new Set(["joined"])]);
  });

  it.each([
    [
      [
        ["STATEFP", "COUNTYFP"],
        [6, 1],
        [6, 37],
      ],
      ["06001", "06037"],
    ],
    [
      [
        ["STATEFP", "COUNTYFP"],
        ["06", "001"],
        ["48", "201"],
      ],
      ["06001", "48201"],
    ],
    [
      [
        ["name", "STATEFP", "COUNTYFP"],
        ["x", 2, 13],
      ],
      ["02013"],
    ],
  ])("and so in selected cells: %j", async (rows, geoids) => {
    expect(await selected(rows)).toEqual(geoids);
  });

  it("of parts whose county does not exist are no code, and a part without its state is none", async () => {
    expect(await pasted("STATEFP\tCOUNTYFP\n06\t002\n03\t001")).toEqual([
      "none no-such-county",
      "none no-such-state",
    ]);
    expect(await pasted("COUNTYFP\n001\n037\n1")).toEqual(Array(3).fill("none part-of-code"));
    expect(await selected([["COUNTYFP"], [1], [37]])).toEqual(Array(2).fill("none part-of-code"));
  });

  it.each([
    [
      'GEO_ID,NAME,B01001_001E\nGeography,Geographic Area Name,Estimate!!Total\n0500000US06001,"Alameda County, California",1643700\n',
      ["06001"],
    ],
    [
      'GEO.id,GEO.id2,GEO.display-label,HC01\nId,Id2,Geography,Total\n0500000US06001,6001,"Alameda County, California",1643700\n0500000US06003,6003,"Alpine County, California",1204',
      ["06001", "06003"],
    ],
    ["Name\tFIPS\tPopulation\nAlameda\t6001\t1643700\nAlpine\t6003\t1204", ["06001", "06003"]],
    ["GEOID;NAMELSAD;ALAND\n06001;Alameda County;1909598013", ["06001"]],
    ["STATEFP,COUNTYFP,GEOID,CBSAFP\n06,001,06001,41860\n06,003,06003,", ["06001", "06003"]],
    ["Counties of interest\nGEOID\tNAME\n06001\tAlameda\n06037\tLos Angeles", ["06001", "06037"]],
    ["fips|name\n06001|Alameda", ["06001"]],
    ["Id,City\n06001,Berkeley", ["06001"]],
  ])("decide, and what stands beside is not read: %j", async (text, geoids) => {
    expect(await pasted(text)).toEqual(geoids);
  });

  it("that were not read are told, and the headings that were", async () => {
    const { unread, headings } = await readListText("GEOID,NAME,POP\n06001,Alameda,1643700\n");
    expect({ unread, headings }).toEqual({ unread: ["NAME", "POP"], headings: ["GEOID, NAME, POP"] });
  });

  it("of codes may lack one: the row's name counts, and a row with neither is named", async () => {
    expect(await pasted("GEOID,NAME,STATE\n06001,Alameda County,CA\n,Travis County,TX\n,,NV")).toEqual([
      "06001",
      "name Travis County, TX",
      "none no-code",
    ]);
  });

  it.each([
    ["ZIP\n10001\n48001\n36001", "zip-code"],
    ["ZIP Code\n10001", "zip-code"],
    ["zipcode,city\n10001,", "zip-code"],
    ["ZCTA5\n0135004", "zip-code"],
    ["ZCTA5CE20,GEOID20\n36001,36001\n48001,48001", "zip-code"],
    ["Postal Code\n06001", "zip-code"],
    ["TRACTCE\n400100", "other-area"],
    ["GEOID,UNSDLEA\n5103000,03000", "other-area"],
    ["GEOID,SLDUST\n06001,001", "other-area"],
    ["GEOID,NAMELSAD\n06001,State Senate District 1", "other-area"],
    ["GEOID,NAME\n36001,ZCTA5 36001", "other-area"],
    ["CBSAFP,GEOID\n48260,48260", "other-area"],
    ["GEOID20,PUMACE20\n0600101,00101", "other-area"],
  ])("of areas that are no jurisdictions are never codes: %j", async (text, why) => {
    const kinds = new Set(await pasted(text));
    expect([...kinds].every((kind) => kind === `none ${why}` || kind === "none zip-code")).toBe(true);
    expect(kinds.size).toBe(1);
  });

  it("ZIP beside a name is not read, and a header above a table's column counts as well", async () => {
    expect(await pasted("City,State,ZIP\nOakland,CA,94601\nAustin,TX,78701")).toEqual([
      "name Oakland, CA",
      "name Austin, TX",
    ]);
    expect(await selected(columnOf(10001, 48001), "ZIP")).toEqual(Array(2).fill("none zip-code"));
    expect(await selected(columnOf(10001, 48001), "FIPS")).toEqual(["10001", "48001"]);
  });

  it("of AHJ ids are ids, whatever their digits look like", async () => {
    expect(await pasted("AHJ ID\tName\n10001\tx\n10243\ty")).toEqual(["ahj:10001", "ahj:10243"]);
    expect(await selected(columnOf(10001), "AHJ ID")).toEqual(["ahj:10001"]);
  });

  it.each([
    [
      "County\tState\nOrange County\tCalifornia\nOrange\tFlorida",
      ["Orange County, California", "Orange County, Florida"],
    ],
    ["State,County\nLouisiana,Orleans\nTX,Travis", ["Orleans Parish, Louisiana", "Travis County, TX"]],
    ["City;County;State\nSpringfield;Clark County;OH", ["Springfield, Clark County, OH"]],
    ["NAME\nAlameda County, CA\nTravis County, TX", ["Alameda County, CA", "Travis County, TX"]],
  ])("of names are joined with their county and state: %j", async (text, names) => {
    expect(await pasted(text)).toEqual(names.map((name) => `name ${name}`));
  });

  it("a column of names may have codes, too", async () => {
    expect(await pasted("Jurisdiction\nTravis County, TX\n06001\n6003")).toEqual([
      "name Travis County, TX",
      "06001",
      "06003",
    ]);
  });
});

describe("columns without headings", () => {
  it.each([
    ["06\t001\n06\t037", ["06001", "06037"]],
    ["6,1\n6,37", ["06001", "06037"]],
    ["48;201\n06;001\n51;515", ["48201", "06001", "51515"]],
  ])("of numbers that are counties of states in every row are joined: %j", async (text, geoids) => {
    const list = await readListText(text);
    expect([meant(list), new Set(hows(list))]).toEqual([geoids, new Set(["joined"])]);
  });

  it("and so in cells, but states in two columns stay states", async () => {
    expect(
      await selected([
        [6, 1],
        [6, 37],
      ]),
    ).toEqual(["06001", "06037"]);
    expect(
      await selected([
        ["06", "08"],
        ["01", "02"],
      ]),
    ).toEqual(["06", "08", "01", "02"]);
    expect(
      await selected([
        [6, 8],
        [1, 2],
      ]),
    ).toEqual(["06", "01"]);
  });

  it.each([
    [
      "Orange County\tCalifornia\nOrange County\tFlorida",
      ["Orange County, California", "Orange County, Florida"],
    ],
    [
      "California\tOrange County\nFlorida\tOrange County",
      ["Orange County, California", "Orange County, Florida"],
    ],
    ["Orange County,CA\nTravis County,TX", ["Orange County, CA", "Travis County, TX"]],
    ["TX\tTravis County\nCA\tAlameda County", ["Travis County, TX", "Alameda County, CA"]],
    [
      '"Orange County, California"\n"Orange County, Florida"',
      ["Orange County, California", "Orange County, Florida"],
    ],
    [
      "Washington County;Oregon\nWashington County;Utah",
      ["Washington County, Oregon", "Washington County, Utah"],
    ],
    [
      "Springfield\tClark County\tOH\nDublin\tFranklin County\tOH",
      ["Springfield, Clark County, OH", "Dublin, Franklin County, OH"],
    ],
  ])("of names and states give a name for each row, and no state: %j", async (text, names) => {
    expect(await pasted(text)).toEqual(names.map((name) => `name ${name}`));
  });

  it.each([
    ["06001,Alameda County,CA\n48453,Travis County,TX", ["06001", "48453"]],
    ["Alameda County\t06001\t1643700\nAlpine County\t06003\t1204", ["06001", "06003"]],
    ["06001\t1643700\n06003\t1204\n06037\t9829544", ["06001", "06003", "06037"]],
    ["06001\t1643700\n06037\t4829544", ["06001", "06037"]],
    ["ahj:7\tTravis County\tTX\nahj:9\tx\tCA", ["ahj:7", "ahj:9"]],
    [
      "Alameda County\tCA\t1643700\nTravis County\tTX\t1334961",
      ["name Alameda County, CA", "name Travis County, TX"],
    ],
    ["Alameda County\t1643700\nTravis County\t1334961", ["name Alameda County", "name Travis County"]],
  ])("of codes and other data give the codes only: %j", async (text, geoids) => {
    expect(await pasted(text)).toEqual(geoids);
  });

  it("of codes alone are a list", async () => {
    expect(await pasted("06001\t06003\n48201\t48453")).toEqual(["06001", "06003", "48201", "48453"]);
    expect(await pasted("06001,0644000\n0644000,06001")).toEqual(["06001", "0644000", "0644000", "06001"]);
  });

  it("five digits that are mostly no counties are ZIP codes, and none of them is asked", async () => {
    const zips = ["94501", "94601", "60601", "48001", "02139", "73301"];
    const list = await readListText(zips.join("\n"));
    expect(meant(list).filter((each) => !each.startsWith("none"))).toEqual([]);
  });
});

describe("a list of lines", () => {
  it("takes geoIDs by lines, commas, tabs and quotes, and tells what it repaired", async () => {
    const list = await readListText('06001\n6003,"41051"\t06001\n\n0500000US48201 53033');
    expect(meant(list)).toEqual(["06001", "06003", "41051", "06001", "48201", "53033"]);
    expect(hows(list)[1]).toBe("zero-back");
  });

  it.each([
    ["06001, 06003 06005;06007", ["06001", "06003", "06005", "06007"]],
    ["06001 0644000 0600190010", ["06001", "0644000", "0600190010"]],
    ["06 001 06 037", ["06001", "06037"]],
    ["6001,6003", ["06001", "06003"]],
    ["ahj:123, 06001", ["ahj:123", "06001"]],
    ["''06001\"\"", ["06001"]],
    ['06001,"",06003', ["06001", "06003"]],
    ['"06001\n06003', ["06001", "06003"]],
    ["6001-2", ["6001-2"]],
    ["06001\r06003\r\n06005", ["06001", "06003", "06005"]],
  ])("takes %j as codes", async (text, codes) => {
    expect(await pasted(text)).toEqual(codes);
  });

  it.each([
    ["Alameda County", ["Alameda County"]],
    ["Alameda County, CA\nChicago", ["Alameda County, CA", "Chicago"]],
    ['"Travis County, TX"', ["Travis County, TX"]],
    ["Orange County\tCA\nCA", ["Orange County, CA", "CA"]],
    ["CA, NV, AZ", ["CA", "NV", "AZ"]],
    ["Orange County, CA, Travis County, TX", ["Orange County, CA", "Travis County, TX"]],
    ["Alameda County, Contra Costa County", ["Alameda County", "Contra Costa County"]],
    ["Fire District 9", ["Fire District 9"]],
    ["Prince George's County", ["Prince George's County"]],
    ['The "Old" Town', ['The "Old" Town']],
    ["alameda  county", ["alameda county"]],
    ["Nowhere 12086", ["Nowhere 12086"]],
    ["Fire District 12086", ["Fire District 12086"]],
    ["New York, NY 10001", ["New York, NY"]],
    ["Dover, DE 10001-1234", ["Dover, DE"]],
    ["10001 Main Street, Dover", ["10001 Main Street, Dover"]],
    ["10001 City Park Avenue", ["10001 City Park Avenue"]],
    ["Kent 10001", ["Kent 10001"]],
  ])("takes %j as names", async (text, names) => {
    expect(await pasted(text)).toEqual(names.map((name) => `name ${name}`));
  });

  it("tells the row of each entry, headings and blank rows counted", async () => {
    const { entries } = await readListText("geoID\n06003\n\nahj:7; 6001\nTravis County, TX");
    expect(entries.map(({ row }) => row)).toEqual([2, 4, 4, 5]);
  });

  it.each([
    "County",
    "TOWN",
    "Jurisdiction",
    "Name",
    "geoID",
    "FIPS",
    "AHJ",
    "US counties",
    "Where we build",
  ])("above codes, %s is the heading", async (heading) => {
    const list = await readListText(`${heading}\n1772000\n06001`);
    expect([meant(list), list.headings]).toEqual([["1772000", "06001"], [heading]]);
  });

  it.each([
    "Cook County",
    "Orleans Parish",
    "Kansas City",
    "Chicago city",
    "Brookhaven town",
    "Pacific Gas & Electric Utility",
    "Fire District 9",
    "City of Chicago",
  ])("above codes, %s is a jurisdiction", async (name) => {
    expect(await pasted(`${name}\n1772000\n1714000`)).toEqual([`name ${name}`, "1772000", "1714000"]);
  });

  it("is read at once, however many quotes stand in it", async () => {
    expect(await selected([[`a${"'".repeat(400_000)}b`]])).toHaveLength(1);
    expect(await pasted(`a${'"'.repeat(100_000)}b`)).toHaveLength(1);
  });

  it.each([
    ["names below a heading and empty lines", "City\n\nAlameda County, CA\n\n\nNowhere, CA", [3, 6]],
    ["codes and figures between blanks", "06001 100\n\n06037 200\n\n06059 300", [1, 3, 5]],
    ["codes with the comma of thousands", "6,001\n\n\n6,037", [1, 4]],
    ["cells of several lines", 'geoID\tNote\n06001\t"two\nlines"\n06037\tone', [2, 4]],
    ["a table in Markdown", "| geoID |\n|-------|\n| 06001 |\n\n| 06037 |", [3, 5]],
    ["lines of another system", "06001\r\n\r\n06037", [1, 3]],
  ])("tells each entry's line as the user sees it: %s", async (_, text, lines) => {
    expect((await readListText(text)).entries.map(({ row }) => row)).toEqual(lines);
  });
});
