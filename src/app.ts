import { createListeners } from "./async/listeners";
import { nowAndThen } from "./async/now-and-then";
import { withTimeout } from "./async/timeout";
import { createClient, type Client } from "./engine/api/client";
import type { DocumentCache } from "./engine/cache/answer-cache";
import { type Cache, openCache } from "./engine/cache/cache";
import { createBrowserDisk } from "./engine/cache/browser-store";
import type { Disk } from "./engine/cache/store";
import { createErasures } from "./engine/cache/erasures";
import { serviceSpace, spaceOf } from "./engine/cache/space";
import { Failure } from "./errors";
import { createHoldWatch, type HoldWatch } from "./hold";
import { createFormulaAsks } from "./formula-asks";
import { dateSystem } from "./workbook/sheet/values/serial-date";
import { config } from "./config";
import type { CollectionRuns } from "./engine/lookup/collections/collection-runs";
import { createMatrixReader } from "./engine/lookup/answers/matrix-reader";
import {
  type AskOptions,
  type Asker,
  createLookup,
  type LookedUp,
  type Lookup,
  type OtherAnswers,
  type Wants,
} from "./engine/lookup/lookup";
import type { OldAnswers } from "./engine/lookup/old-answers";
import { createConnectionSettings, type UserStorage } from "./settings/connection";
import { createForgottenSpaces } from "./settings/forgotten";
import type { OtherWorkbooks } from "./settings/other-workbooks";
import { type PresetService, presetService as presetServiceOfBuild } from "./settings/preset-service";
import { createPreferenceSettings, defaultPreferences, type Preferences } from "./settings/preferences";
import { parseBaseUrl } from "./engine/transport/base-url";
import { createTransport, type Credentials, type Transport } from "./engine/transport/exchange";

/** One service as one key sees it. Its data is never shown to another key. */
export interface Session {
  /** Different for every session. */
  id: string;
  credentials: Credentials;
  client: Client;
  lookup: Lookup;
  collectionRuns: CollectionRuns;
  /** Documents for this key, on disk if the browser has a store. */
  documents: DocumentCache;
  /** The present knowledge of the request limit. */
  limit: Transport["limit"];
  /** Aborted when the key is forgotten or replaced: every request under way ends. */
  closed: AbortSignal;
}

/** A lookup's parts that need no request. */
export type KeptLookup = Pick<Lookup, "ask" | "lastFailure" | "delay"> & {
  directory: Pick<Lookup["directory"], "byId" | "formerById" | "recall" | "resolve">;
  details: Pick<Lookup["details"], "read">;
  catalogue: Pick<Lookup["catalogue"], "categories">;
};

/** The pane's knowledge without a key: only what the workbook holds. It sends no request, and lacks what would. */
export interface KeylessSession extends Pick<Session, "id" | "limit" | "closed"> {
  credentials: null;
  lookup: KeptLookup;
}

