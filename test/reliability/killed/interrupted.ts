import { config } from "../../../src/config";
// A script that is loaded on demand would arrive in real time, but these tests use fake time, so it is loaded here.
import "../../../src/engine/lookup/lists/read-list";
import "../../../src/engine/lookup/lists/successors";
import { keepPresent } from "../../../src/taskpane/dated-sheets/dated-work";
import { createImportBook } from "../../../src/workbook/imports/saved/import-book";
import type { ImportOrder } from "../../../src/workbook/imports/run/import-types";
import { importToFill } from "../../../src/workbook/imports/saved/import-to-fill";
import type { SavedImport } from "../../../src/workbook/imports/saved/saved-import";
import type { RefreshReport } from "../../../src/workbook/imports/refresh/plan-refresh";
import type { RefreshOptions } from "../../../src/workbook/imports/refresh/refresh";
import { plainForm } from "../../../src/workbook/sheet/layout/table-plan";
import type { Destination } from "../../../src/workbook/sheet/tables/write-table";
import { createImportTables } from "../../../src/workbook/sheet/tables/table-changes";
import { finishFreeze } from "../../../src/workbook/unfinished/finish-freeze";
import { importToFinish, refreshToFinish } from "../../../src/workbook/unfinished/finish-refresh";
import { freezeFormulas, unfreezeFormulas } from "../../../src/workbook/cell-formulas/freeze";
import { placeImport } from "../../../src/workbook/imports/run/place-import";
import { refreshImport } from "../../../src/workbook/imports/refresh/refresh";
import { refreshCell } from "../../../src/workbook/imports/refresh/refresh-cell";
import { takeBackImport } from "../../../src/workbook/unfinished/take-back";
import type { KeptUnfinished } from "../../../src/workbook/work-note/unfinished-book";
import { canTakeBack } from "../../../src/workbook/work-note/unfinished-work";
import type { PlayedExcel } from "../../excel/open-excel";
import { askService, chosen, givenUp, imported } from "../operations";

/** An operation that can be interrupted, run as the pane runs it. */
export interface KilledOperation {
  /** Changes the workbook before the operation. */
  prepare?(excel: PlayedExcel): Promise<unknown>;
  run(excel: PlayedExcel): Promise<unknown>;
  /** The ways to go on that the next start offers. */
  offers: ("finish" | "take back")[];
  /** True if the operation asks the service before it writes anything. */
  asks: boolean;
}

const { namespace } = config;
const signal = new AbortController().signal;
const finding = { namespace, canSeeSpills: true, signal };
const writing = { signal, onProgress() {} };

async function savedImport({ app }: PlayedExcel, name = imported) {
  const { imports } = await createImportBook(app.workbook).list();
  const kept = imports.find(({ saved }) => saved.name === name);
  if (!kept) throw new Error(`There is no import ${name}.`);
  return kept.saved;
}

export async function refresh(
  { app, ...excel }: PlayedExcel,
  options: RefreshOptions = {},
  name = imported,
  saved?: SavedImport,
): Promise<RefreshReport> {
  saved ??= await savedImport({ app, ...excel }, name);
  const session = await app.session();
  const dependencies = {
    tables: createImportTables(app.workbook),
    book: createImportBook(app.workbook),
    ...session,
  };
  return (await app.unfinished.during((note) => refreshImport(saved, dependencies, { ...options, note })))
    .report;
}

async function place(
  { app }: PlayedExcel,
  destination: Destination,
  order: Partial<ImportOrder> = {},
): Promise<void> {
  const { new: ahjs, types } = await chosen();
  const session = await app.session();
  const whole: ImportOrder = {
    question: { kind: "matrix", ahjs, types },
    form: plainForm,
    hasSources: false,
    sheetName: "Fees",
    ...order,
  };
  const placed = await app.unfinished.during((note) =>
    placeImport(whole, destination, { workbook: app.workbook, session }, { note }),
  );
  if (placed.status === "failed") throw placed.failure;
  if (placed.notRemembered) throw placed.notRemembered;
}

const longForm = { ...plainForm, layout: "long" as const };
const sheetIdOf = ({ spreadsheet }: PlayedExcel, wanted: string) =>
  spreadsheet.sheets().find(({ name }) => name === wanted)?.id ?? "";

async function freeze({ app: { workbook, unfinished } }: PlayedExcel) {
  const cells = await workbook.findFormulas("workbook", finding);
  return unfinished.during((note) =>
    freezeFormulas(cells, workbook, { ...writing, note, canSeeDataTypes: false }),
  );
}

