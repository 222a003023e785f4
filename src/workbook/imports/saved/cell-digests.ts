import * as z from "../../../zod";
import { readJsonPart } from "../../sheet/parts/json-part";
import type { Workbook } from "../../sheet/workbook";
import { type AhjFact, ahjFacts, columnContents } from "../../sheet/layout/table-plan";
import type { PartOfAnswer } from "../../sheet/layout/answer-parts";
import type { FormattedCell } from "../../sheet/values/cell-value";
import { beginPrint, shortPrint } from "../../sheet/values/fingerprint";
import type { ServicePlace } from "./import-rows";
import { boundedText, columnList, timeMs } from "../../sheet/parts/stored-values";

/** A cell of an import, identified by what it shows and not by its place. */
export interface ServiceCellKey {
  ahjId: number;
  /** The type of an answer; null if the cell describes its AHJ. All rows of an AHJ then share the digest. */
  typeId: number | null;
  part: PartOfAnswer | AhjFact;
}

/** The key of a cell. */
export function serviceCellKey({ ahj, type, part }: KeyParts): ServiceCellKey {
  return { ahjId: ahj.id, typeId: type?.id ?? null, part };
}

type KeyParts = { ahj: { id: number }; type: { id: number } | null; part: ServicePlace["part"] };

/**
 * A digest of what each written cell showed: too short to give the text back, but long enough to tell that the cell shows another one now.
 * While cells are being written each has two digests, before and after.
 */
export interface CellDigests {
  /**
   * An id that changes with each writing, so that answers kept on a device can be matched with the state of the cells. "" if the workbook
   * keeps no digests.
   */
  stateId: string;
  /** The AHJs' ids, in the order of their digests. */
  ahjIds(): number[];
  columns(): Iterable<DigestColumn>;
  /** True if the cell shows what was written to it; undefined if that is not known. */
  isAsWritten(cell: ServiceCellKey, shown: unknown): boolean | undefined;
  has(cell: ServiceCellKey): boolean;
  /** True if it is known what was written to the cell, and nobody has typed over it since then as far as earlier refreshes have seen. */
  isKnown(cell: ServiceCellKey): boolean;
  hasRoomFor(cell: ServiceCellKey): boolean;
  /** Sets the two digests of a cell. They are equal for a cell that is not being written. Does nothing if there is no room for the cell. */
  set(cell: ServiceCellKey, before: number, after: number): void;
  /** Takes over all digests of another object. */
  setAll(others: CellDigests): void;
  /** True if no cell is being written. */
  isSettled(): boolean;
  /** Notes that all cells have been written. */
  settle(): void;
}

interface DigestColumn extends Omit<ServiceCellKey, "ahjId"> {
  /** The digests, at the indexes of the AHJs; `noDigest` if one is missing. */
  before: number[];
  after: number[];
}

/** The most digests that are kept, which take at most 0.8 MB. The first columns get theirs first. */
export const mostDigests = 200_000;

/** The digest of a cell for which it is not known what was written to it. */
export const noDigest = 0;
/** The digest of a cell that somebody has typed into and whose text was kept. The workbook holds nothing of the earlier text. */
export const editedDigest = 1;
const bytesOfDigest = 3;
/** The length of a digest in base64. */
const charactersOfDigest = 4;

