import * as z from "zod/mini";
import type { UserStorage } from "../connection";
import { parseJson } from "../json";
import { createKeptItem, type KeptItem } from "../kept-item";
import { mostTerritoryEntries } from "./saved-territories";

z.config({ jitless: true });

/** What the last import was made of, so that it can be chosen again. */
export interface LastChoice {
  /** GeoIDs, or `ahj:` with an id, as in a pasted list. */
  entries: string[];
  typeIds: number[];
}

const stored = z.object({
  version: z.literal(1),
  entries: z.array(z.string()).check(z.maxLength(mostTerritoryEntries)),
  typeIds: z.array(z.int()).check(z.maxLength(1_000)),
});

/** Null where nothing was imported yet, or more than is kept. */
export function createLastChoice(storage: UserStorage): KeptItem<LastChoice | null> {
  return createKeptItem<LastChoice | null>(storage, "regdata.lastChoice", {
    parse: (text) => stored.safeParse(parseJson(text)).data ?? null,
    text: (choice) => (choice ? JSON.stringify({ version: 1, ...choice }) : ""),
  });
}
