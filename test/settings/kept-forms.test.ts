import { describe, expect, it } from "vitest";
import { connectionStorageKey, createConnectionSettings } from "../../src/settings/connection";
import {
  isSameConnection,
  renamed,
  withActive,
  withConnection,
  without,
} from "../../src/settings/connection-list";
import { createConnections } from "../../src/settings/named-connections";
import { createForgottenSpaces } from "../../src/settings/forgotten";
import { createImportDefaults } from "../../src/settings/choices/import-defaults";
import { holdsOfKey } from "../../src/key-forms";
import { createKeptItem } from "../../src/settings/kept-item";
import { createPreferenceSettings } from "../../src/settings/preferences";
import { presetService } from "../../src/settings/preset-service";
import { isSameName } from "../../src/settings/choices/named-lists";
import { createLastChoice } from "../../src/settings/choices/last-choice";
import { createTerritories } from "../../src/settings/choices/saved-territories";
import { createSavedSelections } from "../../src/settings/choices/saved-selections";
import { createSignature, signatureOf } from "../../src/settings/signature";
import { memoryStorage } from "./memory-storage";

const east = { name: "East", baseUrl: "https://service.test", key: "a-very-secret-key" };
const bay = { name: "Bay Area", entries: ["06001", "ahj:12"] };
const west = { ...east, name: "West", key: "another-secret-key" };

/** The contents of a user's storage after the choices below. Other versions of the add-in must be able to read them. */
const kept = {
  [connectionStorageKey]: '{"version":1,"baseUrl":"https://service.test","key":"a-very-secret-key"}',
  "regdata.connections":
    '{"version":1,"connections":[{"name":"East","baseUrl":"https://service.test","key":"a-very-secret-key"}]}',
  "regdata.forgotten": '["a space"]',
  "regdata.import-defaults": '{"version":1,"defaults":{"layout":"long","citations":"beside"}}',
  "regdata.last-choice": '{"version":1,"last":{"entries":["06001"],"typeIds":[1003]}}',
  "regdata.preferences": '{"version":1,"answerAgeMs":60000,"citedNumbers":true}',
  "regdata.selections": '{"version":1,"selections":[{"name":"Fees","typeIds":[1003]}]}',
  "regdata.signature": "yes",
  "regdata.territories": '{"version":1,"territories":[{"name":"Bay Area","entries":["06001","ahj:12"]}]}',
};

describe("the data that a user keeps on this device", () => {
  it("is read as earlier versions have written it", async () => {
    const storage = memoryStorage(kept);
    const { name: _, ...connection } = east;
    expect(connectionStorageKey).toBe("regdata.connection");
    expect(await createConnectionSettings(storage).read()).toEqual(connection);
    const items = [createConnections(storage), createImportDefaults(storage), createSignature(storage)];
    for (const item of items) await item.read();
    expect(items.map((item) => item.current())).toEqual([
      [east],
      { layout: "long", citations: "beside" },
      true,
    ]);
    expect(await createForgottenSpaces(storage).read()).toEqual(["a space"]);
    expect(await createPreferenceSettings(storage).read()).toEqual({
      answerAgeMs: 60_000,
      citedNumbers: true,
    });
    expect(await createSavedSelections(storage).read()).toEqual([{ name: "Fees", typeIds: [1003] }]);
    expect(await createTerritories(storage).read()).toEqual([bay]);
    const lastChoice = createLastChoice(storage);
    await lastChoice.read();
    expect(lastChoice.current()).toEqual({ entries: ["06001"], typeIds: [1003] });
  });

  it("is written as earlier versions read it", async () => {
    const storage = memoryStorage();
    await createConnectionSettings(storage).write({ baseUrl: east.baseUrl, key: east.key });
    await createConnections(storage).change(() => [east]);
    await createForgottenSpaces(storage).add("a space");
    await createImportDefaults(storage).change(() => ({ layout: "long", citations: "beside" }));
    await createPreferenceSettings(storage).write({ answerAgeMs: 60_000, citedNumbers: true });
    await createSavedSelections(storage).save({ name: "Fees", typeIds: [1003] });
    await createTerritories(storage).save(bay);
    await createLastChoice(storage).change(() => ({ entries: ["06001"], typeIds: [1003] }));
    await createSignature(storage).change(() => true);
    for (const [key, text] of Object.entries(kept)) expect(await storage.getItem(key)).toBe(text);
    const signature = createSignature(storage);
    await signature.read();
    await signature.change(() => false);
    expect(await storage.getItem("regdata.signature")).toBe("no");
  });

  it("has no preset service except in a build that sets one", () => {
    expect(presetService).toBeNull();
  });
});

