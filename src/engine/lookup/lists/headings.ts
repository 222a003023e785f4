/**
 * The contents of a column: whole codes, AHJ ids, parts of codes, names, or the codes of areas that are no jurisdictions.
 * - "county-code" and "place-code": a part behind the state's code, or the whole code.
 * - "area": codes of areas that are no jurisdictions; `words` names one.
 * - "list": codes or names; "kind": words such as City, which may be names of columns or the kinds of jurisdictions.
 * - "other": figures, dates or other texts about the row; "label": the heading of a heading row.
 */
export interface Heading {
  role:
    | "geoid"
    | "ahj"
    | "state-code"
    | "county-code"
    | "place-code"
    | "subdivision-code"
    | "place"
    | "name"
    | "county"
    | "state"
    | "area"
    | "list"
    | "label"
    | "other";
  /** The area with its article, for the role "area". */
  words?: string;
  /** True for an area that lies in a county, or in a state beside whose code it stands: the row is about it, not about these. */
  isPart?: boolean;
}

const area = (words: string, isPart = true): Heading => ({ role: "area", words, isPart });

/** Areas that are no jurisdictions, by the words of a heading. The first that fits counts. */
const areas: readonly (readonly [RegExp, Heading])[] = [
  [/\b(?:zip\w*|\w*zip|zcta\w*|postal\w*|\w*postalcode|postcode)\b/g, area("a ZIP code area")],
  [/\b(?:blkgrp\w*|block ?groups?|bg|bgfips)\b/g, area("a census block group")],
  [/\btract\w*|\bcensus ?tracts?\b/g, area("a census tract")],
  [/\b(?:census ?blocks?|blockce|blockfips|block)\b/g, area("a census block")],
  [/\b(?:puma\w*|public use microdata areas?)\b/g, area("a public use microdata area")],
  [
    /^(?:cd|cd ?\d+ ?fp|cdfp|cdsessn)$|\bcongressional ?districts?\b|\bcongdist\b/g,
    area("a congressional district"),
  ],
  [/\b(?:sldu\w*|senate ?districts?|upper chamber)\b/g, area("a state senate district")],
  [/\b(?:sldl\w*|house ?districts?|lower chamber|assembly districts?)\b/g, area("a state house district")],
  [
    /\b(?:unsdlea|elsdlea|scsdlea|sd(?:uni|elm|sec|adm)|lea|leaid|nces|school ?districts?|schools?|districts? ?(?:id|leaid))\b/g,
    area("a school district"),
  ],
  [/\b(?:vtd\w*|precincts?|voting ?districts?)\b/g, area("a voting district")],
  [
    /\b(?:cbsa\w*|csa|csafp|msa|metdiv\w*|necta\w*|metro(?:politan)?|micropolitan|metroarea)\b/g,
    area("a metropolitan area", false),
  ],
  [/\b(?:ua|uace\w*|urban ?areas?|urbanarea)\b/g, area("an urban area", false)],
  [/\b(?:aiannh\w*|tribal)\b/g, area("an American Indian area", false)],
];

/** Words that stand beside an area's in a heading. A name, such as "Oakland Unified School District", has others. */
const besideAreas =
  /\b(?:codes?|fips|geo ?id|numbers?|digits?|five|str|ce|mailing|customer|ship|to|billing|prop|property|site|shipping|tabulation|areas?|legislative|state|county|census|districts?|lists?|of|us|our|the|mail|cd|id|ids|name|plus|fp|\d+)\b/g;

/** Figures, dates, and numbers of somebody's own. */
const others =
  /\b(?:pop|population|sales|amount|year|yr|month|day|dates?|invoice|order|permits?|count|rank|sizerank|index|objectid|fid|oid|row|rows|no|nr|latitude|longitude|lat|lon|lng|lsad|naics|gnis|gnisid|phone|fax|email|total|totals|values?|costs?|fees?|price|kw|mw|icpsr?|stateicp|icp|uid|aland|awater|funcstat|classfp|mtfcc|k w|m w|types?|kinds?|level|districts?|status|notes?|comments?|source|moe|estimate|households|cases|deaths|ratio|percent|pct)\b/g;

const stateWords = /\b(?:states?|state(?:name|code|fips\w*)|st|stusps|stusab|usps|stname|stabbr|province)\b/g;
const countyWords =
  /\b(?:count(?:y|ies)|county(?:name|code|fips\w*)|cnty\w*|cty\w*|co|coname|parish(?:es)?|parishname|boroughs?)\b/g;
