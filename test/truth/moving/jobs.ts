import { config } from "../../../src/config";
import { freezeFormulas, unfreezeFormulas } from "../../../src/workbook/cell-formulas/freeze";
import { refreshFormulas } from "../../../src/workbook/cell-formulas/refresh-formulas";
import { planChanges, reportedCells } from "../../../src/workbook/imports/refresh/changes-sheet";
import type { RefreshReport } from "../../../src/workbook/imports/refresh/plan-refresh";
import { refreshImport } from "../../../src/workbook/imports/refresh/refresh";
import { refreshCell } from "../../../src/workbook/imports/refresh/refresh-cell";
import type { ImportOrder, ImportSession } from "../../../src/workbook/imports/run/import-types";
import { placeImport } from "../../../src/workbook/imports/run/place-import";
import { createImportBook, type KeptImport } from "../../../src/workbook/imports/saved/import-book";
import { rowsRead } from "../../../src/workbook/sheet/layout/row-keys";
import { inspectBeside } from "../../../src/workbook/sheet/lists/beside-list";
import type { Contents } from "../../../src/workbook/sheet/tables/target-place";
import type { BesideList, ListHeader } from "../../../src/workbook/sheet/lists/list-column";
import { createImportTables } from "../../../src/workbook/sheet/tables/table-changes";
import {
  type Destination,
  inspectTarget,
  type TableTarget,
  writeTable,
} from "../../../src/workbook/sheet/tables/write-table";
import type { Rect } from "../../../workbench/spreadsheet";
import type { PlayedExcel } from "../../excel/open-excel";
import type { Spot } from "../../people/people";
import type { Random } from "../random";
import { typeIds } from "./two-worlds";
import { ahj, blankPlace, givenUp, listed, long, plain, type, wide } from "./workbook";

/** The report that the user reads after work that has succeeded. */
export interface Told {
  /** Texts and addresses that the report names. */
  names: string[];
  /** How many cells the report says were left as they are. */
  left: number;
  /** Sentences of the report beyond the ordinary. */
  report: string[];
}

export interface Scene {
  excel: PlayedExcel;
  session: ImportSession;
  random: Random;
  /** Does preparations, while nobody else works. */
  quietly<Result>(work: Promise<Result>): Promise<Result>;
}

/** A job of the add-in in the workbook. */
export interface Job {
  /** Where people like to type. */
  spots(excel: PlayedExcel): Spot[];
  /** The cells whose contents the user has given up. */
  givesUp?(excel: PlayedExcel): Spot[];
  /**
   * Set if the user has given up everything in the place: any content until the add-in begins to write, and otherwise the content at the
   * time of the question.
   */
  givesUpAnything?: true;
  prepare(scene: Scene): Promise<(signal: AbortSignal) => Promise<Told>>;
}

export const nothing: Told = { names: [], left: 0, report: [] };

export const sheetNamed = ({ spreadsheet }: PlayedExcel, name: string) =>
  spreadsheet.sheets().find((sheet) => sheet.name === name)?.id ?? "";
export const onSheet = (name: string, rect: Rect) => (excel: PlayedExcel) => {
  const sheetId = sheetNamed(excel, name);
  return sheetId === "" ? [] : [{ sheetId, rect }];
};
export const tableOn = (excel: PlayedExcel, name: string) =>
  excel.spreadsheet.tables().find(({ sheetId }) => sheetId === sheetNamed(excel, name));
export const onTable = (name: string) => (excel: PlayedExcel) => {
  const table = tableOn(excel, name);
  return table ? [{ sheetId: table.sheetId, rect: table.rect }] : [];
};
/** People like to type among the answers: right of the jurisdictions, left of the user's own column. */
const onAnswers = (name: string) => (excel: PlayedExcel) =>
  onTable(name)(excel).flatMap(({ sheetId, rect }) => {
    const { row, column, rows, columns } = rect;
    const answers = { row: row + 1, column: column + 5, rows: rows - 1, columns: columns - 6 };
    const hasSome = answers.rows > 0 && answers.columns > 0;
    return hasSome
      ? [
          { sheetId, rect },
          { sheetId, rect: answers },
          { sheetId, rect: answers },
        ]
      : [];
  });
