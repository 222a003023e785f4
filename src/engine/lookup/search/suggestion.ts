/** More suggestions than this would hide the best one. */
export const mostSuggested = 3;
/** The most characters of a name that a sentence in a cell has room for. */
export const mostNameCharacters = 60;

const either = new Intl.ListFormat("en-US", { type: "disjunction" });

/** Asks which of these is meant; undefined if there is none. */
export function whichIsMeant(names: readonly string[]): string | undefined {
  return names.length > 0 ? `Did you mean ${either.format(names)}?` : undefined;
}

export const inSentence = ({ name }: { name: string }) => `"${name.slice(0, mostNameCharacters)}"`;
