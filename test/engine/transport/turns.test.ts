import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { decidedService, named, rateHeaders, settled } from "./decided-service";
import { fakeLocks } from "./fake-locks";

const start = new Date("2026-03-12T12:00:00Z").getTime();
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);
const lockName = "service and key";

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

type Workbook = ReturnType<typeof decidedService>;

/** Two workbooks of one browser with the same service and key. */
function twoWorkbooks() {
  const locks = fakeLocks();
  const open = () => decidedService({ locks, lockName });
  return { locks, one: open(), other: open() };
}

/** Answers, every 100 ms, the oldest request that each workbook has under way. */
async function serve(books: Workbook[], forS: number) {
  for (let answers = 0; answers < 10 * forS; answers += 1) {
    await seconds(0.1);
    for (const { underWay } of books) await [...underWay][0]?.answer(rateHeaders(1_000, 60));
  }
}

describe("a workbook that is open alone", () => {
  it("sends as much at once as without turns, also after a pause and through many turns", async () => {
    const { one: alone } = twoWorkbooks();
    const free = decidedService();
    for (const book of [alone, free]) await book.send(named("first", 100));
    await serve([alone, free], 9);
    const moments = ({ sent }: Workbook) => sent.map(({ path, atMs }) => [path, atMs]);
    expect(moments(alone)).toEqual(moments(free));
    while (alone.underWay.size > 0) await serve([alone, free], 0.1);
    await seconds(3);
    for (const book of [alone, free]) await book.send(named("second", 20));
    expect(alone.underWay.size).toBe(6);
    expect(free.underWay.size).toBe(6);
  });

  it("holds no lock while it has nothing to send", async () => {
    const { one, locks } = twoWorkbooks();
    await one.send(named("r", 3));
    expect(locks.held(lockName)).toBe(true);
    await one.request("r1").answer(rateHeaders(50, 60));
    expect(one.underWay.size).toBe(2);
    expect(locks.held(lockName)).toBe(false);
  });
});

