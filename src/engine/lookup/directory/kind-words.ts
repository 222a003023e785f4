/** The plural of a kind, such as `counties` or `cities`; without a kind, `jurisdictions`. */
export function kindWords(kind: string | undefined): string {
  if (kind === undefined) return "jurisdictions";
  return kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}
