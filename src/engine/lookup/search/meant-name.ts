import { createFinder } from "./finder";
import { plainName } from "./plain-name";
import { inSentence, mostNameCharacters, mostSuggested, whichIsMeant } from "./suggestion";

/** Asks which of these is meant by a name that none of them has; undefined if none is like it. */
export function didYouMean(name: string, all: readonly { name: string }[]): string | undefined {
  const found = createFinder(all.map((each) => plainName(each.name))).find(name.slice(0, mostNameCharacters));
  return whichIsMeant(found.slice(0, mostSuggested).flatMap((at) => all.slice(at, at + 1).map(inSentence)));
}
