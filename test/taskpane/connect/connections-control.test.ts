import { beforeEach, expect, it, vi } from "vitest";
import {
  type ConnectionsControl,
  createConnectionsControl,
} from "../../../src/taskpane/connect/connections-control";
import type { NamedConnection } from "../../../src/settings/named-connections";
import { createConnectionSettings } from "../../../src/settings/connection";
import type { PaneApp } from "../../../src/taskpane/pane-app";
import { inTime } from "../../excel/in-time";
import { type ExcelOptions, openExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";
import { baseUrl } from "../../recorded-service";
import { memoryDisk } from "../../reliability/memory-disk";

playExcel();

let app: PaneApp;
let control: ConnectionsControl;
let stop: () => void;
let isStorageDown: boolean;

let requests: string[];
async function open(options: Pick<ExcelOptions, "key" | "presetService" | "openDisk"> = {}) {
  ({ app, requests } = openExcel(options));
  const { getItem } = app.storage;
  isStorageDown = false;
  app.storage.getItem = (key) =>
    isStorageDown ? Promise.reject(new Error("The storage is down.")) : getItem(key);
  await inTime(app.session().catch(() => undefined));
  control = createConnectionsControl(app);
  stop = control.follow();
  await inTime(app.connections.read());
}
beforeEach(() => open());

const names = () => control.getState().list.map(({ name }) => name);
const keys = () => control.getState().list.map(({ key }) => key);
const activeKey = () => control.getState().active?.key;
const one = (name: string): NamedConnection => {
  const found = control.getState().list.find((connection) => connection.name === name);
  if (!found) throw new Error(`no connection ${name}`);
  return found;
};
const add = (name: string, key: string) => inTime(control.add({ name, address: baseUrl, key }));
const keptKey = async () => (await createConnectionSettings(app.storage).read())?.key;
const failureOf = (work: Promise<unknown>) =>
  inTime(work).then(
    () => undefined,
    ({ kind }: { kind: string }) => kind,
  );

it("the connection in use is listed by its host, though it was never saved under a name", () => {
  expect(control.getState().list).toEqual([{ name: "service.test", baseUrl, key: "demo-national" }]);
  expect(control.isActive(one("service.test"))).toBe(true);
});

it("the list is there before anything is read, so that the first paint has it", () => {
  const { list, active, checked } = createConnectionsControl(app).getState();
  expect({ list, active, checked }).toEqual({
    list: [{ name: "service.test", baseUrl, key: "demo-national" }],
    active: { baseUrl, key: "demo-national" },
    checked: undefined,
  });
});

it("without a connection the saved ones are listed, and none of them is in use", async () => {
  await open({ key: null });
  expect(control.getState()).toMatchObject({ list: [], active: undefined });
  await inTime(app.connections.change(() => [{ name: "West", baseUrl, key: "demo-west" }]));
  expect(names()).toEqual(["West"]);
  expect(control.isActive(one("West"))).toBe(false);
});

it("a new connection is in use at once, and the one before keeps its place in the list", async () => {
  await add(" Work ", " demo-west ");
  expect(control.getState().list).toEqual([
    { name: "service.test", baseUrl, key: "demo-national" },
    { name: "Work", baseUrl, key: "demo-west" },
  ]);
  expect(activeKey()).toBe("demo-west");
  expect(control.isActive(one("Work"))).toBe(true);
  expect(control.isActive(one("service.test"))).toBe(false);
});

it("a new connection without a name is named by what its key covers", async () => {
  await add("", "demo-west");
  await add("", "demo-county");
  expect(names()).toEqual(["service.test", "5 states", "California"]);
  await inTime(control.rename(one("5 states"), "West"));
  await add("", "demo-west");
  expect(names()).toEqual(["service.test", "West", "California"]);
});

it("a connection without a name whose states are not known is named by its host, with a number where that is taken", async () => {
  await open({ key: "demo-none" });
  await add("", "demo-national");
  expect(names()).toEqual(["service.test", "service.test 2"]);
});

it("a connection that is added again takes the new name, and keeps its own where none is given", async () => {
  await add("Work", "demo-west");
  await add("Office", "demo-west");
  expect(names()).toEqual(["service.test", "Office"]);
  await add("", "demo-west");
  expect(names()).toEqual(["service.test", "Office"]);
});

it("a key that the service does not accept changes nothing", async () => {
  expect(await failureOf(control.add({ name: "Work", address: baseUrl, key: "nonsense" }))).toBe("wrong-key");
  expect(names()).toEqual(["service.test"]);
  expect(activeKey()).toBe("demo-national");
});

it("while a connection is being checked the pane knows which one", async () => {
  await add("Work", "demo-west");
  const checked: (string | undefined)[] = [];
  control.subscribe(() => checked.push(control.getState().checked?.name));
  await inTime(control.use(one("service.test")));
  expect(new Set(checked)).toEqual(new Set([undefined, "service.test"]));
  expect(control.getState().checked).toBeUndefined();
  expect(activeKey()).toBe("demo-national");
  expect(names()).toEqual(["service.test", "Work"]);
});

it("a saved connection whose key has lost its access says so, and the connection in use stays", async () => {
  await inTime(app.connections.change(() => [{ name: "Old", baseUrl, key: "gone" }]));
  await inTime(control.use(one("Old")));
  expect(control.getState()).toMatchObject({ checked: undefined, failure: { kind: "wrong-key" } });
  expect(activeKey()).toBe("demo-national");
  await inTime(control.rename(one("Old"), "Older"));
  expect(control.getState().failure).toBeUndefined();
});

it("a connection that another workbook has forgotten is not kept by changing to another one", async () => {
  await inTime(createConnectionSettings(app.storage).forget());
  await add("Work", "demo-west");
  expect(names()).toEqual(["Work"]);
});

it("what was fetched with one connection is still kept when the user comes back to it", async () => {
  const disk = memoryDisk();
  await open({ openDisk: () => disk });
  await inTime((await inTime(app.session())).lookup.directory.resolve(["06001"]));
  await add("Work", "demo-west");
  await inTime(control.use(one("service.test")));
  const before = requests.length;
  await inTime((await inTime(app.session())).lookup.directory.resolve(["06001"]));
  expect(requests).toHaveLength(before);
});

it("the key of a saved connection that is entered once more is not forgotten as the old one", async () => {
  await inTime(app.connections.change(() => [{ name: "West", baseUrl, key: "demo-west" }]));
  await inTime(control.replaceKey(one("West"), "demo-west"));
  expect(control.getState().list).toContainEqual({ name: "West", baseUrl, key: "demo-west" });
  expect(activeKey()).toBe("demo-national");
});

it("a new key to the service in use takes the old one's place, under the same name", async () => {
  await add("Work", "demo-west");
  await inTime(control.replaceKey(one("Work"), "demo-national"));
  expect(control.getState().list).toContainEqual({ name: "Work", baseUrl, key: "demo-national" });
  expect(keys()).not.toContain("demo-west");
  expect(activeKey()).toBe("demo-national");
});

it("a new key for a connection that is not in use is checked and kept, the old key is forgotten, and the other stays in use", async () => {
  await inTime(app.connections.change(() => [{ name: "West", baseUrl, key: "gone" }]));
  const forgotten = vi.spyOn(app, "forget");
  const session = app.currentSession();
  requests.length = 0;
  await inTime(control.replaceKey(one("West"), " demo-west "));
  expect(requests).toHaveLength(1);
  expect(control.getState().list).toEqual([
    { name: "service.test", baseUrl, key: "demo-national" },
    { name: "West", baseUrl, key: "demo-west" },
  ]);
  expect(activeKey()).toBe("demo-national");
  expect(app.currentSession()).toBe(session);
  expect(await keptKey()).toBe("demo-national");
  expect(app.notices().connected).toBeNull();
  expect(control.getState().replaced).toEqual({ name: "West", inUse: "service.test" });
  expect(forgotten).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ key: "gone" }));
});

