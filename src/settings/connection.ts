import * as z from "../zod";
import { parseJson } from "./json";

/** The service's address, and the key for it. */
export interface Connection {
  baseUrl: string;
  key: string;
}

/** The storage of one user on one device, see createUserStorage. Never the workbook. */
export interface UserStorage {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
}

/** The connection's name in the storage. The workbench writes a first connection there. */
export const connectionStorageKey = "regdata.connection";

const storedConnection = z.object({ version: z.literal(1), baseUrl: z.string(), key: z.string() });

export interface ConnectionSettings {
  /** The kept connection; null if there is none, or if it can't be read. */
  read(): Promise<Connection | null>;
  write(connection: Connection): Promise<void>;
  forget(): Promise<void>;
}

export function createConnectionSettings(
  storage: UserStorage,
  name = connectionStorageKey,
): ConnectionSettings {
  return {
    async read() {
      const stored = await storage.getItem(name);
      const parsed = storedConnection.safeParse(parseJson(stored ?? ""));
      return parsed.success ? { baseUrl: parsed.data.baseUrl, key: parsed.data.key } : null;
    },
    write: (connection) => storage.setItem(name, storedForm(connection)),
    forget: () => storage.removeItem(name),
  };
}

/** A connection as it is stored. */
export function storedForm({ baseUrl, key }: Connection): string {
  return JSON.stringify({ version: 1, baseUrl, key });
}
