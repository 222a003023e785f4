import { createStore } from "zustand/vanilla";
import { asFailure, type Failure } from "../../errors";
import { type Connection, createConnectionSettings } from "../../settings/connection";
import {
  freeName,
  hostOf,
  isSameConnection,
  renamed,
  withActive,
  withConnection,
  withReplaced,
  without,
} from "../../settings/connection-list";
import type { NamedConnection } from "../../settings/named-connections";
import type { Readable } from "../jobs/jobs";
import type { PaneApp } from "../pane-app";
import { coverageName, coverageWords, keptCoverage, learnCoverage } from "./coverage";

export interface ConnectionsState {
  /** The stored connections, and the active one even if it is not stored. */
  list: readonly NamedConnection[];
  active: Connection | undefined;
  /** The connection that is just being checked. */
  checked: NamedConnection | undefined;
  /** The reason why the stored connections could not be read. */
  unread: Failure | undefined;
  failure: Failure | undefined;
  /** The names of the connection whose key was replaced last, and of the one that stayed in use meanwhile. */
  replaced: { name: string; inUse: string } | undefined;
}

export interface ConnectionsControl extends Readable<ConnectionsState> {
  /** Reads the stored connections, and follows changes of them and of the session; returns a function that stops it. */
  follow(): () => void;
  /** Reads the stored connections again. */
  retry(): void;
  isActive(connection: Connection): boolean;
  /** True unless the build fixes the service and this connection is to another one. */
  isUsable(connection: Connection): boolean;
  /** Connects and stores the connection. Fails if the service does not accept it; then nothing is changed. */
  add(entry: { name: string; address: string; key: string }): Promise<void>;
  use(connection: NamedConnection): Promise<void>;
  /**
   * Replaces the key of a connection, which keeps its service and name; the old key is forgotten. If another connection is in use, it stays
   * in use. Fails if the service does not accept the new key.
   */
  replaceKey(connection: NamedConnection, key: string): Promise<void>;
  rename(connection: NamedConnection, name: string): Promise<void>;
  forget(connection: NamedConnection): Promise<void>;
}

/** The user's connections, and the actions on them. */
export function createConnectionsControl(app: PaneApp): ConnectionsControl {
  const { connections: kept } = app;
  const store = createStore<ConnectionsState>(() => ({
    ...known(),
    checked: undefined,
    unread: undefined,
    failure: undefined,
    replaced: undefined,
  }));
  const { getState, setState: change } = store;

  function known() {
    const active = app.currentSession()?.credentials;
    const stored = kept.current();
    return { active, list: active ? withActive(stored, active) : stored };
  }

  function read() {
    change({ unread: undefined });
    kept.read().catch((thrown: unknown) => change({ unread: asFailure(thrown) }));
  }

  const isActive = (connection: Connection) => {
    const { active } = getState();
    return active !== undefined && isSameConnection(connection, active);
  };

  /**
   * Stores the active connection as well, because its key would be lost on connecting to another. Skips one that was forgotten elsewhere.
   */
  async function keepActive() {
    const { active } = getState();
    const stored = await createConnectionSettings(app.storage).read();
    if (!active || !stored || !isSameConnection(stored, active)) return;
    const documents = app.currentSession()?.documents;
    const covers = documents && (await keptCoverage(documents));
    await kept.change((before) =>
      withActive(before, active).map((one) =>
        covers !== undefined && covers !== one.covers && isSameConnection(one, active)
          ? { ...one, covers }
          : one,
      ),
    );
  }

  async function connect({ baseUrl, key }: Connection) {
    await keepActive();
    await app.connect(baseUrl, key, true);
  }

  /** Gives the active connection, which is named by its host, a name that tells its key from others. Without the states, it keeps its name. */
  async function nameByCoverage() {
    const session = app.currentSession();
    const { connected } = app.notices();
    if (!session || !connected) return;
    const coverage = await learnCoverage(session, connected.jurisdictions);
    const name = await coverageName(coverage).catch(() => undefined);
    if (name === undefined) return;
    const { credentials } = session;
    const covers = coverageWords(coverage);
    const isByHost = (one: NamedConnection) => one.name.startsWith(hostOf(credentials.baseUrl));
    await kept.change((before) =>
      before.map((one) =>
        isSameConnection(one, credentials) && isByHost(one)
          ? { ...one, covers, name: freeName(without(before, one), name) }
          : one,
      ),
    );
  }

  async function act(work: () => Promise<void>) {
    change({ failure: undefined, replaced: undefined });
    try {
      await work();
    } catch (thrown) {
      change({ failure: asFailure(thrown) });
    }
  }

  return {
    ...store,
    follow() {
      const update = () => change(known());
      const stops = [kept.onChange(update), app.onSessionChange(update)];
      update();
      read();
      return () => stops.forEach((stop) => stop());
    },
    retry: read,
    isActive,
    isUsable: ({ baseUrl }) => !app.presetService?.isFixed || app.presetService.baseUrl === baseUrl,
    async add({ name, address, key }) {
      change({ failure: undefined, replaced: undefined });
      await connect({ baseUrl: address, key });
      const { baseUrl, key: keptKey } = (await app.session()).credentials;
      await kept.change((before) => {
        const connection = { baseUrl, key: keptKey };
        const known = before.find((one) => isSameConnection(one, connection));
        const wanted = name.trim() || known?.name || hostOf(baseUrl);
        return withConnection(before, { ...connection, name: freeName(without(before, connection), wanted) });
      });
      if (name.trim() === "") await nameByCoverage();
    },
    use: (connection) =>
      act(async () => {
        change({ checked: connection });
        await connect(connection).finally(() => change({ checked: undefined }));
      }),
    async replaceKey(connection, key) {
      change({ failure: undefined, replaced: undefined });
      const wasActive = isActive(connection);
      const inUse = wasActive ? undefined : getState().list.find(isActive);
      let notErased: unknown;
      async function connectAnew() {
        await app.connect(connection.baseUrl, key).catch((thrown: unknown) => {
          // The new key is in use, although the data of the old one could not be erased.
          if (app.currentSession()?.credentials.key !== key.trim()) throw thrown;
          notErased = thrown;
        });
        return (await app.session()).credentials;
      }
      const credentials = await (inUse ? app.check(connection.baseUrl, key) : connectAnew());
      await kept.change((before) =>
        withReplaced(before, connection, { ...credentials, name: connection.name }),
      );
      if (inUse && !isSameConnection(inUse, credentials))
        change({ replaced: { name: connection.name, inUse: inUse.name } });
      // The session that has ended was forgotten already, and the key may be the same.
      if (!wasActive && !isSameConnection(connection, credentials)) await app.forget(connection);
      if (notErased) throw asFailure(notErased);
    },
    rename: (connection, name) =>
      act(async () => {
        if (isActive(connection)) await keepActive();
        await kept.change((before) => renamed(before, connection, name));
      }),
    forget: (connection) =>
      act(async () => {
        const wasActive = isActive(connection);
        await kept.change((before) => without(before, connection));
        await (wasActive ? app.forget() : app.forget(connection));
      }),
  };
}
