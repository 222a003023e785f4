import * as z from "zod/mini";
import { rootNamespace as namespaceOfRoot } from "../../xlsx/workbook-file";
import type { FilterCriteria } from "../sheet-filters";
import { HostError } from "./host-error";

/** `Excel.CalculationMode`. */
export const calculationModes = ["Automatic", "AutomaticExceptTables", "Manual"] as const;
export type CalculationMode = (typeof calculationModes)[number];

const pageParts = z.object({ left: z.string(), center: z.string(), right: z.string() });

const printSetup = z.object({
  orientation: z.optional(z.literal(["Portrait", "Landscape"])),
  /** Pages; 0 is as many as it takes. */
  fitToPages: z.optional(z.object({ across: z.number(), down: z.number() })),
  /** Printed on each page, such as "1:1". */
  titleRows: z.optional(z.string()),
  /** Printed on each page, such as "A:A". */
  titleColumns: z.optional(z.string()),
  /** The cells that are printed, such as "A1:E40" or "A:E". */
  area: z.optional(z.string()),
  /** The parts of header and footer, with Excel's codes, such as "&P". */
  header: z.optional(pageParts),
  footer: z.optional(pageParts),
});

/** `Excel.BindingType`. */
export const bindingTypes = ["Range", "Table", "Text"] as const;
export type BindingType = (typeof bindingTypes)[number];

const binding = z.object({
  type: z.literal(bindingTypes),
  sheetId: z.string(),
  /** Null once the cells are gone. */
  rect: z.nullable(z.object({ row: z.number(), column: z.number(), rows: z.number(), columns: z.number() })),
  /** The id of the table, for a binding of one. */
  tableId: z.optional(z.string()),
});

/** Cells or a table that the add-in has named by an id of its own. */
export type KeptBinding = z.infer<typeof binding>;

/** How a sheet is printed, as far as the API or the file has set it. */
export type PrintSetup = z.infer<typeof printSetup>;

const savedDocument = z.object({
  settings: z.array(z.tuple([z.string(), z.string()])),
  customXmlParts: z.array(z.tuple([z.string(), z.string()])),
  isStructureProtected: z._default(z.boolean(), false),
  protectedSheets: z._default(z.array(z.string()), []),
  veryHiddenSheets: z._default(z.array(z.string()), []),
  calculationMode: z._default(z.literal(calculationModes), "Automatic"),
  loadsAtOpening: z._default(z.boolean(), false),
  createdAt: z.optional(z.string()),
  printSetups: z._default(z.array(z.tuple([z.string(), printSetup])), []),
  facts: z._default(z.array(z.tuple([z.string(), z.unknown()])), []),
  bindings: z._default(z.array(z.tuple([z.string(), binding])), []),
});

/** Everything that the file keeps besides its cells. JSON. */
export type SavedDocument = z.infer<typeof savedDocument>;

/** How a table was sorted last. */
export interface SortState {
  /** Columns of the table, the first one first. */
  fields: { key: number; ascending: boolean }[];
  matchCase: boolean;
}

/** The parts of the file that no cell shows: the add-in's settings, custom XML, protection, calculation mode. */
export interface WorkbookDocument {
  /** Name to JSON text. */
  readonly settings: Map<string, string>;
  /** Id to XML text. */
  readonly customXmlParts: Map<string, string>;
  /** No sheet can be added, deleted, renamed, hidden or shown. */
  isStructureProtected: boolean;
  /** Ids of the sheets whose cells can't be changed through the API; the user's own entries are let through. */
  readonly protectedSheets: Set<string>;
  /** Passwords of protected sheets, by their ids; a sheet without one is not listed. Not saved. */
  readonly passwords: Map<string, string>;
  /** Ids of the hidden sheets that a user can't show without a macro. */
  readonly veryHiddenSheets: Set<string>;
  /** How sheets are printed, by their ids; nothing is printed here. */
  readonly printSetups: Map<string, PrintSetup>;
  /** How tables were sorted, by their ids. Not saved. */
  readonly tableSorts: Map<string, SortState>;
  /** Filters of table columns with the texts that they showed, by the table's id and the column's place. Not saved. */
  readonly tableFilters: Map<string, { criteria: FilterCriteria; values: string[] }>;
  /** The workbook is open for reading only, so that Excel refuses each change. Not saved. */
  isReadOnly: boolean;
  /** Properties of objects that the grid does not show, such as the color of a tab, by the object's id and the name. */
  readonly facts: Map<string, unknown>;
  /** Bindings by their ids, in the order in which they were added. */
  readonly bindings: Map<string, KeptBinding>;
  /** Another workbook is in front of this one. Not saved. */
  isBehind: boolean;
  /** Called when the workbook comes in front again. Gives the way to stop listening. */
  onInFront(listener: () => void): () => void;
  /** The sheet in front is one chart. Not saved. */
  showsChartSheet: boolean;
  /** The mode that the add-in reads; the grid calculates by itself in every mode. */
  calculationMode: CalculationMode;
  /** When the workbook was made, in the form of ISO 8601. */
  createdAt: string;
  /** The add-in has asked to be loaded whenever this file is opened. The workbench loads it always. */
  loadsAtOpening: boolean;
  /** The namespace of a custom XML part's root, "" where it has none; undefined where there is no such part. */
  namespaceOf(partId: string): string | undefined;
  save(): SavedDocument;
  open(saved: unknown): void;
}

