import { formatAddress, intersect, MAX_COLUMNS, MAX_ROWS, parseAddress } from "../../address";
import { joinCells } from "./ranges/joined-cells";
import {
  formulaIn,
  type Rect,
  type Spreadsheet,
  type SpreadsheetEvent,
  type TableInfo,
} from "../../spreadsheet";

/**
 * The kinds of objects that have handlers: the workbook, one sheet or all sheets, all tables of a sheet or of the workbook, one table, all
 * charts of a sheet, or one chart.
 */
type Teller = "workbook" | "sheets" | "tables" | "table" | "charts" | "chart";

/** The events: Excel's number (`EventType` of office.js), the wire name (after `_Register`), and the objects that raise it. */
const kinds = {
  changed: [10, "DataChangedEvent", ["sheets"]],
  activated: [11, "ActivatedEvent", ["sheets"]],
  deactivated: [12, "DeactivatedEvent", ["sheets"]],
  added: [13, "AddedEvent", ["sheets"]],
  selected: [14, "SelectionChangedEvent", ["sheets"]],
  deleted: [15, "DeletedEvent", ["sheets"]],
  calculated: [16, "CalculatedEvent", ["sheets"]],
  "row-sorted": [19, "RowSortedEvent", ["sheets"]],
  "column-sorted": [20, "ColumnSortedEvent", ["sheets"]],
  clicked: [21, "SingleClickedEvent", ["sheets"]],
  "formula-changed": [23, "FormulaChangedEvent", ["sheets"]],
  "protection-changed": [24, "ProtectionChangedEvent", ["sheets"]],
  renamed: [25, "EventNameChanged", ["sheets"]],
  "visibility-changed": [26, "EventVisibilityChanged", ["sheets"]],
  moved: [27, "EventMoved", ["sheets"]],
  "chart-added": [50, "AddedEvent", ["charts"]],
  /** Nobody activates a chart here, because charts let the pointer through. */
  "chart-activated": [51, "ActivatedEvent", ["charts", "chart"]],
  "chart-deactivated": [52, "DeactivatedEvent", ["charts", "chart"]],
  "chart-deleted": [53, "DeletedEvent", ["charts"]],
  "table-selected": [100, "SelectionChangedEvent", ["table"]],
  "table-changed": [101, "DataChangedEvent", ["tables", "table"]],
  "table-added": [102, "AddedEvent", ["tables"]],
  "table-deleted": [103, "DeletedEvent", ["tables"]],
  "workbook-activated": [2203, "ActivatedEvent", ["workbook"]],
} as const satisfies Record<string, [type: number, name: string, tellers: readonly Teller[]]>;

/** Events that the members tell of. */
export type ToldKind =
  | ("row-sorted" | "column-sorted" | "protection-changed" | "renamed" | "visibility-changed" | "moved")
  | ("chart-added" | "chart-deleted");

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
  /** False while the add-in wants to hear of nothing (`Runtime.enableEvents`). */
  isEnabled: boolean;
  /** `_Register…Event` and `_Unregister…Event`; the target is a sheet's id, a table's or ANY_SHEET. */
  calls(teller: Teller, target: string): Record<string, () => void>;
  /** Tells of what an object of the API has done to a sheet; the grid tells of all else by itself. */
  tell(kind: ToldKind, sheetId: string, told: object): void;
  /** The workbook has come in front of others. */
  workbookActivated(): void;
  visibilityChanged(visible: boolean): void;
  close(): void;
}

/**
 * Sends the add-in the events of the workbook that it has registered for. `ownWrite` is true while a
 * request of the add-in is being executed.
 */
