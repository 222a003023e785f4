import { beforeAll, describe, expect, it } from "vitest";
import type { DataPointValue } from "../../../src/engine/api/schemas";
import type { SideOfMonth } from "../../../reference-service/answers/month-of-changes";
import { allItems, asking } from "../asking";

const now = () => Date.UTC(2026, 10, 25, 15, 30);
/** Delaware's data points, from a service before or after the month of changes. */
const read = (month?: SideOfMonth) =>
  allItems<DataPointValue>(asking("demo-national", month ? { month, now } : {}), "/v1/data-points", {
    state_code: "DE",
  });
let usual: DataPointValue[] = [];
let before: DataPointValue[] = [];
let after: DataPointValue[] = [];
beforeAll(async () => {
  [usual, before, after] = await Promise.all([read(), read("before"), read("after")]);
});

const isRecent = ({ updated_at }: DataPointValue) =>
  updated_at >= "2026-10-26T00:00:00Z" && updated_at < "2026-11-25T00:00:00Z";

describe("A month of changes", () => {
  it("leaves after it the texts that a service without it gives", () => {
    const texts = (points: DataPointValue[]) =>
      points.map(({ id, value, reference, section }) => ({ id, value, reference, section }));
    expect(texts(after)).toEqual(texts(usual));
  });

  it("dates about one rule of twelve within the 30 days before today, and leaves the others their dates", () => {
    const share = after.filter(isRecent).length / after.length;
    expect(share).toBeGreaterThan(1 / 16);
    expect(share).toBeLessThan(1 / 9);
    expect(after.filter((point) => !isRecent(point))).toEqual(
      usual.filter((_, index) => !isRecent(after[index]!)),
    );
  });

  it("gives before it other texts for those rules alone, with the dates they always had", () => {
    const changed = after.filter((point, index) => point.value !== before[index]?.value);
    expect(changed.filter((point) => !isRecent(point))).toEqual([]);
    // A few questions have so few possible answers that there is no other one.
    expect(changed.length / after.filter(isRecent).length).toBeGreaterThan(0.8);
    expect(before.map(({ updated_at }) => updated_at)).toEqual(usual.map(({ updated_at }) => updated_at));
  });

  it("gives the same texts in a matrix as in the list", async () => {
    const point = before.find(({ value }, index) => value !== after[index]?.value)!;
    const { body } = await asking("demo-national", { month: "before", now }).post<{
      rows: { values: Record<string, { value: string }> }[];
    }>("/v1/reports/matrix", {
      ahj_ids: [point.ahj.id],
      data_point_type_ids: [point.data_point_type.id],
    });
    expect(body.data.rows[0]?.values[point.data_point_type.id]?.value).toBe(point.value);
  });
});
