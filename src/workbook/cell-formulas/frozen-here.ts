import { doMeet } from "../sheet/cells/formula-search";
import type { SelectedCell } from "../sheet/cells/selected-cell";
import { fingerprint } from "../sheet/values/fingerprint";
import type { Workbook } from "../sheet/workbook";
import { withinCells } from "./compare";
import { type FrozenPart, frozenIn, type GivenUpValue, standingIn, whereFrozen } from "./freeze";
import type { FrozenFormula } from "./frozen-formulas";

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
 * The frozen formula whose values a cell shows, found as `unfreezeFormulas` finds it: where it was frozen, or where it was moved to. Null
 * if there is none. Reads nothing if no frozen formula of the workbook can be in the cell. Results too large to read are only matched where
 * they were frozen.
 */
export async function frozenHere(
  cell: Here,
  parts: readonly FrozenPart[],
  workbook: Pick<Workbook, "scopeNow" | "readCells" | "readPlainCells">,
  signal: AbortSignal,
): Promise<FrozenHere | null> {
  // Blank cells all show the same, so a blank cell can't be matched by its value.
  const shown = cell.value === "" ? null : fingerprint([[cell.value]]);
  const mayBe = (formula: FrozenFormula) =>
    covers({ ...formula, sheetId: cell.sheetId }, cell) || formula.shown === shown;
  if (!parts.some(({ formulas }) => formulas.some(mayBe))) return null;
  const { sheets } = await workbook.scopeNow("workbook");
  const ofSheet = parts.flatMap(({ atMs, formulas }) =>
    formulas.flatMap((kept) => {
      const formula = frozenIn(kept, sheets);
      return formula?.sheetId === cell.sheetId ? [{ atMs, formula }] : [];
    }),
  );
  if (!ofSheet.some(({ formula }) => mayBe(formula))) return null;
  const likely = ofSheet.filter(({ formula }) => mayBe(formula));
  const all = [...likely, ...ofSheet.filter(({ formula }) => !mayBe(formula))];
  const near = withinCells(
    all.map(({ formula }) => formula),
    mostCells,
  );
  const isAll = near.length === all.length;
  const { contents, standing, moved } = await whereFrozen(near, workbook, { mostCells, signal });
  const found = all.slice(0, near.length).flatMap(({ atMs, formula }): FrozenHere[] => {
    const doubt = isAll ? null : tooMany;
    const move = moved.get(formula);
    if (move && "here" in move)
      return covers(move.here, cell) ? [{ formula: move.here, atMs, edited: null, doubt }] : [];
    if (!covers(formula, cell)) return [];
    if (standing.has(formula)) return [{ formula, atMs, edited: null, doubt: move?.reason ?? doubt }];
    if (move && !move.isUnsearched) return [{ formula, atMs, edited: null, doubt: move.reason }];
    const { shown: shownNow, hasFormula } = standingIn(formula, contents);
    const { sheetId, row, column } = formula;
    const edited: GivenUpValue = { sheetId, row, column, shown: shownNow };
    // Another formula now stands in the place of the frozen one.
    return hasFormula ? [] : [{ formula, atMs, edited, doubt: move?.reason ?? doubt }];
  });
  const unread = all.slice(near.length).filter(({ formula }) => covers(formula, cell));
  found.push(...unread.map((each) => ({ ...each, edited: null, doubt: tooLarge })));
  const isSure = ({ edited, doubt }: FrozenHere) => edited === null && doubt === null;
  return found.find(isSure) ?? found[0] ?? null;
}

function covers(area: FrozenFormula, { sheetId, row, column }: Here): boolean {
  return doMeet(area, { sheetId, row, column, rows: 1, columns: 1 });
}
