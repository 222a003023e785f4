import { config } from "../../config";
import { groupBy } from "../../lists";
import { type PlainCells, placeOf } from "../sheet/cells/plain-cells";
import type { Scalar } from "../sheet/values/cell-value";
import { fingerprint } from "../sheet/values/fingerprint";
import type { FrozenFormula } from "./frozen-formulas";

/** The place in its sheet where the values of a frozen formula stand now, or the reason why it is not known. */
export type Placing =
  /** `isSure` is true if nothing suggests that the values are the same only by coincidence. */
  | { status: "found"; row: number; column: number; isSure: boolean }
  | { status: "nowhere" | "several" | "not-searched" };

/** The distance of a move, as the difference of two `placeOf` numbers. */
type Shift = number;

/** The most cells of a sheet whose values are compared as fingerprints. More would take longer than some seconds. */
export const mostComparedCells = 2_000_000;
/** The most distances that are considered for formulas that moved together. */
const mostShifts = 4;
/** The most passes over the formulas. Each formula that one pass settles may help to settle others in the next. */
const mostPasses = 10;

/**
 * Finds frozen formulas by the values that they showed. `frozen` holds all frozen formulas of a sheet, each in another cell; `standing`
 * holds the formulas whose values are still in their old place; `known` holds the places of formulas that the caller has found already. A
 * formula is found if its values stand in exactly one place and belong to no other formula. If they stand in several places, the formula
 * gets the place that is as far away as most other formulas, or its nearest neighbors in the column, have moved. Otherwise the formula is
 * not found, because another jurisdiction may have the same value.
 */
