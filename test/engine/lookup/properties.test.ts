import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Ahj } from "../../../src/engine/api/schemas";
import { openCache } from "../../../src/engine/cache/cache";
import { createDisk } from "../../../src/engine/cache/store";
import { Failure } from "../../../src/errors";
import type { Lookup } from "../../../src/engine/lookup/lookup";
import { stateOfGeoid } from "../../../src/engine/lookup/directory/states";
import { IDBFactory } from "../cache/database";
import { nationalAhjs } from "../../nation";
import { askOne, connected, type Interception } from "../../recorded-service";

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
});
afterAll(() => {
  vi.useRealTimers();
});

const keys = ["demo-west", "demo-national", "demo-county"] as const;
const nation = await nationalAhjs();
const lowest = new Map<string, Ahj>();
/** geoIDs that two AHJs share, where the AHJ with the lower id lies in the state that the geoID begins with. */
const shared = nation.flatMap((ahj) => {
  const lower = lowest.get(ahj.geoid ?? "");
  if (!lower && ahj.geoid) lowest.set(ahj.geoid, ahj);
  return lower?.geoid && lower.state_code === stateOfGeoid(lower.geoid) ? [lower.geoid] : [];
});
const ofState = (state: string, count: number) =>
  nation.flatMap((ahj) => (ahj.state_code === state && ahj.geoid ? [ahj.geoid] : [])).slice(5, 5 + count);

/** geoIDs of the subscription, of two AHJs, of other states, and of nobody. */
const pool = [
  ...ofState("CA", 12),
  ...ofState("NV", 4),
  ...shared.slice(0, 8),
  ...ofState("TX", 5),
  "06ZZZ",
  "9",
  "4899999",
  "99999",
];
/** True if a text has the form of a geoID: docs/interface.md, "Left open", says what can be told from a user's text. */
const isOfForm = (geoid: string) => /^(?:0[1-9]|[1-5]\d)(?:\d{3}|\d{5}|\d{8})?$/.test(geoid);

const typePool = [1001, 1003, 1019, 1030, 1034, 1045, 999_999];

type Shown = string | null;
const shown = (lookup: Lookup, geoid: string, typeId: number, signal?: AbortSignal): Promise<Shown> =>
  askOne(lookup, geoid, typeId, { signal }).then(
    ({ cell, ahj }) => `${ahj.id}: ${cell.value}`,
    (failure: Failure) => failure.kind,
  );

