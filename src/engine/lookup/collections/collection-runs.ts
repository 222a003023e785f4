import type { Client } from "../../api/client";
import type { Collection, DataPointType, DataPointValue } from "../../api/schemas";
import { isWithinAge } from "../../cache/age";
import type { CachedAnswer, CachedValue } from "../../cache/cached-answer";
import { createAnswerMemory } from "../../cache/answer-memory";
import { asFailure, Failure, isUnavailable } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import { createArrivals } from "../../../async/arrivals";
import { createCollector } from "../collector";
import type { OldAnswerNotes } from "../old-answers";
import { createSharedWorks } from "../shared-work";
import { readCollection } from "./read-collection";

/** A collection's values for one AHJ, by type id; a Failure if the service denied the AHJ. */
export type CollectionAnswer = ReadonlyMap<number, CollectedValue> | Failure;

/** A collection's value for one AHJ and type. The cell is null if there was no value. */
export interface CollectedValue {
  type: DataPointType;
  cell: CachedValue | null;
}

/**
 * Runs saved collections for formulas. Results that several formulas want together are read once. They are kept in memory, at most
 * config.cachedBytes; the results of a collection that has changed are dropped.
 */
export interface CollectionRuns {
  /**
   * A collection's results for each of these AHJs. Results that are not too old, and belong to the collection's present definition, are not
   * asked for again. Older results are given if the service can't be asked.
   */
  read(
    collection: Collection,
    ahjIds: readonly number[],
    options: ExchangeOptions,
  ): Promise<Map<number, CollectionAnswer>>;
}

interface Ask extends Pick<ExchangeOptions, "signal" | "giveUpAtMs"> {
  collection: Collection;
  ahjIds: readonly number[];
}

/** A collection's present definition, and the AHJs that it was run for. */
interface Definition {
  key: string;
  /** A number that no other definition has. Values are kept in memory under it, so that a changed collection does not get the old one's values. */
  number: number;
  runs: Map<number, Run>;
}

/** Results that are read together. Asks that want some of them join, instead of asking again. */
interface Reading {
  collection: Collection;
  ahjIds: ReadonlySet<number>;
}

interface Run {
  fetchedAtMs: number;
  denial: Failure | undefined;
  /** The number of values that came. */
  values: number;
}

export interface CollectionRunDependencies {
  client: Client;
  old: Pick<OldAnswerNotes, "shown" | "note" | "tell">;
  /** Keeps the values for formulas that ask for them singly. */
  learn(values: readonly DataPointValue[], fetchedAtMs: number): void;
  maxAgeMs(): number;
  delay(ms: number): Promise<void>;
}