export const newSheet = "Fees";
const [sources, changes] = ["Sources", "Changes"];
export const onNewSheets = (excel: PlayedExcel) =>
  [newSheet, sources, changes].flatMap((name) =>
    onSheet(name, { row: 0, column: 0, rows: 8, columns: 9 })(excel),
  );
export const either =
  (...spots: Job["spots"][]): Job["spots"] =>
  (excel) =>
    spots.flatMap((spot) => spot(excel));

const question = (ids: readonly number[], types: readonly number[]): ImportOrder["question"] => ({
  kind: "matrix",
  ahjs: ids.map(ahj),
  types: types.map(type),
});

async function placed(
  { excel, session }: Scene,
  order: ImportOrder,
  destination: Destination,
  signal: AbortSignal,
): Promise<Told> {
  const outcome = await placeImport(
    order,
    destination,
    { workbook: excel.app.workbook, session },
    { signal },
  );
  if (outcome.status === "failed") throw outcome.failure;
  const { notRemembered } = outcome;
  return {
    ...nothing,
    report: notRemembered ? [`The workbook does not remember it. ${notRemembered.message}`] : [],
  };
}

/** The place as the user chose it, with its contents at that time. */
async function chosen<Place extends TableTarget>(
  { excel, quietly }: Scene,
  target: Place,
  size: { rows: number; columns: number },
): Promise<Place> {
  const { workbook } = excel.app;
  const counts = { together: size.columns, apart: size.columns };
  const { contents } = await quietly<{ contents: Contents }>(
    target.kind === "beside"
      ? inspectBeside(workbook, target, counts, false).then(({ right: { contents } }) => ({ contents }))
      : inspectTarget(workbook, target, size),
  );
  return { ...target, contents };
}

function newImport(destinationOf: (scene: Scene) => Destination | Promise<Destination>): Job["prepare"] {
  return async (scene) => {
    const order = {
      question: question([101, 102, 103, 105, 107], [1001, 1002]),
      form: scene.random.one([plain, wide, long]),
      hasSources: scene.random.chance(0.4),
      sheetName: newSheet,
    };
    const destination = await destinationOf(scene);
    return (signal) => placed(scene, order, destination, signal);
  };
}

function cellPlace(
  scene: Scene,
  { row, column, rows, columns }: Rect,
  isGivenUp: boolean,
): Promise<Destination> {
  const sheetId = sheetNamed(scene.excel, "Given up");
  // A long table needs more rows than the user has given up here.
  const size = isGivenUp ? { rows: rows + 9, columns: columns + 9 } : { rows, columns };
  const mayOverwrite = isGivenUp ? size : null;
  return chosen(scene, { kind: "cell", sheetId, row, column, mayOverwrite }, size);
}

/** A job beside a list, with the list's place and header. */
function beside(sheet: string, from: ListHeader["from"]): Job {
  const first = from === "list" ? 1 : 2;
  const rows = from === "list" ? listed.length + 1 : listed.length;
  return {
    spots: either(
      onSheet(sheet, { row: 1, column: 1, rows: listed.length + 1, columns: 5 }),
      onTable(sheet),
      onNewSheets,
    ),
    async prepare(scene) {
      const { excel, quietly, random } = scene;
      const { spreadsheet, app } = excel;
      const sheetId = sheetNamed(excel, sheet);
      spreadsheet.activateSheet(sheetId);
      spreadsheet.select(sheetId, [{ row: first, column: 1, rows, columns: 1 }]);
      const list = await quietly(app.workbook.readListColumn());
      const text = from === "new" || from === "inserted" ? "Jurisdiction" : "geoID";
      const place: BesideList = { list, header: { from, text } };
      const order = {
        question: question(listed, [1001, 1002]),
        form: random.one([plain, wide]),
        hasSources: random.chance(0.2),
        sheetName: newSheet,
        beside: { ...place, ahjs: listed.map(ahj) },
      };
      const target = { kind: "beside" as const, ...place, mayOverwrite: null };
      const destination = await chosen(scene, target, { rows: 0, columns: 2 });
      return (signal) => placed(scene, order, destination, signal);
    },
  };
}

