import { Failure } from "../../../errors";
import { existingTable } from "../tables/bound-table";
import type { Workbook } from "../workbook";
import { mayChange } from "../write-access";

type Door = Pick<Workbook, "run" | "runAsOneStep">;

/**
 * Shows only the rows of a table whose text in a column is one of these, by Excel's own filter: no row moves, and other
 * columns stay filtered as they are. Fails with table-gone and cells-not-found, too.
 */
export function filterRows(
  { runAsOneStep }: Door,
  tableId: string,
  header: string,
  /** As the cells show them: "06001", "$1,200". */
  texts: readonly string[],
): Promise<void> {
  return runAsOneStep(async (context) => {
    const filter = await filterOf(context, tableId, header);
    filter.applyValuesFilter([...texts]);
    await context.sync();
  });
}

/** Shows the rows again that a column's filter hides. */
export function clearFilter({ runAsOneStep }: Door, tableId: string, header: string): Promise<void> {
  return runAsOneStep(async (context) => {
    const filter = await filterOf(context, tableId, header);
    filter.clear();
    await context.sync();
  });
}

async function filterOf(
  context: Excel.RequestContext,
  tableId: string,
  header: string,
): Promise<Excel.Filter> {
  const table = await existingTable(context, tableId);
  await mayChange(context, table.worksheet);
  const column = table.columns.getItemOrNullObject(header);
  await context.sync();
  if (column.isNullObject) throw new Failure("cells-not-found", { detail: `The column ${header} is gone.` });
  return column.filter;
}
