import * as z from "../../../zod";
import { jsonPart, readJsonPart } from "../../sheet/parts/json-part";
import type { Workbook } from "../../sheet/workbook";
import { boundedText, naturalNumber, shownName, timeMs } from "./saved-import";

/** A value that a refresh found changed. Long texts are cut. */
export interface PastChange {
  ahjId: number;
  typeId: number;
  /** The header of a column that describes jurisdictions. Such a change has `noType`. */
  column?: string | undefined;
  /** The jurisdiction as the list of changes named it. */
  name: string;
  before: string | null;
  after: string | null;
  /** True if it is not known whether the service or a person had entered the earlier text. */
  isUnsure?: boolean | undefined;
}

/** In place of a type's id, since earlier versions of the add-in refuse a history with a change that has none. */
export const noType = 0;

/** A refresh as the workbook remembers it. */
export interface PastRefresh {
  atMs: number;
  /** The number of values that it found changed; `changes` may hold fewer. */
  changed: number;
  changes: PastChange[];
  /** Jurisdictions that the find gave for the first time (`entered`) or no longer gave (`left`), as the list of changes named them. */
  entered?: string[] | undefined;
  left?: string[] | undefined;
}

/** The changes that earlier refreshes of each import have found. They are stored in the workbook. */
export interface RefreshHistory {
  /** The refreshes of an import, newest first. */
  of(importId: string): Promise<PastRefresh[]>;
  /** Adds a refresh. If the refreshes of the workbook take too much space, its oldest ones are deleted. */
  add(importId: string, refresh: PastRefresh): Promise<void>;
  forget(importId: string): Promise<void>;
}

/** The most bytes for all imports of a workbook together. */
export const mostHistoryBytes = 1_000_000;
const mostRefreshes = 100;
const mostChanges = 500;
const mostTextCharacters = 200;

/** The namespace of the custom XML parts that hold the history, one for each import. */
export const historyNamespace = "urn:regdata:history";

const version = 1;
const names = z.optional(z.array(shownName).check(z.refine((given) => given.length <= mostChanges)));
const past = z.object({
  entered: names,
  left: names,
  atMs: timeMs,
  changed: naturalNumber,
  changes: z
    .array(
      z.object({
        ahjId: naturalNumber,
        typeId: z.int(),
        column: z.optional(shownName),
        name: shownName,
        before: z.nullable(boundedText),
        after: z.nullable(boundedText),
        isUnsure: z.optional(z.boolean()),
      }),
    )
    .check(z.refine((changes) => changes.length <= mostChanges)),
});
const stored = z.object({
  version: z.literal(version),
  importId: boundedText,
  refreshes: z.array(past).check(z.refine((refreshes) => refreshes.length <= mostRefreshes)),
});

interface HistoryPart {
  importId: string;
  partIds: string[];
  refreshes: PastRefresh[];
}

export function createRefreshHistory(
  workbook: Pick<Workbook, "readParts" | "writePart" | "deletePart">,
): RefreshHistory {
  /** Reads the history, by import. If colleagues refreshed an import at once, it has two parts, and both are read. */
  async function readAll(): Promise<Map<string, HistoryPart>> {
    const all = new Map<string, HistoryPart>();
    for (const { id, xml } of await workbook.readParts(historyNamespace)) {
      const { data } = stored.safeParse(readJsonPart("history", xml));
      if (!data) continue;
      const { importId } = data;
      const { partIds, refreshes } = all.get(importId) ?? { partIds: [], refreshes: [] };
      const both = [...refreshes, ...data.refreshes].sort((one, other) => other.atMs - one.atMs);
      all.set(importId, { importId, partIds: [...partIds, id], refreshes: both });
    }
    return all;
  }
  async function write({ importId, partIds: [first, ...others], refreshes }: HistoryPart) {
    const content = { version, importId, refreshes: refreshes.slice(0, mostRefreshes) };
    await workbook.writePart(first ?? null, jsonPart("history", historyNamespace, content));
    for (const other of others) await workbook.deletePart(other);
  }

  return {
    async of(importId) {
      return (await readAll()).get(importId)?.refreshes ?? [];
    },
    async add(importId, refresh) {
      const all = await readAll();
      const own = all.get(importId) ?? { importId, partIds: [], refreshes: [] };
      all.set(importId, own);
      own.refreshes.unshift(cut(refresh));
      const shortened = makeRoom([...all.values()], own);
      for (const part of shortened) await write(part);
    },
    async forget(importId) {
      for (const partId of (await readAll()).get(importId)?.partIds ?? []) await workbook.deletePart(partId);
    },
  };
}

/** Removes the oldest refreshes until the rest fits. Returns the parts that have to be written. */
function makeRoom(parts: readonly HistoryPart[], own: HistoryPart): Set<HistoryPart> {
  const refreshes = parts.flatMap((part) => part.refreshes.map((refresh) => ({ part, refresh })));
  const byAge = refreshes
    .filter(({ refresh }) => refresh !== own.refreshes[0])
    .sort((one, other) => one.refresh.atMs - other.refresh.atMs);
  let bytes = refreshes.reduce((sum, { refresh }) => sum + bytesOf(refresh), 0);
  const written = new Set([own]);
  for (const { part, refresh } of byAge) {
    if (bytes <= mostHistoryBytes) break;
    bytes -= bytesOf(refresh);
    part.refreshes.splice(part.refreshes.indexOf(refresh), 1);
    written.add(part);
  }
  return written;
}

/** The size of a refresh in its part, or slightly more. */
function bytesOf(refresh: PastRefresh): number {
  return new TextEncoder().encode(jsonPart("history", historyNamespace, refresh)).length;
}

function cut({ atMs, changed, changes, entered, left }: PastRefresh): PastRefresh {
  const short = (given: string) =>
    given.length > mostTextCharacters ? `${given.slice(0, mostTextCharacters)}…` : given;
  const cutNames = (given: readonly string[]) => given.slice(0, mostChanges).map(short);
  return {
    atMs,
    changed,
    ...(entered && { entered: cutNames(entered) }),
    ...(left && { left: cutNames(left) }),
    changes: changes.slice(0, mostChanges).map(({ name: of, column, before, after, ...change }) => ({
      ...change,
      name: short(of),
      ...(column !== undefined && { column: short(column) }),
      before: before === null ? null : short(before),
      after: after === null ? null : short(after),
    })),
  };
}