export function createDocument(): WorkbookDocument {
  const settings = new Map<string, string>();
  const customXmlParts = new Map<string, string>();
  const protectedSheets = new Set<string>();
  const veryHiddenSheets = new Set<string>();
  const printSetups = new Map<string, PrintSetup>();
  /** By the ids of parts, with the texts that they were read of: parts are searched by namespace again and again. */
  const namespaces = new Map<string, { xml: string; namespace: string }>();
  let isBehind = false;
  const frontListeners = new Set<() => void>();
  const document: WorkbookDocument = {
    settings,
    customXmlParts,
    protectedSheets,
    veryHiddenSheets,
    printSetups,
    facts: new Map(),
    bindings: new Map(),
    tableSorts: new Map(),
    tableFilters: new Map(),
    passwords: new Map(),
    isStructureProtected: false,
    isReadOnly: false,
    calculationMode: "Automatic",
    loadsAtOpening: false,
    createdAt: new Date().toISOString(),
    get isBehind() {
      return isBehind;
    },
    set isBehind(next) {
      const comesInFront = isBehind && !next;
      isBehind = next;
      if (comesInFront) for (const listener of frontListeners) listener();
    },
    onInFront(listener) {
      frontListeners.add(listener);
      return () => void frontListeners.delete(listener);
    },
    showsChartSheet: false,
    namespaceOf(partId) {
      const xml = customXmlParts.get(partId);
      if (xml === undefined) return undefined;
      const known = namespaces.get(partId);
      if (known?.xml === xml) return known.namespace;
      const namespace = rootNamespace(xml);
      namespaces.set(partId, { xml, namespace });
      return namespace;
    },
    save: () => ({
      settings: [...settings],
      customXmlParts: [...customXmlParts],
      isStructureProtected: document.isStructureProtected,
      protectedSheets: [...protectedSheets],
      veryHiddenSheets: [...veryHiddenSheets],
      calculationMode: document.calculationMode,
      loadsAtOpening: document.loadsAtOpening,
      createdAt: document.createdAt,
      printSetups: [...printSetups],
      facts: [...document.facts],
      bindings: [...document.bindings],
    }),
    open(saved) {
      const file = savedDocument.parse(saved);
      settings.clear();
      customXmlParts.clear();
      for (const [name, json] of file.settings) settings.set(name, json);
      for (const [id, xml] of file.customXmlParts) customXmlParts.set(id, xml);
      protectedSheets.clear();
      for (const id of file.protectedSheets) protectedSheets.add(id);
      veryHiddenSheets.clear();
      for (const id of file.veryHiddenSheets) veryHiddenSheets.add(id);
      document.isStructureProtected = file.isStructureProtected;
      document.calculationMode = file.calculationMode;
      document.loadsAtOpening = file.loadsAtOpening;
      document.createdAt = file.createdAt ?? new Date().toISOString();
      printSetups.clear();
      for (const [id, setup] of file.printSetups) printSetups.set(id, setup);
      document.facts.clear();
      for (const [name, fact] of file.facts) document.facts.set(name, fact);
      document.bindings.clear();
      for (const [id, kept] of file.bindings) document.bindings.set(id, kept);
    },
  };
  return document;
}

/** The namespace of the root element, "" when it has none. Text that is no XML is refused. */
export function rootNamespace(xml: string): string {
  try {
    return namespaceOfRoot(xml, "the part");
  } catch {
    throw new HostError("InvalidArgument", "not an XML document");
  }
}
