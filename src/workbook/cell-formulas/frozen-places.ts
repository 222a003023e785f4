import { groupBy } from "../../lists";
import { movedFormula } from "../formula-text/moved-references";
import type { CellArea, ScopeNow } from "../sheet/cells/formula-search";
import { readTracked, type TrackedArea } from "../sheet/parts/tracked-areas";
import type { Workbook } from "../sheet/workbook";
import { type CellsNow, standingIn } from "./compare";
import { type FrozenFormula, trackPrefix } from "./frozen-formulas";

/** A frozen formula, and where its cells are today. */
export type Home =
  | {
      /** The formula as the workbook keeps it. */
      kept: FrozenFormula;
      /** The formula in the cells to which Excel has moved its cells, with its relative references moved along. */
      here: FrozenFormula;
      /** Where it was frozen, if that was in another place of its sheet. */
      from?: Pick<FrozenFormula, "row" | "column"> | undefined;
      /** True if it was moved and has references to cells: Excel did not adjust them. */
      isDoubtful: boolean;
    }
  | {
      kept: FrozenFormula;
      here: null;
      /** Where its cells are, if they are anywhere. */
      at: FrozenFormula | null;
      reason: string;
    };

/** Frozen formulas where they are today, and all places of their sheets that Excel has followed for frozen formulas. */
export interface Homes {
  homes: Home[];
  places: CellArea[];
}

/**
 * Finds the cells of frozen formulas: where Excel has moved them since, or, for formulas that an earlier build has frozen, where they were
 * frozen.
 */
export async function findHomes(
  formulas: readonly FrozenFormula[],
  sheets: ScopeNow["sheets"],
  workbook: Pick<Workbook, "run">,
): Promise<Homes> {
  const isTracked = formulas.some(({ track }) => track !== undefined);
  const tracked = isTracked
    ? await workbook.run((context) => readTracked(context, trackPrefix))
    : new Map<string, (TrackedArea | null)[]>();
  const homes = formulas.map((kept): Home => {
    const area = kept.track && tracked.get(kept.track.name)?.[kept.track.index];
    if (area) return movedTo(kept, area);
    const sheet = locateFrozen(kept, sheets);
    if (!sheet) return { kept, here: null, at: null, reason: "its sheet was deleted" };
    if (area === null) return { kept, here: null, at: null, reason: "its cells were deleted" };
    return { kept, here: { ...kept, sheetId: sheet.id, sheetName: sheet.name }, isDoubtful: false };
  });
  return { homes, places: [...tracked.values()].flat().filter((area) => area !== null) };
}

function movedTo(kept: FrozenFormula, { sheetId, sheetName, row, column }: TrackedArea): Home {
  const before = { ...kept, sheetId, sheetName };
  if (row === kept.row && column === kept.column) return { kept, here: before, isDoubtful: false };
  const from = { row: kept.row, column: kept.column };
  const text = movedText(before, { row, column });
  if (text) {
    const here = { ...before, row, column, formula: text.formula };
    return { kept, here, from, isDoubtful: text.hasCells };
  }
  const reason = "was moved to where its references would leave the sheet, or can't be read";
  return { kept, here: null, at: { ...before, row, column }, reason };
}

function movedText(
  { formula, sheetName, row, column }: FrozenFormula,
  to: Pick<FrozenFormula, "row" | "column">,
) {
  return movedFormula(formula, sheetName, { rows: to.row - row, columns: to.column - column });
}

/**
 * The sheet that holds a frozen formula: the one with the same id and name, else the same name, else the same id. Ids may change from
 * session to session, and on the Mac a new sheet may get the id of a deleted one (excel-add-ins-worksheets.md).
 */
export function locateFrozen(
  { sheetId, sheetName }: Pick<FrozenFormula, "sheetId" | "sheetName">,
  sheets: ScopeNow["sheets"],
): ScopeNow["sheets"][number] | undefined {
  return (
    sheets.find(({ id, name }) => id === sheetId && name === sheetName) ??
    sheets.find(({ name }) => name === sheetName) ??
    sheets.find(({ id }) => id === sheetId)
  );
}

/** A formula that sorting has moved or may have moved, or the reason why it can't be told which place is its own. */
export type Sorted =
  | {
      /** The formula where its values stand now, with its relative references moved along. */
      here: FrozenFormula;
      /** True if the formula has references to cells, or if the values that stand there may belong to another formula. */
      isDoubtful: boolean;
    }
  | { reason: string };

const several: Sorted = { reason: "has its values in several places" };

/**
 * The places in `places` that may hold values of these formulas after somebody has sorted rows: those in the column of a formula that does
 * not stand. `standing` holds the formulas whose values are in their cells.
 */
