import { createSerial } from "../../async/serial";
import * as z from "zod/mini";
import type { UserStorage } from "../connection";
import { parseJson } from "../json";

z.config({ jitless: true });

/** A user's own lists of one kind, by name, on this device or in a workbook. Every call fails where the storage does. */
export interface NamedLists<List> {
  /** None where none are kept, or where what is kept makes no sense. */
  read(): Promise<List[]>;
  /** Takes the place of one with the same name in any case. Gives what is kept then: as before where there are too many. */
  save(list: List): Promise<List[]>;
  /** Gives what is kept then. */
  remove(name: string): Promise<List[]>;
}

export const mostNamedLists = 50;

/** `field` names the lists in what is stored. */
export function createNamedLists<List extends { name: string }>(
  storage: Pick<UserStorage, "getItem" | "setItem">,
  storageKey: string,
  field: string,
  list: z.ZodMiniType<List>,
): NamedLists<List> {
  const stored = z.object({
    version: z.literal(1),
    [field]: z.array(list).check(z.maxLength(mostNamedLists)),
  });
  const inTurn = createSerial();

  async function read(): Promise<List[]> {
    const parsed = stored.safeParse(parseJson((await storage.getItem(storageKey)) ?? ""));
    return parsed.success ? (parsed.data[field] as List[]) : [];
  }

  /** One after the other: each change begins with what the one before has left. */
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
