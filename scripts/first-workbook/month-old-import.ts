/**
 * An import of the sample service as it was a month ago, made by the add-in's own code: the table that it would have written, and the
 * custom XML parts by which the workbook remembers it.
 */
import type { Client } from "../../src/engine/api/client";
import type { Lookup } from "../../src/engine/lookup/lookup";
import { Failure } from "../../src/errors";
import { runImport } from "../../src/workbook/imports/run/run-import";
import { createImportBook } from "../../src/workbook/imports/saved/import-book";
import { rememberImport } from "../../src/workbook/imports/saved/remember";
import { columnWidths, wrappedColumns } from "../../src/workbook/sheet/layout/table-look";
import { plainForm, type SheetTable } from "../../src/workbook/sheet/layout/table-plan";
import { formatAddress } from "../../workbench/address";
import { newGuid } from "../../workbench/guid";
import type { SheetToFill } from "../../workbench/page/setup";

/** Jurisdictions with some answers that have changed since. */
const geoids = ["01073", "11001", "24031", "24510", "35001", "36061", "41051", "51059"];
/** Data point types: codes, reviews, fees, wind, setbacks. */
const typeIds = [1001, 1003, 1021, 1030, 1032, 1057, 1059, 1091, 1099, 1107, 1151];

const pixelsPerPoint = 4 / 3;

/** The import's table, and the parts that the workbook carries beside it. */
interface MonthOldImport {
  sheet: SheetToFill;
  customXmlParts: string[];
}

/** `service` is the address that the workbook notes as the import's source; `atMs` is the time of the import. */
export async function monthOldImport(
  { client, lookup }: { client: Client; lookup: Lookup },
  { name, service, atMs }: { name: string; service: string; atMs: number },
): Promise<MonthOldImport> {
  const { ahjs } = await lookup.ask({ ahjs: geoids });
  const types = await lookup.catalogue.types();
  const question = {
    kind: "matrix" as const,
    ahjs: ahjs.flatMap((ahj) => (ahj instanceof Failure ? [] : [ahj])),
    types: types.filter(({ id }) => typeIds.includes(id)),
  };
  const result = await runImport(question, { client, lookup });
  const importId = crypto.randomUUID();
  const tableId = newGuid();

  const customXmlParts: string[] = [];
  const workbook = {
    writePart: (_id: string | null, xml: string) => Promise.resolve(String(customXmlParts.push(xml))),
    readParts: () => Promise.resolve([]),
    readPart: () => Promise.resolve(null),
    deletePart: () => Promise.resolve(),
    findTables: () => Promise.resolve([]),
  };
  const book = createImportBook(workbook);
  await rememberImport(
    { question, form: plainForm, hasSources: false, sheetName: name },
    result,
    { tableId, importId },
    {
      book: {
        ...book,
        write: (saved) => book.write({ ...saved, lastRun: { ...saved.lastRun, atMs } }),
      },
      service,
      // Nothing is kept on this device, because another one made the import.
      documents: { read: () => Promise.resolve(new Map()), write: () => undefined },
    },
  );
  return { sheet: sheetOf(result.table, name, tableId), customXmlParts };
}

/** A sheet with the table as the add-in writes it (src/workbook/sheet/tables/write-table.ts). */
function sheetOf(plan: SheetTable, name: string, tableId: string): SheetToFill {
  const { columns, rows } = plan;
  const across = (first: number, count: number, row = 0, down = 1) =>
    formatAddress(null, { row, column: first, rows: down, columns: count });
  const all = across(0, columns.length, 0, rows.length + 1);
  const header = across(0, columns.length);
  return {
    name,
    numberFormats: [
      {
        address: "A1",
        rows: [columns.map(() => "@"), ...rows.map((row) => row.map((cell) => cell.numberFormat))],
      },
    ],
    cells: [
      {
        address: "A1",
        rows: [columns.map((column) => column.header), ...rows.map((row) => row.map((cell) => cell.value))],
      },
    ],
    tables: [{ id: tableId, name: "Table1", address: all, style: "TableStyleMedium2" }],
    styles: [
      { address: all, style: { verticalAlignment: "Top" } },
      ...[header, ...wrappedColumns(plan).map((column) => across(column, 1, 0, rows.length + 1))].map(
        (address) => ({ address, style: { wrapText: true } }),
      ),
    ],
    columnWidths: columnWidths(plan).map((points) => Math.round(points * pixelsPerPoint)),
    fittedRows: [all],
    ...{ frozenRows: 1, frozenColumns: 1 },
  };
}
