import { describe, expect, it } from "vitest";
import { readListCells, readListText } from "../../../../src/engine/lookup/lists/read-list";

/** The entries of a text or of cells: geoIDs, ids, names in quotes, or the kind of misreading behind a hyphen. */
async function read(given: string | unknown[][]): Promise<string[]> {
  const list = typeof given === "string" ? await readListText(given) : await readListCells(given);
  return list.entries.map(({ meaning }) =>
    meaning.kind === "geoid"
      ? meaning.geoid
      : meaning.kind === "ahj"
        ? `ahj:${meaning.id}`
        : meaning.kind === "name"
          ? `"${meaning.name}"`
          : `-${meaning.why}`,
  );
}

type Case = [given: string | unknown[][], entries: string[]];

describe("the codes of states", () => {
  it.each<Case>([
    ["date,state,fips,cases\n2020-01-21,Washington,53,1\n2020-03-01,Illinois,17,1", ["53", "17"]],
    ["state,fips\nAlabama,1\nAlaska,2\nArizona,4", ["01", "02", "04"]],
    [
      [
        ["STUSPS", "GEOID"],
        ["CA", 6],
        ["AL", 1],
      ],
      ["06", "01"],
    ],
    ["STATEFP,STUSPS,NAME,GEOID\n06,CA,California,06", ["06"]],
    ["State,FIPS\nCA,1\nCA,37", ["06001", "06037"]],
    ["State,FIPS County Code\nCA,001", ["06001"]],
  ])("are not the codes of counties: %j", async (given, entries) => {
    expect(await read(given)).toEqual(entries);
  });

  it.each<Case>([
    ["AHJ,State\nOakland,CA\nAlameda County,CA", ['"Oakland, CA"', '"Alameda County, CA"']],
    ["Permit Jurisdiction,State\nOakland,CA", ['"Oakland, CA"']],
    ["COUNTY_NAM,STATE_ABBR\nAlameda,CA", ['"Alameda County, CA"']],
    ["CTYNAME,STNAME\nAlameda County,California", ['"Alameda County, California"']],
    ["Building Dept,State\nOakland,CA", ['"Oakland, CA"']],
    ["STATE,COUNTY_CD\n06,001", ["06001"]],
    ["ST,CTY\n06,001\n06,037", ["06001", "06037"]],
    ["stfips\tcofips\n6\t1", ["06001"]],
    [
      [
        ["STATEFP", "COUNTYFP"],
        ["06", "001"],
        ["06", "#N/A"],
      ],
      ["06001", "-no-code"],
    ],
    [
      [
        ["STATEFP", "COUNTYFP"],
        ["06", "001"],
        ["06", "1a"],
      ],
      ["06001", "-no-code"],
    ],
    [
      [
        ["State", "County Code"],
        ["California", 6001],
        ["Texas", 48201],
      ],
      ["06001", "48201"],
    ],
    ["STATE,COUNTY\nCA,06001", ["06001"]],
    ["STATEFP,COUNTYFP\n06,06001", ["06001"]],
    ["ST,STCNTY\n06,06001", ["06001"]],
    ["State,Something\nCA,7", ["-no-code"]],
    ["STATEFIP,COUNTYICP\n6,10", ["-no-code"]],
  ])("are never taken for a row that says more: %j", async (given, entries) => {
    expect(await read(given)).toEqual(entries);
  });
});

describe("the codes of places and county subdivisions", () => {
  it.each<Case>([
    [
      [
        ["State", "Place FIPS"],
        ["CA", "44000"],
        ["CA", "53000"],
      ],
      ["0644000", "0653000"],
    ],
    [
      [
        ["ST", "PLACEFIPS"],
        ["CA", "17003"],
        ["CA", "48003"],
      ],
      ["0617003", "0648003"],
    ],
    [
      [
        ["STATE", "COUNTY FIPS", "PLACE FIPS"],
        ["06", "001", "53000"],
      ],
      ["0653000"],
    ],
    [[["Place FIPS"], ["17003"]], ["-part-of-code"]],
    ["STATE,COUNTY,PLACE\n06,037,44000", ["0644000"]],
    ["state,county,county subdivision\n09,013,01080", ["0901301080"]],
    ["state,placeCode\nCA,99001", ["-no-code"]],
    [
      [
        ["STATEFP", "COUNTYFP", "COUSUBFP"],
        ["06", "001", "00000"],
      ],
      ["06001"],
    ],
    ["0600000", ["06"]],
    ["0600100000", ["06001"]],
  ])("are joined from their parts: %j", async (given, entries) => {
    expect(await read(given)).toEqual(entries);
  });
});

