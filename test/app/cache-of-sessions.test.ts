import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../../src/app";
import { createDisk, type Disk } from "../../src/engine/cache/store";
import type { Failure } from "../../src/errors";
import { connectionStorageKey, storedForm } from "../../src/settings/connection";
import type { OtherWorkbooks } from "../../src/settings/other-workbooks";
import { IDBFactory, storedAhjIds, storedRecords } from "../engine/cache/database";
import { memoryStorage } from "../settings/memory-storage";
import { askInCell, baseUrl, type Interception, recordedService } from "../recorded-service";

const hourMs = 3_600_000;

beforeEach(() => {
  // The fake IndexedDB uses setImmediate, so only clocks and timers are faked.
  vi.useFakeTimers({ now: new Date("2026-03-12T12:00:00Z"), toFake: ["Date", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function playing<Result>(work: Promise<Result>): Promise<Result> {
  let isDone = false;
  void work.catch(() => undefined).finally(() => (isDone = true));
  while (!isDone) {
    await vi.advanceTimersByTimeAsync(50);
    await new Promise((resolve) => setImmediate(resolve));
    // The app names its spaces by digests, which Node makes on another thread, in the order in which they are asked for.
    await crypto.subtle.digest("SHA-256", new Uint8Array());
  }
  return work;
}

/** A user's device: what is stored there outlives each start of the add-in. */
function device(key = "demo-national") {
  const storage = memoryStorage({ [connectionStorageKey]: storedForm({ baseUrl, key }) });
  const factory = new IDBFactory();
  const listeners: ((space: string) => void)[] = [];
  /** Acts as a BroadcastChannel: a workbook's message reaches the others, later. */
  function others(): OtherWorkbooks {
    let own: ((space: string) => void) | undefined;
    return {
      tellForgotten(space) {
        const open = listeners.filter((each) => each !== own);
        setImmediate(() => open.forEach((tell) => tell(space)));
      },
      onForgotten: (listener) => void listeners.push((own = listener)),
    };
  }
  return {
    /** The storage's functions may be replaced, for example by ones that fail. */
    storage,
    factory,
    /** Joins as another workbook beside the open ones. */
    others,
    start(
      options: {
        intercept?: Interception;
        factory?: IDBFactory;
        slowed?: (disk: Disk) => Disk;
        others?: OtherWorkbooks;
        storage?: typeof storage;
      } = {},
    ) {
      const { fetch, requests } = recordedService(options);
      const app = createApp({
        fetch,
        storage: options.storage ?? storage,
        others: options.others,
        openDisk: (onFailure) => {
          const disk = createDisk({ indexedDB: options.factory ?? factory, onFailure });
          return options.slowed?.(disk) ?? disk;
        },
      });
      const ask = (geoid: string, typeId: number) =>
        playing(
          askInCell(app, geoid, typeId).then(
            ({ cell }) => cell.value,
            (failure: Failure) => failure.kind,
          ),
        );
      return { app, requests, ask };
    },
  };
}

/** Waits until all fetched answers are on disk. */
const settle = () => playing(new Promise((resolve) => setTimeout(resolve, 2_000)));

const answersOn = async (factory: IDBFactory) => (await storedAhjIds(factory)).length;

describe("two workbooks on one device", () => {
  const recordsOf = async (factory: IDBFactory) =>
    (await storedRecords(factory)).filter(({ store }) => store === "shards" || store === "documents").length;

  async function mustHaveEnded({ app, requests, ask }: ReturnType<ReturnType<typeof device>["start"]>) {
    requests.length = 0;
    expect(app.currentSession()).toBeNull();
    expect(await ask("48201", 1003)).toBe("no-key");
    expect(requests).toEqual([]);
  }

  it("both end when one forgets the key: the other asks nothing more and keeps nothing of it", async () => {
    const { start, others, factory, storage } = device();
    const [one, other] = [start({ others: others() }), start({ others: others() })];
    await one.ask("06001", 1003);
    await other.ask("06037", 1003);
    await settle();
    await playing(one.app.forget());
    await settle();
    await mustHaveEnded(other);
    await settle();
    expect(await answersOn(factory)).toBe(0);
    expect(await storage.getItem("regdata.forgotten")).toBeNull();
  });

  it("both end the session of a forgotten key, even if the other workbook's storage still shows the key for a while", async () => {
    const { start, others, storage } = device();
    const stale = { ...storage };
    const shown = await storage.getItem(connectionStorageKey);
    let showsOld = true;
    stale.getItem = (name) =>
      showsOld && name === connectionStorageKey ? Promise.resolve(shown) : storage.getItem(name);
    const [one, other] = [start({ others: others() }), start({ others: others(), storage: stale })];
    await one.ask("06001", 1003);
    await other.ask("06037", 1003);
    await settle();
    setTimeout(() => (showsOld = false), 200);
    await playing(one.app.forget());
    await settle();
    await mustHaveEnded(other);
  });

  it("that can't tell each other keep nothing of a forgotten key after the next start, and all answers of saved keys", async () => {
    const { start, factory, storage } = device();
    const [one, other] = [start(), start()];
    await one.ask("06001", 1003);
    await other.ask("06059", 1003);
    await playing(one.app.connect(baseUrl, "demo-west", true));
    await one.ask("06001", 1003);
    await settle();
    const ofKept = await recordsOf(factory);
    await storage.setItem(
      "regdata.connections",
      JSON.stringify({ version: 1, connections: [{ name: "West", baseUrl, key: "demo-west" }] }),
    );
    await other.ask("06037", 1003);
    await settle();
    expect(await recordsOf(factory)).toBeGreaterThan(ofKept);
    await playing(
      start()
        .app.session()
        .catch(() => undefined),
    );
    // Digests take real time, which the fake clock does not control.
    await vi.waitFor(async () => expect(await answersOn(factory)).toBe(1), 10_000);
    await storage.removeItem("regdata.connections");
    await storage.removeItem("regdata.connection");
    await playing(
      start()
        .app.session()
        .catch(() => undefined),
    );
    await vi.waitFor(async () => expect(await storedRecords(factory)).toEqual([]), 10_000);
  });

  it("that can't tell each other ask nothing more under a forgotten key once a minute has passed, and write nothing", async () => {
    const { start, factory } = device();
    const [one, other] = [start(), start()];
    await one.ask("06001", 1003);
    await other.ask("06037", 1003);
    await settle();
    await playing(one.app.forget());
    await playing(new Promise((resolve) => setTimeout(resolve, 60_000)));
    other.requests.length = 0;
    expect(await other.ask("48201", 1003)).toBe("no-key");
    expect(other.requests).toEqual([]);
    expect(other.app.currentSession()).toBeNull();
    await settle();
    expect(await recordsOf(factory)).toBe(0);
  });

  it("that can't tell each other both go on if one switches keys and the other's key is still saved by name", async () => {
    const { start, storage } = device();
    const [one, other] = [start(), start()];
    await other.ask("48113", 1056);
    await storage.setItem(
      "regdata.connections",
      JSON.stringify({ version: 1, connections: [{ name: "National", baseUrl, key: "demo-national" }] }),
    );
    await playing(one.app.connect(baseUrl, "demo-west", true));
    await playing(new Promise((resolve) => setTimeout(resolve, 60_000)));
    expect(await other.ask("48201", 1003)).not.toBe("outside-subscription");
    expect(other.app.currentSession()?.credentials.key).toBe("demo-national");
  });

  it("go on with their key when the storage can't be read any more", async () => {
    const { start, storage } = device();
    const { ask, requests } = start();
    await ask("06001", 1003);
    await playing(new Promise((resolve) => setTimeout(resolve, 60_000)));
    storage.getItem = () => Promise.reject(new Error("the storage is gone"));
    requests.length = 0;
    expect(await ask("06037", 1003)).toBe("NEC 2020");
    expect(requests).not.toEqual([]);
  });

  it("end each other's requests when one forgets the key: the waiting cell says that there is no key", async () => {
    const { start, others } = device();
    const one = start({ others: others() });
    const other = start({
      others: others(),
      intercept: () => new Promise<Response>(() => undefined) as never,
    });
    await one.ask("06001", 1003);
    const waiting = other.ask("06037", 1003);
    await settle();
    await playing(one.app.forget());
    expect(await waiting).toBe("no-key");
  });

  it("go on with the new key when one workbook replaces the key, and keep nothing of the old one", async () => {
    const { start, others, factory } = device();
    const [one, other] = [start({ others: others() }), start({ others: others() })];
    await one.ask("06001", 1003);
    await other.ask("06037", 1003);
    await settle();
    await playing(one.app.connect(baseUrl, "demo-west"));
    await settle();
    expect(await answersOn(factory)).toBe(0);
    await other.ask("06037", 1056);
    expect((await other.app.session()).credentials.key).toBe("demo-west");
  });

  it("ask again when one workbook clears the cache", async () => {
    const { start, others, factory } = device();
    const [one, other] = [start({ others: others() }), start({ others: others() })];
    await other.ask("06037", 1003);
    await settle();
    await one.app.session();
    await playing(one.app.clear());
    await settle();
    expect(await recordsOf(factory)).toBe(0);
    other.requests.length = 0;
    await other.ask("06037", 1003);
    expect(other.requests.length).toBeGreaterThan(0);
  });

  it("go on when a connection is forgotten that neither of them uses", async () => {
    const { start, others } = device();
    const [one, other] = [start({ others: others() }), start({ others: others() })];
    const before = await other.app.session();
    await playing(one.app.forget({ baseUrl, key: "demo-west" }));
    await settle();
    expect(await other.app.session()).toBe(before);
  });
});

describe("a restart", () => {
  it("finds the answers again without a request", async () => {
    const { start } = device();
    const before = await start().ask("06001", 1003);
    await settle();
    const later = start();
    expect(await later.ask("06001", 1003)).toBe(before);
    expect(later.requests).toEqual([]);
  });

  it("keeps the age that the user has chosen for answers", async () => {
    const { start } = device();
    const first = start();
    await first.ask("06001", 1003);
    await playing(first.app.setPreferences({ answerAgeMs: hourMs, citedNumbers: false }));
    await settle();
    vi.setSystemTime(Date.now() + 2 * hourMs);
    const later = start();
    await later.ask("06001", 1003);
    expect(later.app.preferences()).toEqual({ answerAgeMs: hourMs, citedNumbers: false });
    expect(later.requests).toEqual(["POST /v1/reports/matrix"]);
  });
});

describe("a key that is forgotten", () => {
  it("has its answers erased with it", async () => {
    const { start } = device();
    const first = start();
    await first.ask("06001", 1003);
    await settle();
    await playing(first.app.forget());
    expect(await first.ask("06001", 1003)).toBe("no-key");

    const later = start();
    await playing(later.app.connect(baseUrl, "demo-national"));
    later.requests.length = 0;
    await later.ask("06001", 1003);
    expect(later.requests).toEqual(["GET /v1/geoid/06001", "POST /v1/reports/matrix"]);
  });

  it("leaves no answers to the next key", async () => {
    const { start } = device();
    const { app, ask } = start();
    expect(await ask("48201", 1003)).not.toBe("outside-subscription");
    await settle();
    await playing(app.forget());
    await playing(app.connect(baseUrl, "demo-west"));
    expect(await ask("48201", 1003)).toBe("outside-subscription");
  });
});

describe("the answers that were fetched with a forgotten key", () => {
  const isBlocked = () => {
    throw new DOMException("blocked", "SecurityError");
  };
  it("are erased even if nobody has asked for anything yet", async () => {
    const { start, factory } = device();
    await start().ask("06001", 1003);
    await settle();
    expect(await answersOn(factory)).toBe(1);
    await playing(start().app.forget());
    expect(await answersOn(factory)).toBe(0);
  });

  it("are erased at the next start if the disk could not be opened", async () => {
    const { start, factory, storage } = device();
    await start().ask("06001", 1003);
    await settle();
    const blocked = new IDBFactory();
    blocked.open = isBlocked;
    const second = start({ factory: blocked });
    await second.ask("06001", 1003);
    await playing(second.app.forget());
    expect(await second.ask("06001", 1003)).toBe("no-key");
    expect(await answersOn(factory)).toBe(1);

    expect(await start().ask("06001", 1003)).toBe("no-key");
    await settle();
    expect(await answersOn(factory)).toBe(0);
    expect(await storage.getItem("regdata.forgotten")).toBeNull();
  });

  it("are not shown again to the same key, at no later start", async () => {
    const { start, factory } = device();
    await start().ask("06001", 1003);
    await settle();
    const blocked = new IDBFactory();
    blocked.open = isBlocked;
    const second = start({ factory: blocked });
    await playing(second.app.forget());
    await playing(second.app.connect(baseUrl, "demo-national"));

    const third = start();
    await third.ask("06001", 1003);
    expect(third.requests).toContain("POST /v1/reports/matrix");
    await settle();
    expect(await answersOn(factory)).toBe(1);
    const fourth = start();
    await fourth.ask("06001", 1003);
    expect(fourth.requests).toEqual([]);
  });

  it("are not shown to the same key in the same session either, should the disk work again", async () => {
    const { start } = device();
    await start().ask("06001", 1003);
    await settle();
    const second = start();
    await second.ask("06003", 1003);
    const refusing = vi.spyOn(IDBObjectStore.prototype, "delete").mockImplementation(() => {
      throw new DOMException("The disk is full.", "QuotaExceededError");
    });
    await playing(second.app.forget());
    refusing.mockRestore();
    await playing(second.app.connect(baseUrl, "demo-national"));
    second.requests.length = 0;
    await second.ask("06001", 1003);
    expect(second.requests).toContain("POST /v1/reports/matrix");
  });

  it("are erased when another key replaces it as well", async () => {
    const { start, factory } = device();
    const { app, ask } = start();
    await ask("06001", 1003);
    await settle();
    await playing(app.connect(baseUrl, "demo-west"));
    await settle();
    expect(await answersOn(factory)).toBe(0);
  });

  it("are erased when another key replaces it, even if nobody has asked for anything yet", async () => {
    const { start, factory } = device();
    await start().ask("06001", 1003);
    await settle();
    await playing(start().app.connect(baseUrl, "demo-west"));
    expect(await answersOn(factory)).toBe(0);
  });

  it("are not reported as forgotten if they could be neither erased nor noted for erasure", async () => {
    const { start, storage } = device();
    const blocked = new IDBFactory();
    blocked.open = isBlocked;
    const { app, ask } = start({ factory: blocked });
    await ask("06001", 1003);
    storage.setItem = () => Promise.reject(new Error("full"));
    const outcome = app.forget().then(
      () => "fulfilled",
      (failure: Failure) => failure.kind,
    );
    expect(await playing(outcome)).toBe("storage-failed");
    expect(await ask("06001", 1003)).toBe("no-key");
  });

  it("are not passed over in silence when another key replaces it, which is connected all the same", async () => {
    const { start, storage } = device();
    const blocked = new IDBFactory();
    blocked.open = isBlocked;
    const { app, ask } = start({ factory: blocked });
    await ask("06001", 1003);
    const { setItem } = storage;
    storage.setItem = (name, value) =>
      name === connectionStorageKey ? setItem(name, value) : Promise.reject(new Error("full"));
    const outcome = app.connect(baseUrl, "demo-west").then(
      () => "fulfilled",
      (failure: Failure) => failure.kind,
    );
    expect(await playing(outcome)).toBe("storage-failed");
    expect(app.currentSession()?.credentials.key).toBe("demo-west");
    expect(app.notices().connected?.jurisdictions).toBeGreaterThan(0);
  });

  it("is not said to be forgotten where its connection stays in the storage", async () => {
    const { start, storage } = device();
    const { app, ask } = start();
    await ask("06001", 1003);
    storage.removeItem = () => Promise.reject(new Error("busy"));
    for (const other of [undefined, { baseUrl, key: "demo-national" }]) {
      const outcome = app.forget(other).then(
        () => "fulfilled",
        (failure: Failure) => failure.kind,
      );
      expect(await playing(outcome)).toBe("storage-failed");
      expect(await storage.getItem(connectionStorageKey)).toContain("demo-national");
    }
  });
});

describe("connecting again with the same key", () => {
  it("keeps the answers that were fetched, in memory and on disk", async () => {
    const { start } = device();
    const first = start();
    const before = await first.ask("06001", 1003);
    await settle();
    const { closed } = await first.app.session();
    await playing(first.app.connect(`${baseUrl}/`, "demo-national "));
    expect(closed.aborted).toBe(true);
    first.requests.length = 0;
    expect(await first.ask("06001", 1003)).toBe(before);
    await first.ask("06003", 1003);
    await settle();
    expect(first.requests).not.toContain("GET /v1/geoid/06001");

    const later = start();
    expect(await later.ask("06001", 1003)).toBe(before);
    await later.ask("06003", 1003);
    expect(later.requests).toEqual([]);
  });

  it("keeps the answers that were fetched if there is only memory", async () => {
    const blocked = new IDBFactory();
    blocked.open = () => {
      throw new DOMException("blocked", "SecurityError");
    };
    const { app, ask, requests } = device().start({ factory: blocked });
    const before = await ask("06001", 1003);
    await playing(app.connect(baseUrl, "demo-national"));
    requests.length = 0;
    expect(await ask("06001", 1003)).toBe(before);
    expect(requests).not.toContain("POST /v1/reports/matrix");
  });

  it("lets a later forgetting erase the answers of both sessions", async () => {
    const { start, factory } = device();
    const { app, ask } = start();
    await ask("06001", 1003);
    await playing(app.connect(baseUrl, "demo-national"));
    await ask("06003", 1003);
    await playing(app.forget());
    await settle();
    expect(await answersOn(factory)).toBe(0);
  });
});

describe("switching between saved keys", () => {
  it("keeps each key's answers, and shows neither key the other's", async () => {
    const { start, factory } = device();
    const { app, ask, requests } = start();
    const before = await ask("48113", 1056);
    expect(before).toBe("$145");
    await playing(app.connect(baseUrl, "demo-west", true));
    expect(await ask("48113", 1056)).toBe("outside-subscription");
    await ask("06001", 1003);
    await playing(app.connect(baseUrl, "demo-national", true));
    requests.length = 0;
    expect(await ask("48113", 1056)).toBe(before);
    expect(requests).toEqual([]);

    await playing(app.forget({ baseUrl, key: "demo-west" }));
    await settle();
    expect(await answersOn(factory)).toBe(1);
    expect(await ask("48113", 1056)).toBe(before);
    expect(requests).toEqual([]);
    expect(await start().ask("48113", 1056)).toBe(before);
  });

  it("leaves nothing of a key that is forgotten while its answers are being written", async () => {
    const { start, factory } = device();
    let write = () => {};
    const isTime = new Promise<void>((resolve) => (write = resolve));
    const { app, ask } = start({
      slowed: (disk) => ({
        ...disk,
        async changeShard(...change) {
          await isTime;
          return disk.changeShard(...change);
        },
      }),
    });
    await ask("06001", 1003);
    const forgotten = app
      .connect(baseUrl, "demo-west", true)
      .then(() => app.forget({ baseUrl, key: "demo-national" }));
    await settle();
    write();
    await playing(forgotten);
    await settle();
    expect(await answersOn(factory)).toBe(0);
  });

  it("forgets a key that another workbook uses only when that very key is forgotten", async () => {
    const { start, storage } = device();
    const { app } = start();
    await playing(app.connect(baseUrl, "demo-west", true));
    await playing(start().app.connect(baseUrl, "demo-national", true));
    await playing(app.forget({ baseUrl, key: "demo-county" }));
    expect(await storage.getItem(connectionStorageKey)).toContain("demo-national");
    await playing(app.forget({ baseUrl, key: "demo-national" }));
    expect(await storage.getItem(connectionStorageKey)).toBeNull();
    expect((await app.session()).credentials.key).toBe("demo-west");
  });

  it("lets the next start erase the answers that can't be erased now", async () => {
    const { start, factory } = device();
    await start().ask("06001", 1003);
    await settle();
    const blocked = new IDBFactory();
    blocked.open = () => {
      throw new DOMException("blocked", "SecurityError");
    };
    const second = start({ factory: blocked });
    await playing(second.app.connect(baseUrl, "demo-west", true));
    await playing(second.app.forget({ baseUrl, key: "demo-national" }));
    expect(await answersOn(factory)).toBe(1);
    await playing(start().app.session());
    await settle();
    expect(await answersOn(factory)).toBe(0);
  });
});

describe("clearing the cache", () => {
  it("makes the same key ask for everything again, in a session of its own", async () => {
    const { start, factory } = device();
    const { app, ask, requests } = start();
    const before = await ask("06001", 1003);
    await settle();
    const { closed } = await app.session();
    await playing(app.clear());
    expect(closed.aborted).toBe(true);
    expect(await answersOn(factory)).toBe(0);
    requests.length = 0;
    expect(await ask("06001", 1003)).toBe(before);
    expect(requests).toEqual(["GET /v1/geoid/06001", "POST /v1/reports/matrix"]);
    await settle();
    expect(await answersOn(factory)).toBe(1);
  });

  it("keeps to the request limit that the service has told before", async () => {
    const usedUp = {
      "Content-Type": "application/json",
      "X-RateLimit-Remaining": "0",
      "X-RateLimit-Reset": String(Date.now() / 1_000 + 7_200),
    };
    const refused = () => new Response(JSON.stringify({ detail: "" }), { status: 404, headers: usedUp });
    const { app, ask, requests } = device().start({ intercept: refused });
    await ask("06001", 1003);
    const asked = requests.length;
    await playing(app.clear());
    expect(await ask("06001", 1003)).toBe("rate-limited");
    expect(requests).toHaveLength(asked);
  });
});

describe("the user is told", () => {
  it("that nothing can be kept on a device without a working disk, while formulas work all the same", async () => {
    const broken = new IDBFactory();
    broken.open = () => {
      throw new DOMException("blocked", "SecurityError");
    };
    const { app, ask } = device().start({ factory: broken });
    const heard = vi.fn();
    app.onNoticesChange(heard);
    expect(await ask("06001", 1003)).not.toMatch(/^[a-z-]+$/);
    await ask("06003", 1003);
    expect(app.notices().isMemoryOnly).toBe(true);
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it("how many answers are old while the service can't be reached", async () => {
    const { start } = device();
    const before = await start().ask("06001", 1003);
    await settle();
    vi.setSystemTime(Date.now() + 48 * hourMs);
    let isDown = true;
    const { app, ask } = start({ intercept: () => (isDown ? new Response("", { status: 500 }) : undefined) });
    expect(await ask("06001", 1003)).toBe(before);
    expect(app.notices().oldAnswers).toMatchObject({ count: 1 });
    isDown = false;
    await ask("06001", 1003);
    expect(app.notices().oldAnswers).toBeNull();
  });
});
