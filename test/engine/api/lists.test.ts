import { describe, expect, it, vi } from "vitest";
import { pages, readAll } from "../../../src/engine/api/paged-list";
import { inShortAddresses, queryChunks } from "../../../src/engine/api/address-length";
import { finishInTurns, inTurns } from "../../../src/async/in-turns";
import type { Page, Warning } from "../../../src/engine/api/schemas";
import { Failure } from "../../../src/errors";

interface Item {
  id: number;
  name?: string;
}
const warning = (code: string): Warning => ({
  code,
  message: "",
  excluded_ahj_ids: [],
  unmatched_geoids: [],
});

/** A list that gives these answers in turn, whichever page is asked for, and notes the pages asked. */
function list(answers: ({ ids: number[]; total: number; totalPages: number; name?: string } | Failure)[]) {
  const asked: object[] = [];
  const left = [...answers];
  const read = (paging: { page: number; page_size: number }) => {
    asked.push(paging);
    const answer = left.shift();
    if (answer === undefined) throw new Error("One page more than there are.");
    if (answer instanceof Failure) return Promise.reject(answer);
    const { ids, total, totalPages, name } = answer;
    const data: Page<Item> = {
      items: ids.map((id) => ({ id, ...(name !== undefined && { name }) })),
      pagination: { page: paging.page, page_size: paging.page_size, total, total_pages: totalPages },
    };
    return Promise.resolve({ data, warnings: [warning(`W${asked.length}`)], atMs: 100 - asked.length });
  };
  return { read, asked };
}

async function idsByPage(read: ReturnType<typeof list>["read"]): Promise<number[][]> {
  const ids: number[][] = [];
  for await (const { data } of pages<Item, Page<Item>>(read)) ids.push(data.items.map(({ id }) => id));
  return ids;
}

describe("the pages of a list", () => {
  it("are asked for in order, 500 items each, until the newest answer's last", async () => {
    const { read, asked } = list([
      { ids: [1], total: 2, totalPages: 9 },
      { ids: [2], total: 2, totalPages: 2 },
    ]);
    expect(await idsByPage(read)).toEqual([[1], [2]]);
    expect(asked).toEqual([
      { page: 1, page_size: 500 },
      { page: 2, page_size: 500 },
    ]);
  });

  it("end with a page that is not found, if another page was found", async () => {
    const { read } = list([{ ids: [1], total: 2, totalPages: 2 }, new Failure("not-found")]);
    expect(await idsByPage(read)).toEqual([[1]]);
  });

  it("end with an empty page, because the list may have become shorter", async () => {
    const { read } = list([
      { ids: [1], total: 3, totalPages: 3 },
      { ids: [], total: 3, totalPages: 3 },
    ]);
    expect(await idsByPage(read)).toEqual([[1], []]);
  });

  it("end with a page that repeats earlier items, however many the service claims", async () => {
    const { read, asked } = list([
      { ids: [1, 2], total: 2, totalPages: 9e15 },
      { ids: [2, 1], total: 2, totalPages: 9e15 },
    ]);
    expect(await idsByPage(read)).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(asked).toHaveLength(2);
  });

  it("fail if there are more of them than any list has", async () => {
    const endless = Array.from({ length: 5_001 }, (_, at) => ({ ids: [at], total: 9e9, totalPages: 9e15 }));
    const { read, asked } = list(endless);
    await expect(idsByPage(read)).rejects.toMatchObject({ kind: "unexpected-answer" });
    expect(asked).toHaveLength(5_000);
  });

  it("fail with any other failure, and if the first page is not found", async () => {
    const failing = list([{ ids: [1], total: 2, totalPages: 2 }, new Failure("service-error")]);
    await expect(idsByPage(failing.read)).rejects.toMatchObject({ kind: "service-error" });
    await expect(idsByPage(list([new Failure("not-found")]).read)).rejects.toMatchObject({
      kind: "not-found",
    });
  });
});

describe("a whole list", () => {
  it("has each record once, every warning and the time of its oldest page, and reports its progress", async () => {
    const progress: number[][] = [];
    const { read, asked } = list([
      { ids: [1, 2], total: 3, totalPages: 2 },
      { ids: [2, 3], total: 3, totalPages: 2 },
    ]);
    const whole = await readAll<Item>(read, (...numbers) => progress.push(numbers));
    expect(whole).toEqual({
      items: [{ id: 1 }, { id: 2 }, { id: 3 }],
      warnings: [warning("W1"), warning("W2")],
      missing: 0,
      atMs: 98,
    });
    expect(progress).toEqual([
      [2, 3],
      [3, 3],
    ]);
    expect(asked).toHaveLength(2);
  });

  it("that shifted is read once more, and the newer record counts", async () => {
    const { read } = list([
      { ids: [1], total: 2, totalPages: 1, name: "old" },
      { ids: [1, 2], total: 2, totalPages: 1, name: "new" },
    ]);
    expect(await readAll<Item>(read)).toMatchObject({
      items: [
        { id: 1, name: "new" },
        { id: 2, name: "new" },
      ],
      missing: 0,
    });
  });

  it("that lacks records both times says how many are missing", async () => {
    const short = { ids: [1], total: 4, totalPages: 1 };
    const { read, asked } = list([short, short]);
    expect((await readAll<Item>(read)).missing).toBe(3);
    expect(asked).toHaveLength(2);
  });

  it("with more records than the service counts lacks none", async () => {
    const { read } = list([{ ids: [1, 2], total: 1, totalPages: 1 }]);
    expect((await readAll<Item>(read)).missing).toBe(0);
  });
});

