/**
 * The head of a part on disk. It says where each AHJ's answers are in the part, and what the add-in needs to know of them without reading
 * the part itself. All answers of an AHJ are in one part of a space.
 */
import * as z from "../../zod";
import type { PartRow } from "./answer-part";

/** The number of the format. A head of another format is ignored. */
const format = 1;

const ids = z.instanceof(Float64Array);
const counts = z.instanceof(Uint32Array);
const times = z.instanceof(Float64Array);
const storedHead = z.object({
  format: z.literal(format),
  /** Each of these four columns has an entry for each AHJ. */
  ahjIds: ids,
  starts: counts,
  counts,
  /** When the newest answer of each AHJ was fetched, in milliseconds since 1970; 0 if that time was in the future. */
  newestMs: times,
  /** The number of answers in the part, including answers that no AHJ refers to any more. */
  slots: z.int(),
  /** Bytes that the head and the part take together. */
  bytes: z.number(),
  /** When the part was last read or written, accurate to a day. */
  usedAtMs: z.number(),
});
export type StoredHead = z.infer<typeof storedHead>;

/** The row of an AHJ in a part's head. */
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
    slots,
    bytes,
    usedAtMs,
  };
}

/** Returns undefined if the record has another format or is damaged. */
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
