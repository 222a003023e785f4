import type { Rect, Spreadsheet } from "../spreadsheet";
import type { WorkbookDocument } from "./document";
import { HostError, notModelled } from "./host-error";
import type { ObjectEvents } from "./object-events";

/** What tells one object of a class from another. Objects are these plain references; the workbook has the state. */
interface Identities {
  Workbook: unknown;
  Application: unknown;
  WorksheetCollection: unknown;
  Worksheet: { sheetId: string };
  WorksheetFreezePanes: { sheetId: string };
  Range: { sheetId: string; rect: Rect };
  RangeFormat: { sheetId: string; rect: Rect };
  RangeFont: { sheetId: string; rect: Rect };
  RangeFill: { sheetId: string; rect: Rect };
  /** Of one sheet, or of the workbook. */
  TableCollection: { sheetId?: string };
  Table: { tableId: string };
  TableColumnCollection: { tableId: string };
  TableColumn: { tableId: string; index: number };
  NamedItemCollection: unknown;
  SettingCollection: unknown;
  Setting: { key: string };
  /** Of one namespace, or of the workbook. */
  CustomXmlPartCollection: { namespace?: string };
  CustomXmlPart: { partId: string };
  CustomFunctions: unknown;
  AppRuntimeService: unknown;
  AppRuntimePersistenceService: unknown;
  AddinInternalService: unknown;
  DynamicRibbon: unknown;
  RibbonTab: { controlId: string };
  RibbonButton: { controlId: string };
}

export type ClassName = keyof Identities;
export type Ref<Name extends ClassName = ClassName> = { [N in Name]: { type: N } & Identities[N] }[Name];

/** What an object offers, by wire name. What is not in these tables is not modelled. */
export interface Members {
  /** By which later requests find the object in its collection. */
  id?: string | number;
  properties?: Record<string, Property>;
  /** Properties that are objects. */
  links?: Record<string, () => Ref>;
  /** Methods that give an object; null is a null object. */
  objects?: Record<string, (...args: unknown[]) => Ref | null>;
  /** Methods that do something or give a value. */
  calls?: Record<string, (...args: unknown[]) => unknown>;
  /** Collections only. */
  items?(): Ref[];
  /** The item of this name or id; null when there is none. */
  item?(key: unknown): Ref | null;
}

export interface Property {
  get(): unknown;
  /** Absent on a property that Excel does not let add-ins set. */
  set?(value: unknown): void;
}

export type Classes<Name extends ClassName> = { [N in Name]: (self: Ref<N>, model: Model) => Members };

/** Whatever the add-in can reach. */
export interface Model {
  readonly spreadsheet: Spreadsheet;
  readonly document: WorkbookDocument;
  readonly events: ObjectEvents;
  readonly shell: Shell;
  readonly runtime: Runtime;
}

/** What the add-in's page says of itself. */
export interface Runtime {
  /** Ribbon commands can be run. */
  actionsReady(): void;
  functionsReady(): void;
  /** Takes results of custom functions, as they stand on the wire. */
  settle(results: unknown): void;
}

/** What the add-in asks of the window around the grid. */
export interface Shell {
  paneVisible(): boolean;
  showPane(visible: boolean): void;
  /** A ribbon control or tab of the manifest, switched by the add-in. */
  updateControl(id: string, state: { enabled?: boolean; visible?: boolean }): void;
  /** The add-in's page gives the keyboard back: to the grid, or to what stands before it in its pane. */
  takeFocus(to: "previous" | "grid"): void;
  /** Something was asked that the workbench does not model, or that went wrong inside. */
  report(problem: string): void;
}

export function readOnly(get: () => unknown): Property {
  return { get };
}

/** A property that the workbench knows at one value only: setting another one throws its name. */
export function fixed(member: string, value: unknown): Property {
  return {
    get: () => value,
    set(wanted) {
      if (wanted !== value) throw notModelled(`${member} = ${JSON.stringify(wanted)}`);
    },
  };
}

/** What all collections have in common. */
export function collection(items: () => Ref[], item: (key: unknown) => Ref | null) {
  return {
    items,
    item,
    objects: {
      GetItemOrNullObject: item,
      GetItemAt: (index: unknown) => found(items()[integer(index)]),
      GetFirst: () => found(items()[0]),
      GetLast: () => found(items().at(-1)),
    },
    calls: { GetCount: () => items().length },
  };
}

export function found<T>(item: T | null | undefined): T {
  if (item === null || item === undefined) throw new HostError("ItemNotFound");
  return item;
}

export function text(value: unknown): string {
  if (typeof value !== "string" || value === "") throw new HostError("InvalidArgument", "text expected");
  return value;
}

export function integer(value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value))
    throw new HostError("InvalidArgument", "whole number expected");
  return value;
}
