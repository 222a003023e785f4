import { MAX_COLUMNS, MAX_ROWS } from "../../../address";
import type { Rect } from "../../../spreadsheet";
import { HostError, notModelled } from "../../host-error";
import { integer, kept, mustNotBeProtected, type Family, type Model } from "../object-model";

/** "The acceptable argument range is between 0 and 8" (Worksheet.showOutlineLevels in @types/office-js): seven groups in each other. */
const MOST_LEVELS = 8;

export const outlineAxes = ["row", "column"] as const;
export type OutlineAxis = (typeof outlineAxes)[number];

/** How many groups each line of a sheet is in; lines in none are left out. */
type Levels = Readonly<Record<number, number>>;

/** Groups of rows and columns, which are shown and hidden together. The workbench keeps them, and shows no buttons for them. */
export const outlineFamily: Family<"Range" | "Worksheet"> = {
  Range({ sheetId, rect }, model) {
    const regroup = (option: unknown, by: 1 | -1) => {
      mustNotBeProtected(sheetId, model);
      const { axis, first, count } = linesOf(rect, option);
      const outline = levelsOf(sheetId, axis, model);
      const next: Record<number, number> = { ...outline.get() };
      for (let line = first; line < first + count; line += 1) {
        const level = Math.max(0, (next[line] ?? 0) + by);
        // Excel's own dialog refuses an eighth group. Microsoft does not document the API here: the strict assumption.
        if (level >= MOST_LEVELS)
          throw new HostError("InvalidOperation", "more than eight levels of an outline");
        if (level > 0) next[line] = level;
        else delete next[line];
      }
      outline.set(next);
    };
    const showDetails = (option: unknown, isShown: boolean) => {
      mustNotBeProtected(sheetId, model);
      const { axis, first, count } = linesOf(rect, option);
      const levels = levelsOf(sheetId, axis, model).get();
      const lines = Array.from({ length: count }, (_, index) => first + index);
      const own = lines.map((line) => levels[line] ?? 0);
      const outermost = Math.min(...own);
      const isGroup =
        outermost > 0 && [first - 1, first + count].every((line) => (levels[line] ?? 0) < outermost);
      // Microsoft does not say which group a range means that is none as a whole.
      if (!isGroup) throw notModelled("details of a range that is not one group");
      if (isShown && own.some((level) => level > outermost))
        throw notModelled("Range.ShowGroupDetails of groups in each other");
      hide(sheetId, axis, lines, !isShown, model);
    };
    return {
      calls: {
        Group: (option) => regroup(option, 1),
        Ungroup: (option) => regroup(option, -1),
        HideGroupDetails: (option) => showDetails(option, false),
        ShowGroupDetails: (option) => showDetails(option, true),
      },
    };
  },

  Worksheet: ({ sheetId }, model) => ({
    calls: {
      ShowOutlineLevels(rowLevels, columnLevels) {
        mustNotBeProtected(sheetId, model);
        const wanted = { row: count(rowLevels), column: count(columnLevels) };
        const outlines = outlineAxes.map((axis) => ({ axis, levels: levelsOf(sheetId, axis, model).get() }));
        // VBA's Outline.ShowLevels fails where nothing is grouped. Microsoft does not document the API here: the strict assumption.
        if (outlines.every(({ levels }) => Object.keys(levels).length === 0))
          throw new HostError("InvalidOperation", "nothing is grouped");
        for (const { axis, levels } of outlines) {
          // "A value of 0 does not change the current display" (Worksheet.showOutlineLevels in @types/office-js).
          if (wanted[axis] === 0) continue;
          const lines = Object.keys(levels).map(Number);
          const isDetail = (line: number) => levels[line]! >= wanted[axis];
          hide(sheetId, axis, lines.filter(isDetail), true, model);
          hide(
            sheetId,
            axis,
            lines.filter((line) => !isDetail(line)),
            false,
            model,
          );
        }
      },
    },
  }),
};

/** The levels of a sheet's outline, which follow their lines (rich-api.ts). */
export function levelsOf(sheetId: string, axis: OutlineAxis, model: Pick<Model, "document">) {
  return kept<Levels>(model, sheetId, `${axis} outline`, { read: (value) => value as Levels, initial: {} });
}

/**
 * The rows or columns that an option of a range means. "An InvalidArgument error is thrown when the group option differs from the range's
 * isEntireRow or isEntireColumn property" (Range.group in @types/office-js).
 */
function linesOf(rect: Rect, option: unknown): { axis: OutlineAxis; first: number; count: number } {
  const axis = option === "ByRows" ? "row" : option === "ByColumns" ? "column" : null;
  if (axis === null) throw new HostError("InvalidArgument", `group option ${String(option)}`);
  const isOther = axis === "row" ? rect.rows === MAX_ROWS : rect.columns === MAX_COLUMNS;
  if (isOther) throw new HostError("InvalidArgument", `the range is not grouped ${String(option)}`);
  return { axis, first: rect[axis], count: rect[`${axis}s`] };
}

function count(levels: unknown): number {
  const wanted = integer(levels);
  if (wanted < 0 || wanted > MOST_LEVELS) throw new HostError("InvalidArgument", `${wanted} levels`);
  return wanted;
}

function hide(
  sheetId: string,
  axis: OutlineAxis,
  lines: readonly number[],
  isHidden: boolean,
  { spreadsheet }: Model,
): void {
  for (const line of lines)
    if (axis === "row") spreadsheet.hideRows(sheetId, line, 1, isHidden);
    else spreadsheet.hideColumns(sheetId, line, 1, isHidden);
}