export function placesToSearch(
  formulas: readonly FrozenFormula[],
  standing: ReadonlySet<FrozenFormula>,
  places: readonly CellArea[],
): CellArea[] {
  const columns = new Set(formulas.filter((formula) => !standing.has(formula)).map(columnKey));
  return places.filter((place) => columns.has(columnKey(place)));
}

/**
 * Finds formulas whose rows somebody has sorted: Excel moves no name then, so the values of one formula stand in the cells of another one of
 * the same column. A formula is found if its values stand in one such place and in no other, and belong to no other formula; or if the
 * formulas that show the same would all be the same text there, as formulas that refer to their own row are. `contents` holds the contents
 * of the formulas' cells and of `places`. The result leaves out formulas that sorting has certainly not moved, and those whose values stand
 * nowhere.
 */
export function findSorted(
  formulas: readonly FrozenFormula[],
  standing: ReadonlySet<FrozenFormula>,
  places: readonly CellArea[],
  contents: CellsNow,
): Map<FrozenFormula, Sorted> {
  const sorted = new Map<FrozenFormula, Sorted>();
  const placesBy = groupBy(places, columnKey);
  for (const [column, ofColumn] of groupBy(formulas, columnKey)) {
    if (ofColumn.every((formula) => standing.has(formula))) continue;
    const rows = new Map([...ofColumn, ...(placesBy.get(column) ?? [])].map((place) => [place.row, place]));
    const read = [...rows.values()].map((place) => ({ place, ...standingIn(place, contents) }));
    const free = groupBy(
      read.filter(({ now, hasFormula }) => !hasFormula && now.flat().some((cell) => isFilled(cell?.value))),
      ({ shown }) => shown,
    );
    const groups = [...groupBy(ofColumn, ({ shown }) => shown)].map(([shown, alike]) => ({
      alike,
      spots: (free.get(shown) ?? []).map(({ place }) => place),
      stand: alike.filter((formula) => standing.has(formula)).length,
    }));
    if (!groups.some(({ alike, spots, stand }) => stand < alike.length && stand < spots.length)) continue;
    const own = new Set(ofColumn.map(({ row }) => row));
    /** True if the formulas have only exchanged their cells, so that nothing but sorting explains where their values are. */
    const isOnlySorted = groups.every(
      ({ alike, spots: [spot, ...others] }) =>
        alike.length === 1 && spot !== undefined && own.has(spot.row) && others.length === 0,
    );
    for (const { alike, spots } of groups) placeAlike(alike, spots, { standing, isOnlySorted, sorted });
  }
  return sorted;
}

/** Places formulas of a column that showed the same values, `spots` being the places that show them now. */
function placeAlike(
  alike: readonly FrozenFormula[],
  spots: readonly CellArea[],
  {
    standing,
    isOnlySorted,
    sorted,
  }: {
    standing: ReadonlySet<FrozenFormula>;
    isOnlySorted: boolean;
    sorted: Map<FrozenFormula, Sorted>;
  },
): void {
  const [spot] = spots;
  if (!spot) return;
  const texts = new Set(alike.map((formula) => movedText(formula, spot)?.formula));
  const isSame = texts.size === 1 && !texts.has(undefined);
  if (isSame && (alike.length > 1 || spots.length === 1)) {
    // Each text is right wherever it comes back, so the formulas that stand keep their cells and the others get the rest, in order.
    const taken = new Set(alike.filter((formula) => standing.has(formula)).map(({ row }) => row));
    const rest = spots.filter(({ row }) => !taken.has(row));
    alike
      .filter((formula) => !standing.has(formula))
      .forEach((formula, index) => {
        const place = rest[index];
        const text = place && movedText(formula, place);
        if (!place || !text) return;
        const here = { ...formula, row: place.row, formula: text.formula };
        sorted.set(formula, { here, isDoubtful: text.hasCells || !isOnlySorted });
      });
  }
  for (const formula of alike) {
    if (sorted.has(formula)) continue;
    if (!standing.has(formula)) {
      if (!isSame || alike.length === 1) sorted.set(formula, several);
    } else if (!isRelative(formula) && (alike.length > 1 || spots.length > 1)) {
      // Its values stand in its cells, but those of another formula may have come there.
      sorted.set(formula, { here: formula, isDoubtful: true });
    }
  }
}

const columnKey = ({ sheetId, column, rows, columns }: CellArea) => `${sheetId} ${column} ${rows} ${columns}`;

const isFilled = (value: unknown) => value !== undefined && value !== "";

/** True if the formula has relative references, so that its text changes when it moves. */
function isRelative(formula: FrozenFormula): boolean {
  return (
    movedText(formula, { row: formula.row + 1, column: formula.column + 1 })?.formula !== formula.formula
  );
}
