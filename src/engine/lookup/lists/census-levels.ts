/**
 * The levels of area that the Census Bureau's long codes name in their first three digits (Census Bureau, "Summary Levels"; the digits
 * behind `US` are unique only together with them). `digits` is the length of a geoID that the service can have; other levels have none.
 */
export interface CensusLevel {
  /** The area in words, with its article. */
  words: string;
  digits?: number;
  /** True if the code of such an area begins with the geoID of a county. */
  isInCounty?: boolean;
}

const levels: Readonly<Record<string, CensusLevel>> = {
  "010": { words: "the whole United States" },
  "020": { words: "a region" },
  "030": { words: "a division" },
  "040": { words: "a state", digits: 2 },
  "050": { words: "a county", digits: 5 },
  "060": { words: "a county subdivision", digits: 10 },
  "067": { words: "a part of a county subdivision", isInCounty: true },
  "070": { words: "a part of a county subdivision", isInCounty: true },
  "080": { words: "a part of a census tract", isInCounty: true },
  "100": { words: "a census block", isInCounty: true },
  "101": { words: "a census block", isInCounty: true },
  "140": { words: "a census tract", isInCounty: true },
  "150": { words: "a census block group", isInCounty: true },
  "155": { words: "the part of a place in one county" },
  "160": { words: "a place", digits: 7 },
  "170": { words: "a consolidated city", digits: 7 },
  "230": { words: "an Alaska Native regional corporation" },
  "250": { words: "an American Indian area" },
  "251": { words: "a tribal subdivision" },
  "252": { words: "an American Indian reservation" },
  "254": { words: "American Indian trust land" },
  "256": { words: "a tribal census tract" },
  "258": { words: "a tribal block group" },
  "280": { words: "the part of an American Indian area in one state" },
  "310": { words: "a metropolitan or micropolitan area" },
  "312": { words: "a principal city of a metropolitan area" },
  "314": { words: "a metropolitan division" },
  "320": { words: "the part of a metropolitan area in one state" },
  "330": { words: "a combined statistical area" },
  "335": { words: "a New England city and town area" },
  "350": { words: "a New England city and town area" },
  "355": { words: "a division of a New England city and town area" },
  "400": { words: "an urban area" },
  "500": { words: "a congressional district" },
  "610": { words: "a state senate district" },
  "620": { words: "a state house district" },
  "700": { words: "a voting district" },
  "795": { words: "a public use microdata area" },
  "850": { words: "a three-digit ZIP code area" },
  "860": { words: "a ZIP code area" },
  "871": { words: "the part of a ZIP code area in one state" },
  "950": { words: "an elementary school district" },
  "960": { words: "a secondary school district" },
  "970": { words: "a unified school district" },
};

/** The level that three digits name. A level that is not in the list is still no jurisdiction. */
export function censusLevel(digits: string): CensusLevel {
  return levels[digits] ?? { words: `another kind of census area (level ${digits})` };
}
