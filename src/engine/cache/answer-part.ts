import * as z from "../../zod";
import { config } from "../../config";
import { inTurns } from "../../async/in-turns";
import { orderMs } from "./age";
import { type Absence, absences, absenceByCode } from "../absence";
import type { CachedAnswer, Seen } from "./cached-answer";

/**
 * Answers in columns. An answer takes 16 bytes, and 4 more if any answer of the part is dated. Each text is stored once, as UTF-8 after its
 * length. An answer never changes its slot.
 */
export interface AnswerPart {
  /** The number of slots taken so far. */
  count(): number;
  hasRoomFor(answers: number): boolean;
  /** Memory taken, in bytes. */
  bytes(): number;
  /** Adds an answer in the next slot. There must be room for it. */
  push(typeId: number, answer: CachedAnswer): void;
  /** Adds an answer of another part in the next slot and copies its texts without reading them. There must be room for the answer. */
  pushFrom(source: AnswerPart, slot: number): void;
  /** Gives back the memory that only pushing needs. Nothing may be pushed afterwards. */
  seal(): void;
  typeAt(slot: number): number;
  at(slot: number): CachedAnswer;
  /** The published value alone, which is quicker than `at`; null if there is none. */
  valueAt(slot: number): string | null;
  fetchedAtMs(slot: number): number;
  see(slot: number): Seen;
  /** The slot of this type among the `count` slots from `start` on; -1 if none has it. */
  find(typeId: number, start: number, count: number): number;
  /** Gives a new date to an answer that was confirmed. Returns false if the part can't hold another date. */
  redate(slot: number, fetchedAtMs: number): boolean;
  /** A copy of the part, as a record that `openAnswerPart` can open. */
  stored(): StoredPart;
  /** Like `stored`, but not a copy: it changes with the part. */
  contents(): Pick<StoredPart, "columns" | "oddTexts" | "heap">;
}

/** Adjacent slots. */
export interface Slots {
  start: number;
  count: number;
}

/** The slots of an AHJ's answers in a part. */
export interface PartRow<Key = number> extends Slots {
  ahj: Key;
}

/**
 * The number of the format. A record of another format is ignored. It must change with the columns and the codes.
 */
const format = 1;

const integers = z.union([z.instanceof(Uint16Array), z.instanceof(Uint32Array)]);
const storedPart = z.object({
  format: z.literal(format),
  typeIds: z.array(z.int()),
  times: z.array(z.number()),
  /** Texts that UTF-8 can't hold. */
  oddTexts: z.array(z.string()),
  columns: z.object({
    type: integers,
    time: z.instanceof(Uint16Array),
    value: z.instanceof(Uint32Array),
    reference: z.instanceof(Uint32Array),
    section: z.instanceof(Uint32Array),
    /** Empty where no answer is dated. */
    updatedAt: z.instanceof(Uint32Array),
  }),
  /** The texts, each after its length (see `textBounds`). */
  heap: z.instanceof(Uint8Array),
});
export type StoredPart = z.infer<typeof storedPart>;
type Columns = StoredPart["columns"];

/**
 * Codes that take the place of a text's offset in a column. Reasons for having no value are numbered from `absence` on, texts that UTF-8
 * can't hold from `odd` on.
 */
const codes = { null: 0xffff_ffff, absence: 0xffff_fff0, odd: 0xf000_0000 };
const mostTimes = 65_536;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const loneSurrogate = /\p{Surrogate}/u;

/** The decoded texts of each part, by their offsets, so that a text that is read often is decoded once. */
const decoded = new Set<Map<number, string>>();
let decodedBytes = 0;
const mostDecodedBytes = 4_000_000;
/** Bytes that a decoded text takes besides its characters, roughly. */
const decodedTextBytes = 60;

/** Counts a text that is about to be kept decoded. If the kept texts would take too much memory, all of them are forgotten. */
function countDecoded(characters: number) {
  decodedBytes += characters + decodedTextBytes;
  if (decodedBytes <= mostDecodedBytes) return;
  for (const texts of decoded) texts.clear();
  decoded.clear();
  decodedBytes = characters + decodedTextBytes;
}

/** Creates an empty part with room for this many answers. */
export function createAnswerPart(capacity: number): AnswerPart {
  const Numbers = capacity > mostTimes ? Uint32Array : Uint16Array;
  const columns: Columns = {
    type: new Numbers(capacity),
    time: new Uint16Array(capacity),
    value: new Uint32Array(capacity),
    reference: new Uint32Array(capacity),
    section: new Uint32Array(capacity),
    updatedAt: new Uint32Array(),
  };
  return partOf({ format, typeIds: [], times: [], oddTexts: [], columns, heap: new Uint8Array(1_024) }, 0);
}

