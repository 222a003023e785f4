import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Ahj, Page } from "../../../../src/engine/api/schemas";
import { Failure } from "../../../../src/errors";
import { createAhjList } from "../../../../src/engine/lookup/directory/ahj-list";

const ahj = (id: number): Ahj => ({ id, name: `AHJ ${id}`, type: "city", state_code: "CA", geoid: null });
const ids = (ahjs: readonly Ahj[]) => ahjs.map(({ id }) => id).sort((one, other) => one - other);
const page = (
  of: number[],
  number: number,
  total: number,
  total_pages = Math.ceil(total / 2),
): Page<Ahj> => ({
  items: of.map(ahj),
  pagination: { page: number, page_size: 2, total, total_pages },
});

/** A service with pages of two, whose list of AHJs becomes the next of these each time page 1 is read. */
function listOver(...lists: number[][]) {
  let now = lists[0]!;
  let readings = 0;
  const asked: number[] = [];
  const shown: number[] = [];
  const list = createAhjList(
    (number) => {
      asked.push(number);
      if (number === 1) now = lists[Math.min(readings++, lists.length - 1)]!;
      const items = now.slice(2 * number - 2, 2 * number);
      if (items.length === 0 && number > 1) return Promise.reject(new Failure("not-found"));
      return Promise.resolve(page(items, number, now.length));
    },
    (items) => void shown.push(...items.map(({ id }) => id)),
  );
  return { list, asked, shown };
}

