import * as z from "zod/mini";
import { jsonPart, readJsonPart } from "../../sheet/parts/json-part";
import { columnContents } from "../../sheet/layout/table-plan";
import type { Cell } from "../../sheet/values/cell-value";
import { beginPrint, shortPrint } from "../../sheet/values/fingerprint";
import type { AnswerPlace } from "./import-rows";
import { count, listOf, moment, text } from "./saved-import";

z.config({ jitless: true });

/** A cell of an import, wherever its row and column stand. */
export interface AnswerCellKey {
  ahjId: number;
  typeId: number;
  part: AnswerPlace["part"];
}

/**
 * Of each cell that the add-in has written, a digest of what it showed then: too short to give the text back, long enough to
 * tell that the cell shows another one by now. While cells are being written there are two: before and after.
 */
export interface CellDigests {
  /** Another one with each writing: what is kept elsewhere beside it is of the same state of the cells. "" before the first. */
  stateId: string;
  /** In the order of their digests. */
  ahjIds(): number[];
  columns(): Iterable<DigestColumn>;
  /** Whether the cell shows what was written to it; undefined where nobody knows. */
  isAsWritten(cell: AnswerCellKey, shown: unknown): boolean | undefined;
  has(cell: AnswerCellKey): boolean;
  hasRoomFor(cell: AnswerCellKey): boolean;
  /** Of a cell that is not being written, both are the same. Without room for it, nothing is kept. */
  set(cell: AnswerCellKey, before: number, after: number): void;
  /** Takes over all that another one knows. */
  setAll(others: CellDigests): void;
  /** Whether no cell is being written. */
  isSettled(): boolean;
  /** Says that all cells have been written. */
  settle(): void;
}

interface DigestColumn {
  typeId: number;
  part: AnswerCellKey["part"];
  /** By the places of the AHJs; `noDigest` where one is missing. */
  before: number[];
  after: number[];
}

/** More are not kept, which would take more than 0.8 MB: the first columns have theirs. */
export const mostDigests = 200_000;

/** Nobody knows what was written to the cell. */
export const noDigest = 0;
/** Somebody has typed into the cell, and that was kept: of what stood there before, nothing is in the workbook any more. */
export const editedDigest = 1;
const bytesOfDigest = 3;
/** Of base64. */
const charactersOfDigest = 4;