async function keptOn({ excel, quietly }: Scene, name: string): Promise<KeptImport> {
  const { imports } = await quietly(createImportBook(excel.app.workbook).list());
  const tableId = tableOn(excel, name)?.id;
  const kept = imports.find(({ saved }) => saved.tableId === tableId);
  if (!kept) throw new Error(`there is no import on ${name}`);
  return kept;
}

/** The sentences on the screen after a refresh. */
export function toldOf(report: RefreshReport): Told {
  const { changes: changed, changedMeanwhile, keptColumns, missingColumns } = report;
  const names = [
    ...[...changed, ...report.unsure].flatMap(({ before }) => before?.value ?? []),
    ...report.replaced.map(({ text }) => text),
  ];
  return {
    names,
    left: changedMeanwhile.length + keptColumns.length + report.notRefreshed.length,
    report: [
      ...(names.some((text) => text.startsWith("typed "))
        ? ["The list of changes says what stood there."]
        : []),
      ...(changedMeanwhile.length > 0
        ? ["The report names the cells that were left as somebody changed them."]
        : []),
      ...(keptColumns.length > 0
        ? ["The report names the columns that were left as somebody changed them."]
        : []),
      ...(missingColumns.length > 0 ? [columnsGone] : []),
    ],
  };
}

export function refresh(name: string, isChange: boolean): Job {
  return {
    spots: onAnswers(name),
    async prepare(scene) {
      const { excel, session, random } = scene;
      const { saved } = await keptOn(scene, name);
      const { workbook } = excel.app;
      const tables = createImportTables(workbook);
      const change = {
        types: random
          .one([
            [1001, 1003, 1004],
            [1001, 1002, 1003, 1004],
            [1002, 1003],
          ])
          .map(type),
        newAhjs: random.one([[], [107], [107, 108]]).map(ahj),
      };
      return async (signal) => {
        const options = isChange ? { signal, change } : { signal };
        const { report, notRemembered } = await refreshImport(
          saved,
          { tables, book: createImportBook(workbook), ...session },
          options,
        );
        const told = toldOf(report);
        if (notRemembered) told.report.push(notRemembered.message);
        return told;
      };
    },
  };
}

/** Some cells of the import's table, as a report names them. */
async function someCells(scene: Scene) {
  const { excel, quietly, random } = scene;
  const { saved } = await keptOn(scene, "Codes");
  const tables = createImportTables(excel.app.workbook);
  const table = await quietly(tables.read(saved.tableId, ["AHJ ID"]));
  const read = rowsRead(table, ["AHJ ID"]);
  const headers = [1001, 1002, 1003].map((id) => type(id).name);
  const cells = read.keys.flatMap((_, row) => headers.map((header) => ({ row, header })));
  return { tables, saved, read, cells: random.some(cells, 3) };
}

