import type { Rect, Spreadsheet } from "../../spreadsheet";
import type { WorkbookDocument } from "../office-document";
import type { ContextualTab } from "../contextual-tabs";
import { HostError } from "../host-error";
import type { ExcelVersion } from "../launch";
import type { RequestNote } from "../request-text";
import type { ObjectEvents } from "./object-events";

/** The data that identify an object of each class. Objects are these plain references; the workbook has the state. */
interface Identities {
  Workbook: unknown;
  WorksheetCollection: unknown;
  Worksheet: { sheetId: string };
  WorksheetProtection: { sheetId: string };
  WorkbookProtection: unknown;
  Application: unknown;
  /** The functions of formulas, which the add-in may call. */
  Functions: unknown;
  FunctionResult: { value: unknown; error?: string };
  /** Settings of the add-in in the workbook. */
  SettingCollection: unknown;
  Setting: { key: string };
  BindingCollection: unknown;
  Binding: { id: string };
  /** The switch of events for the add-in. */
  Runtime: unknown;
  WorksheetCustomPropertyCollection: { sheetId: string };
  WorksheetCustomProperty: { sheetId: string; key: string };
  CultureInfo: unknown;
  NumberFormatInfo: unknown;
  DatetimeFormatInfo: unknown;
  RemoveDuplicatesResult: { removed: number; uniqueRemaining: number };
  /** Areas of several sheets. */
  WorkbookRangeAreas: { areas: { sheetId: string; rects: Rect[] }[] };
  RangeAreasCollection: { areas: { sheetId: string; rects: Rect[] }[] };
  /** The rows of a range that are not hidden. */
  RangeView: { sheetId: string; rect: Rect; rows: number[] };
  RangeViewCollection: { sheetId: string; rect: Rect; rows: number[] };
  PageBreakCollection: { sheetId: string; axis: "row" | "column" };
  PageBreak: { sheetId: string; axis: "row" | "column"; at: number };
  RangeBorderCollection: { sheetId: string; areas: Rect[] };
  DocumentProperties: unknown;
  CustomPropertyCollection: unknown;
  CustomProperty: { key: string };
  StyleCollection: unknown;
  Style: { name: string };
  StyleFont: { name: string };
  StyleFill: { name: string };
  RangeBorder: { sheetId: string; areas: Rect[]; side: string };
  WorksheetFreezePanes: { sheetId: string };
  PageLayout: { sheetId: string };
  HeaderFooterGroup: { sheetId: string };
  /** The header and footer of all pages. */
  HeaderFooter: { sheetId: string };
  ChartCollection: { sheetId: string };
  Chart: { chartId: string };
  ChartTitle: { chartId: string };
  ChartLegend: { chartId: string };
  ChartSeriesCollection: { chartId: string };
  ChartSeries: { chartId: string; index: number };
  ChartPointsCollection: { chartId: string; index: number };
  ChartPoint: { chartId: string; index: number; point: number };
  ChartDataLabels: { chartId: string };
  /** The looks of a part of a chart, such as "legend" or "series 0 point 2". */
  ChartFormat: { chartId: string; part: string };
  ChartFill: { chartId: string; part: string };
  ChartFont: { chartId: string; part: string };
  ChartGridlines: { chartId: string; part: string };
  /** The border of a part of a chart, or its line. */
  ChartLine: { chartId: string; part: string };
  /** Some characters of a title. */
  ChartFormatString: { chartId: string; part: string };
  ChartAxisTitle: { chartId: string; axis: "category" | "value" };
  ChartAxes: { chartId: string };
  ChartAxis: { chartId: string; axis: "category" | "value" };
  ShapeCollection: { sheetId: string };
  /** A picture. */
  Shape: { shapeId: string };
  ConditionalFormatCollection: { sheetId: string; rect: Rect };
  ConditionalFormat: { formatId: string };
  /** The rule of a conditional format that is no color scale. */
  CellRule: { formatId: string };
  CustomRule: { formatId: string };
  ConditionalRangeFormat: { formatId: string };
  ConditionalRangeFont: { formatId: string };
  ConditionalRangeFill: { formatId: string };
  ColorScaleConditionalFormat: { formatId: string };
  Range: { sheetId: string; rect: Rect };
  RangeAreas: { sheetId: string; rects: Rect[] };
  RangeFormat: { sheetId: string; areas: Rect[] };
  RangeCollection: { ranges: { sheetId: string; rect: Rect }[] };
  RangeFont: { sheetId: string; areas: Rect[] };
  RangeFill: { sheetId: string; areas: Rect[] };
  /** Tables of one sheet, of a rectangle there, or of the workbook. */
  TableCollection: { sheetId?: string; within?: Rect; touching?: Rect };
  Table: { tableId: string };
  TableSort: { tableId: string };
  RangeSort: { sheetId: string; rect: Rect };
  TableRowCollection: { tableId: string };
  /** A place in the table, whatever stands there. */
  TableRow: { tableId: string; index: number };
  TableColumnCollection: { tableId: string };
  TableColumn: { tableId: string; index: number };
  /** The filters of a table, or of the cells of a sheet that are no table. */
  AutoFilter: { tableId: string; sheetId?: undefined } | { sheetId: string };
  Filter: { tableId: string; index: number };
  /** Parts of one namespace, or of the workbook. */
  CustomXmlPartCollection: { namespace?: string };
  CustomXmlPart: { partId: string };
  /** Names of one sheet, or of the workbook. */
  NamedItemCollection: { sheetId?: string };
  NamedItem: { name: string; sheetId: string | null };
  CustomFunctions: unknown;
  AppRuntimeService: unknown;
  AppRuntimePersistenceService: unknown;
  AddinInternalService: unknown;
  DynamicRibbon: unknown;
  RibbonTab: { tabId: string };
  RibbonButton: { controlId: string };
}

