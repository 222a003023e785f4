import { intersect } from "../address";
import type { Rect, Spreadsheet } from "../spreadsheet";
import { HostError } from "./host-error";
import { cellsOfBinding } from "./objects/book/bindings";
import type { KeptBinding, WorkbookDocument } from "./office-document";

/** The numbers of office.js for the kinds of bindings. */
const kindNumbers = { Table: 1, Text: 2, Range: 3 } as const;

/** A binding as the common API of Office knows it. */
interface BindingOnTheWire {
  Name: string;
  BindingType: number;
  RowCount: number;
  ColCount: number;
  HasHeaders: boolean;
}

export interface BindingEvents {
  /** `Office.context.document.bindings.getByIdAsync`; null if there is none. */
  find(id: string): BindingOnTheWire | null;
  /** True for an event of a binding that is there: its changes and selections are told from now on. */
  register(event: string): boolean;
  close(): void;
}

/** Tells the add-in of changes and selections inside of bound cells. */
export function createBindingEvents(
  { spreadsheet, document }: { spreadsheet: Spreadsheet; document: WorkbookDocument },
  raise: (event: string, data: unknown) => void,
  isEnabled: () => boolean,
): BindingEvents {
  const registered = new Set<string>();
  const placeOf = (binding: KeptBinding): Rect | null => {
    try {
      return cellsOfBinding(binding, { spreadsheet });
    } catch (cause) {
      if (cause instanceof HostError) return null;
      throw cause;
    }
  };
  const find = (id: string): BindingOnTheWire | null => {
    const binding = document.bindings.get(id);
    const place = binding && placeOf(binding);
    if (!binding || !place) return null;
    const isTable = binding.type === "Table";
    return {
      ...{ Name: id, BindingType: kindNumbers[binding.type] },
      ...{ RowCount: place.rows, ColCount: place.columns, HasHeaders: isTable },
    };
  };
  const tell = (
    name: "bindingDataChanged" | "bindingSelectionChanged",
    sheetId: string,
    rects: readonly Rect[],
  ) => {
    if (registered.size === 0 || !isEnabled()) return;
    for (const [id, binding] of document.bindings) {
      const place = binding.sheetId === sheetId && registered.has(`${id}_${name}`) ? placeOf(binding) : null;
      const [part] = place ? rects.flatMap((rect) => intersect(rect, place) ?? []) : [];
      if (!place || !part) continue;
      // "If multiple, discontiguous cells are selected, Binding.onSelectionChanged only reports row and column information for one
      // selection" (BindingSelectionChangedEventArgs in @types/office-js). Rows and columns are counted within the binding.
      const subset = {
        ...{ StartRow: part.row - place.row, StartCol: part.column - place.column },
        ...{ RowCount: part.rows, ColCount: part.columns },
      };
      const isSelection = name === "bindingSelectionChanged";
      raise(`${id}_${name}`, { ddaBinding: find(id), ...(isSelection && { subset }) });
    }
  };
  const close = spreadsheet.on((event) => {
    if (event.kind === "changed") tell("bindingDataChanged", event.sheetId, [event.rect]);
    if (event.kind === "selected") tell("bindingSelectionChanged", event.sheetId, event.rects);
  });
  return {
    find,
    register(event) {
      const [, id] = /^(.*)_binding(?:DataChanged|SelectionChanged)$/.exec(event) ?? [];
      if (id === undefined || !find(id)) return false;
      registered.add(event);
      return true;
    },
    close,
  };
}
