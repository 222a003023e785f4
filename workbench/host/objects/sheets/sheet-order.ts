import { MAX_COLUMNS, MAX_ROWS } from "../../../address";
import { HostError } from "../../host-error";
import { found, mustHaveOpenStructure, position, type Family, type Model, type Ref } from "../object-model";
import { findSheet } from "../range-object";
import { nextName } from "../tables/table-names";

/** The order of the sheets, and copies of sheets. */
export const sheetOrderFamily: Family<"Worksheet"> = {
  Worksheet({ sheetId }, model) {
    const { spreadsheet } = model;
    const place = () => spreadsheet.sheets().findIndex(({ id }) => id === sheetId);
    /** The next sheet in a direction; hidden ones are passed over if only visible ones count. */
    const beside = (step: 1 | -1, visibleOnly: unknown): Ref<"Worksheet"> | null => {
      const sheets = spreadsheet.sheets();
      for (let at = place() + step; at >= 0 && at < sheets.length; at += step) {
        const sheet = sheets[at];
        if (sheet && (visibleOnly !== true || !sheet.isHidden))
          return { type: "Worksheet", sheetId: sheet.id };
      }
      return null;
    };
    return {
      properties: {
        Position: {
          get: place,
          set(wanted) {
            mustHaveOpenStructure(model);
            const [before, after] = [place(), position(wanted, spreadsheet.sheets().length)];
            if (before === after) return;
            spreadsheet.moveSheet(sheetId, after);
            model.events.tell("moved", sheetId, { positionBefore: before, positionAfter: after });
          },
        },
      },
      objects: {
        // "If there are no worksheets following this one, this method will throw an error" (Worksheet.getNext in @types/office-js).
        GetNext: (visibleOnly) => found(beside(1, visibleOnly)),
        GetNextOrNullObject: (visibleOnly) => beside(1, visibleOnly),
        GetPrevious: (visibleOnly) => found(beside(-1, visibleOnly)),
        GetPreviousOrNullObject: (visibleOnly) => beside(-1, visibleOnly),
        Copy(positionType, relativeTo) {
          mustHaveOpenStructure(model);
          const at = placeOfCopy(positionType, relativeTo, model);
          const copyId = copySheet(sheetId, model);
          spreadsheet.moveSheet(copyId, at);
          return { type: "Worksheet", sheetId: copyId };
        },
      },
    };
  },
};

/** "The default value is "None", which inserts the worksheet at the beginning" (Worksheet.copy in @types/office-js). */
function placeOfCopy(type: unknown, relativeTo: unknown, model: Model): number {
  const sheets = model.spreadsheet.sheets();
  if (type === undefined || type === null || type === "None" || type === "Beginning") return 0;
  if (type === "End") return sheets.length;
  if (type !== "Before" && type !== "After")
    throw new HostError("InvalidArgument", `position ${String(type)}`);
  const sheetId = (relativeTo as Ref<"Worksheet"> | null | undefined)?.sheetId;
  const place = sheets.findIndex(({ id }) => id === sheetId);
  if (place < 0) throw new HostError("InvalidArgument", "a sheet beside which the copy goes");
  return type === "Before" ? place : place + 1;
}

/** The name itself where it is free, else with the first free number behind it, as in "Fees (2)". */
export function freeCopyName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number += 1)
    free = `${name.slice(0, 31 - ` (${number})`.length)} (${number})`;
  return free;
}

/** A copy has contents, formats and tables; a table's name is given once, so that of the copy is new. */
function copySheet(sheetId: string, model: Model): string {
  const { spreadsheet } = model;
  const { name } = found(findSheet(model, sheetId));
  const isTaken = (wanted: string) => findSheet(model, wanted) !== null;
  const copy = spreadsheet.addSheet(freeCopyName(name, isTaken));
  const all = { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS };
  const used = spreadsheet.usedRect(sheetId, false, all);
  if (used)
    spreadsheet.copy({ sheetId, rect: used }, { sheetId: copy.id, row: used.row, column: used.column });
  for (const rect of spreadsheet.merged(sheetId)) spreadsheet.merge(copy.id, rect);
  for (const { id: _, ...table } of spreadsheet.tables().filter((one) => one.sheetId === sheetId))
    spreadsheet.addTable({ ...table, sheetId: copy.id, name: nextName("Table", spreadsheet.tables()) });
  return copy.id;
}
