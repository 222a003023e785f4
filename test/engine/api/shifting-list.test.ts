import { expect, it } from "vitest";
import { readAll } from "../../../src/engine/api/paged-list";
import { createAhjList } from "../../../src/engine/lookup/directory/ahj-list";

const numbered = (ids: readonly number[]) => ids.map((id) => ({ id }));

/** Pages of two items. `before` may change the list before each page is given, and gets the number of pages given so far. */
function pagesOf(ids: number[], before: (given: number) => void) {
  let given = 0;
  return (page: number) => {
    before((given += 1) - 1);
    return {
      items: numbered(ids.slice((page - 1) * 2, page * 2)),
      pagination: { page, page_size: 2, total: ids.length, total_pages: Math.ceil(ids.length / 2) },
    };
  };
}

function readAllOf(ids: number[], before: (given: number) => void) {
  const pageOf = pagesOf(ids, before);
  return readAll(({ page }) => Promise.resolve({ data: pageOf(page), warnings: [], atMs: 0 }));
}

it("a list finds the record that moved to an earlier page when another record went", async () => {
  const ids = [1, 2, 3, 4, 5];
  const { items, missing } = await readAllOf(ids, (given) => given === 1 && ids.splice(0, 1));
  expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([2, 3, 4, 5]));
  expect(missing).toBe(0);
});

it("a list finds the record that moved to an earlier page, even if more records have come than gone", async () => {
  const ids = [1, 2, 3, 4, 5];
  const { items, missing } = await readAllOf(ids, (given) => {
    if (given !== 1) return;
    ids.splice(0, 1);
    ids.push(6, 7);
  });
  expect(items.map(({ id }) => id)).toEqual([2, 3, 4, 5, 6, 7]);
  expect(missing).toBe(0);
});

it("a list that never stands still says that something may be missing", async () => {
  const ids = [1, 2, 3, 4, 5, 6, 7, 8];
  const { missing } = await readAllOf(ids, () => ids.splice(0, 1));
  expect(missing).toBeGreaterThan(0);
});

it("a list that stands still is read once", async () => {
  let given = 0;
  const { items } = await readAllOf([1, 2, 3], () => (given += 1));
  expect([items.length, given]).toEqual([3, 2]);
});

it("the list of jurisdictions finds one that moved to an earlier page", async () => {
  const ids = [1, 2, 3, 4, 5];
  const pageOf = pagesOf(ids, (given) => given === 1 && ids.splice(0, 1));
  const list = createAhjList(
    (page) => {
      const { items, pagination } = pageOf(page);
      const ahjs = items.map(({ id }) => ({ id, name: "", type: "", state_code: "", geoid: null }));
      return Promise.resolve({ items: ahjs, pagination });
    },
    () => {},
  );
  await list.readAll();
  expect(list.ahjs().map(({ id }) => id)).toEqual(expect.arrayContaining([2, 3, 4, 5]));
});
