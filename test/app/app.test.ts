import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../../src/app";
import type { Failure } from "../../src/errors";
import { connectionStorageKey, storedForm, type UserStorage } from "../../src/settings/connection";
import { memoryStorage } from "../settings/memory-storage";
import { turnsAndDigests, watchDigests } from "../real-digests";
import { askInCell, baseUrl, recordedService, untilAborted } from "../recorded-service";

beforeEach(() => {
  watchDigests();
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function pass(ms: number): Promise<void> {
  await turnsAndDigests(2);
  await vi.advanceTimersByTimeAsync(ms);
  await turnsAndDigests(2);
}

function appOn(storage: UserStorage, options: Parameters<typeof recordedService>[0] = {}) {
  const { fetch, requests } = recordedService(options);
  return { app: createApp({ fetch, storage }), requests };
}

const kept = (address = baseUrl, key = "demo-national") =>
  memoryStorage({ [connectionStorageKey]: storedForm({ baseUrl: address, key }) });

const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "fulfilled",
    (failure: Failure) => failure.kind,
  );

it.each(["\u00a0", "\ufeff", "\u3000", " "])(
  "a kept address with %j in front is asked where it leads, not at the add-in's own host",
  async (blank) => {
    const asked: string[] = [];
    const app = createApp({
      fetch(input) {
        asked.push(String(input));
        return Promise.resolve(Response.json({}));
      },
      storage: kept(blank + baseUrl),
    });
    const { client } = await app.session();
    await client.listUnits({}).catch(() => undefined);
    expect(asked).toEqual([`${baseUrl}/v1/units-of-measure`]);
  },
);

describe("the saved connection", () => {
  it("that cannot be read fails with a kind of its own, and is read again by the next caller", async () => {
    const storage = kept();
    let isBroken = true;
    const { app } = appOn({
      ...storage,
      getItem: (key) => (isBroken ? Promise.reject(new Error("busy")) : storage.getItem(key)),
    });
    expect(await kindOf(app.session())).toBe("storage-failed");
    expect(app.currentSession()).toBeUndefined();
    isBroken = false;
    expect(await kindOf(app.session())).toBe("fulfilled");
  });

  it("whose reading never ends still settles the waiting cells, as a failed storage", async () => {
    const { app } = appOn({ ...kept(), getItem: () => new Promise(() => {}) });
    const outcome = kindOf(askInCell(app, "06001", 1003));
    await pass(30_000);
    expect(await outcome).toBe("storage-failed");
  });

  it("is read once, however many cells ask at once", async () => {
    const storage = kept();
    const getItem = vi.fn(storage.getItem);
    const { app } = appOn({ ...storage, getItem });
    const values = Array.from({ length: 100 }, () => kindOf(askInCell(app, "06001", 1003)));
    await pass(10_000);
    expect(new Set(await Promise.all(values))).toEqual(new Set(["fulfilled"]));
    const keys = getItem.mock.calls.map(([key]) => key);
    expect(keys).toEqual([...new Set(keys)]);
    expect(keys).toContain(connectionStorageKey);
  });

  it("that cannot be read fails every cell that asks, and nothing else", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const { app } = appOn({ ...kept(), getItem: () => Promise.reject(new Error("busy")) });
    const values = Array.from({ length: 100 }, () => kindOf(askInCell(app, "06001", 1003)));
    await pass(10_000);
    expect(new Set(await Promise.all(values))).toEqual(new Set(["storage-failed"]));
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("counts as none if its address is one that no key may go to", async () => {
    const { app, requests } = appOn(kept("http://service.example"));
    expect(await kindOf(app.session())).toBe("no-key");
    expect(requests).toEqual([]);
  });
});

describe("connecting", () => {
  it.each([
    ["example.com", "demo-national", "invalid-address"],
    [baseUrl, "demo‑national", "wrong-key"],
    [baseUrl, "no-such-key", "wrong-key"],
  ])("%s with key %s fails as %s", async (address, key, kind) => {
    const { app } = appOn(memoryStorage());
    expect(await kindOf(app.connect(address, key))).toBe(kind);
  });

  it("does not wait for a used-up limit", async () => {
    const { app } = appOn(memoryStorage(), {
      intercept: () => new Response("", { status: 429, headers: { "Retry-After": "3600" } }),
    });
    expect(await kindOf(app.connect(baseUrl, "demo-national"))).toBe("rate-limited");
  });

  it("says when the key can't be kept", async () => {
    const { app } = appOn({ ...memoryStorage(), setItem: () => Promise.reject(new Error("full")) });
    expect(await kindOf(app.connect(baseUrl, "demo-national"))).toBe("storage-failed");
    expect(await kindOf(app.session())).toBe("no-key");
  });
});

describe("a key that is forgotten or replaced", () => {
  it("is used for nothing more, not even by requests under way", async () => {
    const { app, requests } = appOn(kept(), {
      intercept: (request) => (request.url.includes("page=1&") ? undefined : untilAborted(request)),
    });
    const { lookup } = await app.session();
    const load = kindOf(lookup.directory.load());
    await pass(0);
    await app.forget();
    expect(await load).toBe("cancelled");
    const sent = requests.length;
    await pass(60_000);
    expect(requests).toHaveLength(sent);
  });

  it("lets the cells under way ask with the new key", async () => {
    const { app } = appOn(kept(baseUrl, "demo-west"));
    const texan = askInCell(app, "48201", 1001).then(({ ahj }) => ahj.state_code);
    await pass(10);
    const connected = app.connect(baseUrl, "demo-national");
    await pass(10_000);
    await connected;
    await pass(10_000);
    expect(await texan).toBe("TX");
  });

  it("has work that ends just then done again with the new key", async () => {
    const { app } = appOn(kept(baseUrl, "demo-west"));
    const keys: string[] = [];
    const done = app.answer(async ({ credentials }) => {
      keys.push(credentials.key);
      if (keys.length === 1) await app.connect(baseUrl, "demo-national");
      return credentials.key;
    });
    await pass(10_000);
    expect(await done).toBe("demo-national");
    expect(keys).toEqual(["demo-west", "demo-national"]);
  });

  it("tells the cells under way that there is no key", async () => {
    const { app } = appOn(kept());
    const outcome = kindOf(askInCell(app, "06001", 1003));
    await pass(10);
    const forgotten = app.forget();
    await pass(10_000);
    await forgotten;
    expect(await outcome).toBe("no-key");
  });
});
