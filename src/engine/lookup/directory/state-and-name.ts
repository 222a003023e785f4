import type { Ahj } from "../../api/schemas";

const { compare } = new Intl.Collator("en");

/** The order of lists of jurisdictions, for `sort`: by state and name, those with one name by id. The service's pages come in any order. */
export function byStateAndName(one: Ahj, other: Ahj): number {
  return compare(one.state_code, other.state_code) || compare(one.name, other.name) || one.id - other.id;
}
