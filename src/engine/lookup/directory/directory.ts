import { createListeners } from "../../../async/listeners";
import { isUnknownToService } from "../../api/answer-failure";
import type { Client } from "../../api/client";
import type { Ahj, AhjDetail } from "../../api/schemas";
import { isWithinAge } from "../../cache/age";
import type { DocumentCache } from "../../cache/answer-cache";
import { config } from "../../../config";
import { asFailure, cancelled, Failure, type FailureKind, isUnavailable } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import type { Catalogue } from "../catalogue/catalogue";
import type { AhjList } from "./ahj-list";
import { createKeptAhjs, type KeptList } from "./kept-ahjs";
import {
  createEdition,
  type DirectoryProgress,
  type Edition,
  isListed,
  type Resolution,
  resolutionOf,
  settle,
} from "./edition";
import { askEach } from "../ask-each";
import type { OldAnswerNotes } from "../old-answers";
import { createSharedWorks } from "../shared-work";
import { isImpossible, isPlaceName, mayBeSent } from "./geoid";
import { stateOfGeoid } from "./states";
import type { GeoidRefusal } from "./tell-apart";

/** The entitled AHJs. Each way to resolve a geoID gives the AHJ with the lowest entitled id (docs/interface.md, "Left open"). */
export interface Directory {
  /**
   * Resolves geoIDs with the fewest requests: one by one, through the pages of their states, or through the pages of all entitled AHJs. A
   * text that has not the form of a geoID is looked for in all entitled AHJs, and never sent; one with the form but of no state or county
   * is neither. Names are looked for in the lists of their states, or in all entitled AHJs (`findNamed`). Every geoID and name asked for is
   * in the result. Only `cancelled` is thrown.
   */
  resolve(geoidsAndNames: Iterable<string>, options?: ExchangeOptions): Promise<Map<string, Resolution>>;
  /** Reads the lists that show which of these geoIDs are entitled, so that none of them has to be sent. */
  readListsOf(geoids: readonly string[], options?: ExchangeOptions): Promise<void>;
  /** Every entitled AHJ. Listeners are told the progress while the pages arrive. */
  load(
    onProgress?: (progress: DirectoryProgress) => void,
    options?: ExchangeOptions,
  ): Promise<LoadedDirectory>;
  /** The meaning of a geoID or name, if it has been resolved already. */
  resolved(geoidOrName: string): Resolution | undefined;
  /** The AHJs that have arrived so far. */
  known(): readonly Ahj[];
  /** The AHJ with this id, if it has arrived in the last day. */
  byId(ahjId: number): Ahj | undefined;
  /** The AHJ as it was described by an answer about it since `sinceMs`, if any; lists don't count. */
  toldSince(sinceMs: number, ahjId: number): Ahj | undefined;
  /** The AHJ with this id as it was before today's directory began. */
  formerById(ahjId: number): Ahj | undefined;
  /** When the directory before today's began; undefined if there was none. */
  formerMs(): number | undefined;
  /** Brings the whole list from disk, if it is there. */
  recall(): Promise<void>;
  /** Notes AHJs that came with an answer. */
  learn(ahjs: readonly Ahj[]): void;
  /** All entitled AHJs, or those with one of these state codes, through the service's filter if that works. */
  list(states?: string | readonly string[], options?: ExchangeOptions): Promise<LoadedDirectory>;
}

export interface LoadedDirectory {
  ahjs: readonly Ahj[];
  /** AHJs that the service counts and did not list, though the list was read twice. */
  missing: number;
  /** True if it is the list of the day before, because the service could not be asked. */
  isOld: boolean;
}

// All geoIDs share one failure of each kind, because each Error costs a stack trace.
const refusals: Record<GeoidRefusal, Failure> = {
  "unknown-jurisdiction": new Failure("unknown-jurisdiction"),
  "outside-subscription": new Failure("outside-subscription"),
};
const notAGeoid = new Failure("not-a-geoid");
const unresolved = new Failure("unresolved-jurisdiction");

export interface DirectoryDependencies {
  documents: DocumentCache;
  serviceFacts: DocumentCache;
  old: Pick<OldAnswerNotes, "isBetter" | "note">;
  /** Keeps the detail from a geoID's own look-up, which tells all that the detail endpoint would. */
  learnDetail(detail: AhjDetail): void;
}

