import { addTo } from "../../lists";
import type { Client } from "../api/client";
import type { Ahj, AhjDetail, DataPointType } from "../api/schemas";
import type { DocumentCache } from "../cache/answer-cache";
import { type Cache, openCache } from "../cache/cache";
import { createDisk } from "../cache/store";
import { config } from "../../config";
import { asFailure, Failure, type FailureKind } from "../../errors";
import type { ExchangeOptions } from "../transport/exchange";
import { type Answers, type CellAnswer, createAnswers, type FoundAnswer } from "./answers/answers";
import { type Catalogue, createCatalogue } from "./catalogue/catalogue";
import { createCellMap } from "./answers/cell-map";
import { createMatrixReader, type MatrixReader } from "./answers/matrix-reader";
import { createCollector } from "./collector";
import { createDetails, type Details } from "./directory/ahj-details";
import { createDirectory, type Directory } from "./directory/directory";
import { identifyAhjs } from "./directory/identify";
import { createOldAnswerNotes, type OldAnswers } from "./old-answers";
import type { Work } from "./answers/request-plan";

/** An AHJ, by its geoID as text or by its own id as a number: the only way to one without a geography. */
export type AhjName = string | number;

/** A data point type, by its id or its exact name. */
export type TypeName = number | string;

export interface Question {
  ahj: AhjName;
  type: TypeName;
}

/** What a formula wants to know. */
export interface Wants {
  questions?: readonly Question[];
  /** With the date of the last change. */
  dated?: boolean | undefined;
  /** Who these are. */
  ahjs?: readonly AhjName[];
  /** County, population and position too: a request each. */
  details?: readonly AhjName[];
  /** What these types are, as far as the answers tell. */
  types?: readonly TypeName[];
}

/** What is known of each, in the order asked. */
export interface Found {
  values: (FoundAnswer | Failure)[];
  ahjs: (Ahj | Failure)[];
  details: (AhjDetail | Failure)[];
  types: (DataPointType | null)[];
}

export interface AskOptions {
  signal?: AbortSignal | undefined;
  /** Only what is kept already: nothing is asked of the service. */
  keptOnly?: boolean | undefined;
}

/** Answers from one service to one key, in the fewest requests. */
export interface Lookup {
  directory: Directory;
  catalogue: Catalogue;
  answers: Answers;
  details: Details;
  /** Waits for the calls of one recalculation. */
  moment(ms: number): Promise<void>;
  /** To be told when every formula is about to ask again: those that still get an old answer then are told of anew. */
  recalculating(): void;
  /** How many requests a piece of work takes, by what memory holds: see `answers.recall`. */
  requestsFor(work: Work): Promise<number>;
  /**
   * What formulas want. Calls that come together share their requests; each is settled on its own, whatever the
   * others wait for. A rate limit is waited for up to config.cellPatienceMs. Nothing is thrown but `cancelled`, and
   * what ends a whole batch.
   */
  ask(wants: Wants, options?: AskOptions): Promise<Found>;
}

export interface LookupDoors {
  /** Default: memory alone. */
  cache?: Pick<Cache, "answers" | "documents"> | undefined;
  /** What is known of the service, whoever asks. Default: kept with the cache. */
  serviceFacts?: DocumentCache | undefined;
  /** Default: reads all in this thread. */
  readBody?: MatrixReader | undefined;
  /** Answers older than this are asked again. */
  maxAgeMs?: (() => number) | undefined;
  /** Waits for the calls of one recalculation. */
  moment?: ((ms: number) => Promise<void>) | undefined;
  /** Told when other cells than before show old answers, because the service could not be asked. */
  onOldAnswers?: ((old: OldAnswers | null) => void) | undefined;
}

interface Ask {
  wants: Wants;
  askedAtMs: number;
}

