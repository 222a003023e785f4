import { formatAddress } from "../../address";
import type { Spreadsheet, SpreadsheetEvent } from "../../spreadsheet";

/** Excel's numbers and wire names (`_Register…Event`) of what happens in the workbook. */
const kinds: Record<Exclude<SpreadsheetEvent["kind"], "moved">, [type: number, name: string]> = {
  changed: [10, "DataChanged"],
  activated: [11, "Activated"],
  selected: [14, "SelectionChanged"],
  deleted: [15, "Deleted"],
};

/** The target of handlers on the collection of all sheets. */
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
  /** `_Register…Event` and `_Unregister…Event` of an object; the target is a sheet's id or ANY_SHEET. */
  calls(target: string): Record<string, () => void>;
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
    const [type, name] = kinds[kind];
    const json = JSON.stringify({
      worksheetId: sheetId,
      source: "Local",
      ...("rect" in event && { address: formatAddress(null, event.rect) }),
      ...("rects" in event && { address: event.rects.map((rect) => formatAddress(null, rect)).join() }),
      ...(kind === "changed" && {
        changeType: "RangeEdited",
        triggerSource: ownWrite() ? "ThisLocalAddin" : "Unknown",
      }),
    });
    const targets = [sheetId, ANY_SHEET].filter((target) => registered.has(`${name} ${target}`));
    post(targets.map((target) => [OBJECT_EVENTS, type, target, json, 0, false]));
  });

  return {
    calls: (target) =>
      Object.fromEntries(
        Object.values(kinds).flatMap(([, name]) => [
          [`_Register${name}Event`, () => void registered.add(`${name} ${target}`)],
          [`_Unregister${name}Event`, () => void registered.delete(`${name} ${target}`)],
        ]),
      ),
    visibilityChanged(visible) {
      const json = JSON.stringify({ visibility: visible ? "Visible" : "Hidden" });
      post([[OBJECT_EVENTS, VISIBILITY_CHANGED, "", json, 0, false]]);
    },
    close,
  };
}
