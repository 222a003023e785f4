import type { ImportTables } from "../../sheet/tables/table-changes";
import type { Workbook } from "../../sheet/workbook";
import type { SavedImport } from "./saved-import";

/** The columns and rows of the user that would be lost with an import's table. */
export interface Losses {
  address: string;
  /** The number of rows, header row included. */
  rows: number;
  columns: number;
  headers: string[];
  /** The headers of the columns that are the user's own. */
  ownColumns: string[];
  /** The number of rows that belong to no AHJ. */
  ownRows: number;
}

/** Reads an import's table for what would be lost with it. Fails with table-gone, too. */
export async function lossesOf(
  { tableId, columns }: SavedImport,
  { workbook, tables }: { workbook: Pick<Workbook, "describeTable">; tables: Pick<ImportTables, "read"> },
): Promise<Losses> {
  const { address, rows, headers } = await workbook.describeTable(tableId);
  const ours = new Set(columns.map(({ header }) => header));
  const ids = columns.find(({ content }) => content.of === "ahj" && content.field === "id")?.header ?? "";
  const { columns: read } = await tables.read(tableId, [ids]);
  const isOwn = (id: unknown) => !(Number(id) > 0);
  return {
    address,
    rows,
    columns: headers.length,
    headers,
    ownColumns: headers.filter((header) => !ours.has(header)),
    ownRows: read.get(ids)?.values.filter(isOwn).length ?? 0,
  };
}
