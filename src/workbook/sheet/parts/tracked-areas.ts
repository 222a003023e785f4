import { config } from "../../../config";
import { partsOf, partsWithin } from "../../../lists";
import { columnIndex, columnLetters } from "../layout/cell-address";

/** Cells of a sheet, by the sheet's name. Row and column count from zero. */
export interface NamedArea {
  sheetName: string;
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** An area that Excel has followed, with its sheet's present id and name. */
export interface TrackedArea extends NamedArea {
  sheetId: string;
}

/** The mark by which a tracked area is found again: a hidden name of the workbook, and the area's index in that name, from zero. */
export interface Track {
  name: string;
  index: number;
}

/** Excel takes 8,192 characters in a formula (Excel specifications and limits). */
const mostCharacters = 8_000;
/** A limit, because other programs may have written any number of names of a length that no request can answer. */
const namesAtOnce = 200;

/** A hidden name to be added, with the references that it holds. */
interface NewName {
  name: string;
  references: string[];
}

export interface TrackPlan {
  /** The marks of the areas, in their order. */
  tracks: Track[];
  /** The names that `trackAreas` adds. */
  names: NewName[];
}

/** Plans names, each of which begins with `prefix`, by which Excel can follow areas. */
export function planTracks(prefix: string, areas: readonly NamedArea[]): TrackPlan {
  const run = crypto.randomUUID().replaceAll("-", "_");
  const groups = partsWithin(areas.map(referenceOf), ({ length }) => length + 1, { room: mostCharacters });
  const names = groups.map((references, at) => ({ name: `${prefix}${run}_${at}`, references }));
  const tracks = names.flatMap(({ name, references }) => references.map((_, index) => ({ name, index })));
  return { tracks, names };
}

/**
 * Has Excel follow areas: a hidden name holds their references one after another, and Excel changes each of them when rows, columns or
 * cells are inserted, deleted or moved by cutting. Sorting changes none.
 */
export async function trackAreas(context: Excel.RequestContext, names: readonly NewName[]): Promise<void> {
  for (const some of partsWithin(names, () => mostCharacters, { room: config.writeBytes })) {
    for (const { name, references } of some)
      context.workbook.names.add(name, `=${references.join(",")}`).visible = false;
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
  }
}

/**
 * Where the tracked areas are now, for each name that begins with `prefix` in the order of its areas. Null stands for an area whose cells
 * were deleted.
 */
export async function readTracked(
  context: Excel.RequestContext,
  prefix: string,
): Promise<Map<string, (TrackedArea | null)[]>> {
  const tracked = new Map<string, (TrackedArea | null)[]>();
  for (const some of partsOf(await ownNames(context, prefix), namesAtOnce)) {
    for (const item of some) item.load("formula");
    // The sheets are read along with the names, because somebody may rename one in between.
    const sheets = context.workbook.worksheets.load("items/id,items/name");
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const ids = new Map(sheets.items.map(({ id, name }) => [name, id]));
    for (const { name, formula } of some) {
      const areas = areasOf(formula).map((area) => {
        const sheetId = ids.get(area?.sheetName ?? "");
        return area && sheetId !== undefined ? { ...area, sheetId } : null;
      });
      tracked.set(name, areas);
    }
  }
  return tracked;
}

/** Forgets all areas of these names; names that are gone, or don't begin with `prefix`, are passed over. */
export async function forgetTracked(
  context: Excel.RequestContext,
  prefix: string,
  names: ReadonlySet<string>,
): Promise<void> {
  for (const item of await ownNames(context, prefix)) if (names.has(item.name)) item.delete();
  await context.sync();
}

async function ownNames(context: Excel.RequestContext, prefix: string): Promise<Excel.NamedItem[]> {
  const names = context.workbook.names.load("items/name");
  await context.sync();
  return names.items.filter(({ name }) => name.startsWith(prefix));
}

function referenceOf({ sheetName, row, column, rows, columns }: NamedArea): string {
  const cell = (down: number, across: number) => `$${columnLetters(column + across)}$${row + down + 1}`;
  const end = rows * columns === 1 ? "" : `:${cell(rows - 1, columns - 1)}`;
  return `'${sheetName.replaceAll("'", "''")}'!${cell(0, 0)}${end}`;
}

/** The areas of a union such as `=Fees!$A$1,'Us, too'!$B$2:$C$3,Fees!#REF!`. */
function areasOf(formula: unknown): (NamedArea | null)[] {
  const references =
    String(formula)
      .slice(1)
      .match(/(?:'(?:[^']|'')*'|[^',])+/g) ?? [];
  return references.map((reference) => {
    const [, quoted, plain = "", first, firstRow, last = first, lastRow = firstRow] =
      /^(?:'((?:[^']|'')*)'|([^'!]+))!\$([A-Z]+)\$(\d+)(?::\$([A-Z]+)\$(\d+))?$/.exec(reference) ?? [];
    if (first === undefined || last === undefined) return null;
    const [row, column] = [Number(firstRow) - 1, columnIndex(first)];
    return {
      sheetName: quoted?.replaceAll("''", "'") ?? plain,
      ...{ row, column, rows: Number(lastRow) - row, columns: columnIndex(last) - column + 1 },
    };
  });
}