export interface App {
  /**
   * The running session; waits until the kept connection is read. Fails with no-key if there is none, with storage-failed if it can't be
   * read; the next call then reads again.
   */
  session(): Promise<Session>;
  /** The running session without waiting; undefined until the kept connection has been read, null if there is none. */
  currentSession(): Session | null | undefined;
  /**
   * Runs a formula's work with the running session. If the key changes meanwhile, the work runs again with the next session, so that no
   * answer to the old key is given after the key was forgotten.
   */
  answer<Result>(
    work: (session: Session) => Promise<Result>,
    signal?: Pick<AbortSignal, "aborted">,
  ): Promise<Result>;
  /**
   * Asks for a formula as `answer` does, and gives its result at once if memory holds everything. Without a key the result comes of the
   * values that travel with the workbook. Fails only as `asker` does.
   */
  ask<Result>(asker: Asker<Result>, options: AskOptions): Result | Promise<Result>;
  /** Resolves when no formula waits for an answer, with the number of formulas that have asked so far. */
  idle(): Promise<number>;
  /** Calls the listener whenever the last waiting formula has got its answer. Returns a function that stops it. */
  onIdle(listener: () => void): () => void;
  /**
   * Checks address and key against the service, then keeps them. Fails with invalid-address if the build has a fixed address and this is
   * another. The data fetched with the last key is erased unless `keepsLast`: then it stays on disk for a later connection with that key.
   * Fails with storage-failed, too, if that data could be neither erased nor noted; the new key is connected then.
   */
  connect(address: string, key: string, keepsLast?: boolean): Promise<void>;
  /** Checks address and key against the service as `connect` does, and changes nothing. Gives them as they would be kept. */
  check(address: string, key: string): Promise<Credentials>;
  /**
   * Forgets the running key and all data fetched with it, and stops its requests. With `other`, it does the same for those credentials, and
   * the running session goes on. Data that can't be erased now is erased at the next start; fails with storage-failed if not even that can
   * be noted.
   */
  forget(other?: Credentials): Promise<void>;
  /** Erases all data fetched with the running key, as `forget` does, and goes on with the key in a new session. */
  clear(): Promise<void>;
  /** Calls back whenever the session changes. Returns a function that removes the listener. */
  onSessionChange(listener: () => void): () => void;
  preferences(): Preferences;
  /** The age up to which an answer may be given now without asking. */
  answerAgeMs(): number;
  /** While the work lasts, answers that were fetched before it began count as old, so that formulas ask for them again. */
  askAnew<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Keeps the preferences for this user on this device. */
  setPreferences(preferences: Preferences): Promise<void>;
  /** The storage for this user on this device. */
  storage: UserStorage;
  presetService: PresetService | null;
  /** True if the host has this version of the requirement set ExcelApi, such as "1.16". */
  hasExcelApi(version: string): boolean;
  /** True if custom functions may give Excel data types, such as cards: the host knows them there, and the build declares them. */
  hasDataTypes(): boolean;
  /** The values that the workbook's author let travel with it; null if there are none. For users without a key. */
  lastKnown(wants: Wants): Promise<LookedUp | null>;
  /** While the workbook is on hold, no session sends a request, and formulas have only what was kept. */
  hold: HoldWatch;
  /** Takes what was just written into the workbook: the formula of the hold's name, or null for a release. */
  setHold(formula: string | null): void;
  /** Has dates counted as this workbook counts them. Fails with a Failure if Excel does not say how. */
  learnDates(): Promise<void>;
  /** Further facts that the user should know. The same object until something changes. */
  notices(): Notices;
  onNoticesChange(listener: () => void): () => void;
  /** Tells more of what the key covers, unless the user has read it already; null notes that. */
  tellConnected(coverage: Coverage | null): void;
}

/** The jurisdictions that a key covers. */
export interface Coverage {
  jurisdictions: number;
  /** The codes of their states; undefined if they are not known. */
  states?: readonly string[] | undefined;
}

export interface Notices {
  /** True if nothing can be kept on this device, so that a restart asks for everything again. */
  isMemoryOnly: boolean;
  /** Set if cells show old answers because the service could not be asked. */
  oldAnswers: OldAnswers | null;
  /** Set if the user has just connected. */
  connected: Coverage | null;
  /** The formula of the name by which the workbook is on hold; null if it is not, undefined until that is known. */
  hold: string | null | undefined;
}

