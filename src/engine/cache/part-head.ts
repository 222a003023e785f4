/**
 * The head of a part on disk: where each AHJ's answers are in it, and what is to be known of them without reading the part
 * itself. An AHJ has answers in one part of a space.
 */
import * as z from "zod/mini";
import type { PartRow } from "./answer-part";

/** A head of another format counts as none. */
const format = 1;

const ids = z.instanceof(Float64Array);
const counts = z.instanceof(Uint32Array);
const times = z.instanceof(Float64Array);
const storedHead = z.object({
  format: z.literal(format),
  /** Each of these four has an entry for each AHJ. */
  ahjIds: ids,
  starts: counts,
  counts,
  /** When the newest answer of an AHJ was fetched; 0 where that was in the future. */
  newestMs: times,
  /** How many answers the part holds, those included that are no AHJ's any more. */
  slots: z.int(),
  /** What head and part take. */
  bytes: z.number(),
  /** When the part was last read or written, to the day. */
  usedAtMs: z.number(),
});
export type StoredHead = z.infer<typeof storedHead>;

/** An AHJ in a part. */
export interface HeadRow extends PartRow {
  newestMs: number;
}

export interface Head extends Pick<StoredHead, "slots" | "bytes" | "usedAtMs"> {
  rows: HeadRow[];
}

export function storedHeadOf({ rows, slots, bytes, usedAtMs }: Head): StoredHead {
  return {
    format,
    ahjIds: Float64Array.from(rows, ({ ahj }) => ahj),
    starts: Uint32Array.from(rows, ({ start }) => start),
    counts: Uint32Array.from(rows, ({ count }) => count),
    newestMs: Float64Array.from(rows, ({ newestMs }) => newestMs),
    ...{ slots, bytes, usedAtMs },
  };
}

/** Undefined where it is of another format or damaged. */
export function headOf(record: unknown): Head | undefined {
  const parsed = storedHead.safeParse(record);
  if (!parsed.success) return undefined;
  const { ahjIds, starts, counts, newestMs, slots, bytes, usedAtMs } = parsed.data;
  if ([starts, counts, newestMs].some(({ length }) => length !== ahjIds.length)) return undefined;
  const rows = Array.from(ahjIds, (ahj, index) => ({
    ahj,
    start: starts[index] ?? 0,
    count: counts[index] ?? 0,
    newestMs: newestMs[index] ?? 0,
  }));
  if (rows.some(({ start, count }) => start + count > slots)) return undefined;
  return { rows, slots, bytes, usedAtMs };
}
