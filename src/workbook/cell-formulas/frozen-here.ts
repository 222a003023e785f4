import type { SelectedCell } from "../sheet/cells/selected-cell";
import { fingerprint } from "../sheet/values/fingerprint";
import type { Workbook } from "../sheet/workbook";
import { standingIn, withinCells } from "./compare";
import { type GivenUpValue, whereFrozen } from "./freeze";
import type { FrozenFormula, FrozenPart } from "./frozen-formulas";
import { findHomes } from "./frozen-places";

/** The formula that was frozen in a cell, as far as can be told. */
export interface FrozenHere {
  /** The formula as it would be entered, in the cell where it would go. */
  formula: FrozenFormula;
  /** When it was frozen. */
  atMs: number;
  /** The values typed over the formula since, which an unfreeze must be allowed to overwrite; null if the frozen values still stand. */
  edited: GivenUpValue | null;
  /** Why it can't be told whether the formula's values are those in this cell; null if it can. */
  doubt: string | null;
}

/** The most cells that are read to look at one cell: cells of its sheet, and cells of frozen results in it. */
const mostCells = 20_000;

const tooMany = "its sheet has too many frozen cells to tell which of them were moved";
const tooLarge = "its formula filled too many cells to look at here";

type Here = Pick<SelectedCell, "sheetId" | "row" | "column" | "value">;

/**
 * The frozen formula whose values a cell shows, found as `unfreezeFormulas` finds it: where Excel has moved its cells, or where sorting has
 * moved its values. Null if there is none. Reads nothing if no frozen formula of the workbook can be in the cell. Results too large to read are
 * only matched where their cells are.
 */
export async function frozenHere(
  cell: Here,
  parts: readonly FrozenPart[],
  workbook: Pick<Workbook, "scopeNow" | "readCells" | "run">,
  signal: AbortSignal,
): Promise<FrozenHere | null> {
  const [found = null] = await frozenIn([cell], parts, workbook, signal);
  return found;
}

/** `frozenHere` for each of these cells, for all of them in the requests that one takes. */
export async function frozenIn(
  cells: readonly Here[],
  parts: readonly FrozenPart[],
  workbook: Pick<Workbook, "scopeNow" | "readCells" | "run">,
  signal: AbortSignal,
): Promise<(FrozenHere | null)[]> {
  const nothing = cells.map(() => null);
  // Blank cells all show the same, so a blank cell can't be matched by its value.
  const shown = new Set(cells.flatMap(({ value }) => (value === "" ? [] : fingerprint([[value]]))));
  const mayBe = (formula: FrozenFormula) =>
    shown.has(formula.shown) || cells.some((cell) => coversPlace(formula, cell));
  const formulas = parts.flatMap((part) => part.formulas);
  // The cells of a larger result may have been moved here.
  if (!formulas.some((formula) => mayBe(formula) || formula.rows * formula.columns > 1)) return nothing;
  const { sheets } = await workbook.scopeNow("workbook");
  const { homes, places } = await findHomes(formulas, sheets, workbook);
  const atMs = new Map(parts.flatMap((part) => part.formulas.map((kept) => [kept, part.atMs] as const)));
  const sheetIds = new Set(cells.map(({ sheetId }) => sheetId));
  const ofSheets = homes.flatMap(({ kept, here }) =>
    here && sheetIds.has(here.sheetId) ? [{ here, atMs: atMs.get(kept) ?? 0 }] : [],
  );
  const isLikely = ofSheets.map(({ here }) => mayBe(here));
  const likely = ofSheets.filter((_, index) => isLikely[index]);
  if (likely.length === 0) return nothing;
  const all = [...likely, ...ofSheets.filter((_, index) => !isLikely[index])];
  const near = withinCells(
    all.map(({ here }) => here),
    mostCells,
  );
  const isAll = near.length === all.length;
  const { contents, standing, sorted } = await whereFrozen(near, places, workbook, { signal });
  return cells.map((cell) => {
    const found = all.slice(0, near.length).flatMap(({ here, atMs }): FrozenHere[] => {
      const doubt = isAll ? null : tooMany;
      const move = sorted.get(here);
      if (move && "here" in move)
        return covers(move.here, cell) ? [{ formula: move.here, atMs, edited: null, doubt }] : [];
      if (!covers(here, cell)) return [];
      if (standing.has(here)) return [{ formula: here, atMs, edited: null, doubt: move?.reason ?? doubt }];
      if (move) return [{ formula: here, atMs, edited: null, doubt: move.reason }];
      const { shown: shownNow, hasFormula } = standingIn(here, contents);
      const { sheetId, row, column } = here;
      const edited: GivenUpValue = { sheetId, row, column, shown: shownNow };
      // Another formula now stands in the place of the frozen one.
      return hasFormula ? [] : [{ formula: here, atMs, edited, doubt }];
    });
    const unread = all.slice(near.length).filter(({ here }) => covers(here, cell));
    found.push(...unread.map(({ here, atMs }) => ({ formula: here, atMs, edited: null, doubt: tooLarge })));
    const isSure = ({ edited, doubt }: FrozenHere) => edited === null && doubt === null;
    return found.find(isSure) ?? found[0] ?? null;
  });
}

function covers(area: FrozenFormula, cell: Here): boolean {
  return area.sheetId === cell.sheetId && coversPlace(area, cell);
}

/** True if an area, on whichever sheet, has a cell in this row and column. */
function coversPlace({ row, column, rows, columns }: FrozenFormula, cell: Here): boolean {
  return row <= cell.row && cell.row < row + rows && column <= cell.column && cell.column < column + columns;
}
