import * as z from "../../zod";
import type { UserStorage } from "../connection";
import { createNamedLists, type NamedLists } from "./named-lists";

/** Questions that the user wants to choose again. */
export interface SavedSelection {
  name: string;
  typeIds: number[];
}

export function createSavedSelections(
  storage: Pick<UserStorage, "getItem" | "setItem">,
): NamedLists<SavedSelection> {
  const selection = z.object({
    name: z.string().check(z.lengthAtMost(100)),
    typeIds: z.array(z.number()).check(z.lengthAtMost(10_000)),
  });
  return createNamedLists(storage, "regdata.selections", "selections", selection);
}
