import { utcMs } from "../engine/api/utc-time";
import { Failure } from "../errors";
import { cellText } from "../workbook/sheet/values/cell-value";
import { isBlank } from "../engine/lookup/asked-names";
import { cellsOf, flagOf, momentOf } from "./arguments";
import { type Call, checkSize, type Outcome } from "./call";
import { cardCell } from "./card";
import { hasCards, valueCell } from "./excel-values";
import { type Grid, readGrid } from "./jurisdiction-grid";
import { everyCell, fieldFrom, fieldOf, wanted } from "./value-and-citation";

/** =REGDATA.MATRIX */
export async function matrix(
  call: Call,
  args: { geoids: unknown; typeIds: unknown; headers: unknown; field: unknown },
): Promise<Outcome[][]> {
  const field = fieldFrom(args.field);
  const hasHeaders = flagOf(args.headers, true);
  checkSize(cellsOf(args.geoids).length + 1, cellsOf(args.typeIds).length + 2);
  const options = () => ({ ...wanted(field, call.app), ahjs: true, types: true });
  const grid = await readGrid(call, args.geoids, args.typeIds, options, true);
  const rows = everyCell(grid, fieldOf(grid, field, call.app)).map((cells, row) => {
    const ahj = grid.ahj(row);
    if (ahj === null) return ["", "", ...cells];
    return ahj instanceof Failure ? [ahj, ahj, ...cells] : [cellText(ahj.name), ahj.state_code, ...cells];
  });
  const header = () => ["Name", "State", ...grid.columns.map((_, column) => headerOf(grid, column))];
  return hasHeaders ? [header(), ...rows] : rows;
}

/** The type's name, or the name or id that was asked for if no answer tells it. */
function headerOf(grid: Grid, column: number): Outcome {
  const name = grid.type(column)?.name;
  return name === undefined ? (grid.columns[column] ?? "") : cellText(name);
}

/** =REGDATA.CARD */
export async function card(call: Call, args: { geoid: unknown; typeId: unknown }): Promise<Outcome[][]> {
  const grid = await readGrid(call, args.geoid, args.typeId, () => {
    const isCard = hasCards(call.app);
    return { dated: isCard, ahjs: isCard };
  });
  return everyCell(grid, (answer, row) => {
    if (answer instanceof Failure) return answer;
    const ahj = hasCards(call.app) ? grid.ahj(row) : null;
    if (ahj instanceof Failure) return ahj;
    return ahj ? cardCell(answer, ahj, call.app) : valueCell(answer, call.app);
  });
}

/** =REGDATA.CHANGED */
export async function changed(
  call: Call,
  args: { geoid: unknown; typeId: unknown; since: unknown },
): Promise<Outcome[][]> {
  if (isBlank(args.since)) return [[""]];
  const sinceMs = momentOf(args.since);
  const grid = await readGrid(call, args.geoid, args.typeId, () => ({ dated: true }));
  return everyCell(grid, (answer) => {
    if (answer instanceof Failure) return answer;
    if (answer.cell.updatedAt === null) return new Failure("unreachable");
    const updatedMs = utcMs(answer.cell.updatedAt);
    return Number.isNaN(updatedMs) ? new Failure("unexpected-answer") : updatedMs > sinceMs;
  });
}
