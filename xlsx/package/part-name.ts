/** The part's name as it is compared: names differ by more than their letters' case. */
export function partKey(name: string): string {
  return name.toLowerCase();
}

/** The part that holds a part's relationships; those of the package itself for "". */
export function relationshipsPart(source: string): string {
  const cut = source.lastIndexOf("/") + 1;
  return `${source.slice(0, cut)}_rels/${source.slice(cut)}.rels`;
}

/**
 * The part that a relationship's target names, without a slash in front; null if it leads out of the package.
 * Targets are relative to the folder of the part that has the relationship.
 */
export function targetPart(source: string, target: string): string | null {
  const [path = ""] = target.replaceAll("\\", "/").split(/[?#]/);
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith("//")) return null;
  const folder = path.startsWith("/") ? [] : source.split("/").slice(0, -1);
  const steps = [...folder];
  for (const step of path.split("/")) {
    if (step === "" || step === ".") continue;
    if (step !== "..") steps.push(decoded(step));
    else if (steps.pop() === undefined) return null;
  }
  return steps.length === 0 ? null : steps.join("/");
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** A target for a relationship from one part to another: the way up to the folder that both are in, and down again. */
export function relativeTarget(source: string, part: string): string {
  const from = source.split("/").slice(0, -1);
  const to = part.split("/");
  let same = 0;
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++;
  return [...from.slice(same).map(() => ".."), ...to.slice(same)].join("/");
}
