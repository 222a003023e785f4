import { describe, expect, it, vi } from "vitest";
import type { Client } from "../../../../src/engine/api/client";
import type { Collection, DataPointType, DataPointValue, Warning } from "../../../../src/engine/api/schemas";
import { config } from "../../../../src/config";
import { Failure } from "../../../../src/errors";
import {
  collectionChunks,
  readCollection,
  typesOfCollection,
  typesOf,
  typesThatCame,
} from "../../../../src/engine/lookup/collections/read-collection";

const type = (id: number, category_ids: number[] = []): DataPointType => ({
  ...{ id, name: `Type ${id}`, description: "", unit_of_measure: "", category_ids },
});
const point = (ahjId: number, typeId: number, value = "3", ofType = type(typeId)) =>
  ({
    ...{ id: ahjId * 100_000 + typeId, data_point_type: ofType, value },
    ahj: { id: ahjId, name: `AHJ ${ahjId}`, type: "city", state_code: "CA", geoid: null },
    ...{ reference: null, section: null, updated_at: "2026-01-01T00:00:00Z" },
  }) as DataPointValue;
const warning = (code: string, excluded_ahj_ids: number[] = []) =>
  ({ code, message: "", excluded_ahj_ids, unmatched_geoids: [] }) as unknown as Warning;
/** More ids than an address can hold. */
const many = Array.from({ length: 4_000 }, (_, at) => 10_000 + at);
const chunks = collectionChunks(many);

interface Part {
  values?: DataPointValue[];
  warnings?: Warning[];
  /** The total that the service states. */
  total?: number;
  failure?: Failure;
  atMs?: number;
}

/** A service that gives each chunk of AHJs a part, found by the chunk's first id. */
function clientWith(partOf: (first: number, ahjIds: readonly number[]) => Part) {
  const asked: { ahj_ids: readonly number[]; signal: AbortSignal | undefined }[] = [];
  const client = {
    runCollection({ ahj_ids }: { ahj_ids: readonly number[] }, options: { signal?: AbortSignal }) {
      asked.push({ ahj_ids, signal: options.signal });
      const {
        values = [],
        warnings = [],
        total = values.length,
        failure,
        atMs = 5,
      } = partOf(ahj_ids[0]!, ahj_ids);
      if (failure) return Promise.reject(failure);
      const pagination = { page: 1, page_size: 500, total, total_pages: 1 };
      return Promise.resolve({ data: { items: values, pagination }, warnings, atMs });
    },
  } as unknown as Client;
  return { client, asked };
}
const read = (
  partOf: (first: number, ahjIds: readonly number[]) => Part,
  ahjIds: readonly number[] = [1, 2],
  options = {},
) => readCollection("C", ahjIds, clientWith(partOf).client, options);

describe("the answers of a collection", () => {
  it("are kept by AHJ and type, with the time of their oldest part", async () => {
    const { values, atMs, missing, denialOf } = await read(
      (first) => ({
        values: [point(first, 1001), point(first, 1002, "4")],
        atMs: first,
      }),
      many,
    );
    expect(values.get(chunks[1]![0]!)?.get(1002)?.value).toBe("4");
    expect(values.size).toBe(chunks.length);
    expect(atMs).toBe(10_000);
    expect(missing).toBe(0);
    expect(denialOf(10_000)).toBeUndefined();
    expect(denialOf(10_001)).toBeUndefined();
  });

  it("for no AHJ are none, dated now, and ask nothing", async () => {
    const nowMs = Date.now();
    const { client, asked } = clientWith(() => ({}));
    const { values, atMs } = await readCollection("C", [], client, {});
    expect(values.size).toBe(0);
    expect(atMs).toBeGreaterThanOrEqual(nowMs);
    expect(asked).toEqual([]);
  });

  it("ask for each AHJ once, in addresses that are short enough", async () => {
    const { client, asked } = clientWith(() => ({}));
    await readCollection("C", many, client, {});
    expect(asked.flatMap(({ ahj_ids }) => [...ahj_ids])).toEqual(many);
    expect(asked.length).toBeGreaterThan(1);
    const besides = config.maxBaseUrlLength + config.maxPathLength;
    for (const { ahj_ids } of asked)
      expect(besides + ahj_ids.join().length).toBeLessThanOrEqual(config.maxAddressLength);
  });

  it("count the values that the service counts but does not send, over all parts", async () => {
    const { missing } = await read((first) => ({ values: [point(first, 1001)], total: 3 }), many);
    expect(missing).toBe(2 * chunks.length);
  });

  it("report their progress: values, and AHJs of which all values came", async () => {
    const onValues = vi.fn();
    await read((first) => ({ values: [point(first, 1001), point(first, 1002)] }), many, { onValues });
    expect(onValues).toHaveBeenLastCalledWith(2 * chunks.length, 2 * chunks.length, many.length);
    expect(onValues.mock.calls.every(([done, total, ahjs]) => done <= total && ahjs <= many.length)).toBe(
      true,
    );
    expect(onValues).toHaveBeenCalledWith(2, 2, 0);
  });
});

