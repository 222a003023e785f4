import { formatAddress, MAX_COLUMNS, MAX_ROWS } from "../../address";
import type { SheetInfo } from "../../spreadsheet";
import { type PrintSetup, rootNamespace } from "../office-document";
import { HostError, notModelled } from "../host-error";
import { ANY_SHEET } from "./object-events";
import { found, integer, mustHaveOpenStructure, text } from "./object-model";
import type { Classes, Model, Property, Ref } from "./object-model";
import { findSheet, mustBeInFront, mustBeShown, rangeAt, rangeOf } from "./range-object";
import { nextName } from "./tables/table-names";

const MOST_ADDRESS_CHARACTERS = 8_192;

/** `Excel.SheetVisibility`. */
const visibilities: readonly unknown[] = ["Visible", "Hidden", "VeryHidden"];

export const workbookClasses: Classes<
  | "Workbook"
  | "WorksheetCollection"
  | "Worksheet"
  | "WorksheetFreezePanes"
  | "PageLayout"
  | "HeaderFooterGroup"
  | "HeaderFooter"
  | "CustomXmlPartCollection"
  | "CustomXmlPart"
> = {
  Workbook: (_self, { spreadsheet, document, events }) => {
    // While another workbook has the focus, the selection can't be read (excel-add-ins-troubleshooting.md).
    const selection = () => (document.isBehind ? { sheetId: "", rects: [] } : spreadsheet.selection());
    return {
      links: {
        Worksheets: () => ({ type: "WorksheetCollection" }),
        Tables: () => ({ type: "TableCollection" }),
        CustomXmlParts: () => ({ type: "CustomXmlPartCollection" }),
        Application: () => ({ type: "Application" }),
        Functions: () => ({ type: "Functions" }),
        Protection: () => ({ type: "WorkbookProtection" }),
        Names: () => ({ type: "NamedItemCollection" }),
        _Runtime: () => ({ type: "Runtime" }),
      },
      calls: events.calls("workbook", ANY_SHEET),
      objects: {
        // "If more than one range is selected, it throws InvalidSelection"; a chart or a picture is no range
        // (excel-add-ins-workbooks.md, Workbook.getSelectedRange in @types/office-js).
        GetSelectedRange() {
          const { sheetId, rects } = selection();
          const [rect, other] = rects;
          if (!rect || other) throw new HostError("InvalidSelection", `${rects.length} areas are selected`);
          return { type: "Range", sheetId, rect };
        },
        GetSelectedRanges() {
          const { sheetId, rects } = selection();
          if (rects.length === 0) throw new HostError("InvalidSelection", "no area is selected");
          return { type: "RangeAreas", sheetId, rects };
        },
        // The first cell of the area that was selected last. Microsoft does not document the case without one: the strict assumption.
        GetActiveCell() {
          const { sheetId, rects } = selection();
          const rect = rects.at(-1);
          if (!rect) throw new HostError("InvalidSelection", "no area is selected");
          return rangeAt(sheetId, { ...rect, rows: 1, columns: 1 });
        },
      },
    };
  },

  WorksheetCollection: (_self, model) => ({
    items: () => sheetsOf(model).map(sheetRef),
    item(key) {
      const sheet = findSheet(model, key);
      return sheet && sheetRef(sheet);
    },
    objects: {
      // UnsupportedSheet in application-specific-api-error-handling.md; of chart sheets OfficeDev/office-js#2444.
      GetActiveWorksheet() {
        if (model.document.showsChartSheet)
          throw new HostError("UnsupportedSheet", "a chart sheet is active");
        return { type: "Worksheet", sheetId: model.spreadsheet.selection().sheetId };
      },
      GetFirst: (visibleOnly) => sheetRef(found(sheetsOf(model, visibleOnly)[0])),
      GetLast: (visibleOnly) => sheetRef(found(sheetsOf(model, visibleOnly).at(-1))),
      Add(name) {
        mustBeInFront(model, "WorksheetCollection.Add");
        mustHaveOpenStructure(model);
        return sheetRef(model.spreadsheet.addSheet(freeSheetName(name, model)));
      },
    },
    calls: {
      GetCount: (visibleOnly) => sheetsOf(model, visibleOnly).length,
      ...model.events.calls("sheets", ANY_SHEET),
    },
  }),

  Worksheet({ sheetId }, model) {
    const { spreadsheet, events, document } = model;
    const sheet = () => found(findSheet(model, sheetId));
    /** "A workbook must contain at least one visible worksheet", as Excel's own dialog says. */
    const mustLeaveOneVisible = () => {
      const others = spreadsheet.sheets().filter(({ id, isHidden }) => id !== sheetId && !isHidden);
      if (others.length === 0) throw new HostError("InvalidOperation", "the last visible sheet");
    };
    const visibility = () => {
      if (!sheet().isHidden) return "Visible";
      return document.veryHiddenSheets.has(sheetId) ? "VeryHidden" : "Hidden";
    };
    const usedRange = (valuesOnly: unknown): Ref<"Range"> | null => {
      const all = { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS };
      const rect = spreadsheet.usedRect(sheetId, valuesOnly === true, all);
      return rect && { type: "Range", sheetId, rect };
    };
    return {
      id: sheetId,
      properties: {
        Id: { get: () => sheetId },
        Name: {
          get: () => sheet().name,
          set(wanted) {
            const name = text(wanted);
            if (name === sheet().name) return;
            mustHaveOpenStructure(model);
            mustBeSheetName(name, model, sheetId);
            mustNotBeNamed(sheet().name, model);
            const nameBefore = sheet().name;
            spreadsheet.renameSheet(sheetId, name);
            model.events.tell("renamed", sheetId, { nameBefore, nameAfter: name });
          },
        },
        Visibility: {
          get: visibility,
          set(value) {
            if (!visibilities.includes(value)) throw new HostError("InvalidArgument", String(value));
            mustHaveOpenStructure(model);
            if (value !== "Visible") mustLeaveOneVisible();
            const visibilityBefore = visibility();
            spreadsheet.hideSheet(sheetId, value !== "Visible");
            if (value === "VeryHidden") document.veryHiddenSheets.add(sheetId);
            else document.veryHiddenSheets.delete(sheetId);
            if (visibilityBefore !== value)
              model.events.tell("visibility-changed", sheetId, { visibilityBefore, visibilityAfter: value });
          },
        },
      },
      links: {
        Tables: () => ({ type: "TableCollection", sheetId }),
        Names: () => ({ type: "NamedItemCollection", sheetId }),
        FreezePanes: () => ({ type: "WorksheetFreezePanes", sheetId }),
        PageLayout: () => ({ type: "PageLayout", sheetId }),
        Charts: () => ({ type: "ChartCollection", sheetId }),
        Shapes: () => ({ type: "ShapeCollection", sheetId }),
        Protection: () => ({ type: "WorksheetProtection", sheetId }),
      },
      objects: {
        GetRange: (address) =>
          address === undefined || address === null
            ? rangeAt(sheetId, { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS })
            : rangeOf(address, model, sheetId),
        GetRanges(addresses) {
          // "The character limit of a string that describes ranges is 8,192" (Worksheet.getRanges in @types/office-js).
          if (text(addresses).length > MOST_ADDRESS_CHARACTERS)
            throw new HostError("InvalidArgument", "an address of more than 8,192 characters");
          const parts = text(addresses).split(/[,;]/);
          return {
            type: "RangeAreas",
            sheetId,
            rects: parts.map((part) => rangeOf(part.trim(), model, sheetId).rect),
          };
        },
        GetCell: (row, column) =>
          rangeAt(sheetId, { row: integer(row), column: integer(column), rows: 1, columns: 1 }),
        // On a blank sheet this is the top left cell (Worksheet.getUsedRange in @types/office-js).
        GetUsedRange: (valuesOnly) =>
          usedRange(valuesOnly) ?? rangeAt(sheetId, { row: 0, column: 0, rows: 1, columns: 1 }),
        GetUsedRangeOrNullObject: usedRange,
        GetRangeByIndexes: (row, column, rows, columns) =>
          rangeAt(sheetId, {
            row: integer(row),
            column: integer(column),
            rows: integer(rows),
            columns: integer(columns),
          }),
      },
      calls: {
        Activate() {
          mustBeInFront(model, "Worksheet.Activate");
          mustBeShown(sheetId, model);
          spreadsheet.activateSheet(sheetId);
        },
        Delete() {
          // "If the worksheet's visibility is set to VeryHidden, the delete operation will fail" (Worksheet.delete in
          // @types/office-js).
          if (document.veryHiddenSheets.has(sheetId))
            throw new HostError("InvalidOperation", "a VeryHidden sheet is not deleted");
          mustHaveOpenStructure(model);
          if (!sheet().isHidden) mustLeaveOneVisible();
          if (document.isBehind) throw new HostError("InvalidSelection", "another workbook is in front");
          spreadsheet.deleteSheet(sheetId);
          document.printSetups.delete(sheetId);
          for (const fact of [...document.facts.keys()])
            if (fact.startsWith(`${sheetId} `)) document.facts.delete(fact);
        },
        Calculate(markAllDirty) {
          if (markAllDirty === true) spreadsheet.recalculate(sheetId);
        },
        ...events.calls("sheets", sheetId),
      },
    };
  },

  WorksheetFreezePanes: ({ sheetId }, model) => ({
    calls: {
      FreezeRows(count) {
        mustBeInFront(model, "WorksheetFreezePanes.FreezeRows");
        model.spreadsheet.freeze(sheetId, { rows: integer(count ?? 1), columns: 0 });
      },
      FreezeColumns(count) {
        mustBeInFront(model, "WorksheetFreezePanes.FreezeColumns");
        model.spreadsheet.freeze(sheetId, { rows: 0, columns: integer(count ?? 1) });
      },
      Unfreeze() {
        mustBeInFront(model, "WorksheetFreezePanes.Unfreeze");
        model.spreadsheet.freeze(sheetId, { rows: 0, columns: 0 });
      },
      // "The range corresponds to cells that will be frozen in the top- and left-most pane" (@types/office-js).
      FreezeAt(range) {
        mustBeInFront(model, "WorksheetFreezePanes.FreezeAt");
        const { row, column, rows, columns } = rangeOf(range, model, sheetId).rect;
        model.spreadsheet.freeze(sheetId, { rows: row + rows, columns: column + columns });
      },
    },
  }),

  PageLayout: ({ sheetId }, model) => {
    const change = (part: Partial<PrintSetup>) => changePrintSetup(model, sheetId, part);
    return {
      properties: {
        Orientation: {
          set(value) {
            if (value !== "Portrait" && value !== "Landscape")
              throw new HostError("InvalidArgument", `orientation ${String(value)}`);
            change({ orientation: value });
          },
        },
        // To be set as a whole (PageLayout.zoom in @types/office-js).
        Zoom: {
          set(value) {
            const scale = scaleOf(value);
            change({ fitToPages: scale === null ? fitOf(value) : undefined });
          },
        },
      },
      calls: {
        // "The range must span the entire row to be valid" (PageLayout.setPrintTitleRows in @types/office-js).
        SetPrintTitleRows(rows) {
          const [, first, last] = /^\$?(\d+):\$?(\d+)$/.exec(text(rows)) ?? [];
          if (first === undefined || last === undefined)
            throw new HostError("InvalidArgument", `title rows ${text(rows)}`);
          change({ titleRows: `${first}:${last}` });
        },
        // "The range must span the entire column to be valid" (PageLayout.setPrintTitleColumns in @types/office-js).
        SetPrintTitleColumns(columns) {
          const [, first, last] = /^\$?([A-Z]{1,3}):\$?([A-Z]{1,3})$/.exec(text(columns)) ?? [];
          if (first === undefined || last === undefined)
            throw new HostError("InvalidArgument", `title columns ${text(columns)}`);
          change({ titleColumns: `${first}:${last}` });
        },
        SetPrintArea(area) {
          change({ area: formatAddress(null, rangeOf(area, model, sheetId).rect) });
        },
      },
      objects: {
        GetPrintAreaOrNullObject() {
          const area = model.document.printSetups.get(sheetId)?.area;
          return area === undefined
            ? null
            : { type: "RangeAreas", sheetId, rects: [rangeOf(area, model, sheetId).rect] };
        },
      },
      links: { HeadersFooters: () => ({ type: "HeaderFooterGroup", sheetId }) },
    };
  },

  HeaderFooterGroup: ({ sheetId }) => ({
    links: { DefaultForAllPages: () => ({ type: "HeaderFooter", sheetId }) },
  }),

  HeaderFooter: ({ sheetId }, model) => {
    const part = (place: "header" | "footer", name: "left" | "center" | "right"): Property => ({
      get: () => model.document.printSetups.get(sheetId)?.[place]?.[name] ?? "",
      set(value) {
        const parts = model.document.printSetups.get(sheetId)?.[place] ?? { left: "", center: "", right: "" };
        changePrintSetup(model, sheetId, { [place]: { ...parts, [name]: text(value) } });
      },
    });
    return {
      properties: {
        LeftHeader: part("header", "left"),
        CenterHeader: part("header", "center"),
        RightHeader: part("header", "right"),
        LeftFooter: part("footer", "left"),
        CenterFooter: part("footer", "center"),
        RightFooter: part("footer", "right"),
      },
    };
  },

  CustomXmlPartCollection({ namespace }, { document: { customXmlParts, namespaceOf } }) {
    const isHere = (partId: string) => namespace === undefined || namespaceOf(partId) === namespace;
    const part = (partId: string): Ref<"CustomXmlPart"> => ({ type: "CustomXmlPart", partId });
    return {
      items: () => [...customXmlParts.keys()].filter(isHere).map(part),
      item(key) {
        const partId = String(key);
        return customXmlParts.has(partId) && isHere(partId) ? part(partId) : null;
      },
      objects: {
        Add(xml) {
          rootNamespace(text(xml));
          const partId = `{${crypto.randomUUID().toUpperCase()}}`;
          customXmlParts.set(partId, text(xml));
          return { type: "CustomXmlPart", partId };
        },
        GetByNamespace: (wanted) => ({ type: "CustomXmlPartCollection", namespace: text(wanted) }),
        // "If the collection contains exactly one item, this method returns it. Otherwise, this method produces an error" (@types/office-js).
        GetOnlyItem() {
          const [only, other] = [...customXmlParts.keys()].filter(isHere);
          if (only === undefined || other !== undefined)
            throw new HostError("GeneralException", "the collection does not have exactly one part");
          return part(only);
        },
        GetOnlyItemOrNullObject() {
          const [only, other] = [...customXmlParts.keys()].filter(isHere);
          return only === undefined || other !== undefined ? null : part(only);
        },
      },
      calls: { GetCount: () => [...customXmlParts.keys()].filter(isHere).length },
    };
  },

  CustomXmlPart: ({ partId }, { document: { customXmlParts, namespaceOf } }) => ({
    id: partId,
    properties: {
      Id: { get: () => partId },
      NamespaceUri: { get: () => found(namespaceOf(partId)) },
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

function changePrintSetup({ document }: Model, sheetId: string, part: Partial<PrintSetup>): void {
  document.printSetups.set(sheetId, { ...document.printSetups.get(sheetId), ...part });
}

/** "Print page scale value can be between 10 and 400" (PageLayoutZoomOptions.scale in @types/office-js); null if there is none. */
function scaleOf(zoom: unknown): number | null {
  const { scale, ...others } = zoom as Record<string, unknown>;
  if (scale === undefined || scale === null) return null;
  const [other] = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (other !== undefined) throw notModelled(`PageLayout.Zoom scale with ${other}`);
  if (integer(scale) < 10 || integer(scale) > 400)
    throw new HostError("InvalidArgument", `scale ${integer(scale)}`);
  return integer(scale);
}

/** The number of pages that a sheet is fitted to; 0 means as many as it needs. */
function fitOf(zoom: unknown): NonNullable<PrintSetup["fitToPages"]> {
  const { horizontalFitToPages, verticalFitToPages, ...others } = zoom as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw notModelled(`PageLayout.Zoom ${other}`);
  const pages = { across: integer(horizontalFitToPages), down: integer(verticalFitToPages) };
  if (pages.across < 0 || pages.down < 0) throw new HostError("InvalidArgument", "PageLayout.Zoom");
  return pages;
}

function sheetRef({ id }: SheetInfo): Ref<"Worksheet"> {
  return { type: "Worksheet", sheetId: id };
}

/** The name as it was asked for, or the next free "SheetN". */
function freeSheetName(wanted: unknown, model: Model): string {
  if (wanted === null || wanted === undefined) return nextName("Sheet", model.spreadsheet.sheets());
  const name = text(wanted);
  mustBeSheetName(name, model);
  return name;
}

/** `sheetId` is the sheet that gets it, if there is one already. */
function mustBeSheetName(name: string, model: Model, sheetId?: string): void {
  // Excel reserves "History", and refuses characters that can't be printed.
  if (name.length > 31 || /[\\/?*[\]:\p{Cc}]|^'|'$|^history$/iu.test(name))
    throw new HostError("InvalidArgument", `sheet name ${name}`);
  const other = findSheet(model, name);
  if (other && other.id !== sheetId) throw new HostError("ItemAlreadyExists", `sheet ${name}`);
}

/** Refuses to rename a sheet that formulas name, because adjusting formulas is not modeled. */
function mustNotBeNamed(sheetName: string, { spreadsheet }: Model): void {
  const written = sheetName.replaceAll("'", "''").toLowerCase();
  const names = (formula: unknown) =>
    typeof formula === "string" && formula.startsWith("=") && formula.toLowerCase().includes(written);
  const all = { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS };
  const isNamed =
    spreadsheet.names().some(({ formula }) => names(formula)) ||
    spreadsheet.sheets().some(({ id }) => {
      const used = spreadsheet.usedRect(id, true, all);
      return used && spreadsheet.read(id, used).some((cells) => cells.some(({ formula }) => names(formula)));
    });
  if (isNamed) throw notModelled("setting Worksheet.Name of a sheet that formulas name");
}

/** In the order of their tabs. */
function sheetsOf({ spreadsheet }: Model, visibleOnly?: unknown): SheetInfo[] {
  return spreadsheet.sheets().filter(({ isHidden }) => visibleOnly !== true || !isHidden);
}
