import { formulaIn, type Rect } from "../../spreadsheet";
import { notModelled } from "../host-error";
import type { Model } from "./object-model";

/** Matches a reference to a cell, a column or another sheet, but no function name. Texts must be removed before. */
const reference = /(?<![\w.$])\$?[A-Z]{1,3}\$?\d{1,7}(?![\w.(])|\$?\b[A-Z]{1,3}:\$?[A-Z]{1,3}\b|[[!]/i;

/** Refuses to move formulas that refer to cells, because the workbench does not adjust their references as Excel does. */
export function mustMoveAsTheyAre(sheetId: string, rect: Rect, { spreadsheet }: Model, member: string): void {
  const cells = spreadsheet.read(sheetId, rect).flat();
  const refers = cells.some((cell) =>
    reference.test((formulaIn(cell) ?? "").replaceAll(/"(?:[^"]|"")*"/g, "")),
  );
  if (refers) throw notModelled(`${member} of formulas that refer to cells`);
}
