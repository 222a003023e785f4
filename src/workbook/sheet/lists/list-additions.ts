import { config } from "../../../config";
import { Failure } from "../../../errors";
import { partsOf } from "../../../lists";
import { type Entry, heldBy, isFormula } from "../cells/cell-content";
import { withDetail } from "../cells/changed-meanwhile";
import type { CellArea } from "../cells/formula-search";
import { replaceCells } from "../cells/replace-cells";
import { cellAddress } from "../layout/cell-address";
import { takeBackAdded } from "../swap/take-back-added";
import { existingTable } from "../tables/bound-table";
import { mayChange } from "../write-access";
import { type ListColumn, readValues } from "./list-column";

/**
 * Writes more entries below a list: in new rows at the end of its table, or in the blank cells below it. If that fails, the rows are removed
 * again, unless somebody has written in them; the failure says so. Fails with cells-in-the-way if a cell is filled, and with too-large if the
 * sheet ends before the last entry.
 */
export async function addBelowList(
  context: Excel.RequestContext,
  list: ListColumn,
  entries: readonly Entry[],
): Promise<void> {
  const { table } = list;
  await mayChange(context, context.workbook.worksheets.getItem(list.sheetId));
  const area = table
    ? await addTableRows(context, { ...list, table }, entries.length)
    : await cellsBelow(context, list, entries.length);
  const blank = { content: "", numberFormat: null };
  const change = {
    ...area,
    before: entries.map(() => [blank]),
    after: entries.map(({ value, numberFormat }) => [{ content: value, numberFormat }]),
  };
  await replaceCells(context, [change], {}).catch(async (thrown: unknown) => {
    throw table ? await withoutRows(context, table.id, entries.length, thrown) : thrown;
  });
}

async function cellsBelow(context: Excel.RequestContext, list: ListColumn, count: number): Promise<CellArea> {
  const row = list.row + list.values.length;
  if (row + count > config.sheetRows) throw new Failure("too-large");
  const sheet = context.workbook.worksheets.getItem(list.sheetId);
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

/** Adds blank rows at the end of a list's table. Returns the cells of the list's column in them. */
async function addTableRows(
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
  let added = 0;
  try {
    for (const part of partsOf(Array.from({ length: count }), most)) {
      // Null lets a calculated column fill itself. The type of office.js lacks this null, which every write of values accepts.
      const blanks = part.map(() => headersNow.map(() => null));
      table.rows.add(undefined, blanks as unknown as string[][]);
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      added += part.length;
    }
    const body = table.getDataBodyRange().load("rowIndex,columnIndex,rowCount");
    await context.sync();
    const { rowIndex, columnIndex, rowCount } = body;
    return {
      sheetId,
      row: rowIndex + rowCount - count,
      column: columnIndex + place,
      rows: count,
      columns: 1,
    };
  } catch (thrown) {
    throw added > 0 ? await withoutRows(context, id, added, thrown) : thrown;
  }
}

/** Removes the last rows of a table if they are blank but for calculated columns. Returns the failure, which says what stays. */
async function withoutRows(
  context: Excel.RequestContext,
  tableId: string,
  count: number,
  thrown: unknown,
): Promise<unknown> {
  const whyItStays = () => `The ${count} rows that were added stay at the end of the table.`;
  const body = context.workbook.tables.getItem(tableId).getDataBodyRange().load("rowCount,columnCount");
  try {
    await context.sync();
  } catch {
    return withDetail(thrown, whyItStays());
  }
  const first = body.getCell(Math.max(0, body.rowCount - count), 0);
  const rows = first.getAbsoluteResizedRange(Math.min(count, body.rowCount), body.columnCount);
  return takeBackAdded(context, thrown, {
    queueOthers() {
      const read = rows.load("address,values,formulas");
      return () =>
        read.values.flatMap((line: unknown[], down) =>
          line.flatMap((value, across) => {
            const content = { value, formula: read.formulas[down]?.[across] as unknown };
            const held = heldBy(content);
            const isOurs = isFormula(content) || held === "";
            return isOurs ? [] : [{ address: cellAddress(read.address, down, across), held }];
          }),
        );
    },
    remove: () => rows.delete("Up"),
    whyItStays,
  });
}