const unfreeze = ({ app }: PlayedExcel, only?: Parameters<typeof unfreezeFormulas>[2]["only"]) =>
  app.unfinished.during((note) =>
    unfreezeFormulas("workbook", app.workbook, { ...writing, note, namespace, calls: app, only }),
  );

export const killedOperations = {
  "a refresh of an import": {
    run: (excel) => refresh(excel),
    offers: ["finish"],
    asks: true,
  },
  "a refresh that adds rows": {
    async prepare(excel) {
      await place(excel, { kind: "new-sheet", name: "Long" }, { form: longForm, sheetName: "Long" });
      // A value of each of the last two AHJs comes later than the last run, so the refresh must add its row.
      const { spreadsheet, document } = excel;
      const sheetId = sheetIdOf(excel, "Long");
      const { id, rect } = spreadsheet.tables().find((table) => table.sheetId === sheetId)!;
      const rows = rect.rows - 2;
      const row = (from: number) => ({ ...rect, row: from, rows: 1 });
      spreadsheet.copy({ sheetId, rect: row(rows) }, { sheetId, row: rows - 1, column: 0 });
      spreadsheet.updateTable(id, { rect: { ...rect, rows } });
      spreadsheet.clear(sheetId, { ...rect, row: rows, rows: 2 }, { contents: true, formats: true });
      for (const [partId, xml] of document.customXmlParts)
        if (xml.includes('"Long"'))
          document.customXmlParts.set(partId, xml.replace(/"asOfMs":\d+/, '"asOfMs":1'));
    },
    run: (excel) => refresh(excel, {}, "Long"),
    offers: ["finish"],
    asks: true,
  },
  "a refresh of one cell": {
    async run(excel) {
      const { app } = excel;
      const { kept, types } = await chosen();
      const asked = { ahjId: kept[0]!.id, typeId: types[0]!.id };
      const dependencies = {
        tables: createImportTables(app.workbook),
        book: createImportBook(app.workbook),
        ...(await app.session()),
      };
      const saved = await savedImport(excel);
      await app.unfinished.during((note) =>
        refreshCell(saved, { asked, before: null }, dependencies, { note }),
      );
    },
    // Nothing is offered, since a refresh of the whole import would finish it.
    offers: [],
    asks: true,
  },
  "a change of an import": {
    async run(excel) {
      const { new: newAhjs, types } = await chosen();
      const { items } = await askService<{ items: typeof types }>("/v1/data-points/types?page_size=500");
      const more = items.filter(({ id }) => [1007, 1010].includes(id));
      await refresh(excel, { change: { types: [types[1]!, ...more], newAhjs } });
    },
    offers: ["finish"],
    asks: true,
  },
  "filling columns of one's own table": {
    async prepare(excel) {
      excel.spreadsheet.deleteSheet(sheetIdOf(excel, "Formulas"));
      const { id: sheetId } = excel.spreadsheet.addSheet("Formulas");
      excel.enter("Formulas!A1", [
        ["geoID", "Code", "Mine"],
        ["'06001", "", 1],
        ["'06013", "typed", 2],
        ["'06037", "", 3],
      ]);
      const rect = { row: 0, column: 0, rows: 4, columns: 3 };
      excel.spreadsheet.addTable({ sheetId, name: "Own", rect, style: "TableStyleLight2" });
    },
    async run(excel) {
      const { types } = await chosen();
      const table = excel.spreadsheet.tables().find(({ name }) => name === "Own")!;
      const list = {
        name: "Own",
        tableId: table.id,
        listHeader: "geoID",
        headers: ["geoID", "Code", "Mine"],
      };
      const { credentials } = await excel.app.session();
      const saved = importToFill(list, credentials.baseUrl);
      const into = [{ header: "Code", typeId: types[0]!.id }];
      const change = { types, newAhjs: [], into };
      await refresh(excel, { change, isFirst: true }, "Own", { ...saved, id: "own" });
    },
    offers: ["finish"],
    asks: true,
  },
  "an import on a new sheet with its sources": {
    async run(excel) {
      const { new: ahjs, collection } = await chosen();
      const question = { kind: "collection" as const, ahjs: ahjs.slice(0, 2), collection };
      await place(excel, { kind: "new-sheet", name: "Fees" }, { question, hasSources: true });
    },
    offers: ["take back"],
    asks: true,
  },
  "an import over given-up cells": {
    run: (excel) =>
      place(excel, {
        ...{ kind: "cell", sheetId: sheetIdOf(excel, givenUp.sheet), row: 1, column: 1 },
        mayOverwrite: { rows: givenUp.rows, columns: givenUp.columns },
      }),
    offers: ["take back"],
    asks: true,
  },
  "an import beside a list": {
    async run(excel) {
      const { spreadsheet, app } = excel;
      const { kept: ahjs } = await chosen();
      const sheetId = sheetIdOf(excel, "Formulas");
      spreadsheet.select(sheetId, [{ row: 1, column: 0, rows: 3, columns: 1 }]);
      const list = await app.workbook.readListColumn();
      const header = { from: "inserted" as const, text: "geoID" };
      const beside = { list, header, ahjs };
      await place(
        excel,
        { kind: "beside", list, header, mayOverwrite: { rows: 20, columns: 20 } },
        { beside },
      );
    },
    async prepare(excel) {
      // The sheet must hold nothing else.
      excel.spreadsheet.deleteSheet(sheetIdOf(excel, "Formulas"));
      excel.spreadsheet.addSheet("Formulas");
      excel.enter("Formulas!A2", [["'06001"], ["'06013"], ["'06037"]]);
    },
    offers: [],
    asks: true,
  },
  "an import in columns that are inserted beside a list": {
    async run(excel) {
      const { spreadsheet, app } = excel;
      const { kept: ahjs } = await chosen();
      const sheetId = sheetIdOf(excel, "Formulas");
      spreadsheet.select(sheetId, [{ row: 0, column: 0, rows: 4, columns: 1 }]);
      const list = await app.workbook.readListColumn();
      const beside = { list, header: { from: "list" as const, text: "geoID" }, ahjs };
      const way = { kind: "inserted" as const };
      await place(
        excel,
        { kind: "beside", ...beside, way, mayOverwrite: null },
        { beside: { ...beside, way } },
      );
    },
    async prepare(excel) {
      excel.spreadsheet.deleteSheet(sheetIdOf(excel, "Formulas"));
      excel.spreadsheet.addSheet("Formulas");
      excel.enter("Formulas!A1", [
        ["geoID", "kW"],
        ["'06001", 1],
        ["'06013", 2],
        ["'06037", 3],
      ]);
    },
    offers: [],
    asks: true,
  },
  "an import in the place of another": {
    async run(excel) {
      const { workbook } = excel.app;
      const [kept] = (await createImportBook(workbook).list()).imports;
      const { tableId } = kept!.saved;
      const { rows, headers } = await workbook.describeTable(tableId);
      const replaces = { kept: kept!, headers, rows, columns: headers.length };
      await place(
        excel,
        { kind: "in-place", tableId, rows, headers, mayOverwrite: { rows: 20, columns: 20 } },
        { replaces },
      );
    },
    offers: [],
    asks: true,
  },
  "keeping a dated sheet": {
    async run({ app }) {
      const { imports } = await createImportBook(app.workbook).list();
      await keepPresent(imports, app, await app.session(), { signal, isShown: false, tell() {} });
    },
    offers: ["take back"],
    asks: false,
  },
  freezing: { run: freeze, offers: ["finish", "take back"], asks: false },
  unfreezing: { prepare: freeze, run: (excel) => unfreeze(excel), offers: ["finish"], asks: false },
} satisfies Record<string, KilledOperation>;

