import { describe, expect, it } from "vitest";
import { createConnectionSettings } from "../../src/settings/connection";
import { createUserStorage, type StorageHost } from "../../src/settings/user-storage";

const connection = { baseUrl: "https://service.test", key: "a-very-secret-key" };

/** A browser's storage, with all that is in it. */
function browserStorage() {
  const items: Record<string, string> = {};
  return {
    items,
    getItem: (key: string) => items[key] ?? null,
    setItem(key: string, value: string) {
      items[key] = value;
    },
    removeItem(key: string) {
      delete items[key];
    },
  };
}

/** Office's storage, with all that is in it. */
function officeStorage() {
  const { items, ...storage } = browserStorage();
  return {
    items,
    getItem: (key: string) => Promise.resolve(storage.getItem(key)),
    setItem: (key: string, value: string) => Promise.resolve(storage.setItem(key, value)),
    removeItem: (key: string) => Promise.resolve(storage.removeItem(key)),
  };
}

/** A host with both storages; Office is there, with or without a partition key. */
function host(partitionKey?: unknown) {
  const browser = browserStorage();
  const office = officeStorage();
  const places = { Office: { context: { partitionKey } }, OfficeRuntime: { storage: office } };
  return {
    browser: browser.items,
    office: office.items,
    settings: settingsOf({ ...places, localStorage: browser }),
    /** The same add-in inside another site. */
    inside: (other: unknown) =>
      settingsOf({ ...places, Office: { context: { partitionKey: other } }, localStorage: browser }),
  };
}

const settingsOf = (places: StorageHost) =>
  createConnectionSettings(createUserStorage(() => Promise.resolve(places)));

describe("the user's data", () => {
  it.each([[undefined], [null], [""], [7]])(
    "is in Office's storage if there is no partition, whatever stands for one: %j",
    async (none) => {
      const { settings, office, browser } = host(none);
      await settings.write(connection);
      expect(await settings.read()).toEqual(connection);
      expect(Object.keys(office)).toEqual(["regdata.connection"]);
      expect(browser).toEqual({});
      await settings.forget();
      expect(office).toEqual({});
    },
  );

  it("is in the browser's storage behind the partition's key, and seen inside no other site", async () => {
    const { settings, office, browser, inside } = host("site-a|");
    await settings.write(connection);
    expect(await settings.read()).toEqual(connection);
    expect(Object.keys(browser)).toEqual(["site-a|regdata.connection"]);
    expect(office).toEqual({});
    expect(await inside("site-b|").read()).toBeNull();
    expect(await inside(undefined).read()).toBeNull();
    await settings.forget();
    expect(browser).toEqual({});
  });

  it("is in the browser's storage if Office has none", async () => {
    const browser = browserStorage();
    const bare = { Office: { context: {} }, localStorage: browser };
    await settingsOf(bare).write(connection);
    expect(await settingsOf(bare).read()).toEqual(connection);
    expect(Object.keys(browser.items)).toEqual(["regdata.connection"]);
    const partitioned = { ...bare, Office: { context: { partitionKey: "site-a|" } } };
    expect(await settingsOf(partitioned).read()).toEqual(connection);
    expect(Object.keys(browser.items)).toEqual(["site-a|regdata.connection"]);
  });

  it("does not touch the browser's storage if Office's is used, since it may be forbidden", async () => {
    const office = officeStorage();
    const settings = settingsOf({
      Office: { context: {} },
      OfficeRuntime: { storage: office },
      get localStorage(): never {
        throw new DOMException("The document may not store anything.", "SecurityError");
      },
    });
    await settings.write(connection);
    expect(await settings.read()).toEqual(connection);
  });
});

describe("a connection that was saved before there was a partition", () => {
  async function keptBefore() {
    const kept = host("site-a|");
    await kept.inside(undefined).write(connection);
    return kept;
  }

  it("moves into the first partition that reads it", async () => {
    const { settings, office, browser, inside } = await keptBefore();
    expect(await settings.read()).toEqual(connection);
    expect(Object.keys(browser)).toEqual(["site-a|regdata.connection"]);
    expect(office).toEqual({});
    expect(await inside("site-b|").read()).toBeNull();
    expect(await settings.read()).toEqual(connection);
  });

  it("does not replace a connection that the partition has saved", async () => {
    const { settings, office } = await keptBefore();
    await settings.write({ ...connection, key: "a-newer-key" });
    expect(await settings.read()).toEqual({ ...connection, key: "a-newer-key" });
    expect(Object.keys(office)).toEqual(["regdata.connection"]);
  });

  it("does not replace a connection that the partition saves while it moves", async () => {
    const own = browserStorage();
    const shared = officeStorage();
    shared.items["name"] = "old";
    const read = (name: string) => {
      own.setItem(`site-a|${name}`, "new");
      return shared.getItem(name);
    };
    const storage = createUserStorage(() =>
      Promise.resolve({
        Office: { context: { partitionKey: "site-a|" } },
        OfficeRuntime: { storage: { ...shared, getItem: read } },
        localStorage: own,
      }),
    );
    expect(await storage.getItem("name")).toBe("new");
    expect(own.items).toEqual({ "site-a|name": "new" });
    expect(shared.items).toEqual({});
  });

  it("is forgotten with the partition's connection, in both storages", async () => {
    const { settings, office, browser } = await keptBefore();
    await settings.forget();
    expect(await settings.read()).toBeNull();
    expect({ ...office, ...browser }).toEqual({});
  });
});

describe("a storage that fails", () => {
  it("fails its caller: unreadable data is not taken for none", async () => {
    const full = { ...browserStorage(), setItem: () => raise("full"), getItem: () => raise("unreadable") };
    const settings = settingsOf({
      Office: { context: { partitionKey: "site-a|" } },
      OfficeRuntime: { storage: officeStorage() },
      localStorage: full,
    });
    await expect(settings.read()).rejects.toMatchObject(storageFailed("unreadable"));
    await expect(settings.write(connection)).rejects.toMatchObject(storageFailed("full"));
  });

  it("does not lose data that can't be moved", async () => {
    const office = officeStorage();
    office.items["regdata.connection"] = "kept";
    const storage = createUserStorage(() =>
      Promise.resolve({
        Office: { context: { partitionKey: "site-a|" } },
        OfficeRuntime: { storage: office },
        localStorage: { ...browserStorage(), setItem: () => raise("full") },
      }),
    );
    await expect(storage.getItem("regdata.connection")).rejects.toMatchObject(storageFailed("full"));
    expect(office.items).toEqual({ "regdata.connection": "kept" });
  });
});

const storageFailed = (message: string) => ({ kind: "storage-failed", cause: { message } });

function raise(what: string): never {
  throw new Error(what);
}
