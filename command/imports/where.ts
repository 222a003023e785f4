import type { Session } from "../../src/app";
import type { Ahj } from "../../src/engine/api/schemas";
import { CommandFailure } from "../command-failure";
import { printableLine } from "../output/printable";

/**
 * The jurisdictions that words name: states (`CA`), geoIDs (`06001`), or `all` of the subscription; each once, in the order of the
 * words. Fails with a CommandFailure "usage" for a word that is none of these, or a jurisdiction that the key does not see.
 */
export async function jurisdictionsOf(words: readonly string[], { lookup }: Session): Promise<Ahj[]> {
  const { directory } = lookup;
  const wanted = words.flatMap((word) => word.split(/[\s,;]+/)).filter((word) => word !== "");
  const geoids = wanted.filter((word) => /^\d+$/.test(word));
  const resolved = await directory.resolve(geoids);
  const found = new Map<number, Ahj>();
  for (const word of wanted) {
    if (/^all$/i.test(word)) {
      for (const ahj of (await directory.list()).ahjs) found.set(ahj.id, ahj);
    } else if (/^[a-z]{2}$/i.test(word)) {
      const { ahjs } = await directory.list(word.toUpperCase());
      if (ahjs.length === 0)
        throw new CommandFailure(
          "usage",
          `No jurisdictions of ${word.toUpperCase()} are in your subscription.`,
        );
      for (const ahj of ahjs) found.set(ahj.id, ahj);
    } else {
      const outcome = resolved.get(word);
      if (!outcome) throw notAWord(word);
      if (!("id" in outcome)) throw new CommandFailure("usage", `${word}: ${outcome.message}`);
      found.set(outcome.id, outcome);
    }
  }
  return [...found.values()];
}

function notAWord(word: string): CommandFailure {
  const shown = printableLine(word, 60);
  return new CommandFailure(
    "usage",
    `"${shown}" is neither a state such as CA nor a geoID such as 06001, nor "all".`,
  );
}
