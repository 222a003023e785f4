import { expect, vi } from "vitest";
import type { Session } from "../../../src/app";
import type { Ahj, DataPointType } from "../../../src/engine/api/schemas";
import {
  createSavedImportsControl,
  type RefreshState,
  type SavedImportsControl,
} from "../../../src/taskpane/refresh/saved-imports-control";
// A script that is loaded on demand would arrive in real time, but these tests use fake time, so it is loaded here.
import "../../../src/taskpane/refresh/refresh-work";
import "../../../src/workbook/imports/refresh/renamed-columns";
import "../../../src/workbook/imports/summary/import-pictures";
import "../../../src/workbook/work-note/noted-tables";
import type { RefreshReport } from "../../../src/workbook/imports/refresh/plan-refresh";
import { placeImport } from "../../../src/workbook/imports/run/place-import";
import { createImportBook, type KeptImport } from "../../../src/workbook/imports/saved/import-book";
import { importRows } from "../../../src/workbook/imports/saved/import-rows";
import { createImportTables } from "../../../src/workbook/sheet/tables/table-changes";
import { plainForm } from "../../../src/workbook/sheet/layout/table-plan";
import { inTime } from "../../excel/in-time";
import { type ExcelOptions, openExcel, type PlayedExcel, type SavedFile } from "../../excel/open-excel";
import { pass } from "../../functions/excel";

export const counties = ["06001", "06037", "06059"];
let file: SavedFile;
export let excel: PlayedExcel;
export let session: Session;
export let control: SavedImportsControl;
let stop: () => void;

export async function found(geoids: readonly string[], of = session): Promise<Ahj[]> {
  const resolved = await inTime(of.lookup.directory.resolve(geoids));
  return [...resolved.values()].filter((each): each is Ahj => "id" in each);
}
export async function typesOf(count: number, of = session): Promise<DataPointType[]> {
  return (await inTime(of.lookup.catalogue.types())).slice(0, count);
}

/** A file with two imports, as the service answered before the month in which rules change. */
async function importedFile(): Promise<SavedFile> {
  const played = openExcel({ month: "before" });
  const of = await inTime(played.app.session());
  for (const [name, geoids] of Object.entries({ Counties: counties, Nevada: ["32003"] })) {
    const question = { kind: "matrix" as const, ahjs: await found(geoids, of), types: await typesOf(40, of) };
    const order = { question, form: plainForm, hasSources: false, sheetName: name };
    const dependencies = { workbook: played.app.workbook, session: of };
    await inTime(placeImport(order, { kind: "new-sheet", name }, dependencies, {}));
    await pass(1_000);
  }
  const saved = played.save();
  played.close();
  return saved;
}

/** Opens the file a month later. */
export async function open(
  options: ExcelOptions = {},
  prepare: () => Promise<unknown> = async () => undefined,
) {
  file ??= await importedFile();
  vi.setSystemTime(new Date("2026-03-12T18:00:00Z"));
  excel = openExcel({ file, month: "after", ...options });
  session = await inTime(excel.app.session());
  await inTime(prepare());
  control = createSavedImportsControl(excel.app, session);
  stop = control.follow();
  await rests();
}
/** Shows the list in a pane of its own, which knows nothing yet. */
export async function openPane() {
  stop();
  control = createSavedImportsControl(excel.app, session);
  stop = control.follow();
  await rests();
}
/** Nobody looks at the list any more. */
export const leave = () => stop();
export function follow() {
  stop = control.follow();
}
/** Closes the workbook. Excel must have known every request. */
export function close() {
  stop();
  expect(excel.problems).toEqual([]);
  excel.close();
}

export const state = () => control.getState();
/** Waits until nothing is under way any more. */
export async function rests() {
  for (let turn = 0; turn < 50; turn += 1) {
    await pass(1_000);
    if (!state().isRefreshing) return pass(1_000);
  }
}
export function kept(name: string): KeptImport {
  const one = state().list?.imports.find(({ saved }) => saved.name === name);
  if (!one) throw new Error(`There is no import ${name}.`);
  return one;
}
export const names = () => state().list?.imports.map(({ saved }) => saved.name);
export const places = () => state().list?.imports.map(({ place }) => place?.address ?? null);
export const stateOf = (name: string): RefreshState | undefined => state().refreshes.get(kept(name).saved.id);
export function reportOf(name: string): RefreshReport {
  const refresh = stateOf(name);
  if (refresh?.status !== "done") throw new Error(`${name} is ${refresh?.status ?? "not refreshed"}.`);
  return refresh.report;
}
export const tableOf = (name: string) => kept(name).saved.tableId;
export const sheetOf = (name: string) => excel.spreadsheet.sheets().find((sheet) => sheet.name === name)!.id;
export const matrices = () => excel.requests.filter((request) => request.includes("matrix")).length;
export async function refreshed(...wanted: string[]) {
  control.refresh(wanted.map(kept));
  await rests();
}
/** Holds every request for values back until the test lets it go. */
export function holdBack() {
  let letGo = () => {};
  const until = new Promise<void>((resolve) => (letGo = resolve));
  const intercept = async (request: Request) => {
    if (request.url.includes("matrix")) await until;
    return undefined;
  };
  return { intercept, letGo };
}

/** Makes the workbook remember a find that looks elsewhere, so that it finds none of the import's rows. */
export async function rememberFind(name: string) {
  const book = createImportBook(excel.app.workbook);
  const { imports } = await book.list();
  const saved = imports.find((each) => each.saved.name === name)!.saved;
  const [type] = saved.types;
  const tables = createImportTables(excel.app.workbook);
  const table = await tables.read(
    saved.tableId,
    saved.columns.map(({ header }) => header),
  );
  const ahjIds = importRows(saved, table).map(({ ahj }) => ahj.id);
  await book.update(saved.id, {
    find: {
      match: "all",
      conditions: [{ type: type!, operator: "no-value", operand: "" }],
      within: { kind: "chosen", ahjIds },
    },
  });
}
