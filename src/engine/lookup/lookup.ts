import { inCompany } from "../../async/in-company";
import { addTo, groupBy } from "../../lists";
import type { Client } from "../api/client";
import type { Ahj, AhjDetail, DataPointType } from "../api/schemas";
import type { DocumentCache } from "../cache/answer-cache";
import { type Cache, openCache } from "../cache/cache";
import { createDisk } from "../cache/store";
import { config } from "../../config";
import { asFailure, Failure } from "../../errors";
import { isOfAhj } from "../absence";
import type { ExchangeOptions } from "../transport/exchange";
import { pooledBudget } from "../transport/pooled-budget";
import type { RequestBudget } from "../transport/request-budget";
import { type Answers, createAnswers, type FoundAnswer } from "./answers/answers";
import { type Catalogue, createCatalogue } from "./catalogue/catalogue";
import { createCellMap } from "./answers/cell-map";
import { createMatrixReader, type MatrixReader } from "./answers/matrix-reader";
import { createCollector } from "./collector";
import { createDetails, type Details } from "./directory/ahj-details";
import { createDirectory, type Directory } from "./directory/directory";
import type { Resolution } from "./directory/edition";
import { identifyAhjs } from "./directory/identify";
import { createLastFailures } from "./last-failures";
import { createOldAnswerNotes, type OldAnswerNotes, type OldAnswers } from "./old-answers";
import type { UnknownAnswers } from "./answers/request-plan";
import type { AskedName } from "./search/find-named";

/** An AHJ, by its geoID as text or by its own id as a number. Only the id leads to an AHJ without a geography. */
export type AhjName = string | number;

/** A data point type, by its id or its exact name. */
export type TypeName = number | string;

export interface Question {
  ahj: AhjName;
  type: TypeName;
}

/** Everything that a formula asks for. */
export interface Wants {
  questions?: readonly Question[];
  /** True if values are wanted with the date of their last change. */
  dated?: boolean | undefined;
  /** AHJs whose name, kind and state are wanted. */
  ahjs?: readonly AhjName[];
  /** AHJs whose county, population and position are wanted too. Each takes a request. */
  details?: readonly AhjName[];
  /** Types whose name and unit are wanted, as far as the answers tell them. */
  types?: readonly TypeName[];
  /** Names whose AHJs are wanted. */
  names?: readonly AskedName[];
}

/** The results, in the order in which they were asked for. */
export interface LookedUp {
  values: (FoundAnswer | Failure)[];
  ahjs: (Ahj | Failure)[];
  details: (AhjDetail | Failure)[];
  types: (DataPointType | null)[];
  /** The geoID of each name, or `ahj:` and the id. */
  names: (string | Failure)[];
}

export interface AskOptions {
  signal?: AbortSignal | undefined;
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
  /** The failure of a formula that last asked this question; undefined once the question was answered. */
  lastFailure(question: Question): Failure | undefined;
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
}

interface Ask {
  wants: Wants;
  askedAtMs: number;
  budget?: RequestBudget | undefined;
}

