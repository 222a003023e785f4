import { createSerial } from "../async/serial";
import * as z from "zod/mini";
import type { UserStorage } from "./connection";
import { parseJson } from "./json";

z.config({ jitless: true });

/** Data point types that the user wants to choose again. */
export interface SavedSelection {
  name: string;
  typeIds: number[];
}

export const mostSavedSelections = 50;

const storageKey = "regdata.selections";
const storedSelections = z.object({
  version: z.literal(1),
  selections: z.array(z.object({ name: z.string(), typeIds: z.array(z.number()) })),
});

/** A user's own selections on this device, by name. Every call fails where the storage does. */
export interface SavedSelections {
  /** None where none are kept, or where what is kept makes no sense. */
  read(): Promise<SavedSelection[]>;
  /** Takes the place of one with the same name in any case. Gives what is kept then: as before where there are too many. */
  save(selection: SavedSelection): Promise<SavedSelection[]>;
  /** Gives what is kept then. */
  remove(name: string): Promise<SavedSelection[]>;
}

export function createSavedSelections(storage: UserStorage): SavedSelections {
  const inTurn = createSerial();

  async function read(): Promise<SavedSelection[]> {
    const parsed = storedSelections.safeParse(parseJson((await storage.getItem(storageKey)) ?? ""));
    return parsed.success ? parsed.data.selections : [];
  }

  /** One after the other: each change begins with what the one before has left. */
  function change(by: (before: SavedSelection[]) => SavedSelection[]): Promise<SavedSelection[]> {
    return inTurn(async () => {
      const before = await read();
      const selections = by(before);
      if (selections.length > mostSavedSelections) return before;
      await storage.setItem(storageKey, JSON.stringify({ version: 1, selections }));
      return selections;
    });
  }

  return {
    read,
    save: (selection) =>
      change((before) =>
        [...before.filter(({ name }) => !isSameName(name, selection.name)), selection].sort((one, other) =>
          one.name.localeCompare(other.name),
        ),
      ),
    remove: (removed) => change((before) => before.filter(({ name }) => !isSameName(name, removed))),
  };
}

export function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
