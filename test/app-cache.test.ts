import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../src/app";
import { createDisk } from "../src/cache/disk";
import type { Failure } from "../src/errors";
import { connectionStorageKey, storedForm } from "../src/settings/connection";
import { memoryStorage } from "./memory-storage";
import { baseUrl, type Interception, recordedService } from "./recorded-service";

const hourMs = 3_600_000;

beforeEach(() => {
  // IndexedDB's stand-in uses setImmediate; only clocks and timers are played.
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
  }
  return work;
}

/** A user's device: what is stored there outlives each start of the add-in. */
function device(key = "demo-national") {
  const storage = memoryStorage({ [connectionStorageKey]: storedForm({ baseUrl, key }) });
  const factory = new IDBFactory();
  return {
    start(options: { intercept?: Interception; factory?: IDBFactory } = {}) {
      const { fetch, requests } = recordedService(options);
      const app = createApp({
        fetch,
        storage,
        excel: () => {
          throw new Error("no Excel here");
        },
        openDisk: (onFailure) => createDisk({ indexedDB: options.factory ?? factory, onFailure }),
      });
      const ask = (geoid: string, typeId: number) =>
        playing(
          app.value(geoid, typeId).then(
            ({ cell }) => cell.value,
            (failure: Failure) => failure.kind,
          ),
        );
      return { app, requests, ask };
    },
  };
}

/** Until all that was fetched is on disk. */
const settle = () => playing(new Promise((resolve) => setTimeout(resolve, 2_000)));

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
    await playing(first.app.setPreferences({ answerAgeMs: hourMs }));
    await settle();
    vi.setSystemTime(Date.now() + 2 * hourMs);
    const later = start();
    await later.ask("06001", 1003);
    expect(later.app.preferences()).toEqual({ answerAgeMs: hourMs });
    expect(later.requests).toEqual(["POST /v1/reports/matrix"]);
  });
});

describe("a key that is forgotten", () => {
  it("takes its answers along", async () => {
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

  it("leaves nothing for the next one", async () => {
    const { start } = device();
    const { app, ask } = start();
    expect(await ask("48201", 1003)).not.toBe("outside-subscription");
    await settle();
    await playing(app.forget());
    await playing(app.connect(baseUrl, "demo-west"));
    expect(await ask("48201", 1003)).toBe("outside-subscription");
  });
});

describe("what the user should know", () => {
  it("is that nothing can be kept on a device without a working disk; formulas work all the same", async () => {
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

  it("is how many answers are old while the service can't be reached, until it can", async () => {
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
