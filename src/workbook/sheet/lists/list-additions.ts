import { config } from "../../../config";
import { Failure } from "../../../errors";
import { SheetFailure } from "../../../sheet-failure";
import { partsOf } from "../../../lists";
import { type Entry, heldBy, isFormula } from "../cells/cell-content";
import { leftAsTheyAre, withDetail, withTextsLost } from "../cells/changed-meanwhile";
import type { CellArea } from "../cells/formula-search";
import { replaceCells } from "../cells/replace-cells";
import { cellAddress } from "../layout/cell-address";
import { contentsOfRange } from "../swap/contents";
import { deleteAddedRows } from "../swap/inserted-cells";
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
  const { area, undo } = table
    ? await addTableRows(context, { ...list, table }, entries.length)
    : { area: await cellsBelow(context, list, entries.length), undo: undefined };
  const blank = { content: "", numberFormat: null };
  const change = {
    ...area,
    before: entries.map(() => [blank]),
    after: entries.map(({ value, numberFormat }) => [{ content: value, numberFormat }]),
  };
  await replaceCells(context, [change], {}).catch(async (thrown: unknown) => {
    throw undo ? await undo(thrown) : thrown;
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
    throw new SheetFailure("cells-in-the-way", {
      detail,
      nextStep: "Select the whole list, or make room below it.",
    });
  }
  return { sheetId: list.sheetId, row, column: list.column, rows: count, columns: 1 };
}

/**
 * Adds blank rows at the end of a list's table. Returns the cells of the list's column in them, and how to remove them again after a failure;
 * see `withoutRows`.
 */
async function addTableRows(
  context: Excel.RequestContext,
  {
    sheetId,
    column,
    table: { id, column: first, headers },
  }: ListColumn & { table: NonNullable<ListColumn["table"]> },
  count: number,
): Promise<{ area: CellArea; undo(thrown: unknown): Promise<unknown> }> {
  const table = await existingTable(context, id);
  const header = table.getHeaderRowRange().load("values");
  const last = table.getDataBodyRange().getLastRow().load("values,formulas,numberFormat");
  await context.sync();
  const isCalculated = contentsOfRange(last)[0]?.map(isFormula) ?? [];
  const headersNow = (header.values[0] ?? []).map(String);
  const place = headersNow.indexOf(headers[column - first] ?? "");
  if (place < 0)
    throw new SheetFailure("no-list", { detail: "The list's column is no longer in its table." });
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
    const row = rowIndex + rowCount - count;
    return {
      area: { sheetId, row, column: columnIndex + place, rows: count, columns: 1 },
      undo: (thrown) => withoutRows(context, id, { count, isCalculated }, thrown),
    };
  } catch (thrown) {
    throw added > 0 ? await withoutRows(context, id, { count: added, isCalculated }, thrown) : thrown;
  }
}

/**
 * Removes the last rows of a table if they are blank but for calculated columns: those in which the row above them has a formula. Returns the
 * failure, which says what stays.
 */
async function withoutRows(
  context: Excel.RequestContext,
  tableId: string,
  { count, isCalculated }: { count: number; isCalculated: readonly boolean[] },
  thrown: unknown,
): Promise<unknown> {
  const displaced = new Map<object, readonly unknown[]>();
  const stay = `The ${count} rows that were added stay at the end of the table.`;
  try {
    const table = context.workbook.tables.getItem(tableId);
    const body = table.getDataBodyRange().load("address,rowCount,columnCount");
    await context.sync();
    const first = Math.max(0, body.rowCount - count);
    const { changed, areDeleted } = await deleteAddedRows(
      context,
      table,
      {
        first,
        rows: Math.min(count, body.rowCount),
        columns: body.columnCount,
        isAsAdded: (cells) =>
          cells.every(
            (content, column) =>
              heldBy(content) === "" || (isFormula(content) && isCalculated[column] === true),
          ),
      },
      displaced,
    );
    if (changed.length === 0) return thrown;
    // Rows that come back stand at the end.
    const addresses = changed.map((row, index) =>
      cellAddress(body.address, first + (areDeleted ? index : row), 0),
    );
    return withDetail(areDeleted ? thrown : withDetail(thrown, stay), leftAsTheyAre(addresses));
  } catch {
    return withTextsLost(withDetail(thrown, stay), [...displaced.values()].flat());
  }
}
