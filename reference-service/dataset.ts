/** The whole data of a service, made from its geography. */
import { createGeography, type Geography } from "./geography/geography";
import { createLadder, type Ladder } from "./geography/ladder";
import { createOrganizations, type Organization } from "./geography/organizations";

export interface Dataset {
  geography: Geography;
  ladder: Ladder;
  organizations: readonly Organization[];
}

export function createDataset(geography: Geography): Dataset {
  return { geography, ladder: createLadder(geography), organizations: createOrganizations(geography) };
}

let sample: Dataset | undefined;

/** The data of the generated geography, shared by all callers: the first call takes some tenths of a second. */
export function sampleDataset(): Dataset {
  sample ??= createDataset(createGeography());
  return sample;
}
