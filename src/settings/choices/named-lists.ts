import { createSerial } from "../../async/serial";
import * as z from "../../zod";
import type { UserStorage } from "../connection";
import { parseJson } from "../json";

/** A user's own lists of one kind, by name, on this device or in a workbook. Every call fails if the storage fails. */
export interface NamedLists<List> {
  /** Empty if no lists are stored, or if the stored text makes no sense. */
  read(): Promise<List[]>;
  /**
   * Adds a list, in place of one with the same name in any case. Returns the stored lists afterwards, unchanged if there would be too many.
   */
  save(list: List): Promise<List[]>;
  /** Returns the stored lists afterwards. */
  remove(name: string): Promise<List[]>;
}

export const mostNamedLists = 50;

/** `field` is the name of the lists in the stored object. */
export function createNamedLists<List extends { name: string }>(
  storage: Pick<UserStorage, "getItem" | "setItem">,
  storageKey: string,
  field: string,
  list: z.ZodMiniType<List>,
): NamedLists<List> {
  const stored = z.object({
    version: z.literal(1),
    [field]: z.array(list).check(z.lengthAtMost(mostNamedLists)),
  });
  const inTurn = createSerial();

  async function read(): Promise<List[]> {
    const parsed = stored.safeParse(parseJson((await storage.getItem(storageKey)) ?? ""));
    return parsed.success ? (parsed.data[field] as List[]) : [];
  }

  /** Changes run one after the other, because each begins with the result of the one before. */
  function change(by: (before: List[]) => List[]): Promise<List[]> {
    return inTurn(async () => {
      const before = await read();
      const lists = by(before);
      if (lists.length > mostNamedLists) return before;
      await storage.setItem(storageKey, JSON.stringify({ version: 1, [field]: lists }));
      return lists;
    });
  }

  return {
    read,
    save: (saved) =>
      change((before) =>
        [...before.filter(({ name }) => !isSameName(name, saved.name)), saved].sort((one, other) =>
          one.name.localeCompare(other.name),
        ),
      ),
    remove: (removed) => change((before) => before.filter(({ name }) => !isSameName(name, removed))),
  };
}

export function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
