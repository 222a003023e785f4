import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createService } from "../../reference-service/service";
import { type App, createApp } from "../../src/app";
import { type Client, createClient } from "../../src/engine/api/client";
import type { Ahj } from "../../src/engine/api/schemas";
import { createDisk } from "../../src/engine/cache/store";
import { createTransport } from "../../src/engine/transport/exchange";
import { asFailure, Failure } from "../../src/errors";
import { connectionStorageKey, storedForm } from "../../src/settings/connection";
import { IDBFactory } from "../engine/cache/database";
import { fakeLocks } from "../engine/transport/fake-locks";
import { memoryStorage } from "../settings/memory-storage";
import { askInCell, baseUrl } from "../recorded-service";

const hourMs = 3_600_000;
const typeId = 1056;
const never = <Result>() => new Promise<Result>(() => {});

beforeEach(() => {
  // The fake IndexedDB uses setImmediate, so only clocks and timers are faked.
  vi.useFakeTimers({ now: new Date("2026-03-12T12:00:00Z"), toFake: ["Date", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Lets the clock run until the condition is true. */
async function until(condition: () => boolean): Promise<void> {
  for (let steps = 0; !condition(); steps += 1) {
    if (steps > 20_000) throw new Error("This does not end.");
    await vi.advanceTimersByTimeAsync(100);
    await turn();
  }
}

/** Lets the clock run until the work has ended. */
async function playing<Result>(work: Promise<Result>): Promise<Result> {
  let isDone = false;
  void work.catch(() => undefined).finally(() => (isDone = true));
  await until(() => isDone);
  return work;
}

interface OpenWorkbook {
  app: App;
  /** The value of an AHJ, or the kind of the failure that the cell would show. */
  ask(ahj: Ahj): Promise<string>;
  /** The same value as an import reads it: an import waits for the limit. */
  read(ahj: Ahj): Promise<string>;
  /** Freezes the workbook's page: nothing in it goes on, and it keeps its locks. */
  freeze(): void;
  /** Ends the workbook's runtime: nothing in it goes on, and the browser frees its locks. */
  die(): void;
}

/** One user's device with a service that all its workbooks ask. */
function device(key: string) {
  const service = createService();
  const storage = memoryStorage({ [connectionStorageKey]: storedForm({ baseUrl, key }) });
  const factory = new IDBFactory();
  const locks = fakeLocks();
  /** The workbook that has the turn. The lock that marks the last turn is another one. */
  let holder: number | undefined;
  const listeners = new Set<(space: string) => void>();
  const statuses: number[] = [];
  /** Called at each request, which goes on once this has ended. */
  const requested = vi.fn<(workbook: number) => Promise<void> | void>();

  function open(number: number): OpenWorkbook {
    let isGone = false;
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const own = (space: string) => void space;
    const app = createApp({
      storage,
      async fetch(input, init) {
        const request = new Request(input, init);
        await requested(number);
        if (isGone) return never();
        const answer = await service.fetch(request);
        statuses.push(answer.status);
        return isGone ? never() : answer;
      },
      openDisk: (onFailure) => createDisk({ indexedDB: factory, onFailure }),
      locks: {
        request: ((name: string, ...rest: unknown[]) => {
          const callback = rest.at(-1) as () => Promise<unknown>;
          const isTurn = !name.endsWith(" last turn");
          const held = async () => {
            if (isTurn) holder = number;
            const value = await Promise.race([callback().then((kept) => (isGone ? never() : kept)), ended]);
            if (isTurn) holder = undefined;
            return value;
          };
          const options = rest.length > 1 ? (rest[0] as LockOptions) : {};
          return locks.request(name, options, held as never);
        }) as LockManager["request"],
      },
      others: {
        tellForgotten: (space) =>
          setImmediate(() => listeners.forEach((tell) => tell !== own && tell(space))),
        onForgotten: (listener) => void listeners.add(listener),
      },
    });
    return {
      app,
      ask: ({ geoid }) =>
        askInCell(app, geoid ?? "", typeId).then(
          ({ cell }) => cell.value,
          (thrown: unknown) => asFailure(thrown).kind,
        ),
      read: ({ id }) =>
        app.answer(async ({ lookup }) => {
          const wanted = { values: new Map([[id, new Set([typeId])]]) };
          const answer = (await lookup.answers.read(wanted, { sinceMs: Date.now() })).of(id, typeId);
          return answer instanceof Failure ? answer.kind : answer.cell.value;
        }),
      freeze: () => void (isGone = true),
      die() {
        isGone = true;
        end();
      },
    };
  }
  return { open, statuses, requested, holder: () => holder };
}

/** A client that asks the service without the add-in in between. */
function direct(): Client {
  const service = createService();
  return createClient(
    createTransport(
      { baseUrl, key: "demo-national" },
      { fetch: (input, init) => Promise.resolve(service.fetch(new Request(input, init))) },
    ),
  );
}

/** Counties, and what the service says of each. */
async function counties(count: number): Promise<{ ahjs: Ahj[]; values: string[] }> {
  const client = direct();
  const { data } = await playing(client.listAhjs({ page: 1, page_size: 500 }));
  const ahjs = data.items.filter(({ type, geoid }) => type === "county" && geoid !== null).slice(0, count);
  expect(ahjs).toHaveLength(count);
  const ids = { ahj_ids: ahjs.map(({ id }) => id), data_point_type_ids: [typeId] };
  const { rows } = (await playing(client.matrix(ids))).data;
  const valueOf = ({ id }: Ahj) => rows.find(({ ahj }) => ahj.id === id)?.values[typeId]?.value ?? "no-value";
  return { ahjs, values: ahjs.map(valueOf) };
}

const minute = () => new Promise<void>((resolve) => setTimeout(resolve, 60_000));
const numbers = Array.from({ length: 10 }, (_, number) => number);

/** Delays an answer by the time that a slow service takes. */
const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, 300));

const firstPages = Array.from({ length: 12 }, (_, index) => index + 1);

/** Twelve pages of the list of AHJs: more requests than are sent before the first answer, so that the turn is kept for a while. */
async function idsOf({ listAhjs }: Pick<Client, "listAhjs">): Promise<number[]> {
  const pages = await Promise.all(firstPages.map((page) => listAhjs({ page, page_size: 10 })));
  return pages.flatMap(({ data }) => data.items.map(({ id }) => id));
}

/** Reads the AHJs in every workbook; gives the ids that each one got, by the workbook's number. */
function readAll(books: readonly OpenWorkbook[]): Map<number, number[]> {
  const came = new Map<number, number[]>();
  for (const [number, { app }] of books.entries())
    void app.answer(({ client }) => idsOf(client)).then((ids) => came.set(number, ids));
  return came;
}

describe("ten workbooks on one device", () => {
  it("all get right answers, four each, or are told of the limit, and each is refused once a minute at most", async () => {
    const { ahjs, values } = await counties(40);
    const { open, statuses } = device("demo-limited");
    const beganMs = Date.now();
    const asked = numbers.map(async (number) => {
      const workbook = open(number);
      const came: string[] = [];
      for (const ahj of ahjs.slice(4 * number, 4 * number + 4)) {
        // A workbook that meets the limit asks again when the limit has reset.
        let value = await workbook.ask(ahj);
        for (; value === "rate-limited"; value = await workbook.ask(ahj)) await minute();
        came.push(value);
      }
      return came;
    });
    expect((await playing(Promise.all(asked))).flat()).toEqual(values);
    // The key has 30 requests a minute.
    expect(statuses.length).toBeGreaterThan(60);
    const minutes = Math.ceil((Date.now() - beganMs) / 60_000);
    expect(minutes).toBeGreaterThan(1);
    // A workbook learns only from a request of its own how much the other workbooks' turns have left of the limit.
    const refused = statuses.filter((status) => status !== 200);
    expect(new Set(refused)).toEqual(new Set([429]));
    expect(refused.length).toBeLessThanOrEqual(numbers.length * minutes);
  });

  it.each<["die" | "freeze", string, number]>([
    // The browser frees a dead workbook's turn, so nobody waits for it.
    ["die", "dies", 10_000],
    // The other workbooks wait this long for one that does not end its turn.
    ["freeze", "is frozen", 35_000],
  ])("go on when the workbook that has the turn ends (%s): it %s", async (end, _, withinMs) => {
    const ids = await playing(idsOf(direct()));
    const { open, requested, holder } = device("demo-national");
    requested.mockImplementation(slowly);
    const books = numbers.map(open);
    const beganMs = Date.now();
    const came = readAll(books);
    await until(() => holder() !== undefined);
    const gone = holder() ?? 0;
    books[gone]?.[end]();
    await until(() => came.size === 9);
    expect(came.has(gone)).toBe(false);
    for (const read of came.values()) expect(read).toEqual(ids);
    const tookMs = Date.now() - beganMs;
    expect(tookMs).toBeLessThan(withinMs);
    if (end === "freeze") expect(tookMs).toBeGreaterThan(15_000);
    // A workbook that is opened anew gets the answers that the stopped one wanted.
    expect(await playing(open(10).app.answer(({ client }) => idsOf(client)))).toEqual(ids);
  });
});

describe("a device that sleeps for an hour", () => {
  /** Jumps the clock by an hour, as a device that sleeps: timers fire late. */
  const sleep = () => vi.setSystemTime(Date.now() + hourMs);

  it.each(["the answer comes", "the connection is gone"])(
    "in the middle of a request still has its cells answered when it wakes: %s",
    async (then) => {
      const { ahjs, values } = await counties(1);
      const { open, requested } = device("demo-national");
      let requests = 0;
      requested.mockImplementation(() => {
        if ((requests += 1) !== 2) return;
        sleep();
        if (then !== "the answer comes") throw new TypeError("Failed to fetch");
      });
      expect(await playing(open(0).ask(ahjs[0]!))).toBe(values[0]);
    },
  );

  it("in the middle of a wait for the limit goes on at once", async () => {
    const { ahjs, values } = await counties(40);
    const { open, statuses } = device("demo-limited");
    const { app, read } = open(0);
    let came: string[] | undefined;
    const asked = (async () => {
      const all: string[] = [];
      for (const ahj of ahjs) all.push(await read(ahj));
      came = all;
    })();
    await until(() => app.currentSession()?.limit().waitingUntilMs !== undefined);
    expect(came).toBeUndefined();
    sleep();
    const wokeMs = Date.now();
    await playing(asked);
    expect(came).toEqual(values);
    expect(Date.now() - wokeMs).toBeLessThan(3 * 60_000);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });

  it("in the middle of a turn has all its workbooks answered afterwards", async () => {
    const ids = await playing(idsOf(direct()));
    const { open, requested, holder } = device("demo-national");
    requested.mockImplementation(slowly);
    const came = readAll(numbers.map(open));
    await until(() => holder() !== undefined);
    sleep();
    await until(() => came.size === 10);
    for (const read of came.values()) expect(read).toEqual(ids);
  });
});