describe("the AHJs that a collection denies", () => {
  it("are named by a warning, with values or without", async () => {
    const { denialOf } = await read(
      () => ({
        values: [point(1, 1001)],
        warnings: [warning("AHJ_ACCESS_DENIED", [1, 3]), warning("OTHER")],
      }),
      [1, 2, 3],
    );
    expect([1, 2, 3].map(denialOf)).toEqual(["outside-subscription", undefined, "outside-subscription"]);
  });

  it("may be any AHJ without values if a warning only counts them", async () => {
    const { denialOf } = await read(() => ({
      values: [point(1, 1001)],
      warnings: [warning("AHJ_ACCESS_DENIED")],
    }));
    expect([1, 2].map(denialOf)).toEqual([undefined, "maybe-outside-subscription"]);
  });

  it("are a whole part if the service refuses it; the other parts stand", async () => {
    const [first, second] = chunks;
    const { values, denialOf } = await read(
      (id) =>
        id === first![0] ? { failure: new Failure("outside-subscription") } : { values: [point(id, 1001)] },
      many,
    );
    expect(new Set(first!.map(denialOf))).toEqual(new Set(["outside-subscription"]));
    expect(denialOf(second![0]!)).toBeUndefined();
    expect(values.has(second![0]!)).toBe(true);
  });
});

describe("a collection of which one part fails", () => {
  it("fails with a kind of failure, whatever is thrown", async () => {
    const { client } = clientWith(() => ({ failure: new TypeError("odd") as Failure }));
    await expect(readCollection("C", [1], client, {})).rejects.toMatchObject({ kind: "internal" });
  });

  it("fails as a whole, and its requests under way are stopped", async () => {
    const { client, asked } = clientWith((first) =>
      first === chunks[1]![0] ? { failure: new Failure("service-error") } : { values: [point(first, 1001)] },
    );
    await expect(readCollection("C", many, client, {})).rejects.toMatchObject({ kind: "service-error" });
    expect(asked.every(({ signal }) => signal?.aborted)).toBe(true);
  });

  it("stops with its caller, also with one that has stopped before", async () => {
    const controller = new AbortController();
    const { client, asked } = clientWith(() => ({}));
    const reading = readCollection("C", [1], client, { signal: controller.signal });
    expect(asked[0]?.signal?.aborted).toBe(false);
    controller.abort();
    expect(asked[0]?.signal?.aborted).toBe(true);
    await reading;
    const late = clientWith(() => ({}));
    await readCollection("C", [1], late.client, { signal: AbortSignal.abort() });
    expect(late.asked[0]?.signal?.aborted).toBe(true);
  });

  it("listens to its caller no longer than it runs", async () => {
    const { signal } = new AbortController();
    const [add, remove] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")];
    await read(() => ({}), [1], { signal });
    await read(() => ({ failure: new Failure("timeout") }), [1], { signal }).catch(() => undefined);
    expect(add).toHaveBeenCalledTimes(2);
    expect(remove.mock.calls.map(([kind, listener]) => [kind, listener])).toEqual(
      add.mock.calls.map(([kind, listener]) => [kind, listener]),
    );
  });
});

describe("the types of a collection", () => {
  const catalogue = [type(1, [10]), type(2, [20]), type(3, [10, 20]), type(4), type(5, [30])];
  const collection = (data_point_type_ids: number[], category_ids: number[] = []) =>
    ({ id: "C", name: "C", data_point_type_ids, category_ids }) as unknown as Collection;
  const ids = (types: readonly DataPointType[]) => types.map(({ id }) => id);
  const came = (...types: DataPointType[]) =>
    typesOf(
      new Map(
        [1, 2].map((ahjId) => [
          ahjId,
          new Map(types.map((each) => [each.id, point(ahjId, each.id, "3", each)])),
        ]),
      ),
    );

  it.each([
    [[4, 1], [], [1, 4]],
    [[], [20], [2, 3]],
    [[4], [10], [1, 3, 4]],
    [[], [], []],
    [[99], [], []],
  ])("are those listed (%j) and those of its categories (%j)", (listed, categories, expected) => {
    expect(ids(typesOfCollection(collection(listed, categories), catalogue))).toEqual(expected);
  });

  it("stand in the collection's own order, then by id, whether they have a value or not", () => {
    expect(ids(typesThatCame(collection([4, 1], [20]), [], catalogue))).toEqual([4, 1, 2, 3]);
  });

  it("include types that came even if nothing names them", () => {
    expect(ids(typesThatCame(collection([4]), came(type(77), type(1)), catalogue))).toEqual([4, 1, 77]);
    expect(typesThatCame(collection([4]), came({ ...type(4), name: "Renamed" }), catalogue)[0]?.name).toBe(
      "Renamed",
    );
  });

  it("are those that list and categories both admit, if no other type came", () => {
    const both = collection([3, 4, 1], [10]);
    expect(ids(typesThatCame(both, came(catalogue[2]!), catalogue))).toEqual([3, 1]);
    // A type that only one of the filters admits shows that a type needs to pass only one.
    const either = collection([3, 4, 1], [10, 20]);
    expect(ids(typesThatCame(either, came(catalogue[2]!, catalogue[3]!), catalogue))).toEqual([3, 4, 1, 2]);
    expect(ids(typesThatCame(both, [], catalogue))).toEqual([3, 4, 1]);
    expect(ids(typesThatCame(collection([4, 3]), came(catalogue[3]!), catalogue))).toEqual([4, 3]);
    expect(ids(typesThatCame(collection([], [10]), came(catalogue[2]!), catalogue))).toEqual([1, 3]);
  });
});
