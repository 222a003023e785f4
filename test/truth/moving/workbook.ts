import { vi } from "vitest";
import type { Ahj, DataPointType } from "../../../src/engine/api/schemas";
import { config } from "../../../src/config";
import { freezeFormulas } from "../../../src/workbook/cell-formulas/freeze";
import { placeImport } from "../../../src/workbook/imports/run/place-import";
import { inspectBeside } from "../../../src/workbook/sheet/lists/beside-list";
import type { BesideList } from "../../../src/workbook/sheet/lists/list-column";
import type { TableForm } from "../../../src/workbook/sheet/layout/table-plan";
import { openExcel, type PlayedExcel, type SavedFile } from "../../excel/open-excel";
import { memoryDisk } from "../../reliability/memory-disk";
import type { Clock } from "../clock";
import { createRandom } from "../random";
import { playChance } from "../runtime";
import { inventService } from "../service";
import { geoidOf, key, madeAtMs, worldOf } from "./two-worlds";

/** Two days later: what is kept on the device is old. */
const openedAtMs = madeAtMs + 2 * 86_400_000;

export const ahj = (id: number): Ahj => ({
  ...{ id, name: `Place ${id}`, type: "county", state_code: "CA", geoid: geoidOf(id) },
});
export const type = (id: number): DataPointType => ({
  ...{ id, name: `Question ${id}`, description: "", unit_of_measure: "text", category_ids: [1] },
});

export const wide: TableForm = { layout: "wide", hasCitations: true };
export const plain: TableForm = { layout: "wide", hasCitations: false };
export const long: TableForm = { layout: "long", hasCitations: false };

/** The ids in the rows of the lists and of the sheets with formulas. */
export const listed = [101, 102, 103, 104];
export const firstRow = 1;
export const valueFormula = (ahjId: number) => `=REGDATA.VALUE("${geoidOf(ahjId)}", 1001)`;
export const matrixFormula = `=REGDATA.MATRIX({${listed.map((id) => `"${geoidOf(id)}"`).join(";")}}, {1001,1002}, FALSE)`;

/** The cells that the user has given up, and blank cells. */
export const givenUp = { row: 1, column: 1, rows: 9, columns: 9 };
export const blankPlace = { row: 20, column: 1, rows: 9, columns: 9 };

/** Lets the clock run until some work has ended. */
export async function settle<Result>(clock: Clock, work: Promise<Result>): Promise<Result> {
  let isOver = false;
  const outcome = work.finally(() => (isOver = true));
  outcome.catch(() => undefined);
  for (let tries = 0; tries < 5 && !isOver; tries += 1) {
    await clock.pass(2 * 3_600_000, () => isOver);
    // A script that is loaded for the first time takes real time, which the clock does not play.
    if (!isOver) await vi.dynamicImportSettled();
  }
  if (!isOver) throw new Error("It never ends.");
  return outcome;
}

let making: Promise<{ file: SavedFile; disk: Map<string, unknown> }> | undefined;

/** A workbook with everything that the add-in can do, last used two days ago. */
export async function openWorkbook(
  clock: Clock,
  seed: number,
  options: { excelApi: string; onRequest(): void },
): Promise<PlayedExcel> {
  const { file, disk } = await (making ??= makeWorkbook(clock));
  clock.reset(openedAtMs);
  playChance(createRandom(seed ^ 0x5bd1e995));
  const service = inventService(worldOf(2), createRandom(seed));
  return openExcel({
    ...options,
    ...{ fetch: service.fetch, key, file, openDisk: () => memoryDisk(structuredClone(disk)) },
  });
}

