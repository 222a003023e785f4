import type { Client } from "../api/client";
import type { Ahj } from "../api/schemas";
import type { DocumentCache } from "../cache/answer-cache";
import { type Cache, openCache } from "../cache/cache";
import { createDisk } from "../cache/disk";
import { config } from "../config";
import { asFailure, Failure } from "../errors";
import type { ExchangeOptions } from "../transport/transport";
import { type Answers, type CellAnswer, createAnswers, type FoundAnswer } from "./answers";
import { type Catalogue, createCatalogue, typeIdOf } from "./catalogue";
import { createCellMap } from "./cell-map";
import { createCollector } from "./collector";
import { createDetails, type Details } from "./details";
import { createDirectory, type Directory } from "./directory";
import type { Work } from "./plan";

/** One AHJ's effective answer to one question, as published. */
export interface Value extends FoundAnswer {
  ahj: Ahj;
}

/** A data point type, by its id or its exact name. */
export type TypeName = number | string;

/** Answers from one service to one key, in the fewest requests. */
export interface Lookup {
  directory: Directory;
  catalogue: Catalogue;
  answers: Answers;
  details: Details;
  /** How many requests a piece of work takes, by what memory holds: see `answers.recall`. */
  requestsFor(work: Work): number;
  /**
   * The answer for one cell. Calls that come together share their requests; each is settled, with a value or a
   * Failure. A rate limit is waited for up to config.cellPatienceMs.
   */
  value(geoid: string, type: TypeName, options?: ValueOptions): Promise<Value>;
}

export interface ValueOptions {
  signal?: AbortSignal | undefined;
  /** The date of the last change is wanted too. */
  dated?: boolean | undefined;
}

export interface LookupDoors {
  /** Default: memory alone. */
  cache?: Pick<Cache, "answers" | "documents"> | undefined;
  /** What is known of the service, whoever asks. Default: kept with the cache. */
  serviceFacts?: DocumentCache | undefined;
  /** Answers older than this are asked again. */
  maxAgeMs?: (() => number) | undefined;
  /** Waits for the calls of one recalculation. */
  moment?: ((ms: number) => Promise<void>) | undefined;
  /** Told when other cells than before show old answers, because the service could not be asked. */
  onOldAnswers?: ((old: OldAnswers | null) => void) | undefined;
}

export interface OldAnswers {
  count: number;
  /** When the oldest of them was fetched. */
  oldestMs: number;
}

interface Ask {
  geoid: string;
  type: TypeName;
  isDated: boolean;
  askedAtMs: number;
}

