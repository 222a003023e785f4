import type { SheetInfo } from "../spreadsheet";
import { rootNamespace } from "./document";
import { HostError, refusedAs } from "./host-error";
import { ANY_SHEET, readEventReference } from "./object-events";
import { collection, fixed, found, integer, readOnly, text } from "./object-model";
import type { Classes, Ref } from "./object-model";
import { WHOLE_SHEET, findSheet, rangeAt, rangeOf } from "./range";

export const workbookClasses: Classes<
  | "Workbook"
  | "Application"
  | "WorksheetCollection"
  | "Worksheet"
  | "WorksheetFreezePanes"
  | "NamedItemCollection"
  | "SettingCollection"
  | "Setting"
  | "CustomXmlPartCollection"
  | "CustomXmlPart"
> = {
  Workbook: (_self, { spreadsheet }) => ({
    properties: { Name: readOnly(() => "Workbook.xlsx"), ReadOnly: readOnly(() => false) },
    links: {
      Worksheets: () => ({ type: "WorksheetCollection" }),
      Tables: () => ({ type: "TableCollection" }),
      Names: () => ({ type: "NamedItemCollection" }),
      Application: () => ({ type: "Application" }),
      Settings: () => ({ type: "SettingCollection" }),
      CustomXmlParts: () => ({ type: "CustomXmlPartCollection" }),
    },
    objects: {
      GetSelectedRange: () => ({ type: "Range", ...spreadsheet.selection() }),
      GetActiveCell() {
        const { sheetId, rect } = spreadsheet.selection();
        return rangeAt(sheetId, rect.row, rect.column, 1, 1);
      },
      _GetRangeForEventByReferenceId: (reference) => found(eventRange(reference)),
      _GetRangeOrNullObjectForEventByReferenceId: eventRange,
    },
  }),

  Application: (_self, { spreadsheet }) => ({
    properties: {
      CalculationMode: fixed("Application.CalculationMode", "Automatic"),
      CalculationState: readOnly(() => "Done"),
    },
    calls: {
      /** Nothing is ever left to recalculate, so only "Full" and "FullRebuild" have an effect. */
      Calculate(kind) {
        if (kind !== "Recalculate") spreadsheet.recalculate();
      },
      // Hints that save Excel work; without them the result is the same.
      SuspendApiCalculationUntilNextSync: () => null,
      SuspendScreenUpdatingUntilNextSync: () => null,
    },
  }),

  WorksheetCollection(_self, model) {
    const { spreadsheet, events } = model;
    const base = collection(
      () => spreadsheet.sheets().map(sheetRef),
      (key) => {
        const sheet = findSheet(model, key);
        return sheet && sheetRef(sheet);
      },
    );
    return {
      ...base,
      objects: {
        ...base.objects,
        GetActiveWorksheet: () => sheetRef(spreadsheet.activeSheet()),
        Add(name) {
          const wanted = name === null || name === undefined ? undefined : sheetName(name);
          return sheetRef(refusedAs("ItemAlreadyExists", () => spreadsheet.addSheet(wanted)));
        },
      },
      calls: { ...base.calls, ...events.calls(ANY_SHEET) },
    };
  },

  Worksheet({ sheetId }, model) {
    const { spreadsheet, events } = model;
    const position = () => spreadsheet.sheets().findIndex(({ id }) => id === sheetId);
    const usedRange = (valuesOnly: unknown): Ref<"Range"> | null => {
      const rect = spreadsheet.usedRect(sheetId, valuesOnly === true);
      return rect && { type: "Range", sheetId, rect };
    };
    return {
      id: sheetId,
      properties: {
        Id: readOnly(() => sheetId),
        Name: {
          get: () => found(spreadsheet.sheets()[position()]).name,
          set(name) {
            const wanted = sheetName(name);
            refusedAs("ItemAlreadyExists", () => spreadsheet.renameSheet(sheetId, wanted));
          },
        },
        Position: readOnly(position),
        Visibility: fixed("Worksheet.Visibility", "Visible"),
        ShowGridlines: fixed("Worksheet.ShowGridlines", true),
      },
      links: {
        Tables: () => ({ type: "TableCollection", sheetId }),
        FreezePanes: () => ({ type: "WorksheetFreezePanes", sheetId }),
        Names: () => ({ type: "NamedItemCollection" }),
      },
      objects: {
        GetRange: (address) =>
          rangeOf(address ?? { type: "Range", sheetId, rect: WHOLE_SHEET }, model, sheetId),
        GetRangeByIndexes: (row, column, rows, columns) =>
          rangeAt(sheetId, integer(row), integer(column), integer(rows), integer(columns)),
        GetCell: (row, column) => rangeAt(sheetId, integer(row), integer(column), 1, 1),
        GetUsedRange: (valuesOnly) => usedRange(valuesOnly) ?? rangeAt(sheetId, 0, 0, 1, 1),
        GetUsedRangeOrNullObject: usedRange,
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

  WorksheetFreezePanes: ({ sheetId }, model) => ({
    calls: {
      FreezeRows: (count) => model.spreadsheet.freeze(sheetId, integer(count ?? 1), 0),
      FreezeColumns: (count) => model.spreadsheet.freeze(sheetId, 0, integer(count ?? 1)),
      FreezeAt(frozen) {
        const { rect } = rangeOf(frozen, model, sheetId);
        model.spreadsheet.freeze(sheetId, rect.row + rect.rows, rect.column + rect.columns);
      },
      Unfreeze: () => model.spreadsheet.freeze(sheetId, 0, 0),
    },
  }),

  // The grid has no names to offer, so every lookup says that there is none.
  NamedItemCollection: () =>
    collection(
      () => [],
      () => null,
    ),

  SettingCollection(_self, { document: { settings } }) {
    const base = collection(
      () => [...settings.keys()].map((key) => ({ type: "Setting", key })),
      (key) => (settings.has(text(key)) ? { type: "Setting", key: text(key) } : null),
    );
    return {
      ...base,
      objects: {
        ...base.objects,
        Add(key, value) {
          settings.set(text(key), JSON.stringify(value));
          return { type: "Setting", key: text(key) };
        },
      },
    };
  },

  Setting: ({ key }, { document: { settings } }) => ({
    id: key,
    properties: {
      Key: readOnly(() => key),
      Value: {
        get: () => JSON.parse(found(settings.get(key))) as unknown,
        set: (value) => void settings.set(key, JSON.stringify(value)),
      },
    },
    calls: { Delete: () => void settings.delete(key) },
  }),

  CustomXmlPartCollection({ namespace }, { document }) {
    const items = () =>
      [...document.customXmlParts]
        .filter(([, xml]) => namespace === undefined || rootNamespace(xml) === namespace)
        .map(([partId]): Ref<"CustomXmlPart"> => ({ type: "CustomXmlPart", partId }));
    const base = collection(items, (key) => items().find(({ partId }) => partId === key) ?? null);
    const only = () => {
      const [part, other] = items();
      if (other) throw new HostError("GeneralException", "more than one custom XML part");
      return part ?? null;
    };
    return {
      ...base,
      objects: {
        ...base.objects,
        Add: (xml) => ({ type: "CustomXmlPart", partId: document.addCustomXml(text(xml)) }),
        GetByNamespace: (wanted) => ({ type: "CustomXmlPartCollection", namespace: text(wanted) }),
        GetOnlyItem: () => found(only()),
        GetOnlyItemOrNullObject: only,
      },
    };
  },

  CustomXmlPart({ partId }, { document: { customXmlParts } }) {
    const xml = () => found(customXmlParts.get(partId));
    return {
      id: partId,
      properties: { Id: readOnly(() => partId), NamespaceUri: readOnly(() => rootNamespace(xml())) },
      calls: {
        GetXml: xml,
        SetXml(changed) {
          xml();
          rootNamespace(text(changed));
          customXmlParts.set(partId, text(changed));
        },
        Delete: () => void customXmlParts.delete(partId),
      },
    };
  },
};

function sheetRef({ id }: SheetInfo): Ref<"Worksheet"> {
  return { type: "Worksheet", sheetId: id };
}

function sheetName(value: unknown): string {
  const name = text(value);
  if (name.length > 31 || /[\\/?*[\]:]|^'|'$/.test(name))
    throw new HostError("InvalidArgument", `sheet name ${name}`);
  return name;
}

function eventRange(reference: unknown): Ref<"Range"> | null {
  const range = readEventReference(text(reference));
  return range && { type: "Range", ...range };
}