it("a refused new key for a connection that is not in use leaves its key, and the other in use", async () => {
  await inTime(app.connections.change(() => [{ name: "West", baseUrl, key: "demo-west" }]));
  expect(await failureOf(control.replaceKey(one("West"), "nonsense"))).toBe("wrong-key");
  expect(keys()).toEqual(["demo-national", "demo-west"]);
  expect(activeKey()).toBe("demo-national");
  expect(control.getState().replaced).toBeUndefined();
});

it("a new key is used at once if no connection is in use", async () => {
  await open({ key: null });
  await inTime(app.connections.change(() => [{ name: "West", baseUrl, key: "gone" }]));
  await inTime(control.replaceKey(one("West"), "demo-west"));
  expect(control.getState().list).toEqual([{ name: "West", baseUrl, key: "demo-west" }]);
  expect(activeKey()).toBe("demo-west");
});

it("the list of connections keeps its order when a key is replaced", async () => {
  const kept = ["First", "Second", "Third"].map((name, index) => ({ name, baseUrl, key: `key ${index}` }));
  await inTime(app.connections.change(() => kept));
  const before = names();
  await inTime(control.replaceKey(one("Second"), "demo-west"));
  expect(names()).toEqual(before);
  await inTime(control.replaceKey(one("Second"), "demo-county"));
  expect(names()).toEqual(before);
});

