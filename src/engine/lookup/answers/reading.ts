import { type Arrived, createArrivals } from "../../../async/arrivals";
import { inTurns } from "../../../async/in-turns";
import { absences, undecided } from "../../absence";
import type { AnswerCache } from "../../cache/answer-cache";
import { type AnswerPart, type FilledPart } from "../../cache/answer-part";
import { Failure, isUnavailable } from "../../../errors";
import type { Catalogue } from "../catalogue/catalogue";
import { createCellMap } from "./cell-map";
import type { CellAnswer, KeptAnswers } from "./kept-answers";
import { type CellsOfAhj, createOpenCells, type OpenCells } from "./open-cells";
import type { Query, Source } from "./queries";
import type { AnsweredRectangle } from "./read-matrix";
import type { UnknownAnswers, WantedAnswers } from "./request-plan";

/** The answers that were read, as long as a `Hold` keeps them in memory. */
export interface ReadAnswers {
  of(ahjId: number, typeId: number): CellAnswer;
  /** Like `of`, but quicker, because it leaves out type and texts: when the value was fetched, and if it is older than wanted. */
  see(ahjId: number, typeId: number): Failure | { fetchedAtMs: number; isOld: boolean };
  /** The published value alone, which is quicker than `of`; null if there is none. */
  value(ahjId: number, typeId: number): string | null;
  /** Adds a published value with its citation and dates to a part, without reading its texts. Returns false if there is no value. */
  copy(ahjId: number, typeId: number, into: AnswerPart): boolean;
}

export interface CellIds {
  ahjId: number;
  typeId: number;
}

/** A read that is under way. It knows which cells lack an answer, and who waits for which of them. */
export interface Reading {
  /** The cells that were looked for in memory and on disk in vain. */
  open: OpenCells;
  /** The AHJs of all wanted cells. */
  ahjIds: ReadonlySet<number>;
  /** True if memory has all answers that are wanted of this AHJ. */
  isKnown(ahjId: number): boolean;
  /** Settles the cells of these AHJs that memory answers. The others are open from now on. */
  look(ahjIds: readonly number[]): void;
  /** Settles the open cells that a query answers, and keeps their answers in memory. Pauses for the page. */
  settleAnswered(query: Query, answered: AnsweredRectangle): Promise<void>;
  /** Settles cells that are no longer among the open ones: with an old answer if that is better than the failure. Pauses for the page. */
  settleFailed(cells: readonly CellsOfAhj[], failure: Failure): Promise<void>;
  /** Tells the caller how far the read is. */
  tellProgress(): void;
  /** The answers to each of the calls, in the order of its cells, as soon as all of them are there. */
  arrivals: AsyncIterable<readonly Arrived<CellAnswer[]>[]>;
  /** Answers every call that still waits: the read has ended, or has failed. */
  end(failure?: unknown): void;
  answers: ReadAnswers;
}

export interface ReadingOptions {
  /** Answers fetched before this time are asked for again, however young they are, and are never given as old answers. */
  sinceMs?: number | undefined;
  /** Called now and then with the number of cells that are answered or failed, and the number of AHJs that have no outcome cells. */
  onProgress?: ((cells: number, ahjs: number) => void) | undefined;
}

/** Cells of a source that are wanted together. A Failure among them stands for itself. */
export interface CellCall {
  source: Source;
  cells: readonly (CellIds | Failure)[];
}

/** A call that waits for cells. */
interface Waiter extends CellCall {
  place: number;
  /** The number of cells that are not settled yet. */
  missing: number;
}

