import { HostError, notModelled } from "./host-error";
import { dateNumber } from "../grid/calculation/calculated-values";
import { integer, mustHaveOpenStructure, mustNotBeProtected, truth } from "./objects/object-model";
import type { Classes } from "./objects/object-model";

/** In the place of a sheet's id, among the passwords. */
const WORKBOOK = "Workbook";

/** Protection of workbook and sheets, and functions of dates. */
export const stateClasses: Classes<
  "Runtime" | "Functions" | "FunctionResult" | "WorkbookProtection" | "WorksheetProtection"
> = {
  // "Toggle JavaScript events in the current task pane or content add-in" (Runtime.enableEvents in @types/office-js).
  Runtime: (_self, { events }) => ({
    properties: {
      EnableEvents: {
        get: () => events.isEnabled,
        set: (wanted) => void (events.isEnabled = truth(wanted)),
      },
    },
  }),
  // "Year is a number from 1900 or 1904 (depending on the workbook's date system) to 9999" (Functions.date in @types/office-js).
  Functions: (_self, { spreadsheet }) => ({
    objects: {
      Date: (year, month, day) => ({
        type: "FunctionResult",
        value: dateNumber(integer(year), integer(month), integer(day), spreadsheet.uses1904()),
      }),
    },
  }),
  // "The value field will be populated only if no error has occurred" (FunctionResult in @types/office-js).
  FunctionResult: ({ value, error = "#NUM!" }) => ({
    properties: { Value: { get: () => value }, Error: { get: () => (value === null ? error : null) } },
  }),
  WorkbookProtection: (_self, model) => ({
    properties: { Protected: { get: () => model.document.isStructureProtected } },
    calls: {
      // "Fails if the workbook has been protected" (WorkbookProtection.protect in @types/office-js).
      Protect(password) {
        mustHaveOpenStructure(model);
        model.document.isStructureProtected = true;
        if (typeof password === "string" && password !== "") model.document.passwords.set(WORKBOOK, password);
      },
      Unprotect(password) {
        const wanted = model.document.passwords.get(WORKBOOK);
        if (wanted !== undefined && wanted !== password)
          throw new HostError("AccessDenied", "the workbook has another password");
        model.document.passwords.delete(WORKBOOK);
        model.document.isStructureProtected = false;
      },
    },
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
        model.events.tell("protection-changed", sheetId, { isProtected: true });
        if (typeof password === "string" && password !== "") model.document.passwords.set(sheetId, password);
      },
      Unprotect(password) {
        const { protectedSheets, passwords } = model.document;
        const wanted = passwords.get(sheetId);
        if (wanted !== undefined && wanted !== password)
          throw new HostError("AccessDenied", "the sheet has another password");
        passwords.delete(sheetId);
        if (protectedSheets.delete(sheetId))
          model.events.tell("protection-changed", sheetId, { isProtected: false });
      },
    },
  }),
};