export function createLookup(client: Client, dependencies: LookupDependencies = {}): Lookup {
  const {
    cache = openCache(createDisk({}), "memory"),
    serviceFacts = cache.documents,
    readBody = createMatrixReader(undefined),
    maxAgeMs = () => config.answerAgeMs,
    delay = (ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    onOldAnswers = () => undefined,
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
    onKept: old.confirmed,
  });

  /** The id of each type asked for. Only names need the catalogue. */
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
    settle: (place: number, found: LookedUp) => void,
    { signal, keptOnly }: AskOptions,
  ): Promise<void> {
    // A cell's patience begins when it asks, not when its batch does.
    const firstAskedAtMs = asks.reduce((first, { askedAtMs }) => Math.min(first, askedAtMs), Infinity);
    const giveUpAtMs = firstAskedAtMs + config.cellPatienceMs;
    const options: ExchangeOptions = {
      signal,
      giveUpAtMs,
      urgent: true,
      keptOnly,
      budget: pooledBudget(asks),
    };
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
    let resolutions: ReadonlyMap<string, Resolution> = new Map();
    let typeIds: ReadonlyMap<TypeName, number | Failure> = new Map();
    const resolving = directory.resolve(geoids, options).then((all) => void (resolutions = all));
    const naming = typeIdsOf(types, options).then((all) => void (typeIds = all));
    await inCompany(Promise.all([resolving, naming]));
    const ahjOf = (geoid: string) => resolutions.get(geoid) ?? arrivedAhj(geoid);
    const typeIdOf = (type: TypeName) => (typeof type === "number" ? type : typeIds.get(type));
    // A lookup that takes longer holds up only those who need it.
    const groups = groupBy(asks.keys(), (place) => {
      const { questions = none, ahjs = none, details = none, types = none } = asks[place]?.wants ?? {};
      const lacksAhj = (name: AhjName) => typeof name === "string" && !ahjOf(name);
      const lacksType = (type: TypeName) => typeIdOf(type) === undefined;
      const needsAhj =
        questions.some(({ ahj }) => lacksAhj(ahj)) || ahjs.some(lacksAhj) || details.some(lacksAhj);
      const needsType = questions.some(({ type }) => lacksType(type)) || types.some(lacksType);
      return needsAhj ? (needsType ? "both" : "ahjs") : needsType ? "types" : "nothing";
    });
    await Promise.all(
      [...groups].map(async ([needs, places]) => {
        if (needs === "ahjs" || needs === "both") await resolving;
        if (needs === "types" || needs === "both") await naming;
        await answer(places);
      }),
      // Also done if the batch ends because nobody waits any more, because answers that had come by then are shown.
    ).finally(old.tell);

    /** Answers asks whose AHJs and types have been looked up. */
    async function answer(places: readonly number[]): Promise<void> {
      const names = new Map<string, (Seat & { asked: AskedName })[]>();
      const values = createQuestions();
      const dated = createQuestions();
      const detailed = new Map<number, Seat[]>();
      const opened: OpenAsk[] = [];
      const put = <Part extends keyof LookedUp>(
        part: Part,
        { open, index }: Seat,
        outcome: LookedUp[Part][number],
      ) => {
        // Beside values, an AHJ is only their name.
        if (part === "ahjs" && open.found.values === none && !keptOnly && !(outcome instanceof Failure))
          noteAhj((outcome as Ahj).id);
        const list: LookedUp[Part][number][] = open.found[part];
        list[index] = outcome;
        open.left -= 1;
        if (part === "values" && (open.valuesLeft -= 1) === 0) putBeside(open);
        if (open.left === 0) settle(open.place, open.found);
      };
      /** Puts what the values have told: types, and AHJs that were asked for by id. */
      const putBeside = (open: OpenAsk) => {
        for (const seat of open.types.splice(0)) {
          const type = knownType(typeIdOf(seat.of));
          if (type) put("types", { open, index: seat.index }, type);
          else open.types.push(seat);
        }
        for (const seat of open.named.splice(0)) {
          const ahj = denied.get(seat.of) ?? directory.byId(seat.of);
          if (ahj) put("ahjs", { open, index: seat.index }, ahj);
          else open.named.push(seat);
        }
      };
      const denied = new Map<number, Failure>();
      for (const place of places) {
        const wants: Wants = asks[place]?.wants ?? {};
        const open = openAsk(wants, place);
        opened.push(open);
        if (open.left === 0) settle(place, open.found);
        wants.types?.forEach((of, index) => open.types.push({ of, index }));
        wants.ahjs?.forEach((name, index) => {
          const ahj = typeof name === "string" ? (ahjOf(name) ?? unresolved()) : directory.byId(name);
          if (ahj) put("ahjs", { open, index }, ahj);
          else open.named.push({ of: name as number, index });
        });
        wants.questions?.forEach((question, index) => {
          const { ahj: name } = question;
          const seat = { open, index };
          const ahj = typeof name === "number" ? name : (ahjOf(name) ?? unresolved());
          const typeId = typeIdOf(question.type) ?? new Failure("unknown-type");
          if (ahj instanceof Failure) put("values", seat, ahj);
          else if (typeId instanceof Failure) put("values", seat, typeId);
          else (wants.dated ? dated : values).add(typeof ahj === "number" ? ahj : ahj.id, typeId, seat);
        });
        wants.details?.forEach((name, index) => {
          const ahj = typeof name === "number" ? name : (ahjOf(name) ?? unresolved());
          if (ahj instanceof Failure) put("details", { open, index }, ahj);
          else addTo(detailed, typeof ahj === "number" ? ahj : ahj.id, { open, index });
        });
        wants.names?.forEach((asked, index) => addTo(names, keyOfName(asked), { asked, open, index }));
      }

      await Promise.all([
        findNames(
          [...names.values()].flatMap(([first]) => first?.asked ?? []),
          options,
          (asked, outcome) => {
            for (const seat of names.get(keyOfName(asked)) ?? []) put("names", seat, outcome);
          },
        ),
        details.read(detailed.keys(), options, (ahjId, detail) => {
          for (const seat of detailed.get(ahjId) ?? []) put("details", seat, detail);
        }),
        answers
          .read(
            { values: values.wanted, dated: dated.wanted },
            {
              ...options,
              onCell(source, ahjId, typeId, answer) {
                if (answer instanceof Failure && isOfAhj(answer.kind)) denied.set(ahjId, answer);
                for (const seat of (source === "matrix" ? values : dated).of(ahjId, typeId))
                  put("values", seat, answer);
                if (!keptOnly) old.shown(ahjId, typeId, answer);
              },
            },
          )
          .then(async () => {
            opened.forEach(putBeside);
            const named = new Set(opened.flatMap((open) => open.named.map(({ of }) => of)));
            const found = await identifyAhjs([...named], { directory, details, denied }, options);
            for (const open of opened) {
              for (const { index } of open.types) put("types", { open, index }, null);
              for (const { of, index } of open.named)
                put("ahjs", { open, index }, found.get(of) ?? new Failure("internal"));
            }
          }),
      ]);
    }
  }

  /** The AHJ of a geoID, if an answer has shown it. */
  function arrivedAhj(geoid: string): Ahj | undefined {
    const resolution = directory.resolved(geoid);
    return resolution instanceof Failure ? undefined : resolution;
  }

  /** Notes an AHJ that is shown: if today's directory lacks it, it comes from the one before. */
  function noteAhj(ahjId: number) {
    old.note(`ahj ${ahjId}`, directory.byId(ahjId) ? undefined : directory.formerMs());
  }

  /** Finds AHJs by name. The script that does it is loaded with the first name. */
  async function findNames(
    names: readonly AskedName[],
    options: ExchangeOptions,
    tell: (asked: AskedName, outcome: string | Failure) => void,
  ): Promise<void> {
    if (names.length === 0) return;
    const loaded = await import("./search/find-named").catch(asFailure);
    if (!(loaded instanceof Failure)) return loaded.findNamed(names, directory, options, tell);
    for (const asked of names) tell(asked, loaded);
  }

  function knownType(typeId: number | Failure | undefined): DataPointType | null {
    return (typeof typeId === "number" && catalogue.knownType(typeId)) || null;
  }

  /** The answer, if memory holds all of it; otherwise undefined. It saves a known cell from waiting behind a batch. */
  function known({ questions, dated, ahjs, details: detailed, types, names }: Wants): LookedUp | undefined {
    if (detailed || names) return undefined;
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
      names: none,
    };
  }

  async function askKept(ask: Ask, signal: AbortSignal | undefined): Promise<LookedUp> {
    let kept: LookedUp | undefined;
    await answerAll([ask], (_, found) => (kept = found), { signal, keptOnly: true });
    if (!kept) throw new Failure("not-asked");
    return kept;
  }

  const lastFailures = createLastFailures<Question>();
  const collector = createCollector<Ask, LookedUp>({
    delay,
    async run(asks, settle, signal) {
      // Calls with a budget share no request with those that have none: they would pay for them, or not pay at all.
      const groups = [...groupBy(asks.keys(), (place) => asks[place]?.budget !== undefined).values()];
      await Promise.all(
        groups.map((places) =>
          answerAll(
            places.flatMap((place) => asks[place] ?? []),
            (at, found) => {
              const place = places[at] ?? 0;
              asks[place]?.wants.questions?.forEach((question, index) =>
                lastFailures.note(question, found.values[index] ?? new Failure("internal")),
              );
              settle(place, found);
            },
            { signal },
          ),
        ),
      );
    },
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
    old,
    delay,
    lastFailure: lastFailures.of,
    recalculating() {
      old.forget();
      old.tell();
    },
    requestsFor: (work) => answers.requestsFor({ ...work, details: details.unknown(work.details ?? []) }),
    ask(wants, { signal, keptOnly, budget } = {}) {
      const there = known(wants);
      if (there) return Promise.resolve(there);
      const ask: Ask = { wants, askedAtMs: Date.now(), budget };
      return keptOnly ? askKept(ask, signal) : collector.ask(ask, signal);
    },
  };
}

