import { createClient, type Client } from "./api/client";
import { Failure } from "./errors";
import { createLookup, type Lookup } from "./lookup/lookup";
import {
  type Connection,
  type ConnectionSettings,
  createConnectionSettings,
  type UserStorage,
} from "./settings/connection";
import { createWorkbook, type Workbook } from "./sheet/workbook";
import { parseBaseUrl } from "./transport/base-url";
import { createTransport, type Credentials } from "./transport/transport";

/** One service as one key sees it. Nothing that it holds is ever shown to another key. */
export interface Session {
  credentials: Credentials;
  client: Client;
  lookup: Lookup;
}

export interface App {
  workbook: Workbook;
  /** The running session; waits until the kept connection is read. Fails with no-key where there is none. */
  session(): Promise<Session>;
  /** The same without waiting: undefined until the kept connection is read, null where there is none. */
  currentSession(): Session | null | undefined;
  /** Checks address and key against the service, then keeps them. Tells how many jurisdictions the key opens. */
  connect(address: string, key: string): Promise<{ jurisdictions: number }>;
  /** Forgets the key and all that was fetched with it. */
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
  let session: Session | null | undefined;

  function openSession(credentials: Credentials): Session {
    const client = createClient(createTransport(credentials, { fetch: doors.fetch }));
    return { credentials, client, lookup: createLookup(client) };
  }

  function change(next: Session | null) {
    session = next;
    for (const listener of listeners) listener();
  }

  const ready = readKept(settings).then((kept) => {
    // Whoever connected meanwhile knows better than what was kept.
    if (session === undefined) change(kept ? openSession(kept) : null);
  });

  return {
    workbook: createWorkbook(doors.excel),
    async session() {
      await ready;
      if (!session) throw new Failure("no-key");
      return session;
    },
    currentSession: () => session,
    async connect(address, key) {
      const parsed = parseBaseUrl(address);
      if ("problem" in parsed) throw new Failure("invalid-request", { detail: parsed.problem });
      const next = openSession({ baseUrl: parsed.baseUrl, key: key.trim() });
      const { data } = await next.client.listAhjs({ page: 1, page_size: 1 });
      await settings.write(next.credentials);
      change(next);
      return { jurisdictions: data.pagination.total };
    },
    async forget() {
      await settings.forget();
      change(null);
    },
    onSessionChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A storage that can't be read leaves the user unconnected, not the formulas waiting. */
async function readKept(settings: ConnectionSettings): Promise<Connection | null> {
  try {
    return await settings.read();
  } catch {
    return null;
  }
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
