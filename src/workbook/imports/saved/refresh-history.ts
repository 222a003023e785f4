import * as z from "zod/mini";
import { jsonPart, readJsonPart } from "../../sheet/parts/json-part";
import type { Workbook } from "../../sheet/workbook";
import { count, moment, name, text } from "./saved-import";

z.config({ jitless: true });

/** A value that a refresh found changed; long texts are cut. */
export interface PastChange {
  ahjId: number;
  typeId: number;
  /** The jurisdiction as the list of changes named it. */
  name: string;
  before: string | null;
  after: string | null;
  /** Nobody knows whether the text before was the service's. */
  isUnsure?: boolean | undefined;
}

/** A refresh as the workbook remembers it. */
export interface PastRefresh {
  atMs: number;
  /** Values that it found changed; not all of them are in `changes`. */
  changed: number;
  changes: PastChange[];
  /** Jurisdictions that its find found for the first time, and that it no longer found, as the list of changes named them. */
  entered?: string[] | undefined;
  left?: string[] | undefined;
}

/** What earlier refreshes of each import have found. It travels with the workbook. */
export interface RefreshHistory {
  /** The newest first. */
  of(importId: string): Promise<PastRefresh[]>;
  /** Adds a refresh. The oldest of the workbook's refreshes go where all of them take more room than they may. */
  add(importId: string, refresh: PastRefresh): Promise<void>;
  forget(importId: string): Promise<void>;
}

/** For all imports of a workbook together, in bytes. */
export const mostHistoryBytes = 1_000_000;
const mostRefreshes = 100;
const mostChanges = 500;
const mostTextCharacters = 200;

/** Of the custom XML parts that hold what refreshes have found, one for each import. */
export const historyNamespace = "urn:regdata:history";

const version = 1;
const names = z.optional(z.array(name).check(z.refine((given) => given.length <= mostChanges)));
const past = z.object({
  entered: names,
  left: names,
  atMs: moment,
  changed: count,
  changes: z
    .array(
      z.object({
        ahjId: count,
        typeId: z.int(),
        name,
        before: z.nullable(text),
        after: z.nullable(text),
        isUnsure: z.optional(z.boolean()),
      }),
    )
    .check(z.refine((changes) => changes.length <= mostChanges)),
});
const stored = z.object({
  version: z.literal(version),
  importId: text,
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
  /** By import. Two parts of one import come of colleagues who refreshed at once: both are read. */
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

/** Takes the oldest refreshes away until all have room. Gives what has to be written. */
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

/** As the part will hold it, or somewhat more. */
function bytesOf(refresh: PastRefresh): number {
  return new TextEncoder().encode(jsonPart("history", historyNamespace, refresh)).length;
}

function cut({ atMs, changed, changes, entered, left }: PastRefresh): PastRefresh {
  const short = (given: string) =>
    given.length > mostTextCharacters ? `${given.slice(0, mostTextCharacters)}…` : given;
  const cutNames = (given: readonly string[]) => given.slice(0, mostChanges).map(short);
  return {
    ...{ atMs, changed },
    ...(entered && { entered: cutNames(entered) }),
    ...(left && { left: cutNames(left) }),
    changes: changes.slice(0, mostChanges).map(({ name: of, before, after, ...change }) => ({
      ...change,
      name: short(of),
      before: before === null ? null : short(before),
      after: after === null ? null : short(after),
    })),
  };
}
