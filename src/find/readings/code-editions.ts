/** A model code and the year of its edition, as a text names them; the family is null if the text is only a year. */
export interface CodeEdition {
  family: string | null;
  year: number;
}

/**
 * Families of model codes, by the names under which texts cite them. A text names an edition only if it consists of one of these names and
 * a year (docs/find.md). A state's own code is a family of its own, because its years are not the years of the model code.
 */
export const codeFamilies: Readonly<Record<string, readonly string[]>> = {
  NEC: ["NEC", "National Electrical Code", "NFPA 70", "NFPA 70 (NEC)", "NEC (NFPA 70)"],
  IBC: ["IBC", "International Building Code"],
  IRC: ["IRC", "International Residential Code"],
  IFC: ["IFC", "International Fire Code"],
  IEBC: ["IEBC", "International Existing Building Code"],
  IECC: ["IECC", "International Energy Conservation Code"],
  IMC: ["IMC", "International Mechanical Code"],
  IPC: ["IPC", "International Plumbing Code"],
  IFGC: ["IFGC", "International Fuel Gas Code"],
  IWUIC: ["IWUIC", "International Wildland-Urban Interface Code"],
  ISPSC: ["ISPSC", "International Swimming Pool and Spa Code"],
  IPMC: ["IPMC", "International Property Maintenance Code"],
  UMC: ["UMC", "Uniform Mechanical Code"],
  UPC: ["UPC", "Uniform Plumbing Code"],
  "NFPA 1": ["NFPA 1", "NFPA 1 Fire Code"],
  "NFPA 54": ["NFPA 54", "National Fuel Gas Code", "NFPA 54 (National Fuel Gas Code)"],
  "NFPA 101": ["NFPA 101", "Life Safety Code", "NFPA 101 (Life Safety Code)"],
  "NFPA 855": ["NFPA 855"],
  "ASHRAE 90.1": ["ASHRAE 90.1", "ANSI/ASHRAE/IES 90.1"],
};

const familyOfName = new Map(
  Object.entries(codeFamilies).flatMap(([family, names]) =>
    names.map((name): [string, string] => [name.toLowerCase(), family]),
  ),
);

/** A year of four digits before or after the name, with a comma, a hyphen or brackets, and with "edition" or without. */
const yearFirst = /^((?:19|20)\d\d)(?: edition)?(?: of(?: the)?)? (.+)$/i;
const yearLast = /^(.+?)(?:,? |-)\(?((?:19|20)\d\d)(?: edition)?\)?$/i;
const yearAlone = /^((?:19|20)\d\d)(?: edition)?$/i;

/** The edition that the whole text names; null if anything else is in it, or its family is not in the list. */
export function readCodeEdition(text: string): CodeEdition | null {
  const words = text.replace(/\s+/g, " ").trim();
  const alone = yearAlone.exec(words);
  if (alone) return { family: null, year: Number(alone[1]) };
  const [, firstYear = "", nameBehind = ""] = yearFirst.exec(words) ?? [];
  const [, nameBefore = "", lastYear = ""] = yearLast.exec(words) ?? [];
  for (const [name, year] of [
    [nameBehind, firstYear],
    [nameBefore, lastYear],
  ] as const) {
    const family = familyOfName.get(name.toLowerCase());
    if (family !== undefined) return { family, year: Number(year) };
  }
  return null;
}

/** The unit of measure of questions that are answered with a code and its edition. */
export function isCodeEditionUnit(unitOfMeasure: string): boolean {
  return /^code editions?$/i.test(unitOfMeasure.trim());
}