async function makeWorkbook(clock: Clock) {
  clock.reset(madeAtMs);
  playChance(createRandom(1));
  const disk = memoryDisk();
  const { fetch } = inventService(worldOf(1), createRandom(1));
  const excel = openExcel({ fetch, key, openDisk: () => disk, excelApi: "1.17" });
  const { spreadsheet, enter, app } = excel;
  let texts = 0;
  const own = (rows: number, columns: number) =>
    Array.from({ length: rows }, () => Array.from({ length: columns }, () => `own ${(texts += 1)}`));

  const session = await settle(clock, app.session());
  async function place(name: string, form: TableForm, ahjs: readonly number[], types: readonly number[]) {
    const question = { kind: "matrix" as const, ahjs: ahjs.map(ahj), types: types.map(type) };
    const order = { question, form, hasSources: false, sheetName: name };
    const destination = { kind: "new-sheet" as const, name };
    const placed = await settle(
      clock,
      placeImport(order, destination, { workbook: app.workbook, session }, {}),
    );
    if (placed.status === "failed" || placed.notRemembered) throw new Error(`${name} could not be made`);
    const table = spreadsheet.tables().at(-1)!;
    const { sheetId, rect } = table;
    // The user has a column of their own in the table, and texts beside and below it.
    spreadsheet.updateTable(table.id, { rect: { ...rect, columns: rect.columns + 1 } });
    const right = { ...rect, column: rect.column + rect.columns, columns: 1 };
    spreadsheet.writeFormulas(sheetId, right, [["Mine"], ...own(rect.rows - 1, 1)]);
    spreadsheet.writeFormulas(
      sheetId,
      { ...right, column: right.column + 2, rows: 3, columns: 2 },
      own(3, 2),
    );
    const below = { ...rect, row: rect.row + rect.rows + 4, rows: 1, columns: 3 };
    spreadsheet.writeFormulas(sheetId, below, own(1, 3));
  }
  /** A list with its answers, in one table. */
  async function answersBesideList(sheetId: string): Promise<void> {
    enter("Followed!B2", [["geoID"], ...geoids]);
    const rect = { row: 1, column: 1, rows: geoids.length + 1, columns: 1 };
    spreadsheet.addTable({ name: "Followed", sheetId, rect, style: "TableStyleMedium2" });
    spreadsheet.activateSheet(sheetId);
    spreadsheet.select(sheetId, [{ ...rect, row: 2, rows: geoids.length }]);
    const list = await settle(clock, app.workbook.readListColumn());
    const place: BesideList = { list, header: { from: "table", text: "geoID" } };
    const order = {
      question: { kind: "matrix" as const, ahjs: listed.map(ahj), types: [1001, 1002].map(type) },
      ...{ form: plain, hasSources: false, sheetName: "Followed" },
      beside: { ...place, ahjs: listed.map(ahj) },
    };
    const destination = { kind: "beside" as const, ...place, mayOverwrite: null };
    const { contents } = (
      await settle(clock, inspectBeside(app.workbook, destination, { together: 2, apart: 2 }, false))
    ).right;
    const placed = await settle(
      clock,
      placeImport(order, { ...destination, contents }, { workbook: app.workbook, session }, {}),
    );
    if (placed.status === "failed" || placed.notRemembered) throw new Error("the list could not be made");
    enter("Followed!B20", own(2, 2));
  }
  const geoids = listed.map((id) => [`'${geoidOf(id)}`]);
  enter("Sheet1!B2", own(3, 3));
  await place("Codes", wide, [101, 102, 103, 104, 105, 106], [1001, 1002, 1003]);
  await place("Long", long, [101, 102, 103, 104], [1001, 1002]);
  await place("Old", plain, [101, 102, 103, 104], [1001, 1002]);

  for (const name of ["Given up", "List", "Bare", "Listed", "Formulas", "Frozen", "Target"])
    spreadsheet.addSheet(name);
  enter("'Given up'!B2", own(6, 6));
  enter("'Given up'!N2", own(3, 2));
  enter("List!B2", [["geoID"], ...geoids]);
  enter("List!B20", own(2, 2));
  enter("Bare!B3", geoids);
  enter("Bare!B20", own(2, 2));
  enter("Listed!B2", [["geoID", "Note"], ...geoids.map((row) => [...row, ...own(1, 1)[0]!])]);
  enter("Listed!B20", own(2, 2));
  const sheetId = spreadsheet.sheets().find(({ name }) => name === "Listed")!.id;
  const rect = { row: 1, column: 1, rows: geoids.length + 1, columns: 2 };
  spreadsheet.addTable({ name: "Own", sheetId, rect, style: "TableStyleMedium2" });
  for (const name of ["Formulas", "Frozen"]) {
    enter(`${name}!A2`, geoids);
    enter(
      `${name}!B2`,
      listed.map((id) => [valueFormula(id)]),
    );
    enter(`${name}!D2`, [[matrixFormula]]);
    enter(`${name}!B12`, own(2, 3));
  }
  enter("Target!C3", own(2, 2));
  await answersBesideList(spreadsheet.addSheet("Followed").id);
  await settle(clock, spreadsheet.idle());
  spreadsheet.activateSheet(spreadsheet.sheets().find(({ name }) => name === "Frozen")!.id);
  const finding = { namespace: config.namespace, canSeeSpills: true };
  const cells = await settle(clock, app.workbook.findFormulas("sheet", finding));
  const signal = new AbortController().signal;
  await settle(
    clock,
    freezeFormulas(cells, app.workbook, { signal, onProgress() {}, canSeeDataTypes: false }),
  );
  excel.close();
  return { file: excel.save(), disk: disk.copy() };
}
