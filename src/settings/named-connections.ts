import * as z from "../zod";
import type { Connection, UserStorage } from "./connection";
import { parseJson } from "./json";
import { createKeptItem, type KeptItem } from "./kept-item";

/** A connection that the user may choose again. */
export interface NamedConnection extends Connection {
  name: string;
  /** The jurisdictions that the key covered when it was last in use, in words. */
  covers?: string | undefined;
}

const storedConnections = z.object({
  version: z.literal(1),
  connections: z.array(
    z.object({ name: z.string(), baseUrl: z.string(), key: z.string(), covers: z.optional(z.string()) }),
  ),
});

/** The user's connections on this device, each address and key once. The active one is kept elsewhere. */
export function createConnections(storage: UserStorage): KeptItem<readonly NamedConnection[]> {
  return createKeptItem(storage, "regdata.connections", {
    parse(text) {
      const parsed = storedConnections.safeParse(parseJson(text));
      return parsed.success ? parsed.data.connections : [];
    },
    text: (connections) => JSON.stringify({ version: 1, connections }),
  });
}
