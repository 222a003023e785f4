import { doMeet } from "../sheet/cells/formula-search";
import type { SelectedCell } from "../sheet/cells/selected-cell";
import { fingerprint } from "../sheet/values/fingerprint";
import type { Workbook } from "../sheet/workbook";
import { withinCells } from "./compare";
import { type FrozenPart, frozenIn, type GivenUp, mostCells, standingIn, whereFrozen } from "./freeze";
import type { FrozenFormula } from "./frozen-formulas";

/** The formula that was frozen in a cell, as far as can be told. */
export interface FrozenHere {
  /** As it would be entered, in the cell where it goes. */
  formula: FrozenFormula;
  /** When it was frozen. */
  atMs: number;
  /** What was typed over it since: unfreezing takes this to write over it. Null where the frozen values stand. */
  edited: GivenUp | null;
  /** Why it can't be told whether its values are those that stand here. */
  doubt: string | null;
}

type Here = Pick<SelectedCell, "sheetId" | "row" | "column" | "value">;

/**
 * The frozen formula whose values a cell shows, found as `unfreezeFormulas` finds it: where it was, or where it was moved to. Null
 * where there is none. Reads nothing for a cell that no frozen formula of the workbook can be in; a larger result is only looked
 * for where it was frozen.
 */
export async function frozenHere(
  cell: Here,
  parts: readonly FrozenPart[],
  workbook: Pick<Workbook, "scopeNow" | "readCells" | "readPlainCells">,
  signal: AbortSignal,
): Promise<FrozenHere | null> {
  const shown = fingerprint([[cell.value]]);
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
  const near = withinCells(
    ofSheet.map(({ formula }) => formula),
    mostCells,
  );
  const { contents, standing, moved } = await whereFrozen(near, workbook, { signal });
  const found = ofSheet.slice(0, near.length).flatMap(({ atMs, formula }): FrozenHere[] => {
    const move = moved.get(formula);
    if (move && "here" in move) {
      return covers(move.here, cell) ? [{ formula: move.here, atMs, edited: null, doubt: null }] : [];
    }
    if (!covers(formula, cell)) return [];
    if (move) return [{ formula, atMs, edited: null, doubt: move.reason }];
    if (standing.has(formula)) return [{ formula, atMs, edited: null, doubt: null }];
    const { shown: shownNow, hasFormula } = standingIn(formula, contents);
    const { sheetId, row, column } = formula;
    const edited: GivenUp = { sheetId, row, column, shown: shownNow };
    // Another formula has taken its place.
    return hasFormula ? [] : [{ formula, atMs, edited, doubt: null }];
  });
  const isSure = ({ edited, doubt }: FrozenHere) => edited === null && doubt === null;
  return found.find(isSure) ?? found[0] ?? null;
}

function covers(area: FrozenFormula, { sheetId, row, column }: Here): boolean {
  return doMeet(area, { sheetId, row, column, rows: 1, columns: 1 });
}
