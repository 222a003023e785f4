import { type Arrivals, type Arrived, createArrivals } from "../../async/arrivals";
import { inCompany } from "../../async/in-company";
import { config } from "../../config";
import { asFailure, Failure } from "../../errors";
import { groupBy } from "../../lists";
import { aboutOf } from "../absence";
import type { Ahj, AhjDetail, DataPointType } from "../api/schemas";
import type { ExchangeOptions } from "../transport/exchange";
import { pooledBudget } from "../transport/pooled-budget";
import type { RequestBudget } from "../transport/request-budget";
import type { Answers } from "./answers/answers";
import type { CellAnswer } from "./answers/kept-answers";
import type { Source } from "./answers/queries";
import type { CellCall, CellIds } from "./answers/reading";
import type { Catalogue } from "./catalogue/catalogue";
import type { Details } from "./directory/ahj-details";
import { codesOf } from "./directory/codes";
import type { Directory } from "./directory/directory";
import type { Resolution } from "./directory/edition";
import { isPlaceName } from "./directory/geoid";
import type { LastFailures } from "./last-failures";
import type { OldAnswerNotes } from "./old-answers";
import { type AhjName, type LookedUp, none, type Question, type TypeName, type Wants } from "./wants";

/** One call of a batch. */
export interface Ask {
  wants: Wants;
  askedAtMs: number;
  budget?: RequestBudget | undefined;
}

export interface BatchDependencies {
  directory: Directory;
  catalogue: Catalogue;
  details: Details;
  answers: Pick<Answers, "begin">;
  old: OldAnswerNotes;
  lastFailures: LastFailures;
}

/** The results of the calls of a batch, each with its call's place. A call that gets a result twice keeps the first. */
export type BatchResults = AsyncIterable<readonly Arrived<LookedUp | Failure>[]>;
type BatchArrivals = Arrivals<LookedUp | Failure>;

/** A call's wants, and its place in the batch. */
interface PlacedWants {
  wants: Wants;
  place: number;
}

interface BatchOptions {
  signal?: AbortSignal | undefined;
  /** True if only kept answers may be used, so that the service is not asked. */
  keptOnly?: boolean | undefined;
}

/** The names of a batch, as far as they have been looked up. */
interface Names {
  ahjOf(geoidOrName: string): Resolution | undefined;
  typeIdOf(type: TypeName): number | Failure | undefined;
  typeOf(type: TypeName): DataPointType | null;
}

/**
 * Answers calls together: their names are looked up once, and their cells are asked for in one read. Each call gets its results as soon as
 * they are there, whatever the others wait for.
 */
export function answerBatch(
  asks: readonly Ask[],
  dependencies: BatchDependencies,
  options: BatchOptions,
): BatchResults {
  const results: BatchArrivals = createArrivals();
  answerAll(asks, results, dependencies, options).then(() => results.end(), results.end);
  return results;
}

