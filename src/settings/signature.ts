import type { Connection, UserStorage } from "./connection";
import { isSameConnection, withActive } from "./connection-list";
import type { NamedConnection } from "./named-connections";
import { holdsOfKey } from "../key-forms";
import { createKeptItem, type KeptItem } from "./kept-item";

/** True if a refreshed import may name this user's connection in the workbook, where colleagues read it. Default: false. */
export function createSignature(storage: UserStorage): KeptItem<boolean> {
  return createKeptItem(storage, "regdata.signature", {
    parse: (text) => text === "yes",
    text: (mayTell) => (mayTell ? "yes" : "no"),
  });
}

/** The name of the active connection; undefined if the name holds a key, or a part of one, by mistake. */
export function signatureOf(connections: readonly NamedConnection[], active: Connection): string | undefined {
  const all = withActive(connections, active);
  const name = all.find((one) => isSameConnection(one, active))?.name;
  return name !== undefined && all.some(({ key }) => holdsOfKey(name, key)) ? undefined : name;
}
