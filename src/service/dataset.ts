/** The whole sample data, built once in a process and shared by every service in it. */
import { createGeography, type Geography } from "./geography";
import { createLadder, type Ladder } from "./ladder";
import { createOrganisations, type Organisation } from "./organisations";

export interface Dataset {
  geography: Geography;
  ladder: Ladder;
  organisations: readonly Organisation[];
}

let built: Dataset | undefined;

/** Always the same data; the first call takes some tenths of a second. */
export function sampleDataset(): Dataset {
  if (built === undefined) {
    const geography = createGeography();
    built = { geography, ladder: createLadder(geography), organisations: createOrganisations(geography) };
  }
  return built;
}
