import type { AhjFact, RowAhj } from "../../sheet/layout/table-plan";
import type { Known } from "../../sheet/layout/answer-parts";
import type { ImportRow } from "../saved/import-rows";

/** Gives the service's present word on an AHJ: null if it says that there is none, undefined if no answer has told. */
export type FactOf = (ahjId: number, fact: AhjFact) => Known | null | undefined;

/**
 * Gives what the answers of a refresh told about the AHJs of these rows. An answer may leave all geoIDs out, so an AHJ has none only if
 * another one has.
 */
export function factsTold(
  rows: readonly ImportRow[],
  ahjNow: ((ahjId: number) => RowAhj | undefined) | undefined,
): FactOf {
  const hasGeoids = rows.some(({ ahj }) => Boolean(ahjNow?.(ahj.id)?.geoid));
  return (ahjId, fact) => {
    const ahj = ahjNow?.(ahjId);
    if (!ahj || (fact === "geoid" && !hasGeoids)) return undefined;
    const value = ahj[fact];
    return value === null || value === "" ? null : told(value);
  };
}

/** A text of the service without a citation. */
export const told = (value: string): Known => ({ value, reference: null, section: null, updatedAt: null });
