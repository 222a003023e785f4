import { groupBy } from "../../../lists";
import type { Client } from "../../api/client";
import type { Collection, DataPointValue } from "../../api/schemas";
import { isWithinAge } from "../../cache/age";
import { asFailure, Failure, isUnavailable } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import { createCollector } from "../collector";
import { readCollection } from "./read-collection";

/** What a collection gave of one AHJ, by type id; a Failure where it denied the AHJ. */
export type CollectionAnswer = ReadonlyMap<number, DataPointValue> | Failure;

/** Saved collections, executed for formulas: what several want together is read once, and kept in memory. */
export interface CollectionRuns {
  /**
   * What a collection gives of each of these AHJs. Answers that are not too old, and of the collection's present
   * definition, are not asked for again; older ones are better than none where the service can't be asked.
   */
  read(
    collection: Collection,
    ahjIds: readonly number[],
    options: ExchangeOptions,
  ): Promise<Map<number, CollectionAnswer>>;
}

interface Ask {
  collection: Collection;
  ahjIds: readonly number[];
  giveUpAtMs: number | undefined;
}

interface Kept {
  fetchedAtMs: number;
  answer: CollectionAnswer;
}

export interface CollectionRunDoors {
  client: Client;
  /** Keeps the values for whoever asks for them singly. */
  learn(values: readonly DataPointValue[], fetchedAtMs: number): void;
  maxAgeMs(): number;
  moment(ms: number): Promise<void>;
}

export function createCollectionRuns({
  client,
  learn,
  maxAgeMs,
  moment,
}: CollectionRunDoors): CollectionRuns {
  const runs = new Map<string, Map<number, Kept>>();

  function keptOf(collection: Collection): Map<number, Kept> {
    const key = keyOf(collection);
    const kept = runs.get(key) ?? new Map<number, Kept>();
    runs.set(key, kept);
    return kept;
  }

  function lacking(collection: Collection, ahjIds: readonly number[], ageMs = maxAgeMs()): number[] {
    const kept = keptOf(collection);
    return ahjIds.filter((ahjId) => {
      const run = kept.get(ahjId);
      return !run || !isWithinAge(run.fetchedAtMs, ageMs);
    });
  }

  function answersOf(collection: Collection, ahjIds: readonly number[]): Map<number, CollectionAnswer> {
    const kept = keptOf(collection);
    return new Map(ahjIds.flatMap((ahjId) => [[ahjId, kept.get(ahjId)?.answer ?? new Failure("not-asked")]]));
  }

  /** What is there of any age; the failure for the rest, and alone where nothing is. */
  function oldAnswersOf({ collection, ahjIds }: Pick<Ask, "collection" | "ahjIds">, failure: Failure) {
    const without = new Set(lacking(collection, ahjIds, Infinity));
    if (without.size === ahjIds.length) return failure;
    const answers = answersOf(collection, ahjIds);
    for (const ahjId of without) answers.set(ahjId, failure);
    return answers;
  }

  async function readAndKeep(collection: Collection, ahjIds: readonly number[], options: ExchangeOptions) {
    const { values, denialOf, missing, atMs } = await readCollection(collection.id, ahjIds, client, options);
    if (missing > 0) {
      throw new Failure("unexpected-answer", { detail: "A list changed while it was read." });
    }
    const kept = keptOf(collection);
    for (const ahjId of ahjIds) {
      const denial = denialOf(ahjId);
      const answer = denial ? new Failure(denial) : (values.get(ahjId) ?? new Map<number, DataPointValue>());
      kept.set(ahjId, { fetchedAtMs: atMs, answer });
    }
    learn(
      [...values.values()].flatMap((ofAhj) => [...ofAhj.values()]),
      atMs,
    );
  }

  /** Reads what these asks of one collection lack; what fails, fails those who lack something. */
  async function runTogether(asks: readonly Ask[], signal: AbortSignal): Promise<Failure | undefined> {
    const [first] = asks;
    if (!first) return undefined;
    const wanted = lacking(first.collection, [...new Set(asks.flatMap(({ ahjIds }) => ahjIds))]);
    if (wanted.length === 0) return undefined;
    const giveUpAtMs = Math.min(...asks.map((ask) => ask.giveUpAtMs ?? Infinity));
    try {
      await readAndKeep(first.collection, wanted, { signal, urgent: true, giveUpAtMs });
      return undefined;
    } catch (thrown) {
      return asFailure(thrown);
    }
  }

  const collector = createCollector<Ask, Map<number, CollectionAnswer>>({
    moment,
    async run(asks, settle, signal) {
      const placed = asks.map((ask, place) => ({ ask, place }));
      const groups = groupBy(placed, ({ ask }) => keyOf(ask.collection));
      const runGroup = async (group: { ask: Ask; place: number }[]) => {
        const failure = await runTogether(
          group.map(({ ask }) => ask),
          signal,
        );
        for (const { ask, place } of group) {
          const isThere = !failure || lacking(ask.collection, ask.ahjIds).length === 0;
          if (isThere) settle(place, answersOf(ask.collection, ask.ahjIds));
          else settle(place, isUnavailable(failure) ? oldAnswersOf(ask, failure) : failure);
        }
      };
      await Promise.all([...groups.values()].map(runGroup));
    },
  });

  return {
    async read(collection, ahjIds, { signal, keptOnly, giveUpAtMs }) {
      if (lacking(collection, ahjIds).length === 0) return answersOf(collection, ahjIds);
      if (keptOnly) {
        const old = oldAnswersOf({ collection, ahjIds }, new Failure("not-asked"));
        if (old instanceof Failure) throw old;
        return old;
      }
      return collector.ask({ collection, ahjIds, giveUpAtMs }, signal);
    },
  };
}

/** A changed definition gives something else. */
function keyOf({ id, updated_at }: Collection): string {
  return `${id} ${updated_at}`;
}
