import { formatAddress, intersect } from "../../address";
import type { Rect, Spreadsheet, SpreadsheetEvent, TableInfo } from "../../spreadsheet";

/** The kinds of objects that have handlers: one sheet or all sheets, all tables of a sheet or of the workbook, or one table. */
type Teller = "sheets" | "tables" | "table";

/** The events: Excel's number (`EventType` of office.js), the wire name (`_Register…Event`), and the objects that raise it. */
const kinds = {
  changed: [10, "DataChanged", ["sheets"]],
  activated: [11, "Activated", ["sheets"]],
  deactivated: [12, "Deactivated", ["sheets"]],
  added: [13, "Added", ["sheets"]],
  selected: [14, "SelectionChanged", ["sheets"]],
  deleted: [15, "Deleted", ["sheets"]],
  "table-selected": [100, "SelectionChanged", ["table"]],
  "table-changed": [101, "DataChanged", ["tables", "table"]],
  "table-added": [102, "Added", ["tables"]],
  "table-deleted": [103, "Deleted", ["tables"]],
} as const satisfies Record<string, [type: number, name: string, tellers: readonly Teller[]]>;

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
  /** `_Register…Event` and `_Unregister…Event`; the target is a sheet's id, a table's or ANY_SHEET. */
  calls(teller: Teller, target: string): Record<string, () => void>;
  visibilityChanged(visible: boolean): void;
  close(): void;
}

/**
 * Sends the add-in the events of the workbook that it has registered for. `ownWrite` is true while a
 * request of the add-in is being executed.
 */
export function createObjectEvents(
  spreadsheet: Spreadsheet,
  post: (entries: MessageEntry[]) => void,
  ownWrite: () => boolean,
): ObjectEvents {
  const registered = new Set<string>();
  let activeSheetId = spreadsheet.selection().sheetId;
  /** The tables that the selection touched at its last event. */
  let selectedTables = new Set<string>();

  const entriesOf = (kind: keyof typeof kinds, targets: string[], told: object): MessageEntry[] => {
    const [type] = kinds[kind];
    const json = JSON.stringify({ source: "Local", ...told });
    return targets
      .filter((target) => registered.has(`${type} ${target}`))
      .map((target) => [OBJECT_EVENTS, type, target, json, 0, false]);
  };
  const tablesOf = (sheetId: string) => spreadsheet.tables().filter((table) => table.sheetId === sheetId);

  /** A table's event has the part of the selection inside it. Its address is empty when the selection has left the table. */
  const tellTables = (sheetId: string, rects: readonly Rect[]): MessageEntry[] => {
    if (![...registered].some((one) => one.startsWith(`${kinds["table-selected"][0]} `))) return [];
    const inside = new Map<string, string>();
    for (const { id, rect } of tablesOf(sheetId)) {
      const parts = rects.flatMap((each) => intersect(each, rect) ?? []);
      if (parts.length > 0) inside.set(id, parts.map((part) => formatAddress(null, part)).join());
    }
    const left = [...selectedTables].filter((id) => !inside.has(id));
    selectedTables = new Set(inside.keys());
    const told = [...inside, ...left.map((id): [string, string] => [id, ""])];
    return told.flatMap(([tableId, address]) =>
      entriesOf("table-selected", [tableId], { worksheetId: sheetId, tableId, address }),
    );
  };

  const tellChange = (sheetId: string, rect: Rect): MessageEntry[] => {
    const change = {
      worksheetId: sheetId,
      address: formatAddress(null, rect),
      changeType: "RangeEdited",
      triggerSource: ownWrite() ? "ThisLocalAddin" : "Unknown",
    };
    const tellsTables = [...registered].some((one) => one.startsWith(`${kinds["table-changed"][0]} `));
    const changed = (tellsTables ? tablesOf(sheetId) : []).flatMap((table: TableInfo) => {
      const part = intersect(table.rect, rect);
      if (!part) return [];
      const { id: tableId } = table;
      const told = { ...change, tableId, address: formatAddress(null, part) };
      return entriesOf("table-changed", [tableId, sheetId, ANY_SHEET], told);
    });
    return [...entriesOf("changed", [sheetId, ANY_SHEET], change), ...changed];
  };

  const entriesFor = (event: Exclude<SpreadsheetEvent, { kind: "moved" }>): MessageEntry[] => {
    const { kind, sheetId } = event;
    const targets = [sheetId, ANY_SHEET];
    switch (kind) {
      case "changed":
        return tellChange(sheetId, event.rect);
      case "selected": {
        const address = event.rects.map((rect) => formatAddress(null, rect)).join();
        return [
          ...entriesOf(kind, targets, { worksheetId: sheetId, address }),
          ...tellTables(sheetId, event.rects),
        ];
      }
      case "activated": {
        const before = activeSheetId;
        activeSheetId = sheetId;
        const left =
          before === sheetId ? [] : entriesOf("deactivated", [before, ANY_SHEET], { worksheetId: before });
        return [...left, ...entriesOf(kind, targets, { worksheetId: sheetId })];
      }
      case "table-added":
      case "table-deleted": {
        const { tableId, tableName } = event;
        const told = { worksheetId: sheetId, tableId, ...(kind === "table-deleted" && { tableName }) };
        return entriesOf(kind, targets, told);
      }
      case "added":
      case "deleted":
        return entriesOf(kind, targets, { worksheetId: sheetId });
    }
  };

  // No event tells the add-in of moved cells.
  const close = spreadsheet.on((event) => void (event.kind === "moved" || post(entriesFor(event))));

  return {
    calls: (wanted, target) =>
      Object.fromEntries(
        Object.values(kinds)
          .filter(([, , tellers]) => (tellers as readonly Teller[]).includes(wanted))
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
