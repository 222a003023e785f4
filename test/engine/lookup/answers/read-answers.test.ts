import { describe, expect, it } from "vitest";
import type { DataPointValue, Warning } from "../../../../src/engine/api/schemas";
import { answersOfDataPoints, newestByCell } from "../../../../src/engine/lookup/answers/read-data-points";
import { answersOfMatrix } from "../../../../src/engine/lookup/answers/read-matrix";

const atMs = Date.UTC(2026, 2, 12);
const ahj = (id: number) => ({ id, name: `AHJ ${id}`, type: "city", state_code: "CA", geoid: null });
const type = (id: number) => ({
  id,
  name: `Type ${id}`,
  description: "",
  unit_of_measure: "",
  category_ids: [],
});
const warning = (code: string, excluded_ahj_ids: number[] = []): Warning => ({
  ...{ code, message: "", excluded_ahj_ids, excluded_data_point_type_ids: [], unmatched_geoids: [] },
});
const denied = (...ids: number[]) => warning("AHJ_ACCESS_DENIED", ids);
const absence = (why: string) => ({ fetchedAtMs: atMs, absence: why });

describe("a list of data points", () => {
  const point = (ahjId: number, typeId: number, value: string | null, updated_at = "2026-01-01T00:00:00Z") =>
    ({
      ...{ id: 1, ahj: ahj(ahjId), data_point_type: type(typeId), value, updated_at },
      ...{ reference: "NEC", section: "690", created_at: null },
    }) as unknown as DataPointValue;
  const answers = (items: DataPointValue[], warnings: Warning[] = [], real = [1001, 1002]) =>
    answersOfDataPoints({ items, warnings }, new Set(real), atMs);

  it("gives each cell its value, with citation and date", () => {
    const of = answers([point(1, 1001, "3", "2026-01-02T00:00:00Z"), point(2, 1001, "4")]);
    expect(of(1, 1001)).toEqual({
      ...{
        fetchedAtMs: atMs,
        value: "3",
        reference: "NEC",
        section: "690",
        updatedAt: "2026-01-02T00:00:00Z",
      },
    });
    expect(of(2, 1001)).toMatchObject({ value: "4", updatedAt: "2026-01-01T00:00:00Z" });
  });

  it("says of a missing data point that it has no value, or that its type is unknown", () => {
    const of = answers([point(1, 1001, "3"), point(1, 1002, ""), point(2, 1002, null)]);
    for (const [ahjId, typeId] of [
      [1, 1002],
      [2, 1002],
      [2, 1001],
      [3, 1001],
    ] as const)
      expect(of(ahjId, typeId)).toEqual(absence("no-value"));
    expect(of(1, 9)).toEqual(absence("unknown-type"));
  });

  it("denies the AHJs that a warning names, even if it lists values of them", () => {
    const of = answers([point(1, 1001, "3"), point(2, 1001, "4")], [denied(1), denied(3)]);
    expect(of(1, 1001)).toEqual(absence("outside-subscription"));
    expect(of(3, 9)).toEqual(absence("outside-subscription"));
    expect(of(2, 1001)).toMatchObject({ value: "4" });
    expect(of(4, 1001)).toEqual(absence("no-value"));
  });

  it("leaves AHJs without values open if a warning counts denied ones without naming them", () => {
    const of = answers([point(1, 1001, "3")], [denied()]);
    expect(of(2, 1001)).toBeUndefined();
    expect(of(1, 1001)).toMatchObject({ value: "3" });
    expect(of(1, 1002)).toEqual(absence("no-value"));
    // Other warnings exclude no jurisdiction.
    expect(answers([], [warning("UNMATCHED_GEOIDS")])(2, 1001)).toEqual(absence("no-value"));
  });

  it.each([
    [["2026-01-01", "2026-01-03", "2026-01-02"], "1"],
    // If two values have the same time, the first one counts.
    [["2026-01-01", "2026-01-01"], "0"],
    [["2026-01-01T01:00:00+02:00", "2026-01-01T00:00:00Z"], "1"],
  ])("of several values of one cell shows the newest: %j", (dates, value) => {
    const items = dates.map((date, at) => point(1, 1001, String(at), date));
    expect(answers(items)(1, 1001)).toMatchObject({ value });
    expect(newestByCell(items).get(1)?.get(1001)?.value).toBe(value);
  });
});

describe("a matrix", () => {
  const matrix = (
    rows: [ahjId: number, values: Record<string, unknown>][],
    { warnings = [], types = [1001, 1002] }: { warnings?: Warning[]; types?: number[] } = {},
  ) =>
    answersOfMatrix({
      data: {
        data_point_types: types.map(type),
        rows: rows.map(([ahjId, values]) => ({ ahj: ahj(ahjId), values })),
      },
      ...{ warnings, atMs },
    } as unknown as Parameters<typeof answersOfMatrix>[0]);

  it("gives each cell its value by ids, in whatever order rows and types are", () => {
    const of = matrix(
      [
        [2, { 1002: { value: "22", reference: "NEC" }, 1001: { value: "21" } }],
        [1, { 1001: { value: "11", reference: null, section: "690" } }],
      ],
      { types: [1002, 1001] },
    );
    expect(of(2, 1001)).toEqual({
      fetchedAtMs: atMs,
      value: "21",
      reference: null,
      section: null,
      updatedAt: null,
    });
    expect(of(2, 1002)).toMatchObject({ value: "22", reference: "NEC", section: null });
    expect(of(1, 1001)).toMatchObject({ value: "11", reference: null, section: "690" });
  });

  it.each([[undefined], [null], [{}], [{ value: null }], [{ value: "" }]])(
    "has no value if a cell is %j",
    (cell) => {
      expect(matrix([[1, { 1001: cell }]])(1, 1001)).toEqual(absence("no-value"));
    },
  );

  it("says of a missing type that it is unknown, whatever stands in a row", () => {
    expect(matrix([[1, { 9: { value: "3" } }]])(1, 9)).toEqual(absence("unknown-type"));
  });

  it("says of an AHJ without a row that it is unknown, or denied if a warning says so", () => {
    expect(matrix([])(1, 1001)).toEqual(absence("unknown-jurisdiction"));
    const named = matrix([[2, {}]], { warnings: [denied(1)] });
    expect(named(1, 1001)).toEqual(absence("outside-subscription"));
    expect(named(3, 1001)).toEqual(absence("unknown-jurisdiction"));
    // A warning that only counts the excluded ones may mean any AHJ without a row.
    expect(matrix([], { warnings: [denied()] })(1, 1001)).toEqual(absence("outside-subscription"));
    expect(matrix([], { warnings: [warning("ELSE")] })(1, 1001)).toEqual(absence("unknown-jurisdiction"));
    // A value in the answer counts, even if its AHJ is said to be excluded.
    expect(matrix([[1, { 1001: { value: "3" } }]], { warnings: [denied(1)] })(1, 1001)).toMatchObject({
      value: "3",
    });
  });
});
