import { formatAddress } from "../../address";
import type { Spreadsheet, SpreadsheetEvent } from "../../spreadsheet";

/** Excel's numbers and wire names (`_Register…Event`) of what happens in the workbook, and what tells of it. */
const kinds: Record<
  Exclude<SpreadsheetEvent["kind"], "moved">,
  [type: number, name: string, teller: "sheets" | "tables"]
> = {
  changed: [10, "DataChanged", "sheets"],
  activated: [11, "Activated", "sheets"],
  selected: [14, "SelectionChanged", "sheets"],
  deleted: [15, "Deleted", "sheets"],
  "table-added": [102, "Added", "tables"],
  "table-deleted": [103, "Deleted", "tables"],
};

/** The target of handlers on the collection of all sheets, and on that of all tables. */
export const ANY_SHEET = "Workbook";

/** One entry of a richApiMessage. */
export type MessageEntry = [
  category: number,
  type: number,
  target: string,
  json: string,
  id: number,
  fromAnotherUser: boolean,
];

const OBJECT_EVENTS = 65536;
const VISIBILITY_CHANGED = 65539;

export interface ObjectEvents {
  /** `_Register…Event` and `_Unregister…Event` of sheets or tables; the target is a sheet's id or ANY_SHEET. */
  calls(teller: "sheets" | "tables", target: string): Record<string, () => void>;
  visibilityChanged(visible: boolean): void;
  close(): void;
}

/**
 * Tells the add-in what happens in the workbook, but only what it registered for. `ownWrite` is true while a
 * request of the add-in is being executed.
 */
export function createObjectEvents(
  spreadsheet: Spreadsheet,
  post: (entries: MessageEntry[]) => void,
  ownWrite: () => boolean,
): ObjectEvents {
  const registered = new Set<string>();

  const close = spreadsheet.on((event) => {
    const { kind, sheetId } = event;
    // The add-in hears of no moves.
    if (kind === "moved") return;
    const [type] = kinds[kind];
    const json = JSON.stringify({
      worksheetId: sheetId,
      source: "Local",
      ...("tableId" in event && {
        tableId: event.tableId,
        ...(kind === "table-deleted" && { tableName: event.tableName }),
      }),
      ...("rect" in event && { address: formatAddress(null, event.rect) }),
      ...("rects" in event && { address: event.rects.map((rect) => formatAddress(null, rect)).join() }),
      ...(kind === "changed" && {
        changeType: "RangeEdited",
        triggerSource: ownWrite() ? "ThisLocalAddin" : "Unknown",
      }),
    });
    const targets = [sheetId, ANY_SHEET].filter((target) => registered.has(`${type} ${target}`));
    post(targets.map((target) => [OBJECT_EVENTS, type, target, json, 0, false]));
  });

  return {
    calls: (wanted, target) =>
      Object.fromEntries(
        Object.values(kinds)
          .filter(([, , teller]) => teller === wanted)
          .flatMap(([type, name]) => [
            [`_Register${name}Event`, () => void registered.add(`${type} ${target}`)],
            [`_Unregister${name}Event`, () => void registered.delete(`${type} ${target}`)],
          ]),
      ),
    visibilityChanged(visible) {
      const json = JSON.stringify({ visibility: visible ? "Visible" : "Hidden" });
      post([[OBJECT_EVENTS, VISIBILITY_CHANGED, "", json, 0, false]]);
    },
    close,
  };
}
