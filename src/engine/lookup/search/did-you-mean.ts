import { Failure } from "../../../errors";
import type { DataPointType } from "../../api/schemas";
import { createTypeFinder } from "./find-types";

/** More suggestions than this would hide the best one. */
const mostSuggested = 3;
/** The most characters of a name that a sentence in a cell has room for. */
const mostNameCharacters = 60;
/** So many names are looked for at most: a column of something else has no use for suggestions. */
const mostNames = 200;

const either = new Intl.ListFormat("en-US", { type: "disjunction" });

/** Why the service has no question with each of these names, with the questions that are probably meant. */
export function unknownTypes(names: Iterable<string>, types: readonly DataPointType[]): Map<string, Failure> {
  const finder = createTypeFinder(types);
  return new Map(
    [...names].slice(0, mostNames).map((name) => {
      const meant = finder.find(name.slice(0, mostNameCharacters)).types.slice(0, mostSuggested);
      const shown = meant.map((type) => `"${type.name.slice(0, mostNameCharacters)}" (${type.id})`);
      const nextStep = shown.length > 0 ? `Did you mean ${either.format(shown)}?` : undefined;
      return [name, new Failure("unknown-type", { nextStep })];
    }),
  );
}
