import type { Client } from "../../api/client";
import { inTurns } from "../../../async/in-turns";
import type { Ahj, DataPointValue } from "../../api/schemas";
import type { AnswerCache, DocumentCache, Hold } from "../../cache/answer-cache";
import type { Catalogue } from "../catalogue/catalogue";
import type { OldAnswerNotes } from "../old-answers";
import { askService, type ServiceOptions } from "./ask-service";
import { type CellAnswer, createKeptAnswers } from "./kept-answers";
import type { MatrixReader } from "./matrix-reader";
import { createMatrixSize } from "./matrix-size";
import { createQueries, type Source } from "./queries";
import { type CellCall, createReading, type ReadAnswers, type Reading, type ReadingOptions } from "./reading";
import { planRequests, requestsOf, type WantedAnswers, type UnknownAnswers } from "./request-plan";

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
  /** Begins to read, as `read` does, for calls that want their answers before all are there. */
  begin(work: UnknownAnswers, calls: readonly CellCall[], options?: ReadOptions): BegunRead;
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

export interface ReadOptions extends ServiceOptions, ReadingOptions {
  /** Keeps the answers in memory, so that the `ReadAnswers` can give them. Default: the answers are only kept until `read` ends. */
  hold?: Hold | undefined;
}

export interface BegunRead extends Pick<Reading, "arrivals"> {
  /** All answers, once they are there. */
  whole: Promise<ReadAnswers>;
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
  /** Learns which answers the service has given anew. */
  old: Pick<OldAnswerNotes, "confirmed" | "tell">;
}

export function createAnswers(
  client: Client,
  catalogue: Catalogue,
  { cache, serviceFacts, readBody, maxAgeMs, learnAhjs, old }: AnswerDependencies,
): Answers {
  const size = createMatrixSize(serviceFacts);
  const queries = createQueries(client, { catalogue, size, readBody, learnAhjs });
  const kept = createKeptAnswers({ cache, catalogue, maxAgeMs, onKept: old.confirmed });

  /** The part of the work for which the service must be asked. */
  async function unknownOf({ values, dated = new Map(), details }: UnknownAnswers): Promise<UnknownAnswers> {
    async function unknown(source: Source, wanted: WantedAnswers): Promise<WantedAnswers> {
      const rest = new Map<number, ReadonlySet<number>>();
      const look = ([ahjId, typeIds]: readonly [number, ReadonlySet<number>]) => {
        const missing = [...typeIds].filter((typeId) => !kept.isFresh(source, ahjId, typeId));
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
   * Looks at every wanted AHJ: at once if memory has all its answers, otherwise after its answers were read from disk, in batches that
   * start small and grow.
   */
  async function recallFor({ ahjIds, isKnown, look }: Reading) {
    const rest: number[] = [];
    await inTurns(ahjIds, (ahjId) => void (isKnown(ahjId) ? look([ahjId]) : rest.push(ahjId)));
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

  async function finish(reading: Reading, options: ServiceOptions): Promise<ReadAnswers> {
    try {
      await recallFor(reading);
      reading.tellProgress();
      await askService(reading, { queries, size }, options);
      reading.end();
      return reading.answers;
    } catch (thrown) {
      reading.end(thrown);
      throw thrown;
    }
  }

  function begin(
    work: UnknownAnswers,
    calls: readonly CellCall[],
    { hold, sinceMs, onProgress, ...options }: ReadOptions = {},
  ): BegunRead {
    const reading = createReading(work, calls, { kept, cache, catalogue }, { sinceMs, onProgress });
    const own = hold ?? cache.hold();
    own.keep(reading.ahjIds);
    const whole = finish(reading, options).finally(() => !hold && own.release());
    // A caller that takes the arrivals alone learns of the failure there.
    whole.catch(() => undefined);
    return { whole, arrivals: reading.arrivals };
  }

  return {
    known: (ahjId, typeId, isDated) =>
      kept.isFresh(isDated ? "data-points" : "matrix", ahjId, typeId) ? kept.get(ahjId, typeId) : undefined,
    recall,
    requestsFor: async (work) => requestsOf(planRequests(await unknownOf(work), size.limit())),
    learn(values, fetchedAtMs) {
      catalogue.learn(values.map((value) => value.data_point_type));
      for (const { ahj, data_point_type, value, reference, section, updated_at: updatedAt } of values) {
        if (!value) continue;
        cache.put(ahj.id, [[data_point_type.id, { fetchedAtMs, value, reference, section, updatedAt }]]);
        old.confirmed(ahj.id, [data_point_type.id]);
      }
      old.tell();
    },
    hold: cache.hold,
    batchesFor: (answers) => Math.max(1, Math.ceil(cache.shareOfMemory(answers))),
    isFull: cache.isFull,
    begin,
    read: (work, options) => begin(work, [], options).whole.finally(old.tell),
  };
}
