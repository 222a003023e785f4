import type { Cancel } from "../../async/on-abort";
import type { Client } from "../api/client";
import type { DocumentCache } from "../cache/answer-cache";
import { type Cache, openCache } from "../cache/cache";
import { createDisk } from "../cache/store";
import { config } from "../../config";
import { Failure } from "../../errors";
import type { RequestBudget } from "../transport/request-budget";
import { answerBatch, type Ask, type BatchResults } from "./answer-batch";
import { type Answers, createAnswers } from "./answers/answers";
import { createMatrixReader, type MatrixReader } from "./answers/matrix-reader";
import type { UnknownAnswers } from "./answers/request-plan";
import { type Catalogue, createCatalogue } from "./catalogue/catalogue";
import { createCollector, promised, type Told } from "./collector";
import { createDetails, type Details } from "./directory/ahj-details";
import { createDirectory, type Directory } from "./directory/directory";
import { createLastFailures } from "./last-failures";
import { createOldAnswerNotes, type OldAnswerNotes, type OldAnswers } from "./old-answers";
import {
  type AhjName,
  type Asker,
  type LookedUp,
  none,
  nothing,
  type Question,
  type TypeName,
  type Wants,
} from "./wants";

export type { AhjName, Ask, Asker, BatchResults, LookedUp, Question, TypeName, Wants };

export interface AskOptions {
  signal?: AbortSignal | Cancel | undefined;
  /** True if only kept answers may be used, so that the service is not asked. */
  keptOnly?: boolean | undefined;
  /** Pays for the requests, together with the budgets of calls that share them. Default: any number may be sent. */
  budget?: RequestBudget | undefined;
}

/** Answers from one service to one key, in the fewest requests. */
export interface Lookup {
  directory: Directory;
  catalogue: Catalogue;
  answers: Answers;
  details: Details;
  /** Waits some milliseconds, so that further calls of the same recalculation can come. */
  delay(ms: number): Promise<void>;
  /** The answer, if memory holds all of it. It saves a known cell from waiting behind a batch. */
  known(wants: Wants): LookedUp | undefined;
  /** The failure of the formula that last asked this question or for this jurisdiction; undefined once it was answered. */
  lastFailure(asked: Question | AhjName): Failure | undefined;
  /** Must be called when every formula is about to ask again. Formulas that then still get an old answer are reported anew. */
  recalculating(): void;
  /** Notes the old answers that are shown. */
  old: OldAnswerNotes;
  /** The number of requests that a piece of work takes, given the answers in memory: see `answers.recall`. */
  requestsFor(work: UnknownAnswers): Promise<number>;
  /**
   * Gives formulas what they ask for. Calls that come together share their requests; each is settled on its own, whatever the others wait
   * for. A rate limit is waited for up to config.cellPatienceMs. Only `cancelled` and a failure of the whole batch are thrown.
   */
  ask(wants: Wants, options?: AskOptions): Promise<LookedUp>;
  /** Asks as `ask` does for wants that are not `known`, for a caller that is told the outcome instead of waiting for it. */
  join(wants: Wants, options: AskOptions, caller: Told<LookedUp>): void;
}

export interface LookupDependencies {
  /** Default: memory only. */
  cache?: Pick<Cache, "answers" | "documents"> | undefined;
  /** Facts about the service that are the same for every key. Default: kept with the cache. */
  serviceFacts?: DocumentCache | undefined;
  /** Default: reads everything in this thread. */
  readBody?: MatrixReader | undefined;
  /** Answers older than this are asked for again. */
  maxAgeMs?: (() => number) | undefined;
  /** Waits some milliseconds, so that further calls of the same recalculation can come. */
  delay?: ((ms: number) => Promise<void>) | undefined;
  /** Called when other cells than before show old answers, because the service could not be asked. */
  onOldAnswers?: ((old: OldAnswers | null) => void) | undefined;
  /** Puts other answers in place of those of this lookup. Default: none are. */
  others?: OtherAnswers | undefined;
}

/** Answers that go before those of a lookup, such as those that travel with a workbook. */
export interface OtherAnswers {
  /** False if there are none, so that answers can be given at once. */
  mayBe(): boolean;
  /** The results for these asks, with the other answers in their places. */
  before(asks: readonly Ask[], results: BatchResults): BatchResults;
}