export function createLookup(client: Client, doors: LookupDoors = {}): Lookup {
  const {
    cache = openCache(createDisk({}), "memory"),
    serviceFacts = cache.documents,
    readBody = createMatrixReader(undefined),
    maxAgeMs = () => config.answerAgeMs,
    moment = (ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    onOldAnswers = () => undefined,
  } = doors;
  const old = createOldAnswerNotes(onOldAnswers);
  const catalogue = createCatalogue(client, cache.documents);
  const details = createDetails(client, cache.documents, (ahj) => directory.learn([ahj]));
  const directory: Directory = createDirectory(client, catalogue, {
    documents: cache.documents,
    serviceFacts,
    learnDetail: details.learn,
  });
  const answers = createAnswers(client, catalogue, {
    cache: cache.answers,
    serviceFacts,
    readBody,
    maxAgeMs,
    learnAhjs: directory.learn,
    onKept: old.confirmed,
  });

  /** The id of each type asked for; only names need the catalogue. */
  async function typeIdsOf(types: Iterable<TypeName>, options: ExchangeOptions) {
    const ids = new Map<TypeName, number | Failure>();
    const names: string[] = [];
    for (const type of types) {
      if (typeof type === "number") ids.set(type, type);
      else names.push(type);
    }
    if (names.length === 0) return ids;
    try {
      for (const [name, id] of await catalogue.typeIds(names, options)) ids.set(name, id);
    } catch (thrown) {
      const failure = asFailure(thrown);
      for (const name of names) ids.set(name, failure);
    }
    return ids;
  }

  async function answerAll(
    asks: readonly Ask[],
    settle: (place: number, found: Found) => void,
    { signal, keptOnly }: AskOptions,
  ): Promise<void> {
    // A cell's patience begins when it asks, not when its batch does.
    const firstAskedAtMs = asks.reduce((first, { askedAtMs }) => Math.min(first, askedAtMs), Infinity);
    const giveUpAtMs = firstAskedAtMs + config.cellPatienceMs;
    const options: ExchangeOptions = { signal, giveUpAtMs, urgent: true, keptOnly };
    const geoids = new Set<string>();
    const types = new Set<TypeName>();
    const addGeoid = (name: AhjName) => void (typeof name === "string" && geoids.add(name));
    for (const { wants } of asks) {
      wants.questions?.forEach(({ ahj, type }) => {
        addGeoid(ahj);
        types.add(type);
      });
      wants.ahjs?.forEach(addGeoid);
      wants.details?.forEach(addGeoid);
      wants.types?.forEach((type) => types.add(type));
    }
    const [resolutions, typeIds] = await Promise.all([
      directory.resolve(geoids, options),
      typeIdsOf(types, options),
    ]);
    const ahjOf = (geoid: string) => resolutions.get(geoid) ?? new Failure("unresolved-jurisdiction");

    const values = createQuestions();
    const dated = createQuestions();
    const named = new Map<number, Put<Ahj>[]>();
    const detailed = new Map<number, Put<AhjDetail>[]>();
    const typed: (() => void)[] = [];
    asks.forEach(({ wants }, place) => {
      const open = openFound(wants, (found) => settle(place, found));
      wants.questions?.forEach((question, index) => {
        const { ahj: name } = question;
        const put = (answer: CellAnswer) => open.put("values", index, answer);
        const ahj = typeof name === "number" ? name : ahjOf(name);
        const typeId = typeIds.get(question.type) ?? new Failure("unknown-type");
        if (ahj instanceof Failure) put(ahj);
        else if (typeId instanceof Failure) put(typeId);
        else (wants.dated ? dated : values).add(typeof ahj === "number" ? ahj : ahj.id, typeId, put);
      });
      wants.ahjs?.forEach((name, index) => {
        const put = (ahj: Ahj | Failure) => open.put("ahjs", index, ahj);
        const ahj = typeof name === "number" ? directory.byId(name) : ahjOf(name);
        if (ahj) put(ahj);
        else addTo(named, name as number, put);
      });
      wants.details?.forEach((name, index) => {
        const put = (detail: AhjDetail | Failure) => open.put("details", index, detail);
        const ahj = typeof name === "number" ? name : ahjOf(name);
        if (ahj instanceof Failure) put(ahj);
        else addTo(detailed, typeof ahj === "number" ? ahj : ahj.id, put);
      });
      wants.types?.forEach((type, index) => {
        typed.push(() => open.put("types", index, knownType(typeIds.get(type))));
      });
    });

    const denied = new Map<number, Failure>();
    await Promise.all([
      readDetails(detailed, options),
      answers
        .read(
          { values: values.wanted, dated: dated.wanted },
          {
            ...options,
            onCell(source, ahjId, typeId, answer) {
              for (const put of (source === "matrix" ? values : dated).of(ahjId, typeId)) put(answer);
              if (answer instanceof Failure && saysOfAhj.has(answer.kind)) denied.set(ahjId, answer);
              if (!keptOnly) old.shown(ahjId, typeId, answer);
            },
          },
        )
        // The answers name types, and AHJs that were asked for by id.
        .then(() => {
          for (const put of typed) put();
          return identify(named, denied, options);
        }),
      // Also where it ends because nobody waits any more: what had come by then is shown.
    ]).finally(old.tell);
  }

  async function readDetails(wanted: Map<number, Put<AhjDetail>[]>, options: ExchangeOptions) {
    await details.read(wanted.keys(), options, (ahjId, detail) => {
      for (const put of wanted.get(ahjId) ?? []) put(detail);
    });
  }

  async function identify(
    wanted: Map<number, Put<Ahj>[]>,
    denied: ReadonlyMap<number, Failure>,
    options: ExchangeOptions,
  ) {
    if (wanted.size === 0) return;
    const found = await identifyAhjs([...wanted.keys()], { directory, details, denied }, options);
    for (const [ahjId, puts] of wanted) {
      for (const put of puts) put(found.get(ahjId) ?? new Failure("internal"));
    }
  }

  function knownType(typeId: number | Failure | undefined): DataPointType | null {
    return (typeof typeId === "number" && catalogue.knownType(typeId)) || null;
  }

  /** What is there already, so that it need not wait behind a batch that is not; undefined unless all of it is. */
  function known({ questions, dated, ahjs, details: detailed, types }: Wants): Found | undefined {
    if (detailed) return undefined;
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
      values,
      ahjs: found,
      details: none,
      types: types?.map((type) => knownType(type as number)) ?? none,
    };
  }

  async function askKept(ask: Ask, signal: AbortSignal | undefined): Promise<Found> {
    let kept: Found | undefined;
    await answerAll([ask], (_, found) => (kept = found), { signal, keptOnly: true });
    if (!kept) throw new Failure("not-asked");
    return kept;
  }

  const collector = createCollector<Ask, Found>({
    moment,
    run: (asks, settle, signal) => answerAll(asks, settle, { signal }),
  });

  return {
    directory,
    catalogue,
    answers: {
      ...answers,
      read: (work, options) => answers.read(work, options).finally(old.tell),
      learn(values, fetchedAtMs) {
        answers.learn(values, fetchedAtMs);
        old.tell();
      },
    },
    details,
    moment,
    recalculating() {
      old.forget();
      old.tell();
    },
    requestsFor: (work) => answers.requestsFor({ ...work, details: details.unknown(work.details ?? []) }),
    ask(wants, { signal, keptOnly } = {}) {
      const there = known(wants);
      if (there) return Promise.resolve(there);
      const ask = { wants, askedAtMs: Date.now() };
      return keptOnly ? askKept(ask, signal) : collector.ask(ask, signal);
    },
  };
}

