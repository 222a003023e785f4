import { describe, expect, it } from "vitest";
import { config } from "../../src/config";
import { createPreferenceSettings, defaultPreferences } from "../../src/settings/preferences";
import { memoryStorage } from "./memory-storage";

const storageKey = "regdata.preferences";
const chosen = { answerAgeMs: 60_000, citedNumbers: true };

describe("a user's preferences", () => {
  it("are there again at the next start", async () => {
    const storage = memoryStorage();
    await createPreferenceSettings(storage).write(chosen);
    expect(await createPreferenceSettings(storage).read()).toEqual(chosen);
    await createPreferenceSettings(storage).write({ ...chosen, citedNumbers: false });
    expect(await createPreferenceSettings(storage).read()).toEqual({ ...chosen, citedNumbers: false });
  });

  it("are plain numbers and the usual age until the user chooses", async () => {
    expect(await createPreferenceSettings(memoryStorage()).read()).toEqual({
      answerAgeMs: config.answerAgeMs,
      citedNumbers: false,
    });
  });

  it.each([
    "{",
    "null",
    '{"version":2,"answerAgeMs":60000,"citedNumbers":true}',
    '{"version":1,"citedNumbers":true}',
    '{"version":1,"answerAgeMs":0,"citedNumbers":true}',
    '{"version":1,"answerAgeMs":-1,"citedNumbers":true}',
    '{"version":1,"answerAgeMs":"60000","citedNumbers":true}',
  ])("are the defaults if the saved ones make no sense: %s", async (stored) => {
    const preferences = createPreferenceSettings(memoryStorage({ [storageKey]: stored }));
    expect(await preferences.read()).toEqual(defaultPreferences);
  });

  it.each(['{"version":1,"answerAgeMs":60000}', '{"version":1,"answerAgeMs":60000,"citedNumbers":"yes"}'])(
    "keep the age if only the numbers make no sense: %s",
    async (stored) => {
      const preferences = createPreferenceSettings(memoryStorage({ [storageKey]: stored }));
      expect(await preferences.read()).toEqual({ answerAgeMs: 60_000, citedNumbers: false });
    },
  );

  it("are the defaults if the storage fails", async () => {
    const storage = memoryStorage();
    storage.getItem = () => Promise.reject(new Error("blocked"));
    expect(await createPreferenceSettings(storage).read()).toEqual(defaultPreferences);
  });
});
