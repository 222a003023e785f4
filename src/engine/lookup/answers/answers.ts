import type { Client } from "../../api/client";
import { inTurns } from "../../../async/in-turns";
import type { Ahj, DataPointType, DataPointValue } from "../../api/schemas";
import { isWithinAge } from "../../cache/age";
import { absenceFailures, undecided } from "../../absence";
import type { AnswerCache, DocumentCache, Hold } from "../../cache/answer-cache";
import type { CachedAnswer, CachedValue } from "../../cache/cached-answer";
import { type AnswerPart, answersIn, type FilledPart, type PartRow } from "../../cache/answer-part";
import { Failure, isUnavailable } from "../../../errors";
import type { Catalogue } from "../catalogue/catalogue";
import { createCellMap } from "./cell-map";
import type { MatrixReader } from "./matrix-reader";
import { createMatrixSize } from "./matrix-size";
import { type CellsOfAhj, createOpenCells } from "./open-cells";
import { createPieces, type Source } from "./pieces";
import { planRequests, requestsOf, type WantedAnswers, type UnknownAnswers } from "./request-plan";
import { readInRounds, type RoundOptions } from "./rounds";

/** The service's answer for one AHJ and type, or the reason why there is none. */
export type CellAnswer = FoundAnswer | Failure;

export interface FoundAnswer {
  type: DataPointType;
  /** The answer as the cache keeps it. It has an `updatedAt` if the date was asked for. */
  cell: CachedValue;
  /** True if the answer is older than the user wants, and is given because the service could not be asked. */
  isOld: boolean;
}

/** The effective answers of AHJs to questions: from memory, from disk, from the service. */
export interface Answers {
  /** The answer, if memory has one that is not too old and has a date if `isDated`. */
  known(ahjId: number, typeId: number, isDated?: boolean): CellAnswer | undefined;
  /** Reads the answers of these AHJs from disk into memory. */
  recall(ahjIds: Iterable<number>): Promise<void>;
  /**
   * Asks the service for the wanted answers that are not known. Afterwards every wanted cell has an answer or a failure. Only `cancelled`
   * is thrown.
   */
  read(work: UnknownAnswers, options?: ReadOptions): Promise<ReadAnswers>;
  /** Keeps all answers of some AHJs in memory until the hold is released, for a caller that needs them after `read` has ended or failed. */
  hold(): Hold;
  /** The number of batches in which this many answers must be read, each with a hold of its own, so that memory does not hold too much. */
  batchesFor(answers: number): number;
  /** True if the answers in memory take more than they may. */
  isFull(): boolean;
  /** Keeps data points that another request has brought, so that they are not asked for again. */
  learn(values: readonly DataPointValue[], fetchedAtMs: number): void;
  /** The number of requests that `read` would send, given the answers in memory (see `recall`). Counts with pauses for the page. */
  requestsFor(work: UnknownAnswers): Promise<number>;
}

export interface ReadOptions extends RoundOptions {
  /** Answers fetched before this time are asked for again, however young they are, and are never given as old answers. */
  sinceMs?: number | undefined;
  /**
   * Keeps the answers in memory, so that the `ReadAnswers` can give them. Default: the answers are only kept until `read` ends, for callers
   * that take them by `onCell`.
   */
  hold?: Hold | undefined;
  /** Called with each answer as soon as it is there. */
  onCell?: ((source: Source, ahjId: number, typeId: number, answer: CellAnswer) => void) | undefined;
  /** Called now and then with the number of cells that are answered or failed, and the number of AHJs that have no other cells. */
  onProgress?: ((cells: number, ahjs: number) => void) | undefined;
}

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

/** The number of AHJs whose answers are read from disk first, so that the first cells need not wait for the last. */
const firstRecalled = 25;
/** The most AHJs whose answers are read from disk at once, because the page must respond to its user meanwhile. */
const mostRecalled = 800;