export const jobs = {
  "new sheet": { spots: onNewSheets, prepare: newImport(() => ({ kind: "new-sheet", name: newSheet })) },
  "cells given up": {
    spots: either(onSheet("Given up", givenUp), onNewSheets),
    givesUpAnything: true,
    givesUp: onSheet("Given up", { ...givenUp, rows: givenUp.rows + 9, columns: givenUp.columns + 9 }),
    prepare: newImport((scene) => cellPlace(scene, givenUp, true)),
  },
  "blank cells": {
    spots: either(onSheet("Given up", blankPlace), onNewSheets),
    prepare: newImport((scene) => cellPlace(scene, blankPlace, false)),
  },
  "beside a list with a header in it": beside("List", "list"),
  "beside a list with a header above it": beside("List", "above"),
  "beside a list that gets a header": beside("Bare", "new"),
  "beside a list for which a header is inserted": beside("Bare", "inserted"),
  "beside a list in a table": beside("Listed", "table"),
  "in place of an import": {
    spots: either(onTable("Old"), onNewSheets),
    givesUpAnything: true,
    givesUp: onTable("Old"),
    async prepare(scene) {
      const { excel, random } = scene;
      const kept = await keptOn(scene, "Old");
      const { id: tableId, rect } = tableOn(excel, "Old")!;
      const headers = excel.spreadsheet
        .read(sheetNamed(excel, "Old"), { ...rect, rows: 1 })
        .flatMap((row) => row.map(({ value }) => String(value)));
      const { rows, columns } = rect;
      const order = {
        question: question(
          random.one([
            [101, 102],
            [101, 102, 103, 105],
          ]),
          random.one([[1001], [1001, 1003]]),
        ),
        form: plain,
        hasSources: random.chance(0.2),
        sheetName: newSheet,
        replaces: { kept, headers, rows, columns },
      };
      const target = { kind: "in-place" as const, tableId, rows, headers, mayOverwrite: null };
      const destination = await chosen(scene, target, { rows, columns });
      return (signal) => placed(scene, order, destination, signal);
    },
  },
  refresh: refresh("Codes", false),
  "refresh of a long table": refresh("Long", false),
  change: refresh("Codes", true),
  "refresh of a cell": {
    spots: onTable("Codes"),
    async prepare(scene) {
      const { excel, session, random } = scene;
      const { saved } = await keptOn(scene, "Codes");
      const tables = createImportTables(excel.app.workbook);
      const asked = { ahjId: random.one([101, 103, 106]), typeId: random.one([1001, 1002]) };
      return async (signal) => {
        const { before, replaced = [] } = await refreshCell(
          saved,
          { asked, before: null },
          { tables, book: createImportBook(excel.app.workbook), ...session },
          { signal },
        );
        return { ...nothing, names: [...(before ? [before.value] : []), ...replaced] };
      };
    },
  },
  mark: {
    spots: onTable("Codes"),
    async prepare(scene) {
      const { tables, saved, read, cells } = await someCells(scene);
      const marked = cells.map((cell) => ({ ...cell, kind: "changed" as const }));
      return () => tables.mark(saved.tableId, read, marked).then(() => nothing);
    },
  },
  unmark: {
    spots: onTable("Codes"),
    async prepare(scene) {
      const { tables, saved, read, cells } = await someCells(scene);
      const marked = cells.map((cell) => ({ ...cell, kind: "changed" as const }));
      const marks = await scene.quietly(tables.mark(saved.tableId, read, marked));
      return () => tables.unmark(saved.tableId, marks).then((left) => ({ ...nothing, left }));
    },
  },
  freeze: {
    spots: onSheet("Formulas", { row: 1, column: 1, rows: 4, columns: 6 }),
    prepare({ excel }) {
      const { workbook } = excel.app;
      const options = { namespace: config.namespace, canSeeSpills: workbook.hasExcelApi("1.12") };
      return Promise.resolve(async (signal) => {
        const cells = await workbook.findFormulas("workbook", { ...options, signal });
        await freezeFormulas(cells, workbook, { signal, onProgress() {}, canSeeDataTypes: false });
        return nothing;
      });
    },
  },
  unfreeze: {
    spots: onSheet("Frozen", { row: 1, column: 1, rows: 4, columns: 6 }),
    prepare({ excel }) {
      const { app } = excel;
      return Promise.resolve(async (signal) => {
        const options = { signal, onProgress() {}, namespace: config.namespace, calls: app };
        const { left, textsLost } = await unfreezeFormulas("workbook", app.workbook, options);
        const report = left.map(({ reason }) => `The report says of a formula that it ${reason}.`);
        return { names: textsLost.map(String), report: [...new Set(report)], left: left.length };
      });
    },
  },
  "refresh of formulas": {
    spots: onSheet("Formulas", { row: 1, column: 1, rows: 4, columns: 6 }),
    prepare({ excel }) {
      const { app } = excel;
      const options = { namespace: config.namespace, canSeeSpills: app.workbook.hasExcelApi("1.12") };
      return Promise.resolve(async (signal) => {
        const cells = await app.workbook.findFormulas("workbook", { ...options, signal });
        await refreshFormulas(cells, { workbook: app.workbook, calls: app }, signal);
        return nothing;
      });
    },
  },
  "formula written": {
    spots: onSheet("Target", { row: 2, column: 2, rows: 1, columns: 3 }),
    givesUp: onSheet("Target", { row: 2, column: 2, rows: 1, columns: 1 }),
    prepare({ excel, random }) {
      const sheetId = sheetNamed(excel, "Target");
      const column = random.one([2, 4]);
      const content = excel.spreadsheet.read(sheetId, { row: 2, column, rows: 1, columns: 1 })[0]![0]!
        .formula;
      const overwriting = column === 4 ? "nothing" : random.one([{ content }, "nothing"] as const);
      return Promise.resolve(async () => {
        const written = await excel.app.workbook.writeFormula(
          { sheetId, row: 2, column },
          writtenFormula,
          overwriting,
        );
        return written.status === "written" ? nothing : { ...nothing, sentences: [written.detail] };
      });
    },
  },
  "export of changes": {
    spots: either(onNewSheets, onTable("Codes")),
    async prepare(scene) {
      const { excel } = scene;
      const { tables, saved, read, cells } = await someCells(scene);
      const reported = reportOf(read, cells);
      return async () => {
        const addresses = await tables.addresses(saved.tableId, read, reportedCells(reported));
        const destination = { kind: "new-sheet" as const, name: changes };
        await writeTable(excel.app.workbook, planChanges(reported, addresses), destination);
        return nothing;
      };
    },
  },
} satisfies Record<string, Job>;

