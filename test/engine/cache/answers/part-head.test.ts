import { describe, expect, it } from "vitest";
import { headOf, storedHeadOf } from "../../../../src/engine/cache/part-head";

const head = {
  rows: [
    { ahj: 11, start: 0, count: 4, newestMs: 1_700_000_000_000 },
    { ahj: 4_000_000_000_000, start: 6, count: 4, newestMs: 0 },
    { ahj: 13, start: 4, count: 2, newestMs: 5.5 },
  ],
  ...{ slots: 10, bytes: 1_234, usedAtMs: 86_400_000 },
};
const stored = () => storedHeadOf(structuredClone(head));

describe("the head of a part", () => {
  it("is read from disk as it was written", () => {
    expect(headOf(structuredClone(stored()))).toEqual(head);
    const empty = { rows: [], slots: 0, bytes: 0, usedAtMs: 0 };
    expect(headOf(storedHeadOf(empty))).toEqual(empty);
  });

  it.each(["ahjIds", "starts", "counts", "newestMs"] as const)(
    "counts as none if only its %s are fewer or more",
    (column) => {
      const values = stored()[column];
      const Numbers = values.constructor as new (entries: Iterable<number>) => typeof values;
      expect(headOf({ ...stored(), [column]: values.slice(0, -1) })).toBeUndefined();
      expect(headOf({ ...stored(), [column]: new Numbers([...values, 0]) })).toBeUndefined();
      expect(headOf({ ...stored(), [column]: [...values] })).toBeUndefined();
    },
  );

  it("counts as none if the answers of one jurisdiction end after the part's last answer", () => {
    expect(headOf({ ...stored(), slots: 9 })).toBeUndefined();
    expect(headOf({ ...stored(), slots: 11 })).toMatchObject({ rows: head.rows, slots: 11 });
    expect(headOf({ ...stored(), starts: Uint32Array.of(0, 6, 9) })).toBeUndefined();
  });

  it.each([
    undefined,
    null,
    "text",
    {},
    { ...stored(), format: 0 },
    { ...stored(), format: 2 },
    { ...stored(), slots: 10.5 },
    { ...stored(), bytes: "1234" },
    { ...stored(), usedAtMs: undefined },
    { ...stored(), starts: new Float64Array(3) },
    { ...stored(), newestMs: new Uint32Array(3) },
  ])("counts as none if it is no head at all (%#)", (record) => {
    expect(headOf(record)).toBeUndefined();
  });
});
