import { SheetFailure } from "../../../sheet-failure";
import { existingTable } from "../tables/bound-table";
import type { Workbook } from "../workbook";
import { mayChange } from "../write-access";

/**
 * The colors of the lowest and the highest number. Both are pale enough for dark text, and they have one hue, so that people with color
 * blindness can tell them apart.
 */
const [lowest, highest] = ["#F7FBFF", "#6BAED6"];

type WorkbookRuns = Pick<Workbook, "run" | "runAsOneStep">;

/** The columns of a table that have the add-in's color scale. Fails with table-gone, too. */
export function readColorScales(
  { run }: WorkbookRuns,
  tableId: string,
  headers: readonly string[],
): Promise<Set<string>> {
  return run(async (context) => {
    const table = await existingTable(context, tableId);
    const found = await findScales(context, table, headers);
    return new Set(found.map(({ header }) => header));
  });
}

/**
 * Colors the cells of a column by their numbers with Excel's own conditional formatting, or removes the add-in's color scale. Conditional
 * formats of others stay. Fails with table-gone and cells-not-found, too.
 */
export function setColorScale(
  { runAsOneStep }: WorkbookRuns,
  tableId: string,
  header: string,
  isOn: boolean,
): Promise<void> {
  return runAsOneStep(async (context) => {
    const table = await existingTable(context, tableId);
    await mayChange(context, table.worksheet);
    const column = table.columns.getItemOrNullObject(header);
    await context.sync();
    if (column.isNullObject)
      throw new SheetFailure("cells-not-found", { detail: `The column ${header} is gone.` });
    const found = await findScales(context, table, [header]);
    if (isOn && found.length > 0) return;
    for (const { format } of found) format.delete();
    if (isOn) {
      const added = column.getDataBodyRange().conditionalFormats.add("ColorScale");
      added.colorScale.criteria = {
        minimum: { type: "LowestValue", color: lowest },
        maximum: { type: "HighestValue", color: highest },
      };
    }
    await context.sync();
  });
}

/** The add-in's own color scales, which are recognized by their colors. */
async function findScales(context: Excel.RequestContext, table: Excel.Table, headers: readonly string[]) {
  const columns = headers.map((header) => ({ header, column: table.columns.getItemOrNullObject(header) }));
  await context.sync();
  const formats = columns
    .filter(({ column }) => !column.isNullObject)
    .map(({ header, column }) => ({
      header,
      all: column.getDataBodyRange().conditionalFormats.load("items/id,items/type"),
    }));
  await context.sync();
  const scales = formats.flatMap(({ header, all }) =>
    all.items
      // Excel refuses to return the color scale of another type of format.
      .filter(({ type }) => type === "ColorScale")
      .map((format) => ({ header, format, scale: format.colorScale.load("criteria") })),
  );
  await context.sync();
  return scales.filter(
    ({ scale: { criteria } }) =>
      criteria.minimum.color?.toUpperCase() === lowest && criteria.maximum.color?.toUpperCase() === highest,
  );
}
