import { config } from "../../../config";
import { partsWithin } from "../../../lists";
import {
  bytesOfCells,
  type CellContent,
  contentAfter,
  type Entry,
  holds,
  isFormula,
} from "../cells/cell-content";
import { named, withDetail } from "../cells/changed-meanwhile";
import { freeSheetName } from "../layout/sheet-name";
import { mayWrite } from "../write-access";
import { deleteAddedSheet } from "./inserted-cells";

/** A sheet that was added. */
export interface AddedSheet {
  sheet: Excel.Worksheet;
  id: string;
  name: string;
}

/**
 * Adds a sheet at the end of the workbook and fills it from A1 on, with all rows of the same length; `finish` then does the rest. If that
 * fails, the sheet is deleted again, found by its id. It stays if somebody has entered something there meanwhile, and the failure says so.
 *
 * @example
 * const { name } = await addFilledSheet(context, { name: "Fees", rows: [[textCell("Fee")]] }, ({ sheet }) => sheet.activate());
 */
export async function addFilledSheet(
  context: Excel.RequestContext,
  { name: wantedName, rows }: { name: string; rows: readonly (readonly Entry[])[] },
  finish: (added: AddedSheet) => void,
): Promise<AddedSheet> {
  await mayWrite(context);
  const sheets = context.workbook.worksheets.load("items/name");
  await context.sync();
  const taken = sheets.items.map((sheet) => sheet.name);
  const sheet = sheets.add(freeSheetName(wantedName, taken)).load("id,name");
  await context.sync();
  const added = { sheet, id: sheet.id, name: sheet.name };
  try {
    let first = 0;
    for (const part of partsOfRows(rows)) {
      const range = sheet.getRangeByIndexes(first, 0, part.length, part[0]?.length ?? 1);
      // The format is set first, so that a text that looks like a number or a formula stays text.
      range.numberFormat = part.map((row) => row.map(({ numberFormat }) => numberFormat));
      range.formulas = part.map((row) => row.map(({ value }) => value));
      first += part.length;
      if (first < rows.length) {
        // eslint-disable-next-line office-addins/no-context-sync-in-loop
        await context.sync();
      }
    }
    finish(added);
    await context.sync();
  } catch (thrown) {
    throw await deletedAgain(context, added, rows, thrown);
  }
  return added;
}

/** Rows in groups that one request of Excel on the web takes. */
function partsOfRows(rows: readonly (readonly Entry[])[]): (readonly Entry[])[][] {
  return partsWithin(rows, (row) => bytesOfCells(row.map(({ value }) => value)), { room: config.writeBytes });
}

/** Deletes the sheet if nothing but `rows` stands on it. Returns the failure, which says if the sheet is still there. */
async function deletedAgain(
  context: Excel.RequestContext,
  { id, name }: AddedSheet,
  rows: readonly (readonly Entry[])[],
  thrown: unknown,
): Promise<unknown> {
  const sheet = context.workbook.worksheets.getItemOrNullObject(id).load("name");
  try {
    const left = await deleteAddedSheet(context, sheet, (cell) =>
      isEntered(cell, rows[cell.row]?.[cell.column]),
    );
    if (left.length === 0) return thrown;
    return withDetail(
      thrown,
      `Somebody has written on the new sheet “${sheet.name}”, so it stays: ${named(left)}.`,
    );
  } catch {
    return withDetail(thrown, `The new sheet “${name}” could not be deleted again.`);
  }
}

/** True if a cell holds what was entered. Excel may write a formula in another way. */
export function isEntered(content: CellContent, entry: Entry | undefined): boolean {
  const expected = entry && contentAfter(entry);
  return expected?.formula !== undefined
    ? isFormula(content)
    : expected !== undefined && holds(content, expected);
}