const placeWords =
  /\b(?:places?|place(?:name|code|fips\w*)|cit(?:y|ies)|city(?:name|code|fips\w*)|towns?|townname|townships?|villages?|municipal|municipalit(?:y|ies))\b/g;
const subdivisionWords = /\b(?:cousub\w*|mcd\w*|county subdivisions?)\b/g;
const codeWords = /\b(?:fips|geo ?ids?|ansi|fp|codes?|cd|census)\b|fips|code(?=\b|\d)/g;
const nameWords =
  /\b(?:names?|namelsad|jurisdictions?|jurisdictionname|ahjname|authorit(?:y|ies)|utilit(?:y|ies)|localit(?:y|ies)|communit(?:y|ies)|geoname|areaname|area ?name|display ?label|geographic area name|agency|location|region ?name|building dep(?:t|artment))\b/g;
/** Words of a heading above names of something else. */
const ownNames =
  /\b(?:project|customer|company|owner|contact|account|client|person|first|last|file|user|contractor|installer|building|street)\b/g;

/** Headings with a meaning of their own, in small letters without signs. */
const exact: Readonly<Record<string, Heading>> = {
  ...all({ role: "ahj" }, "ahjid ahjids ahjnumber"),
  ...all(
    { role: "geoid" },
    "geoid geoids geoidfq affgeoid geoid2 id2 geoidlong fips fips5 fipsid fipstxt stcofips stcoufips stcntyfips stcou stcnty " +
      "statecountyfips statecountycode fullfips gisjoin geocode censusid ahjgeoid geographyid",
  ),
  ...all(
    { role: "state-code" },
    "statefp stfips statefips stfp fipsstate fipsst fipsstatecode gestfips statefip stateansi statefipscode",
  ),
  ...all(
    { role: "county-code" },
    "countyfp cntyfp coufp cofips cofip fipscounty fipsco fipscountycode countyfip gestcen countyfips countyfipscode cntyfips countyansi ctyfips",
  ),
  ...all({ role: "place-code" }, "placefp fipsplace"),
  ...all({ role: "list" }, "ahj ahjs id ids code codes list sites where locations rowlabels"),
  ...all({ role: "other" }, "columnlabels grandtotal"),
  ...all({ role: "label" }, "geography geographyidentifier geographicidentifier geo"),
  ...all(
    { role: "state" },
    "state states statename stusps stusab usps st stateabbr stateabbreviation statepostal stabbr stname provincestate",
  ),
  ...all({ role: "county" }, "county counties countyname ctyname countynam cnty parish admin2"),
};

function all(heading: Heading, words: string): Record<string, Heading> {
  return Object.fromEntries(words.split(" ").map((word) => [word, heading]));
}

/** The words that may be kinds of jurisdictions in a column, as well as headings. */
export const isKindWord = (text: string): boolean =>
  /^(?:state|county|city|town|township|village|borough|parish|utility|municipality|place)$/i.test(
    text.trim(),
  );

const rolesOfPlaces = new Set<Heading["role"]>([
  ...(["geoid", "ahj", "state-code", "county-code", "place-code", "subdivision-code"] as const),
  ...(["place", "name", "county", "state"] as const),
]);

/** True if the column below a heading certainly names places: codes, ids or names. */
export function namesPlace(heading: string): boolean {
  const role = headingOf(heading)?.role;
  return role !== undefined && rolesOfPlaces.has(role);
}

/** The longest text that is taken for a heading. */
const mostHeadingCharacters = 80;
const mostHeadingWords = 6;

/**
 * The role of a column by its heading, in any capitals and signs, with or without the year behind it (`STATEFP`, `GEO.id2`, `ZCTA5CE20`,
 * "Mailing ZIP"); null if the heading is none that is known.
 */
