import { parseUrl } from "../url";
import type { Connection } from "./connection";
import type { NamedConnection } from "./named-connections";

export const mostConnections = 20;

/** Adds a connection, or gives one of the same address and key another name. */
export function withConnection(
  connections: readonly NamedConnection[],
  added: NamedConnection,
): readonly NamedConnection[] {
  return connections.some((one) => isSameConnection(one, added))
    ? connections.map((one) => (isSameConnection(one, added) ? added : one))
    : [...connections, added];
}

/** Renames a connection if it is still in the list, with a number after the name if another connection has it. */
export function renamed(
  connections: readonly NamedConnection[],
  { baseUrl, key }: Connection,
  name: string,
): readonly NamedConnection[] {
  const connection = { name: freeName(without(connections, { baseUrl, key }), name), baseUrl, key };
  return connections.some((one) => isSameConnection(one, connection))
    ? withConnection(connections, connection)
    : connections;
}

/** Adds the active connection if the list lacks it, named by its host. */
export function withActive(
  connections: readonly NamedConnection[],
  { baseUrl, key }: Connection,
): readonly NamedConnection[] {
  const active = { name: freeName(connections, hostOf(baseUrl)), baseUrl, key };
  return connections.some((one) => isSameConnection(one, active)) ? connections : [active, ...connections];
}

/**
 * Puts a connection in the place of another, and takes it out of its own place if it was in the list already. The one that it replaces was
 * shown first if the list lacked it.
 */
export function withReplaced(
  connections: readonly NamedConnection[],
  old: NamedConnection,
  added: NamedConnection,
): readonly NamedConnection[] {
  const isThere = connections.some((one) => isSameConnection(one, old));
  return (isThere ? connections : [old, ...connections]).flatMap((one) =>
    isSameConnection(one, old) ? [added] : isSameConnection(one, added) ? [] : [one],
  );
}

export function without(
  connections: readonly NamedConnection[],
  removed: Connection,
): readonly NamedConnection[] {
  return connections.filter((one) => !isSameConnection(one, removed));
}

/** The name, with a number after it if another connection has it. */
export function freeName(connections: readonly NamedConnection[], name: string): string {
  const isTaken = (candidate: string) => connections.some((one) => one.name === candidate);
  let free = name;
  for (let number = 2; isTaken(free); number += 1) free = `${name} ${number}`;
  return free;
}

export function isSameConnection(one: Connection, other: Connection): boolean {
  return one.baseUrl === other.baseUrl && one.key === other.key;
}

/** The host of the service's address. */
export function hostOf(baseUrl: string): string {
  return parseUrl(baseUrl)?.host ?? baseUrl;
}
