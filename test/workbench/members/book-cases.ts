import { docs, type MemberCase, reference } from "./member-case";

export const bookCases: MemberCase[] = [
  {
    name: "a sheet gets another place, and its neighbors are known; no neighbor is ItemNotFound",
    source: `${reference}/excel.worksheet#excel-excel-worksheet-position-member`,
    async work(context, sheet) {
      sheet.position = 0;
      const next = sheet.getNext().load("name");
      const before = sheet.getPreviousOrNullObject();
      const back = sheet.getNext().getPrevious().load("name");
      sheet.load("position");
      await context.sync();
      const { position } = sheet;
      sheet.getPrevious();
      const none = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      sheet.position = 99;
      const outside = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [position, next.name, before.isNullObject, back.name, none, outside];
    },
    expected: [0, "Sheet1", true, "Case", "ItemNotFound", "InvalidArgument"],
  },
  {
    name: "a copy of a sheet has its cells and tables, and stands where it is wanted",
    source: `${reference}/excel.worksheet#excel-excel-worksheet-copy-member(1)`,
    async work(context, sheet) {
      sheet.getRange("A1:A2").values = [["Place"], ["Kern"]];
      sheet.tables.add("A1:A2", true).name = "Places";
      const copy = sheet.copy("After", sheet).load("name,position");
      sheet.load("position");
      const range = copy.getRange("A1:A2").load("values");
      const tables = copy.tables.load("count");
      await context.sync();
      const result = [copy.name, copy.position - sheet.position, range.values, tables.count];
      copy.delete();
      sheet.copy("Before");
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [...result, refusal];
    },
    expected: ["Case (2)", 1, [["Place"], ["Kern"]], 1, "InvalidArgument"],
  },
  {
    name: "a tab's color is kept, none is an empty text, and gridlines and headings can be hidden",
    source: `${reference}/excel.worksheet#excel-excel-worksheet-tabcolor-member`,
    async work(context, sheet) {
      const names = "tabColor,showGridlines,showHeadings";
      sheet.load(names);
      await context.sync();
      const before = [sheet.tabColor, sheet.showGridlines, sheet.showHeadings];
      sheet.tabColor = "red";
      sheet.showGridlines = false;
      sheet.showHeadings = false;
      sheet.load(names);
      await context.sync();
      const after = [sheet.tabColor, sheet.showGridlines, sheet.showHeadings];
      sheet.tabColor = "no color";
      return [before, after, await context.sync().catch((error: OfficeExtension.Error) => error.code)];
    },
    expected: [["", true, true], ["#FF0000", false, false], "InvalidArgument"],
  },
  {
    name: "what is frozen has a range, and nothing is a null object",
    source: `${reference}/excel.worksheetfreezepanes#excel-excel-worksheetfreezepanes-getlocationornullobject-member(1)`,
    async work(context, sheet) {
      const none = sheet.freezePanes.getLocationOrNullObject();
      await context.sync();
      sheet.freezePanes.freezeAt("A1:B3");
      const frozen = sheet.freezePanes.getLocationOrNullObject().load("address");
      const again = sheet.freezePanes.getLocation().load("address");
      await context.sync();
      return [none.isNullObject, frozen.address, again.address];
    },
    expected: [true, "Case!A1:B3", "Case!A1:B3"],
  },
  {
    name: "how a sheet is printed can be set, and a scale is between 10 and 400",
    source: `${reference}/excel.pagelayoutzoomoptions#excel-excel-pagelayoutzoomoptions-scale-member`,
    async work(context, sheet) {
      const { pageLayout } = sheet;
      pageLayout.blackAndWhite = true;
      pageLayout.centerHorizontally = true;
      pageLayout.zoom = { scale: 200 };
      pageLayout.load("blackAndWhite,centerHorizontally,centerVertically");
      sheet.horizontalPageBreaks.add("A21");
      const breaks = sheet.horizontalPageBreaks.load("items");
      await context.sync();
      pageLayout.zoom = { scale: 401 };
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [
        ...[pageLayout.blackAndWhite, pageLayout.centerHorizontally, pageLayout.centerVertically],
        ...[breaks.items.length, refusal],
      ];
    },
    expected: [true, true, false, 1, "InvalidArgument"],
  },
  {
    name: "settings and properties of sheets are added, replaced, counted and deleted by their names",
    source: `${docs}/excel-add-ins-workbooks`,
    async work(context, sheet) {
      const { settings } = context.workbook;
      settings.add("kept", 1);
      settings.add("kept", [2]);
      const setting = settings.getItem("kept").load("key,value");
      const none = settings.getItemOrNullObject("absent");
      const property = sheet.customProperties.add("Author", "Ann").load("key,value");
      sheet.customProperties.add("author", "Bob");
      const count = sheet.customProperties.getCount();
      const again = sheet.customProperties.getItem("AUTHOR").load("value");
      await context.sync();
      settings.getItem("kept").delete();
      sheet.customProperties.add("x".repeat(256), "");
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [setting.value, none.isNullObject, property.key, count.value, again.value, refusal];
    },
    expected: [[2], true, "Author", 1, "Bob", "InvalidArgument"],
  },
  {
    name: "custom XML parts of a namespace are counted, and only one that is alone is the only item",
    source: `${reference}/excel.customxmlpartscopedcollection`,
    async work(context) {
      const parts = context.workbook.customXmlParts;
      const first = parts.add('<a xmlns="urn:only"/>');
      const scoped = parts.getByNamespace("urn:only");
      const count = scoped.getCount();
      const only = scoped.getOnlyItem().load("id");
      first.load("id");
      await context.sync();
      const isSame = only.id === first.id;
      const second = parts.add('<b xmlns="urn:only"/>');
      const none = scoped.getOnlyItemOrNullObject();
      await context.sync();
      first.delete();
      second.delete();
      await context.sync();
      return [count.value, isSame, none.isNullObject];
    },
    expected: [1, true, true],
  },
  {
    name: "a name gets other cells, and a text that is no formula is refused",
    source: `${reference}/excel.nameditem#excel-excel-nameditem-formula-member`,
    async work(context, sheet) {
      const name = sheet.names.add("Kept", sheet.getRange("A1"));
      name.formula = "=Case!B2:B3";
      name.load("formula");
      const range = name.getRange().load("address");
      await context.sync();
      const { formula } = name;
      name.formula = "B2";
      const refusal = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      sheet.names.getItem("Kept").delete();
      await context.sync();
      return [formula, range.address, refusal];
    },
    expected: ["=Case!$B$2:$B$3", "Case!B2:B3", "InvalidArgument"],
  },
  {
    name: "a table's bands, filter buttons and marked columns are kept; columns have their width",
    source: `${reference}/excel.table#excel-excel-table-showbandedrows-member`,
    async work(context, sheet) {
      sheet.getRange("A1:B2").values = [
        ["Place", "Fee"],
        ["Kern", 1],
      ];
      const table = sheet.tables.add("A1:B2", true);
      const names =
        "showBandedRows,showBandedColumns,showFilterButton,highlightFirstColumn,highlightLastColumn";
      table.load(names);
      sheet.getRange("D:E").format.columnWidth = 60;
      const width = sheet.getRange("D1:E1").format.load("columnWidth");
      await context.sync();
      const all = () => [
        ...[table.showBandedRows, table.showBandedColumns, table.showFilterButton],
        ...[table.highlightFirstColumn, table.highlightLastColumn],
      ];
      const before = all();
      table.showBandedRows = false;
      table.highlightFirstColumn = true;
      table.load(names);
      await context.sync();
      return [before, all(), width.columnWidth];
    },
    expected: [[true, false, true, false, false], [false, false, true, true, false], 60],
  },
  {
    name: "handlers hear of a sheet's protection, name, visibility, place and sorted rows",
    source: `${docs}/excel-add-ins-events`,
    async work(context, sheet) {
      const heard: unknown[] = [];
      const hear = (...facts: unknown[]) => {
        heard.push(facts);
        return Promise.resolve();
      };
      const { worksheets } = context.workbook;
      sheet.onProtectionChanged.add(({ isProtected }) => hear("protection", isProtected));
      worksheets.onNameChanged.add(({ nameBefore, nameAfter }) => hear("name", nameBefore, nameAfter));
      worksheets.onMoved.add(({ positionAfter }) => hear("place", positionAfter));
      sheet.onVisibilityChanged.add(({ visibilityAfter }) => hear("visibility", visibilityAfter));
      sheet.onRowSorted.add(({ address }) => hear("rows", address));
      sheet.getRange("A1:A2").values = [[2], [1]];
      await context.sync();
      sheet.getRange("A1:A2").sort.apply([{ key: 0 }]);
      sheet.protection.protect();
      sheet.protection.unprotect();
      const renamed = worksheets.add("Before");
      renamed.name = "After";
      renamed.delete();
      sheet.position = 0;
      worksheets.getItem("Sheet1").activate();
      sheet.visibility = "Hidden";
      sheet.visibility = "Visible";
      await context.sync();
      await new Promise((done) => setTimeout(done, 50));
      return heard;
    },
    expected: [
      ["rows", "A1:A2"],
      ["protection", true],
      ["protection", false],
      ["name", "Before", "After"],
      ["place", 0],
      ["visibility", "Hidden"],
      ["visibility", "Visible"],
    ],
  },
  {
    name: "a changed formula is told with the one before, also where a value takes its place, and a first formula is not",
    source: `${reference}/excel.worksheet#excel-excel-worksheet-onformulachanged-member`,
    async work(context, sheet) {
      const heard: unknown[] = [];
      const hear = ({ formulaDetails }: Excel.WorksheetFormulaChangedEventArgs) => {
        heard.push(
          ...formulaDetails.map(({ cellAddress, previousFormula }) => [cellAddress, previousFormula]),
        );
        return Promise.resolve();
      };
      sheet.getRange("A1:B1").formulas = [[2, "=A1*2"]];
      sheet.onFormulaChanged.add(hear);
      await context.sync();
      sheet.getRange("C1").formulas = [["=A1*4"]];
      sheet.getRange("A1").values = [[3]];
      await context.sync();
      sheet.getRange("B1:C1").formulas = [["=A1*3", 7]];
      await context.sync();
      await new Promise((done) => setTimeout(done, 50));
      return heard;
    },
    expected: [
      ["B1", "=A1*2"],
      ["C1", "=A1*4"],
    ],
  },
  {
    name: "no event is heard while events are disabled",
    source: `${reference}/excel.runtime#excel-excel-runtime-enableevents-member`,
    async work(context, sheet) {
      const heard: string[] = [];
      sheet.onChanged.add(({ address }) => {
        heard.push(address);
        return Promise.resolve();
      });
      const { runtime } = context;
      runtime.load("enableEvents");
      await context.sync();
      const before = runtime.enableEvents;
      runtime.enableEvents = false;
      sheet.getRange("A1").values = [[1]];
      await context.sync();
      runtime.enableEvents = true;
      sheet.getRange("A2").values = [[2]];
      await context.sync();
      await new Promise((done) => setTimeout(done, 50));
      return [before, heard];
    },
    expected: [true, ["A2"]],
  },
  {
    name: "cells and tables are bound by ids, follow their cells, and a binding of another type or of cells that are gone is refused",
    source: `${reference}/excel.bindingcollection`,
    async work(context, sheet) {
      const code = (error: OfficeExtension.Error) => error.code;
      const { bindings } = context.workbook;
      sheet.getRange("A1:B2").values = [
        ["Place", "Fee"],
        ["Kern", 1],
      ];
      const table = sheet.tables.add("A1:B2", true);
      table.load("id");
      bindings.add("Case!A1:B2", "Table", "fees");
      bindings.add(sheet.getRange("D5:E6"), "Range", "cells");
      const word = bindings.add("Case!A2", "Text", "word").getText();
      const bound = bindings.getItem("fees").getTable().load("id");
      const count = bindings.getCount();
      const none = bindings.getItemOrNullObject("none");
      await context.sync();
      sheet.getRange("5:5").insert("Down");
      const moved = bindings.getItemAt(1).getRange().load("address");
      await context.sync();
      bindings.getItem("cells").getTable();
      const otherType = await context.sync().catch(code);
      bindings.add("Case!D1", "Range", "cells");
      const again = await context.sync().catch(code);
      bindings.add("Case!D1:E2", "Table", "new");
      const noTable = await context.sync().catch(code);
      sheet.getRange("6:7").delete("Up");
      bindings.getItem("cells").getRange();
      const gone = await context.sync().catch(code);
      for (const id of ["fees", "cells", "word"]) bindings.getItem(id).delete();
      await context.sync();
      return [
        ...[bound.id === table.id, word.value, count.value, none.isNullObject, moved.address],
        ...[otherType, again, noTable, gone],
      ];
    },
    expected: [
      ...[true, "Kern", 3, true, "Case!D6:E7"],
      ...["InvalidBinding", "ItemAlreadyExists", "InvalidArgument", "InvalidBinding"],
    ],
  },
];
