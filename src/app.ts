import { createListeners } from "./async/listeners";
import { withTimeout } from "./async/timeout";
import { createClient, type Client } from "./engine/api/client";
import type { DocumentCache } from "./engine/cache/answer-cache";
import { type Cache, openCache } from "./engine/cache/cache";
import { createBrowserDisk } from "./engine/cache/browser-store";
import type { Disk } from "./engine/cache/store";
import { createErasures } from "./engine/cache/erasures";
import { serviceSpace, spaceOf } from "./engine/cache/space";
import { Failure } from "./errors";
import { config } from "./config";
import type { CollectionRuns } from "./engine/lookup/collections/collection-runs";
import { createMatrixReader } from "./engine/lookup/answers/matrix-reader";
import { type AskOptions, createLookup, type Found, type Lookup, type Wants } from "./engine/lookup/lookup";
import type { OldAnswers } from "./engine/lookup/old-answers";
import { createConnections } from "./settings/named-connections";
import { createConnectionSettings, type UserStorage } from "./settings/connection";
import { createForgottenSpaces } from "./settings/forgotten";
import type { OtherWorkbooks } from "./settings/other-workbooks";
import { type PresetService, presetService as presetServiceOfBuild } from "./settings/preset-service";
import { createPreferenceSettings, defaultPreferences, type Preferences } from "./settings/preferences";
import { parseBaseUrl } from "./engine/transport/base-url";
import { createTransport, type Credentials, type Transport } from "./engine/transport/exchange";

/** One service as one key sees it. Nothing that it holds is ever shown to another key. */
export interface Session {
  /** Tells it from every other session. */
  id: string;
  credentials: Credentials;
  client: Client;
  lookup: Lookup;
  collectionRuns: CollectionRuns;
  /** Keeps texts of whatever is kept for this key, on disk where there is one. */
  documents: DocumentCache;
  /** What is left of the request limit. */
  limit: Transport["limit"];
  /** Aborted when the key is forgotten or replaced: every request under way ends. */
  closed: AbortSignal;
}