export function createCollectionRuns({
  client,
  old,
  learn,
  maxAgeMs,
  delay,
}: CollectionRunDependencies): CollectionRuns {
  const definitions = new Map<string, Definition>();
  const memory = createAnswerMemory<string>();
  const types = new Map<number, DataPointType>();
  let numbers = 0;

  function definitionOf({ id, updated_at }: Collection): Definition {
    const key = keyOf({ id, updated_at });
    const known = definitions.get(id);
    if (known?.key === key) return known;
    if (known) for (const ahjId of known.runs.keys()) memory.delete(placeOf(known, ahjId));
    const definition: Definition = { key, number: (numbers += 1), runs: new Map() };
    definitions.set(id, definition);
    return definition;
  }

  function answerOf(definition: Definition, ahjId: number): CollectionAnswer | undefined {
    const run = definition.runs.get(ahjId);
    if (!run || run.denial) return run?.denial;
    const values = memory.of(placeOf(definition, ahjId));
    // Other answers may have needed the room.
    if (values.length < run.values) return undefined;
    const collected = values.flatMap(([typeId, answer]): [number, CollectedValue][] => {
      const type = types.get(typeId);
      return type ? [[typeId, { type, cell: "absence" in answer ? null : answer }]] : [];
    });
    return new Map(collected);
  }

  function lacking(collection: Collection, ahjIds: readonly number[], ageMs = maxAgeMs()): number[] {
    const definition = definitionOf(collection);
    return ahjIds.filter((ahjId) => {
      const run = definition.runs.get(ahjId);
      return (
        !run || !isWithinAge(run.fetchedAtMs, ageMs) || !memory.holds(placeOf(definition, ahjId), run.values)
      );
    });
  }

  function answersOf(collection: Collection, ahjIds: readonly number[]): Map<number, CollectionAnswer> {
    const definition = definitionOf(collection);
    return new Map(ahjIds.map((ahjId) => [ahjId, answerOf(definition, ahjId) ?? new Failure("not-asked")]));
  }

  /** The results in memory, of any age, and the failure for the rest. If there are no results, the failure alone. */
  function oldAnswersOf({ collection, ahjIds }: Pick<Ask, "collection" | "ahjIds">, failure: Failure) {
    const without = new Set(lacking(collection, ahjIds, Infinity));
    if (without.size === ahjIds.length) return failure;
    const answers = answersOf(collection, ahjIds);
    for (const ahjId of without) answers.set(ahjId, failure);
    if (failure.kind !== "not-asked") noteOld(collection, lacking(collection, ahjIds), answers);
    return answers;
  }

  /** Notes old values that are shown, or the run itself if it has none. */
  function noteOld(
    collection: Collection,
    ahjIds: readonly number[],
    answers: ReadonlyMap<number, CollectionAnswer>,
  ) {
    const definition = definitionOf(collection);
    for (const ahjId of ahjIds) {
      const run = definition.runs.get(ahjId);
      const answer = answers.get(ahjId);
      const values = answer instanceof Failure || !answer ? [] : [...answer.values()];
      for (const { type, cell } of values) if (cell) old.shown(ahjId, type.id, { cell, isOld: true });
      if (run && !values.some(({ cell }) => cell)) old.note(placeOf(definition, ahjId), run.fetchedAtMs);
    }
    old.tell();
  }

  async function readAndKeep(collection: Collection, ahjIds: readonly number[], options: ExchangeOptions) {
    const { values, denialOf, missing, atMs } = await readCollection(collection.id, ahjIds, client, options);
    if (missing > 0) {
      throw new Failure("unexpected-answer", { detail: "A list changed while it was read." });
    }
    const definition = definitionOf(collection);
    for (const ahjId of ahjIds) {
      const denial = denialOf(ahjId);
      const came = denial ? [] : [...(values.get(ahjId)?.values() ?? [])];
      for (const { data_point_type: type } of came) types.set(type.id, type);
      const place = placeOf(definition, ahjId);
      old.note(place, undefined);
      memory.delete(place);
      memory.add(
        place,
        came.map((value) => [value.data_point_type.id, answerIn(value, atMs)]),
      );
      definition.runs.set(ahjId, {
        fetchedAtMs: atMs,
        denial: denial && new Failure(denial),
        values: came.length,
      });
    }
    learn(
      [...values.values()].flatMap((ofAhj) => [...ofAhj.values()]),
      atMs,
    );
  }

  const readings = createSharedWorks(({ collection, ahjIds }: Reading, options) =>
    readAndKeep(collection, [...ahjIds], options),
  );

  /** The readings that bring what these asks of one collection lack: those under way, and one for the rest. */
  function readingsFor(asks: readonly Ask[]): Reading[] {
    const [first] = asks;
    if (!first) return [];
    const { collection } = first;
    const underWay = [...readings.keys()].filter(
      (reading) => keyOf(reading.collection) === keyOf(collection),
    );
    const wanted = lacking(collection, [...new Set(asks.flatMap(({ ahjIds }) => ahjIds))]);
    const rest = wanted.filter((ahjId) => underWay.every(({ ahjIds }) => !ahjIds.has(ahjId)));
    return rest.length === 0 ? underWay : [...underWay, { collection, ahjIds: new Set(rest) }];
  }

  /** The results of an ask, once the readings have brought them or have failed. An ask gives up alone. */
  async function answer(
    ask: Ask,
    open: readonly Reading[],
  ): Promise<Map<number, CollectionAnswer> | Failure> {
    const { collection, ahjIds, signal, giveUpAtMs } = ask;
    const wanted = lacking(collection, ahjIds);
    const own = open.filter((reading) => wanted.some((ahjId) => reading.ahjIds.has(ahjId)));
    const outcomes = await Promise.allSettled(
      own.map((reading) => readings.join(reading, { signal, giveUpAtMs, urgent: true })),
    );
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    return outcomeOf(ask, failed && asFailure(failed.reason));
  }

  const collector = createCollector<Ask, Map<number, CollectionAnswer>>({
    delay,
    groupOf: ({ collection }) => keyOf(collection),
    async *answer(asks) {
      const hold = memory.hold();
      try {
        for (const { collection, ahjIds } of asks) {
          const definition = definitionOf(collection);
          hold.keep(ahjIds.map((ahjId) => placeOf(definition, ahjId)));
        }
        const open = readingsFor(asks);
        const arrivals = createArrivals<Map<number, CollectionAnswer> | Failure>();
        const answered = asks.map(async (ask, place) => arrivals.put(place, await answer(ask, open)));
        Promise.all(answered).then(() => arrivals.end(), arrivals.end);
        yield* arrivals;
      } finally {
        hold.release();
      }
    },
  });

  /** The results of an ask after a run that has failed, perhaps. */
  function outcomeOf(ask: Ask, failure: Failure | undefined): Map<number, CollectionAnswer> | Failure {
    if (!failure || lacking(ask.collection, ask.ahjIds).length === 0)
      return answersOf(ask.collection, ask.ahjIds);
    return isUnavailable(failure) ? oldAnswersOf(ask, failure) : failure;
  }

  return {
    async read(collection, ahjIds, { signal, keptOnly, giveUpAtMs }) {
      if (lacking(collection, ahjIds).length === 0) return answersOf(collection, ahjIds);
      if (keptOnly) {
        const old = oldAnswersOf({ collection, ahjIds }, new Failure("not-asked"));
        if (old instanceof Failure) throw old;
        return old;
      }
      return collector.ask({ collection, ahjIds, signal, giveUpAtMs }, signal);
    },
  };
}

/** A changed definition has another key, because it gives other values. */
function keyOf({ id, updated_at }: Pick<Collection, "id" | "updated_at">): string {
  return `${id} ${updated_at}`;
}

/** The name of the AHJ in memory. It contains the definition's number, because other definitions give other values. */
function placeOf({ number }: Definition, ahjId: number): string {
  return `collection ${number} ${ahjId}`;
}

function answerIn(
  { value, reference, section, updated_at }: DataPointValue,
  fetchedAtMs: number,
): CachedAnswer {
  // An empty text is no value either (docs/interface.md, "Left open").
  if (!value) return { fetchedAtMs, absence: "no-value" };
  return { fetchedAtMs, value, reference, section, updatedAt: updated_at };
}
