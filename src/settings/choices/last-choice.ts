import * as z from "../../zod";
import type { UserStorage } from "../connection";
import { parseJson } from "../json";
import { createKeptItem, type KeptItem } from "../kept-item";
import { territoryEntries } from "./saved-territories";

/** The jurisdictions and questions of the last import, to be offered again. */
export interface LastChoice {
  /** In the form of a territory's entries; empty if the jurisdictions were a list in the sheet, or too many. */
  entries: string[];
  typeIds: number[];
}

const stored = z.object({
  version: z.literal(1),
  last: z.object({ entries: territoryEntries, typeIds: z.array(z.int()).check(z.lengthAtMost(10_000)) }),
});

/** Null until an import was inserted on this device. */
export function createLastChoice(storage: UserStorage): KeptItem<LastChoice | null> {
  return createKeptItem<LastChoice | null>(storage, "regdata.last-choice", {
    parse(text) {
      const parsed = stored.safeParse(parseJson(text));
      return parsed.success ? parsed.data.last : null;
    },
    text: (last) => JSON.stringify({ version: 1, last }),
  });
}
