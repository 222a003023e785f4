import { config } from "../../config";
import { orderMs } from "./age";
import type { Hold } from "./answer-cache";
import { type CachedAnswer, isSameAnswer, type Seen } from "./cached-answer";
import {
  type AnswerPart,
  answersIn,
  createAnswerPart,
  type FilledPart,
  type PartRow,
  type Slots,
  supersedes,
} from "./answer-part";
import { addNewer } from "./records";

/**
 * The answers in memory, by AHJ and type, limited to `config.cachedBytes`. If there are too many, the AHJs that were not used for the
 * longest time are removed first, except those that are held.
 */
export interface AnswerMemory<Key = number> {
  get(ahj: Key, typeId: number): CachedAnswer | undefined;
  see(ahj: Key, typeId: number): Seen | undefined;
  /** See `AnswerCache`. */
  value(ahj: Key, typeId: number): string | null;
  copy(ahj: Key, typeId: number, into: AnswerPart): boolean;
  /** All answers of an AHJ in memory. */
  of(ahj: Key): [typeId: number, answer: CachedAnswer][];
  /** Adds answers. The newer of two answers stays; if both have the same age, the added one does. */
  add(ahj: Key, answers: Iterable<readonly [typeId: number, answer: CachedAnswer]>): void;
  /** Adds the answers of a part. Keeps the part itself in memory if that saves room. */
  adopt(filled: FilledPart<Key>): void;
  /**
   * Adds answers that are no news, as `adopt` does, but of two answers of the same age the present one stays. An AHJ that is present
   * already gets answers only if it is wanted.
   */
  restore(filled: FilledPart<Key>, isWanted: (ahj: Key) => boolean): void;
  /** True if memory has at least this many answers of an AHJ. */
  holds(ahj: Key, answers: number): boolean;
  delete(ahj: Key): void;
  clear(): void;
  /** Begins to keep AHJs in memory until they are released. The AHJs need not have answers yet. */
  hold(): Hold<Key>;
  /** Bytes that all answers take in memory. */
  bytes(): number;
  /** Bytes that this many answers are likely to take, estimated from the present answers. */
  expectedBytes(answers: number): number;
}

interface Row extends Slots {
  place: Place;
  /** The use counter's value at the last use of this row. */
  usedAt: number;
}

/** A part, and the number of its answers that a row still refers to. */
interface Place {
  part: AnswerPart;
  live: number;
}

/** Bytes that an AHJ takes besides its answers, roughly. */
const rowBytes = 120;

/** With fewer answers than this in memory, their average size says little about others. */
const fewAnswers = 10_000;

