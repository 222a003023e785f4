import { type Heading, headingOf } from "./headings";

const named = new Set<Heading["role"] | undefined>(["place", "county", "name", "list"]);

/**
 * The columns that say together which jurisdictions a column of names means: its own and that of the states beside it, with the counties
 * between them. Null if the headings name no such column. Columns count from 0.
 */
export function withStateBeside(
  headings: readonly string[],
  own: number,
): { first: number; columns: number; heading: string } | null {
  const roleAt = (at: number) => headingOf(headings[at] ?? "")?.role;
  if (!named.has(roleAt(own))) return null;
  for (const step of [1, -1]) {
    let at = own + step;
    while (roleAt(at) === "county") at += step;
    if (roleAt(at) === "state" || roleAt(at) === "state-code")
      return { first: Math.min(own, at), columns: Math.abs(at - own) + 1, heading: headings[at] ?? "" };
  }
  return null;
}