export function findMoved(
  frozen: readonly FrozenFormula[],
  standing: ReadonlySet<FrozenFormula>,
  sheet: PlainCells,
  known: ReadonlyMap<FrozenFormula, number> = new Map(),
): Map<FrozenFormula, Placing> {
  const classes = classesOf(frozen, sheet);
  const classOf = new Map(
    classes.flatMap((each) => each.formulas.map((formula) => [formula, each] as const)),
  );
  /** The formulas whose places are found, and their places as `placeOf` numbers. */
  const settled = new Map<FrozenFormula, number>();
  /** The cells of all settled formulas. */
  const claimed = new Set<number>();
  const settle = (formula: FrozenFormula, place: number) => {
    settled.set(formula, place);
    for (const cell of cellsAt(formula, place)) claimed.add(cell);
  };
  const isFree = (formula: FrozenFormula, place: number) =>
    !cellsAt(formula, place).some((cell) => claimed.has(cell));
  for (const [formula, place] of known) if (isFree(formula, place)) settle(formula, place);
  for (const { formulas } of classes.filter(({ places }) => !places)) {
    for (const formula of formulas.filter((each) => standing.has(each) && !settled.has(each))) {
      const place = placeOf(formula.row, formula.column);
      if (isFree(formula, place)) settle(formula, place);
    }
  }

  // Formulas whose values stand in exactly one place are settled. The values of a small result may stand inside a larger one, which is the
  // better evidence, so the cells of larger results, which come first, are not taken for a smaller one.
  /** For each cell of any place of a larger result: the size of the largest such result. */
  const largestAt = new Map<number, number>();
  for (const { formulas, places } of classes) {
    const [formula, other] = formulas.filter((each) => !settled.has(each));
    if (!formula || !places) continue;
    const size = formula.rows * formula.columns;
    const standsAlone = (place: number) =>
      cellsAt(formula, place).every((cell) => !claimed.has(cell) && (largestAt.get(cell) ?? 0) <= size);
    const [place, ...more] = other ? [] : [...places].filter(standsAlone);
    if (place !== undefined && more.length === 0) settle(formula, place);
    for (const cell of size > 1 ? [...places].flatMap((each) => cellsAt(formula, each)) : [])
      largestAt.set(cell, Math.max(size, largestAt.get(cell) ?? 0));
  }

  /** The moves of formulas that were settled by their own values, without a look at other formulas. */
  const ownShifts = new Map(
    [...settled].map(([formula, place]) => [formula, place - placeOf(formula.row, formula.column)]),
  );
  const shifts = shiftsOf(classes, settled, standing);
  let comparedCells = 0;
  /** True if the formula's values stand in this place, which is `shift` away from the old one. */
  const isShown = (formula: FrozenFormula, place: number, shift: Shift): boolean => {
    if (shift === 0) return standing.has(formula);
    const places = classOf.get(formula)?.places;
    if (places) return places.has(place);
    comparedCells += formula.rows * formula.columns;
    return comparedCells <= mostComparedCells && shownAt(formula, place, sheet) === formula.shown;
  };
  /** The place of the formula after this move, if its values stand there and belong to no other formula; otherwise null. */
  const fits = (formula: FrozenFormula, shift: Shift): number | null => {
    const place = shiftedPlace(formula, shift);
    return place !== null && isShown(formula, place, shift) && isFree(formula, place) ? place : null;
  };
  for (let pass = 0, before = -1; pass < mostPasses && settled.size > before; pass += 1) {
    before = settled.size;
    const open = frozen.filter((formula) => !settled.has(formula));
    settleSingles(open, shifts, fits, settle);
  }
  settleBetween(frozen, settled, shifts, fits, settle);

  /** True for each class that has a place which no formula has taken. */
  const hasFreePlace = new Map(
    classes.map((each) => {
      const [formula] = each.formulas;
      return [
        each,
        formula !== undefined && [...(each.places ?? [])].some((place) => isFree(formula, place)),
      ];
    }),
  );
  const between = shiftsBetween(frozen, (formula) => ownShifts.get(formula));
  const hasMoved = frozen.some((formula) => {
    const [place, each] = [settled.get(formula), classOf.get(formula)];
    return place === undefined
      ? each && hasFreePlace.get(each)
      : place !== placeOf(formula.row, formula.column);
  });
  const isSure = (formula: FrozenFormula, place: number): boolean => {
    const from = placeOf(formula.row, formula.column);
    // The formula's values stand in the old place, but those of another formula may have moved there.
    if (place === from) return !hasMoved || ownShifts.has(formula) || between.get(formula) === 0;
    if (shifts.common.includes(place - from)) return true;
    // The move is sure if every cell of the old place is blank, or taken by the values of another frozen formula.
    return cellsAt(formula, from).every(
      (cell) => claimed.has(cell) || (!sheet.values.has(cell) && !sheet.calculated.has(cell)),
    );
  };
  return new Map(
    frozen.map((formula): [FrozenFormula, Placing] => {
      const place = settled.get(formula);
      const each = classOf.get(formula);
      if (place !== undefined) {
        const row = Math.floor(place / config.sheetColumns);
        const column = place - placeOf(row, 0);
        return [formula, { status: "found", row, column, isSure: isSure(formula, place) }];
      }
      if (!each?.places) return [formula, { status: "not-searched" }];
      return [formula, { status: standing.has(formula) || hasFreePlace.get(each) ? "several" : "nowhere" }];
    }),
  );
}

/**
 * Formulas that showed the same values, and all places of the sheet that show them; `places` is null if there were too many cells to
 * compare.
 */
interface Class {
  formulas: FrozenFormula[];
  places: ReadonlySet<number> | null;
}

/** Groups formulas by the values that they showed. Classes with the largest results come first. */
function classesOf(frozen: readonly FrozenFormula[], sheet: PlainCells): Class[] {
  const sizes = groupBy(frozen, ({ rows, columns }) => `${rows} ${columns}`);
  const bySize = [...sizes.values()].sort(
    ([one], [other]) => (other?.rows ?? 0) * (other?.columns ?? 0) - (one?.rows ?? 0) * (one?.columns ?? 0),
  );
  let left = mostComparedCells;
  return bySize.flatMap((ofSize): Class[] => {
    const classes = groupBy(ofSize, ({ shown }) => shown);
    const [size] = ofSize;
    if (!size) return [];
    const found = new Map<string, Set<number>>([...classes.keys()].map((shown) => [shown, new Set()]));
    const cost = searchedCells(size, sheet);
    const isSearched = cost <= left;
    if (isSearched) {
      left -= cost;
      forEachPlace(size, sheet, (place, shown) => found.get(shown)?.add(place));
    }
    return [...classes].map(([shown, formulas]) => ({
      formulas,
      places: isSearched ? (found.get(shown) ?? new Set()) : null,
    }));
  });
}

type Size = Pick<FrozenFormula, "rows" | "columns">;