export function createAnswerMemory<Key = number>(): AnswerMemory<Key> {
  const rows = new Map<Key, Row>();
  const places = new Set<Place>();
  /** The part that new answers are added to. */
  let open: Place | undefined;
  const held = new Map<Key, number>();
  let uses = 0;
  /** Room is not looked for again until more bytes than this are taken, because held AHJs can't be removed. */
  let triedAtBytes = 0;

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

  /** Writes answers, and those of an earlier row that they don't replace. The texts of these are copied without being read. */
  function write(
    ahj: Key,
    answers: ReadonlyMap<number, CachedAnswer>,
    row?: Pick<Row, "start" | "count" | "place">,
    usedAt = (uses += 1),
  ) {
    const { start: first, count: kept } = row ?? { start: 0, count: 0 };
    const place = placeFor(answers.size + kept);
    const start = place.part.count();
    for (let slot = first; row && slot < first + kept; slot += 1)
      if (!answers.has(row.place.part.typeAt(slot))) place.part.pushFrom(row.place.part, slot);
    for (const [typeId, answer] of answers) place.part.push(typeId, answer);
    const count = place.part.count() - start;
    place.live += count;
    rows.set(ahj, { start, count, place, usedAt });
  }

  /** Removes the row of an AHJ. Returns the place of its answers, because that may now be worth tidying. */
  function take(ahj: Key): Place | undefined {
    const row = rows.get(ahj);
    if (!row) return undefined;
    rows.delete(ahj);
    row.place.live -= row.count;
    return row.place;
  }

  function remove(ahj: Key) {
    const place = take(ahj);
    if (place) tidy(place);
  }

  /** Moves the remaining answers of a full part elsewhere, once rows refer to no more than half of its answers. */
  function tidy(place: Place) {
    if (place === open || place.live > place.part.count() / 2) return;
    places.delete(place);
    if (place.live === 0) return;
    for (const [ahj, row] of rows) if (row.place === place) write(ahj, new Map(), row, row.usedAt);
  }

  /** Returns the added answers that must be written. An answer that is only confirmed keeps its slot and gets a new date. */
  function changesOf(row: Row, added: ReadonlyMap<number, CachedAnswer>): Map<number, CachedAnswer> {
    const { part } = row.place;
    const changes = new Map<number, CachedAnswer>();
    for (const [typeId, answer] of added) {
      const slot = part.find(typeId, row.start, row.count);
      if (slot >= 0 && orderMs(part.fetchedAtMs(slot)) > orderMs(answer.fetchedAtMs)) continue;
      const isConfirmed =
        slot >= 0 && isSameAnswer(part.at(slot), answer) && part.redate(slot, answer.fetchedAtMs);
      if (!isConfirmed) changes.set(typeId, answer);
    }
    return changes;
  }

  function makeRoom() {
    const isFull = () => bytes() > Math.max(config.cachedBytes, triedAtBytes);
    for (const place of places) {
      if (!isFull()) return;
      tidy(place);
    }
    if (!isFull()) return;
    const leastUsedFirst = [...rows].filter(([ahj]) => !held.has(ahj));
    leastUsedFirst.sort(([, one], [, other]) => one.usedAt - other.usedAt);
    // Removes a tenth at once, so that the sorting is rare enough to cost nothing.
    for (const [ahj] of leastUsedFirst) {
      if (bytes() <= config.cachedBytes * 0.9) return void (triedAtBytes = 0);
      remove(ahj);
    }
    triedAtBytes = bytes() * 1.05;
  }

  function add(ahj: Key, answers: Iterable<readonly [typeId: number, answer: CachedAnswer]>) {
    const added =
      answers instanceof Map ? (answers as Map<number, CachedAnswer>) : addNewer(new Map(), answers);
    const row = rows.get(ahj);
    if (row) row.usedAt = uses += 1;
    const changes = row ? changesOf(row, added) : added;
    if (changes.size === 0) return;
    remove(ahj);
    write(ahj, changes, row);
  }

  function use<Result>(ahj: Key, typeId: number, read: (part: AnswerPart, slot: number) => Result) {
    const row = rows.get(ahj);
    if (!row) return undefined;
    row.usedAt = uses += 1;
    const { part } = row.place;
    const slot = part.find(typeId, row.start, row.count);
    return slot < 0 ? undefined : read(part, slot);
  }

  function adopt({ part, rows: partRows }: FilledPart<Key>) {
    const place: Place = { part, live: 0 };
    const isWhole = (row: PartRow<Key>) => {
      const known = rows.get(row.ahj);
      return !known || supersedes(part, row, known.place.part, known);
    };
    const whole = new Set(partRows.filter(isWhole));
    // Otherwise no row would refer to most of the part's answers.
    const isTaken = [...whole].reduce((sum, { count }) => sum + count, 0) > part.count() / 2;
    if (isTaken) places.add(place);
    const left = new Set<Place>();
    for (const row of partRows) {
      if (isTaken && whole.has(row)) {
        const before = take(row.ahj);
        if (before) left.add(before);
        rows.set(row.ahj, { ...row, place, usedAt: (uses += 1) });
        place.live += row.count;
      } else {
        add(row.ahj, answersIn(part, row));
      }
    }
    // A part with remaining answers is written elsewhere only if room is needed, because they may be the next to be removed.
    for (const each of left) if (each.live === 0) tidy(each);
  }

  return {
    get: (ahj, typeId) => use(ahj, typeId, (part, slot) => part.at(slot)),
    see: (ahj, typeId) => use(ahj, typeId, (part, slot) => part.see(slot)),
    value: (ahj, typeId) => use(ahj, typeId, (part, slot) => part.valueAt(slot)) ?? null,
    copy: (ahj, typeId, into) =>
      use(ahj, typeId, (part, slot) => {
        if (part.see(slot).absence !== null) return false;
        into.pushFrom(part, slot);
        return true;
      }) ?? false,
    of(ahj) {
      const row = rows.get(ahj);
      return row ? [...answersIn(row.place.part, row)] : [];
    },
    add(ahj, answers) {
      add(ahj, answers);
      makeRoom();
    },
    adopt(filled) {
      adopt(filled);
      makeRoom();
    },
    restore({ part, rows: partRows }, isWanted) {
      adopt({ part, rows: partRows.filter(({ ahj }) => !rows.has(ahj)) });
      for (const row of partRows) {
        const known = rows.get(row.ahj);
        if (!known || known.place.part === part || !isWanted(row.ahj)) continue;
        if (supersedes(known.place.part, known, part, row)) continue;
        add(row.ahj, addNewer(new Map(answersIn(part, row)), answersIn(known.place.part, known)));
      }
      makeRoom();
    },
    holds: (ahj, answers) => (rows.get(ahj)?.count ?? 0) >= answers,
    delete: remove,
    clear() {
      rows.clear();
      places.clear();
      open = undefined;
    },
    hold() {
      const kept: Key[] = [];
      return {
        keep(ahjs) {
          for (const ahj of ahjs) {
            kept.push(ahj);
            held.set(ahj, (held.get(ahj) ?? 0) + 1);
          }
        },
        release() {
          for (const ahj of kept.splice(0)) {
            const left = (held.get(ahj) ?? 0) - 1;
            if (left > 0) held.set(ahj, left);
            else held.delete(ahj);
          }
          triedAtBytes = 0;
          makeRoom();
        },
      };
    },
    bytes,
    expectedBytes(answers) {
      const known = [...places].reduce((sum, { live }) => sum + live, 0);
      return answers * (known < fewAnswers ? config.expectedAnswerBytes : bytes() / known);
    },
  };
}
