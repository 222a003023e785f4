import { describe, expect, it } from "vitest";
import {
  freeName,
  hostOf,
  renamed,
  withActive,
  withConnection,
  without,
} from "../../src/settings/connection-list";
import { createConnections } from "../../src/settings/named-connections";
import { memoryStorage } from "./memory-storage";

const storageKey = "regdata.connections";
const east = { name: "East", baseUrl: "https://service.test/api", key: "a-very-secret-key" };
const west = { name: "West", baseUrl: "https://service.test/api", key: "another-secret-key" };

describe("the saved connections", () => {
  it("are there again at the next start, in the order in which they came, each once", async () => {
    const storage = memoryStorage();
    const kept = createConnections(storage);
    await Promise.all([
      kept.change((before) => withConnection(before, east)),
      kept.change((before) => withConnection(before, west)),
      kept.change((before) => withConnection(before, { ...east, name: "Renamed" })),
    ]);
    const later = createConnections(storage);
    expect(later.current()).toEqual([]);
    await later.read();
    expect(later.current()).toEqual([{ ...east, name: "Renamed" }, west]);
    await later.change((before) => without(before, east));
    expect(await storage.getItem(storageKey)).not.toContain(east.key);
    expect(later.current()).toEqual([west]);
  });

  it("that another workbook has added survive a change", async () => {
    const storage = memoryStorage();
    const here = createConnections(storage);
    await here.read();
    await createConnections(storage).change((before) => withConnection(before, east));
    await here.change((before) => withConnection(before, west));
    expect(here.current()).toEqual([east, west]);
  });

  it("take a new name only for a connection that nobody has forgotten meanwhile", async () => {
    const storage = memoryStorage();
    const here = createConnections(storage);
    await here.change(() => [east, west]);
    await here.change((before) => renamed(before, east, "West"));
    expect(here.current()).toEqual([{ ...east, name: "West 2" }, west]);
    await createConnections(storage).change((before) => without(before, east));
    await here.change((before) => renamed(before, east, "Back"));
    expect(here.current()).toEqual([west]);
    expect(await storage.getItem(storageKey)).not.toContain(east.key);
  });

  it("tell their listeners of each change, and of nothing else", async () => {
    const kept = createConnections(memoryStorage());
    const heard: string[][] = [];
    const stop = kept.onChange(() => heard.push(kept.current().map(({ name }) => name)));
    await kept.change((before) => withConnection(before, east));
    await kept.change((before) => before);
    await kept.read();
    stop();
    await kept.change(() => []);
    expect(heard).toEqual([["East"]]);
  });

  it("are unchanged if the storage fails, and can be changed afterwards", async () => {
    const storage = memoryStorage();
    const kept = createConnections(storage);
    await kept.change((before) => withConnection(before, east));
    const { setItem } = storage;
    storage.setItem = () => Promise.reject(new Error("full"));
    await expect(kept.change(() => [])).rejects.toThrow("full");
    expect(kept.current()).toEqual([east]);
    storage.setItem = setItem;
    await kept.change((before) => withConnection(before, west));
    expect(kept.current()).toEqual([east, west]);
  });

  it.each([
    "",
    "{",
    "null",
    '{"version":1}',
    '{"version":2,"connections":[]}',
    '{"version":1,"connections":[1]}',
  ])("are none if the saved ones make no sense: %s", async (stored) => {
    const kept = createConnections(memoryStorage({ [storageKey]: stored }));
    await kept.read();
    expect(kept.current()).toEqual([]);
  });
});

describe("the active connection", () => {
  it("is listed by its host if it has no name", () => {
    expect(withActive([], east)).toEqual([{ ...east, name: "service.test" }]);
    expect(withActive([{ ...west, name: "service.test" }], east)[0]?.name).toBe("service.test 2");
    const listed = [west, east];
    expect(withActive(listed, { baseUrl: east.baseUrl, key: east.key })).toBe(listed);
  });
});

describe("a connection's name", () => {
  it("is one that no other connection has", () => {
    expect(freeName([east, { ...west, name: "East 2" }], "East")).toBe("East 3");
    expect(freeName([east], "West")).toBe("West");
  });

  it("comes from the address, without its path", () => {
    expect(hostOf("https://service.test:8443/api/v2")).toBe("service.test:8443");
    expect(hostOf("no address")).toBe("no address");
  });
});
