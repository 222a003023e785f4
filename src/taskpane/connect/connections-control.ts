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
  without,
} from "../../settings/connection-list";
import type { NamedConnection } from "../../settings/named-connections";
import type { Readable } from "../jobs/jobs";
import type { PaneApp } from "../pane-app";

export interface ConnectionsState {
  /** The stored connections, and the active one even if it is not stored. */
  list: readonly NamedConnection[];
  active: Connection | undefined;
  /** The connection that is just being checked. */
  checked: NamedConnection | undefined;
  /** The reason why the stored connections could not be read. */
  unread: Failure | undefined;
  failure: Failure | undefined;
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
   * Replaces the key of a connection, which keeps its service and name; the old key is forgotten. Fails if the service does not accept the
   * new one.
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
    await kept.change((before) => withActive(before, active));
  }

  async function connect({ baseUrl, key }: Connection) {
    await keepActive();
    await app.connect(baseUrl, key, true);
  }

  async function act(work: () => Promise<void>) {
    change({ failure: undefined });
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
      await connect({ baseUrl: address, key });
      const { baseUrl, key: keptKey } = (await app.session()).credentials;
      await kept.change((before) => {
        const connection = { baseUrl, key: keptKey };
        const known = before.find((one) => isSameConnection(one, connection));
        const wanted = name.trim() || known?.name || hostOf(baseUrl);
        return withConnection(before, { ...connection, name: freeName(without(before, connection), wanted) });
      });
    },
    use: (connection) =>
      act(async () => {
        change({ checked: connection });
        await connect(connection).finally(() => change({ checked: undefined }));
      }),
    async replaceKey(connection, key) {
      const wasActive = isActive(connection);
      let notErased: unknown;
      await (wasActive ? app.connect(connection.baseUrl, key) : connect({ ...connection, key })).catch(
        (thrown: unknown) => {
          // The new key is in use, although the data of the old one could not be erased.
          if (app.currentSession()?.credentials.key !== key.trim()) throw thrown;
          notErased = thrown;
        },
      );
      const { credentials } = await app.session();
      await kept.change((before) =>
        withConnection(without(before, connection), { ...credentials, name: connection.name }),
      );
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
