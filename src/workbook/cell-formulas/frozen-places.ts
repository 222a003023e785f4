import { config } from "../../config";
import { groupBy } from "../../lists";
import { movedFormula } from "../formula-text/moved-references";
import { cellKey } from "../sheet/cells/formula-search";
import { type PlainCells, placeOf } from "../sheet/cells/plain-cells";
import type { Workbook } from "../sheet/workbook";
import type { FrozenFormula } from "./frozen-formulas";
import { findMoved, mostComparedCells, shownAt } from "./moved-formulas";

/** A formula as a user saw it: see `SeenFormula` in freeze.ts. */
type Seen = Pick<FrozenFormula, "sheetId" | "row" | "column" | "formula">;

/** The place of a formula that was moved or may have been, or the reason why it can't be told. */
export type Moved =
  | {
      /** The formula in its present place, with its relative references shifted. */
      here: FrozenFormula;
      from: { row: number; column: number };
      /** True if the formula has references to cells, or if the values that stand there may belong to another formula. */
      isDoubtful: boolean;
    }
  | { reason: string; isUnsearched?: boolean };

/**
 * Searches the sheets of frozen formulas for formulas that were moved. `frozen` holds all frozen formulas of these sheets, as
 * `locateFrozen` finds them, newest first. `standing` holds those whose values are still in place, and `seen` those that the user wants
 * where they were shown. The result leaves out formulas that certainly were not moved and formulas whose values stand nowhere.
 */
export async function findMovedFormulas(
  frozen: readonly FrozenFormula[],
  standing: ReadonlySet<FrozenFormula>,
  workbook: Pick<Workbook, "readPlainCells">,
  {
    seen,
    mostCells = config.searchedCells,
    signal,
  }: {
    seen: readonly Seen[];
    /** Sheets with more used cells are not searched. */
    mostCells?: number | undefined;
    signal: AbortSignal;
  },
): Promise<Map<FrozenFormula, Moved>> {
  const moved = new Map<FrozenFormula, Moved>();
  for (const [sheetId, all] of groupBy(frozen, (formula) => formula.sheetId)) {
    // If several formulas were frozen in one cell, only one of them counts.
    const ofCells = groupBy(all, ({ row, column }) => cellKey(sheetId, row, column));
    const ofSheet = [...ofCells.values()].flatMap(
      (each) => each.find((one) => standing.has(one)) ?? each.slice(0, 1),
    );
    if (ofSheet.every((formula) => standing.has(formula))) continue;
    const sheet = await workbook.readPlainCells(sheetId, mostCells, signal);
    if (!sheet) {
      for (const formula of ofSheet) if (!standing.has(formula)) moved.set(formula, tooFull);
      continue;
    }
    for (const [formula, placing] of findMoved(ofSheet, standing, sheet, placesSeen(ofSheet, seen, sheet))) {
      // Its values stand in the old place, and its relative references are right there.
      if (standing.has(formula) && placing.status !== "found" && isRelative(formula)) continue;
      if (placing.status === "several") moved.set(formula, { reason: "has its values in several places" });
      if (placing.status === "not-searched") moved.set(formula, tooFull);
      if (placing.status !== "found") continue;
      const { row, column, isSure } = placing;
      const by = { rows: row - formula.row, columns: column - formula.column };
      if (by.rows !== 0 || by.columns !== 0) moved.set(formula, movedTo(formula, by, isSure));
      else if (!isSure && !isRelative(formula)) moved.set(formula, movedTo(formula, by, isSure));
    }
  }
  return moved;
}

/** A limit, because a foreign workbook may hold any number of formulas that show the same values. */
const mostTries = 10_000;

/** The places where a user has seen formulas and wants them, if their values still stand there. */
function placesSeen(
  formulas: readonly FrozenFormula[],
  seen: readonly Seen[],
  sheet: PlainCells,
): Map<FrozenFormula, number> {
  const places = new Map<FrozenFormula, number>();
  let tries = 0;
  const sizes = groupBy(formulas, ({ rows, columns }) => `${rows} ${columns}`);
  for (const ofSize of sizes.values()) {
    const [size] = ofSize;
    if (!size || size.rows * size.columns * seen.length > mostComparedCells) continue;
    const alike = groupBy(ofSize, ({ shown }) => shown);
    for (const { sheetId, row, column, formula } of seen) {
      const shown = sheetId === size.sheetId ? shownAt(size, placeOf(row, column), sheet) : null;
      const wanted = alike.get(shown ?? "")?.find((each) => {
        const by = { rows: row - each.row, columns: column - each.column };
        return (
          !places.has(each) &&
          (tries += 1) <= mostTries &&
          movedFormula(each.formula, each.sheetName, by)?.formula === formula
        );
      });
      if (wanted) places.set(wanted, placeOf(row, column));
    }
  }
  return places;
}

const tooFull: Moved = { reason: "its sheet is too full to look for its values", isUnsearched: true };

/** True if the formula has relative references, so that its text changes when it moves. */
function isRelative({ formula, sheetName }: FrozenFormula): boolean {
  return movedFormula(formula, sheetName, { rows: 1, columns: 1 })?.formula !== formula;
}

function movedTo(formula: FrozenFormula, by: { rows: number; columns: number }, isSure: boolean): Moved {
  const text = movedFormula(formula.formula, formula.sheetName, by);
  if (!text) return { reason: "was moved to where its references would leave the sheet, or can't be read" };
  const { row, column } = formula;
  return {
    here: { ...formula, row: row + by.rows, column: column + by.columns, formula: text.formula },
    from: { row, column },
    isDoubtful: text.hasCells || !isSure,
  };
}
