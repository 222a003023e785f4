import { createTypeFinder } from "../../src/engine/lookup/search/find-types";
import { allNamed } from "../../src/engine/lookup/catalogue/catalogue";
import type { Session } from "../../src/app";
import type { DataPointType } from "../../src/engine/api/schemas";
import type { ExchangeOptions } from "../../src/engine/transport/exchange";
import { CommandFailure } from "../command-failure";
import { printableLine } from "../output/printable";

/** Ids may stand in one word, `1056,1057`; a name may have commas itself. */
const wordsIn = (word: string) => (/^[\d\s,;]+$/.test(word) ? (word.match(/\d+/g) ?? []) : [word]);

const mostNear = 5;

/** A sentence that names the questions that are probably meant; none where there are none. */
export function nearOnes(types: readonly DataPointType[], wanted: string): string {
  const { types: near, areClose } = createTypeFinder(types).find(wanted);
  if (near.length === 0) return "";
  const named = near.slice(0, mostNear).map(({ id, name }) => `${printableLine(name, 60)} (${id})`);
  const more = areClose ? 0 : near.length - named.length;
  return ` Perhaps ${named.join(", ")}${more > 0 ? ` or one of ${more.toLocaleString("en-US")} more` : ""}.`;
}

/**
 * The questions that words name by ids (`1056`) or whole names, each once, in the order of the words. Fails with a CommandFailure "usage"
 * for a word that no question of the service matches, or that is the name of several.
 */
export async function questionsOf(
  words: readonly string[],
  { lookup }: Session,
  options: ExchangeOptions,
): Promise<DataPointType[]> {
  const types = await lookup.catalogue.types(options);
  const found = new Map<number, DataPointType>();
  for (const word of words.flatMap(wordsIn)) {
    const wanted = word.trim();
    const own = /^\d+$/.test(wanted)
      ? types.filter(({ id }) => id === Number(wanted))
      : allNamed(wanted, types);
    const [type] = own;
    const shown = printableLine(wanted, 80);
    if (!type)
      throw new CommandFailure(
        "usage",
        `The service knows no question "${shown}".${nearOnes(types, wanted)}`,
      );
    if (own.length > 1) {
      const ids = own.map(({ id }) => id).join(", ");
      throw new CommandFailure(
        "usage",
        `Several questions are called "${shown}". Name one by its id: ${ids}.`,
      );
    }
    found.set(type.id, type);
  }
  return [...found.values()];
}
