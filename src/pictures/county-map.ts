import {
  type Amount,
  isOfAmounts,
  type PicturedAhj,
  type PicturedAnswer,
  type PicturedQuestion,
  sortAnswers,
  type SortedAnswers,
  unitOfFormat,
} from "./pictured-answers";
import { countKinds } from "./question-picture";

/** The number of a color class, or one of the looks that every map may have. */
export type CountyLook = number | "words" | "no value" | "not known";

export interface DrawnCounty {
  ahj: PicturedAhj;
  geoid: string;
  look: CountyLook;
  /** The county's value, or why it has none: "no value", "not known" or "edited". */
  text: string;
  /** The number of cities and towns among the answers whose geoIDs begin with the county's. The geoIDs of places do not. */
  cities: number;
}

export interface CountyMap {
  scale: "amounts" | "kinds";
  classes: ColorClass[];
  /** The numbers of counties that show something other than an amount on a map of amounts, that have no value, or are not known. */
  looks: Record<"words" | "no value" | "not known", number>;
  counties: DrawnCounty[];
  /** Counties without a shape, because the Census Bureau has made new counties since. */
  withoutShape: Omit<DrawnCounty, "look">[];
  /** The numbers of jurisdictions that are not counties, so that the map does not show them. */
  notDrawn: { states: number; cities: number; others: number };
}

/** The meaning of each color and pattern of a map, and its number of counties. Looks that no county has are left out. */
export function legendOf({
  classes,
  looks,
}: CountyMap): { look: CountyLook; label: string; count: number }[] {
  return [
    ...classes.map(({ label, count }, index) => ({ look: index, label, count })),
    { look: "words" as const, label: "Not an amount", count: looks.words },
    { look: "no value" as const, label: "No value", count: looks["no value"] },
    { look: "not known" as const, label: "Not known", count: looks["not known"] },
  ].filter(({ count }) => count > 0);
}

export function countiesInWords(count: number): string {
  return count === 1 ? "1 county" : `${count.toLocaleString("en-US")} counties`;
}

/** Colors each county by its own answer. The jurisdictions inside are counted, and never shown as the county's. */
export function countyMap(
  question: PicturedQuestion,
  answers: readonly PicturedAnswer[],
  shapes: ReadonlySet<string>,
): CountyMap {
  const notDrawn: CountyMap["notDrawn"] = { states: 0, cities: 0, others: 0 };
  const citiesInside = new Map<string, number>();
  const byCounty = new Map<string, PicturedAnswer>();
  for (const answer of answers) {
    const { geoid, type } = answer.ahj;
    const level = levelOf(geoid);
    if (level !== "county") notDrawn[level] += 1;
    else {
      const other = byCounty.get(geoid ?? "");
      // Two AHJs may share a geoID: the county, and a district of the county.
      const isBetter = !other || (type === "county" && other.ahj.type !== "county");
      if (isBetter) byCounty.set(geoid ?? "", answer);
      if (other) notDrawn.others += 1;
    }
    if (geoid?.length === 10) {
      const county = geoid.slice(0, 5);
      citiesInside.set(county, (citiesInside.get(county) ?? 0) + 1);
    }
  }
  const own = [...byCounty.values()];
  const drawn = sortAnswers(
    question,
    own.filter(({ ahj }) => shapes.has(ahj.geoid ?? "")),
  );
  const ofAmounts = isOfAmounts(drawn);
  const { textOf } = unitOfFormat(question, drawn.numberFormat);
  const amounts = quantileClasses(drawn.amounts);
  const kinds = kindClasses(ofAmounts ? [] : [...drawn.texts, ...drawn.amounts]);
  const amountOf = new Map(drawn.amounts.map(({ ahj, value }) => [ahj.id, value]));
  const lookOf = ({ ahj, shown }: PicturedAnswer, text: string): CountyLook => {
    // The map has no look of its own for an edited cell: what the service said is not known from it.
    if (typeof shown === "string") return shown === "edited" ? "not known" : shown;
    if (!ofAmounts) return kinds.classOf(text);
    const amount = amountOf.get(ahj.id);
    return amount === undefined ? "words" : amounts.classOf(amount);
  };
  const looks: CountyMap["looks"] = { words: 0, "no value": 0, "not known": 0 };
  const map: CountyMap = {
    scale: ofAmounts ? "amounts" : "kinds",
    classes: ofAmounts ? amounts.classes : kinds.classes,
    looks,
    notDrawn,
    counties: [],
    withoutShape: [],
  };
  for (const answer of own) {
    const { ahj, shown } = answer;
    const geoid = ahj.geoid ?? "";
    const text = typeof shown === "string" ? shown : textOf(shown);
    const county = { ahj, geoid, text, cities: citiesInside.get(geoid) ?? 0 };
    if (!shapes.has(geoid)) {
      map.withoutShape.push(county);
      continue;
    }
    const look = lookOf(answer, text);
    if (typeof look !== "number") looks[look] += 1;
    map.counties.push({ ...county, look });
  }
  return map;
}

/** The level of a geoID, by its length: a state's has 2 digits, a county's 5, a city's 7 or, in New England and such, 10. */
function levelOf(geoid: string | null): "county" | keyof CountyMap["notDrawn"] {
  const levels = { 2: "states", 5: "county", 7: "cities", 10: "cities" } as const;
  if (geoid === null || !/^\d+$/.test(geoid)) return "others";
  return levels[geoid.length as keyof typeof levels] ?? "others";
}

/** The counties that are drawn in one color. */
interface ColorClass {
  label: string;
  /** The number of counties in this color. */
  count: number;
}

const mostClasses = 5;

/**
 * Sorts amounts into at most five quantile classes of about the same size. Equal amounts share a class. Up to five different amounts have a
 * class each. `classOf` gives the index of an amount's class.
 */
function quantileClasses(amounts: readonly Amount[]): {
  classes: ColorClass[];
  classOf(value: number): number;
} {
  const differing = [...new Set(amounts.map(({ value }) => value))];
  const ends =
    differing.length <= mostClasses
      ? differing
      : Array.from(
          { length: mostClasses },
          (_, index) => amounts[Math.ceil(((index + 1) * amounts.length) / mostClasses) - 1]?.value ?? NaN,
        );
  const own = [...new Set(ends)];
  const classOf = (value: number) => own.findIndex((end) => value <= end);
  const classes = own.map((end, index) => {
    const within = amounts.filter(({ value }) => value <= end && classOf(value) === index);
    const [first, last] = [within[0]?.text ?? "", within.at(-1)?.text ?? ""];
    return { label: first === last ? first : `${first} to ${last}`, count: within.length };
  });
  return { classes, classOf };
}

/** Classes of the most common kinds: up to five kinds have a class each; of more, four have one and all others share one. */
function kindClasses(texts: SortedAnswers["texts"]): {
  classes: ColorClass[];
  classOf(text: string): number;
} {
  const all = countKinds(texts, ({ text }) => text);
  const own = all.length <= mostClasses ? all : all.slice(0, mostClasses - 1);
  const classOf = (text: string) => {
    const index = own.findIndex((kind) => kind.text === text);
    return index < 0 ? own.length : index;
  };
  const classes = own.map(({ text, count }) => ({ label: text, count }));
  const rest = all.slice(own.length);
  if (rest.length > 0) {
    const count = rest.reduce((sum, kind) => sum + kind.count, 0);
    classes.push({ label: `${rest.length} other answers`, count });
  }
  return { classes, classOf };
}
