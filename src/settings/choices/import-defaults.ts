import * as z from "zod/mini";
import type { UserStorage } from "../connection";
import { parseJson } from "../json";
import { createKeptItem, type KeptItem } from "../kept-item";

z.config({ jitless: true });

/** How a new import is to look, in words of the screens that offer it: they may not know one of another version. */
export interface ImportDefaults {
  layout: string;
  citations: string;
  /** The day of each answer's last change stands beside it. Undefined where an earlier version kept the rest. */
  hasDates?: boolean | undefined;
  /** A list beside which columns go becomes a table with them. Undefined where an earlier version kept the rest. */
  makesTable?: boolean | undefined;
}

const storedDefaults = z.object({
  version: z.literal(1),
  defaults: z.nullable(
    z.object({
      layout: z.string(),
      citations: z.string(),
      hasDates: z.catch(z.optional(z.boolean()), undefined),
      makesTable: z.catch(z.optional(z.boolean()), undefined),
    }),
  ),
});

/** What the user has chosen for new imports on this device; null for nothing. */
export function createImportDefaults(storage: UserStorage): KeptItem<ImportDefaults | null> {
  return createKeptItem<ImportDefaults | null>(storage, "regdata.import-defaults", {
    parse(text) {
      const parsed = storedDefaults.safeParse(parseJson(text));
      return parsed.success ? parsed.data.defaults : null;
    },
    text: (defaults) => JSON.stringify({ version: 1, defaults }),
  });
}
