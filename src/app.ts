import { createClient, type Client } from "./api/client";
import { Failure } from "./errors";
import { config } from "./config";
import { createLookup, type Lookup, type Value } from "./lookup/lookup";
import { createConnectionSettings, type UserStorage } from "./settings/connection";
import { createWorkbook, type Workbook } from "./sheet/workbook";
import { parseBaseUrl } from "./transport/base-url";
import { createTransport, type Credentials } from "./transport/transport";

/** One service as one key sees it. Nothing that it holds is ever shown to another key. */
export interface Session {
  /** Tells it from every other session. */
  id: string;
  credentials: Credentials;
  client: Client;
  lookup: Lookup;
  /** Aborted when the key is forgotten or replaced: every request under way ends. */
  closed: AbortSignal;
}

export interface App {
  workbook: Workbook;
  /**
   * The running session; waits until the kept connection is read. Fails with no-key where there is none, with
   * storage-failed where it can't be read; the next call reads again.
   */
  session(): Promise<Session>;
  /** The same without waiting: undefined until the kept connection has been read, null where there is none. */
  currentSession(): Session | null | undefined;
  /** The answer for one cell. Should the key change meanwhile, the new one is asked. */
  value(geoid: string, typeId: number, signal?: AbortSignal): Promise<Value>;
  /** Checks address and key against the service, then keeps them. */
  connect(address: string, key: string): Promise<void>;
  /** Forgets the key and all that was fetched with it, and stops what is under way. */
  forget(): Promise<void>;
  /** Calls back whenever the session changes; returns how to stop. */
  onSessionChange(listener: () => void): () => void;
}

/** The outside world, handed in. */
export interface AppDoors {
  fetch: typeof fetch;
  storage: UserStorage;
  excel: () => typeof Excel;
}

export function createApp(doors: AppDoors): App {
  const settings = createConnectionSettings(doors.storage);
  const listeners = new Set<() => void>();
  let current: Session | null | undefined;
  let close = () => {};
  let reading: Promise<void> | undefined;

  function openSession(credentials: Credentials) {
    const controller = new AbortController();
    const client = createClient(
      createTransport(credentials, { fetch: doors.fetch, signal: controller.signal }),
    );
    const session = {
      id: crypto.randomUUID(),
      credentials,
      client,
      lookup: createLookup(client),
      closed: controller.signal,
    };
    return { session, close: () => controller.abort() };
  }

  function change(next: ReturnType<typeof openSession> | null) {
    close();
    current = next ? next.session : null;
    close = next ? next.close : () => {};
    for (const listener of listeners) listener();
  }

  /** A failure is not remembered: the next who asks reads again. */
  function readKept(): Promise<void> {
    reading ??= withPatience(settings.read(), config.startPatienceMs).then(
      (kept) => {
        // An address that a key may not go to is none, whoever stored it.
        const isUsable = kept !== null && "baseUrl" in parseBaseUrl(kept.baseUrl);
        // Whoever connected meanwhile knows better than what was kept.
        if (current === undefined) change(isUsable ? openSession(kept) : null);
      },
      (cause: unknown) => {
        reading = undefined;
        throw new Failure("storage-failed", { cause });
      },
    );
    return reading;
  }

  async function session(): Promise<Session> {
    if (current === undefined) await readKept();
    if (!current) throw new Failure("no-key");
    return current;
  }

  return {
    workbook: createWorkbook(doors.excel),
    session,
    currentSession: () => current,
    async value(geoid, typeId, signal) {
      for (;;) {
        const { lookup, closed } = await session();
        try {
          return await lookup.value(geoid, typeId, signal);
        } catch (failure) {
          if (!closed.aborted || signal?.aborted) throw failure;
        }
      }
    },
    async connect(address, key) {
      const parsed = parseBaseUrl(address);
      if ("problem" in parsed) throw new Failure("invalid-address", { detail: parsed.problem });
      if (!isHeaderText(key.trim())) {
        throw new Failure("wrong-key", { detail: "It has characters that no key has." });
      }
      const next = openSession({ baseUrl: parsed.baseUrl, key: key.trim() });
      await next.session.client.listAhjs({ page: 1, page_size: 1 }, { giveUpAtMs: Date.now() });
      await settings.write(next.session.credentials).catch((cause: unknown) => {
        throw new Failure("storage-failed", { cause });
      });
      change(next);
    },
    async forget() {
      await settings.forget().catch((cause: unknown) => {
        throw new Failure("storage-failed", { cause });
      });
      change(null);
    },
    onSessionChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What fits into a header: printable ASCII. A key copied from a document may have a typographic hyphen. */
function isHeaderText(text: string): boolean {
  return /^[!-~]+$/.test(text);
}

function withPatience<Result>(promise: Promise<Result>, patienceMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Failure("timeout")), patienceMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

let running: App | undefined;

/** Makes the app that formulas and pane share. */
export function startApp(doors: AppDoors): App {
  running = createApp(doors);
  return running;
}

export function runningApp(): App {
  if (!running) throw new Error("startApp has not been called");
  return running;
}
