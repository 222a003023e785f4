import * as z from "../../zod";
import type { UserStorage } from "../connection";
import { parseJson } from "../json";
import { createKeptItem, type KeptItem } from "../kept-item";

/** The look of a new import, in words of the screens that offer it. A screen may not know a word from another version. */
export interface ImportDefaults {
  layout: string;
  citations: string;
  /** True if each answer has the day of its last change beside it. Undefined if an earlier version stored the rest. */
  hasDates?: boolean | undefined;
  /** True if a column beside a list tells how each of its entries was understood. Undefined if an earlier version stored the rest. */
  hasCertainty?: boolean | undefined;
  /** True if a dash stands where no value is recorded. Undefined if an earlier version stored the rest. */
  hasDashes?: boolean | undefined;
  /** True if a list that gets columns beside it becomes a table with them. Undefined if an earlier version stored the rest. */
  makesTable?: boolean | undefined;
}

const storedDefaults = z.object({
  version: z.literal(1),
  defaults: z.nullable(
    z.object({
      layout: z.string(),
      citations: z.string(),
      hasDates: z.catch(z.optional(z.boolean()), undefined),
      hasCertainty: z.catch(z.optional(z.boolean()), undefined),
      hasDashes: z.catch(z.optional(z.boolean()), undefined),
      makesTable: z.catch(z.optional(z.boolean()), undefined),
    }),
  ),
});

/** The user's choices for new imports on this device; null if there are none. */
export function createImportDefaults(storage: UserStorage): KeptItem<ImportDefaults | null> {
  return createKeptItem<ImportDefaults | null>(storage, "regdata.import-defaults", {
    parse(text) {
      const parsed = storedDefaults.safeParse(parseJson(text));
      return parsed.success ? parsed.data.defaults : null;
    },
    text: (defaults) => JSON.stringify({ version: 1, defaults }),
  });
}
