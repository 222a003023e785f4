import type { Absence, CachedAnswer } from "./answer-cache";

/**
 * Answers in columns. An answer takes 20 bytes; its texts are held once each, as UTF-8 behind their length. An answer has
 * a slot, which stays its own.
 */
export interface AnswerPart {
  /** Slots taken so far. */
  count(): number;
  hasRoomFor(answers: number): boolean;
  /** Memory taken, in bytes. */
  bytes(): number;
  /** Adds an answer in the next slot. There must be room for it. */
  push(typeId: number, answer: CachedAnswer): void;
  /** No more will be pushed: gives back what only pushing needs. */
  seal(): void;
  typeAt(slot: number): number;
  at(slot: number): CachedAnswer;
  fetchedAtMs(slot: number): number;
  /** The slot of this type among some; -1 where none has it. */
  find(typeId: number, start: number, count: number): number;
  /** Dates an answer that was confirmed. False where the part can't hold another date. */
  redate(slot: number, fetchedAtMs: number): boolean;
}

const absences: readonly Absence[] = [
  "no-value",
  "unknown-type",
  "unknown-jurisdiction",
  "outside-subscription",
];
/** What stands in place of a text's offset. Texts that UTF-8 can't hold are numbered from `odd` on. */
const codes = { null: 0xffff_ffff, absence: 0xffff_fff0, odd: 0xf000_0000 };
const mostTimes = 65_536;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const loneSurrogate = /\p{Surrogate}/u;

/**
 * Texts of the part that was read last, as strings, by their offsets: who reads many answers gets the same string for the same
 * text.
 */
const decoded = new Map<number, string>();
let decodedPart: object | undefined;

export function createAnswerPart(capacity: number): AnswerPart {
  const typeIds = createIndexed();
  const times = createIndexed();
  const Numbers = capacity > mostTimes ? Uint32Array : Uint16Array;
  const columns = {
    type: new Numbers(capacity),
    time: new Uint16Array(capacity),
    value: new Uint32Array(capacity),
    reference: new Uint32Array(capacity),
    section: new Uint32Array(capacity),
    updatedAt: new Uint32Array(capacity),
  };
  const columnBytes = Object.values(columns).reduce((sum, { byteLength }) => sum + byteLength, 0);
  let count = 0;
  let heap = new Uint8Array(1_024);
  let used = 0;
  /** Offsets of the texts, as long as more may come. */
  const offsets = new Map<string, number>();
  const oddTexts: string[] = [];

  function offsetOf(text: string | null): number {
    if (text === null) return codes.null;
    const known = offsets.get(text);
    if (known !== undefined) return known;
    const offset = loneSurrogate.test(text) ? codes.odd + oddTexts.push(text) - 1 : write(text);
    offsets.set(text, offset);
    return offset;
  }

  function write(text: string): number {
    const most = used + 5 + text.length * 3;
    if (most > heap.length) {
      const larger = new Uint8Array(Math.max(most, heap.length * 2));
      larger.set(heap.subarray(0, used));
      heap = larger;
    }
    const offset = used;
    const bytes = encoder.encodeInto(text, heap.subarray(offset + 1)).written;
    // Seven bits a byte; the first ones say that others follow.
    let length = bytes;
    const prefix: number[] = [];
    for (; length > 127; length >>>= 7) prefix.push((length & 127) | 128);
    prefix.push(length);
    if (prefix.length > 1) heap.copyWithin(offset + prefix.length, offset + 1, offset + 1 + bytes);
    heap.set(prefix, offset);
    used = offset + prefix.length + bytes;
    return offset;
  }

  function textAt(offset: number): string {
    if (offset >= codes.odd) return oddTexts[offset - codes.odd] ?? "";
    if (decodedPart !== columns) {
      decoded.clear();
      decodedPart = columns;
    }
    const known = decoded.get(offset);
    if (known !== undefined) return known;
    let at = offset;
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = heap[at++] ?? 0;
      length |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    const text = decoder.decode(heap.subarray(at, at + length));
    decoded.set(offset, text);
    return text;
  }

  const textOrNull = (offset: number) => (offset === codes.null ? null : textAt(offset));

  return {
    count: () => count,
    hasRoomFor: (answers) => count + answers <= capacity,
    bytes: () => columnBytes + heap.length,
    push(typeId, answer) {
      columns.type[count] = typeIds.indexOf(typeId);
      columns.time[count] = times.indexOf(answer.fetchedAtMs);
      if ("absence" in answer) {
        columns.value[count] = codes.absence + absences.indexOf(answer.absence);
      } else {
        columns.value[count] = offsetOf(answer.value);
        columns.reference[count] = offsetOf(answer.reference);
        columns.section[count] = offsetOf(answer.section);
        columns.updatedAt[count] = offsetOf(answer.updatedAt);
      }
      count += 1;
    },
    seal() {
      offsets.clear();
      heap = heap.slice(0, used);
    },
    typeAt: (slot) => typeIds.at(columns.type[slot]),
    fetchedAtMs: (slot) => times.at(columns.time[slot]),
    at(slot) {
      const fetchedAtMs = times.at(columns.time[slot]);
      const value = columns.value[slot] ?? 0;
      if (value >= codes.absence)
        return { fetchedAtMs, absence: absences[value - codes.absence] ?? "no-value" };
      return {
        fetchedAtMs,
        value: textAt(value),
        reference: textOrNull(columns.reference[slot] ?? 0),
        section: textOrNull(columns.section[slot] ?? 0),
        updatedAt: textOrNull(columns.updatedAt[slot] ?? 0),
      };
    },
    find(typeId, start, slots) {
      const index = typeIds.known(typeId);
      if (index === undefined) return -1;
      for (let slot = start; slot < start + slots; slot += 1) if (columns.type[slot] === index) return slot;
      return -1;
    },
    redate(slot, fetchedAtMs) {
      if (times.known(fetchedAtMs) === undefined && times.size() === mostTimes) return false;
      columns.time[slot] = times.indexOf(fetchedAtMs);
      return true;
    },
  };
}

/** Numbers that stand for others, from 0 on. */
function createIndexed() {
  const all: number[] = [];
  const indexes = new Map<number, number>();
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
