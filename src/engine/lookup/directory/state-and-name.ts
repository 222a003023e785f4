import type { Ahj } from "../../api/schemas";

const { compare } = new Intl.Collator("en");

/** Compares jurisdictions for `sort`: by state and name, namesakes by id. Lists need it, because the service's pages come in any order. */
export function byStateAndName(one: Ahj, other: Ahj): number {
  return compare(one.state_code, other.state_code) || compare(one.name, other.name) || one.id - other.id;
}
