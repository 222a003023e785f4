import type { SavedImport } from "../../../src/workbook/imports/saved/saved-import";

/** An import named Fees with the table {1}, in this form and with these columns and types. */
export const savedFees = (
  parts: Pick<SavedImport, "form" | "columns" | "types"> & Partial<SavedImport>,
): SavedImport => ({
  ...{ id: "one", name: "Fees", tableId: "{1}", service: "https://service.test", collection: null },
  lastRun: { atMs: 0, rows: 0, values: 0, notRefreshed: 0 },
  ...parts,
});
