/** The workbooks that `npm start` opens with: one for the sample service, one for a user's own service. */
import { createClient } from "../../src/engine/api/client";
import { createLookup } from "../../src/engine/lookup/lookup";
import { createTransport } from "../../src/engine/transport/exchange";
import { createService } from "../../reference-service/service";
import type { WorkbenchSetup } from "../../workbench/workbench-server";
import { compareSheet, firstAnswer } from "./compare-sheet";
import { geoidCell, invitationSheet } from "./invitation-sheet";
import { monthOldImport } from "./month-old-import";

type Workbook = Pick<WorkbenchSetup, "sheets" | "customXmlParts" | "selected">;

const monthOldSheet = "Last month";
/** The import lies before the first day of the month of changes (reference-service/answers/month-of-changes.ts). */
const importAgeMs = 31 * 24 * 60 * 60 * 1000;

/** The workbook for the sample service after its month of changes. Its import gets a new id each time, as in a real workbook. */
export async function sampleWorkbook({ baseUrl, key }: { baseUrl: string; key: string }): Promise<Workbook> {
  const before = createService({ month: "before" });
  const client = createClient(
    createTransport(
      { baseUrl, key },
      { fetch: (input, init) => Promise.resolve(before.fetch(new Request(input, init))) },
    ),
  );
  const { sheet, customXmlParts } = await monthOldImport(
    { client, lookup: createLookup(client) },
    { name: monthOldSheet, service: baseUrl, atMs: Date.now() - importAgeMs },
  );
  return {
    sheets: [compareSheet(monthOldSheet), sheet],
    customXmlParts,
    selected: `Compare!${firstAnswer}`,
  };
}

/** The workbook for a service of which nothing is known. */
export const invitingWorkbook: Workbook = { sheets: [invitationSheet], selected: `Start!${geoidCell}` };
