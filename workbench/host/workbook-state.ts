import { HostError, notModelled } from "./host-error";
import { mustNotBeProtected } from "./objects/object-model";
import type { Classes } from "./objects/object-model";

/** Protection of workbook and sheets, and the mode of calculation. */
export const stateClasses: Classes<"Application" | "WorkbookProtection" | "WorksheetProtection"> = {
  Application: (_self, { document }) => ({
    properties: { CalculationMode: { get: () => document.calculationMode } },
  }),
  WorkbookProtection: (_self, { document }) => ({
    properties: { Protected: { get: () => document.isStructureProtected } },
  }),
  WorksheetProtection: ({ sheetId }, model) => ({
    properties: { Protected: { get: () => model.document.protectedSheets.has(sheetId) } },
    calls: {
      // "Fails if the worksheet has already been protected" (WorksheetProtection.protect in @types/office-js).
      Protect(options, password) {
        mustNotBeProtected(sheetId, model);
        const [allowed] = Object.entries(options ?? {}).flatMap(([name, value]) =>
          value === true && name.startsWith("allow") ? [name] : [],
        );
        if (allowed !== undefined) throw notModelled(`WorksheetProtection.Protect with ${allowed}`);
        model.document.protectedSheets.add(sheetId);
        if (typeof password === "string" && password !== "") model.document.passwords.set(sheetId, password);
      },
      Unprotect(password) {
        const { protectedSheets, passwords } = model.document;
        const wanted = passwords.get(sheetId);
        if (wanted !== undefined && wanted !== password)
          throw new HostError("AccessDenied", "the sheet has another password");
        passwords.delete(sheetId);
        protectedSheets.delete(sheetId);
      },
    },
  }),
};
