import { between, isSameRect, MAX_COLUMNS, MAX_ROWS } from "../../address";
import { type LineShift, shiftedRect } from "../../line-shift";
import { shiftedFormula } from "../../shifted-formula";
import {
  type CellValue,
  formulaIn,
  type Rect,
  type Spreadsheet,
  type SpreadsheetEvent,
} from "../../spreadsheet";

type Inside = Pick<
  Spreadsheet,
  | "sheets"
  | "read"
  | "writeFormulas"
  | "usedRect"
  | "copy"
  | "clear"
  | "merged"
  | "merge"
  | "unmerge"
  | "tables"
  | "updateTable"
  | "names"
  | "addName"
  | "deleteName"
  | "link"
  | "linkTip"
  | "setLink"
>;

const everything = between(0, 0, MAX_ROWS - 1, MAX_COLUMNS - 1);

/** Univer's own command moves cells of the active sheet alone, later, and selects them; so they are copied here. */
export function createMoving(
  inside: Inside,
  emit: (event: SpreadsheetEvent) => void,
): Pick<Spreadsheet, "moveCells"> {
  return {
    moveCells(sheetId, shift) {
      const { axis, at, by, strip } = shift;
      const follow = (rect: Rect) => shiftedRect(rect, shift);
      const sheetName = inside.sheets().find(({ id }) => id === sheetId)?.name;
      const formulas = changedFormulas(inside, shift, (own, named) => (named ?? own) === sheetName);
      const merged = inside.merged(sheetId).flatMap((rect) => {
        const now = follow(rect);
        return now && isSameRect(now, rect) ? [] : [{ rect, now }];
      });
      for (const { rect } of merged) inside.unmerge(sheetId, rect);
      const lines = (first: number, end: number): Rect =>
        axis === "row"
          ? between(first, strip.from, end - 1, strip.from + strip.size - 1)
          : between(strip.from, first, strip.from + strip.size - 1, end - 1);
      const [down, right] = axis === "row" ? [by, 0] : [0, by];
      const first = Math.max(at, at - by);
      const used = inside.usedRect(sheetId, false, lines(first, axis === "row" ? MAX_ROWS : MAX_COLUMNS));
      const end = used ? (axis === "row" ? used.row + used.rows : used.column + used.columns) : first;
      if (used) {
        const links = linksOf(inside, sheetId, used);
        for (const {
          at: { row, column },
        } of links)
          inside.setLink(sheetId, row, column, null);
        const rect = lines(first, end);
        inside.copy({ sheetId, rect }, { sheetId, row: rect.row + down, column: rect.column + right });
        for (const {
          at: { row, column },
          link,
          tip,
        } of links)
          inside.setLink(sheetId, row + down, column + right, link, tip);
      }
      const vacated = by > 0 ? lines(at, at + by) : lines(end + by, end);
      inside.clear(sheetId, vacated, { contents: true, formats: true });
      for (const { now } of merged) if (now) inside.merge(sheetId, now);
      for (const { id, sheetId: own, rect } of inside.tables()) {
        const now = own === sheetId ? follow(rect) : rect;
        if (now && !isSameRect(now, rect)) inside.updateTable(id, { rect: now });
      }
      for (const name of inside.names()) {
        const formula = shiftedFormula(name.formula, shift, (named) => named === sheetName);
        if (formula === name.formula) continue;
        inside.deleteName(name);
        inside.addName({ ...name, formula });
      }
      for (const { sheetId: own, rect, formula } of formulas) {
        const now = own === sheetId ? follow(rect) : rect;
        if (now) inside.writeFormulas(own, now, [[formula]]);
      }
      emit({ kind: "moved", sheetId, follow });
    },
  };
}

/** The formulas that refer to other places then, where they stand before. */
function changedFormulas(
  inside: Inside,
  shift: LineShift,
  isMeant: (own: string, named: string | undefined) => boolean,
): { sheetId: string; rect: Rect; formula: CellValue }[] {
  return inside.sheets().flatMap(({ id: sheetId, name }) => {
    const used = inside.usedRect(sheetId, true, everything);
    if (!used) return [];
    return inside.read(sheetId, used).flatMap((cells, down) =>
      cells.flatMap((cell, across) => {
        const formula = formulaIn(cell);
        if (formula === undefined) return [];
        const changed = shiftedFormula(formula, shift, (named) => isMeant(name, named));
        if (changed === formula) return [];
        const rect = { row: used.row + down, column: used.column + across, rows: 1, columns: 1 };
        return [{ sheetId, rect, formula: changed }];
      }),
    );
  });
}

function linksOf({ link, linkTip }: Inside, sheetId: string, rect: Rect) {
  const links: { at: Rect; link: string; tip: string | undefined }[] = [];
  for (let row = rect.row; row < rect.row + rect.rows; row += 1)
    for (let column = rect.column; column < rect.column + rect.columns; column += 1) {
      const address = link(sheetId, row, column);
      if (address !== null)
        links.push({
          at: { row, column, rows: 1, columns: 1 },
          ...{ link: address, tip: linkTip(sheetId, row, column) ?? undefined },
        });
    }
  return links;
}