export function createReading(
  work: UnknownAnswers,
  calls: readonly CellCall[],
  { kept, cache, catalogue }: { kept: KeptAnswers; cache: AnswerCache; catalogue: Catalogue },
  { sinceMs, onProgress }: ReadingOptions,
): Reading {
  /**
   * The outcomes that the cache does not hold: failures, and old answers that are given in place of a failure. Also answers with a date,
   * because a matrix may bring newer ones without a date before this read ends.
   */
  const outcomes = { matrix: createCellMap<CellAnswer>(), "data-points": createCellMap<CellAnswer>() };
  const open = createOpenCells();
  const wants: readonly (readonly [Source, WantedAnswers])[] = [
    ["matrix", work.values],
    ["data-points", work.dated ?? new Map()],
  ];
  const arrivals = createArrivals<CellAnswer[]>();
  let waiting = 0;
  /** The calls that wait for a cell. Mostly it is one. */
  const waitersOf = {
    matrix: createCellMap<Waiter | Waiter[]>(),
    "data-points": createCellMap<Waiter | Waiter[]>(),
  };
  let settledCells = 0;
  let seenAhjs = 0;

  const outcomeOf = (ahjId: number, typeId: number) =>
    outcomes["data-points"].get(ahjId, typeId) ?? outcomes.matrix.get(ahjId, typeId);
  const inMemory = (ahjId: number, typeId: number) => kept.get(ahjId, typeId, false) ?? undecided;

  function answer({ place, source, cells }: Waiter) {
    const { get } = outcomes[source];
    arrivals.put(
      place,
      cells.map((cell) =>
        cell instanceof Failure ? cell : (get(cell.ahjId, cell.typeId) ?? inMemory(cell.ahjId, cell.typeId)),
      ),
    );
  }

  function settleFor(waiter: Waiter) {
    waiter.missing -= 1;
    if (waiter.missing > 0) return;
    waiting -= 1;
    answer(waiter);
  }

  const waiters = calls.map(({ source, cells }, place) => {
    const waiter: Waiter = { place, missing: 0, source, cells };
    const { get, set } = waitersOf[source];
    for (const cell of cells) {
      if (cell instanceof Failure) continue;
      waiter.missing += 1;
      const others = get(cell.ahjId, cell.typeId);
      if (others instanceof Array) others.push(waiter);
      else set(cell.ahjId, cell.typeId, others ? [others, waiter] : waiter);
    }
    if (waiter.missing > 0) waiting += 1;
    else answer(waiter);
    return waiter;
  });

  function settle(source: Source, ahjId: number, typeIds: Iterable<number>, count: number) {
    settledCells += count;
    if (waiting === 0) return;
    for (const typeId of typeIds) {
      const found = waitersOf[source].get(ahjId, typeId);
      if (found instanceof Array) found.forEach(settleFor);
      else if (found) settleFor(found);
    }
  }

  const tellProgress = () => onProgress?.(settledCells, seenAhjs - open.ahjs());

  const keepDated = (filled: readonly FilledPart[], wantedOf: (ahjId: number) => ReadonlySet<number>) =>
    inTurns(filled, ({ part, rows }) => {
      for (const row of rows) {
        const wanted = wantedOf(row.ahj);
        for (let slot = row.start; slot < row.start + row.count; slot += 1) {
          const typeId = part.typeAt(slot);
          if (!wanted.has(typeId)) continue;
          const answer = part.at(slot);
          const dated = kept.withType(answer, typeId, false);
          if (dated) outcomes["data-points"].set(row.ahj, typeId, dated);
        }
      }
    });

  return {
    open,
    ahjIds: new Set(wants.flatMap(([, wanted]) => [...wanted.keys()])),
    isKnown: (ahjId) =>
      wants.every(([source, wanted]) =>
        [...(wanted.get(ahjId) ?? [])].every((typeId) => kept.isFresh(source, ahjId, typeId, sinceMs)),
      ),
    look(ahjIds) {
      for (const [source, wanted] of wants) {
        for (const ahjId of ahjIds) {
          const typeIds = wanted.get(ahjId);
          if (!typeIds) continue;
          const known: number[] = [];
          const missing: number[] = [];
          for (const typeId of typeIds)
            (kept.isFresh(source, ahjId, typeId, sinceMs) ? known : missing).push(typeId);
          if (source === "data-points")
            for (const typeId of known) outcomes[source].set(ahjId, typeId, inMemory(ahjId, typeId));
          settle(source, ahjId, known, known.length);
          // Planning is quicker with sets that AHJs share.
          if (missing.length > 0) open.add(source, ahjId, known.length === 0 ? typeIds : new Set(missing));
        }
      }
      seenAhjs += ahjIds.length;
    },
    async settleAnswered(query, { filled, undecided: leftOut }) {
      const { ahjIds } = query.rectangle;
      const taken = new Map(ahjIds.map((ahjId) => [ahjId, open.take(query, ahjId)]));
      for (const ahjId of leftOut)
        for (const { source, typeIds } of taken.get(ahjId) ?? [])
          for (const typeId of typeIds) outcomes[source].set(ahjId, typeId, undecided);
      const wantedOf = (ahjId: number) => typesOf(taken.get(ahjId));
      await kept.keep(filled, wantedOf);
      if (query.source === "data-points") await keepDated(filled, wantedOf);
      await inTurns(ahjIds, (ahjId) => {
        for (const { source, typeIds } of taken.get(ahjId) ?? [])
          settle(source, ahjId, typeIds, typeIds.size);
      });
      tellProgress();
    },
    async settleFailed(cells, failure) {
      const mayBeOld = sinceMs === undefined && isUnavailable(failure);
      await inTurns(cells, ({ ahjId, typeIds, source }) => {
        for (const typeId of typeIds) {
          // An old answer is given even if it lacks the wanted date, because it is better than none.
          outcomes[source].set(ahjId, typeId, (mayBeOld && kept.get(ahjId, typeId)) || failure);
        }
        settle(source, ahjId, typeIds, typeIds.size);
      });
    },
    tellProgress,
    arrivals,
    end(failure) {
      // A call may still wait for cells that the read has lost sight of.
      if (failure === undefined) for (const waiter of waiters) if (waiter.missing > 0) answer(waiter);
      arrivals.end(failure);
    },
    answers: {
      of: (ahjId, typeId) => outcomeOf(ahjId, typeId) ?? inMemory(ahjId, typeId),
      see(ahjId, typeId) {
        const outcome = outcomeOf(ahjId, typeId);
        if (outcome instanceof Failure) return outcome;
        if (outcome) return { fetchedAtMs: outcome.cell.fetchedAtMs, isOld: outcome.isOld };
        const seen = cache.see(ahjId, typeId);
        if (seen && seen.absence !== null) return absences[seen.absence].failure;
        return seen && catalogue.knownType(typeId)
          ? { fetchedAtMs: seen.fetchedAtMs, isOld: false }
          : undecided;
      },
      value(ahjId, typeId) {
        const outcome = outcomeOf(ahjId, typeId);
        if (outcome) return outcome instanceof Failure ? null : outcome.cell.value;
        return catalogue.knownType(typeId) ? cache.value(ahjId, typeId) : null;
      },
      copy(ahjId, typeId, into) {
        const outcome = outcomeOf(ahjId, typeId);
        if (outcome instanceof Failure || !catalogue.knownType(typeId)) return false;
        if (!outcome) return cache.copy(ahjId, typeId, into);
        into.push(typeId, outcome.cell);
        return true;
      },
    },
  };
}

/** The types of an AHJ's cells. Several sources may want the same type. */
function typesOf(cells: readonly CellsOfAhj[] = []): ReadonlySet<number> {
  const [first, second] = cells;
  return first && !second ? first.typeIds : new Set(cells.flatMap(({ typeIds }) => [...typeIds]));
}
