import { config } from "../../../config";
import { partsWithin } from "../../../lists";
import { bytesOfCells, contentAfter, type Entry, heldBy, holds, isFormula } from "../cells/cell-content";
import { named } from "../cells/changed-meanwhile";
import { cellAddress } from "../layout/cell-address";
import { freeSheetName } from "../layout/sheet-name";
import { mayWrite } from "../write-access";
import { takeBackAdded, type WrittenCell } from "./take-back-added";

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
function deletedAgain(
  context: Excel.RequestContext,
  { id, name }: AddedSheet,
  rows: readonly (readonly Entry[])[],
  thrown: unknown,
): Promise<unknown> {
  const sheet = context.workbook.worksheets.getItemOrNullObject(id).load("name");
  return takeBackAdded(context, thrown, {
    queueOthers: () => queueOthers(sheet, rows),
    remove() {
      if (!sheet.isNullObject) sheet.delete();
    },
    whyItStays(others) {
      if (others.length === 0) return `The new sheet “${name}” could not be deleted again.`;
      const addresses = named(others.map(({ address }) => address));
      return `Somebody has written on the new sheet “${sheet.name}”, so it stays: ${addresses}.`;
    },
  });
}

/** Queues the reading of a sheet's cells. The returned function gives, after the request, those that hold something else than `rows`. */
function queueOthers(sheet: Excel.Worksheet, rows: readonly (readonly Entry[])[]) {
  const used = sheet.getUsedRangeOrNullObject(true).load("address,rowIndex,columnIndex,values,formulas");
  return (): WrittenCell[] => {
    if (used.isNullObject) return [];
    const { rowIndex, columnIndex, address } = used;
    return used.values.flatMap((line: unknown[], down) =>
      line.flatMap((value, across) => {
        const content = { value, formula: used.formulas[down]?.[across] as unknown, numberFormat: "" };
        const planned = rows[rowIndex + down]?.[columnIndex + across];
        const expected = planned && contentAfter(planned);
        // Excel may write a formula in another way.
        const isOurs =
          expected?.formula !== undefined ? isFormula(content) : expected && holds(content, expected);
        const held = heldBy(content);
        return held === "" || isOurs ? [] : [{ address: cellAddress(address, down, across), held }];
      }),
    );
  };
}