const unresolved = () => new Failure("unresolved-jurisdiction");

/** The results for things that were not asked for. Thousands of formulas share this list. */
const none: never[] = [];

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

function keyOfName({ name, state }: AskedName): string {
  return JSON.stringify([name, state]);
}

/** An ask that lacks some of its results. */
interface OpenAsk {
  place: number;
  found: LookedUp;
  /** The number of results that are still to come, and of values among them. */
  left: number;
  valuesLeft: number;
  /** Types, and AHJs by id, that are still to come. Answers tell them. */
  types: { of: TypeName; index: number }[];
  named: { of: number; index: number }[];
}

/** The ask that a result belongs to, and the result's place in it. */
interface Seat {
  open: OpenAsk;
  index: number;
}

function openAsk({ questions, ahjs, details, types, names }: Wants, place: number): OpenAsk {
  const found: LookedUp = {
    values: questions ? [] : none,
    ahjs: ahjs ? [] : none,
    details: details ? [] : none,
    types: types ? [] : none,
    names: names ? [] : none,
  };
  const left = [questions, ahjs, details, types, names].reduce((sum, list) => sum + (list?.length ?? 0), 0);
  return { place, found, left, valuesLeft: questions?.length ?? 0, types: [], named: [] };
}

/** The cells that a batch wants, and the seats that each answer belongs to. */
function createQuestions() {
  const wanted = new Map<number, Set<number>>();
  const waiting = createCellMap<Seat[]>();
  return {
    wanted,
    add(ahjId: number, typeId: number, seat: Seat) {
      const typeIds = wanted.get(ahjId);
      if (typeIds) typeIds.add(typeId);
      else wanted.set(ahjId, new Set([typeId]));
      const others = waiting.get(ahjId, typeId);
      if (others) others.push(seat);
      else waiting.set(ahjId, typeId, [seat]);
    },
    of: (ahjId: number, typeId: number) => waiting.get(ahjId, typeId) ?? none,
  };
}