export function createDirectory(
  client: Client,
  catalogue: Catalogue,
  { documents, serviceFacts, old, learnDetail }: DirectoryDependencies,
): Directory {
  const kept = createKeptAhjs(documents);
  const progressing = createListeners<[DirectoryProgress]>();
  const asking = createSharedWorks(async (geoid: string, options) => {
    const { data } = await client.resolveGeoid({ geoid }, options);
    learnDetail(data);
    return data;
  });
  const told = new Map<number, { ahj: Ahj; atMs: number }>();
  let edition = open();
  /** The edition before the present one, for when the service can't be asked. */
  let previous: Edition | undefined;

  function open(startedAtMs = Date.now()): Edition {
    return createEdition(client, serviceFacts, startedAtMs, progressing.tell);
  }

  const isOver = ({ startedAtMs }: { startedAtMs: number }) =>
    !isWithinAge(startedAtMs, config.directoryAgeMs);

  const isOldBetter = (thrown: unknown, { startedAtMs }: Edition, name: string) =>
    old.isBetter(asFailure(thrown), name, startedAtMs);

  function today(): Edition {
    if (isOver(edition)) {
      previous = edition;
      edition = open();
    }
    return edition;
  }

  function adopt(target: Edition, list: KeptList, state?: string) {
    target.startedAtMs = Math.min(target.startedAtMs, list.fetchedAtMs);
    if (state === undefined) target.whole.adopt(list.ahjs);
    else target.states.adopt(state, list.ahjs);
  }

  /** Takes a list from disk that an earlier session, or another workbook, has read. */
  async function recallList(day: Edition, state?: string): Promise<void> {
    const list = await (state === undefined ? kept.readWhole() : kept.readState(state));
    if (!list) return;
    const isOfToday = !isOver({ startedAtMs: list.fetchedAtMs });
    const target = isOfToday ? day : (previous ??= open(list.fetchedAtMs));
    adopt(target, list, state);
    if (state !== undefined && list.isPartial) target.partial.add(state);
  }

  function recallOnce(day: Edition, state?: string): Promise<void> {
    const recalling = day.recalled.get(state) ?? recallList(day, state);
    day.recalled.set(state, recalling);
    return recalling;
  }

  async function recall(day: Edition, lacking: () => string[]): Promise<void> {
    const geoids = lacking();
    if (geoids.length === 0) return;
    const states = statesOf(geoids);
    const isFew = states.length <= fewStates && geoids.every(stateOfGeoid);
    await day.states.recall();
    if (!isFew) await recallOnce(day);
    if (!day.whole.isRead()) await Promise.all(states.map((state) => recallOnce(day, state)));
    const rest = lacking();
    if (rest.length > mostGeoidsRecalled) return;
    for (const [geoid, { fetchedAtMs, resolution }] of await kept.readGeoids(rest)) {
      const isOld = isOver({ startedAtMs: fetchedAtMs });
      const target = isOld ? (previous ??= open(fetchedAtMs)) : day;
      target.startedAtMs = Math.min(target.startedAtMs, fetchedAtMs);
      settle(target, geoid, typeof resolution === "string" ? refusals[resolution] : resolution);
    }
  }

  async function readWhole(day: Edition, options?: ExchangeOptions): Promise<void> {
    if (day.whole.isRead()) return;
    await recallList(day);
    if (day.whole.isRead()) return;
    if (options?.budget) {
      await day.whole.readFirst(options);
      options.budget?.expect(day.whole.pagesLeft() ?? 0);
    }
    await day.whole.readAll(options);
    if (day.whole.missing() === 0) kept.writeWhole(keptListOf(day.whole));
  }

  /** Reads the lists of states. Resolves to false if the service can't filter by state. */
  async function readStates(day: Edition, states: readonly string[], options?: ExchangeOptions) {
    const unread = states.filter((state) => !day.states.list(state)?.isRead());
    const [first, ...others] = unread;
    if (first === undefined) return true;
    if (day.whole.total() === undefined) await day.whole.readFirst(options);
    if (options?.budget && !(await canAffordStates(day, unread, options))) return false;
    const read = async (state: string) => {
      if (!(await day.states.read(state, day.whole, options))) return false;
      const list = day.states.list(state);
      if (list?.missing() === 0) kept.writeState(state, keptListOf(list));
      return true;
    };
    // The first state shows if the filter works.
    if (!(await read(first))) return false;
    await Promise.all(others.map(read));
    return true;
  }

  /**
   * Begins the lists of states, because only their first pages tell how many requests the rest takes. Resolves to false if the service
   * can't filter by state, and fails with many-requests if the budget can't pay for the rest.
   */
  async function canAffordStates(
    day: Edition,
    states: readonly string[],
    options: ExchangeOptions,
  ): Promise<boolean> {
    if (day.states.works() === false) return false;
    const isBegun = (state: string) => day.states.list(state)?.pagesLeft() !== undefined;
    const [first, ...others] = states.filter((state) => !isBegun(state));
    if (first !== undefined) {
      options.budget?.expect(1 + others.length);
      const begin = (state: string) => day.states.readFirst(state, day.whole, options);
      // The first state shows if the filter works.
      if (!(await begin(first)) || (await Promise.all(others.map(begin))).includes(false)) return false;
    }
    const pagesLeft = states.reduce((sum, state) => sum + (day.states.list(state)?.pagesLeft() ?? 0), 0);
    options.budget?.expect(pagesLeft);
    return true;
  }

  /** Reads lists. If geoIDs may be asked about one by one, only lists that take fewer requests than that are read. */
  async function readLists(
    day: Edition,
    geoids: readonly string[],
    { maySend, ...options }: ExchangeOptions & { maySend: boolean },
  ): Promise<void> {
    await day.whole.readFirst(options);
    const lacking = geoids.filter((geoid) => !resolutionOf(day, geoid));
    const pagesLeft = (day.whole.pages() ?? 1) - 1;
    const states = statesOf(lacking);
    const pagesOfState = Math.ceil((day.whole.total() ?? 0) / statesInUnion / config.pageSize);
    const trial = day.states.works() === undefined ? 1 : 0;
    const pagesOfStates = day.states.works() === false ? Infinity : states.length * pagesOfState + trial;
    if (maySend && lacking.length < pagesLeft && lacking.length <= pagesOfStates) return;
    if (pagesLeft <= pagesOfStates) return readWhole(day, options);
    if (!(await readStates(day, states, options))) await readLists(day, lacking, { ...options, maySend });
  }

  /** Asks about each geoID alone. Returns the failures that say nothing about the geoID. */
  async function askSingly(day: Edition, geoids: readonly string[], options?: ExchangeOptions) {
    options?.budget?.expect(geoids.length);
    const failed = new Map<string, Failure>();
    const denied: string[] = [];
    const tell = (geoid: string, found: AhjDetail | Failure) => {
      if (!(found instanceof Failure)) settle(day, geoid, found);
      else if (found.kind === "outside-subscription") denied.push(geoid);
      else if (isUnknownToService(found)) settle(day, geoid, refusals["unknown-jurisdiction"]);
      else failed.set(geoid, found);
    };
    await askEach(geoids, (geoid) => asking.join(geoid, options), tell, options?.signal);
    // A geoID outside the subscription may also stand for an entitled AHJ with a higher id.
    const unlisted = denied.filter((geoid) => !isListed(day, geoid));
    const isRead = unlisted.every(stateOfGeoid) && (await readStates(day, statesOf(unlisted), options));
    if (!isRead) await readWhole(day, options);
    for (const geoid of denied) {
      if (!resolutionOf(day, geoid)) settle(day, geoid, refusals["outside-subscription"]);
    }
    return failed;
  }

  /** Finds out which of the geoIDs that the directory lacks are unknown, and which are outside the subscription. */
  async function tellListedApart(day: Edition, geoids: readonly string[], options?: ExchangeOptions) {
    if (geoids.length <= 2) return;
    // This only saves requests. If it fails, the geoIDs are asked about one by one.
    const script = await import("./tell-apart").catch(() => null);
    if (!script) return;
    const requests = script.requestsToTellApart(geoids);
    if (geoids.length <= requests + 1 || requests > config.singleLookups) return;
    const entitled = [...day.byId.values()].find(({ geoid }) => geoid !== null)?.geoid;
    if (!entitled) return;
    options?.budget?.expect(1 + requests);
    try {
      const collection = await catalogue.anyCollection(options);
      if (!collection) return;
      const kinds = await script.tellApart(geoids, { entitled, collection }, client, options);
      for (const [geoid, kind] of kinds) settle(day, geoid, refusals[kind]);
    } catch (thrown) {
      if (endingKinds.has(asFailure(thrown).kind)) throw thrown;
    }
  }

  async function find(day: Edition, wanted: readonly string[], options?: ExchangeOptions) {
    const lacking = () => wanted.filter((geoid) => !resolutionOf(day, geoid));
    const sendable = () => lacking().filter(mayBeSent);
    await recall(day, lacking);
    const unknown = sendable();
    // For two geoIDs, page 1 would save no request, because it only tells how many AHJs there are.
    if (unknown.length > 2 && !day.whole.isRead())
      await readLists(day, unknown, { ...options, maySend: true });
    await tellListedApart(
      day,
      sendable().filter((geoid) => isListed(day, geoid)),
      options,
    );
    const rest = sendable();
    const absent = rest.filter((geoid) => isListed(day, geoid));
    const asked = absent.length > config.singleLookups ? rest.filter((geoid) => !isListed(day, geoid)) : rest;
    const failed = await askSingly(day, asked, options);
    for (const geoid of unknown) {
      const resolution = resolutionOf(day, geoid);
      if (resolution instanceof Failure) kept.writeGeoid(geoid, resolution.kind as GeoidRefusal);
      else if (resolution && !isListed(day, geoid)) kept.writeGeoid(geoid, resolution);
    }
    await explainUnknown(day, wanted);
    const others = lacking().filter((geoid) => !mayBeSent(geoid));
    for (const geoid of others.filter(isImpossible)) failed.set(geoid, notAGeoid);
    const texts = others.filter((geoid) => !isImpossible(geoid));
    for (const [geoid, failure] of await lookFor(day, texts, options)) failed.set(geoid, failure);
    return failed;
  }

  /** Tells what became of codes that the service does not know, as far as that is known. */
  async function explainUnknown(day: Edition, geoids: readonly string[]): Promise<void> {
    const unknown = geoids.filter((geoid) => resolutionOf(day, geoid) === refusals["unknown-jurisdiction"]);
    if (unknown.length === 0) return;
    // Without the script, they are told as unknown all the same: the other geoIDs of the request must not fail with it.
    const script = await import("../lists/successors").catch(() => null);
    for (const [geoid, { sentence, nextStep }] of script?.successorsOf(unknown, day.byId.values()) ?? [])
      settle(day, geoid, new Failure("unknown-jurisdiction", { detail: sentence, nextStep }));
  }

  /** Looks for texts of another form in the whole directory. The results are not kept on disk, because the texts may be anything. */
  async function lookFor(day: Edition, texts: readonly string[], options?: ExchangeOptions) {
    const failed = new Map<string, Failure>();
    if (texts.length === 0) return failed;
    try {
      await readWhole(day, options);
    } catch (thrown) {
      const failure = asFailure(thrown);
      for (const text of texts) failed.set(text, failure);
      return failed;
    }
    for (const text of texts) if (!resolutionOf(day, text)) settle(day, text, notAGeoid);
    return failed;
  }

  /** Looks for names in the lists of AHJs. The results are not kept on disk, because the lists are. */
  async function findNames(day: Edition, names: readonly string[], options?: ExchangeOptions) {
    const outcomes = new Map<string, Resolution>();
    if (names.length === 0) return outcomes;
    const script = await import("../search/find-named").catch(asFailure);
    if (script instanceof Failure) return new Map(names.map((name) => [name, script]));
    await script.findNamed(names, { list }, options ?? {}, (name, outcome, isOld) => {
      const isCertain = !(outcome instanceof Failure) || refusedNames.has(outcome.kind);
      if (isCertain && !isOld) settle(day, name, outcome);
      else outcomes.set(name, outcome);
    });
    return outcomes;
  }

  const load: Directory["load"] = async (onProgress, options) => {
    const day = today();
    const ignoreProgress = onProgress && progressing.add(onProgress);
    try {
      await readWhole(day, options);
      old.note(listName(), undefined);
      return { ahjs: day.whole.ahjs(), missing: day.whole.missing(), isOld: false };
    } catch (thrown) {
      if (!previous?.whole.isRead() || !isOldBetter(thrown, previous, listName())) throw thrown;
      return { ahjs: previous.whole.ahjs(), missing: 0, isOld: true };
    } finally {
      ignoreProgress?.();
    }
  };

  const list: Directory["list"] = async (asked, options) => {
    if (asked === undefined) return load(undefined, options);
    const states = typeof asked === "string" ? [asked] : asked;
    const day = today();
    const ofStates = ({ ahjs, ...rest }: LoadedDirectory) => ({
      ahjs: ahjs.filter((ahj) => states.includes(ahj.state_code)),
      ...rest,
    });
    if (!day.whole.isRead()) await Promise.all([day.states.recall(), recallList(day)]);
    if (!day.whole.isRead()) await Promise.all(states.map((state) => recallOnce(day, state)));
    const isPartial = states.some((state) => day.partial.has(state));
    if (day.whole.isRead() || isPartial) return ofStates(await load(undefined, options));
    try {
      if (!(await readStates(day, states, options))) return ofStates(await load(undefined, options));
    } catch (thrown) {
      const ofBefore = states.map((state) =>
        previous?.partial.has(state) ? undefined : previous?.states.list(state),
      );
      const before = previous?.whole.isRead() ? [previous.whole] : ofBefore;
      // Some of the states would pass for all of them.
      const areRead = before.every((each) => each?.isRead());
      if (!previous || !areRead || !isOldBetter(thrown, previous, listName(states))) throw thrown;
      return ofStates({ ahjs: before.flatMap((each) => each?.ahjs() ?? []), missing: 0, isOld: true });
    }
    old.note(listName(states), undefined);
    const lists = states.map((state) => day.states.list(state));
    return ofStates({
      ahjs: lists.flatMap((each) => each?.ahjs() ?? []),
      missing: lists.reduce((sum, each) => sum + (each?.missing() ?? 0), 0),
      isOld: false,
    });
  };

  return {
    async resolve(geoidsAndNames, options) {
      const wanted = [...new Set(geoidsAndNames)];
      const day = today();
      const names = wanted.filter((each) => isPlaceName(each) && !resolutionOf(day, each));
      const geoids = wanted.filter((each) => !isPlaceName(each));
      const others = new Map<string, Resolution>();
      const take = (outcomes: ReadonlyMap<string, Resolution>) =>
        outcomes.forEach((outcome, each) => others.set(each, outcome));
      try {
        take(await findNames(day, names, options));
        take(await find(day, geoids, options));
      } catch (thrown) {
        const failure = asFailure(thrown);
        for (const each of wanted) if (!others.has(each)) others.set(each, failure);
      }
      if (options?.signal?.aborted) throw cancelled;
      const outcome = (each: string): Resolution => {
        const resolution = resolutionOf(day, each);
        if (resolution) return resolution;
        const failure = others.get(each) ?? unresolved;
        if (!(failure instanceof Failure)) return failure;
        const before = previous && isUnavailable(failure) ? resolutionOf(previous, each) : undefined;
        return before && !(before instanceof Failure) ? before : failure;
      };
      return new Map(wanted.map((each) => [each, outcome(each)]));
    },
    async readListsOf(geoids, options) {
      const day = today();
      const lacking = () =>
        geoids.filter((geoid) => mayBeSent(geoid) && !resolutionOf(day, geoid) && !isListed(day, geoid));
      await recall(day, lacking);
      const wanted = lacking();
      if (wanted.length > 0) await readLists(day, wanted, { ...options, maySend: false });
    },
    load,
    list,
    resolved: (geoid) => (isOver(edition) ? undefined : resolutionOf(edition, geoid)),
    known: () => [...edition.byId.values()],
    byId: (ahjId) => (isOver(edition) ? undefined : edition.byId.get(ahjId)),
    formerById: (ahjId) => previous?.byId.get(ahjId),
    formerMs: () => previous?.startedAtMs,
    recall: () => recallOnce(today()),
    toldSince(sinceMs, ahjId) {
      const last = told.get(ahjId);
      return last && last.atMs >= sinceMs ? last.ahj : undefined;
    },
    learn(ahjs) {
      const { byId } = today();
      const atMs = Date.now();
      for (const ahj of ahjs) {
        byId.set(ahj.id, ahj);
        told.set(ahj.id, { ahj, atMs });
      }
    },
  };
}

/** The name under which a list is noted as old. */
const listName = (states: readonly string[] = []) => `ahjs ${states.join()}`;

/** The reasons that a list gives for not knowing who is meant. */
const refusedNames = new Set<FailureKind>(["unknown-name", "ambiguous-jurisdiction"]);

const endingKinds = new Set<FailureKind>(["cancelled", "rate-limited"]);

const keptListOf = (list: AhjList): KeptList => ({ ahjs: list.ahjs(), fetchedAtMs: list.readAtMs() });

/** More geoIDs than this were hardly asked about one by one, so their single answers are not looked for on disk. */
const mostGeoidsRecalled = 500;

const statesInUnion = 51;

/** Up to this many states are recalled alone. For more states the whole list is as quick. */
const fewStates = 5;

function statesOf(geoids: readonly string[]): string[] {
  return [...new Set(geoids.map(stateOfGeoid))].filter((state) => state !== undefined);
}
