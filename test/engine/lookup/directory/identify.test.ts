import { describe, expect, it, vi } from "vitest";
import type { Ahj, AhjDetail } from "../../../../src/engine/api/schemas";
import { config } from "../../../../src/config";
import { Failure, type FormulaFailureKind } from "../../../../src/errors";
import type { Details } from "../../../../src/engine/lookup/directory/ahj-details";
import type { Directory } from "../../../../src/engine/lookup/directory/directory";
import { identifyAhjs } from "../../../../src/engine/lookup/directory/identify";

const ahj = (id: number, name = `AHJ ${id}`): Ahj => ({
  ...{ id, name, type: "city", state_code: "CA", geoid: null },
});
const few = Array.from({ length: config.singleLookups }, (_, at) => at + 1);
const many = [...few, few.length + 1];

interface Known {
  /** The ids that the directory knows: in memory, on disk, and once the whole list is loaded. */
  inMemory?: number[];
  onDisk?: number[];
  listed?: number[];
  former?: number[];
  loading?: FormulaFailureKind;
  /** The failure of each look-up. Default: it gives the AHJ's details. */
  lookup?: FormulaFailureKind;
  denied?: Map<number, Failure>;
}

function identify(ids: number[], known: Known) {
  const { inMemory = [], onDisk = [], listed = [], former = [], loading, lookup, denied = new Map() } = known;
  const there = new Set(inMemory);
  const recall = vi.fn(() => {
    for (const id of onDisk) there.add(id);
    return Promise.resolve();
  });
  const load = vi.fn(() => {
    if (loading) return Promise.reject(new Failure(loading));
    for (const id of listed) there.add(id);
    return Promise.resolve({ ahjs: [], missing: 0 });
  });
  const read = vi.fn((asked: Iterable<number>) =>
    Promise.resolve(
      new Map([...asked].map((id) => [id, lookup ? new Failure(lookup) : (ahj(id, "asked") as AhjDetail)])),
    ),
  );
  const directory = {
    ...{ recall, load },
    byId: (id: number) => (there.has(id) ? ahj(id) : undefined),
    formerById: (id: number) => (former.includes(id) ? ahj(id, "former") : undefined),
  } as unknown as Directory;
  const found = identifyAhjs(ids, { directory, details: { read } as unknown as Details, denied }, {});
  return { found, recall, load, read, asked: () => read.mock.calls.flatMap(([asked]) => [...asked]) };
}

describe("AHJs that are asked for by id", () => {
  it("that are known are asked for nowhere, not on disk either", async () => {
    const { found, recall, read } = identify([1, 2], { inMemory: [1, 2, 3] });
    expect(await found).toEqual(new Map([1, 2].map((id) => [id, ahj(id)])));
    expect(recall).not.toHaveBeenCalled();
    expect(read).not.toHaveBeenCalled();
  });

  it("that an answer has denied stay denied, without a request, even if the directory has them", async () => {
    const failure = new Failure("outside-subscription");
    const { found, recall, asked } = identify([1, 2], {
      denied: new Map([[1, failure]]),
      inMemory: [1],
      onDisk: [2],
    });
    expect(await found).toEqual(
      new Map<number, unknown>([
        [1, failure],
        [2, ahj(2)],
      ]),
    );
    expect(recall).toHaveBeenCalledTimes(1);
    expect(asked()).toEqual([]);
  });

  it("that are few are asked for one by one, but only the unknown ones", async () => {
    const { found, load, asked } = identify(few, { inMemory: [1], onDisk: [2] });
    expect((await found).get(3)).toEqual(ahj(3, "asked"));
    expect((await found).size).toBe(few.length);
    expect(asked()).toEqual(few.slice(2));
    expect(load).not.toHaveBeenCalled();
    const justFew = identify(few, {});
    expect((await justFew.found).size).toBe(few.length);
    expect([justFew.asked(), justFew.load.mock.calls]).toEqual([few, []]);
  });

  it("that are more are looked for in the whole list, and missing ones are asked for if they are few", async () => {
    const { found, load, asked } = identify(many, { listed: many.slice(1) });
    expect([...(await found).keys()].toSorted((one, other) => one - other)).toEqual(many);
    expect((await found).get(1)).toEqual(ahj(1, "asked"));
    expect(load).toHaveBeenCalledTimes(1);
    expect(asked()).toEqual([1]);
  });

  it.each([
    [undefined, "unresolved-jurisdiction"],
    ["unreachable", "unreachable"],
    ["wrong-key", "wrong-key"],
  ] as const)("that are too many to ask for stay open, for this reason: %s", async (loading, kind) => {
    const { found, asked } = identify(many, loading ? { loading } : {});
    for (const id of many) expect((await found).get(id)).toMatchObject({ kind });
    expect(asked()).toEqual([]);
  });

  it("are those of an earlier day if the service can't be asked, but not if it says no", async () => {
    const down = await identify([1, 2], { former: [1], lookup: "unreachable" }).found;
    expect(down.get(1)).toEqual(ahj(1, "former"));
    expect(down.get(2)).toMatchObject({ kind: "unreachable" });
    const manyDown = await identify(many, { former: [1], loading: "timeout" }).found;
    expect(manyDown.get(1)).toEqual(ahj(1, "former"));
    const denied = await identify([1], { former: [1], lookup: "unknown-jurisdiction" }).found;
    expect(denied.get(1)).toMatchObject({ kind: "unknown-jurisdiction" });
    expect((await identify([1], { former: [1] }).found).get(1)).toEqual(ahj(1, "asked"));
  });
});