describe("rows about areas that are no jurisdictions", () => {
  it.each<Case>([
    ["STATEFP,SLDUST\n06,001", ["-other-area"]],
    ["STATEFP,CD118FP\n06,12", ["-other-area"]],
    ["state,zip code tabulation area\n06,94501", ["-zip-code"]],
    ["state,state legislative district (upper chamber)\n06,001", ["-other-area"]],
    ["STATEFP,COUNTYFP,TRACTCE\n06,001,400100", ["-other-area"]],
    ["state,county,tract\n06,001,400100", ["-other-area"]],
    ["State,ZIP\nCA,94501\nTX,78701", ["-zip-code", "-zip-code"]],
    ["CensusTract,State,County\n1001020100,Alabama,Autauga County", ["-other-area"]],
    ['GEOID,NAME\n10180,"Abilene, TX Metro Area"', ["-other-area"]],
    ['GEO_ID,NAME\n1400000US06001400100,"Census Tract 4001; Alameda County; California"', ["-other-area"]],
    ["GEOID,NAME\n06001,State Senate District 1 (2022); California", ["-other-area"]],
    ["VA\t5103000\tArlington County Public Schools", ["-other-area"]],
    ["Census Tract 4001, Alameda County, California", ["-other-area"]],
  ])("stand neither for their state nor for their county: %j", async (given, entries) => {
    expect(await read(given)).toEqual(entries);
  });

  it.each([
    ...[
      "Mailing ZIP",
      "Customer Zip",
      "ShipToZip",
      "BillingPostalCode",
      "Zip/Postal Code",
      "PROP_ZIP",
      "ZIP_CD",
    ],
    ...[
      "zip_code_tabulation_area",
      "US ZIP",
      "ZIP list",
      "Our ZIPs",
      "Zip code (5 digit)",
      "5-digit ZIP Code",
      "zipcode5",
    ],
  ])("are known by the words of their heading: %s", async (heading) => {
    expect(await read(`${heading}\n36001\n48201`)).toEqual(["-zip-code", "-zip-code"]);
  });

  it.each<Case>([
    ["ZIP (48201)", ["-other-area"]],
    ["ZCTA5 48201", ["-other-area"]],
    ["PUMA 0600101", ["-other-area"]],
    ["Arlington County Public Schools (5103000)", ["-other-area"]],
    ["ZIP\t36001\t48201", ["-zip-code"]],
    ["ZIP codes: 36001, 48201", ["-zip-code"]],
    ["Fire District (36001)", ['"Fire District (36001)"']],
  ])("are known by the words beside them: %j", async (given, entries) => {
    expect(await read(given)).toEqual(entries);
  });

  it("offer the county that they lie in", async () => {
    const { entries } = await readListText("STATEFP,COUNTYFP,TRACTCE\n06,001,400100");
    expect(entries[0]?.meaning).toMatchObject({ county: "06001" });
  });

  it.each<Case>([
    ["ZIP,COUNTY,RES_RATIO\n36025,36103,1\n01002,01001,0.2", ["36103", "01001"]],
    ["cbsa,county\n41860,06001", ["06001"]],
  ])("may stand beside whole codes of counties, which count: %j", async (given, entries) => {
    expect(await read(given)).toEqual(entries);
  });
});

describe("a code and a state that contradict each other", () => {
  it.each<Case>([
    ["Avon\tCT\t06001\nGranby\tCT\t06035", ['"Avon, CT"', '"Granby, CT"']],
    ["Avon, CT, 06001", ['"Avon, CT"']],
    [
      [
        ["Detroit, MI", 48201],
        ["Monroe, MI", 48161],
        ["Ann Arbor, MI", 48103],
      ],
      ['"Detroit, MI"', '"Monroe, MI"', '"Ann Arbor, MI"'],
    ],
    [
      [
        ["Albany", "NY", 36001],
        ["Detroit", "MI", 48201],
      ],
      ['"Albany, NY"', '"Detroit, MI"'],
    ],
    ["USPS,GEOID\nMI,48201", ["-contradiction"]],
    [[["Wayne County, MI (48201)"]], ["-contradiction"]],
    ["48201: Detroit\tMI", ["-contradiction"]],
  ])("never give the code's place: %j", async (given, entries) => {
    expect(await read(given)).toEqual(entries);
  });
});