async function playing<Result>(work: Promise<Result>): Promise<Result> {
  let isDone = false;
  void work.finally(() => (isDone = true)).catch(() => undefined);
  while (!isDone) {
    await vi.advanceTimersByTimeAsync(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return work;
}

/** The answer that each key gets for each cell when it is asked alone. */
const truth = new Map<string, Shown>();
beforeAll(async () => {
  for (const key of keys) {
    const { lookup } = connected(key);
    for (const geoid of pool) {
      for (const typeId of typePool)
        truth.set(`${key} ${geoid} ${typeId}`, await playing(shown(lookup, geoid, typeId)));
    }
  }
}, 60_000);

const cell = fc.record({ geoid: fc.constantFrom(...pool), typeId: fc.constantFrom(...typePool) });

/** Notes the cells of the matrices that were asked for. */
function recordCells() {
  const cells: string[] = [];
  const intercept: Interception = async (request) => {
    if (!request.url.endsWith("/matrix")) return undefined;
    const body = (await request.clone().json()) as { ahj_ids: number[]; data_point_type_ids: number[] };
    for (const ahjId of body.ahj_ids)
      for (const typeId of body.data_point_type_ids) cells.push(`${ahjId} ${typeId}`);
    return undefined;
  };
  return { cells, intercept };
}

describe("whatever is asked, in whatever order", () => {
  it("every cell is settled once, with the service's answer", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ cell, waitMs: fc.constantFrom(0, 0, 0, 20, 70), isCancelled: fc.boolean() }), {
          minLength: 1,
          maxLength: 40,
        }),
        async (asks) => {
          const { lookup } = connected("demo-west");
          let settled = 0;
          const results = await playing(
            (async () => {
              const waiting: Promise<Shown>[] = [];
              for (const { cell, waitMs, isCancelled } of asks) {
                const stop = new AbortController();
                waiting.push(
                  shown(lookup, cell.geoid, cell.typeId, stop.signal).finally(() => (settled += 1)),
                );
                if (isCancelled) stop.abort();
                if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
              }
              return Promise.all(waiting);
            })(),
          );
          expect(settled).toBe(asks.length);
          results.forEach((result, index) => {
            const { geoid, typeId } = asks[index]?.cell ?? { geoid: "", typeId: 0 };
            if (asks[index]?.isCancelled && result === "cancelled") return;
            expect(result).toBe(truth.get(`demo-west ${geoid} ${typeId}`));
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it("no cell of a dense sheet is asked for twice", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.subarray(typePool, { minLength: 1 }), { minLength: 1, maxLength: 5 }),
        async (batches) => {
          const { cells, intercept } = recordCells();
          const { lookup } = connected("demo-west", { intercept });
          const geoids = ofState("CA", 6);
          for (const typeIds of batches) {
            await playing(
              Promise.all(geoids.flatMap((geoid) => typeIds.map((typeId) => shown(lookup, geoid, typeId)))),
            );
          }
          expect(new Set(cells).size).toBe(cells.length);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("a geoID", () => {
  it("stands for the same AHJ, or for none for the same reason, however it is resolved", async () => {
    const kindOrId = (found: { id: number } | Failure | undefined) =>
      found instanceof Failure ? found.kind : found?.id;
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(pool, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(...keys),
        async (geoids, key) => {
          const together = await playing(connected(key).lookup.directory.resolve(geoids));
          const { lookup } = connected(key);
          await playing(lookup.directory.load());
          const fromDirectory = await playing(lookup.directory.resolve(geoids));
          for (const geoid of geoids) {
            const alone = await playing(connected(key).lookup.directory.resolve([geoid]));
            expect(kindOrId(together.get(geoid)), geoid).toBe(kindOrId(alone.get(geoid)));
            expect(kindOrId(fromDirectory.get(geoid)), geoid).toBe(kindOrId(alone.get(geoid)));
          }
        },
      ),
      { numRuns: 15 },
    );
  }, 60_000);
});

describe("hundreds of geoIDs", () => {
  const many = [
    ...ofState("CA", 120),
    ...ofState("AZ", 60),
    ...ofState("TX", 80),
    ...shared,
    ...Array.from({ length: 40 }, (_, index) => `06${90_000 + index}Z`),
    ...Array.from({ length: 40 }, (_, index) => `99${10_000 + index}`),
  ];
  const entitled: Record<(typeof keys)[number], ReadonlySet<number>> = {
    "demo-west": new Set(),
    "demo-national": new Set(),
    "demo-county": new Set(),
  };
  beforeAll(async () => {
    for (const key of keys) {
      const { ahjs } = await playing(connected(key).lookup.directory.load());
      entitled[key] = new Set(ahjs.map(({ id }) => id));
    }
  });

  it("stand for their lowest entitled id, or are told apart, whatever other geoIDs are asked", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(many, { maxLength: 200 }),
        fc.constantFrom(...keys),
        async (geoids, key) => {
          const resolutions = await playing(connected(key).lookup.directory.resolve(geoids));
          for (const geoid of geoids) {
            const all = nation.filter((ahj) => ahj.geoid === geoid);
            const mine = all.filter(({ id }) => entitled[key].has(id)).sort((a, b) => a.id - b.id);
            const found = resolutions.get(geoid);
            expect(found instanceof Failure ? found.kind : found?.id, `${key} ${geoid}`).toBe(
              mine[0]?.id ??
                (all.length > 0
                  ? "outside-subscription"
                  : isOfForm(geoid)
                    ? "unknown-jurisdiction"
                    : "not-a-geoid"),
            );
          }
        },
      ),
      { numRuns: 40 },
    );
  }, 60_000);
});

describe("keys that share a disk", () => {
  it("each get only their own answers", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ cell, key: fc.constantFrom(...keys), isRestart: fc.boolean() }), {
          maxLength: 25,
        }),
        async (asks) => {
          const factory = new IDBFactory();
          const open = (key: string) => {
            const cache = openCache(createDisk({ indexedDB: factory }), key);
            const serviceFacts = openCache(createDisk({ indexedDB: factory }), "service").documents;
            return { cache, ...connected(key, { dependencies: { cache, serviceFacts } }) };
          };
          const sessions = new Map(keys.map((key) => [key, open(key)]));
          for (const { cell, key, isRestart } of asks) {
            const { lookup, cache } = sessions.get(key) ?? open(key);
            expect(await playing(shown(lookup, cell.geoid, cell.typeId))).toBe(
              truth.get(`${key} ${cell.geoid} ${cell.typeId}`),
            );
            if (!isRestart) continue;
            await playing(cache.flushed());
            sessions.set(key, open(key));
          }
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);
});
