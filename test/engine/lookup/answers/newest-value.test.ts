import { expect, it } from "vitest";
import type { DataPointValue } from "../../../../src/engine/api/schemas";
import { newestByCell } from "../../../../src/engine/lookup/answers/read-data-points";

const value = (text: string, updated_at: string) =>
  ({ ahj: { id: 1 }, data_point_type: { id: 2 }, value: text, updated_at }) as DataPointValue;
const [old, young] = [value("old", "2025-01-01T00:00:00Z"), value("new", "2026-01-01T00:00:00Z")];
const undated = ["", "soon", "2026-02-30"].map((date) => value("undated", date));

it.each([
  ["the newest comes last", [old, young]],
  ["the newest comes first", [young, old]],
  ["dates before it can't be read", [...undated, young]],
  ["dates behind it can't be read", [young, ...undated]],
])("of several values for one cell the newest counts, if %s", (_, values) => {
  expect(newestByCell(values).get(1)?.get(2)?.value).toBe("new");
});
