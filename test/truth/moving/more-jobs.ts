import { config } from "../../../src/config";
import { fillTable } from "../../../src/workbook/imports/run/fill-table";
import { createImportBook } from "../../../src/workbook/imports/saved/import-book";
import { repairCells } from "../../../src/workbook/cell-formulas/stuck-cells";
import { chartTable, type ChartPlan } from "../../../src/workbook/sheet/drawing/chart-plan";
import { addChart } from "../../../src/workbook/sheet/drawing/charts";
import { setColorScale } from "../../../src/workbook/sheet/drawing/color-scale";
import { insertPicture } from "../../../src/workbook/sheet/drawing/pictures";
import { addBelowList } from "../../../src/workbook/sheet/lists/list-additions";
import { createImportTables } from "../../../src/workbook/sheet/tables/table-changes";
import { writeTable, type WriteOptions } from "../../../src/workbook/sheet/tables/write-table";
import { textCell } from "../../../src/workbook/sheet/values/cell-value";
import { placeTemplate } from "../../../src/workbook/templates/place-template";
import { createDraft, type PlannedSheet } from "../../../src/workbook/templates/sheet-draft";
import {
  either,
  type Job,
  nothing,
  onNewSheets,
  onSheet,
  onTable,
  newSheet,
  refresh,
  sheetNamed,
  tableOn,
  toldOf,
} from "./jobs";
import { geoidOf } from "./two-worlds";
import { listed, type, valueFormula } from "./workbook";

/** A template's sheet: texts, a formula for each place, colors and a table. */
function templateSheet(): PlannedSheet {
  const draft = createDraft();
  draft.text(0, 0, "Question 1001");
  draft.look("title", 0, 0, 1, 1);
  draft.text(1, 0, "Name");
  draft.text(1, 1, "Value");
  draft.look("tableHeader", 1, 0, 1, 2);
  for (const [index, id] of listed.entries()) {
    draft.text(index + 2, 0, `Place ${id}`);
    draft.formula(index + 2, 1, valueFormula(id));
  }
  draft.look("input", 2, 0, listed.length, 1);
  const table = { row: 1, column: 0, rows: listed.length + 1, columns: 2 };
  return {
    ...{ name: newSheet, cells: [...draft.cells], looks: draft.looks, columnWidths: [120, 90], table },
    frozen: { rows: 2, columns: 0 },
    print: {
      area: { ...table, row: 0, rows: table.rows + 1 },
      orientation: "Portrait",
      isOnePage: true,
      titleRows: null,
    },
  };
}

const chart: ChartPlan = {
  ...{ title: "Question 1001", kind: "columns", headers: ["Name", "Value"] },
  rows: listed.map((id) => ({ label: `Place ${id}`, value: id / 8 })),
};
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Adds entries below a list. They are texts that only the service has, so that none can be left unseen. */
const added = (sheet: string, first: number): Job => ({
  spots: either(onSheet(sheet, { row: 1, column: 1, rows: listed.length + 5, columns: 3 }), onTable(sheet)),
  async prepare({ excel, quietly }) {
    const { spreadsheet, app } = excel;
    const sheetId = sheetNamed(excel, sheet);
    spreadsheet.activateSheet(sheetId);
    spreadsheet.select(sheetId, [{ row: first, column: 1, rows: listed.length, columns: 1 }]);
    const list = await quietly(app.workbook.readListColumn());
    const entries = [105, 106, 107].map((id) => textCell(`Text ${id} 1001 v2`));
    return async () => {
      await app.workbook.runAsOneStep((context) => addBelowList(context, list, entries));
      return nothing;
    };
  },
});

