/**
 * Codes of counties and places that are no longer in use, and their successors. Lists that were made years ago still have them.
 *
 * Source of the counties: US Census Bureau, "Substantial Changes to Counties and County Equivalent Entities: 1970-Present". All codes
 * that ended since 2000 are here, and two that ended shortly before. Connecticut's are in the Federal Register as well (June 6, 2022, document
 * 2022-12063). The regions that have towns of an old county follow from the Census Bureau's codes of the towns before and after the change.
 * Source of Louisville: US Census Bureau, the place codes of 2000 and of 2010.
 *
 * The successors are those of the change itself. Land that moved again later isn't followed: a part of the former Wrangell-Petersburg Census
 * Area is in Prince of Wales-Hyder Census Area (02198) since 2013.
 */
import { stateOfGeoid } from "../directory/states";

/**
 * - renamed: the same land has another code now.
 * - merged: the land is part of another county or place now.
 * - split: the land is in several counties now.
 * - connecticut: planning regions took the place of the counties, and neither lie within the others. No successor may be taken for a county.
 */
export type RetiredKind = "renamed" | "merged" | "split" | "connecticut";

export interface RetiredCode {
  geoid: string;
  /** The name with its legal form: Shannon County, Bedford city. */
  name: string;
  /** The state's postal code. */
  state: string;
  /** The year in which the code ended. */
  year: number;
  kind: RetiredKind;
  /** For Connecticut: all planning regions that have land of the county. */
  successors: readonly { geoid: string; name: string }[];
}

const table: Readonly<Record<Exclude<RetiredKind, "connecticut">, readonly string[]>> = {
  renamed: [
    "46113 Shannon County, 2015: 46102 Oglala Lakota County",
    "02270 Wade Hampton Census Area, 2015: 02158 Kusilvak Census Area",
    "12025 Dade County, 1997: 12086 Miami-Dade County",
  ],
  merged: [
    "51515 Bedford city, 2013: 51019 Bedford County",
    "51560 Clifton Forge city, 2001: 51005 Alleghany County",
    "51780 South Boston city, 1995: 51083 Halifax County",
    "2148000 Louisville city, 2003: 2148006 Louisville/Jefferson County metro government (balance)",
  ],
  split: [
    "02261 Valdez-Cordova Census Area, 2019: 02063 Chugach Census Area, 02066 Copper River Census Area",
    "02201 Prince of Wales-Outer Ketchikan Census Area, 2008: 02198 Prince of Wales-Hyder Census Area, 02130 Ketchikan Gateway Borough, 02275 Wrangell City and Borough",
    "02232 Skagway-Hoonah-Angoon Census Area, 2007: 02230 Skagway Municipality, 02105 Hoonah-Angoon Census Area",
    "02280 Wrangell-Petersburg Census Area, 2008: 02275 Wrangell City and Borough, 02195 Petersburg Borough",
  ],
};

/** Connecticut's planning regions; the code of the first is 09110, of the second 09120, and so on. */
const planningRegions = [
  "Capitol",
  "Greater Bridgeport",
  "Lower Connecticut River Valley",
  "Naugatuck Valley",
  "Northeastern Connecticut",
  "Northwest Hills",
  "South Central Connecticut",
  "Southeastern Connecticut",
  "Western Connecticut",
];

/** Connecticut's counties until 2022, each with the numbers of the planning regions that have towns of it. */
const connecticutCounties: readonly [geoid: string, name: string, regions: readonly number[]][] = [
  ["09001", "Fairfield", [2, 4, 9]],
  ["09003", "Hartford", [1, 4, 6]],
  ["09005", "Litchfield", [4, 6, 9]],
  ["09007", "Middlesex", [3]],
  ["09009", "New Haven", [4, 7]],
  ["09011", "New London", [3, 5, 8]],
  ["09013", "Tolland", [1, 5]],
  ["09015", "Windham", [5, 8]],
];

/** Connecticut's old counties and their county subdivisions. */
const oldConnecticut = /^090(?:0[13579]|1[135])(?:\d{5})?$/;
/** Connecticut's planning regions and their county subdivisions. */
const newConnecticut = /^091[1-9]0(?:\d{5})?$/;

/** A code and its name: "46102 Oglala Lakota County". */
function codeAndName(text: string): { geoid: string; name: string } {
  const space = text.indexOf(" ");
  return { geoid: text.slice(0, space), name: text.slice(space + 1) };
}

function readTable(kind: keyof typeof table): RetiredCode[] {
  return table[kind].map((line) => {
    const [, retired, year, successors] = /^(.+), (\d{4}): (.+)$/.exec(line)!;
    const { geoid, name } = codeAndName(retired!);
    const state = stateOfGeoid(geoid)!;
    return {
      geoid,
      name,
      state,
      year: Number(year),
      kind,
      successors: successors!.split(", ").map(codeAndName),
    };
  });
}

/** All retired codes. */
export const retiredCodes: readonly RetiredCode[] = [
  ...readTable("renamed"),
  ...readTable("merged"),
  ...readTable("split"),
  ...connecticutCounties.map(([geoid, name, regions]) => ({
    geoid,
    name: `${name} County`,
    state: "CT",
    year: 2022,
    kind: "connecticut" as const,
    successors: regions.map((region) => ({
      geoid: `091${region}0`,
      name: `${planningRegions[region - 1]} Planning Region`,
    })),
  })),
];

const byGeoid = new Map(retiredCodes.map((retired) => [retired.geoid, retired]));

/** The retired code that a geoID is; undefined if it isn't one. */
export function retiredCode(geoid: string): RetiredCode | undefined {
  return byGeoid.get(geoid);
}

/** The retired code of this name in the state, in upper or lower case, with the legal form: `shannon county`. */
export function retiredNamed(name: string, state: string): RetiredCode | undefined {
  const wanted = name.toLowerCase();
  return retiredCodes.find((retired) => retired.state === state && retired.name.toLowerCase() === wanted);
}

/**
 * True if a list has old counties of Connecticut, or their county subdivisions, beside the planning regions or theirs: the same land
 * may be in it twice then.
 */
export function mixesConnecticut(geoids: Iterable<string>): boolean {
  let [hasOld, hasNew] = [false, false];
  for (const geoid of geoids) {
    hasOld ||= oldConnecticut.test(geoid);
    hasNew ||= newConnecticut.test(geoid);
    if (hasOld && hasNew) return true;
  }
  return false;
}

/** One sentence or two about a retired code, and the user's next step. */
export function retiredSentence(retired: RetiredCode): { sentence: string; nextStep: string } {
  const { geoid, name, state, year, kind, successors } = retired;
  if (kind === "connecticut") {
    return {
      sentence: `${geoid} is ${name}, ${state}. Since ${year}, Connecticut has planning regions (09110 to 09190) in place of counties, and they don't correspond one to one.`,
      nextStep: "Choose the planning region yourself.",
    };
  }
  const became = successors.map((successor) => `${successor.name} (${successor.geoid})`);
  const list = [became.slice(0, -1).join(", "), became.at(-1)].filter(Boolean).join(" and ");
  const now = {
    renamed: `It is ${list} now.`,
    merged: `It became part of ${list}.`,
    split: `It was split into ${list}.`,
  }[kind];
  return {
    sentence: `${geoid} was ${name}, ${state}, until ${year}. ${now}`,
    nextStep: kind === "split" ? "Choose one of them." : `Use ${successors[0]!.geoid}.`,
  };
}
