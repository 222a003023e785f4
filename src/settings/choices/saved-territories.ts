import * as z from "zod/mini";
import type { UserStorage } from "../connection";
import { createNamedLists, type NamedLists } from "./named-lists";

z.config({ jitless: true });

/** Jurisdictions that the user wants to choose again. */
export interface Territory {
  name: string;
  /** A geoID each, or `ahj:` and an id. */
  entries: string[];
}

/** Of one territory: some 200 kB. */
export const mostEntries = 10_000;

/** An entry of a territory, as a list in the pane is read, too. */
export const territoryEntries = z
  .array(z.string().check(z.refine((entry) => /^(?:\d{2,10}|ahj:\d{1,15})$/.test(entry))))
  .check(z.maxLength(mostEntries));

/** The form of an entry: the geoID, where it has one that no other body shares. */
export const entryOf = ({ id, geoid }: { id: number; geoid: string | null }) => geoid ?? `ahj:${id}`;

export function createTerritories(storage: Pick<UserStorage, "getItem" | "setItem">): NamedLists<Territory> {
  const territory = z.object({ name: z.string().check(z.maxLength(100)), entries: territoryEntries });
  return createNamedLists(storage, "regdata.territories", "territories", territory);
}
