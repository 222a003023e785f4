import type { Ahj } from "../engine/api/schemas";
import { Failure } from "../errors";
import { checkSize, type Outcome } from "./call";

/** The order of lists of jurisdictions. */
export function byStateAndName(one: Ahj, other: Ahj): number {
  return (
    one.state_code.localeCompare(other.state_code, "en") ||
    one.name.localeCompare(other.name, "en") ||
    one.id - other.id
  );
}

/** @throws Failure `nothing-found` where there would be nothing to show. */
export function table(headers: readonly string[], rows: Outcome[][], hasHeaders: boolean): Outcome[][] {
  const all = hasHeaders ? [[...headers], ...rows] : rows;
  if (all.length === 0) throw new Failure("nothing-found");
  checkSize(all.length, headers.length);
  return all;
}