/** The value that a cell shows once it is written. */
export function shownBy({ value }: Pick<FormattedCell, "value">): unknown {
  // Excel does not return a leading apostrophe.
  return typeof value === "string" ? value.replace(/^'/, "") : value;
}

/** The digest of what a cell shows. The same text has another digest in another cell, so cells can't be compared by their digests. */
export function digestOf({ ahjId, typeId, part }: ServiceCellKey, shown: unknown): number {
  return digestsOfColumn(typeId, part)(printOfAhj(ahjId), shown);
}

/** The beginning of the digests of an AHJ's cells. */
export function printOfAhj(ahjId: number): number {
  return beginPrint(`${ahjId} `);
}

/** Returns a function that gives the same as `digestOf` for the many cells of a column, without building a text for each. */
export function digestsOfColumn(typeId: number | null, part: ServiceCellKey["part"]) {
  const column = `${typeId} ${part} `;
  return (ofAhj: number, shown: unknown): number => {
    const ofKind = beginPrint(" ", beginPrint(typeof shown, beginPrint(column, ofAhj)));
    return Math.max(editedDigest + 1, shortPrint(String(shown), ofKind));
  };
}

const parts: string[] = [...columnContents.answer, ...ahjFacts];
const facts: readonly string[] = ahjFacts;
const isAhjFact = (part: ServiceCellKey["part"]): part is AhjFact => facts.includes(part);

export function createDigests(
  stateId = "",
  ahjIds: readonly number[] = [],
  stored: readonly DigestColumn[] = [],
): CellDigests {
  const places = new Map(ahjIds.map((ahjId, place) => [ahjId, place]));
  // Millions of cells are looked up, and a number is found faster than a text.
  const nameOf = ({ typeId, part }: Omit<ServiceCellKey, "ahjId">) =>
    (typeId ?? 0) * parts.length + parts.indexOf(part);
  const columns = new Map(stored.map((column) => [nameOf(column), column]));
  const hasRoomFor = (cell: ServiceCellKey) => {
    const [isRow, isColumn] = [places.has(cell.ahjId), columns.has(nameOf(cell))];
    return (places.size + (isRow ? 0 : 1)) * (columns.size + (isColumn ? 0 : 1)) <= mostDigests;
  };
  const digestsOf = (cell: ServiceCellKey): { before: number; after: number } => {
    const column = columns.get(nameOf(cell));
    const place = places.get(cell.ahjId) ?? -1;
    return { before: column?.before[place] ?? noDigest, after: column?.after[place] ?? noDigest };
  };
  const set = (cell: ServiceCellKey, before: number, after: number) => {
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
  const has = (cell: ServiceCellKey) => {
    const { before, after } = digestsOf(cell);
    return (before || after) !== noDigest;
  };
  return {
    stateId,
    ahjIds: () => [...places.keys()],
    columns: () => columns.values(),
    isAsWritten(cell, shown) {
      if (!has(cell)) return undefined;
      const { before, after } = digestsOf(cell);
      if ([before, after].includes(digestOf(cell, shown))) return true;
      return before && after ? false : undefined;
    },
    has,
    isKnown(cell) {
      const { before, after } = digestsOf(cell);
      return before > editedDigest && after > editedDigest;
    },
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

const digestText = z.string().check(z.refine((given) => /^[A-Za-z0-9+/]*$/.test(given)));
const digestsOfCells = {
  after: digestText,
  /** Set only while cells are being written, if it differs from `after`. */
  before: z.optional(digestText),
};
/** The form in which a workbook keeps digests. */
export const storedDigests = z
  .object({
    stateId: boundedText,
    // Any number: one that is no id must not make what is known of all other rows unreadable.
    ahjIds: z.array(z.int()),
    columns: columnList(
      z.object({ typeId: z.int(), part: z.literal(columnContents.answer), ...digestsOfCells }),
    ),
    /** The columns that describe AHJs. */
    ofAhjs: z.optional(columnList(z.object({ part: z.literal(ahjFacts), ...digestsOfCells }))),
  })
  .check(
    z.refine(({ ahjIds, columns: ofAnswers, ofAhjs = [] }) => {
      const columns = [...ofAnswers, ...ofAhjs];
      const length = ahjIds.length * charactersOfDigest;
      const isWhole = (digests: string) => digests.length === length;
      return (
        ahjIds.length * columns.length <= mostDigests &&
        new Set(ahjIds).size === ahjIds.length &&
        columns.every(({ after, before = after }) => isWhole(after) && isWhole(before))
      );
    }),
  );
export type StoredDigests = z.infer<typeof storedDigests>;

export function storeDigests(digests: CellDigests): StoredDigests {
  const ahjIds = digests.ahjIds();
  const stored: Required<StoredDigests> = { stateId: digests.stateId, ahjIds, columns: [], ofAhjs: [] };
  for (const { typeId, part, before, after } of digests.columns()) {
    const [was, is] = [before, after].map((each) => encoded(each, ahjIds.length));
    const ofCells = { after: is ?? "", ...(was === is ? {} : { before: was }) };
    if (isAhjFact(part)) stored.ofAhjs.push({ part, ...ofCells });
    else if (typeId !== null) stored.columns.push({ typeId, part, ...ofCells });
  }
  return stored;
}

/** The digests that were stored; none if there is nothing. */
export function openDigests(stored: StoredDigests | null): CellDigests {
  if (!stored) return createDigests();
  const { stateId, ahjIds, columns, ofAhjs = [] } = stored;
  const all = [...columns, ...ofAhjs.map((column) => ({ ...column, typeId: null }))];
  const opened = all.map(({ typeId, part, after, before }) => {
    const digests = decoded(after, ahjIds.length);
    const earlier = before === undefined ? [...digests] : decoded(before, ahjIds.length);
    return { typeId, part, after: digests, before: earlier };
  });
  return createDigests(stateId, ahjIds, opened);
}

/** A part in which earlier builds kept the digests of an import, with the times of the runs that they belong to. */
const earlierPart = z.object({ version: z.literal(1), runsMs: z.array(timeMs) });

/**
 * The digests that an earlier build has kept for an import's latest run, in a part whose namespace ends with the import's id, and the ids of
 * all such parts. Null if there are none, or if it is not known which are right.
 */
export async function readEarlierDigests(
  workbook: Pick<Workbook, "readParts">,
  { id, lastRun }: { id: string; lastRun: { atMs: number } },
): Promise<{ partIds: string[]; digests: StoredDigests | null }> {
  // Ids that no build has made could not stand in a namespace.
  const parts = /^[\w-]+$/.test(id) ? await workbook.readParts(`urn:regdata:digests:${id}`) : [];
  const [part, ...others] = parts;
  const content = part && others.length === 0 ? readJsonPart("digests", part.xml) : undefined;
  const isOfLastRun = earlierPart.safeParse(content).data?.runsMs.includes(lastRun.atMs) ?? false;
  const digests = isOfLastRun ? (storedDigests.safeParse(content).data ?? null) : null;
  return { partIds: parts.map((each) => each.id), digests };
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
