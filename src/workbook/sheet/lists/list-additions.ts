import { config } from "../../../config";
import { Failure } from "../../../errors";
import type { CellArea } from "../cells/formula-search";
import { existingTable } from "../tables/bound-table";
import { mayWrite } from "../write-access";
import { type ListColumn, readValues } from "./list-column";

/**
 * The cells for more entries below a list: in new blank rows at the end of its table, or in the blank cells below it. Fails with
 * cells-in-the-way if one of these is filled, and with too-large if the sheet ends before them.
 */
export async function roomBelowList(
  context: Excel.RequestContext,
  list: ListColumn,
  count: number,
): Promise<CellArea> {
  const sheet = context.workbook.worksheets.getItem(list.sheetId);
  await mayWrite(context, sheet);
  if (list.table) return rowsOfTable(context, { ...list, table: list.table }, count);
  const row = list.row + list.values.length;
  if (row + count > config.sheetRows) throw new Failure("too-large");
  const cells = sheet.getRangeByIndexes(row, list.column, count, 1).load("address");
  const values = await readValues(context, cells, { rows: count, columns: 1 });
  if (values.some((value) => value !== "")) {
    const detail = `${cells.address} is needed for the new rows.`;
    throw new Failure("cells-in-the-way", {
      detail,
      nextStep: "Select the whole list, or make room below it.",
    });
  }
  return { sheetId: list.sheetId, row, column: list.column, rows: count, columns: 1 };
}

async function rowsOfTable(
  context: Excel.RequestContext,
  {
    sheetId,
    column,
    table: { id, column: first, headers },
  }: ListColumn & { table: NonNullable<ListColumn["table"]> },
  count: number,
): Promise<CellArea> {
  const table = await existingTable(context, id);
  const header = table.getHeaderRowRange().load("values");
  await context.sync();
  const headersNow = (header.values[0] ?? []).map(String);
  const place = headersNow.indexOf(headers[column - first] ?? "");
  if (place < 0) throw new Failure("no-list", { detail: "The list's column is no longer in its table." });
  const most = Math.max(1, Math.floor(config.writeBytes / (headersNow.length * 5)));
  for (let start = 0; start < count; start += most) {
    // Null lets a calculated column fill itself. The type of office.js lacks this null, which every write of values accepts.
    const blanks = Array.from({ length: Math.min(most, count - start) }, () => headersNow.map(() => null));
    table.rows.add(undefined, blanks as unknown as string[][]);
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
  }
  const body = table.getDataBodyRange().load("rowIndex,columnIndex,rowCount");
  await context.sync();
  const { rowIndex, columnIndex, rowCount } = body;
  return { sheetId, row: rowIndex + rowCount - count, column: columnIndex + place, rows: count, columns: 1 };
}