/** What an answer says of the AHJ itself, whatever was asked of it. */
const saysOfAhj = new Set<FailureKind>(["outside-subscription", "unknown-jurisdiction"]);

type Put<Thing> = (outcome: Thing | Failure) => void;

/** What nobody asked for: thousands of formulas share it. */
const none: never[] = [];

/** What is known of each; undefined where anything is not. */
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

/** Collects what one ask wants, and hands it over when all of it is there. */
function openFound({ questions, ahjs, details, types }: Wants, finish: (found: Found) => void) {
  const found: Found = {
    values: questions ? [] : none,
    ahjs: ahjs ? [] : none,
    details: details ? [] : none,
    types: types ? [] : none,
  };
  let left = (questions?.length ?? 0) + (ahjs?.length ?? 0) + (details?.length ?? 0) + (types?.length ?? 0);
  if (left === 0) finish(found);
  return {
    put<Part extends keyof Found>(part: Part, index: number, outcome: Found[Part][number]) {
      const list: Found[Part][number][] = found[part];
      list[index] = outcome;
      left -= 1;
      if (left === 0) finish(found);
    },
  };
}

/** Which cells a batch wants, and who waits for each. */
function createQuestions() {
  const wanted = new Map<number, Set<number>>();
  const waiting = createCellMap<Put<FoundAnswer>[]>();
  return {
    wanted,
    add(ahjId: number, typeId: number, put: Put<FoundAnswer>) {
      const typeIds = wanted.get(ahjId);
      if (typeIds) typeIds.add(typeId);
      else wanted.set(ahjId, new Set([typeId]));
      const others = waiting.get(ahjId, typeId);
      if (others) others.push(put);
      else waiting.set(ahjId, typeId, [put]);
    },
    of: (ahjId: number, typeId: number) => waiting.get(ahjId, typeId) ?? [],
  };
}