describe("an item of the user's storage", () => {
  const form = {
    parse: (text: string) => text.split("").length,
    text: (length: number) => "x".repeat(length),
  };

  it("is parsed again only when its text has changed, and announced then", async () => {
    const storage = memoryStorage({ item: "xx" });
    const item = createKeptItem(storage, "item", form);
    const heard: number[] = [];
    item.onChange(() => heard.push(item.current()));
    expect(item.current()).toBe(0);
    await item.read();
    await item.read();
    await storage.setItem("item", "xxx");
    await item.read();
    await storage.removeItem("item");
    await item.read();
    expect(heard).toEqual([2, 3, 0]);
  });

  it("fails if the storage can't be read, keeps its value, and goes on", async () => {
    const storage = memoryStorage({ item: "xx" });
    const item = createKeptItem(storage, "item", form);
    await item.read();
    const { getItem } = storage;
    storage.getItem = () => Promise.reject(new Error("blocked"));
    await expect(item.read()).rejects.toThrow("blocked");
    expect(item.current()).toBe(2);
    storage.getItem = getItem;
    await item.change((before) => before + 1);
    expect(item.current()).toBe(3);
  });

  it("is not written if it stays the same", async () => {
    const storage = memoryStorage({ item: "xx" });
    storage.setItem = () => Promise.reject(new Error("written"));
    await createKeptItem(storage, "item", form).change((before) => before);
  });
});

describe("connections", () => {
  it("are the same if address and key are", () => {
    expect(isSameConnection(east, { ...east, name: "Other" } as typeof east)).toBe(true);
    expect(isSameConnection(east, west)).toBe(false);
    expect(isSameConnection(east, { ...east, baseUrl: "https://other.test" })).toBe(false);
  });

  it("change one at a time, in their place in the list", () => {
    expect(withConnection([east, west], { ...east, name: "Old" })).toEqual([{ ...east, name: "Old" }, west]);
    expect(withConnection([east], west)).toEqual([east, west]);
    expect(without([east, west], east)).toEqual([west]);
    expect(renamed([east, west], west, "Far")).toEqual([east, { ...west, name: "Far" }]);
    expect(renamed([east, west], west, "West")).toEqual([east, west]);
    expect(renamed([east], west, "Far")).toEqual([east]);
    expect(withActive([west], east)).toEqual([{ ...east, name: "service.test" }, west]);
  });
});

describe("a selection's name", () => {
  it("is the same in any case, with spaces around it", () => {
    expect(isSameName(" Fees", "fees ")).toBe(true);
    expect(isSameName("Fees", "Fee")).toBe(false);
  });

  it("decides which selection is removed, in any case", async () => {
    const selections = createSavedSelections(memoryStorage(kept));
    expect(await selections.remove(" FEES ")).toEqual([]);
  });
});

describe("a key in other words", () => {
  it("is found by eight of its characters in a row, at its beginning and at its end", () => {
    expect(holdsOfKey("my a-very-s office", east.key)).toBe(true);
    expect(holdsOfKey("my a-very- office", east.key)).toBe(false);
    expect(holdsOfKey("cret-key", east.key)).toBe(true);
    expect(holdsOfKey("ret-key", east.key)).toBe(false);
    expect(holdsOfKey("my abc", "abc")).toBe(true);
    expect(holdsOfKey("my ab", "abc")).toBe(false);
  });

  it("is looked for in every connection's name against every key", () => {
    const { name: _, ...active } = east;
    const far = { ...west, key: "0123456789" };
    expect(signatureOf([{ ...east, name: `of ${far.key}` }, far], active)).toBeUndefined();
    expect(signatureOf([east, west], active)).toBe("East");
    expect(signatureOf([west, east], active)).toBe("East");
  });
});