describe("figures, years, dates and numbers of rows", () => {
  it.each<Case>([
    ["Population\n48201\n36061", ["-no-code", "-no-code"]],
    ["Year\n2013\n2016", ["-no-code", "-no-code"]],
    ["Invoice\n1001", ["-no-code"]],
    ["ID\n1\n2\n4", ["-no-such-state", "-no-such-state", "-no-such-state"]],
    ["1\n2\n3\n4\n5", Array<string>(5).fill("-no-such-state")],
    ["GEOID,2020,2021\n06001,48201,36061\n06003,1001,1003", ["06001", "06003"]],
    ["GEOID\t2013\t2016\n06001\t5\t6", ["06001"]],
    [
      [
        ["County", 2020, 2021],
        ["06001", 5, 6],
        ["06037", 7, 8],
      ],
      ["06001", "06037"],
    ],
    ["1\t06001\n2\t06037\n4\t48201", ["06001", "06037", "48201"]],
    [
      [
        [1, 6001],
        [2, 6037],
        [4, 48201],
      ],
      ["06001", "06037", "48201"],
    ],
    ["06\t06001\n48\t48201", ["06001", "48201"]],
    [
      [
        ["Oakland, CA", 45001],
        ["Alameda County, CA", 45003],
      ],
      ['"Oakland, CA"', '"Alameda County, CA"'],
    ],
    [
      [
        ["06001", 45001],
        ["06037", 45003],
      ],
      ["06001", "06037"],
    ],
    [
      [
        ["06001", 48201],
        ["06003", 1001],
      ],
      ["06001", "06003"],
    ],
    [
      [
        [6001, 2020],
        [6003, 2013],
      ],
      ["06001", "06003"],
    ],
    ["001\t06\n037\t06\n201\t48", ["06001", "06037", "48201"]],
    ["06001\t48,201\n06003\t6,001", ["06001", "06003"]],
    ["06 001 400100", ["-other-area"]],
    ["06001 4001.00", ["-other-area"]],
    ["6001.00", ["06001"]],
    ["2020-06-01", ["-unreadable"]],
    ["415-555-1234", ["-unreadable"]],
    ["US3090082,Foo County,865965", ["3090082"]],
    ["Total\t12\nAlameda County\t5", ["-unreadable", '"Alameda County"']],
  ])("are no codes: %j", async (given, entries) => {
    expect(await read(given)).toEqual(entries);
  });

  it.each<Case>([
    ["06001\n06002\n06010\n06013\n06016\n06019\n06029\n06035", Array<string>(8).fill("")],
    [[[1001], [1002], [1004], [1005], [1006]], Array<string>(5).fill("")],
    ["Our places\n94501\n94601\n60601\n48001\n02139", Array<string>(5).fill("")],
  ])("ZIP codes of a region are known by those that are no counties: %j", async (given, entries) => {
    const kinds = await read(given);
    expect(kinds).toHaveLength(entries.length);
    expect(kinds.filter((kind) => !kind.startsWith("-"))).toEqual([]);
  });
});

it("a figure that may be a code all the same is offered", async () => {
  const { entries } = await readListCells([["Customer"], [6001]]);
  expect(entries[0]?.meaning).toMatchObject({ kind: "none", why: "no-code", code: "06001" });
});

describe("rows that would get lost", () => {
  it.each<Case>([
    ["Name,Type,State\nOakland,City,CA\nAustin,City,TX", ['"Oakland, CA"', '"Austin, TX"']],
    ["Jurisdiction,Level\nAlameda County,County\nOakland,City", ['"Alameda County"', '"Oakland"']],
    [
      "County,State\nAlameda,CA\nMarin,California \nClark,Nevad",
      ['"Alameda County, CA"', '"Marin County, California"', '"Clark County"'],
    ],
    ["County Name,STATEFP\nOrange,6\nOrange,12", ['"Orange County, CA"', '"Orange County, FL"']],
    [
      "County,City,State\nAlameda,,CA\nAlameda,Oakland,CA",
      ['"Alameda County, CA"', '"Oakland, Alameda County, CA"'],
    ],
    ["STATEFP,COUNTYFP,NAME\n06,001,Alameda\n,,Total", ["06001", "-no-code"]],
    ["06001, 06037, and 48201", ["06001", "06037", "48201"]],
    ["06001; Marin County, CA; 48201", ["06001", "48201", '"Marin County, CA"']],
    ["NAME,GEOID,POP\nAlameda County, CA,06001,5\nMarin,06041,6", ["06001", "06041"]],
    ["NAME,GEO_ID,B19013_001E\nAlameda County, California,0500000US06001,112017", ["06001"]],
    ["06001\v06037\f48201", ["06001", "06037", "48201"]],
    ["48,201\n48,453\n48,029", ["48201", "48453", "48029"]],
    ["6,00E+09", ["-shortened"]],
    ["| FIPS | Name |\n|:-----|-----:|\n| 06001 | Alameda |", ["06001"]],
    ["1. Alameda County, CA\n2. 06001", ['"Alameda County, CA"', "06001"]],
    ['["06001", "06037"]', ["06001", "06037"]],
    ["FIPS,County\n06001,Alameda\n\nSource: Census Bureau", ["06001", "-unreadable"]],
    [
      [
        ["Table 1. Population", null],
        [null, null],
        ["FIPS", "Pop"],
        ["06001", 1643700],
      ],
      ["06001"],
    ],
    [
      "RegionID,RegionName,StateName,StateCodeFIPS,MunicipalCodeFIPS\n3101,Los Angeles County,CA,06,037",
      ["06037"],
    ],
    ["City,STATEFP,COUNTYFP\nOakland,06,001", ['"Oakland, CA"']],
  ])("are read: %j", async (given, entries) => {
    expect(await read(given)).toEqual(entries);
  });
});