async function answerAll(
  asks: readonly Ask[],
  results: BatchArrivals,
  dependencies: BatchDependencies,
  { signal, keptOnly }: BatchOptions,
): Promise<void> {
  const { directory, catalogue } = dependencies;
  // A cell's patience begins when it asks, not when its batch does.
  const firstAskedAtMs = asks.reduce((first, { askedAtMs }) => Math.min(first, askedAtMs), Infinity);
  const options: ExchangeOptions = {
    signal,
    giveUpAtMs: firstAskedAtMs + config.cellPatienceMs,
    urgent: true,
    keptOnly,
    budget: pooledBudget(asks),
  };
  const { geoids, places, types } = namesIn(asks);
  const resolutions = new Map<string, Resolution>();
  let typeIds: ReadonlyMap<TypeName, number | Failure> = new Map();
  const resolve = async (some: ReadonlySet<string>) => {
    for (const [name, resolution] of await directory.resolve(some, options))
      resolutions.set(name, resolution);
  };
  const lookups: Record<Lookup, Promise<void>> = {
    geoids: resolve(geoids),
    places: resolve(places),
    types: typeIdsOf(types, catalogue, options).then((all) => void (typeIds = all)),
  };
  await inCompany(Promise.all([lookups.geoids, lookups.types]));

  const typeIdOf = (type: TypeName) => (typeof type === "number" ? type : typeIds.get(type));
  const names: Names = {
    ahjOf: (name) => resolutions.get(name) ?? arrivedAhj(name, directory),
    typeIdOf,
    typeOf(type) {
      const typeId = typeIdOf(type);
      return (typeof typeId === "number" && catalogue.knownType(typeId)) || null;
    },
  };
  // A lookup that takes longer holds up only those who need it.
  const placed = asks.map(({ wants }, place): PlacedWants => ({ wants, place }));
  const groups = groupBy(placed, ({ wants }) => missingLookups(wants, names));
  await Promise.all(
    [...groups].map(async ([missing, group]) => {
      try {
        const kinds = Object.keys(lookupBits) as Lookup[];
        await Promise.all(kinds.map((kind) => (missing & lookupBits[kind] ? lookups[kind] : undefined)));
        await answerNamed(group, results, { ...dependencies, names }, options);
      } catch (thrown) {
        const failure = asFailure(thrown);
        for (const { place } of group) results.put(place, failure);
      }
    }),
  );
}

