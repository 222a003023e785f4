import { useState, useSyncExternalStore } from "react";
import type { Session } from "../../app";
import { asFailure, type Failure } from "../../errors";
import { createConnectionSettings } from "../../settings/connection";
import {
  freeName,
  hostOf,
  isSameConnection,
  type NamedConnection,
  renamed,
  withActive,
  withConnection,
  without,
} from "../../settings/named-connections";
import type { ConnectionEntry } from "../connect/ConnectForm";
import type { PaneApp } from "../pane-app";
import { useLoad } from "../ui/use-load";

/** The user's connections, and what can be done with them. */
export function useConnections(app: PaneApp, session: Session | null) {
  const { connections: kept } = app;
  const { failure: unread, retry } = useLoad(kept.read);
  const stored = useSyncExternalStore(kept.onChange, kept.current);
  const [failure, setFailure] = useState<Failure>();
  /** The one that is just being checked. */
  const [checked, setChecked] = useState<NamedConnection>();

  const active = session?.credentials;
  const list = active ? withActive(stored, active) : stored;
  const isActive = (connection: NamedConnection) => !!active && isSameConnection(connection, active);

  /** The active one as well: its key would be lost with the change to another. Not one that was forgotten elsewhere. */
  async function keepActive() {
    const stored = await createConnectionSettings(app.storage).read();
    if (!active || !stored || !isSameConnection(stored, active)) return;
    await kept.change((before) => withActive(before, active));
  }

  async function connect({ baseUrl, key }: { baseUrl: string; key: string }) {
    await keepActive();
    await app.connect(baseUrl, key, true);
  }

  const act = async (work: () => Promise<void>) => {
    setFailure(undefined);
    try {
      await work();
    } catch (thrown) {
      setFailure(asFailure(thrown));
    }
  };

  return {
    list,
    isActive,
    /** Whether it is of the service that a build has fixed, where one is. */
    isUsable: ({ baseUrl }: NamedConnection) =>
      !app.presetService?.isFixed || app.presetService.baseUrl === baseUrl,
    checked,
    unread,
    retry,
    failure,
    /** Fails where the service does not accept it: nothing is changed then. */
    async add({ name, address, key }: ConnectionEntry) {
      await connect({ baseUrl: address, key });
      const { baseUrl, key: keptKey } = (await app.session()).credentials;
      await kept.change((before) => {
        const connection = { baseUrl, key: keptKey };
        const known = before.find((one) => isSameConnection(one, connection));
        const wanted = name.trim() || known?.name || hostOf(baseUrl);
        return withConnection(before, { ...connection, name: freeName(without(before, connection), wanted) });
      });
    },
    use: (connection: NamedConnection) =>
      act(async () => {
        setChecked(connection);
        await connect(connection).finally(() => setChecked(undefined));
      }),
    /** Another key to the same service, under the same name; the old one is forgotten. Fails where the service does not accept it. */
    async replaceKey(connection: NamedConnection, key: string) {
      const wasActive = isActive(connection);
      await (wasActive ? app.connect(connection.baseUrl, key) : connect({ ...connection, key }));
      const { credentials } = await app.session();
      await kept.change((before) =>
        withConnection(without(before, connection), { ...credentials, name: connection.name }),
      );
      // The session that has ended was forgotten with it.
      if (!wasActive) await app.forget(connection);
    },
    rename: (connection: NamedConnection, name: string) =>
      act(async () => {
        if (isActive(connection)) await keepActive();
        await kept.change((before) => renamed(before, connection, name));
      }),
    forget: (connection: NamedConnection) =>
      act(async () => {
        await kept.change((before) => without(before, connection));
        await (isActive(connection) ? app.forget() : app.forget(connection));
      }),
  };
}
