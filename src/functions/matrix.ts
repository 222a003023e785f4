import { Failure } from "../errors";
import { cellText } from "../workbook/sheet/values/cell-value";
import { cellsOf, flagOf } from "./arguments";
import { type Call, checkSize, type ResultContent } from "./call";
import { type Grid, readGrid } from "./jurisdiction-grid";
import { everyCell, fieldFrom, fieldOf, wanted } from "./value-and-citation";

/** =REGDATA.MATRIX */
export async function matrix(
  call: Call,
  args: { geoids: unknown; typeIds: unknown; headers: unknown; field: unknown },
): Promise<ResultContent[][]> {
  const field = fieldFrom(args.field);
  const hasHeaders = flagOf(args.headers, true);
  checkSize(cellsOf(args.geoids).length + 1, cellsOf(args.typeIds).length + 2);
  const options = () => ({ ...wanted(field, call.app), ahjs: true, types: true });
  const grid = await readGrid(call, args, options, true);
  const rows = everyCell(grid, fieldOf(grid, field, call.app)).map((cells, row) => {
    const ahj = grid.ahj(row);
    if (ahj === null) return ["", "", ...cells];
    return ahj instanceof Failure ? [ahj, ahj, ...cells] : [cellText(ahj.name), ahj.state_code, ...cells];
  });
  const header = () => ["Name", "State", ...grid.columns.map((_, column) => headerOf(grid, column))];
  return hasHeaders ? [header(), ...rows] : rows;
}

/** The type's name, or the name or id that was asked for if no answer tells it. */
function headerOf(grid: Grid, column: number): ResultContent {
  const name = grid.type(column)?.name;
  return name === undefined ? (grid.columns[column] ?? "") : cellText(name);
}