export function createLookup(client: Client, dependencies: LookupDependencies = {}): Lookup {
  const {
    cache = openCache(createDisk({}), "memory"),
    serviceFacts = cache.documents,
    readBody = createMatrixReader(undefined),
    maxAgeMs = () => config.answerAgeMs,
    delay = (ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    onOldAnswers = () => undefined,
    others,
  } = dependencies;
  const old = createOldAnswerNotes(onOldAnswers);
  const catalogue = createCatalogue(client, { documents: cache.documents, old });
  const details = createDetails(client, { documents: cache.documents, old }, (ahj) => directory.learn([ahj]));
  const directory: Directory = createDirectory(client, catalogue, {
    documents: cache.documents,
    serviceFacts,
    old,
    learnDetail: details.learn,
  });
  const answers = createAnswers(client, catalogue, {
    cache: cache.answers,
    serviceFacts,
    readBody,
    maxAgeMs,
    learnAhjs: directory.learn,
    old,
  });
  // Facts that every answer needs are read while the first formulas still gather.
  void answers.recall([]);

  function known({ questions, dated, ahjs, codes, details: detailed, types }: Wants): LookedUp | undefined {
    if (detailed || codes || others?.mayBe()) return undefined;
    const values = allOf(questions, ({ ahj: name, type }) => {
      const ahj = typeof name === "number" ? name : directory.resolved(name);
      if (ahj === undefined || typeof type === "string") return undefined;
      return ahj instanceof Failure
        ? ahj
        : answers.known(typeof ahj === "number" ? ahj : ahj.id, type, dated);
    });
    const found =
      values &&
      allOf(ahjs, (name) => (typeof name === "number" ? directory.byId(name) : directory.resolved(name)));
    if (!values || !found || types?.some((type) => typeof type === "string")) return undefined;
    return {
      ...nothing,
      values,
      ahjs: found,
      types: types?.map((type) => catalogue.knownType(type as number) ?? null) ?? none,
    };
  }

  const lastFailures = createLastFailures();
  function answer(asks: readonly Ask[], options: { signal?: AbortSignal | undefined; keptOnly?: boolean }) {
    const results = answerBatch(asks, { directory, catalogue, details, answers, old, lastFailures }, options);
    return others?.mayBe() ? others.before(asks, results) : results;
  }

  const asking = createCollector<Ask, LookedUp>({
    delay,
    answer: (asks, signal) => answer(asks, { signal }),
    // Calls with a budget share no request with those that have none: they would pay for them, or not pay at all.
    groupOf: ({ budget }) => budget !== undefined,
  });
  const recalling = createCollector<Ask, LookedUp>({
    // Kept answers cost no request, so nobody waits for calls that may still come.
    delay: () => Promise.resolve(),
    answer: (asks, signal) => answer(asks, { signal, keptOnly: true }),
    groupOf: () => true,
  });

  function join(wants: Wants, { signal, keptOnly, budget }: AskOptions, caller: Told<LookedUp>) {
    const collector = keptOnly ? recalling : asking;
    collector.join({ wants, askedAtMs: Date.now(), budget }, signal, caller);
  }

  return {
    directory,
    catalogue,
    answers,
    details,
    old,
    delay,
    known,
    lastFailure: lastFailures.of,
    recalculating() {
      old.forget();
      old.tell();
    },
    requestsFor: (work) => answers.requestsFor({ ...work, details: details.unknown(work.details ?? []) }),
    ask(wants, options = {}) {
      const there = known(wants);
      return there ? Promise.resolve(there) : promised((caller) => join(wants, options, caller));
    },
    join,
  };
}

/** The outcome of each item; undefined if any item has none. */
function allOf<Item, Outcome>(
  items: readonly Item[] | undefined,
  outcomeOf: (item: Item) => Outcome | undefined,
): Outcome[] | undefined {
  if (!items) return none;
  const outcomes: Outcome[] = [];
  for (const item of items) {
    const outcome = outcomeOf(item);
    if (outcome === undefined) return undefined;
    outcomes.push(outcome);
  }
  return outcomes;
}
