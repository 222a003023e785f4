import { Failure } from "../errors";
import { cellText } from "../workbook/sheet/values/cell-value";
import { cellsOf, flagOf } from "./arguments";
import type { Planned, ResultContent } from "./answer-plan";
import { type Call, checkSize } from "./call";
import { type Grid, planGrid } from "./jurisdiction-grid";
import { everyCell, fieldFrom, fieldOf, wanted } from "./value-and-citation";

/** =REGDATA.MATRIX */
export function matrix(
  call: Call,
  args: { geoids: unknown; typeIds: unknown; headers: unknown; field: unknown },
): Planned | Promise<Planned> {
  const field = fieldFrom(args.field);
  const hasHeaders = flagOf(args.headers, true);
  checkSize(cellsOf(args.geoids).length + 1, cellsOf(args.typeIds).length + 2);
  return planGrid(args, {
    isTable: true,
    wanted: () => ({ ...wanted(field, call.app), ahjs: true, types: true }),
    rowsOf(grid) {
      const rows = everyCell(grid, fieldOf(grid, field, call.app)).map((cells, row) => {
        const ahj = grid.ahj(row);
        if (ahj === null) return ["", "", ...cells];
        return ahj instanceof Failure ? [ahj, ahj, ...cells] : [cellText(ahj.name), ahj.state_code, ...cells];
      });
      const header = () => ["Name", "State", ...grid.columns.map((_, column) => headerOf(grid, column))];
      return hasHeaders ? [header(), ...rows] : rows;
    },
  });
}

/** The type's name, or the name or id that was asked for if no answer tells it. */
function headerOf(grid: Grid, column: number): ResultContent {
  const name = grid.type(column)?.name;
  return name === undefined ? (grid.columns[column] ?? "") : cellText(name);
}