export function headingOf(text: string): Heading | null {
  const trimmed = text.trim();
  const isLong = trimmed.length > mostHeadingCharacters;
  if (isLong || /\s(?:of|and)$/i.test(trimmed) || !/\p{L}/u.test(trimmed) || /^[#=]|,\s|\d{5}/.test(trimmed))
    return null;
  const isOneWord = /^\w+$/.test(trimmed);
  const compact = trimmed.toLowerCase().replace(/[^a-z0-9]/g, "");
  const withoutYear = isOneWord ? compact.replace(/(?<=[a-z]{2})(?:19|20)?\d\d$/, "") : compact;
  for (const word of [compact, withoutYear]) if (Object.hasOwn(exact, word)) return exact[word] ?? null;
  // The words of `MunicipalCodeFIPS`, `COUNTY_NAM` and `CD118FP`.
  const words = (isOneWord ? trimmed.replace(/(?<=\D)(?:19|20)?\d\d$/, "") : trimmed)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/(\d)([A-Za-z]{2})/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
  if (words.split(" ").length > mostHeadingWords) return null;
  const [, area] =
    areas.find(([pattern]) =>
      [words, withoutYear].some(
        (each) => hasOnly(each, [pattern, besideAreas]) && each.search(pattern) !== -1,
      ),
    ) ?? [];
  return area ?? levelOf(words);
}

/** True if a text has no words but these. */
function hasOnly(text: string, patterns: readonly RegExp[]): boolean {
  return patterns.reduce((rest, pattern) => rest.replace(pattern, " "), text).trim() === "";
}

function levelOf(words: string): Heading | null {
  const has = (pattern: RegExp) => words.search(pattern) !== -1;
  const isWhole = hasOnly(words, [placeWords, countyWords, stateWords, nameWords, besideWords]);
  const isCode = /fips|geo ?id|ansi|fp\b|code|\bcd\b/.test(words);
  if (has(subdivisionWords)) return { role: "subdivision-code" };
  if (isCode && hasOnly(words, [placeWords, countyWords, stateWords, codeWords, besideWords])) {
    if (has(countyWords)) return { role: has(stateWords) ? "geoid" : "county-code" };
    if (has(placeWords)) return { role: "place-code" };
    if (has(stateWords)) return { role: "state-code" };
    return /fips|geo ?id|ansi/.test(words) ? { role: "geoid" } : null;
  }
  if (isWhole && has(placeWords)) return { role: "place" };
  if (isWhole && has(countyWords)) return { role: "county" };
  if (isWhole && has(stateWords)) return { role: "state" };
  if (isWhole && has(nameWords)) return { role: "name" };
  const known = [others, ownNames, nameWords, placeWords, countyWords, stateWords, codeWords, besideWords];
  return hasOnly(words, known) && (has(others) || has(ownNames)) ? { role: "other" } : null;
}

/** Words that stand beside the one that tells the role: "Project City", "County (full)", "Permit Jurisdiction". */
const besideWords =
  /\b(?:names?|nam|full|long|short|abbr|abbreviation|project|mailing|site|permit|permitting|our|us|of|the|and|or|lists?|a|having|geo|display|label|usps|two|letters?|covered|served|geographic|areas?|region|lsad|ahj|id|nm|desc|title|txt|text|numbers?|num|full|\d+)\b/g;

/** The area that words before or around a code name, such as `ZIP`, `ZCTA5 36001` or "State Senate District 1"; null if it may be a jurisdiction. */
export function areaInName(name: string): string | null {
  const [, words] = namedAreas.find(([pattern]) => pattern.test(name.trim())) ?? [];
  return words ?? null;
}

const namedAreas: readonly (readonly [RegExp, string])[] = [
  [/\b(?:zcta\w*|zip(?: ?codes?)?|po box)\b[\s:#/([]*\d{5}/i, "a ZIP code area"],
  [/\bblock group \d/i, "a census block group"],
  [/^block \d{4}/i, "a census block"],
  [/\b(?:census )?tracts? \d/i, "a census tract"],
  [/\bcongressional district\b/i, "a congressional district"],
  [/\bstate senate district\b/i, "a state senate district"],
  [/\b(?:state house|assembly|general assembly|state legislative) district\b/i, "a state house district"],
  [/\b(?:school district|public schools|city schools|county schools)\b/i, "a school district"],
  [/\bpumas?\b[\s:#([]*\d|\bPUMA\b/, "a public use microdata area"],
  [/\b(?:metro|micro) area\b|\b(?:csa|cbsa|msa)\b[\s:#([]*\d{5}| (?:CSA|CBSA|MSA)$/i, "a metropolitan area"],
  [/ urban (?:area|cluster)\b| urbanized area\b/i, "an urban area"],
  [/\bvoting district\b/i, "a voting district"],
  [/^(?:lea|nces)\b[\s:#([]*\d/i, "a school district"],
];
