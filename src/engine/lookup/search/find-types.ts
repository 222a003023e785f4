import MiniSearch from "minisearch";
import type { Category, DataPointType } from "../../api/schemas";
import { plainName } from "./plain-name";
import { fillerWords, tradeWords } from "./trade-words";

/** Finds questions while somebody types. */
export interface TypeFinder {
  /** Without a text, all types in their order. */
  find(text: string): FoundTypes;
}

export interface FoundTypes {
  /** The best match comes first. */
  types: DataPointType[];
  /** True if no type has everything that the text says, so these are only the closest. */
  areClose: boolean;
}

/** Something that a text says: words as they are written, or one of the groups of words that they mean. */
interface Said {
  ways: readonly string[];
}

const mostWordsOfPhrase = 5;

/** The groups of words that each phrase of the trade means. */
const meanings = new Map<string, string[]>();
for (const [written, meant] of tradeWords)
  for (const phrase of written.split(" | "))
    meanings.set(phrase, [...(meanings.get(phrase) ?? []), ...meant.split(" | ")]);

/**
 * Makes a finder that reads names, ids, descriptions, units and the names of categories, forgives a wrong letter, and knows what people of
 * the trade write instead.
 *
 *     createTypeFinder(types, categories).find("how long does plan review take").types[0]?.name // "Residential Permit Review Time"
 */
export function createTypeFinder(
  types: readonly DataPointType[],
  categories: readonly Category[] = [],
): TypeFinder {
  const categoryNames = new Map(categories.map(({ id, name }) => [id, name]));
  const index = new MiniSearch<Record<(typeof fields)[number] | "at", string | number>>({
    idField: "at",
    fields: [...fields],
    tokenize: (text) => plainName(text).split(" "),
    processTerm: singular,
    searchOptions: {
      combineWith: "AND",
      boost: { name: 4, typeId: 4 },
      prefix: (word) => word.length > 1,
      fuzzy: (word) => (word.length > 4 ? 1 : false),
      weights: { prefix: 0.6, fuzzy: 0.3 },
    },
  });
  index.addAll(
    types.map(({ id, name, description, unit_of_measure: unit, category_ids: ids }, at) => ({
      ...{ at, typeId: id, name, description, unit },
      category: ids.map((each) => categoryNames.get(each) ?? "").join(" "),
    })),
  );
  const names = types.map(({ name }) => plainName(name).split(" ").map(singular));
  const rarities = raritiesOfWords(names);

  /** How well each type has something that was said. */
  function scoresOf({ ways }: Said): Map<number, number> {
    const scores = new Map<number, number>();
    ways.forEach((way, place) => {
      // Longer ways would win by their length alone, and the first ones are the likeliest.
      const weight = 0.95 ** place / Math.sqrt(way.split(" ").length);
      for (const { id, score } of index.search(way))
        scores.set(id as number, Math.max(scores.get(id as number) ?? 0, score * weight));
    });
    return scores;
  }

  /** How much a name says besides what was said: of names that match equally, the plainest is meant. */
  function surplus(name: readonly string[], saidWords: readonly string[]): number {
    const others = name.filter((word) => !saidWords.some((each) => word.startsWith(each)));
    return others.reduce((sum, word) => sum + (rarities.get(word) ?? 0), 0);
  }

  return {
    find(text) {
      if (text.trim() === "") return { types: [...types], areClose: false };
      const written = plainName(text);
      const said = whatIsSaid(written);
      const found = new Map<number, { at: number; has: number; score: number }>();
      for (const scores of said.map(scoresOf))
        for (const [at, score] of scores) {
          const before = found.get(at) ?? { at, has: 0, score: 0 };
          found.set(at, { at, has: before.has + 1, score: before.score + score });
        }
      const words = written.split(" ").map(singular);
      const saidWords = said.flatMap(({ ways }) => ways.flatMap((way) => way.split(" ").map(singular)));
      const ranked = [...found.values()].map(({ at, has, score }) => {
        const name = names[at] ?? [];
        const share = has / said.length;
        // A catalogue mostly begins with what is asked most.
        const early = 1 - (0.1 * at) / types.length;
        return {
          ...{ at, has },
          score: (score * share * early * likelihood(name, words)) / (1 + surplus(name, saidWords) / 2),
        };
      });
      const complete = ranked.filter(({ has }) => has === said.length);
      const best = complete.length > 0 ? complete : ranked;
      best.sort((one, other) => other.score - one.score || one.at - other.at);
      return { types: best.flatMap(({ at }) => types[at] ?? []), areClose: complete.length === 0 };
    },
  };
}

const fields = ["typeId", "name", "description", "unit", "category"] as const;

/** Reads the phrases of the trade in a text, the longest first. Filler words say nothing, unless there is nothing else. */
function whatIsSaid(written: string): Said[] {
  const words = written.split(" ");
  const said: Said[] = [];
  for (let at = 0; at < words.length;) {
    let length = Math.min(mostWordsOfPhrase, words.length - at);
    const phrase = () => words.slice(at, at + length).join(" ");
    while (length > 1 && !meanings.has(phrase())) length -= 1;
    const meant = meanings.get(phrase());
    if (meant) said.push({ ways: [phrase(), ...meant] });
    else if (!fillerWords.has(phrase())) said.push({ ways: [phrase()] });
    at += length;
  }
  return said.length > 0 ? said : [{ ways: [written] }];
}

/**
 * How likely somebody who writes these words means the type with this name. A name that ends with them is of that kind ("Minimum Permit
 * Fee" is a permit fee, "Permit Fee Rebate" is none), and most people ask for homes.
 */
function likelihood(name: readonly string[], words: readonly string[]): number {
  const [whole, asked] = [name.join(" "), words.join(" ")];
  if (whole === asked) return 4;
  return kinship(whole, asked) * (name.includes(forHomes) ? 1.1 : 1);
}

function kinship(name: string, words: string): number {
  if (name.endsWith(` ${words}`)) return 1.5;
  if (name.startsWith(`${words} `)) return 1.35;
  return name.includes(words) ? 1.2 : 1;
}

const forHomes = "residential";

/**
 * How much each word of the names tells apart, from 0 to 1: the fewer names have it, the more. Words without a meaning tell nothing, nor
 * does that for homes, which most people ask for.
 */
function raritiesOfWords(names: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) for (const word of new Set(name)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const rarity = (word: string, count: number) =>
    word === forHomes || fillerWords.has(word) ? 0 : 1 - Math.log(count) / Math.log(names.length + 1);
  return new Map([...counts].map(([word, count]) => [word, rarity(word, count)]));
}

/** A plural as a singular, so that "Fees" finds a fee. */
function singular(word: string): string {
  return word.replace(/^(\p{L}{3,}?)s$/u, "$1");
}
