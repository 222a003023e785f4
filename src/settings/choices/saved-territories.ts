import * as z from "../../zod";
import type { UserStorage } from "../connection";
import { createNamedLists, type NamedLists } from "./named-lists";

/** Jurisdictions that the user wants to choose again. */
export interface Territory {
  name: string;
  /** The geoID of each jurisdiction, or `ahj:` and its id. */
  entries: string[];
}

/** The most entries of one territory: some 200 kB. */
export const mostEntries = 10_000;

/** The entries of a territory, each in a form that a list in the pane may have. */
export const territoryEntries = z
  .array(z.string().check(z.refine((entry) => /^(?:\d{2,10}|ahj:\d{1,15})$/.test(entry))))
  .check(z.lengthAtMost(mostEntries));

/** An AHJ's entry in a territory: its geoID if it has one, otherwise `ahj:` and its id. */
export const entryOf = ({ id, geoid }: { id: number; geoid: string | null }) => geoid ?? `ahj:${id}`;

export function createTerritories(storage: Pick<UserStorage, "getItem" | "setItem">): NamedLists<Territory> {
  const territory = z.object({ name: z.string().check(z.lengthAtMost(100)), entries: territoryEntries });
  return createNamedLists(storage, "regdata.territories", "territories", territory);
}
