import { formatAddress, parseAddress } from "../address";
import type { Rect, Spreadsheet } from "../spreadsheet";

/** Excel's numbers for the events of sheets, by the name in `_Register…Event`. */
const kinds = {
  DataChanged: 10,
  Activated: 11,
  Deactivated: 12,
  Added: 13,
  SelectionChanged: 14,
  Deleted: 15,
};

type EventKind = keyof typeof kinds;

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
  let active = spreadsheet.activeSheet().id;

  const fire = (kind: EventKind, sheetId: string, details: object = { source: "Local" }) => {
    const json = JSON.stringify({ worksheetId: sheetId, ...details });
    const targets = [sheetId, ANY_SHEET].filter((target) => registered.has(`${kind} ${target}`));
    post(targets.map((target) => [OBJECT_EVENTS, kinds[kind], target, json, 0, false]));
  };

  const stops = [
    spreadsheet.on("changed", ({ sheetId, rect }) =>
      fire("DataChanged", sheetId, {
        address: formatAddress(null, rect),
        changeType: "RangeEdited",
        source: "Local",
        triggerSource: ownWrite() ? "ThisLocalAddin" : "Unknown",
        shiftDirection: "None",
        referenceId: `${formatAddress(null, rect)} ${sheetId}`,
      }),
    ),
    spreadsheet.on("selected", ({ sheetId, rect }) =>
      fire("SelectionChanged", sheetId, { address: formatAddress(null, rect) }),
    ),
    spreadsheet.on("activated", ({ sheetId }) => {
      if (sheetId === active) return;
      fire("Deactivated", active, {});
      active = sheetId;
      fire("Activated", sheetId, {});
    }),
    spreadsheet.on("added", ({ sheetId }) => fire("Added", sheetId)),
    spreadsheet.on("deleted", ({ sheetId }) => fire("Deleted", sheetId)),
  ];

  return {
    calls: (target) =>
      Object.fromEntries(
        Object.keys(kinds).flatMap((kind) => [
          [`_Register${kind}Event`, () => void registered.add(`${kind} ${target}`)],
          [`_Unregister${kind}Event`, () => void registered.delete(`${kind} ${target}`)],
        ]),
      ),
    visibilityChanged(visible) {
      const json = JSON.stringify({ visibility: visible ? "Visible" : "Hidden" });
      post([[OBJECT_EVENTS, VISIBILITY_CHANGED, "", json, 0, false]]);
    },
    close: () => stops.forEach((stop) => stop()),
  };
}

/** Reads an event's `referenceId`. It names the range itself, so nothing has to be kept for `getRange`. */
export function readEventReference(reference: string): { sheetId: string; rect: Rect } | null {
  const [address = "", sheetId = ""] = reference.split(" ");
  const parsed = parseAddress(address);
  return parsed && { sheetId, rect: parsed.rect };
}
