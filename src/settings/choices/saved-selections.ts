import * as z from "zod/mini";
import type { UserStorage } from "../connection";
import { createNamedLists, type NamedLists } from "./named-lists";

/** Questions that the user wants to choose again. */
export interface SavedSelection {
  name: string;
  typeIds: number[];
}

export function createSavedSelections(storage: UserStorage): NamedLists<SavedSelection> {
  const selection = z.object({ name: z.string(), typeIds: z.array(z.number()) });
  return createNamedLists(storage, "regdata.selections", "selections", selection);
}
