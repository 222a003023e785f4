/** The whole data of a service, made from its geography. */
import { createGeography, type Geography } from "./geography/geography";
import { createLadder, type Ladder } from "./geography/ladder";
import { createOrganisations, type Organisation } from "./geography/organisations";

export interface Dataset {
  geography: Geography;
  ladder: Ladder;
  organisations: readonly Organisation[];
}

export function createDataset(geography: Geography): Dataset {
  return { geography, ladder: createLadder(geography), organisations: createOrganisations(geography) };
}

let sample: Dataset | undefined;

/** The data of the generated geography, shared by all callers: the first call takes some tenths of a second. */
export function sampleDataset(): Dataset {
  sample ??= createDataset(createGeography());
  return sample;
}