it("a refused new key leaves the old one", async () => {
  await add("Work", "demo-west");
  expect(await failureOf(control.replaceKey(one("Work"), "nonsense"))).toBe("wrong-key");
  expect(keys()).toEqual(["demo-national", "demo-west"]);
  expect(activeKey()).toBe("demo-west");
});

it("the connection in use can be named, and keeps that name after another one is used", async () => {
  await inTime(control.rename(one("service.test"), "All states"));
  expect(names()).toEqual(["All states"]);
  await add("Work", "demo-west");
  expect(names()).toEqual(["All states", "Work"]);
});

it("another connection can be named without keeping the one in use", async () => {
  await inTime(app.connections.change(() => [{ name: "West", baseUrl, key: "demo-west" }]));
  await inTime(control.rename(one("West"), "Pacific"));
  expect(names()).toEqual(["service.test", "Pacific"]);
  expect(app.connections.current().map(({ name }) => name)).toEqual(["Pacific"]);
});

it("forgetting the connection in use disconnects, and its key is nowhere on the device", async () => {
  await inTime(control.rename(one("service.test"), "All states"));
  await inTime(control.forget(one("All states")));
  expect(control.getState()).toMatchObject({ list: [], active: undefined });
  expect(await keptKey()).toBeUndefined();
});

it("forgetting another connection leaves the one in use", async () => {
  await add("Work", "demo-west");
  await inTime(control.forget(one("service.test")));
  expect(names()).toEqual(["Work"]);
  expect(activeKey()).toBe("demo-west");
  expect(await keptKey()).toBe("demo-west");
});

it("a list of connections that can't be read says why, and is read again when the user tries again", async () => {
  isStorageDown = true;
  control.retry();
  await inTime(app.connections.read().catch(() => undefined));
  expect(control.getState().unread).toBeDefined();
  isStorageDown = false;
  control.retry();
  expect(control.getState().unread).toBeUndefined();
  await inTime(app.connections.read());
  expect(control.getState().unread).toBeUndefined();
});

it("a change of connections that can't be saved says so", async () => {
  isStorageDown = true;
  await inTime(control.rename(one("service.test"), "All states"));
  expect(control.getState().failure).toBeDefined();
  expect(names()).toEqual(["service.test"]);
});

it("a screen of connections that is closed hears of nothing", async () => {
  const heard = vi.fn();
  control.subscribe(heard);
  stop();
  await inTime(app.connect(baseUrl, "demo-west"));
  await inTime(app.connections.change(() => []));
  expect(heard).not.toHaveBeenCalled();
});

it("a build that fixes its service offers only connections of that service", async () => {
  const elsewhere = { baseUrl: "https://elsewhere.test" };
  expect(control.isUsable({ ...elsewhere, key: "any" })).toBe(true);
  await open({ presetService: { baseUrl, isFixed: true } });
  expect(control.isUsable({ ...elsewhere, key: "any" })).toBe(false);
  expect(control.isUsable({ baseUrl, key: "any" })).toBe(true);
  await open({ presetService: { baseUrl, isFixed: false } });
  expect(control.isUsable({ ...elsewhere, key: "any" })).toBe(true);
});
