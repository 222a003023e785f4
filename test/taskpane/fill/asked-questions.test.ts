import { describe, expect, it } from "vitest";
import {
  afterChoice,
  afterFind,
  nothingAsked,
  withWanted,
} from "../../../src/taskpane/fill/draft/asked-questions";

const type = (id: number) => ({
  ...{ id, name: `Question ${id}`, description: "", unit_of_measure: "USD", category_ids: [] },
});
const [permit, fee, moratorium] = [type(1), type(2), type(3)];
const ids = ({ types }: { types: readonly { id: number }[] }) => types.map(({ id }) => id);
const choose = (asked: typeof nothingAsked, ...types: ReturnType<typeof type>[]) =>
  afterChoice(asked, { types, collection: null });

describe("the questions that a find brings along", () => {
  it("are replaced by those of the next find", () => {
    const first = afterFind(nothingAsked, [permit, fee]);
    expect(ids(first)).toEqual([1, 2]);
    expect(ids(afterFind(first, [moratorium]))).toEqual([3]);
  });

  it("are left out if a person has chosen questions or a collection", () => {
    expect(ids(afterFind(choose(nothingAsked, fee), [permit]))).toEqual([2]);
    const collection = { id: "c", name: "Fees", description: null, data_point_type_ids: [2] } as never;
    const asked = afterChoice(nothingAsked, { types: [fee], collection });
    expect(afterFind(asked, [permit])).toBe(asked);
  });

  it("are removed without those that a person has added", () => {
    const first = choose(afterFind(nothingAsked, [permit]), permit, fee);
    expect(ids(afterFind(first, [moratorium]))).toEqual([3, 2]);
  });

  it("stay once a person has wanted them: removed and chosen again, or from another screen", () => {
    const first = afterFind(nothingAsked, [permit]);
    const again = choose(choose(first), permit);
    expect(ids(afterFind(again, [moratorium]))).toEqual([1]);
    expect(ids(afterFind(withWanted(first, [permit]), [moratorium]))).toEqual([1]);
  });
});