/** The number of cells whose values a search for results of this size compares. */
function searchedCells({ rows, columns }: Size, { used, values }: PlainCells): number {
  if (rows * columns === 1 || values.size === 0) return values.size;
  return (used.rows + rows - 1) * (used.columns + columns - 1) * rows * columns;
}

/** Calls `look` for each place of this size whose cells are not calculated and not all blank, with the fingerprint of its values. */
function forEachPlace(
  { rows, columns }: Size,
  sheet: PlainCells,
  look: (place: number, shown: string) => void,
): void {
  if (rows * columns === 1) {
    for (const [place, value] of sheet.values) look(place, fingerprint([[value]]));
    return;
  }
  const { used } = sheet;
  // A result may begin and end with blank cells, so it may reach beyond the used range.
  for (let row = Math.max(0, used.row - rows + 1); row < used.row + used.rows; row += 1) {
    for (
      let column = Math.max(0, used.column - columns + 1);
      column < used.column + used.columns;
      column += 1
    ) {
      const place = placeOf(row, column);
      const shown = shownAt({ rows, columns }, place, sheet);
      if (shown !== null) look(place, shown);
    }
  }
}

/** The fingerprint of the values of plain cells; null if one of the cells is calculated, or if all of them are blank. */
export function shownAt(size: Size, place: number, { values, calculated }: PlainCells): string | null {
  const shown: Scalar[][] = [];
  let isBlank = true;
  for (let down = 0; down < size.rows; down += 1) {
    const cells: Scalar[] = [];
    for (let across = 0; across < size.columns; across += 1) {
      const cell = place + placeOf(down, across);
      if (calculated.has(cell)) return null;
      const value = values.get(cell) ?? "";
      isBlank &&= value === "";
      cells.push(value);
    }
    shown.push(cells);
  }
  return isBlank ? null : fingerprint(shown);
}

function cellsAt({ rows, columns }: Size, place: number): number[] {
  return Array.from(
    { length: rows * columns },
    (_, index) => place + placeOf(Math.floor(index / columns), index % columns),
  );
}

/** The place of a formula after a move by `shift`; null if it would leave the sheet. */
function shiftedPlace({ row, column, rows, columns }: FrozenFormula, shift: Shift): number | null {
  const down = Math.round(shift / config.sheetColumns);
  const [rowNow, columnNow] = [row + down, column + shift - placeOf(down, 0)];
  const isInside =
    rowNow >= 0 &&
    columnNow >= 0 &&
    rowNow + rows <= config.sheetRows &&
    columnNow + columns <= config.sheetColumns;
  return isInside ? placeOf(rowNow, columnNow) : null;
}

/** The distances by which formulas have certainly moved together (`common`), and those by which they may have (`possible`). */
interface Shifts {
  common: readonly Shift[];
  possible: readonly Shift[];
}

/**
 * Counts the formulas that vote for each distance. A settled formula votes for the distance that it has moved. The formulas of a class that
 * has as many places as formulas vote too, as if each had moved to the place with the same rank. If a distance explains all formulas, no
 * other distance is considered. A distance with few votes may be chance, so it is not common.
 */
