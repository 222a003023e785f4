import * as z from "../../../zod";
import { jsonPart, readJsonPart } from "../../sheet/parts/json-part";
import type { Workbook } from "../../sheet/workbook";

/** The workbook's choice to look for changes when it is opened. It is stored in the workbook. */
export interface OpeningChoice {
  read(): Promise<boolean>;
  /** Sets the choice. Fails if Excel does; then all is as it was. */
  set(looks: boolean): Promise<void>;
}

const namespace = "urn:regdata:opening";
const stored = z.object({ version: z.literal(1), looks: z.literal(true) });

/** `setLoads` makes Excel load the add-in with this workbook, or no longer. Without it, nothing would run when the workbook is opened. */
export function createOpeningChoice(
  workbook: Pick<Workbook, "readParts" | "writePart" | "deletePart">,
  setLoads: (loads: boolean) => Promise<void>,
): OpeningChoice {
  return {
    async read() {
      const parts = await workbook.readParts(namespace);
      return parts.some(({ xml }) => stored.safeParse(readJsonPart("opening", xml)).success);
    },
    async set(looks) {
      await setLoads(looks);
      const parts = await workbook.readParts(namespace);
      if (!looks) {
        for (const { id } of parts) await workbook.deletePart(id);
        return;
      }
      const xml = jsonPart("opening", namespace, { version: 1, looks });
      await workbook.writePart(parts[0]?.id ?? null, xml).catch(async (thrown: unknown) => {
        await setLoads(false);
        throw thrown;
      });
    },
  };
}
