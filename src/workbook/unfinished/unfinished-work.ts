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

/** A table that is being written: its place, and fingerprints by which its rows are recognized. */
export interface TableUnderWay {
  /** The sheet's id; null if the import was to add the sheet. */
  sheetId: string | null;
  sheetName: string;
  row: number;
  column: number;
  /** The number of rows, header row included. */
  rows: number;
  columns: number;
  /** The name of the hidden sheet with a copy of the earlier cells; null if there was nothing to copy. */
  copyName: string | null;
  /** The fingerprints of all rows, one after another; null if there were too many to keep. */
  prints: string | null;
}

export interface AreaUnderWay {
  sheetId: string;
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** Work on the workbook, with everything that is needed to finish it or take it back. It never holds the key. */
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
      /** The table of the import, and that of its sources. */
      tables: TableUnderWay[];
    }
  /** `frozenAtMs` is the time in the parts that hold these formulas. */
  | { kind: "freeze"; frozenAtMs: number; formulas: number }
  /** `areas` is null for the whole workbook. */
  | { kind: "unfreeze"; areas: AreaUnderWay[] | null; formulas: number };

export interface Unfinished<Of extends Work = Work> {
  id: string;
  atMs: number;
  work: Of;
}

const digitsOfPrint = 16;
/** The longest list of fingerprints that a note keeps. */
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

/** The namespace of the custom XML parts that note work under way. Each work has a part of its own. */
export const unfinishedNamespace = "urn:regdata:unfinished";

export function unfinishedXml(unfinished: Unfinished): string {
  // A longer text could not be read again.
  const short = (key: string, given: unknown) =>
    typeof given === "string" && key !== "prints" ? given.slice(0, mostCharacters) : given;
  return jsonPart("unfinished", unfinishedNamespace, { version, ...unfinished }, short);
}

/** Reads a note. Null if it is damaged, of an unknown version, or not written by the add-in. */
export function parseUnfinishedXml(xml: string): Unfinished | null {
  const parsed = stored.safeParse(readJsonPart("unfinished", xml));
  if (!parsed.success) return null;
  const { version: _, ...unfinished } = parsed.data;
  return unfinished;
}

/** The description of a table that goes into the note. */
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

/** The fingerprint of a row of values, as Excel returns them. */
export function printOf(values: readonly unknown[]): string {
  return fingerprint([values as Parameters<typeof fingerprint>[0][number]]);
}

/** True if a row shows exactly what was to be written there. */
export function isAsWritten({ prints }: TableUnderWay, row: number, values: readonly unknown[]): boolean {
  const start = row * digitsOfPrint;
  return prints?.slice(start, start + digitsOfPrint) === printOf(values);
}

/** The names of the hidden sheets with copies that interrupted imports still need. */
export function copyNames(works: readonly Pick<Unfinished, "work">[]): Set<string> {
  const tables = works.flatMap(({ work }) => (work.kind === "import" ? work.tables : []));
  return new Set(tables.flatMap(({ copyName }) => copyName ?? []));
}

/** True if an interrupted import can be taken back: its rows can be recognized, and no other cells were moved to make room for it. */
export function canTakeBack(work: Work & { kind: "import" }): boolean {
  const isSimple = work.destination === "new-sheet" || work.destination === "cell";
  return isSimple && work.tables.every(({ prints }) => prints !== null);
}