/** Answers calls whose AHJs and types have been looked up. */
async function answerNamed(
  placed: readonly PlacedWants[],
  results: BatchArrivals,
  { names, ...dependencies }: BatchDependencies & { names: Names },
  options: ExchangeOptions,
): Promise<void> {
  const { directory, details, answers, old, lastFailures } = dependencies;
  const { keptOnly } = options;
  const unresolved = new Failure("unresolved-jurisdiction");
  const unknownType = new Failure("unknown-type");
  const ahjOf = (name: string): Ahj | Failure => names.ahjOf(name) ?? unresolved;
  const ahjIdOf = (name: AhjName): number | Failure => {
    if (typeof name === "number") return name;
    const ahj = ahjOf(name);
    return ahj instanceof Failure ? ahj : ahj.id;
  };
  const cellOf = ({ ahj, type }: Question): CellIds | Failure => {
    const ahjId = ahjIdOf(ahj);
    if (ahjId instanceof Failure) return ahjId;
    const typeId = names.typeIdOf(type) ?? unknownType;
    return typeId instanceof Failure ? typeId : { ahjId, typeId };
  };

  const calls = placed.map(({ wants, place }): NamedCall => ({
    wants,
    place,
    source: wants.dated ? "data-points" : "matrix",
    cells: wants.questions?.map(cellOf) ?? none,
    detailed: wants.details?.map(ahjIdOf) ?? none,
  }));
  const work = { values: wantedOf(calls, "matrix"), dated: wantedOf(calls, "data-points") };
  const reading = answers.begin(work, calls, options);
  const detailOf = oneByOne<number, AhjDetail | Failure>(
    calls.flatMap(({ detailed }) => detailed.filter((ahjId) => typeof ahjId === "number")),
    (ahjIds, tell) => details.read(ahjIds, options, tell),
  );
  /** The reason why there is no AHJ, by its id, as far as answers have told it. */
  const denied = new Map<number, Failure>();
  const knownAhj = (name: AhjName) =>
    typeof name === "string" ? ahjOf(name) : (directory.byId(name) ?? denied.get(name));

  async function codesOrFailures(found: readonly (Ahj | Failure)[]): Promise<(string | Failure)[]> {
    const ahjs = found.filter((each): each is Ahj => !(each instanceof Failure));
    const codes = await codesOf(ahjs, directory, options);
    return found.map((each) => (each instanceof Failure ? each : (codes.shift() ?? new Failure("internal"))));
  }

  let identified: Promise<ReadonlyMap<AhjName, Ahj | Failure>> | undefined;
  /** Looks for the AHJs that are asked for by id and that no answer has told. */
  async function identify(): Promise<ReadonlyMap<AhjName, Ahj | Failure>> {
    await learned;
    const ids = placed.flatMap(({ wants }) => wants.ahjs?.filter((name) => typeof name === "number") ?? none);
    const unknown = [...new Set(ids.filter((ahjId) => !knownAhj(ahjId)))];
    if (unknown.length === 0) return new Map();
    // Answers mostly tell their AHJs, so this script is loaded when it is first needed.
    const loaded = await import("./directory/identify").catch(asFailure);
    if (!(loaded instanceof Failure))
      return loaded.identifyAhjs(unknown, { directory, details, denied }, options);
    return new Map(unknown.map((ahjId) => [ahjId, loaded]));
  }

  /** Learns from the values of a call which AHJs are denied, and notes the old answers and failures that it shows. */
  function learn({ wants, cells }: NamedCall, found: readonly CellAnswer[]) {
    found.forEach((value, index) => {
      const cell = cells[index];
      const question = wants.questions?.[index];
      if (!cell || !question) return;
      if (!keptOnly) lastFailures.note(question, value);
      if (cell instanceof Failure) return;
      if (value instanceof Failure && aboutOf(value.kind) === "ahj") denied.set(cell.ahjId, value);
      if (!keptOnly) old.shown(cell.ahjId, cell.typeId, value);
    });
  }

  /** The results of a call that wants more than values. The values may tell some of the rest. */
  async function withTheRest({ wants, detailed }: NamedCall, values: CellAnswer[]): Promise<LookedUp> {
    const { ahjs = none, types = none, codes = false } = wants;
    const isLacking = !ahjs.every(knownAhj) || !types.every(names.typeOf);
    const byId = isLacking ? await (identified ??= identify()) : undefined;
    const found = ahjs.map((name) => knownAhj(name) ?? byId?.get(name) ?? new Failure("internal"));
    if (!keptOnly) ahjs.forEach((name, place) => lastFailures.note(name, found[place]));
    // Beside values, an AHJ is only their name. If today's directory lacks an AHJ that is shown, it comes from the one before.
    if (!wants.questions && !keptOnly)
      for (const ahj of found)
        if (!(ahj instanceof Failure))
          old.note(`ahj ${ahj.id}`, directory.byId(ahj.id) ? undefined : directory.formerMs());
    return {
      values,
      ahjs: found,
      types: types.map(names.typeOf),
      details: await Promise.all(
        detailed.map((ahjId) => (typeof ahjId === "number" ? detailOf(ahjId) : ahjId)),
      ),
      codes: codes ? await codesOrFailures(found) : none,
    };
  }

  // Also done if the read ends because nobody waits any more, because answers that had come by then are shown.
  void reading.whole.catch(asFailure).then(old.tell);
  const rest: Promise<void>[] = [];
  const learned = (async () => {
    for await (const arrived of reading.arrivals)
      for (const { place: at, result: values } of arrived) {
        const call = calls[at];
        if (!call) continue;
        learn(call, values);
        const { ahjs = none, types = none, details: detailed = none } = call.wants;
        const wantsMore = ahjs.length + types.length + detailed.length > 0;
        // A failure of the rest is that of this call alone.
        if (wantsMore)
          rest.push(
            withTheRest(call, values)
              .catch(asFailure)
              .then((result) => results.put(call.place, result)),
          );
        else results.put(call.place, { values, ahjs: none, details: none, types: none, codes: none });
      }
  })();
  await learned;
  await Promise.all(rest);
}

/** A call whose AHJs and types have been looked up. */
interface NamedCall extends PlacedWants, CellCall {
  detailed: readonly (number | Failure)[];
}

/** The lookups that end on their own, each with a bit, because thousands of calls are grouped by those that they wait for. */
const lookupBits = { geoids: 1, places: 2, types: 4 };
type Lookup = keyof typeof lookupBits;

