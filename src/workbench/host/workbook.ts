import { MAX_COLUMNS, MAX_ROWS } from "../address";
import type { SheetInfo } from "../spreadsheet";
import { rootNamespace } from "./document";
import { HostError } from "./host-error";
import { ANY_SHEET } from "./object-events";
import { found, integer, text } from "./object-model";
import type { Classes, Model, Ref } from "./object-model";
import { findSheet, rangeAt, rangeOf } from "./range";

export const workbookClasses: Classes<
  | "Workbook"
  | "WorksheetCollection"
  | "Worksheet"
  | "WorksheetFreezePanes"
  | "CustomXmlPartCollection"
  | "CustomXmlPart"
> = {
  Workbook: (_self, { spreadsheet }) => ({
    links: {
      Worksheets: () => ({ type: "WorksheetCollection" }),
      Tables: () => ({ type: "TableCollection" }),
      CustomXmlParts: () => ({ type: "CustomXmlPartCollection" }),
      Application: () => ({ type: "Application" }),
      Protection: () => ({ type: "WorkbookProtection" }),
      Names: () => ({ type: "NamedItemCollection" }),
      Comments: () => ({ type: "CommentCollection" }),
      Properties: () => ({ type: "DocumentProperties" }),
      Settings: () => ({ type: "SettingCollection" }),
    },
    objects: {
      GetSelectedRange: () => ({ type: "Range", ...spreadsheet.selection() }),
      // One: the grid selects no more.
      GetSelectedRanges() {
        const { sheetId, rect } = spreadsheet.selection();
        return { type: "RangeAreas", sheetId, rects: [rect] };
      },
    },
  }),

  WorksheetCollection: (_self, model) => ({
    items: () => model.spreadsheet.sheets().map(sheetRef),
    item(key) {
      const sheet = findSheet(model, key);
      return sheet && sheetRef(sheet);
    },
    objects: {
      GetActiveWorksheet: () => ({ type: "Worksheet", sheetId: model.spreadsheet.selection().sheetId }),
      Add: (name) => sheetRef(model.spreadsheet.addSheet(freeSheetName(name, model))),
    },
    calls: model.events.calls(ANY_SHEET),
  }),

  Worksheet({ sheetId }, model) {
    const { spreadsheet, events } = model;
    return {
      id: sheetId,
      properties: {
        Id: { get: () => sheetId },
        Name: { get: () => found(findSheet(model, sheetId)).name },
        Visibility: { set: (value) => spreadsheet.hideSheet(sheetId, value !== "Visible") },
      },
      links: {
        Tables: () => ({ type: "TableCollection", sheetId }),
        Names: () => ({ type: "NamedItemCollection", sheetId }),
        FreezePanes: () => ({ type: "WorksheetFreezePanes", sheetId }),
        Protection: () => ({ type: "WorksheetProtection", sheetId }),
      },
      objects: {
        GetRange: (address) =>
          address === undefined || address === null
            ? rangeAt(sheetId, 0, 0, MAX_ROWS, MAX_COLUMNS)
            : rangeOf(address, model, sheetId),
        GetRanges(addresses) {
          const parts = text(addresses).split(/[,;]/);
          return {
            type: "RangeAreas",
            sheetId,
            rects: parts.map((part) => rangeOf(part.trim(), model, sheetId).rect),
          };
        },
        GetUsedRangeOrNullObject(valuesOnly) {
          const all = { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS };
          const rect = spreadsheet.usedRect(sheetId, valuesOnly === true, all);
          return rect && { type: "Range", sheetId, rect };
        },
        GetRangeByIndexes: (row, column, rows, columns) =>
          rangeAt(sheetId, integer(row), integer(column), integer(rows), integer(columns)),
      },
      calls: {
        Activate: () => spreadsheet.activateSheet(sheetId),
        Delete() {
          if (spreadsheet.sheets().length === 1) throw new HostError("InvalidOperation", "the only sheet");
          spreadsheet.deleteSheet(sheetId);
        },
        Calculate(markAllDirty) {
          if (markAllDirty === true) spreadsheet.recalculate(sheetId);
        },
        ...events.calls(sheetId),
      },
    };
  },

  WorksheetFreezePanes: ({ sheetId }, { spreadsheet }) => ({
    calls: { FreezeRows: (count) => spreadsheet.freezeRows(sheetId, integer(count ?? 1)) },
  }),

  CustomXmlPartCollection({ namespace }, { document: { customXmlParts } }) {
    const isHere = (xml: string) => namespace === undefined || rootNamespace(xml) === namespace;
    const part = (partId: string): Ref<"CustomXmlPart"> => ({ type: "CustomXmlPart", partId });
    return {
      items: () => [...customXmlParts].filter(([, xml]) => isHere(xml)).map(([partId]) => part(partId)),
      item(key) {
        const xml = customXmlParts.get(String(key));
        return xml !== undefined && isHere(xml) ? part(String(key)) : null;
      },
      objects: {
        Add(xml) {
          rootNamespace(text(xml));
          const partId = `{${crypto.randomUUID().toUpperCase()}}`;
          customXmlParts.set(partId, text(xml));
          return { type: "CustomXmlPart", partId };
        },
        GetByNamespace: (wanted) => ({ type: "CustomXmlPartCollection", namespace: text(wanted) }),
      },
    };
  },

  CustomXmlPart: ({ partId }, { document: { customXmlParts } }) => ({
    id: partId,
    properties: {
      Id: { get: () => partId },
      NamespaceUri: { get: () => rootNamespace(found(customXmlParts.get(partId))) },
    },
    calls: {
      GetXml: () => found(customXmlParts.get(partId)),
      SetXml(xml) {
        found(customXmlParts.get(partId));
        rootNamespace(text(xml));
        customXmlParts.set(partId, text(xml));
      },
      Delete: () => void customXmlParts.delete(partId),
    },
  }),
};

function sheetRef({ id }: SheetInfo): Ref<"Worksheet"> {
  return { type: "Worksheet", sheetId: id };
}

/** The name as it was asked for, or the next free "SheetN". */
function freeSheetName(wanted: unknown, model: Model): string {
  if (wanted === null || wanted === undefined) return nextName("Sheet", model.spreadsheet.sheets());
  const name = text(wanted);
  if (name.length > 31 || /[\\/?*[\]:]|^'|'$/.test(name))
    throw new HostError("InvalidArgument", `sheet name ${name}`);
  if (findSheet(model, name)) throw new HostError("ItemAlreadyExists", `sheet ${name}`);
  return name;
}

/** "Table1", "Table2"…: the first that no other has, as Excel names what is not named. */
export function nextName(kind: string, others: { name: string }[]): string {
  const taken = new Set(others.map(({ name }) => name.toLowerCase()));
  let number = 1;
  while (taken.has(`${kind}${number}`.toLowerCase())) number += 1;
  return `${kind}${number}`;
}
