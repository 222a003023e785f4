/**
 * The contents of a column: whole codes, AHJ ids, parts of codes, names, or the codes of areas that are no jurisdictions. `area` has its words
 * for the last.
 */
export type ColumnRole =
  | "geoid"
  | "ahj"
  | "state-code"
  | "county-code"
  | "place-code"
  | "subdivision-code"
  | "name"
  | "county"
  | "state"
  | "list"
  | "label";

export interface Heading {
  role: ColumnRole | "area";
  /** The area with its article, for the role "area". */
  words?: string;
}

const zip = { role: "area", words: "a ZIP code area" } as const;
const tract = { role: "area", words: "a census tract" } as const;
const blockGroup = { role: "area", words: "a census block group" } as const;
const block = { role: "area", words: "a census block" } as const;
const metro = { role: "area", words: "a metropolitan area" } as const;
const district = { role: "area", words: "a congressional district" } as const;
const senate = { role: "area", words: "a state senate district" } as const;
const house = { role: "area", words: "a state house district" } as const;
const school = { role: "area", words: "a school district" } as const;
const puma = { role: "area", words: "a public use microdata area" } as const;
const urban = { role: "area", words: "an urban area" } as const;
const voting = { role: "area", words: "a voting district" } as const;
const tribal = { role: "area", words: "an American Indian area" } as const;

const areas: Readonly<Record<string, Heading>> = {
  ...spread(
    zip,
    "zip zipcode zipcodes zips zip5 zipplus4 zip4 postalcode postcode zcta zctas zcta5 zcta5ce zctacode",
  ),
  ...spread(tract, "tract tractce tractcode tractid tractfips tractgeoid censustract censustracts"),
  ...spread(blockGroup, "blkgrp blkgrpce blockgroup blockgroupce bg bgfips"),
  ...spread(block, "block blockce blockfips blockid censusblock"),
  ...spread(metro, "cbsa cbsafp cbsacode csa csafp msa msacode metdivfp metdiv nectafp metroarea"),
  ...spread(district, "cd cdfp cdsessn congressionaldistrict congdist"),
  ...spread(senate, "sldust sldu"),
  ...spread(house, "sldlst sldl"),
  ...spread(school, "unsdlea elsdlea scsdlea sduni sdelm sdsec sdadm leaid schooldistrict districtleaid"),
  ...spread(puma, "puma pumace pumacode"),
  ...spread(urban, "ua uace uacode urbanarea"),
  ...spread(voting, "vtd vtdst vtdi precinct"),
  ...spread(tribal, "aiannh aiannhce aiannhfp"),
};

const roles: Readonly<Record<string, Heading>> = {
  ...areas,
  ...spread(
    { role: "geoid" },
    "geoid geoids geoidfq affgeoid geoid2 id2 geoidlong fips fipscode fipscodes fips5 fipsid stcofips stcoufips stcntyfips statecountyfips " +
      "statecountycode fullfips countyfips countyfipscode cntyfips countygeoid placegeoid placefips cityfips cityfipscode cousubgeoid " +
      "censusid censuscode censusgeoid jurisdictiongeoid ahjgeoid ahjfips gisjoin geocode geofips",
  ),
  ...spread({ role: "ahj" }, "ahjid ahjids ahjnumber"),
  ...spread(
    { role: "state-code" },
    "statefp statefips statefipscode stfips stfp fipsstate statefipsid statecode stcode",
  ),
  ...spread(
    { role: "county-code" },
    "countyfp cntyfp coufp countycode cntycode fipscounty countyfipsid countynum",
  ),
  ...spread({ role: "place-code" }, "placefp placecode fipsplace"),
  ...spread({ role: "subdivision-code" }, "cousubfp cousub mcdfp mcd"),
  ...spread(
    { role: "name" },
    "name names jurisdiction jurisdictions jurisdictionname ahjname city cities cityname town towns townname township village municipality " +
      "municipalities place places placename namelsad geographicareaname displaylabel geodisplaylabel geoname area areaname location " +
      "locality community authority authorityhavingjurisdiction permittingauthority utility utilityname citytown citycounty cityorcounty",
  ),
  ...spread({ role: "county" }, "county counties countyname cntyname cnty parish parishname countyparish"),
  ...spread(
    { role: "state" },
    "state states statename stusps stusab usps st stateabbr stateabbreviation statepostal stabbr stname",
  ),
  // They say that a row is a heading, and not what stands below: its shapes decide.
  ...spread({ role: "list" }, "ahj ahjs id ids code codes list"),
  ...spread(
    { role: "label" },
    "geography geographyidentifier geographicidentifier geo lsad aland awater funcstat classfp mtfcc",
  ),
};

function spread(heading: Heading, words: string): Record<string, Heading> {
  return Object.fromEntries(words.split(" ").map((word) => [word, heading]));
}

/**
 * The role of a column by its heading, in any capitals and signs, with or without the year behind it (`STATEFP`, `GEO.id2`,
 * `ZCTA5CE20`); null if the heading is none that is known.
 */
export function headingOf(text: string): Heading | null {
  const word = text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const isOneWord = /^\w+$/.test(text.trim());
  const year = isOneWord ? /(?<=[a-z])(?:19|20)?\d\d$/ : /$^/;
  const withoutYear = word.replace(year, "").replace(/^cd\d+fp$/, "cdfp");
  const known = (each: string) => (Object.hasOwn(roles, each) ? (roles[each] ?? null) : null);
  return known(word) ?? known(withoutYear);
}

/** The area that a name is said to be, such as `ZCTA5 36001`; null if it may be a jurisdiction. */
export function areaInName(name: string): string | null {
  const [, words] = namedAreas.find(([pattern]) => pattern.test(name.trim())) ?? [];
  return words ?? null;
}

const namedAreas: readonly (readonly [RegExp, string])[] = [
  [/^(?:zcta5?|zip(?: code)?)\s*\d{5}\b/i, zip.words],
  [/^block group \d/i, blockGroup.words],
  [/^block \d{4}/i, block.words],
  [/^census tract \d/i, tract.words],
  [/^congressional district /i, district.words],
  [/^state senate district /i, senate.words],
  [/^(?:state house|assembly|general assembly|state legislative) district /i, house.words],
  [
    / (?:unified|elementary|union|high|independent|city|consolidated|community|central|public) school district\b/i,
    school.words,
  ],
  [/ school district(?:,| \d| [a-z]+$|$)/i, school.words],
  [/\bpuma\b/i, puma.words],
  [/ (?:metro|micro) area\b/i, metro.words],
  [/ (?:csa|cbsa)$/i, metro.words],
  [/ urban (?:area|cluster)\b| urbanized area\b/i, urban.words],
  [/^voting district /i, voting.words],
];