const hourMs = 3_600_000;
beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 2, 12), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe("a list of AHJs in pages", () => {
  it("is as old as its oldest page", async () => {
    const { list, asked } = listOver([1, 2, 3, 4, 5]);
    const atMs = Date.now();
    expect(list.readAtMs()).toBe(atMs);
    await list.readFirst();
    vi.setSystemTime(atMs + hourMs);
    await list.readAll();
    expect(list.readAtMs()).toBe(atMs);
    expect(asked).toEqual([1, 2, 3]);
  });

  it("shows nobody who has left it since its first page was read, and lacks nobody", async () => {
    const { list, asked } = listOver([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]);
    await list.readFirst();
    vi.setSystemTime(Date.now() + hourMs + 1);
    await list.readAll();
    expect(ids(list.ahjs())).toEqual([2, 3, 4, 5, 6]);
    expect(list.readAtMs()).toBe(Date.now());
    expect(asked).toEqual([1, 1, 2, 3]);
  });

  it("is known by nothing before its first page, which tells its length", async () => {
    const { list, asked } = listOver([1, 2, 3]);
    expect([list.pages(), list.total(), list.isRead(), list.missing(), list.ahjs()]).toEqual([
      ...[undefined, undefined, false, 0],
      [],
    ]);
    await Promise.all([list.readFirst(), list.readFirst()]);
    expect([list.pages(), list.total(), list.isRead(), list.missing()]).toEqual([2, 3, false, 1]);
    expect(ids(list.ahjs())).toEqual([1, 2]);
    expect(asked).toEqual([1]);
  });

  it("is read page by page, each once, and shown as it comes", async () => {
    const { list, asked, shown } = listOver([1, 2, 3, 4, 5]);
    await Promise.all([list.readAll(), list.readAll()]);
    await list.readAll();
    expect(asked).toEqual([1, 2, 3]);
    expect(shown).toEqual([1, 2, 3, 4, 5]);
    expect([list.isRead(), list.missing()]).toEqual([true, 0]);
  });

  it("of nobody has no page but the first", async () => {
    const { list, asked } = listOver([]);
    await list.readAll();
    expect(asked).toEqual([1]);
    expect([list.isRead(), list.total(), list.missing()]).toEqual([true, 0, 0]);
  });

  it("is read once more if AHJs are missing, and then says how many still are", async () => {
    let reading = 0;
    const list = createAhjList(
      (number) => {
        if (number === 1) reading += 1;
        // The service counts five, shows three of them at the first reading, and four at the second.
        const items = number === 1 ? [1, 2] : number === 2 ? (reading === 1 ? [2, 3] : [3, 4]) : [4];
        return Promise.resolve(page(number === 3 && reading === 1 ? [3] : items, number, 5));
      },
      () => undefined,
    );
    await list.readAll();
    expect(reading).toBe(2);
    expect(ids(list.ahjs())).toEqual([1, 2, 3, 4]);
    expect([list.isRead(), list.missing()]).toEqual([true, 1]);
  });

  it("that gets shorter while it is read counts one as missing, until a reading finds its length unchanged", async () => {
    const pages = [page([1, 2], 1, 4), page([4], 2, 3, 2), page([1, 2], 1, 3), page([3], 2, 3, 2)];
    const fetchPage = vi.fn(() => Promise.resolve(pages.shift()!));
    const list = createAhjList(fetchPage, () => undefined);
    await list.readAll();
    expect(fetchPage).toHaveBeenCalledTimes(4);
    expect([list.missing(), ids(list.ahjs())]).toEqual([0, [1, 2, 3]]);
  });

  it("that is read once more shows the AHJs of then, by geoID the lowest id; other readers wait meanwhile", async () => {
    const twins = (items: Page<Ahj>): Page<Ahj> => ({
      ...items,
      items: items.items.map((each) => ({ ...each, geoid: "06001" })),
    });
    const pages = [page([5, 2], 1, 4), page([], 2, 2, 1), page([3, 4], 1, 2)].map(twins);
    const fetchPage = vi.fn(() => Promise.resolve(pages.shift()!));
    const list = createAhjList(fetchPage, () => undefined);
    await list.readFirst();
    expect(list.byGeoid("06001")?.id).toBe(2);
    const found = await Promise.all(
      [1, 2].map(async () => {
        await list.readAll();
        return ids(list.ahjs());
      }),
    );
    expect(found).toEqual([
      [3, 4],
      [3, 4],
    ]);
    expect([list.byGeoid("06001")?.id, list.byGeoid("06003")]).toEqual([3, undefined]);
    expect(fetchPage).toHaveBeenCalledTimes(3);
  });

  it("that gets longer while it is read may have lost an AHJ all the same, and is read once more", async () => {
    const pages = [
      page([1, 2], 1, 4),
      page([4, 5, 6], 2, 5, 2),
      page([2, 3], 1, 5, 2),
      page([4, 5, 6], 2, 5, 2),
    ];
    const fetchPage = vi.fn(() => Promise.resolve(pages.shift()!));
    const list = createAhjList(fetchPage, () => undefined);
    await list.readAll();
    expect(fetchPage).toHaveBeenCalledTimes(4);
    expect([list.missing(), ids(list.ahjs())]).toEqual([0, [2, 3, 4, 5, 6]]);
  });

  it("that has changed only between two readings is whole", async () => {
    const pages = [page([1, 2], 1, 4), page([4], 2, 3, 2), page([1, 2], 1, 4), page([3, 4], 2, 4)];
    const list = createAhjList(
      () => Promise.resolve(pages.shift()!),
      () => undefined,
    );
    await list.readAll();
    expect([list.missing(), list.total(), ids(list.ahjs())]).toEqual([0, 4, [1, 2, 3, 4]]);
  });

  it("that gets shorter at each reading misses one", async () => {
    const pages = [page([1, 2], 1, 4), page([3], 2, 3, 2), page([1, 2], 1, 3), page([], 2, 2, 1)];
    const list = createAhjList(
      () => Promise.resolve(pages.shift()!),
      () => undefined,
    );
    await list.readAll();
    expect(list.missing()).toBe(1);
  });

  it("whose last page is gone meanwhile is as long as the other pages say", async () => {
    const { list } = listOver([1, 2, 3], [1, 2]);
    await list.readFirst();
    const gone = createAhjList(
      (number) =>
        number === 1 ? Promise.resolve(page([1, 2], 1, 2, 2)) : Promise.reject(new Failure("not-found")),
      () => undefined,
    );
    await gone.readAll();
    expect([gone.isRead(), gone.missing(), ids(gone.ahjs())]).toEqual([true, 0, [1, 2]]);
  });

  it.each([
    ["not-found", 1],
    ["service-error", 2],
  ] as const)(
    "is not read where the service says %s of page %i, and can be read again",
    async (kind, failing) => {
      let isDown = true;
      const list = createAhjList(
        (number) =>
          isDown && number === failing
            ? Promise.reject(new Failure(kind))
            : Promise.resolve(page(number === 1 ? [1, 2] : [3], number, 3)),
        () => undefined,
      );
      await expect(list.readAll()).rejects.toMatchObject({ kind });
      expect(list.isRead()).toBe(false);
      isDown = false;
      await list.readAll();
      expect([list.isRead(), ids(list.ahjs())]).toEqual([true, [1, 2, 3]]);
    },
  );

  it("ends with pages that repeat what came before, however many the service claims", async () => {
    const asked: number[] = [];
    const list = createAhjList(
      (number) => {
        asked.push(number);
        return Promise.resolve(page([1, 2, 3], number, 3, 9e15));
      },
      () => undefined,
    );
    await list.readAll();
    expect(ids(list.ahjs())).toEqual([1, 2, 3]);
    expect(asked.length).toBeLessThanOrEqual(7);
    expect(list.missing()).toBe(0);
  });

  it("that never ends fails, with no more than six pages asked for at once", async () => {
    let underWay = 0;
    let most = 0;
    const list = createAhjList(
      async (number) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        return page([number], number, 9e9, 9e15);
      },
      () => undefined,
    );
    await expect(list.readAll()).rejects.toMatchObject({ kind: "unexpected-answer" });
    expect(most).toBe(6);
  });

  it("may be taken over as an earlier session read it, without a request", async () => {
    const { list, asked, shown } = listOver([1]);
    list.adopt([ahj(7), ahj(8)]);
    await list.readAll();
    expect(asked).toEqual([]);
    expect(shown).toEqual([7, 8]);
    expect([list.isRead(), list.total(), list.missing(), ids(list.ahjs())]).toEqual([true, 2, 0, [7, 8]]);
  });
});