/** The names that have to be looked up for some calls. */
function namesIn(asks: readonly Ask[]) {
  const geoids = new Set<string>();
  const places = new Set<string>();
  const types = new Set<TypeName>();
  const addAhj = (name: AhjName) => {
    if (typeof name === "string") (isPlaceName(name) ? places : geoids).add(name);
  };
  for (const { wants } of asks) {
    wants.questions?.forEach(({ ahj, type }) => {
      addAhj(ahj);
      types.add(type);
    });
    wants.ahjs?.forEach(addAhj);
    wants.details?.forEach(addAhj);
    wants.types?.forEach((type) => types.add(type));
  }
  return { geoids, places, types };
}

/** The id of each type that is asked for by its name, or why there is none. */
async function typeIdsOf(
  types: Iterable<TypeName>,
  catalogue: Catalogue,
  options: ExchangeOptions,
): Promise<ReadonlyMap<TypeName, number | Failure>> {
  const names = [...types].filter((type) => typeof type === "string");
  if (names.length === 0) return new Map();
  const typeIds = await catalogue.typeIds(names, options).catch(asFailure);
  return typeIds instanceof Failure ? new Map(names.map((name) => [name, typeIds])) : typeIds;
}

/** The bits of the lookups that a call needs and that have not ended yet. */
function missingLookups(
  { questions = none, ahjs = none, details = none, types = none }: Wants,
  names: Names,
): number {
  let missing = 0;
  const needAhj = (name: AhjName) => {
    if (typeof name === "string" && !names.ahjOf(name))
      missing |= isPlaceName(name) ? lookupBits.places : lookupBits.geoids;
  };
  const needType = (type: TypeName) => {
    if (names.typeIdOf(type) === undefined) missing |= lookupBits.types;
  };
  for (const { ahj, type } of questions) {
    needAhj(ahj);
    needType(type);
  }
  ahjs.forEach(needAhj);
  details.forEach(needAhj);
  types.forEach(needType);
  return missing;
}

/** The AHJ of a geoID or name, if an answer has shown it. */
function arrivedAhj(name: string, directory: Directory): Ahj | undefined {
  const resolution = directory.resolved(name);
  return resolution instanceof Failure ? undefined : resolution;
}

/** The cells that calls want of a source, each once. */
function wantedOf(calls: readonly CellCall[], wantedSource: Source): Map<number, Set<number>> {
  const wanted = new Map<number, Set<number>>();
  for (const { source, cells } of calls) {
    if (source !== wantedSource) continue;
    for (const cell of cells) {
      if (cell instanceof Failure) continue;
      const typeIds = wanted.get(cell.ahjId);
      if (typeIds) typeIds.add(cell.typeId);
      else wanted.set(cell.ahjId, new Set([cell.typeId]));
    }
  }
  return wanted;
}

/** Gives each key a promise of its outcome, for work on many keys that tells them one by one. Without keys the work does not begin. */
function oneByOne<Key, Outcome>(
  keys: Iterable<Key>,
  work: (keys: Key[], tell: (key: Key, outcome: Outcome) => void) => Promise<unknown>,
): (key: Key) => Promise<Outcome> | Failure {
  const resolvers = new Map<Key, { resolve(outcome: Outcome): void; reject(thrown: unknown): void }>();
  const outcomes = new Map<Key, Promise<Outcome>>();
  for (const key of new Set(keys)) {
    const outcome = new Promise<Outcome>((resolve, reject) => resolvers.set(key, { resolve, reject }));
    // Callers learn of a failure when they wait for the outcome.
    outcome.catch(asFailure);
    outcomes.set(key, outcome);
  }
  const end = (thrown: unknown) => resolvers.forEach(({ reject }) => reject(thrown));
  if (outcomes.size > 0)
    work([...outcomes.keys()], (key, outcome) => resolvers.get(key)?.resolve(outcome)).then(
      () => end(new Failure("internal")),
      end,
    );
  return (key) => outcomes.get(key) ?? new Failure("internal");
}
