import type { Rect } from "../../spreadsheet";
import { notModelled } from "../host-error";
import type { Model } from "./object-model";

/** A cell, a column of a table or another sheet; texts and names of functions apart. */
const reference = /(?<![\w.$])\$?[A-Z]{1,3}\$?\d{1,7}(?![\w.(])|\$?\b[A-Z]{1,3}:\$?[A-Z]{1,3}\b|[[!]/i;

/** Excel's formulas follow when their cells move. Here they stay as they are: those that refer to cells do not move. */
export function mustMoveAsTheyAre(sheetId: string, rect: Rect, { spreadsheet }: Model, member: string): void {
  const cells = spreadsheet.read(sheetId, rect).flat();
  const refers = cells.some(({ formula, value }) => {
    const text = String(formula);
    return (
      text.startsWith("=") && formula !== value && reference.test(text.replaceAll(/"(?:[^"]|"")*"/g, ""))
    );
  });
  if (refers) throw notModelled(`${member} of formulas that refer to cells`);
}