/** Opens a part, without room for further answers, from a record of `stored`. Undefined if the record has another format or is damaged. */
export function openAnswerPart(record: unknown): AnswerPart | undefined {
  const parsed = storedPart.safeParse(record);
  return parsed.success && isWhole(parsed.data)
    ? partOf(parsed.data, parsed.data.columns.type.length)
    : undefined;
}

/** Opens a record that a worker of this build has just made. It needs no check, because it can't be damaged. */
export function takeAnswerPart(stored: StoredPart): AnswerPart {
  return partOf(stored, stored.columns.type.length);
}

/** True if everything that the columns refer to exists. */
function isWhole({ typeIds, times, oddTexts, columns, heap }: StoredPart): boolean {
  const { type, time, value, reference, section, updatedAt } = columns;
  const count = type.length;
  const hasText = (offset = 0) =>
    offset >= codes.odd ? offset - codes.odd < oddTexts.length : textBounds(heap, offset).end <= heap.length;
  const hasTextOrNull = (offset?: number) => offset === codes.null || hasText(offset);
  const isDated = updatedAt.length > 0;
  if ([time, value, reference, section].some((column) => column.length !== count)) return false;
  if (isDated && updatedAt.length !== count) return false;
  for (let slot = 0; slot < count; slot += 1) {
    if ((type[slot] ?? 0) >= typeIds.length || (time[slot] ?? 0) >= times.length) return false;
    const code = value[slot] ?? 0;
    if (code >= codes.absence) {
      if (absenceAt(code) === null) return false;
    } else if (
      !hasText(code) ||
      ![reference[slot], section[slot], isDated ? updatedAt[slot] : codes.null].every(hasTextOrNull)
    ) {
      return false;
    }
  }
  return true;
}

/** The absence that a code in the value column stands for; null if there is a value. */
function absenceAt(value = 0): Absence | null {
  return value >= codes.absence ? (absenceByCode[value - codes.absence] ?? null) : null;
}

/**
 * Start and end of a text in the heap. Its length stands before the text, seven bits a byte; the eighth bit says that another byte follows.
 */
function textBounds(heap: Uint8Array, offset: number): { start: number; end: number } {
  let start = offset;
  let length = 0;
  for (let unit = 1; ; unit *= 128) {
    const byte = heap[start++] ?? 0;
    length += (byte & 127) * unit;
    if (byte < 128) return { start, end: start + length };
  }
}

/** A part, and the rows that count in it. Other slots are ignored. */
export interface FilledPart<Key = number> {
  part: AnswerPart;
  rows: readonly PartRow<Key>[];
}

/** Fills parts with one AHJ after another, and pauses so that the page can respond. `fill` pushes at most `mostOfAhj` answers of an AHJ. */
export async function fillParts(
  ahjIds: readonly number[],
  mostOfAhj: number,
  fill: (ahjId: number, part: AnswerPart) => void,
): Promise<FilledPart[]> {
  const filled: { part: AnswerPart; rows: PartRow[] }[] = [];
  let left = ahjIds.length * mostOfAhj;
  const fillNext = (ahj: number) => {
    let last = filled.at(-1);
    if (!last?.part.hasRoomFor(mostOfAhj)) {
      last?.part.seal();
      const capacity = Math.max(mostOfAhj, Math.min(config.answersAPart, left));
      filled.push((last = { part: createAnswerPart(capacity), rows: [] }));
    }
    const start = last.part.count();
    fill(ahj, last.part);
    const count = last.part.count() - start;
    if (count > 0) last.rows.push({ ahj, start, count });
    left -= mostOfAhj;
  };
  await inTurns(ahjIds, fillNext);
  filled.at(-1)?.part.seal();
  return filled;
}

/** Pushes the answers of an AHJ and returns their row. The part must have room for them. */
export function pushRow<Key>(
  part: AnswerPart,
  ahj: Key,
  answers: ReadonlyMap<number, CachedAnswer>,
): PartRow<Key> {
  const start = part.count();
  for (const [typeId, answer] of answers) part.push(typeId, answer);
  return { ahj, start, count: answers.size };
}

