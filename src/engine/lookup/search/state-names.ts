/**
 * The name of each state by its postal code (US Census Bureau). They are in a script of their own, which is loaded only if names are read.
 */
const names: Readonly<Record<string, string>> = {
  AL: "Alabama",
  AK: "Alaska",
  AZ: "Arizona",
  AR: "Arkansas",
  CA: "California",
  CO: "Colorado",
  CT: "Connecticut",
  DE: "Delaware",
  DC: "District of Columbia",
  FL: "Florida",
  GA: "Georgia",
  HI: "Hawaii",
  ID: "Idaho",
  IL: "Illinois",
  IN: "Indiana",
  IA: "Iowa",
  KS: "Kansas",
  KY: "Kentucky",
  LA: "Louisiana",
  ME: "Maine",
  MD: "Maryland",
  MA: "Massachusetts",
  MI: "Michigan",
  MN: "Minnesota",
  MS: "Mississippi",
  MO: "Missouri",
  MT: "Montana",
  NE: "Nebraska",
  NV: "Nevada",
  NH: "New Hampshire",
  NJ: "New Jersey",
  NM: "New Mexico",
  NY: "New York",
  NC: "North Carolina",
  ND: "North Dakota",
  OH: "Ohio",
  OK: "Oklahoma",
  OR: "Oregon",
  PA: "Pennsylvania",
  RI: "Rhode Island",
  SC: "South Carolina",
  SD: "South Dakota",
  TN: "Tennessee",
  TX: "Texas",
  UT: "Utah",
  VT: "Vermont",
  VA: "Virginia",
  WA: "Washington",
  WV: "West Virginia",
  WI: "Wisconsin",
  WY: "Wyoming",
  AS: "American Samoa",
  GU: "Guam",
  MP: "Northern Mariana Islands",
  PR: "Puerto Rico",
  VI: "Virgin Islands",
};

/** Traditional abbreviations, without their points and blanks (US Government Publishing Office, Associated Press), and other names. */
const otherNames: Readonly<Record<string, string>> = {
  AL: "ala",
  AZ: "ariz",
  AR: "ark",
  CA: "cal calif",
  CO: "colo",
  CT: "conn",
  DE: "del",
  FL: "fla",
  IL: "ill",
  IN: "ind",
  KS: "kan kans",
  MA: "mass",
  MI: "mich",
  MN: "minn",
  MS: "miss",
  MT: "mont",
  NE: "neb nebr",
  NV: "nev",
  NM: "nmex",
  ND: "ndak",
  OK: "okla",
  OR: "ore oreg",
  PA: "penn penna",
  SD: "sdak",
  TN: "tenn",
  TX: "tex",
  WA: "wash",
  WV: "wva",
  WI: "wis wisc",
  WY: "wyo",
  MP: "cnmi",
  VI: "usvi usvirginislands unitedstatesvirginislands",
};

const codes = new Map(
  Object.keys(names).flatMap((code) => [
    [code.toLowerCase(), code] as const,
    [names[code]?.toLowerCase() ?? "", code] as const,
    ...(otherNames[code]?.split(" ") ?? []).map((name) => [name, code] as const),
  ]),
);
/** No state is written with more characters. */
const mostCharacters = 60;

/** The name of the state with this postal code. */
export function stateName(code: string): string | undefined {
  return names[code];
}

/**
 * The postal code that a text means, given as the code, as the state's name or as its traditional abbreviation ("Calif.", "N. Mex."), in
 * upper or lower case. "State of" and "Commonwealth of" may stand before the name.
 */
export function stateCodeOf(text: string): string | undefined {
  if (text.length > mostCharacters) return undefined;
  const words = text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[ʻ‘’ʼ`']/g, "")
    .toLowerCase();
  const code = codes.get(words);
  if (code !== undefined) return code;
  if (/^(?:state|commonwealth|territory) of /.test(words))
    return stateCodeOf(words.replace(/^\w+ of (?:the )?/, ""));
  // "Co." means a county. "N. Y." and "N Dak" may have their blank.
  if (words === "co.") return undefined;
  if (/^(?:[a-z]\.|[dnprsw] |u\.? ?s\.? |united )/.test(words)) return codes.get(words.replace(/[. ]/g, ""));
  return words.endsWith(".") ? codes.get(words.slice(0, -1)) : undefined;
}
