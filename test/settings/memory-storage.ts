import type { UserStorage } from "../../src/settings/connection";

/** A user's storage that lasts as long as the test. */
export function memoryStorage(initial: Record<string, string> = {}): UserStorage {
  const items = new Map(Object.entries(initial));
  return {
    getItem: (key) => Promise.resolve(items.get(key) ?? null),
    setItem: (key, value) => Promise.resolve(void items.set(key, value)),
    removeItem: (key) => Promise.resolve(void items.delete(key)),
  };
}
