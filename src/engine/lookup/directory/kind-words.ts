/** The kinds of AHJ, the values of its `type` that docs/interface.md, "AHJ", names. A service may have others. */
export const usualKinds = ["state", "county", "city", "utility"];

/** The plural of a kind, such as `counties` or `cities`; without a kind, `jurisdictions`. */
export function kindWords(kind: string | undefined): string {
  if (kind === undefined) return "jurisdictions";
  return kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

/** The kind whose plural a word is, in any case: "counties" means `county`. Undefined for other words. */
export function kindOfWord(word: string): string | undefined {
  const wanted = word.trim().toLowerCase();
  return usualKinds.find((kind) => kindWords(kind) === wanted);
}

/** The AHJs of these kinds; all of them if no kind is given. */
export function ofKinds<Ahj extends { type: string }>(
  ahjs: readonly Ahj[],
  kinds: readonly string[] = [],
): readonly Ahj[] {
  return kinds.length === 0 ? ahjs : ahjs.filter(({ type }) => kinds.includes(type));
}