describe("workbooks of one browser", () => {
  it("take turns of two seconds, and both make progress", async () => {
    const { one, other } = twoWorkbooks();
    await one.send(named("one", 900));
    await other.send(named("other", 900));
    await serve([one, other], 28);
    const sent = [
      ...one.sent.map(({ atMs }) => ({ by: "one", atMs })),
      ...other.sent.map(({ atMs }) => ({ by: "other", atMs })),
    ].sort((a, b) => a.atMs - b.atMs);
    const turnOf = (atMs: number) => Math.floor((atMs - start) / 2_000) % 2;
    for (const { by, atMs } of sent) {
      // The next turn may begin at the very end of a turn.
      if ((atMs - start) % 2_000 !== 0) expect(turnOf(atMs)).toBe(by === "one" ? 0 : 1);
    }
    expect(one.sent.length).toBeGreaterThan(120);
    expect(other.sent.length).toBeGreaterThan(120);
  });

  it("hand over as soon as one has sent all its requests", async () => {
    const { one, other } = twoWorkbooks();
    await one.send(named("one", 3));
    await other.send(named("other", 3));
    expect(other.sent).toHaveLength(0);
    await one.request("one1").answer(rateHeaders(50, 60));
    expect(one.sent).toHaveLength(3);
    expect(other.sent).toHaveLength(2);
  });

  it("hand over while one waits for the limit", async () => {
    const { one, other } = twoWorkbooks();
    await one.send(named("one", 9));
    await other.send(named("other", 9));
    await one.request("one1").answer(rateHeaders(2, 60));
    expect(one.sent).toHaveLength(2);
    expect(other.sent).toHaveLength(2);
  });

  it("learn how much is left after another's turn from a request of their own", async () => {
    const { one, other } = twoWorkbooks();
    await one.send(named("one", 6));
    await one.request("one1").answer(rateHeaders(50, 60));
    await other.send(["other"]);
    for (const path of named("one", 5).slice(1)) await one.request(path).answer(rateHeaders(45, 60));
    expect(one.underWay.size).toBe(1);

    await one.send(named("again", 9));
    expect(one.underWay.size).toBe(2);
    await one.request("one6").answer(rateHeaders(44, 60));
    expect(one.underWay.size).toBe(2);
    await one.request("again1").answer(rateHeaders(9, 60));
    expect(one.underWay.size).toBe(6);
  });

  it("give the turn back after its time even if no answer comes", async () => {
    const { one, other } = twoWorkbooks();
    await one.send(named("one", 9));
    await other.send(["other"]);
    await seconds(1.9);
    expect(other.sent).toHaveLength(0);
    await seconds(0.1);
    expect(other.sent).toHaveLength(1);
  });

  it("leave no listener behind with turns that are over", async () => {
    const locks = fakeLocks();
    const { signal } = new AbortController();
    const one = decidedService({ locks, lockName, signal });
    const other = decidedService({ locks, lockName });
    for (const path of named("r", 20)) {
      for (const book of [one, other]) {
        await book.send([path]);
        await book.request(path).answer(rateHeaders(1_000, 60));
      }
    }
    expect(getEventListeners(signal, "abort").length).toBeLessThanOrEqual(1);
  });

  it("mark that the last turn was theirs, until their session ends", async () => {
    const locks = fakeLocks();
    const session = new AbortController();
    const { send, request } = decidedService({ locks, lockName, signal: session.signal });
    await send(["r"]);
    await request("r").answer(rateHeaders(50, 60));
    expect(locks.held(`${lockName} last turn`)).toBe(true);
    session.abort();
    await settled();
    expect(locks.held(`${lockName} last turn`)).toBe(false);
  });

  it("learn again how much is left if they go on without turns", async () => {
    const { locks, one } = twoWorkbooks();
    await one.send(["r"]);
    await one.request("r").answer(rateHeaders(50, 600));
    void locks.request(lockName, () => new Promise<void>(() => {}));
    await one.send(named("one", 9));
    await seconds(20);
    expect(one.underWay.size).toBe(2);
  });

  it("do not wait for ever for a workbook that is frozen in its turn, until it lives again", async () => {
    const { locks, one, other } = twoWorkbooks();
    let thaw = () => {};
    void locks.request(lockName, () => new Promise<void>((resolve) => (thaw = resolve)));
    await one.send(["cell1", "cell2"], { urgent: true });
    await seconds(19);
    expect(one.sent).toHaveLength(0);
    await seconds(1);
    expect(one.paths()).toEqual(["cell1", "cell2"]);
    await seconds(3);
    await one.send(["cell3"], { urgent: true });
    await one.request("cell1").answer(rateHeaders(50, 60));
    expect(one.paths()).toEqual(["cell1", "cell2", "cell3"]);

    thaw();
    await settled();
    await one.send(named("one", 9));
    await one.request("cell2").answer(rateHeaders(50, 60));
    expect(one.paths().slice(3)).toEqual(["one1"]);
    await other.send(["other"]);
    expect(other.sent).toHaveLength(0);
  });

  it("end their turn with the first answer after its time if a throttled timer is late", async () => {
    const { one, other } = twoWorkbooks();
    await one.send(named("one", 9));
    await other.send(named("other", 9));
    // The clock jumps without running the timers.
    vi.setSystemTime(start + 2_000);
    await one.request("one1").answer(rateHeaders(50, 60));
    expect(one.sent).toHaveLength(2);
    expect(other.sent).toHaveLength(2);
  });
});

describe("turns without locks", () => {
  const refusing = (error: Error) =>
    ({ request: () => Promise.reject(error) }) as Pick<LockManager, "request">;

  it.each([
    { what: "there are none", dependencies: () => ({ lockName }) },
    { what: "they have no name", dependencies: () => ({ locks: fakeLocks() }) },
    {
      what: "they are refused",
      dependencies: () => ({ locks: refusing(new DOMException("no", "SecurityError")), lockName }),
    },
    {
      what: "the name can't be had",
      dependencies: () => ({ locks: fakeLocks(), lockName: Promise.reject(new Error("no")) }),
    },
  ])("do not hold anything up when $what", async ({ dependencies }) => {
    const book = decidedService(dependencies());
    await book.send(named("r", 20));
    expect(book.underWay.size).toBe(2);
    await book.request("r1").answer(rateHeaders(50, 60));
    expect(book.underWay.size).toBe(6);
  });

  it("with a name that can't be made trouble nobody who sends nothing", async () => {
    vi.useRealTimers();
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    decidedService({ locks: fakeLocks(), lockName: Promise.reject(new Error("no")) });
    await new Promise(setImmediate);
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("with a name that is still being made wait for it", async () => {
    const locks = fakeLocks();
    const book = decidedService({ locks, lockName: Promise.resolve(lockName) });
    await book.send(named("r", 3));
    expect(book.underWay.size).toBe(2);
    expect(locks.held(lockName)).toBe(true);
  });
});