describe("lists that look like headings, or like something else", () => {
  it.each<Case>([
    ["Ada County, ID\nMarin County, CA", ['"Ada County, ID"', '"Marin County, CA"']],
    ["Boulder County, CO\nLarimer County, CO", ['"Boulder County, CO"', '"Larimer County, CO"']],
    ["Marin County, CA\nBoulder County, CO", ['"Marin County, CA"', '"Boulder County, CO"']],
    ["Ada County\tID\nTravis County\tTX", ['"Ada County, ID"', '"Travis County, TX"']],
    ["CO\nUT\nWY", ['"CO"', '"UT"', '"WY"']],
    ["ID\nMT\nWY", ['"ID"', '"MT"', '"WY"']],
    ["CO\t013\nCO\t069", ["08013", "08069"]],
    ["Los Angeles, County of", ['"Los Angeles, County of"']],
    ["Alameda, County of\nMarin County, CA", ['"Alameda, County of"', '"Marin County, CA"']],
    ["Indiana, Pennsylvania", ['"Indiana, Pennsylvania"']],
    ["Washington\tPennsylvania\nDelaware\tOhio", ['"Washington, Pennsylvania"', '"Delaware, Ohio"']],
    ["Oregon, Washington, Idaho", ['"Oregon"', '"Washington"', '"Idaho"']],
    ["Report 2024\nGEOID\n06001", ["06001"]],
    ["Zip Ranch\t06037\nSun Farm\t06001", ["06037", "06001"]],
    ["Project name\tFIPS\nZip Ranch\t06037", ["06037"]],
    ["Project\n06001\n06037", ["06001", "06037"]],
    ["School\tCounty\tState\nX\tAlameda\tCA", ['"Alameda County, CA"']],
    [
      "Orange County\tFlorida\tUSA\nOrange County\tTexas\tUSA",
      ['"Orange County, Florida"', '"Orange County, Texas"'],
    ],
    ["Marin County, CA\tactive\nAlameda County, CA\tactive", ['"Marin County, CA"', '"Alameda County, CA"']],
    ["Do&ntilde;a Ana County, NM", ['"Doña Ana County, NM"']],
  ])("are read as people mean them: %j", async (given, entries) => {
    expect(await read(given)).toEqual(entries);
  });

  it.each<Case>([
    ["Jurisdiction,Permits\n06001,48\n06037,36", ["06001", "06037"]],
    ["Year\tJurisdiction\n2020\t06001", ["06001"]],
    ["Jurisdiction,Population\n06001,1643700", ["06001"]],
    ["Location\tKW\n06001\t6", ["06001"]],
    ["Orange County\tCA\t06\nOrange County\tFL\t12", ['"Orange County, CA"', '"Orange County, FL"']],
    ["06\t44000\n06\t00562", ["-no-code", "-no-code"]],
    ["06 44000", ["-several"]],
    ["fips\n1\n3\n5", ["-no-such-state", "-no-such-state", "-no-such-state"]],
    ["Alameda County\t5\nMarin County\t12", ['"Alameda County"', '"Marin County"']],
  ])("have figures that are not asked: %j", async (given, entries) => {
    expect(await read(given)).toEqual(entries);
  });

  it.each<Case>([
    ["FIPS 06-001\nFIPS: 06-037", ["06001", "06037"]],
    ["GEOID: 0500000US06001", ["06001"]],
    ["0500000US06001 Alameda County, California", ["06001"]],
    ["Alameda County, California (0500000US06001)", ["06001"]],
    ["dcid:geoId/06001", ["06001"]],
    ["06\u2011001", ["06001"]],
    ["06\u2212001", ["06001"]],
    ["06001.", ["06001"]],
    ["#06001", ["06001"]],
    ["# my list\n06001", ["-unreadable", "06001"]],
    ["140000US06001400100", ["-other-area"]],
  ])("have codes in spellings of other programs: %j", async (given, entries) => {
    expect(await read(given)).toEqual(entries);
  });
});
