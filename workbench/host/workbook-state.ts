import type { Classes } from "./objects/object-model";

/** Whether the workbook may be written, and when it calculates. */
export const stateClasses: Classes<"Application" | "WorkbookProtection" | "WorksheetProtection"> = {
  Application: (_self, { document }) => ({
    properties: { CalculationMode: { get: () => document.calculationMode } },
  }),
  /** Its structure is never protected here. */
  WorkbookProtection: () => ({ properties: { Protected: { get: () => false } } }),
  WorksheetProtection: ({ sheetId }, { document }) => ({
    properties: { Protected: { get: () => document.protectedSheets.has(sheetId) } },
  }),
};
