import { createSerial } from "../async/serial";
import * as z from "../zod";
import type { UserStorage } from "./connection";
import { parseJson } from "./json";

const storageKey = "regdata.forgotten";
const storedNames = z.array(z.string());

/** The names of spaces that this user has forgotten on this device and that could not be erased yet. */
export interface ForgottenSpaces {
  /** Empty if no names are stored, or if the stored text makes no sense. */
  read(): Promise<string[]>;
  add(space: string): Promise<void>;
  remove(space: string): Promise<void>;
}

export function createForgottenSpaces(storage: UserStorage): ForgottenSpaces {
  const inTurn = createSerial();

  async function read() {
    const parsed = storedNames.safeParse(parseJson((await storage.getItem(storageKey)) ?? ""));
    return parsed.success ? parsed.data : [];
  }

  /** Changes run one after the other, because each begins with the result of the one before. */
  function change(by: (names: Set<string>) => void): Promise<void> {
    return inTurn(async () => {
      const names = new Set(await read());
      by(names);
      if (names.size > 0) await storage.setItem(storageKey, JSON.stringify([...names]));
      else await storage.removeItem(storageKey);
    });
  }

  return {
    read,
    add: (space) => change((names) => names.add(space)),
    remove: (space) => change((names) => names.delete(space)),
  };
}
