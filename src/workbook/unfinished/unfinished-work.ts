import * as z from "zod/mini";
import { inTurns } from "../../async/in-turns";
import { config } from "../../config";
import type { ColumnType, RowAhj, SheetTable } from "../sheet/layout/table-plan";
import { contentAfter } from "../sheet/cells/cell-content";
import { jsonPart, readJsonPart } from "../sheet/parts/json-part";
import { copySheetName } from "../sheet/tables/copy-aside";
import { fingerprint } from "../sheet/values/fingerprint";
import type { PlaceToWrite } from "../sheet/tables/target-place";
import type { NewRow } from "../imports/saved/import-rows";
import { count, listOf, moment, mostCharacters, name, text } from "../imports/saved/saved-import";

z.config({ jitless: true });

/** A table that is being written: where it goes, and how its rows are recognised. */
export interface TableUnderWay {
  /** Null for a sheet that was to be added. */
  sheetId: string | null;
  sheetName: string;
  row: number;
  column: number;
  /** With the header row. */
  rows: number;
  columns: number;
  /** The name of the hidden sheet with a copy of what stood there. */
  copyName: string | null;
  /** A fingerprint for each row, one after another; null where they would be too many. */
  prints: string | null;
}

export interface AreaUnderWay {
  sheetId: string;
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** What is being done to the workbook, and what it takes to finish it or take it back. It never holds the key. */
export type Work =
  | { kind: "refresh"; importId: string; name: string; newRows: NewRow[] }
  | {
      kind: "change";
      importId: string;
      name: string;
      types: ColumnType[];
      /** The ids of the types that the import had before. */
      typesBefore: number[];
      newAhjs: RowAhj[];
      /** The headers that the new columns get. */
      newColumns: string[];
    }
  | {
      kind: "import";
      importId: string;
      name: string;
      destination: "new-sheet" | "cell" | "beside" | "in-place";
      /** The import's own, and the one that tells its sources. */
      tables: TableUnderWay[];
    }
  /** `frozenAtMs` is the time in the parts that hold these formulas. */
  | { kind: "freeze"; frozenAtMs: number; formulas: number }
  /** `areas` are null for the whole workbook. */
  | { kind: "unfreeze"; areas: AreaUnderWay[] | null; formulas: number };

export interface Unfinished<Of extends Work = Work> {
  id: string;
  atMs: number;
  work: Of;
}

const digitsOfPrint = 16;
/** Longer lists of fingerprints are not kept. */
const mostPrintCharacters = 4_000_000;
const mostAreas = 500;

const row = z.int().check(z.minimum(0), z.maximum(config.sheetRows - 1));
const column = z.int().check(z.minimum(0), z.maximum(config.sheetColumns - 1));
const rows = z.int().check(z.minimum(1), z.maximum(config.sheetRows));
const columns = z.int().check(z.minimum(1), z.maximum(config.sheetColumns));
const isOnSheet = (area: { row: number; rows: number; column: number; columns: number }) =>
  area.row + area.rows <= config.sheetRows && area.column + area.columns <= config.sheetColumns;
const rowAhj = z.object({ id: count, name: text, type: text, state_code: text, geoid: z.nullable(text) });
const table = z
  .object({
    ...{ sheetId: z.nullable(text), sheetName: text, row, column, rows, columns },
    copyName: z.nullable(text.check(z.refine((given) => given.startsWith(`${copySheetName} `)))),
    prints: z.nullable(z.string()),
  })
  .check(z.refine(isOnSheet))
  .check(
    z.refine(
      (given) =>
        given.prints === null ||
        (given.prints.length === given.rows * digitsOfPrint && /^[0-9a-f]*$/.test(given.prints)),
    ),
  );
const work = z.union([
  z.object({
    kind: z.literal("refresh"),
    importId: text,
    name,
    newRows: z.array(z.object({ ahj: rowAhj, typeId: z.nullable(count) })),
  }),
  z.object({
    kind: z.literal("change"),
    importId: text,
    name,
    types: listOf(z.object({ id: z.int(), name, unit_of_measure: text })),
    typesBefore: listOf(z.int()),
    newAhjs: z.array(rowAhj),
    newColumns: listOf(text),
  }),
  z.object({
    kind: z.literal("import"),
    importId: text,
    name,
    destination: z.literal(["new-sheet", "cell", "beside", "in-place"]),
    tables: z.array(table).check(z.refine((tables) => tables.length === 1 || tables.length === 2)),
  }),
  z.object({ kind: z.literal("freeze"), frozenAtMs: moment, formulas: count }),
  z.object({
    kind: z.literal("unfreeze"),
    areas: z.nullable(
      z
        .array(z.object({ sheetId: text, row, column, rows, columns }).check(z.refine(isOnSheet)))
        .check(z.refine((areas) => areas.length <= mostAreas)),
    ),
    formulas: count,
  }),
]) satisfies z.ZodMiniType<Work>;

const version = 1;
const stored = z.object({ version: z.literal(version), id: text, atMs: moment, work });

/** Of the custom XML parts that note work under way, one each. */
export const unfinishedNamespace = "urn:regdata:unfinished";

export function unfinishedXml(unfinished: Unfinished): string {
  // What is longer could not be read again.
  const short = (key: string, given: unknown) =>
    typeof given === "string" && key !== "prints" ? given.slice(0, mostCharacters) : given;
  return jsonPart("unfinished", unfinishedNamespace, { version, ...unfinished }, short);
}

/** Null where it is none of ours, damaged, or of a version that this one does not know. */
export function parseUnfinishedXml(xml: string): Unfinished | null {
  const parsed = stored.safeParse(readJsonPart("unfinished", xml));
  if (!parsed.success) return null;
  const { version: _, ...unfinished } = parsed.data;
  return unfinished;
}

/** A table as its note describes it. */
export async function tableUnderWay(
  { sheetId, sheetName, area, copyName }: PlaceToWrite,
  plan: SheetTable,
): Promise<TableUnderWay> {
  const isShort = area.rows * digitsOfPrint <= mostPrintCharacters;
  return { sheetId, sheetName, ...area, copyName, prints: isShort ? await printsOf(plan) : null };
}

async function printsOf({ columns, rows }: SheetTable): Promise<string> {
  const prints = [printOf(columns.map(({ header }) => header))];
  await inTurns(rows, (cells) => {
    const shown = cells.map((cell) => {
      const { value, formula } = contentAfter(cell);
      return value ?? formula;
    });
    prints.push(printOf(shown));
  });
  return prints.join("");
}

/** The fingerprint of a row of values, as Excel tells them. */
export function printOf(values: readonly unknown[]): string {
  return fingerprint([values as Parameters<typeof fingerprint>[0][number]]);
}

/** Whether a row shows exactly what was to be written. */
export function isAsWritten({ prints }: TableUnderWay, row: number, values: readonly unknown[]): boolean {
  const start = row * digitsOfPrint;
  return prints?.slice(start, start + digitsOfPrint) === printOf(values);
}

/** The names of the hidden sheets with copies that interrupted imports need. */
export function copyNames(works: readonly Pick<Unfinished, "work">[]): Set<string> {
  const tables = works.flatMap(({ work }) => (work.kind === "import" ? work.tables : []));
  return new Set(tables.flatMap(({ copyName }) => copyName ?? []));
}

/** Whether an interrupted import can be taken back: its rows must be recognised, and the place must not have been moved. */
export function canTakeBack(work: Work & { kind: "import" }): boolean {
  const isSimple = work.destination === "new-sheet" || work.destination === "cell";
  return isSimple && work.tables.every(({ prints }) => prints !== null);
}
