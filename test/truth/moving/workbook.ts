import type { Ahj, DataPointType } from "../../../src/engine/api/schemas";
import { config } from "../../../src/config";
import { freezeFormulas } from "../../../src/workbook/cell-formulas/freeze";
import { placeImport } from "../../../src/workbook/imports/run/place-import";
import type { TableForm } from "../../../src/workbook/sheet/layout/table-plan";
import { openExcel, type PlayedExcel, type SavedFile } from "../../excel/open-excel";
import { memoryDisk } from "../../reliability/memory-disk";
import type { Clock } from "../clock";
import { createRandom } from "../random";
import { playChance } from "../runtime";
import { inventService } from "../service";
import { cellKey, type World } from "../world";

export const key = "key-of-the-nation";
const madeAtMs = Date.UTC(2026, 2, 12, 12);
/** Two days later, so that the device's kept answers are old. */
const openedAtMs = madeAtMs + 2 * 86_400_000;

export const ahjIds = [101, 102, 103, 104, 105, 106, 107, 108];
export const typeIds = [1001, 1002, 1003, 1004];
export const geoidOf = (ahjId: number) => `06${String(ahjId - 100).padStart(3, "0")}`;

/** A text of the service that says by itself whose it is, which question it answers, and its version. */
const answerText = (part: string, ahjId: number, typeId: number, version: number) =>
  `${part} ${ahjId} ${typeId} v${version}`;
const answerForm = /^(Text|Ref|Sec) (\d+) (\d+) v(\d)$/;
export interface Ours {
  ahjId: number;
  typeId: number;
  isNew: boolean;
  /** The text's name without the version. */
  name: string;
}
/** The parts of a service's text that a cell shows; undefined if the cell shows something else. */
export function oursIn(value: unknown): Ours | undefined {
  const [, part, ahj, type, version] = answerForm.exec(String(value)) ?? [];
  if (part === undefined) return undefined;
  return {
    ahjId: Number(ahj),
    typeId: Number(type),
    isNew: version === "2",
    name: `${part} ${ahj} ${type}`,
  };
}

/** The type for which all jurisdictions have the same text, so that its cells do not tell rows apart. */
const alike = 1003;
export const alikeText = "Required";

/** The cells without a value: one in the first version, one in the second. */
const blanks = [cellKey(103, 1002), cellKey(104, 1001)];

export function worldOf(version: 1 | 2): World {
  const ahjs = ahjIds.map((id) => ({
    ...{ id, name: `Place ${id}`, type: "county", state_code: "CA", geoid: geoidOf(id) },
    ...{ state_name: "California", county: `Place ${id}`, population: 5, lat: 1, lon: 2 },
  }));
  const types = typeIds.map((id) => ({
    ...{ id, name: `Question ${id}`, description: "", unit_of_measure: "text", category_ids: [1] },
  }));
  const answers: World["answers"] = new Map();
  for (const ahj of ahjIds) {
    for (const type of typeIds) {
      const at = cellKey(ahj, type);
      if (at === blanks[version - 1]) continue;
      const text = (part: string) =>
        part === "Text" && type === alike && version === 1
          ? "Required"
          : answerText(part, ahj, type, version);
      answers.set(at, {
        id: ahj * 10_000 + type,
        published: { text: text("Text"), formula: text("Text"), imported: text("Text") },
        ...{ reference: text("Ref"), section: text("Sec") },
        updatedAtMs: madeAtMs - 86_400_000 + (version - 1) * 2 * 86_400_000,
      });
    }
  }
  return {
    ...{ ahjs, types, answers, changes: 0, categories: [{ id: 1, name: "All" }] },
    subscribers: [{ key, entitled: new Set(ahjIds), collections: [] }],
    variation: {
      ...{
        stateFilter: "state_code",
        otherParameters: "ignored",
        unknownTypes: "dropped",
        filters: "either",
      },
      ...{ blank: "null", idsAsText: false, extras: false, mostPerPage: 500, noUnits: false, foreign: 403 },
      limit: null,
    },
  };
}

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
  await clock.pass(2 * 3_600_000, () => isOver);
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
  enter("Sheet1!B2", own(3, 3));
  await place("Codes", wide, [101, 102, 103, 104, 105, 106], [1001, 1002, 1003]);
  await place("Long", long, [101, 102, 103, 104], [1001, 1002]);
  await place("Old", plain, [101, 102, 103, 104], [1001, 1002]);

  for (const name of ["Given up", "List", "Bare", "Listed", "Formulas", "Frozen", "Target"])
    spreadsheet.addSheet(name);
  enter("'Given up'!B2", own(6, 6));
  enter("'Given up'!N2", own(3, 2));
  const geoids = listed.map((id) => [`'${geoidOf(id)}`]);
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
