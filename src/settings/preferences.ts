import * as z from "../zod";
import { config } from "../config";
import type { UserStorage } from "./connection";
import { parseJson } from "./json";

/** A user's choices on this device. */
export interface Preferences {
  /** Answers older than this are asked for again. */
  answerAgeMs: number;
  /** True if formulas give numbers with their published format and their citation, in hosts that can show these. */
  citedNumbers: boolean;
}

export const defaultPreferences: Preferences = { answerAgeMs: config.answerAgeMs, citedNumbers: false };

const storageKey = "regdata.preferences";
const storedPreferences = z.object({
  version: z.literal(1),
  answerAgeMs: z.number().check(z.refine((ageMs) => ageMs > 0)),
  citedNumbers: z.catch(z.boolean(), false),
});

export interface PreferenceSettings {
  /** The stored preferences; the defaults if there are none, or if they can't be read. */
  read(): Promise<Preferences>;
  write(preferences: Preferences): Promise<void>;
}

export function createPreferenceSettings(storage: UserStorage): PreferenceSettings {
  return {
    async read() {
      const stored = await storage.getItem(storageKey).catch(() => null);
      const parsed = storedPreferences.safeParse(parseJson(stored ?? ""));
      if (!parsed.success) return defaultPreferences;
      const { answerAgeMs, citedNumbers } = parsed.data;
      return { answerAgeMs, citedNumbers };
    },
    write: (preferences) => storage.setItem(storageKey, JSON.stringify({ version: 1, ...preferences })),
  };
}
