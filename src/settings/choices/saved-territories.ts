import * as z from "zod/mini";
import type { UserStorage } from "../connection";
import { createNamedLists, type NamedLists } from "./named-lists";

/** Jurisdictions that the user wants to choose again. */
export interface SavedTerritory {
  name: string;
  /** GeoIDs, or `ahj:` with an id, as in a pasted list. */
  entries: string[];
}

/** More are a state or the country, which is chosen in one click. */
export const mostTerritoryEntries = 5_000;

export function createSavedTerritories(storage: UserStorage): NamedLists<SavedTerritory> {
  const territory = z.object({
    name: z.string(),
    entries: z.array(z.string()).check(z.maxLength(mostTerritoryEntries)),
  });
  return createNamedLists(storage, "regdata.territories", "territories", territory);
}
