import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DocumentCache } from "../../../../src/engine/cache/answer-cache";
import { config } from "../../../../src/config";
import { createMatrixSize } from "../../../../src/engine/lookup/answers/matrix-size";
import { device } from "../device";

const first = config.matrixCells;
const most = config.mostMatrixCells;

async function nextSession(documents: DocumentCache) {
  const size = createMatrixSize(documents);
  await size.recall();
  return size;
}

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 2, 12), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe("the size of a matrix", () => {
  it("begins small, for a service that has shown nothing", async () => {
    const size = await nextSession(device());
    expect(size.limit()).toEqual({ cells: first, mostCells: most });
  });

  it("doubles with each accepted matrix that was nearly as large, up to its maximum", async () => {
    const documents = device();
    const size = createMatrixSize(documents);
    size.accepted(first / 2);
    expect(size.limit().cells).toBe(first);
    size.accepted(first / 2 + 1);
    expect(size.limit().cells).toBe(2 * first);
    for (let cells = 2 * first; cells <= 2 * most; cells *= 2) size.accepted(cells);
    expect(size.limit()).toEqual({ cells: most, mostCells: most });
    expect((await nextSession(documents)).limit()).toEqual({ cells: most, mostCells: most });
  });

  it("tells the work that waits for it when it has grown, and not before", async () => {
    const size = createMatrixSize(device());
    const told: string[] = [];
    const listen = (name: string) => size.onGrowth(() => told.push(name));
    const forget = listen("first");
    size.accepted(1);
    size.refused(most);
    expect(told).toEqual([]);
    size.accepted(first);
    expect(told).toEqual(["first"]);
    forget();
    listen("second");
    size.accepted(2 * first);
    expect(told).toEqual(["first", "second"]);
  });

  it("does not grow any more once it is as large as it may be", async () => {
    const size = createMatrixSize(device({ "matrix-size": { cells: most, refusedCells: null } }));
    await size.recall();
    const grown = vi.fn();
    size.onGrowth(grown);
    size.accepted(most);
    expect(grown).not.toHaveBeenCalled();
  });

  it.each([
    // The refused size, the limit right after it, and the largest later limit: doubling never leads back to the refused size.
    [first, first / 2, first / 2],
    [first + 1, first / 2 + 1, first / 2 + 1],
    [2 * first, first, first],
    [2 * first + 1, first, 2 * first],
    [5 * first, first, 4 * first],
    [1_000, 500, 500],
  ])("after a refusal of %i cells is %i, and grows to %i at most", (refused, cells, mostCells) => {
    const size = createMatrixSize(device());
    size.refused(refused);
    expect(size.limit()).toEqual({ cells, mostCells });
  });

  it("is that of the smallest refusal, which the next session knows", async () => {
    const documents = device();
    const size = createMatrixSize(documents);
    size.refused(5 * first);
    size.refused(2 * first);
    size.refused(7 * first);
    expect(size.limit()).toEqual({ cells: first, mostCells: first });
    expect((await nextSession(documents)).limit()).toEqual({ cells: first, mostCells: first });
  });

  it("is not reduced by the refusal of so few cells that the service must count something else", () => {
    const size = createMatrixSize(device());
    size.refused(999);
    expect(size.limit()).toEqual({ cells: first, mostCells: most });
  });

  it("forgets a refusal after a day", async () => {
    const documents = device();
    createMatrixSize(documents).refused(2 * first);
    const size = await nextSession(documents);
    vi.setSystemTime(Date.now() + config.directoryAgeMs - 1);
    expect(size.limit().mostCells).toBe(first);
    vi.setSystemTime(Date.now() + 1);
    expect(size.limit().mostCells).toBe(most);
  });

  it("stays if an answer took long, which does not forbid its size", async () => {
    const documents = device({ "matrix-size": { cells: 4 * first, refusedCells: null } });
    const size = await nextSession(documents);
    size.took(4 * first, config.growWithinMs);
    expect(size.limit().mostCells).toBe(most);
    size.took(first, config.growWithinMs + 1);
    expect(size.limit().mostCells).toBe(most);
    size.took(4 * first, config.growWithinMs + 1);
    expect(size.limit()).toEqual({ cells: 4 * first, mostCells: 4 * first });
    size.took(2 * first, config.growWithinMs + 1);
    expect(size.limit()).toEqual({ cells: 2 * first, mostCells: 2 * first });
    expect((await nextSession(documents)).limit()).toEqual({ cells: 2 * first, mostCells: 2 * first });
  });

  it.each([0, -1, 1.5, "20000", null, Infinity])(
    "is never %j, whatever an earlier session left",
    async (cells) => {
      const size = await nextSession(device({ "matrix-size": { cells, refusedCells: null } }));
      expect(size.limit().cells).toBe(first);
    },
  );

  it("is read once from the stored document", async () => {
    const documents = device({ "matrix-size": { cells: 1, refusedCells: null } });
    const size = createMatrixSize(documents);
    await Promise.all([size.recall(), size.recall()]);
    expect(size.limit()).toEqual({ cells: 1, mostCells: most });
    expect(documents.read).toHaveBeenCalledTimes(1);
  });
});