/** The outside world that the app depends on. */
export interface AppDependencies {
  fetch: typeof fetch;
  storage: UserStorage;
  /** Default: the build's service. */
  presetService?: PresetService | null | undefined;
  /** Opens the store for answers. Default: the browser's IndexedDB. */
  openDisk?: ((onFailure: () => void) => Disk) | undefined;
  /** Locks by which the workbooks of one browser take turns. Default: they take none. */
  locks?: Pick<LockManager, "request"> | undefined;
  /** The other workbooks of this browser. Default: there are none. */
  others?: OtherWorkbooks | undefined;
  /** Starts the worker that reads large answers. Default: they are read in this thread. */
  startWorker?: (() => Worker) | undefined;
  /** Waits some milliseconds, even if timers are slowed. */
  delay?: ((ms: number) => Promise<void>) | undefined;
  /** True if the host has a version of the requirement set ExcelApi. Default: false. */
  hasExcelApi?: ((version: string) => boolean) | undefined;
  /** See `App.hasDataTypes`. Default: false. */
  hasDataTypes?: (() => boolean) | undefined;
  /** Asks Excel for the workbook's date system; see `App.learnDates`. Called until it is known. Default: the usual one is taken. */
  learnDates?: (() => Promise<void>) | undefined;
  /** See `App.lastKnown`. Called only without a key. Default: no values came with the workbook. */
  lastKnown?: ((wants: Wants) => Promise<LookedUp | null>) | undefined;
  /** Loads what answers for a workbook on hold: the values that came with it, before those that this device keeps. Default: none came. */
  heldAnswers?: (() => Promise<OtherAnswers["before"]>) | undefined;
  /** Reads the formula of the name by which the workbook is on hold. Default: there is none. */
  readHold?: (() => Promise<string | null>) | undefined;
}

/** The connection to a service with a key, which may be wrong. */
interface Access {
  credentials: Credentials;
  client: Client;
  limit: Transport["limit"];
  allowance: Transport["allowance"];
  controller: AbortController;
}

/** The cache of the answers to one key, and the name of its space. */
interface Kept {
  cache: Cache;
  space: Promise<string>;
}

interface Running extends Access, Kept {
  session: Session;
}

/** The pauses between repeated looks at the storage, in case it does not show yet that another workbook has forgotten a key. */
const staleStorageMs = [50, 200, 800];