describe("a list in an address", () => {
  it("fills each address to its last character", () => {
    // Each id takes eleven characters: "1234567890" and a comma.
    const ids = Array.from({ length: 200 }, (_, at) => 1_234_567_000 + at);
    const chunks = queryChunks(ids, 2_000 - 11 * 20);
    expect(chunks).toHaveLength(10);
    expect(chunks.every((chunk) => chunk.length === 20)).toBe(true);
    expect(queryChunks(ids, 2_000 - 11 * 20 + 1)[0]).toHaveLength(19);
  });

  it("counts a character as it is encoded, and sends an item that is too long alone", () => {
    expect(queryChunks(["é", "é"], 2_000 - 14)).toEqual([["é", "é"]]);
    expect(queryChunks(["é", "é"], 2_000 - 13)).toEqual([["é"], ["é"]]);
    expect(queryChunks(["abc", "d"], 1_999)).toEqual([["abc"], ["d"]]);
    expect(queryChunks([], 0)).toEqual([]);
  });

  it("is sent in halves if its address is too long, each item once and in order", async () => {
    const sent: number[][] = [];
    const send = (part: readonly number[]) => {
      sent.push([...part]);
      return part.length > 2
        ? Promise.reject(new Failure("invalid-request", { status: 414 }))
        : Promise.resolve(part.join());
    };
    expect(await inShortAddresses([1, 2, 3, 4, 5], send)).toEqual(["1,2", "3", "4,5"]);
    expect(sent.map((part) => part.length).sort()).toEqual([1, 2, 2, 3, 5]);
  });

  it("of two items is sent as two requests", async () => {
    const send = (part: readonly number[]) =>
      part.length > 1
        ? Promise.reject(new Failure("invalid-request", { status: 431 }))
        : Promise.resolve(part[0]);
    expect(await inShortAddresses([1, 2], send)).toEqual([1, 2]);
  });

  it.each([
    ["a single item", [1], new Failure("invalid-request", { status: 414 })],
    ["another failure", [1, 2], new Failure("invalid-request", { status: 400 })],
    ["a fault of ours", [1, 2], new Error("odd")],
  ])("is not divided for %s", async (_, items, thrown) => {
    const send = vi.fn(() => Promise.reject(thrown));
    await expect(inShortAddresses(items, send)).rejects.toBe(thrown);
    expect(send).toHaveBeenCalledTimes(1);
  });
});

describe("long work", () => {
  /** How often the event loop came round while the work went on. */
  async function turnsOf(work: () => Promise<void>): Promise<number> {
    const yielded = vi.fn(() => Promise.resolve());
    vi.stubGlobal("scheduler", { yield: yielded });
    await work();
    vi.unstubAllGlobals();
    return yielded.mock.calls.length;
  }

  it("lets the page answer after each 15 ms, and does each item once", async () => {
    vi.useFakeTimers();
    const done: number[] = [];
    const items = Array.from({ length: 100 }, (_, at) => at);
    /** Work that takes this long for each item. */
    const takes = (ms: number) => (item: number) => {
      vi.advanceTimersByTime(ms);
      done.push(item);
    };
    expect(await turnsOf(() => inTurns(items, takes(3)))).toBe(20);
    expect(done).toEqual(items);
    expect(await turnsOf(() => inTurns(items.slice(0, 3), takes(4)))).toBe(0);
    expect(await turnsOf(() => inTurns(items.slice(0, 4), takes(40)))).toBe(4);
    vi.useRealTimers();
  });

  it("that pauses gives the same result in turns", async () => {
    vi.useFakeTimers();
    const work = function* () {
      for (let step = 0; step < 4; step += 1) yield vi.advanceTimersByTime(10) && undefined;
      return "done";
    };
    const results: string[] = [];
    expect(await turnsOf(async () => void results.push(await finishInTurns(work())))).toBe(2);
    expect(results).toEqual(["done"]);
    vi.useRealTimers();
  });

  it.each([undefined, {}])(
    "lets the page answer where a browser has no way to yield: %o",
    async (scheduler) => {
      vi.stubGlobal("scheduler", scheduler);
      const done: (number | string)[] = [];
      setImmediate(() => done.push("click"));
      let nowMs = 0;
      vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 20));
      await inTurns([1, 2, 3], (item) => void done.push(item));
      vi.restoreAllMocks();
      vi.unstubAllGlobals();
      expect(done).toHaveLength(4);
      expect(done.indexOf("click")).toBeLessThan(3);
    },
  );
});
