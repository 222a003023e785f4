import type { Ahj, DataPointType } from "../api/schemas";

/**
 * Finds AHJs by the beginnings of words of their name, by geoID, state code or type; best matches first.
 * `state` limits the search to one state code.
 */
export function searchAhjs(
  ahjs: readonly Ahj[],
  { text, state }: { text: string; state?: string | undefined },
  limit: number,
): Ahj[] {
  const words = wordsOf(text);
  if (words.length === 0 && !state) return [];
  const matches = ahjs.filter(
    (ahj) =>
      (!state || ahj.state_code === state) &&
      words.every(
        (word) =>
          hasWordBeginning(ahj.name.toLowerCase(), word) ||
          ahj.geoid?.startsWith(word) ||
          ahj.state_code.toLowerCase() === word ||
          ahj.type.toLowerCase() === word,
      ),
  );
  const beginning = words.join(" ");
  const rank = (ahj: Ahj) => (ahj.name.toLowerCase().startsWith(beginning) ? 0 : 1);
  return matches
    .sort(
      (a, b) => rank(a) - rank(b) || compareText(a.name, b.name) || compareText(a.state_code, b.state_code),
    )
    .slice(0, limit);
}

/** Finds data point types by the beginnings of words of name or description, or by id; the catalogue's order. */
export function searchTypes(types: readonly DataPointType[], text: string): DataPointType[] {
  const words = wordsOf(text);
  const inName = (type: DataPointType) =>
    words.every(
      (word) => hasWordBeginning(type.name.toLowerCase(), word) || String(type.id).startsWith(word),
    );
  const inText = (type: DataPointType) =>
    words.every((word) => hasWordBeginning(`${type.name} ${type.description}`.toLowerCase(), word));
  const named = types.filter(inName);
  const found = new Set(named);
  return [...named, ...types.filter((type) => !found.has(type) && inText(type))];
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== "");
}

function hasWordBeginning(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  }
  return false;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
