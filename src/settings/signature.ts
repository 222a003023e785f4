import type { Connection, UserStorage } from "./connection";
import { isSameConnection, type NamedConnection, withActive } from "./connections";
import { createKeptItem, type KeptItem } from "./kept-item";

/** Whether a refreshed import may name this user's connection in the workbook, where colleagues read it. Default: no. */
export function createSignature(storage: UserStorage): KeptItem<boolean> {
  return createKeptItem(storage, "regdata.signature", {
    parse: (text) => text === "yes",
    text: (mayTell) => (mayTell ? "yes" : "no"),
  });
}

/** The name of the active connection; undefined for one that a key was taken for by mistake. */
export function signatureOf(connections: readonly NamedConnection[], active: Connection): string | undefined {
  const all = withActive(connections, active);
  const name = all.find((one) => isSameConnection(one, active))?.name;
  return all.some(({ key }) => name?.includes(key)) ? undefined : name;
}
