import type { Client } from "../api/client";
import type { Ahj } from "../api/schemas";
import type { DocumentCache } from "../cache/answer-cache";
import { type Cache, openCache } from "../cache/cache";
import { createDisk } from "../cache/disk";
import { config } from "../config";
import { asFailure, Failure } from "../errors";
import type { ExchangeOptions } from "../transport/transport";
import { type Answers, type CellAnswer, createAnswers, type FoundAnswer } from "./answers";
import { type Catalogue, createCatalogue } from "./catalogue";
import { createCollector } from "./collector";
import { createDirectory, type Directory } from "./directory";
import type { Wanted } from "./plan";

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
  /** Told after each batch of formulas which of its answers are old, because the service could not be asked. */
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
  const answers = createAnswers(client, catalogue, { cache: cache.answers, serviceFacts, maxAgeMs });

  /** The id of each type asked for; only names cost a look at the catalogue. */
  async function typeIdsOf(asks: readonly Ask[], options: ExchangeOptions) {
    const ids = new Map<TypeName, number | Failure>();
    for (const { type } of asks) {
      if (ids.has(type)) continue;
      const id = typeof type === "number" ? type : await typeIdOf(type, options);
      ids.set(type, id);
    }
    return ids;
  }

  function typeIdOf(name: string, options: ExchangeOptions): Promise<number | Failure> {
    return catalogue.typeNamed(name, options).then(
      (type) => type.id,
      (thrown: unknown) => asFailure(thrown, "unexpected-answer"),
    );
  }

  async function answerAll(asks: Ask[], signal: AbortSignal): Promise<(Value | Failure)[]> {
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
    const questions = asks.map((ask): Question | Failure => {
      const ahj = ahjs.get(ask.geoid) ?? new Failure("unresolved-jurisdiction");
      const typeId = typeIds.get(ask.type) ?? new Failure("unknown-type");
      if (ahj instanceof Failure) return ahj;
      return typeId instanceof Failure ? typeId : { ahj, typeId, isDated: ask.isDated };
    });
    const values = wantedBy(questions, false);
    const dated = wantedBy(questions, true);
    const read = await answers.read({ values, dated }, options);
    return questions.map((question) =>
      question instanceof Failure
        ? question
        : withAhj(question.ahj, read.of(question.ahj.id, question.typeId)),
    );
  }

  /** The answer that is there already, so that it need not wait behind a batch that is not. */
  function knownAnswer(geoid: string, typeId: number): Value | Failure | undefined {
    const ahj = directory.resolved(geoid);
    if (ahj === undefined || ahj instanceof Failure) return ahj;
    const answer = answers.known(ahj.id, typeId);
    return answer && withAhj(ahj, answer);
  }

  const collector = createCollector<Ask, Value>({
    moment,
    async run(asks, signal) {
      try {
        const outcomes = await answerAll(asks, signal);
        onOldAnswers?.(oldAmong(outcomes));
        return outcomes;
      } catch (thrown) {
        const failure = asFailure(thrown, "unexpected-answer");
        return asks.map(() => failure);
      }
    },
  });

  return {
    directory,
    catalogue,
    answers,
    async value(geoid, type, { signal, dated = false } = {}) {
      const known = typeof type === "number" && !dated ? knownAnswer(geoid, type) : undefined;
      const answer =
        known ?? (await collector.ask({ geoid, type, isDated: dated, askedAtMs: Date.now() }, signal));
      if (answer instanceof Failure) throw answer;
      return answer;
    },
  };
}

interface Question {
  ahj: Ahj;
  typeId: number;
  isDated: boolean;
}

function wantedBy(questions: readonly (Question | Failure)[], isDated: boolean): Wanted {
  const wanted = new Map<number, Set<number>>();
  for (const question of questions) {
    if (question instanceof Failure || question.isDated !== isDated) continue;
    const typeIds = wanted.get(question.ahj.id);
    if (typeIds) typeIds.add(question.typeId);
    else wanted.set(question.ahj.id, new Set([question.typeId]));
  }
  return wanted;
}

function withAhj(ahj: Ahj, answer: CellAnswer): Value | Failure {
  return answer instanceof Failure ? answer : { ahj, ...answer };
}

function oldAmong(outcomes: readonly (Value | Failure)[]): OldAnswers | null {
  const fetchedAtMs = outcomes.flatMap((outcome) =>
    !(outcome instanceof Failure) && outcome.isOld ? [outcome.fetchedAtMs] : [],
  );
  if (fetchedAtMs.length === 0) return null;
  return { count: fetchedAtMs.length, oldestMs: fetchedAtMs.reduce((a, b) => Math.min(a, b)) };
}
