import * as z from "../../zod";
import { inTurns } from "../../async/in-turns";
import { config } from "../../config";
import type { ColumnType, NewRow, OwnColumn, RowAhj, SheetTable } from "../sheet/layout/table-plan";
import { contentAfter } from "../sheet/cells/cell-content";
import { jsonPart, readJsonPart } from "../sheet/parts/json-part";
import { copySheetName } from "../sheet/tables/copy-aside";
import { fingerprint } from "../sheet/values/fingerprint";
import type { PlaceToWrite } from "../sheet/tables/target-place";
import {
  boundedText,
  columnList,
  cutLongTexts,
  naturalNumber,
  shownName,
  timeMs,
} from "../sheet/parts/stored-values";

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
  /** The fingerprints of all rows, `printDigits` hexadecimal digits each, without separators; null if there were too many to keep. */
  prints: string | null;
}

/** An area whose frozen formulas are being brought back. */
interface AreaUnderWay {
  sheetId: string;
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** Work on the workbook, with everything that is needed to finish it or take it back. It never holds the key. */
export type UnfinishedWork =
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
      /** The user's own columns that are filled. */
      into?: OwnColumn[] | undefined;
      /** The import in its custom XML part's form, if this is its first run: the workbook may not remember it yet. */
      first?: string | undefined;
    }
  | {
      kind: "import";
      importId: string;
      name: string;
      destination: "new-sheet" | "cell" | "beside" | "in-place";
      /** The table of the import, and that of its sources. */
      tables: TableUnderWay[];
    }
  /** `frozenAtMs` is the time that the parts with these frozen formulas carry. */
  | { kind: "freeze"; frozenAtMs: number; formulas: number }
  /** `areas` is null if the whole workbook is unfrozen. */
  | { kind: "unfreeze"; areas: AreaUnderWay[] | null; formulas: number };

/** A note of work under way. */
export interface Unfinished<Of extends UnfinishedWork = UnfinishedWork> {
  id: string;
  /** When the work began. */
  atMs: number;
  work: Of;
}

/** The length of a row's fingerprint. */
const printDigits = 16;
/** The most characters that the fingerprints of a table may take in a note. */
const mostPrintCharacters = 4_000_000;
const mostAreas = 500;

const row = z.int().check(z.between(0, config.sheetRows - 1));
const column = z.int().check(z.between(0, config.sheetColumns - 1));
const rows = z.int().check(z.between(1, config.sheetRows));
const columns = z.int().check(z.between(1, config.sheetColumns));
const isOnSheet = (area: { row: number; rows: number; column: number; columns: number }) =>
  area.row + area.rows <= config.sheetRows && area.column + area.columns <= config.sheetColumns;
const rowAhj = z.object({
  id: naturalNumber,
  name: boundedText,
  type: boundedText,
  state_code: boundedText,
  geoid: z.nullable(boundedText),
});
const table = z
  .object({
    sheetId: z.nullable(boundedText),
    sheetName: boundedText,
    row,
    column,
    rows,
    columns,
    copyName: z.nullable(boundedText.check(z.refine((given) => given.startsWith(`${copySheetName} `)))),
    prints: z.nullable(z.string()),
  })
  .check(z.refine(isOnSheet))
  .check(
    z.refine(
      (given) =>
        given.prints === null ||
        (given.prints.length === given.rows * printDigits && /^[0-9a-f]*$/.test(given.prints)),
    ),
  );
const work = z.union([
  z.object({
    kind: z.literal("refresh"),
    importId: boundedText,
    name: shownName,
    newRows: z.array(z.object({ ahj: rowAhj, typeId: z.nullable(naturalNumber) })),
  }),
  z.object({
    kind: z.literal("change"),
    importId: boundedText,
    name: shownName,
    types: columnList(z.object({ id: z.int(), name: shownName, unit_of_measure: boundedText })),
    typesBefore: columnList(z.int()),
    newAhjs: z.array(rowAhj),
    newColumns: columnList(boundedText),
    into: z.optional(columnList(z.object({ header: boundedText, typeId: z.int() }))),
    first: z.optional(z.string()),
  }),
  z.object({
    kind: z.literal("import"),
    importId: boundedText,
    name: shownName,
    destination: z.literal(["new-sheet", "cell", "beside", "in-place"]),
    tables: z.array(table).check(z.refine((tables) => tables.length === 1 || tables.length === 2)),
  }),
  z.object({ kind: z.literal("freeze"), frozenAtMs: timeMs, formulas: naturalNumber }),
  z.object({
    kind: z.literal("unfreeze"),
    areas: z.nullable(
      z
        .array(z.object({ sheetId: boundedText, row, column, rows, columns }).check(z.refine(isOnSheet)))
        .check(z.lengthAtMost(mostAreas)),
    ),
    formulas: naturalNumber,
  }),
]) satisfies z.ZodMiniType<UnfinishedWork>;

const version = 1;
const stored = z.object({ version: z.literal(version), id: boundedText, atMs: timeMs, work });

/** The namespace of the custom XML parts that note work under way. Each work has a part of its own. */
export const unfinishedNamespace = "urn:regdata:unfinished";

export function unfinishedXml(unfinished: Unfinished): string {
  return jsonPart("unfinished", unfinishedNamespace, { version, ...unfinished }, (key, given) =>
    key === "prints" ? given : cutLongTexts(key, given),
  );
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
  const fitsNote = area.rows * printDigits <= mostPrintCharacters;
  return { sheetId, sheetName, ...area, copyName, prints: fitsNote ? await printsOf(plan) : null };
}

/** The fingerprints of all rows, header row first. */
async function printsOf({ columns, rows }: SheetTable): Promise<string> {
  const prints = [fingerprint([columns.map(({ header }) => header)])];
  await inTurns(rows, (cells) => {
    const shown = cells.map((cell) => {
      const { value, formula } = contentAfter(cell);
      return value ?? formula;
    });
    prints.push(fingerprint([shown]));
  });
  return prints.join("");
}

/** True if a row of the table shows exactly the values that were to be written there. `values` are as Excel returns them. */
export function isAsWritten({ prints }: TableUnderWay, row: number, values: readonly unknown[]): boolean {
  const start = row * printDigits;
  return prints?.slice(start, start + printDigits) === fingerprint([values]);
}

/** The names of the hidden sheets with copies that interrupted imports still need. */
export function copyNames(works: readonly Pick<Unfinished, "work">[]): Set<string> {
  const tables = works.flatMap(({ work }) => (work.kind === "import" ? work.tables : []));
  return new Set(tables.flatMap(({ copyName }) => copyName ?? []));
}

/** True if an interrupted import can be taken back: its rows can be recognized, and no other cells were moved to make room for it. */
export function canTakeBack(work: UnfinishedWork & { kind: "import" }): boolean {
  const movedNoCells = work.destination === "new-sheet" || work.destination === "cell";
  return movedNoCells && work.tables.every(({ prints }) => prints !== null);
}
