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
import type { Directory } from "./directory/directory";
import type { Resolution } from "./directory/edition";
import type { LastFailures } from "./last-failures";
import type { OldAnswerNotes } from "./old-answers";
import type { AskedName } from "./search/find-named";
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
  lastFailures: LastFailures<Question>;
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
  ahjOf(geoid: string): Resolution | undefined;
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
  const { geoids, types } = namesIn(asks);
  let resolutions: ReadonlyMap<string, Resolution> = new Map();
  let typeIds: ReadonlyMap<TypeName, number | Failure> = new Map();
  const resolving = directory.resolve(geoids, options).then((all) => void (resolutions = all));
  const naming = typeIdsOf(types, catalogue, options).then((all) => void (typeIds = all));
  await inCompany(Promise.all([resolving, naming]));

  const typeIdOf = (type: TypeName) => (typeof type === "number" ? type : typeIds.get(type));
  const names: Names = {
    ahjOf: (geoid) => resolutions.get(geoid) ?? arrivedAhj(geoid, directory),
    typeIdOf,
    typeOf(type) {
      const typeId = typeIdOf(type);
      return (typeof typeId === "number" && catalogue.knownType(typeId)) || null;
    },
  };
  // A lookup that takes longer holds up only those who need it.
  const lookups = { nothing: [], ahjs: [resolving], types: [naming], both: [resolving, naming] };
  const placed = asks.map(({ wants }, place): PlacedWants => ({ wants, place }));
  const groups = groupBy(placed, ({ wants }) => missingNames(wants, names));
  await Promise.all(
    [...groups].map(async ([missing, group]) => {
      try {
        await Promise.all(lookups[missing]);
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
  const allNames = placed.flatMap(({ wants }) => wants.names ?? none);
  const foundFor = oneByOne<string, string | Failure>(allNames.map(keyOfName), (_, tell) =>
    findNames(allNames, directory, options, (name, outcome) => tell(keyOfName(name), outcome)),
  );
  /** The reason why there is no AHJ, by its id, as far as answers have told it. */
  const denied = new Map<number, Failure>();
  const knownAhj = (name: AhjName) =>
    typeof name === "string" ? ahjOf(name) : (directory.byId(name) ?? denied.get(name));

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
    const { ahjs = none, types = none, names: wantedNames = none } = wants;
    const isLacking = !ahjs.every(knownAhj) || !types.every(names.typeOf);
    const byId = isLacking ? await (identified ??= identify()) : undefined;
    const found = ahjs.map((name) => knownAhj(name) ?? byId?.get(name) ?? new Failure("internal"));
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
      names: await Promise.all(wantedNames.map((name) => foundFor(keyOfName(name)))),
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
        const { ahjs = none, types = none, details: detailed = none, names: wantedNames = none } = call.wants;
        const wantsMore = ahjs.length + types.length + detailed.length + wantedNames.length > 0;
        // A failure of the rest is that of this call alone.
        if (wantsMore)
          rest.push(
            withTheRest(call, values)
              .catch(asFailure)
              .then((result) => results.put(call.place, result)),
          );
        else results.put(call.place, { values, ahjs: none, details: none, types: none, names: none });
      }
  })();
  await learned;
  await Promise.all(rest);
}

/** A call whose AHJs and types have been looked up. */
interface NamedCall extends PlacedWants, CellCall {
  detailed: readonly (number | Failure)[];
}

/** The names that have to be looked up for some calls. */
function namesIn(asks: readonly Ask[]) {
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
  return { geoids, types };
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

/** The names that a call needs and that are still being looked up. */
function missingNames({ questions = none, ahjs = none, details = none, types = none }: Wants, names: Names) {
  const lacksAhj = (name: AhjName) => typeof name === "string" && !names.ahjOf(name);
  const lacksType = (type: TypeName) => names.typeIdOf(type) === undefined;
  const needsAhj =
    questions.some(({ ahj }) => lacksAhj(ahj)) || ahjs.some(lacksAhj) || details.some(lacksAhj);
  const needsType = questions.some(({ type }) => lacksType(type)) || types.some(lacksType);
  return needsAhj ? (needsType ? "both" : "ahjs") : needsType ? "types" : "nothing";
}

/** The AHJ of a geoID, if an answer has shown it. */
function arrivedAhj(geoid: string, directory: Directory): Ahj | undefined {
  const resolution = directory.resolved(geoid);
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

/** Finds AHJs by name. The script that does it is loaded with the first name. */
async function findNames(
  names: readonly AskedName[],
  directory: Directory,
  options: ExchangeOptions,
  tell: (asked: AskedName, outcome: string | Failure) => void,
): Promise<void> {
  const loaded = await import("./search/find-named").catch(asFailure);
  if (!(loaded instanceof Failure)) return loaded.findNamed(names, directory, options, tell);
  for (const asked of names) tell(asked, loaded);
}

function keyOfName({ name, state }: AskedName): string {
  return JSON.stringify([name, state]);
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