/** Finishes the interrupted operation, as the pane does, and returns its result. */
export async function finish(
  excel: PlayedExcel,
  { work, partId }: KeptUnfinished,
): Promise<RefreshReport | null> {
  const { app } = excel;
  const { workbook, unfinished } = app;
  let came: RefreshReport | null = null;
  if (work.kind === "refresh" || work.kind === "change") {
    const now = await importToFinish(work, createImportBook(workbook));
    if (!now) throw new Error(`There is no import ${work.name}.`);
    came = await refresh(excel, refreshToFinish(work, now), work.name, now);
  }
  if (work.kind === "freeze")
    await finishFreeze(unfinished, work, workbook, { ...writing, ...finding, canSeeDataTypes: false });
  if (work.kind === "unfreeze") await unfreeze(excel, { areas: work.areas });
  await unfinished.forget(partId);
  return came;
}

/** Takes the interrupted operation back, as the pane does. */
export async function takeBack(excel: PlayedExcel, { work, partId }: KeptUnfinished): Promise<void> {
  const { app } = excel;
  if (work.kind === "freeze") await unfreeze(excel, { atMs: work.frozenAtMs });
  if (work.kind === "import") {
    if (!canTakeBack(work)) throw new Error("This is not offered.");
    const { withoutCopy } = await app.workbook.run((context) => takeBackImport(context, work));
    if (withoutCopy.length === 0) await createImportBook(app.workbook).forget(work.importId);
  }
  await app.unfinished.forget(partId);
}