export type ClassName = keyof Identities;
export type Ref<Name extends ClassName = ClassName> = { [N in Name]: { type: N } & Identities[N] }[Name];

/** An object's members by wire name. A member that is not in these tables is not modeled. */
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

/** Members of classes by one subject, beside those that other files give the same classes. */
export type Family<Name extends ClassName> = Partial<Classes<Name>>;

export interface Property {
  get?(): unknown;
  set?(value: unknown): void;
}

export type Classes<Name extends ClassName> = { [N in Name]: (self: Ref<N>, model: Model) => Members };

/** Everything in the workbook and its window that the add-in can reach. */
export interface Model {
  readonly spreadsheet: Spreadsheet;
  readonly document: WorkbookDocument;
  readonly events: ObjectEvents;
  readonly shell: Shell;
  /** The highest ExcelApi of the simulated Excel, such as "1.15". Undefined offers every member that is modeled. */
  readonly excelApi?: string;
  /** The platform whose list of calls that can't be undone applies: the web by default. See undo.ts. */
  readonly undo?: ExcelVersion["undo"];
  /** The add-in's page can be called for commands; functions may come later. */
  readonly actionsReady?: () => void;
  /** The namespace of the add-in's functions; undefined where it has none. */
  readonly functionNamespace?: string | undefined;
  /** Messages of the add-in's page about its custom functions. */
  readonly functions: {
    ready(): void;
    /** Takes results, as they stand on the wire. */
    settle(results: unknown): void;
  };
}

/** Requests of the add-in to the window around the grid. */
export interface Shell {
  paneVisible(): boolean;
  showPane(visible: boolean): void;
  /** Enables or disables a button of the add-in in the ribbon. False if the ribbon has none with this id. */
  enableButton?(controlId: string, isEnabled: boolean): boolean;
  /** The add-in's contextual tabs. Absent without a ribbon. */
  readonly contextualTabs?: ContextualTabs | undefined;
  /** Called when a call that can't be undone has emptied the user's undo list. */
  undoStackCleared(): void;
  /** Moves the focus out of the add-in's page: to the grid, or to the element before the page in its pane. */
  takeFocus(to: "previous" | "grid"): void;
  /** Called with each request to the host, when it has been answered. Absent where nobody reads them. */
  noteRequest?(note: RequestNote): void;
  /** Reports a request that the workbench does not model, or an error in the workbench itself. */
  report(problem: string): void;
}

/** Tabs that the add-in makes while it runs. */
export interface ContextualTabs {
  /** The page that the pane of a shared runtime shows; null without a shared runtime. */
  readonly page: string | null;
  /** Adds the tabs, none of which is shown. False if this add-in has made some since it was started. */
  create(tabs: ContextualTab[]): boolean;
  /** Shows or hides a tab. False if there is none with this id. */
  show(tabId: string, isVisible: boolean): boolean;
}

export function found<T>(item: T | null | undefined): T {
  if (item === null || item === undefined) throw new HostError("ItemNotFound", "no such object");
  return item;
}

/** Throws a HostError for a protected sheet, whose cells Excel does not let an add-in change. */
export function mustNotBeProtected(sheetId: string | undefined, { document }: Model): void {
  if (sheetId !== undefined && document.protectedSheets.has(sheetId))
    throw new HostError("AccessDenied", "the sheet is protected");
}

/** Throws a HostError if the workbook's structure is protected, so that no sheet can be added, deleted, renamed, hidden or shown. */
export function mustHaveOpenStructure({ document }: Model): void {
  if (document.isStructureProtected)
    throw new HostError("AccessDenied", "the workbook's structure is protected");
}

export function text(value: unknown): string {
  if (typeof value !== "string" || value === "") throw new HostError("InvalidArgument", "text expected");
  return value;
}

/** Reads an index from 0 up to `count` - 1. Throws a HostError for anything else. */
export function position(value: unknown, count: number): number {
  const index = integer(value);
  if (index < 0 || index >= count) throw new HostError("InvalidArgument", `index ${index} of ${count}`);
  return index;
}

export function truth(value: unknown): boolean {
  if (typeof value !== "boolean") throw new HostError("InvalidArgument", "true or false expected");
  return value;
}

/** A property that the workbench keeps and does not show. `read` refuses values that Excel refuses. */
export function kept<Value>(
  { document }: Pick<Model, "document">,
  owner: string,
  name: string,
  { read, initial }: { read(value: unknown): Value; initial: Value },
): { get(): Value; set(value: unknown): void } {
  const key = `${owner} ${name}`;
  return {
    get: () => (document.facts.has(key) ? (document.facts.get(key) as Value) : initial),
    set: (value) => void document.facts.set(key, read(value)),
  };
}

export function integer(value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value))
    throw new HostError("InvalidArgument", "whole number expected");
  return value;
}