/** The other ways in which the add-in writes. */
export const moreJobs = {
  template: {
    spots: onNewSheets,
    prepare: ({ excel }) =>
      Promise.resolve(async () => {
        await placeTemplate(excel.app.workbook, templateSheet());
        return nothing;
      }),
  },
  "rows added below a list": added("List", 2),
  "rows added to a list in a table": added("Listed", 2),
  chart: {
    spots: onNewSheets,
    prepare: ({ excel }) =>
      Promise.resolve(async (signal) => {
        const { workbook } = excel.app;
        const destination = { kind: "new-sheet" as const, name: newSheet };
        const onWritten: WriteOptions["onWritten"] = ({ tableId }, within) =>
          addChart(within, tableId, chart);
        await writeTable(workbook, chartTable(chart), destination, { signal, onWritten });
        return nothing;
      }),
  },
  picture: {
    spots: onNewSheets,
    prepare: ({ excel }) =>
      Promise.resolve(async () => {
        const lines = ["Question 1001", "Text 101 1001 v2"];
        await insertPicture(excel.app.workbook, {
          base64: png,
          altText: "A map",
          sheetName: newSheet,
          lines,
          width: 480,
        });
        return nothing;
      }),
  },
  colors: {
    spots: onTable("Codes"),
    prepare: ({ excel, random }) => {
      const table = tableOn(excel, "Codes")!;
      const header = type(random.one([1001, 1002])).name;
      return Promise.resolve(async () => {
        await setColorScale(excel.app.workbook, table.id, header, true);
        return nothing;
      });
    },
  },
  "refresh of a changed list": {
    spots: onTable("Followed"),
    prepare(scene) {
      const { excel, random } = scene;
      const { sheetId, rect } = tableOn(excel, "Followed")!;
      // Two of the list's places are others now.
      for (const [at, id] of [105, 106].entries()) {
        const row = rect.row + 1 + ((at + random.whole(0, 3)) % listed.length);
        const cell = { row, column: rect.column, rows: 1, columns: 1 };
        excel.spreadsheet.writeFormulas(sheetId, cell, [[`'${geoidOf(id)}`]]);
      }
      return refresh("Followed", false).prepare(scene);
    },
  },
  "filling of own columns": {
    spots: onTable("Own"),
    prepare({ excel, session }) {
      const { spreadsheet, app } = excel;
      const { id: sheetId } = spreadsheet.addSheet("Own");
      const headers = ["geoID", "First", "Mine", "Second"];
      const rows = listed.map((id, at) => [`'${geoidOf(id)}`, "", `own note ${at}`, ""]);
      const rect = { row: 1, column: 1, rows: rows.length + 1, columns: headers.length };
      spreadsheet.writeFormulas(sheetId, rect, [headers, ...rows]);
      const { id: tableId } = spreadsheet.addTable({ sheetId, name: "Own", rect, style: "TableStyleLight2" });
      const order = {
        ...{ name: "Own", tableId, headers, listHeader: "geoID", types: [1001, 1002, 1003].map(type) },
        into: [
          { header: "First", typeId: 1001 },
          { header: "Second", typeId: 1002 },
        ],
      };
      const { workbook } = app;
      const tables = createImportTables(workbook);
      return Promise.resolve(async (signal) => {
        const tools = { ...session, tables, book: createImportBook(workbook) };
        const { report, notRemembered } = await fillTable(order, tools, { signal });
        const told = toldOf(report);
        if (notRemembered) told.report.push(notRemembered.message);
        return told;
      });
    },
  },
  repair: {
    spots: onSheet("Formulas", { row: 1, column: 1, rows: 4, columns: 6 }),
    async prepare({ excel, quietly }) {
      const { app } = excel;
      const options = { namespace: config.namespace, canSeeSpills: app.workbook.hasExcelApi("1.12") };
      const cells = await quietly(app.workbook.findFormulas("workbook", options));
      return async (signal) => {
        const { left, replaced } = await repairCells(
          cells,
          { workbook: app.workbook, calls: app },
          { signal, onRepaired() {} },
        );
        return { ...nothing, left: left.length + replaced.length };
      };
    },
  },
} satisfies Record<string, Job>;
