import { MAX_COLUMNS, MAX_ROWS } from "../../../address";
import type { CellView, Rect } from "../../../spreadsheet";
import { HostError } from "../../host-error";
import { found, text, type Family, type Model, type Ref } from "../object-model";
import { rangeAt } from "../range-object";
import { joinCells, type Place } from "./joined-cells";

/** Searches for texts in cells. */
export const searchFamily: Family<"Range" | "Worksheet"> = {
  Range(self, model) {
    const find = (wanted: unknown, criteria: unknown): Ref<"Range"> | null => {
      const { isBackward, ...how } = searchOf(criteria);
      const places = matches(self.sheetId, placeOfSearch(self.rect), text(wanted), how, model);
      const place = isBackward ? places.at(-1) : places[0];
      return place ? rangeAt(self.sheetId, { ...place, rows: 1, columns: 1 }) : null;
    };
    return {
      objects: {
        Find: (wanted, criteria) => found(find(wanted, criteria)),
        FindOrNullObject: find,
      },
      calls: {
        ReplaceAll(wanted, replacement, criteria) {
          if (typeof replacement !== "string") throw new HostError("InvalidArgument", "text expected");
          return replaceAll(self, { from: text(wanted), to: replacement, how: searchOf(criteria) }, model);
        },
      },
    };
  },

  Worksheet({ sheetId }, model) {
    const findAll = (wanted: unknown, criteria: unknown): Ref<"RangeAreas"> | null => {
      const all = { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS };
      const rects = joinCells(matches(sheetId, all, text(wanted), searchOf(criteria), model));
      return rects.length > 0 ? { type: "RangeAreas", sheetId, rects } : null;
    };
    return {
      objects: {
        FindAll: (wanted, criteria) => found(findAll(wanted, criteria)),
        FindAllOrNullObject: findAll,
      },
    };
  },
};

interface Search {
  isWhole: boolean;
  matchesCase: boolean;
}

/** Reads `Excel.SearchCriteria`; everything that is left out is false, and the search goes forward. */
function searchOf(criteria: unknown): Search & { isBackward: boolean } {
  const { completeMatch, matchCase, searchDirection } = (criteria ?? {}) as Record<string, unknown>;
  if (![undefined, null, "Forward", "Backwards"].includes(searchDirection as string))
    throw new HostError("InvalidArgument", `direction ${String(searchDirection)}`);
  return {
    ...{ isWhole: completeMatch === true, matchesCase: matchCase === true },
    isBackward: searchDirection === "Backwards",
  };
}

/** "If the current range is larger than a single cell, then the search will be limited to that range" (Range.find in @types/office-js). */
function placeOfSearch(rect: Rect): Rect {
  if (rect.rows > 1 || rect.columns > 1) return rect;
  return { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS };
}

/** The cells whose displayed text has the text, row by row. */
function matches(
  sheetId: string,
  within: Rect,
  wanted: string,
  { isWhole, matchesCase }: Search,
  { spreadsheet }: Model,
): Place[] {
  const used = spreadsheet.usedRect(sheetId, true, within);
  if (!used) return [];
  const plain = (shown: string) => (matchesCase ? shown : shown.toLowerCase());
  const isMatch = ({ text: shown }: CellView) =>
    isWhole ? plain(shown) === plain(wanted) : plain(shown).includes(plain(wanted));
  return spreadsheet
    .read(sheetId, used)
    .flatMap((cells, down) =>
      cells.flatMap((cell, across) =>
        isMatch(cell) ? [{ row: used.row + down, column: used.column + across }] : [],
      ),
    );
}

/** Replaces a text in the entries of cells, formulas included, and gives the number of replacements. */
function replaceAll(
  { sheetId, rect }: Ref<"Range">,
  { from, to, how }: { from: string; to: string; how: Search },
  { spreadsheet }: Model,
): number {
  const used = spreadsheet.usedRect(sheetId, true, rect);
  if (!used) return 0;
  const escaped = from.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = new RegExp(how.isWhole ? `^${escaped}$` : escaped, how.matchesCase ? "g" : "gi");
  let count = 0;
  const rows = spreadsheet.read(sheetId, used).map((cells) =>
    cells.map(({ formula }) => {
      const times = [...String(formula).matchAll(pattern)].length;
      count += times;
      return times > 0 ? String(formula).replaceAll(pattern, () => to) : null;
    }),
  );
  spreadsheet.writeFormulas(sheetId, used, rows);
  return count;
}