export interface App {
  /**
   * The running session; waits until the kept connection is read. Fails with no-key where there is none, with
   * storage-failed where it can't be read; the next call reads again.
   */
  session(): Promise<Session>;
  /** The same without waiting: undefined until the kept connection has been read, null where there is none. */
  currentSession(): Session | null | undefined;
  /**
   * Works something out for a formula with the running session. Should the key change meanwhile, it is worked out
   * anew with the next one: no answer to the old key is given after it was forgotten.
   */
  answer<Result>(work: (session: Session) => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /**
   * What a formula wants, in the same way; without a key, what the workbook brings along. `wants` is called when
   * connection and preferences are known.
   */
  ask(wants: () => Wants, options: AskOptions): Promise<Found>;
  /** Settles when no formula waits for an answer, with how many have asked so far. */
  idle(): Promise<number>;
  /**
   * Checks address and key against the service, then keeps them; fails with invalid-address for any other than the one
   * that a build has fixed. What was fetched with the last key is erased unless
   * `keepsLast`: it then stays on disk for whoever connects with that key again.
   */
  connect(address: string, key: string, keepsLast?: boolean): Promise<void>;
  /**
   * Forgets the key and all that was fetched with it, and stops what is under way; the same of other credentials than
   * the running ones, which go on. What can't be erased now is erased at the next start; fails with storage-failed
   * where not even that can be noted.
   */
  forget(other?: Credentials): Promise<void>;
  /** Erases all that was fetched with the running key, as `forget` does, and goes on with it in a new session. */
  clear(): Promise<void>;
  /** Calls back whenever the session changes; returns how to stop. */
  onSessionChange(listener: () => void): () => void;
  preferences(): Preferences;
  /** How old an answer may be now, to be given without asking. */
  answerAgeMs(): number;
  /** For as long as the work lasts, answers that were fetched before it began count as old: formulas ask anew. */
  askAnew<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Keeps them for this user on this device. */
  setPreferences(preferences: Preferences): Promise<void>;
  /** What the user keeps on this device. */
  storage: UserStorage;
  presetService: PresetService | null;
  /** Whether the host has this version of the requirement set ExcelApi, such as "1.16". */
  hasExcelApi(version: string): boolean;
  /** Whether custom functions may give Excel data types, such as cards: the host knows them there, and the build declares them. */
  hasDataTypes(): boolean;
  /** What the user should know besides; the same object until something changes. */
  notices(): Notices;
  onNoticesChange(listener: () => void): () => void;
  /** The user has read what the key covers. */
  seenConnected(): void;
}

export interface Notices {
  /** Nothing can be kept on this device, so a restart asks again. */
  isMemoryOnly: boolean;
  /** Cells show old answers, because the service could not be asked. */
  oldAnswers: OldAnswers | null;
  /** The user has just connected: what the key covers. */
  connected: { jurisdictions: number } | null;
}

/** The outside world, handed in. */
export interface AppDoors {
  fetch: typeof fetch;
  storage: UserStorage;
  /** The build's, if nothing else is handed in. */
  presetService?: PresetService | null | undefined;
  /** Where answers are kept: the browser's IndexedDB, if nothing else is handed in. */
  openDisk?: ((onFailure: () => void) => Disk) | undefined;
  /** With them, the workbooks of one browser take turns. */
  locks?: Pick<LockManager, "request"> | undefined;
  /** The other workbooks of this browser. Default: there are none. */
  others?: OtherWorkbooks | undefined;
  /** Starts the worker that reads large answers. Default: they are read in this thread. */
  startWorker?: (() => Worker) | undefined;
  /** Waits some milliseconds, even where timers are slowed. */
  moment?: ((ms: number) => Promise<void>) | undefined;
  /** Whether the host has a version of the requirement set ExcelApi. Default: no. */
  hasExcelApi?: ((version: string) => boolean) | undefined;
  /** See App. Default: no. */
  hasDataTypes?: (() => boolean) | undefined;
  /** What the workbook's author let travel; null where that is nothing. Asked only while there is no key. */
  withoutKey?: ((wants: Wants) => Promise<Found | null>) | undefined;
}

/** The way to a service with a key, good or not. */
interface Access {
  credentials: Credentials;
  client: Client;
  limit: Transport["limit"];
  allowance: Transport["allowance"];
  controller: AbortController;
}

/** Where the answers to one key are kept. */
interface Kept {
  cache: Cache;
  space: Promise<string>;
}

interface Running extends Access, Kept {
  session: Session;
}

/** How long the storage is looked at again, in case it does not show yet what another workbook has forgotten. */
const staleStorageMs = [50, 200, 800];

export function createApp(doors: AppDoors): App {
  const settings = createConnectionSettings(doors.storage);
  const preferenceSettings = createPreferenceSettings(doors.storage);
  const readBody = createMatrixReader(doors.startWorker);
  const sessions = createListeners();
  const noticing = createListeners();
  const idling = createListeners();
  let waitingFormulas = 0;
  let formulasAsked = 0;
  let freshFromMs = 0;
  let preferences = defaultPreferences;
  let notices: Notices = { isMemoryOnly: false, oldAnswers: null, connected: null };
  let running: Running | null | undefined;
  let reading: Promise<void> | undefined;

  const { openDisk = createBrowserDisk, presetService = presetServiceOfBuild } = doors;
  const disk = openDisk(() => notice({ isMemoryOnly: true }));
  const erasures = createErasures(disk, createForgottenSpaces(doors.storage));

  function notice(change: Partial<Notices>) {
    notices = { ...notices, ...change };
    noticing.tell();
  }

  /** The one address that keys may go to, where there is one. */
  const fixedUrl = presetService?.isFixed ? presetService.baseUrl : undefined;

  function usableUrl(address: string): ReturnType<typeof parseBaseUrl> {
    const parsed = parseBaseUrl(address);
    return "baseUrl" in parsed && parsed.baseUrl !== (fixedUrl ?? parsed.baseUrl)
      ? { problem: `This add-in connects to ${fixedUrl} alone.` }
      : parsed;
  }

  const answerAgeMs = () => Math.min(preferences.answerAgeMs, Date.now() - freshFromMs);

  function openAccess(credentials: Credentials, last?: Access | null): Access {
    const controller = new AbortController();
    let lookedAtMs = Date.now();
    /** Where the browser tells workbooks nothing of each other, a look before a request finds a key that was forgotten. */
    async function mustBeKept() {
      if (running?.controller !== controller || Date.now() - lookedAtMs < config.keptLookMs) return;
      lookedAtMs = Date.now();
      const look = withTimeout(isKept(credentials), config.keptLookPatienceMs, () => new Failure("timeout"));
      // Where it can't be told, the key counts as kept.
      if (!(await look.catch(() => true))) await endRunning(controller);
    }
    const fetchWhileKept: typeof doors.fetch = async (...request) => {
      await mustBeKept();
      controller.signal.throwIfAborted();
      return doors.fetch(...request);
    };
    const transport = createTransport(credentials, {
      fetch: fetchWhileKept,
      signal: controller.signal,
      locks: doors.locks,
      lockName: spaceOf(credentials.baseUrl, credentials.key),
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
      moment: doors.moment,
      onOldAnswers(oldAnswers) {
        const isOver = controller.signal.aborted;
        if (!isOver && (oldAnswers ?? notices.oldAnswers)) notice({ oldAnswers });
      },
    });
    /** Their script comes with the first collection. */
    let runs: Promise<CollectionRuns> | undefined;
    const loadRuns = async () => {
      const { createCollectionRuns } = await import("./engine/lookup/collections/collection-runs");
      const { answers, moment } = lookup;
      return createCollectionRuns({ client, learn: answers.learn, maxAgeMs: answerAgeMs, moment });
    };
    const collectionRuns: CollectionRuns = {
      async read(...asked) {
        runs ??= loadRuns();
        // What could not be loaded is loaded anew the next time.
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
   * Ends what is under way. With the same key, what was fetched goes on unless it is cleared; with another, it is erased
   * unless the last is kept. False where something could not be erased or noted.
   */
  function change(next: Access | null, clears = false, keepsLast = false): Promise<boolean> {
    const last = running;
    last?.controller.abort();
    const goesOn = last && next && !clears && isSame(last.credentials, next.credentials);
    let isDone = Promise.resolve(true);
    if (last && !goesOn) {
      // What is still being written would come after a later erasure.
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
    void space.then(doors.others?.tellForgotten, () => undefined);
    return erasures.erase(cache, space);
  }

  /**
   * Another workbook has forgotten, cleared or replaced a key. A session with that key ends here as well; whoever asks next
   * reads which connection is kept now.
   */
  async function endForgotten(forgotten: string): Promise<void> {
    await reading?.catch(() => undefined);
    if (running && (await running.space.catch(() => undefined)) === forgotten)
      await endRunning(running.controller, forgotten);
  }
  doors.others?.onForgotten((space) => void endForgotten(space));

  /** Ends the running session, whose key is no longer kept, and erases what it may have written since. */
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

  /** A browser may tell of a forgotten space before this process sees that its connection is gone from the storage. */
  async function readOnceGone(forgotten: string | undefined): Promise<Credentials | null> {
    let kept = await settings.read();
    for (const pauseMs of staleStorageMs) {
      if (!kept || forgotten === undefined || (await spaceOf(kept.baseUrl, kept.key)) !== forgotten) break;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      kept = await settings.read();
    }
    return kept;
  }

  /** The connections whose names the user keeps, with the active one. */
  async function keptConnections(active: Credentials | null): Promise<Credentials[]> {
    const named = createConnections(doors.storage);
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
   * Erases what belongs to no kept connection: another workbook may have gone on writing under a key that was forgotten here,
   * where the browser told it nothing.
   */
  async function eraseUnkept(active: Credentials | null) {
    const kept = await keptConnections(active);
    const spaces = new Set(
      await Promise.all(kept.flatMap(({ baseUrl, key }) => [spaceOf(baseUrl, key), serviceSpace(baseUrl)])),
    );
    for (const space of await disk.spaces()) if (!spaces.has(space)) await disk.clear(space);
  }

  /** A failure is not remembered: the next who asks reads again. */
  function readKept(forgotten?: string): Promise<void> {
    reading ??= withTimeout(
      Promise.all([readOnceGone(forgotten), preferenceSettings.read(), erasures.resume()]),
      config.startPatienceMs,
      () => new Failure("timeout"),
    ).then(
      ([kept, keptPreferences]) => {
        preferences = keptPreferences;
        // An address that a key may not go to is none, whoever stored it. Used is what was parsed: with some blanks in front,
        // a browser would take the kept text for a path of the add-in's own host.
        const url = kept && usableUrl(kept.baseUrl);
        void change(kept && url && "baseUrl" in url ? openAccess({ ...url, key: kept.key }) : null);
        // Where it can't be read which connections are kept, all stays.
        void eraseUnkept(kept).catch(() => undefined);
      },
      (cause: unknown) => {
        reading = undefined;
        storageFailed(cause);
      },
    );
    return reading;
  }

  async function session(): Promise<Session> {
    if (running === undefined) await readKept();
    if (!running) throw new Failure("no-key");
    return running.session;
  }

  async function answer<Result>(
    work: (session: Session) => Promise<Result>,
    signal?: AbortSignal,
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

  const ask: App["ask"] = (wants, options) =>
    answer(({ lookup }) => lookup.ask(wants(), options), options.signal).catch(async (failure: unknown) => {
      const brought = running === null && (await doors.withoutKey?.(wants()).catch(() => null));
      // Whoever has connected meanwhile is answered with the key.
      if (running && brought !== false) return ask(wants, options);
      if (brought) return brought;
      throw failure;
    });

  async function asFormula<Result>(work: Promise<Result>): Promise<Result> {
    waitingFormulas += 1;
    formulasAsked += 1;
    try {
      return await work;
    } finally {
      waitingFormulas -= 1;
      if (waitingFormulas === 0) idling.tell();
    }
  }

  return {
    session,
    currentSession: () => (running ? running.session : running),
    answer: (work, signal) => asFormula(answer(work, signal)),
    ask: (wants, options) => asFormula(ask(wants, options)),
    idle: () =>
      new Promise((resolve) => {
        if (waitingFormulas === 0) return resolve(formulasAsked);
        const forget = idling.add(() => {
          forget();
          resolve(formulasAsked);
        });
      }),
    async connect(address, key, keepsLast) {
      const parsed = usableUrl(address);
      if ("problem" in parsed) throw new Failure("invalid-address", { detail: parsed.problem });
      if (!isHeaderText(key.trim())) {
        throw new Failure("wrong-key", { detail: "It has characters that a key can't have." });
      }
      // Only who knows what was kept can erase it.
      if (running === undefined) await readKept();
      const next = openAccess({ baseUrl: parsed.baseUrl, key: key.trim() });
      const { data } = await next.client.listAhjs({ page: 1, page_size: 1 }, { giveUpAtMs: Date.now() });
      await settings.write(next.credentials).catch(storageFailed);
      await change(next, false, keepsLast);
      notice({ connected: { jurisdictions: data.pagination.total } });
    },
    async forget(other) {
      if (running === undefined) await readKept();
      const kept = other && openKept(other);
      // Another workbook may have connected with it.
      const stored = other && (await settings.read().catch(storageFailed));
      if (!other || (stored && isSame(stored, other))) await settings.forget().catch(storageFailed);
      if (!(await (kept ? forgetSpace(kept) : change(null)))) storageFailed();
    },
    async clear() {
      const { credentials } = await session();
      if (!(await change(openAccess(credentials, running), true))) storageFailed();
    },
    onSessionChange: sessions.add,
    storage: doors.storage,
    presetService,
    hasExcelApi: doors.hasExcelApi ?? (() => false),
    hasDataTypes: doors.hasDataTypes ?? (() => false),
    preferences: () => preferences,
    answerAgeMs,
    askAnew(work) {
      freshFromMs = Date.now();
      return work().finally(() => (freshFromMs = 0));
    },
    async setPreferences(next) {
      await preferenceSettings.write(next).catch(storageFailed);
      preferences = next;
    },
    notices: () => notices,
    onNoticesChange: noticing.add,
    seenConnected: () => notice({ connected: null }),
  };
}

function storageFailed(cause?: unknown): never {
  throw new Failure("storage-failed", { cause });
}

function isSame(one: Credentials, other: Credentials): boolean {
  return one.baseUrl === other.baseUrl && one.key === other.key;
}

/** What fits into a header: printable ASCII. A key copied from a document may have a typographic hyphen. */
function isHeaderText(text: string): boolean {
  return /^[!-~]+$/.test(text);
}

let started: App | undefined;

/** Makes the app that formulas and pane share. */
export function startApp(doors: AppDoors): App {
  started = createApp(doors);
  return started;
}

export function runningApp(): App {
  if (!started) throw new Error("startApp has not been called");
  return started;
}
