import { config } from "../../config";
import { orderMs } from "./age";
import type { CachedAnswer, Hold } from "./answer-cache";
import { type AnswerPart, createAnswerPart } from "./answer-part";

/**
 * The answers in memory, at most `config.cachedBytes`. The jurisdictions go first that were not used for longest, but for
 * those that are held.
 */
export interface AnswerMemory {
  get(ahjId: number, typeId: number): CachedAnswer | undefined;
  /** All that is there of an AHJ. */
  of(ahjId: number): [typeId: number, answer: CachedAnswer][];
  /** Adds answers; of two the newer stays, of two of the same age the added one. */
  add(ahjId: number, answers: Iterable<readonly [typeId: number, answer: CachedAnswer]>): void;
  delete(ahjId: number): void;
  clear(): void;
  /** Keeps AHJs, of which nothing may be there yet, until they are released. */
  hold(): Hold;
  /** What all answers take. */
  bytes(): number;
}

/** Where the answers of an AHJ are. */
interface Row {
  place: Place;
  start: number;
  count: number;
  /** Counts up with each use. */
  usedAt: number;
}

/** A part, and how many of its answers are still somebody's. */
interface Place {
  part: AnswerPart;
  live: number;
}

/** What an AHJ takes beside its answers, about. */
const rowBytes = 120;

export function createAnswerMemory(): AnswerMemory {
  const rows = new Map<number, Row>();
  const places = new Set<Place>();
  /** The one that answers are added to. */
  let open: Place | undefined;
  const held = new Map<number, number>();
  let uses = 0;

  const bytes = () => rows.size * rowBytes + [...places].reduce((sum, { part }) => sum + part.bytes(), 0);

  function placeFor(answers: number): Place {
    if (open?.part.hasRoomFor(answers)) return open;
    const full = open;
    const next: Place = { part: createAnswerPart(Math.max(config.answersAPart, answers)), live: 0 };
    places.add((open = next));
    full?.part.seal();
    if (full) tidy(full);
    return placeFor(answers);
  }

  function write(ahjId: number, answers: ReadonlyMap<number, CachedAnswer>, usedAt = (uses += 1)) {
    const place = placeFor(answers.size);
    const start = place.part.count();
    for (const [typeId, answer] of answers) place.part.push(typeId, answer);
    place.live += answers.size;
    rows.set(ahjId, { place, start, count: answers.size, usedAt });
  }

  function remove(ahjId: number) {
    const row = rows.get(ahjId);
    if (!row) return;
    rows.delete(ahjId);
    row.place.live -= row.count;
    tidy(row.place);
  }

  /** Writes what is left of a full part elsewhere, once most of it is nobody's any more. */
  function tidy(place: Place) {
    if (place === open || place.live > place.part.count() / 2) return;
    places.delete(place);
    if (place.live === 0) return;
    for (const [ahjId, row] of rows)
      if (row.place === place) write(ahjId, new Map(answersIn(row)), row.usedAt);
  }

  function* answersIn({ place: { part }, start, count }: Row): Generator<[number, CachedAnswer]> {
    for (let slot = start; slot < start + count; slot += 1) yield [part.typeAt(slot), part.at(slot)];
  }

  /** Takes those that are to be written out of what is added: an answer that is only confirmed keeps its place. */
  function changesOf(row: Row, added: ReadonlyMap<number, CachedAnswer>): Map<number, CachedAnswer> {
    const { part } = row.place;
    const changes = new Map<number, CachedAnswer>();
    for (const [typeId, answer] of added) {
      const slot = part.find(typeId, row.start, row.count);
      if (slot >= 0 && orderMs(part.fetchedAtMs(slot)) > orderMs(answer.fetchedAtMs)) continue;
      const isConfirmed = slot >= 0 && isSame(part.at(slot), answer) && part.redate(slot, answer.fetchedAtMs);
      if (!isConfirmed) changes.set(typeId, answer);
    }
    return changes;
  }

  function makeRoom() {
    if (bytes() <= config.cachedBytes) return;
    const leastUsedFirst = [...rows].filter(([ahjId]) => !held.has(ahjId));
    leastUsedFirst.sort(([, one], [, other]) => one.usedAt - other.usedAt);
    // A tenth at once: the sorting is then rare enough to cost nothing.
    for (const [ahjId] of leastUsedFirst) {
      if (bytes() <= config.cachedBytes * 0.9) return;
      remove(ahjId);
    }
  }

  return {
    get(ahjId, typeId) {
      const row = rows.get(ahjId);
      if (!row) return undefined;
      row.usedAt = uses += 1;
      const { part } = row.place;
      const slot = part.find(typeId, row.start, row.count);
      return slot < 0 ? undefined : part.at(slot);
    },
    of(ahjId) {
      const row = rows.get(ahjId);
      return row ? [...answersIn(row)] : [];
    },
    add(ahjId, answers) {
      const added = newestOf(answers);
      const row = rows.get(ahjId);
      const changes = row ? changesOf(row, added) : added;
      if (changes.size === 0) return;
      const all = row ? new Map([...answersIn(row), ...changes]) : changes;
      remove(ahjId);
      write(ahjId, all);
      makeRoom();
    },
    delete: remove,
    clear() {
      rows.clear();
      places.clear();
      open = undefined;
    },
    hold() {
      const kept: number[] = [];
      return {
        keep(ahjIds) {
          for (const ahjId of ahjIds) {
            kept.push(ahjId);
            held.set(ahjId, (held.get(ahjId) ?? 0) + 1);
          }
        },
        release() {
          for (const ahjId of kept.splice(0)) {
            const left = (held.get(ahjId) ?? 0) - 1;
            if (left > 0) held.set(ahjId, left);
            else held.delete(ahjId);
          }
          makeRoom();
        },
      };
    },
    bytes,
  };
}

/** Of several answers of one type the newest, of the same age the last. */
function newestOf(answers: Iterable<readonly [number, CachedAnswer]>): Map<number, CachedAnswer> {
  const newest = new Map<number, CachedAnswer>();
  for (const [typeId, answer] of answers) {
    const other = newest.get(typeId);
    if (!other || orderMs(other.fetchedAtMs) <= orderMs(answer.fetchedAtMs)) newest.set(typeId, answer);
  }
  return newest;
}

/** The same but for when it was fetched. */
function isSame(one: CachedAnswer, other: CachedAnswer): boolean {
  if ("absence" in one || "absence" in other)
    return "absence" in one && "absence" in other && one.absence === other.absence;
  return (
    one.value === other.value &&
    one.reference === other.reference &&
    one.section === other.section &&
    one.updatedAt === other.updatedAt
  );
}
