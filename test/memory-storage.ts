import type { UserStorage } from "../src/settings/connection";

/** The user's storage, for as long as a test takes. */
export function memoryStorage(initial: Record<string, string> = {}): UserStorage {
  const items = new Map(Object.entries(initial));
  return {
    getItem: (key) => Promise.resolve(items.get(key) ?? null),
    setItem: (key, value) => Promise.resolve(void items.set(key, value)),
    removeItem: (key) => Promise.resolve(void items.delete(key)),
  };
}