function shiftsOf(
  classes: readonly Class[],
  settled: ReadonlyMap<FrozenFormula, number>,
  standing: ReadonlySet<FrozenFormula>,
): Shifts {
  const votes = new Map<Shift, { settled: number; all: number }>();
  let total = 0;
  const vote = (formula: FrozenFormula, place: number, isSettled: boolean) => {
    const shift = place - placeOf(formula.row, formula.column);
    const before = votes.get(shift) ?? { settled: 0, all: 0 };
    votes.set(shift, { settled: before.settled + Number(isSettled), all: before.all + 1 });
    total += 1;
  };
  for (const [formula, place] of settled) vote(formula, place, true);
  for (const { formulas, places } of classes) {
    if (formulas.length < 2 || formulas.length !== places?.size) continue;
    const inOrder = [...places].sort((one, other) => one - other);
    const byPlace = [...formulas].sort(
      (one, other) => placeOf(one.row, one.column) - placeOf(other.row, other.column),
    );
    byPlace.forEach((formula, index) => vote(formula, inOrder[index] ?? 0, false));
  }
  const withPlaces = classes.filter(({ places }) => places !== null && places.size > 0);
  const count = withPlaces.reduce((sum, { formulas }) => sum + formulas.length, 0);
  /** The number of formulas whose values stand where this move would have put them. */
  const explained = (shift: Shift) =>
    withPlaces.reduce(
      (sum, { formulas, places }) =>
        sum + formulas.filter((formula) => places?.has(shiftedPlace(formula, shift) ?? -1)).length,
      0,
    );
  const likely = [...votes].sort(([, one], [, other]) => other.all - one.all).slice(0, mostShifts);
  const only = count >= 2 && likely.find(([shift]) => explained(shift) === count);
  if (only) return { common: [only[0]], possible: [only[0]] };
  // A distance is common with more than half of all votes, or with a quarter of them if two settled formulas are among its voters.
  const common = likely.flatMap(([shift, { settled: ofSettled, all }]) => {
    const isMost = all >= 2 && all * 2 > total;
    return isMost || (ofSettled >= 2 && all >= 3 && all * 4 >= total) ? [shift] : [];
  });
  const moved = likely.filter(([shift]) => shift !== 0).map(([shift]) => explained(shift));
  const scattered = [...settled].filter(([{ row, column }, place]) => place !== placeOf(row, column)).length;
  // Formulas that stand in place are evidence for no move, unless as many have moved.
  if (standing.size > Math.max(scattered, ...moved) && !common.includes(0)) common.push(0);
  const possible = likely.flatMap(([shift, { all }]) => (all >= 2 ? [shift] : []));
  return { common, possible: [...new Set([0, ...common, ...possible])] };
}

type Fits = (formula: FrozenFormula, shift: Shift) => number | null;
type Settle = (formula: FrozenFormula, place: number) => void;

/** Settles formulas that exactly one of the possible shifts explains, if that shift is common and no other formula fits that place. */
function settleSingles(
  open: readonly FrozenFormula[],
  { common, possible }: Shifts,
  fits: Fits,
  settle: Settle,
): void {
  const fitting = open.map((formula) => ({
    formula,
    places: possible.map((shift) => fits(formula, shift)).filter((place) => place !== null),
  }));
  const claims = new Map<number, number>();
  for (const { formula, places } of fitting) {
    for (const cell of places.flatMap((place) => cellsAt(formula, place)))
      claims.set(cell, (claims.get(cell) ?? 0) + 1);
  }
  for (const { formula, places } of fitting) {
    const [place, ...more] = places;
    if (place === undefined || more.length > 0) continue;
    if (!common.includes(place - placeOf(formula.row, formula.column))) continue;
    if (cellsAt(formula, place).every((cell) => claims.get(cell) === 1)) settle(formula, place);
  }
}

/** Settles formulas whose neighbors above and below in the column have moved equally far, because they have most likely moved along. */
function settleBetween(
  frozen: readonly FrozenFormula[],
  settled: ReadonlyMap<FrozenFormula, number>,
  { common }: Shifts,
  fits: Fits,
  settle: Settle,
): void {
  const shiftOf = (formula: FrozenFormula) => {
    const place = settled.get(formula);
    return place === undefined ? undefined : place - placeOf(formula.row, formula.column);
  };
  for (const [formula, shift] of shiftsBetween(frozen, shiftOf)) {
    const place = !settled.has(formula) && common.includes(shift) ? fits(formula, shift) : null;
    if (place !== null) settle(formula, place);
  }
}

/** For each formula whose nearest settled neighbors above and below in its column moved by the same distance: that distance. */
function shiftsBetween(
  frozen: readonly FrozenFormula[],
  shiftOf: (formula: FrozenFormula) => Shift | undefined,
): Map<FrozenFormula, Shift> {
  const between = new Map<FrozenFormula, Shift>();
  for (const column of groupBy(frozen, (formula) => formula.column).values()) {
    const inOrder = [...column].sort((one, other) => one.row - other.row);
    const shifts = inOrder.map(shiftOf);
    const below: (Shift | undefined)[] = [];
    for (let index = inOrder.length - 2; index >= 0; index -= 1)
      below[index] = shifts[index + 1] ?? below[index + 1];
    let above: Shift | undefined;
    inOrder.forEach((formula, index) => {
      if (above !== undefined && above === below[index]) between.set(formula, above);
      above = shifts[index] ?? above;
    });
  }
  return between;
}
