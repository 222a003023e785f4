import { Failure } from "../../../errors";
import type { DataPointType } from "../../api/schemas";
import { createTypeFinder } from "./find-types";
import { inSentence, mostNameCharacters, mostSuggested, whichIsMeant } from "./suggestion";

/** So many names are looked for at most: a column of something else has no use for suggestions. */
const mostNames = 200;

/** Why the service has no question with each of these names, with the questions that are probably meant. */
export function unknownTypes(names: Iterable<string>, types: readonly DataPointType[]): Map<string, Failure> {
  const finder = createTypeFinder(types);
  return new Map(
    [...names].slice(0, mostNames).map((name) => {
      const meant = finder.find(name.slice(0, mostNameCharacters)).types.slice(0, mostSuggested);
      const shown = meant.map((type) => `${inSentence(type)} (${type.id})`);
      return [name, new Failure("unknown-type", { nextStep: whichIsMeant(shown) })];
    }),
  );
}