/** True if the answers in `slots` have every type that `others` have, and none of them is older. */
export function supersedes(part: AnswerPart, slots: Slots, otherPart: AnswerPart, others: Slots): boolean {
  const nowMs = Date.now();
  for (let index = 0; index < others.count; index += 1) {
    const other = others.start + index;
    const typeId = otherPart.typeAt(other);
    // Both parts mostly have their types in the same order.
    const same = index < slots.count && part.typeAt(slots.start + index) === typeId;
    const slot = same ? slots.start + index : part.find(typeId, slots.start, slots.count);
    const otherMs = orderMs(otherPart.fetchedAtMs(other), nowMs);
    if (slot < 0 || orderMs(part.fetchedAtMs(slot), nowMs) < otherMs) return false;
  }
  return true;
}

/** The answers in these slots, which are read as often as they are iterated. */
export function answersIn(
  part: AnswerPart,
  { start, count }: Slots,
): Iterable<[typeId: number, answer: CachedAnswer]> {
  return {
    *[Symbol.iterator]() {
      for (let slot = start; slot < start + count; slot += 1) yield [part.typeAt(slot), part.at(slot)];
    },
  };
}

function partOf(stored: StoredPart, filled: number): AnswerPart {
  const { columns, oddTexts } = stored;
  const capacity = columns.type.length;
  const typeIds = createIndexed(stored.typeIds);
  const times = createIndexed(stored.times);
  let count = filled;
  /** The position among an AHJ's slots where `find` looks first. */
  let next = 0;
  let heap = stored.heap;
  let used = filled > 0 ? heap.length : 0;
  /** Offsets of the texts, until the part is sealed. */
  const offsets = new Map<string, number>();
  /** Offsets of texts that were copied from other parts, by their offsets there. It keeps no other part in memory. */
  let copied = new WeakMap<AnswerPart, Map<number, number>>();
  const texts = new Map<number, string>();

  function offsetOf(text: string | null): number {
    if (text === null) return codes.null;
    const known = offsets.get(text);
    if (known !== undefined) return known;
    const offset = loneSurrogate.test(text) ? codes.odd + oddTexts.push(text) - 1 : write(text);
    offsets.set(text, offset);
    return offset;
  }

  /** Enlarges the heap if it has no room for this many more bytes. */
  function growHeapFor(bytes: number) {
    const needed = used + bytes;
    if (needed <= heap.length) return;
    const larger = new Uint8Array(Math.max(needed, heap.length * 2));
    larger.set(heap.subarray(0, used));
    heap = larger;
  }

  /** Writes a text after its length (see `textBounds`) and returns its offset. */
  function write(text: string): number {
    // A length takes up to 5 bytes, and a UTF-16 unit up to 3 bytes in UTF-8.
    growHeapFor(5 + text.length * 3);
    const offset = used;
    // Most lengths take one byte. If this one takes more, the text is moved.
    const bytes = encoder.encodeInto(text, heap.subarray(offset + 1)).written;
    let length = bytes;
    const prefix: number[] = [];
    for (; length > 127; length >>>= 7) prefix.push((length & 127) | 128);
    prefix.push(length);
    if (prefix.length > 1) heap.copyWithin(offset + prefix.length, offset + 1, offset + 1 + bytes);
    heap.set(prefix, offset);
    used = offset + prefix.length + bytes;
    return offset;
  }

  /** Copies a text and its length from another heap. Returns the offset in this heap. */
  function copyText(from: Uint8Array, offset: number): number {
    const bytes = from.subarray(offset, textBounds(from, offset).end);
    growHeapFor(bytes.length);
    heap.set(bytes, used);
    used += bytes.length;
    return used - bytes.length;
  }

  /** Returns a function that turns an offset in another part into an offset in this part, and copies the text if necessary. */
  function copierFrom(source: AnswerPart): (offset?: number) => number {
    const { heap: from, oddTexts: odd } = source.contents();
    if (from === heap) return (offset = codes.null) => offset;
    let known = copied.get(source);
    if (!known) copied.set(source, (known = new Map()));
    const offsetsHere = known;
    return (offset = codes.null) => {
      if (offset === codes.null) return codes.null;
      if (offset >= codes.odd) return offsetOf(odd[offset - codes.odd] ?? "");
      let here = offsetsHere.get(offset);
      if (here === undefined) offsetsHere.set(offset, (here = copyText(from, offset)));
      return here;
    };
  }

  function textAt(offset: number): string {
    if (offset >= codes.odd) return oddTexts[offset - codes.odd] ?? "";
    const known = texts.get(offset);
    if (known !== undefined) return known;
    const { start, end } = textBounds(heap, offset);
    const text = decoder.decode(heap.subarray(start, end));
    countDecoded(text.length);
    decoded.add(texts);
    texts.set(offset, text);
    return text;
  }

  function setUpdatedAt(slot: number, offset: number) {
    if (columns.updatedAt.length === 0) {
      if (offset === codes.null) return;
      columns.updatedAt = new Uint32Array(capacity).fill(codes.null);
    }
    columns.updatedAt[slot] = offset;
  }

  const updatedAtOf = (slot: number) => columns.updatedAt[slot] ?? codes.null;
  const textOrNull = (offset: number) => (offset === codes.null ? null : textAt(offset));

  return {
    count: () => count,
    hasRoomFor: (answers) => count + answers <= capacity,
    bytes: () => Object.values(columns).reduce((sum, { byteLength }) => sum + byteLength, heap.length),
    push(typeId, answer) {
      columns.type[count] = typeIds.indexOf(typeId);
      columns.time[count] = times.indexOf(answer.fetchedAtMs);
      if ("absence" in answer) {
        columns.value[count] = codes.absence + absences[answer.absence].code;
      } else {
        columns.value[count] = offsetOf(answer.value);
        columns.reference[count] = offsetOf(answer.reference);
        columns.section[count] = offsetOf(answer.section);
        setUpdatedAt(count, offsetOf(answer.updatedAt));
      }
      count += 1;
    },
    pushFrom(source, slot) {
      const from = source.contents().columns;
      columns.type[count] = typeIds.indexOf(source.typeAt(slot));
      columns.time[count] = times.indexOf(source.fetchedAtMs(slot));
      const value = from.value[slot] ?? 0;
      if (absenceAt(value) !== null) {
        columns.value[count] = value;
      } else {
        const offsetHere = copierFrom(source);
        columns.value[count] = offsetHere(value);
        columns.reference[count] = offsetHere(from.reference[slot]);
        columns.section[count] = offsetHere(from.section[slot]);
        setUpdatedAt(count, offsetHere(from.updatedAt[slot]));
      }
      count += 1;
    },
    seal() {
      offsets.clear();
      copied = new WeakMap();
      heap = heap.slice(0, used);
    },
    typeAt: (slot) => typeIds.at(columns.type[slot]),
    fetchedAtMs: (slot) => times.at(columns.time[slot]),
    see: (slot) => ({
      fetchedAtMs: times.at(columns.time[slot]),
      absence: absenceAt(columns.value[slot]),
      isDated: updatedAtOf(slot) !== codes.null,
    }),
    at(slot) {
      const fetchedAtMs = times.at(columns.time[slot]);
      const value = columns.value[slot] ?? 0;
      const absence = absenceAt(value);
      if (absence !== null) return { fetchedAtMs, absence };
      return {
        fetchedAtMs,
        value: textAt(value),
        reference: textOrNull(columns.reference[slot] ?? 0),
        section: textOrNull(columns.section[slot] ?? 0),
        updatedAt: textOrNull(updatedAtOf(slot)),
      };
    },
    valueAt(slot) {
      const value = columns.value[slot] ?? 0;
      return absenceAt(value) === null ? textAt(value) : null;
    },
    find(typeId, start, slots) {
      const index = typeIds.known(typeId);
      if (index === undefined) return -1;
      // Callers mostly ask for types in the order in which the part has them.
      for (let tried = 0; tried < slots; tried += 1) {
        const at = (next + tried) % slots;
        if (columns.type[start + at] !== index) continue;
        next = at + 1;
        return start + at;
      }
      return -1;
    },
    redate(slot, fetchedAtMs) {
      if (times.known(fetchedAtMs) === undefined && times.size() === mostTimes) return false;
      columns.time[slot] = times.indexOf(fetchedAtMs);
      return true;
    },
    contents: () => ({ columns, oddTexts, heap }),
    stored: () => ({
      format,
      typeIds: stored.typeIds,
      times: stored.times,
      oddTexts,
      columns: {
        type: columns.type.slice(0, count),
        time: columns.time.slice(0, count),
        value: columns.value.slice(0, count),
        reference: columns.reference.slice(0, count),
        section: columns.section.slice(0, count),
        updatedAt: columns.updatedAt.slice(0, count),
      },
      heap: heap.slice(0, used),
    }),
  };
}

/** A list of distinct numbers and the index of each. */
function createIndexed(all: number[]) {
  const indexes = new Map(all.map((value, index) => [value, index]));
  return {
    size: () => all.length,
    known: (value: number) => indexes.get(value),
    at: (index = 0) => all[index] ?? 0,
    indexOf(value: number): number {
      let index = indexes.get(value);
      if (index === undefined) indexes.set(value, (index = all.push(value) - 1));
      return index;
    },
  };
}