/** What a cell shows once it is written. */
export function shownBy({ value }: Pick<Cell, "value">): unknown {
  // Excel keeps a leading apostrophe to itself.
  return typeof value === "string" ? value.replace(/^'/, "") : value;
}

/** The same text in another cell has another digest, so that cells can't be compared by it. */
export function digestOf({ ahjId, typeId, part }: AnswerCellKey, shown: unknown): number {
  return digestsOfColumn(typeId, part)(printOfAhj(ahjId), shown);
}

/** What the digests of an AHJ's cells begin with. */
export function printOfAhj(ahjId: number): number {
  return beginPrint(`${ahjId} `);
}

/** As `digestOf`, for the many cells of a column: no text is put together for any of them. */
export function digestsOfColumn(typeId: number, part: AnswerPlace["part"]) {
  const kindOf = (kind: string) => `${typeId} ${part} ${kind} `;
  const kinds = { string: kindOf("string"), number: kindOf("number"), boolean: kindOf("boolean") };
  return (ofAhj: number, shown: unknown): number => {
    const kind = typeof shown;
    const ofCell = beginPrint(kind in kinds ? kinds[kind as keyof typeof kinds] : kindOf(kind), ofAhj);
    return Math.max(editedDigest + 1, shortPrint(String(shown), ofCell));
  };
}

export function createDigests(
  stateId = "",
  ahjIds: readonly number[] = [],
  stored: readonly DigestColumn[] = [],
): CellDigests {
  const places = new Map(ahjIds.map((ahjId, place) => [ahjId, place]));
  // Millions of cells are looked for: a number takes less time to find than a text.
  const nameOf = ({ typeId, part }: Omit<AnswerCellKey, "ahjId">) =>
    typeId * columnContents.answer.length + columnContents.answer.indexOf(part);
  const columns = new Map(stored.map((column) => [nameOf(column), column]));
  const hasRoomFor = (cell: AnswerCellKey) => {
    const [isRow, isColumn] = [places.has(cell.ahjId), columns.has(nameOf(cell))];
    return (places.size + (isRow ? 0 : 1)) * (columns.size + (isColumn ? 0 : 1)) <= mostDigests;
  };
  const digestsOf = (cell: AnswerCellKey) => {
    const column = columns.get(nameOf(cell));
    const place = places.get(cell.ahjId);
    const both = place === undefined ? [] : [column?.before[place], column?.after[place]];
    return both.map((digest) => digest ?? noDigest);
  };
  const set = (cell: AnswerCellKey, before: number, after: number) => {
    const { ahjId, typeId, part } = cell;
    const name = nameOf(cell);
    let place = places.get(ahjId);
    let column = columns.get(name);
    if (place === undefined || column === undefined) {
      if (!hasRoomFor(cell)) return;
      places.set(ahjId, (place ??= places.size));
      columns.set(name, (column ??= { typeId, part, before: [], after: [] }));
    }
    column.before[place] = before;
    column.after[place] = after;
  };
  const has = (cell: AnswerCellKey) => digestsOf(cell).some((digest) => digest !== noDigest);
  return {
    stateId,
    ahjIds: () => [...places.keys()],
    columns: () => columns.values(),
    isAsWritten(cell, shown) {
      if (!has(cell)) return undefined;
      const known = digestsOf(cell);
      if (known.includes(digestOf(cell, shown))) return true;
      return known.includes(noDigest) ? undefined : false;
    },
    has,
    hasRoomFor,
    set,
    setAll(others) {
      const ahjIds = others.ahjIds();
      for (const { typeId, part, before, after } of others.columns()) {
        ahjIds.forEach((ahjId, place) => {
          const [was, is] = [before[place], after[place]];
          if (was !== undefined && is !== undefined) set({ ahjId, typeId, part }, was, is);
        });
      }
    },
    isSettled: () =>
      [...columns.values()].every(({ before, after }) =>
        after.every((digest, place) => digest === before[place]),
      ),
    settle() {
      for (const column of columns.values()) column.before = [...column.after];
    },
  };
}

/**
 * Of the custom XML part that holds an import's digests: one for each import, so that no other's have to be read. Null for ids
 * that are none of ours, which could not stand there.
 */
export function digestsNamespace(importId: string): string | null {
  return /^[\w-]+$/.test(importId) ? `urn:regdata:digests:${importId}` : null;
}

/** What the workbook keeps of an import's digests. */
export interface KeptDigests {
  /** The times of the import's runs of which these are: the import is noted in a part of its own, before or after. */
  runsMs: number[];
  digests: CellDigests;
}

const version = 1;
const digestText = z.string().check(z.refine((given) => /^[A-Za-z0-9+/]*$/.test(given)));
const stored = z
  .object({
    version: z.literal(version),
    stateId: text,
    runsMs: z.array(moment),
    ahjIds: z.array(count),
    columns: listOf(
      z.object({
        typeId: z.int(),
        part: z.literal(columnContents.answer),
        after: digestText,
        /** Only while cells are being written, where it is another one. */
        before: z.optional(digestText),
      }),
    ),
  })
  .check(
    z.refine(({ ahjIds, columns }) => {
      const length = ahjIds.length * charactersOfDigest;
      const isWhole = (digests: string) => digests.length === length;
      return (
        ahjIds.length * columns.length <= mostDigests &&
        new Set(ahjIds).size === ahjIds.length &&
        columns.every(({ after, before = after }) => isWhole(after) && isWhole(before))
      );
    }),
  );

export function digestsXml(namespace: string, { runsMs, digests }: KeptDigests): string {
  const ahjIds = digests.ahjIds();
  const columns = [...digests.columns()].map(({ typeId, part, before, after }) => {
    const [was, is] = [before, after].map((each) => encoded(each, ahjIds.length));
    return { typeId, part, after: is, ...(was === is ? {} : { before: was }) };
  });
  const { stateId } = digests;
  return jsonPart("digests", namespace, { version, stateId, runsMs, ahjIds, columns });
}

/** Null where it is none of ours, or damaged: then nothing is known of the cells. */
export function parseDigestsXml(xml: string): KeptDigests | null {
  const { data } = stored.safeParse(readJsonPart("digests", xml));
  if (!data) return null;
  const { stateId, runsMs, ahjIds, columns } = data;
  const decodedColumns = columns.map(({ typeId, part, after, before }) => {
    const digests = decoded(after, ahjIds.length);
    return {
      typeId,
      part,
      after: digests,
      before: before === undefined ? [...digests] : decoded(before, ahjIds.length),
    };
  });
  return { runsMs, digests: createDigests(stateId, ahjIds, decodedColumns) };
}

function encoded(digests: readonly number[], length: number): string {
  let bytes = "";
  for (let place = 0; place < length; place += 1) {
    const digest = digests[place] ?? noDigest;
    bytes += String.fromCharCode(digest >> 16, (digest >> 8) & 0xff, digest & 0xff);
  }
  return btoa(bytes);
}

function decoded(base64: string, length: number): number[] {
  const bytes = atob(base64);
  const digests = new Array<number>(length);
  for (let place = 0; place < length; place += 1) {
    const at = place * bytesOfDigest;
    digests[place] =
      (bytes.charCodeAt(at) << 16) | (bytes.charCodeAt(at + 1) << 8) | bytes.charCodeAt(at + 2);
  }
  return digests;
}