export type JobName = keyof typeof jobs;
/** The sentence about headers that a refresh has not found. */
export const columnsGone = "The report names the columns that are gone.";

export const jobNames = Object.keys(jobs) as JobName[];

export const writtenFormula = '=REGDATA.VALUE("06001", 1002)';

/** A report that lists these cells. */
function reportOf(
  read: RefreshReport["read"],
  cells: readonly { row: number; header: string }[],
): RefreshReport {
  const idOf = (row: number) => (JSON.parse(read.keys[row] ?? "[]") as number[])[0] ?? 0;
  const text = (row: number, typeId: number, version: number) => ({
    ...{ value: `Text ${idOf(row)} ${typeId} v${version}`, reference: null, section: null, updatedAt: null },
  });
  return {
    changes: cells.map(({ row, header }) => {
      const typeId = typeIds.find((id) => type(id).name === header) ?? 0;
      return {
        ahj: { id: idOf(row), name: `Place ${idOf(row)}`, state_code: "", geoid: null },
        type: type(typeId),
        place: { row, header },
        before: text(row, typeId, 1),
        after: text(row, typeId, 2),
      };
    }),
    ...{ atMs: 0, edited: [], unsure: [], confirmed: cells.length },
    ...{
      notRefreshed: [],
      keptAsOfMs: null,
      unknownTypes: [],
      changedMeanwhile: [],
      keptColumns: [],
      ...{ missingColumns: [], renamedColumns: [] },
      replaced: [],
    },
    ...{
      ownRows: 0,
      followed: [],
      otherEntries: [],
      newRows: 0,
      entered: [],
      left: [],
      stillLeft: [],
      ...{ unchecked: [], ahjs: cells.length, renamed: [] },
      withoutRow: 0,
      read,
      notesLeft: 0,
      notesOfOthers: { kept: [], replaced: [] },
    },
  };
}