export function createObjectEvents(
  spreadsheet: Spreadsheet,
  send: (entries: MessageEntry[]) => void,
  ownWrite: () => boolean,
): ObjectEvents {
  const registered = new Set<string>();
  const formulas = createFormulaWatch(spreadsheet);
  const post = (entries: MessageEntry[]) => void (events.isEnabled && send(entries));
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

  /** "Only triggered when the cell already contains a formula. The new cell value may not include a formula" (Worksheet.onFormulaChanged). */
  const tellFormulas = (sheetId: string, rect: Rect): MessageEntry[] => {
    if (![...registered].some((one) => one.startsWith(`${kinds["formula-changed"][0]} `))) return [];
    const formulaDetails = formulas.changes(sheetId, rect);
    if (formulaDetails.length === 0) return [];
    return entriesOf("formula-changed", [sheetId, ANY_SHEET], { worksheetId: sheetId, formulaDetails });
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
    return [
      ...entriesOf("changed", [sheetId, ANY_SHEET], change),
      ...changed,
      ...tellFormulas(sheetId, rect),
    ];
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
      case "clicked": {
        const { row, column, offsetX, offsetY } = event;
        const address = formatAddress(null, { row, column, rows: 1, columns: 1 });
        return entriesOf(kind, targets, { worksheetId: sheetId, address, offsetX, offsetY });
      }
      case "calculated": {
        if (!targets.some((target) => registered.has(`${kinds.calculated[0]} ${target}`))) return [];
        const areas = joinCells(event.rects());
        const address = areas.map((rect) => formatAddress(null, rect)).join();
        return entriesOf(kind, targets, { worksheetId: sheetId, address });
      }
      case "added":
      case "deleted":
        return entriesOf(kind, targets, { worksheetId: sheetId });
    }
  };

  // No event tells the add-in of moved cells.
  const close = spreadsheet.on((event) => {
    if (event.kind !== "moved") return post(entriesFor(event));
    formulas.begin();
  });

  const events: ObjectEvents = {
    isEnabled: true,
    calls: (wanted, target) =>
      Object.fromEntries(
        Object.values(kinds)
          .filter(([, , tellers]) => (tellers as readonly Teller[]).includes(wanted))
          .flatMap(([type, name]) => [
            [
              `_Register${name}`,
              () => {
                if (type === kinds["formula-changed"][0]) formulas.begin();
                registered.add(`${type} ${target}`);
              },
            ],
            [`_Unregister${name}`, () => void registered.delete(`${type} ${target}`)],
          ]),
      ),
    tell: (kind, sheetId, told) =>
      post(entriesOf(kind, [sheetId, ANY_SHEET], { worksheetId: sheetId, ...told })),
    workbookActivated: () => post(entriesOf("workbook-activated", [ANY_SHEET], {})),
    visibilityChanged(visible) {
      const json = JSON.stringify({ visibility: visible ? "Visible" : "Hidden" });
      send([[OBJECT_EVENTS, VISIBILITY_CHANGED, "", json, 0, false]]);
    },
    close,
  };
  return events;
}

/** Knows the formulas of all sheets as they were, so that a change can be told with the formula before. */
function createFormulaWatch(spreadsheet: Spreadsheet) {
  const all = { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS };
  /** By the sheet's id, then by address. */
  let known = new Map<string, Map<string, string>>();
  const read = (sheetId: string, within: Rect): Map<string, string> => {
    const used = spreadsheet.usedRect(sheetId, true, within);
    const cells = used ? spreadsheet.read(sheetId, used) : [];
    return new Map(
      cells.flatMap((row, down) =>
        row.flatMap((cell, across): [string, string][] => {
          const formula = formulaIn(cell);
          if (!used || formula === undefined) return [];
          const at = { row: used.row + down, column: used.column + across, rows: 1, columns: 1 };
          return [[formatAddress(null, at), formula]];
        }),
      ),
    );
  };
  return {
    begin() {
      known = new Map(spreadsheet.sheets().map(({ id }) => [id, read(id, all)]));
    },
    /** The cells of the rectangle whose formulas are others than before, with those before. */
    changes(sheetId: string, rect: Rect): { cellAddress: string; previousFormula: string }[] {
      const before = known.get(sheetId) ?? new Map<string, string>();
      const now = read(sheetId, rect);
      const isInside = (address: string) => {
        const parsed = parseAddress(address);
        return parsed !== null && intersect(parsed.rect, rect) !== null;
      };
      const changed = [...before].filter(
        ([address, formula]) => isInside(address) && now.get(address) !== formula,
      );
      for (const [address] of changed) before.delete(address);
      for (const [address, formula] of now) before.set(address, formula);
      known.set(sheetId, before);
      return changed.map(([cellAddress, previousFormula]) => ({ cellAddress, previousFormula }));
    },
  };
}