export function createLookup(client: Client, doors: LookupDoors = {}): Lookup {
  const {
    cache = openCache(createDisk({}), "memory"),
    serviceFacts = cache.documents,
    maxAgeMs = () => config.answerAgeMs,
    moment = (ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    onOldAnswers,
  } = doors;
  const catalogue = createCatalogue(client, cache.documents);
  const directory = createDirectory(client, catalogue, { documents: cache.documents, serviceFacts });
  const details = createDetails(client, cache.documents);
  const answers = createAnswers(client, catalogue, { cache: cache.answers, serviceFacts, maxAgeMs });

  /** The id of each type asked for; only names need the catalogue. */
  async function typeIdsOf(asks: readonly Ask[], options: ExchangeOptions) {
    const ids = new Map<TypeName, number | Failure>();
    const names = new Set(asks.map((ask) => ask.type).filter((type) => typeof type === "string"));
    for (const { type } of asks) if (typeof type === "number") ids.set(type, type);
    if (names.size === 0) return ids;
    try {
      const types = await catalogue.types(options);
      for (const name of names) ids.set(name, typeIdOf(name, types));
    } catch (thrown) {
      const failure = asFailure(thrown, "unexpected-answer");
      for (const name of names) ids.set(name, failure);
    }
    return ids;
  }

  async function answerAll(
    asks: Ask[],
    settle: (place: number, outcome: Value | Failure) => void,
    signal: AbortSignal,
  ): Promise<void> {
    // A cell's patience begins when it asks, not when its batch does.
    const firstAskedAtMs = asks.reduce((first, { askedAtMs }) => Math.min(first, askedAtMs), Infinity);
    const options = { signal, giveUpAtMs: firstAskedAtMs + config.cellPatienceMs, urgent: true };
    const [ahjs, typeIds] = await Promise.all([
      directory.resolve(
        asks.map((ask) => ask.geoid),
        options,
      ),
      typeIdsOf(asks, options),
    ]);

    const values = createQuestions();
    const dated = createQuestions();
    asks.forEach((ask, place) => {
      const ahj = ahjs.get(ask.geoid) ?? new Failure("unresolved-jurisdiction");
      const typeId = typeIds.get(ask.type) ?? new Failure("unknown-type");
      if (ahj instanceof Failure) settle(place, ahj);
      else if (typeId instanceof Failure) settle(place, typeId);
      else (ask.isDated ? dated : values).add(ahj, typeId, place);
    });

    const work = { values: values.wanted, dated: dated.wanted };
    await answers.read(work, {
      ...options,
      onCell(source, ahjId, typeId, answer) {
        const { ahj, places } = (source === "matrix" ? values : dated).of(ahjId, typeId);
        if (!ahj) return;
        for (const place of places) settle(place, answer instanceof Failure ? answer : { ahj, ...answer });
        noteAge(ahjId, typeId, answer);
      },
    });
    if (hasOldChanged) onOldAnswers?.(oldAnswers());
    hasOldChanged = false;
  }

  /** Cells that formulas show with an old answer, and when it was fetched. */
  const old = new Map<string, number>();
  let hasOldChanged = false;

  function noteAge(ahjId: number, typeId: number, answer: CellAnswer) {
    const isOld = !(answer instanceof Failure) && answer.isOld;
    if (!isOld && old.size === 0) return;
    const cell = `${ahjId} ${typeId}`;
    if (isOld) old.set(cell, answer.cell.fetchedAtMs);
    hasOldChanged = isOld || old.delete(cell) || hasOldChanged;
  }

  function oldAnswers(): OldAnswers | null {
    if (old.size === 0) return null;
    return { count: old.size, oldestMs: [...old.values()].reduce((a, b) => Math.min(a, b)) };
  }

  /** The answer that is there already, so that it need not wait behind a batch that is not. */
  function knownAnswer(geoid: string, typeId: number): Value | Failure | undefined {
    const ahj = directory.resolved(geoid);
    if (ahj === undefined || ahj instanceof Failure) return ahj;
    const answer = answers.known(ahj.id, typeId);
    return answer instanceof Failure || !answer ? answer : { ahj, ...answer };
  }

  const collector = createCollector<Ask, Value>({ moment, run: answerAll });

  return {
    directory,
    catalogue,
    answers,
    details,
    requestsFor: (work) => answers.requestsFor({ ...work, details: details.unknown(work.details ?? []) }),
    async value(geoid, type, { signal, dated = false } = {}) {
      const known = typeof type === "number" && !dated ? knownAnswer(geoid, type) : undefined;
      const answer =
        known ?? (await collector.ask({ geoid, type, isDated: dated, askedAtMs: Date.now() }, signal));
      if (answer instanceof Failure) throw answer;
      return answer;
    },
  };
}

/** Which cells a batch wants, and where in the batch each is asked for. */
function createQuestions() {
  const wanted = new Map<number, Set<number>>();
  const ahjs = new Map<number, Ahj>();
  const places = createCellMap<number[]>();
  return {
    wanted,
    add(ahj: Ahj, typeId: number, place: number) {
      ahjs.set(ahj.id, ahj);
      const typeIds = wanted.get(ahj.id);
      if (typeIds) typeIds.add(typeId);
      else wanted.set(ahj.id, new Set([typeId]));
      const known = places.get(ahj.id, typeId);
      if (known) known.push(place);
      else places.set(ahj.id, typeId, [place]);
    },
    of: (ahjId: number, typeId: number) => ({
      ahj: ahjs.get(ahjId),
      places: places.get(ahjId, typeId) ?? [],
    }),
  };
}
