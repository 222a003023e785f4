/** Decides which requested AHJs the organization may see (docs/interface.md, "Access" and "GeoID"). */
import type { Warning } from "../../src/engine/api/schemas";
import { counted, refuse } from "./envelope";
import type { AhjRecord, Geography } from "../geography/geography";
import type { Organization } from "../geography/organizations";

export interface Granted {
  /** The requested AHJs that the organization may see, each once, by ascending id. */
  records: readonly AhjRecord[];
  warnings: Warning[];
}

/** Names the requested AHJs that were left out. */
export function deniedWarning(ids: number[]): Warning {
  return {
    code: "AHJ_ACCESS_DENIED",
    message: `Left out: ${counted(ids.length, "requested AHJ")} outside your subscription.`,
    excluded_ahj_ids: ids,
    unmatched_geoids: [],
  };
}

/** Counts the requested geoIDs that no AHJ has. The code is our choice (docs/interface.md, "Left open"). */
export function unmatchedWarning(geoids: string[]): Warning {
  return {
    code: "GEOID_NOT_FOUND",
    message: `No AHJ was found for ${counted(geoids.length, "requested geoID")}.`,
    excluded_ahj_ids: [],
    unmatched_geoids: geoids,
  };
}

const outsideSubscription = "This AHJ is outside your subscription.";

/** Returns the AHJ if the organization may see it. An unknown id is refused like a foreign one: 403 reveals nothing. */
export function grantOne(organization: Organization, record: AhjRecord | undefined): AhjRecord {
  if (record === undefined || !organization.isEntitled(record))
    refuse("AHJ_ACCESS_DENIED", outsideSubscription);
  return record;
}

/**
 * The AHJ of a geoID: an unknown geoID is 404, one outside the subscription 403. If several AHJs have the geoID, the lowest id counts, even
 * if only a higher one is entitled.
 */
export function grantGeoid(organization: Organization, { byGeoid }: Geography, geoid: string): AhjRecord {
  const record = byGeoid.get(geoid);
  if (record === undefined) refuse("GEOID_NOT_FOUND", `No AHJ has the geoID ${geoid}.`);
  return grantOne(organization, record);
}

/** The entitled AHJs among these ids; an unknown id counts as excluded. 403 if none is left. */
export function grantIds(organization: Organization, { byId }: Geography, ids: readonly number[]): Granted {
  const asked = [...new Set(ids)].sort((one, other) => one - other);
  const records: AhjRecord[] = [];
  const excluded: number[] = [];
  for (const id of asked) {
    const record = byId.get(id);
    if (record !== undefined && organization.isEntitled(record)) records.push(record);
    else excluded.push(id);
  }
  if (records.length === 0) {
    refuse(
      "AHJ_ACCESS_DENIED",
      `None of the ${counted(asked.length, "requested AHJ")} is in your subscription.`,
    );
  }
  return { records, warnings: excluded.length === 0 ? [] : [deniedWarning(excluded)] };
}

/** The entitled AHJs of these geoIDs. The list is empty if no AHJ has any of them; 403 if some resolve and none is entitled. */
export function grantGeoids(
  organization: Organization,
  geography: Geography,
  geoids: readonly string[],
): Granted {
  const asked = [...new Set(geoids)];
  const unmatched = asked.filter((geoid) => !geography.byGeoid.has(geoid));
  const ids = asked.flatMap((geoid) => geography.byGeoid.get(geoid)?.ahj.id ?? []);
  const granted: Granted =
    ids.length > 0 ? grantIds(organization, geography, ids) : { records: [], warnings: [] };
  if (unmatched.length === 0) return granted;
  return { ...granted, warnings: [...granted.warnings, unmatchedWarning(unmatched)] };
}
