/** `counties`, `cities`; any kind together are jurisdictions. */
export function kindWords(kind: string | undefined): string {
  if (kind === undefined) return "jurisdictions";
  return kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}
