import { answersOfImport, type KnownAhj } from "../../../../src/workbook/imports/summary/shown-answers";
import { createDigests } from "../../../../src/workbook/imports/saved/cell-digests";
import type { SavedImport } from "../../../../src/workbook/imports/saved/saved-import";
import type { TableColumns } from "../../../../src/workbook/sheet/tables/bound-table";
import { importCell } from "../../../../src/workbook/sheet/values/cell-value";
import { savedFees } from "../saved-fees";

export const fee = { id: 1056, name: "Permit fee", unit_of_measure: "USD" };
export const code = { id: 1003, name: "Electrical code", unit_of_measure: "text" };

const answer = { of: "answer", part: "value" } as const;

/** An import of fees and codes, with the columns that identify its jurisdictions. */
export const wideImport = (parts: Partial<SavedImport> = {}): SavedImport =>
  savedFees({
    form: { layout: "wide", hasCitations: false },
    columns: [
      { header: "Name", content: { of: "ahj", field: "name" } },
      { header: "State", content: { of: "ahj", field: "state_code" } },
      { header: "geoID", content: { of: "ahj", field: "geoid" } },
      { header: fee.name, content: { ...answer, typeId: fee.id } },
      { header: code.name, content: { ...answer, typeId: code.id } },
      { header: "AHJ ID", content: { of: "ahj", field: "id" } },
    ],
    types: [fee, code],
    ...parts,
  });

type Row = [name: string, state: string, geoid: string, fee: string, code: string, id: number];

export const rows: Row[] = [
  ["Alameda County", "CA", "06001", "$410", "NEC 2020", 11],
  ["Kern County", "CA", "06029", "$200", "NEC 2017", 12],
  ["Marin County", "CA", "06041", "", "NEC 2020", 13],
  ["Clark County", "NV", "32003", "$80", "", 14],
  ["Autauga County", "AL", "01001", "varies", "NEC 2020", 15],
];

/** The table of that import as it is read, with the cells that an import writes. */
export function wideTable(given: readonly Row[] = rows, without: readonly string[] = []): TableColumns {
  const headers = ["Name", "State", "geoID", fee.name, code.name, "AHJ ID"];
  const columns: TableColumns["columns"] = new Map();
  headers.forEach((header, column) => {
    if (without.includes(header)) return;
    const cells = given.map((row) => {
      const value = row[column] ?? "";
      if (header === fee.name) return importCell(String(value), fee.unit_of_measure);
      return { value, numberFormat: typeof value === "number" ? "0" : "@" };
    });
    columns.set(header, {
      values: cells.map(({ value }) => value),
      numberFormats: cells.map(({ numberFormat }) => numberFormat),
    });
  });
  return { rowCount: given.length, headers: [...columns.keys()], columns };
}

/** The table's cells as answers. */
export const answersOf = (table: TableColumns, known: KnownAhj = () => undefined) =>
  answersOfImport(wideImport(), table, { notRefreshed: new Set(), known, digests: createDigests() });