export interface AnswerDependencies {
  cache: AnswerCache;
  serviceFacts: DocumentCache;
  readBody: MatrixReader;
  maxAgeMs: () => number;
  /** Called with the AHJs that came with an answer. */
  learnAhjs(ahjs: readonly Ahj[]): void;
  /** Called with the cells that the service has answered anew. */
  onKept?(ahjId: number, typeIds: Iterable<number>): void;
}

export function createAnswers(
  client: Client,
  catalogue: Catalogue,
  { cache, serviceFacts, readBody, maxAgeMs, learnAhjs, onKept }: AnswerDependencies,
): Answers {
  const size = createMatrixSize(serviceFacts);
  const pieces = createPieces(client, { catalogue, size, readBody, learnAhjs });

  function cellAnswer(answer: CachedAnswer, typeId: number, isOld: boolean): CellAnswer | undefined {
    if ("absence" in answer) return isOld ? undefined : absenceFailures[answer.absence];
    const type = catalogue.knownType(typeId);
    if (!type) return undefined;
    return { type, cell: answer, isOld };
  }

  /** True if this source need not be asked: memory has an answer that tells all that the source would, and is not too old. */
  function isFresh(source: Source, ahjId: number, typeId: number, sinceMs = 0): boolean {
    const seen = cache.see(ahjId, typeId);
    if (!seen || seen.fetchedAtMs < sinceMs || !isWithinAge(seen.fetchedAtMs, maxAgeMs())) return false;
    return (
      seen.absence !== null ||
      (catalogue.knownType(typeId) !== undefined && (source === "matrix" || seen.isDated))
    );
  }

  /** The answer that memory holds for a cell, of any age. */
  function keptAnswer(ahjId: number, typeId: number): CellAnswer | undefined {
    const answer = cache.get(ahjId, typeId);
    return answer && cellAnswer(answer, typeId, !isWithinAge(answer.fetchedAtMs, maxAgeMs()));
  }

  /** The part of the work for which the service must be asked. */
  async function unknownOf({ values, dated = new Map(), details }: UnknownAnswers): Promise<UnknownAnswers> {
    async function unknown(source: Source, wanted: WantedAnswers): Promise<WantedAnswers> {
      const rest = new Map<number, ReadonlySet<number>>();
      const look = ([ahjId, typeIds]: readonly [number, ReadonlySet<number>]) => {
        const missing = [...typeIds].filter((typeId) => !isFresh(source, ahjId, typeId));
        if (missing.length === 0) return;
        // If no type is known, the set stays the same object, because planning is quicker with sets that AHJs share.
        rest.set(ahjId, missing.length === typeIds.size ? typeIds : new Set(missing));
      };
      await inTurns(wanted, look);
      return rest;
    }
    return {
      values: await unknown("matrix", values),
      dated: await unknown("data-points", dated),
      details,
    };
  }

  async function recall(ahjIds: Iterable<number>) {
    await Promise.all([cache.load(ahjIds), catalogue.recall(), size.recall()]);
  }

  /**
   * Calls `look` with every wanted AHJ: at once if memory has all its answers, otherwise after its answers were read from disk, in batches
   * that start small and grow.
   */
  async function lookAndRecall(
    wants: readonly [Source, WantedAnswers][],
    sinceMs: number | undefined,
    look: (ahjIds: readonly number[]) => void,
  ) {
    const isKnown = (ahjId: number) =>
      wants.every(([source, wanted]) =>
        [...(wanted.get(ahjId) ?? [])].every((typeId) => isFresh(source, ahjId, typeId, sinceMs)),
      );
    const rest: number[] = [];
    const all = new Set(wants.flatMap(([, wanted]) => [...wanted.keys()]));
    await inTurns(all, (ahjId) => void (isKnown(ahjId) ? look([ahjId]) : rest.push(ahjId)));
    for (
      let at = 0, count = firstRecalled;
      at < rest.length;
      at += count, count = Math.min(count * 2, mostRecalled)
    ) {
      const batch = rest.slice(at, at + count);
      // An earlier batch may have brought answers of these AHJs too, because several AHJs are stored together.
      await recall(batch.filter((ahjId) => !isKnown(ahjId)));
      look(batch);
    }
  }

  return {
    known: (ahjId, typeId, isDated) =>
      isFresh(isDated ? "data-points" : "matrix", ahjId, typeId) ? keptAnswer(ahjId, typeId) : undefined,
    recall,
    requestsFor: async (work) => requestsOf(planRequests(await unknownOf(work), size.limit())),
    learn(values, fetchedAtMs) {
      catalogue.learn(values.map((value) => value.data_point_type));
      for (const { ahj, data_point_type, value, reference, section, updated_at: updatedAt } of values) {
        if (!value) continue;
        cache.put(ahj.id, [[data_point_type.id, { fetchedAtMs, value, reference, section, updatedAt }]]);
        onKept?.(ahj.id, [data_point_type.id]);
      }
    },
    hold: cache.hold,
    batchesFor: (answers) => Math.max(1, Math.ceil(cache.shareOfMemory(answers))),
    isFull: cache.isFull,
    async read(work, { hold, ...options } = {}) {
      const own = hold ?? cache.hold();
      try {
        return await readHeld(work, options, own);
      } finally {
        if (!hold) own.release();
      }
    },
  };

  async function readHeld(
    work: UnknownAnswers,
    { onCell, onProgress, sinceMs, ...options }: Omit<ReadOptions, "hold">,
    hold: Hold,
  ): Promise<ReadAnswers> {
    /**
     * The outcomes that the cache does not hold: failures, and old answers that are given in place of a failure. Also answers with a date,
     * because a matrix may bring newer ones without a date before this read ends.
     */
    const others = createCellMap<CellAnswer>();
    const open = createOpenCells();
    let settled = 0;
    const settle = (source: Source, ahjId: number, typeId: number, answer: CellAnswer) => {
      settled += 1;
      onCell?.(source, ahjId, typeId, answer);
    };
    const of = (ahjId: number, typeId: number): CellAnswer => {
      const other = others.get(ahjId, typeId);
      if (other) return other;
      const answer = cache.get(ahjId, typeId);
      return (answer && cellAnswer(answer, typeId, false)) ?? undecided;
    };

    const keepDated = (filled: readonly FilledPart[]) =>
      inTurns(filled, ({ part, rows }) => {
        for (const row of rows) {
          for (const [typeId, answer] of answersIn(part, row)) {
            const dated = cellAnswer(answer, typeId, false);
            if (dated) others.set(row.ahj, typeId, dated);
          }
        }
      });

    const wants: [Source, WantedAnswers][] = [
      ["matrix", work.values],
      ["data-points", work.dated ?? new Map()],
    ];
    for (const [, wanted] of wants) hold.keep(wanted.keys());
    let seen = 0;
    const progress = () => onProgress?.(settled, seen - open.ahjs());
    const look = (ahjIds: readonly number[]) => {
      for (const [source, wanted] of wants) {
        for (const ahjId of ahjIds) {
          const typeIds = wanted.get(ahjId);
          if (!typeIds) continue;
          const missing = [...typeIds].filter((typeId) => {
            if (!isFresh(source, ahjId, typeId, sinceMs)) return true;
            if (source === "data-points") others.set(ahjId, typeId, of(ahjId, typeId));
            if (onCell) settle(source, ahjId, typeId, of(ahjId, typeId));
            else settled += 1;
            return false;
          });
          if (missing.length > 0)
            open.add(source, ahjId, missing.length === typeIds.size ? typeIds : new Set(missing));
        }
      }
      seen += ahjIds.length;
    };
    await lookAndRecall(wants, sinceMs, look);
    progress();

    await readInRounds(open, { pieces, size }, options, {
      async answered(piece, { filled, undecided: leftOut }) {
        const { ahjIds } = piece.rectangle;
        const taken = new Map(ahjIds.map((ahjId) => [ahjId, open.take(piece, ahjId)]));
        for (const ahjId of leftOut)
          for (const typeId of typesOf(taken.get(ahjId))) others.set(ahjId, typeId, undecided);
        await keep(filled, (ahjId) => typesOf(taken.get(ahjId)));
        if (piece.source === "data-points") await keepDated(filled);
        const settleAhj = (ahjId: number) => {
          for (const cells of taken.get(ahjId) ?? []) {
            if (!onCell) settled += cells.typeIds.size;
            else for (const typeId of cells.typeIds) settle(cells.source, ahjId, typeId, of(ahjId, typeId));
          }
        };
        await inTurns(ahjIds, settleAhj);
        progress();
      },
      async failed(cells, failure) {
        const mayBeOld = sinceMs === undefined && isUnavailable(failure);
        await inTurns(cells, ({ ahjId, typeIds, source }) => {
          for (const typeId of typeIds) {
            // An old answer is given even if it lacks the wanted date, because it is better than none.
            const outcome = (mayBeOld && keptAnswer(ahjId, typeId)) || failure;
            others.set(ahjId, typeId, outcome);
            settle(source, ahjId, typeId, outcome);
          }
        });
      },
    });
    return {
      of,
      see(ahjId, typeId) {
        const other = others.get(ahjId, typeId);
        if (other instanceof Failure) return other;
        if (other) return { fetchedAtMs: other.cell.fetchedAtMs, isOld: other.isOld };
        const seen = cache.see(ahjId, typeId);
        if (seen && seen.absence !== null) return absenceFailures[seen.absence];
        return seen && catalogue.knownType(typeId)
          ? { fetchedAtMs: seen.fetchedAtMs, isOld: false }
          : undecided;
      },
      value(ahjId, typeId) {
        const other = others.get(ahjId, typeId);
        if (other) return other instanceof Failure ? null : other.cell.value;
        return catalogue.knownType(typeId) ? cache.value(ahjId, typeId) : null;
      },
      copy(ahjId, typeId, into) {
        const other = others.get(ahjId, typeId);
        if (other instanceof Failure || !catalogue.knownType(typeId)) return false;
        if (!other) return cache.copy(ahjId, typeId, into);
        into.push(typeId, other.cell);
        return true;
      },
    };
  }

  /** Puts the wanted answers into the cache. */
  async function keep(
    filled: readonly FilledPart[],
    wantedOf: (ahjId: number) => ReadonlySet<number>,
  ): Promise<void> {
    // Earlier answers of an AHJ that the subscription no longer includes must not be shown any more.
    const denied = filled.flatMap(({ part, rows }) =>
      rows.filter((row) => isDenied(part.at(row.start)) && wantedOf(row.ahj).size > 0).map(({ ahj }) => ahj),
    );
    if (denied.length > 0) cache.drop(denied);
    await inTurns(filled, ({ part, rows }) => {
      const whole: PartRow[] = [];
      for (const row of rows) {
        const wanted = wantedOf(row.ahj);
        if (wanted.size === 0) continue;
        if (wanted.size === row.count) whole.push(row);
        else
          cache.put(
            row.ahj,
            [...answersIn(part, row)].filter(([typeId]) => wanted.has(typeId)),
          );
        onKept?.(row.ahj, wanted);
      }
      cache.putPart({ part, rows: whole });
    });
  }
}

/** True if the answer says that the AHJ is outside the subscription. All its answers then say so. */
function isDenied(answer: CachedAnswer): boolean {
  return "absence" in answer && answer.absence === "outside-subscription";
}

/** The types of an AHJ's cells. Several sources may want the same type. */
function typesOf(cells: readonly CellsOfAhj[] = []): ReadonlySet<number> {
  const [first, second] = cells;
  return first && !second ? first.typeIds : new Set(cells.flatMap(({ typeIds }) => [...typeIds]));
}