export function createApp(dependencies: AppDependencies): App {
  const settings = createConnectionSettings(dependencies.storage);
  const preferenceSettings = createPreferenceSettings(dependencies.storage);
  const readBody = createMatrixReader(dependencies.startWorker);
  const sessions = createListeners();
  const noticing = createListeners();
  /** The beginnings of the refreshes under way. Answers from before the latest one are asked for again. */
  const refreshesFromMs: number[] = [];
  let preferences = defaultPreferences;
  let notices: Notices = {
    isMemoryOnly: false,
    oldAnswers: null,
    connected: null,
    hold: dependencies.readHold ? undefined : null,
  };
  let running: Running | null | undefined;
  let reading: Promise<void> | undefined;

  const { openDisk = createBrowserDisk, presetService = presetServiceOfBuild } = dependencies;
  const { heldAnswers, readHold = () => Promise.resolve(null) } = dependencies;
  const disk = openDisk(() => notice({ isMemoryOnly: true }));
  const erasures = createErasures(disk, createForgottenSpaces(dependencies.storage));

  function notice(change: Partial<Notices>) {
    notices = { ...notices, ...change };
    noticing.tell();
  }

  function setHold(hold: string | null) {
    if (hold !== notices.hold) notice({ hold });
  }
  const hold = createHoldWatch(readHold, () => notices.hold, setHold);

  /** The only address that keys may go to, if the build fixes one. */
  const fixedUrl = presetService?.isFixed ? presetService.baseUrl : undefined;

  function usableUrl(address: string): ReturnType<typeof parseBaseUrl> {
    const parsed = parseBaseUrl(address);
    return "baseUrl" in parsed && parsed.baseUrl !== (fixedUrl ?? parsed.baseUrl)
      ? { problem: `This add-in connects to ${fixedUrl} alone.` }
      : parsed;
  }

  const answerAgeMs = () => Math.min(preferences.answerAgeMs, Date.now() - Math.max(0, ...refreshesFromMs));

  function openAccess(credentials: Credentials, last?: Access | null): Access {
    const controller = new AbortController();
    const isRunning = () => running?.controller === controller;
    /** Looks if the key is still kept, because some browsers can't tell a workbook that another one has forgotten it. */
    const mustBeKept = nowAndThen(
      async () => {
        // If the look fails, the key counts as kept.
        if (!(await isKept(credentials))) await endRunning(controller);
      },
      {
        everyMs: config.keptLookMs,
        patienceMs: () => config.keptLookPatienceMs,
        fromMs: Date.now() + config.keptLookMs,
      },
    );
    const fetchWhileKept: typeof dependencies.fetch = async (...request) => {
      if (isRunning()) await mustBeKept();
      controller.signal.throwIfAborted();
      return dependencies.fetch(...request);
    };
    const transport = createTransport(credentials, {
      fetch: fetchWhileKept,
      signal: controller.signal,
      locks: dependencies.locks,
      lockName: spaceOf(credentials.baseUrl, credentials.key),
      // A connection that is only checked asks nothing for the workbook.
      mayAsk: async () => (isRunning() ? hold.mustBeReleased() : undefined),
      allowance: last?.allowance(),
    });
    const { limit, allowance } = transport;
    return { credentials, client: createClient(transport), limit, allowance, controller };
  }

  function openKept({ baseUrl, key }: Credentials): Kept {
    const space = erasures.clean(spaceOf(baseUrl, key));
    return { cache: openCache(disk, space), space };
  }

  function openSession({ credentials, client, limit, controller }: Access, { cache }: Kept): Session {
    const lookup = createLookup(client, {
      cache,
      serviceFacts: openCache(disk, serviceSpace(credentials.baseUrl)).documents,
      readBody,
      maxAgeMs: answerAgeMs,
      delay: dependencies.delay,
      others: heldAnswers && {
        mayBe: () => notices.hold !== null,
        async *before(asks, results) {
          yield* (await hold.look()) ? (await heldAnswers())(asks, results) : results;
        },
      },
      onOldAnswers(oldAnswers) {
        const isOver = controller.signal.aborted;
        if (!isOver && (oldAnswers ?? notices.oldAnswers)) notice({ oldAnswers });
      },
    });
    /** Collection runs. Their script is loaded with the first collection. */
    let runs: Promise<CollectionRuns> | undefined;
    const loadRuns = async () => {
      const { createCollectionRuns } = await import("./engine/lookup/collections/collection-runs");
      const { answers, old, delay } = lookup;
      return createCollectionRuns({ client, old, learn: answers.learn, maxAgeMs: answerAgeMs, delay });
    };
    const collectionRuns: CollectionRuns = {
      async read(...asked) {
        runs ??= loadRuns();
        // A script that could not be loaded is loaded again the next time.
        const loaded = await runs.catch((failure: unknown) => {
          runs = undefined;
          throw failure;
        });
        return loaded.read(...asked);
      },
    };
    const { documents } = cache;
    return {
      id: crypto.randomUUID(),
      credentials,
      client,
      lookup,
      collectionRuns,
      documents,
      limit,
      closed: controller.signal,
    };
  }

  /**
   * Ends the running session and begins the next, if there is one. With the same key, the fetched data goes on unless `clears`; with
   * another key, it is erased unless `keepsLast`. Resolves to false if something could be neither erased nor noted.
   */
  function change(next: Access | null, clears = false, keepsLast = false): Promise<boolean> {
    const last = running;
    last?.controller.abort();
    const goesOn = last && next && !clears && isSame(last.credentials, next.credentials);
    let isDone = Promise.resolve(true);
    if (last && !goesOn) {
      // Waits for the writes under way, which would otherwise come after a later erasure.
      isDone = keepsLast ? last.cache.flushed().then(() => true) : forgetSpace(last);
    }
    running = null;
    if (next) {
      const { cache, space } = goesOn ? last : openKept(next.credentials);
      running = { ...next, cache, space, session: openSession(next, { cache, space }) };
    }
    if (notices.oldAnswers || notices.connected) notice({ oldAnswers: null, connected: null });
    sessions.tell();
    return isDone;
  }

  function forgetSpace({ cache, space }: Kept): Promise<boolean> {
    // A space without a name was in memory only.
    void space.then(dependencies.others?.tellForgotten, () => undefined);
    return erasures.erase(cache, space);
  }

  /**
   * Ends the session with a key that another workbook has forgotten, cleared or replaced. The next call reads which connection is kept now.
   */
  async function endForgotten(forgotten: string): Promise<void> {
    await reading?.catch(() => undefined);
    if (running && (await running.space.catch(() => undefined)) === forgotten)
      await endRunning(running.controller, forgotten);
  }
  dependencies.others?.onForgotten((space) => void endForgotten(space));

  /** Ends the running session, because its key is no longer kept, and erases the data that it may have written since. */
  async function endRunning(controller: AbortController, forgotten?: string): Promise<void> {
    const last = running;
    if (last?.controller !== controller) return;
    controller.abort();
    void erasures.erase(last.cache, last.space);
    running = undefined;
    reading = undefined;
    if (notices.oldAnswers) notice({ oldAnswers: null });
    sessions.tell();
    await readKept(forgotten).catch(() => undefined);
  }

  /**
   * Reads the kept connection. A browser may tell of a forgotten space before this process sees that the connection is gone from the
   * storage, so it looks again a few times.
   */
  async function readOnceGone(forgotten: string | undefined): Promise<Credentials | null> {
    let kept = await settings.read();
    for (const pauseMs of staleStorageMs) {
      if (!kept || forgotten === undefined || (await spaceOf(kept.baseUrl, kept.key)) !== forgotten) break;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      kept = await settings.read();
    }
    return kept;
  }

  /** The connections that the user has named, and the active one. */
  async function keptConnections(active: Credentials | null): Promise<Credentials[]> {
    // No answer waits for these.
    const { createConnections } = await import("./settings/named-connections");
    const named = createConnections(dependencies.storage);
    await named.read();
    return [...named.current(), ...(active ? [active] : [])].map(({ baseUrl, key }) => {
      const parsed = parseBaseUrl(baseUrl);
      return { baseUrl: "baseUrl" in parsed ? parsed.baseUrl : baseUrl, key };
    });
  }

  async function isKept(credentials: Credentials): Promise<boolean> {
    return (await keptConnections(await settings.read())).some((kept) => isSame(kept, credentials));
  }

  /**
   * Erases spaces that belong to no kept connection. Another workbook may have gone on writing under a key that was forgotten here, if the
   * browser could not tell it.
   */
  async function eraseUnkept(active: Credentials | null) {
    const kept = await keptConnections(active);
    const spaces = new Set(
      await Promise.all(kept.flatMap(({ baseUrl, key }) => [spaceOf(baseUrl, key), serviceSpace(baseUrl)])),
    );
    for (const space of await disk.spaces()) if (!spaces.has(space)) await disk.clear(space);
  }

  /** Reads the kept connection. A failure is not remembered, so the next call reads again. */
  function readKept(forgotten?: string): Promise<void> {
    reading ??= withTimeout(
      Promise.all([readOnceGone(forgotten), preferenceSettings.read(), erasures.resume()]),
      config.startPatienceMs,
      () => new Failure("timeout"),
    ).then(
      ([kept, keptPreferences]) => {
        preferences = keptPreferences;
        // An address that a key may not go to counts as none, whoever stored it. The parsed address is used: with blanks in front, a
        // browser would take the stored text for a path of the add-in's own host.
        const url = kept && usableUrl(kept.baseUrl);
        void change(kept && url && "baseUrl" in url ? openAccess({ ...url, key: kept.key }) : null);
        // If the kept connections can't be read, nothing is erased.
        void eraseUnkept(kept).catch(() => undefined);
      },
      (cause: unknown) => {
        reading = undefined;
        storageFailed(cause);
      },
    );
    return reading;
  }

  /** The access that address and key give, after the service has accepted them. */
  async function checkedAccess(address: string, key: string) {
    const parsed = usableUrl(address);
    if ("problem" in parsed) throw new Failure("invalid-address", { detail: parsed.problem });
    if (!isHeaderText(key.trim())) {
      throw new Failure("wrong-key", { detail: "It has characters that a key can't have." });
    }
    // The last connection must be known, so that its data can be erased.
    if (running === undefined) await readKept();
    const next = openAccess({ baseUrl: parsed.baseUrl, key: key.trim() });
    const { data } = await next.client.listAhjs({ page: 1, page_size: 1 }, { giveUpAtMs: Date.now() });
    return { next, jurisdictions: data.pagination.total };
  }

  async function session(): Promise<Session> {
    if (running === undefined) await readKept();
    if (!running) throw new Failure("no-key");
    return running.session;
  }

  async function answer<Result>(
    work: (session: Session) => Promise<Result>,
    signal?: Pick<AbortSignal, "aborted">,
  ): Promise<Result> {
    for (;;) {
      const current = await session();
      const isOver = () => current.closed.aborted && !signal?.aborted;
      try {
        const result = await work(current);
        if (!isOver()) return result;
      } catch (failure) {
        if (!isOver()) throw failure;
      }
    }
  }

  const currentSession = () => (running ? running.session : running);
  const { lastKnown = () => Promise.resolve(null) } = dependencies;
  const formulas = createFormulaAsks({ currentSession, readKept, lastKnown });

  return {
    lastKnown,
    hold,
    setHold,
    session,
    currentSession,
    answer: (work, signal) => formulas.count(() => answer(work, signal)),
    ask: formulas.ask,
    idle: formulas.idle,
    onIdle: formulas.onIdle,
    async connect(address, key, keepsLast) {
      const { next, jurisdictions } = await checkedAccess(address, key);
      await settings.write(next.credentials).catch(storageFailed);
      const isErased = await change(next, false, keepsLast);
      notice({ connected: { jurisdictions } });
      if (!isErased) storageFailed();
    },
    check: async (address, key) => (await checkedAccess(address, key)).next.credentials,
    async forget(other) {
      if (running === undefined) await readKept();
      const kept = other && openKept(other);
      // Another workbook may have connected with these credentials.
      const stored = other && (await settings.read().catch(storageFailed));
      if (!other || (stored && isSame(stored, other))) await settings.forget().catch(storageFailed);
      if (!(await (kept ? forgetSpace(kept) : change(null)))) storageFailed();
    },
    async clear() {
      const { credentials } = await session();
      if (!(await change(openAccess(credentials, running), true))) storageFailed();
    },
    onSessionChange: sessions.add,
    storage: dependencies.storage,
    presetService,
    hasExcelApi: dependencies.hasExcelApi ?? (() => false),
    hasDataTypes: dependencies.hasDataTypes ?? (() => false),
    learnDates: async () => {
      if (!dateSystem.isKnown) await dependencies.learnDates?.();
    },
    preferences: () => preferences,
    answerAgeMs,
    askAnew(work) {
      const fromMs = Date.now();
      refreshesFromMs.push(fromMs);
      return work().finally(() => refreshesFromMs.splice(refreshesFromMs.indexOf(fromMs), 1));
    },
    async setPreferences(next) {
      await preferenceSettings.write(next).catch(storageFailed);
      preferences = next;
    },
    notices: () => notices,
    onNoticesChange: noticing.add,
    tellConnected: (connected) => notices.connected && notice({ connected }),
  };
}

function storageFailed(cause?: unknown): never {
  throw new Failure("storage-failed", { cause });
}

function isSame(one: Credentials, other: Credentials): boolean {
  return one.baseUrl === other.baseUrl && one.key === other.key;
}

/** True if a text fits into a header: printable ASCII. A key copied from a document may have a typographic hyphen. */
function isHeaderText(text: string): boolean {
  return /^[!-~]+$/.test(text);
}

let started: App | undefined;

/** Creates the app that formulas and pane share. */
export function startApp(dependencies: AppDependencies): App {
  started = createApp(dependencies);
  return started;
}

export function runningApp(): App {
  if (!started) throw new Error("startApp has not been called");
  return started;
}
