import { Failure } from "../../../../src/errors";
import type { Client } from "../../../../src/engine/api/client";
import type {
  Ahj,
  DataPointType,
  DataPointValue,
  MatrixReport,
  Warning,
} from "../../../../src/engine/api/schemas";

export const ahj = (id: number): Ahj => ({
  id,
  name: `AHJ ${id}`,
  type: "city",
  state_code: "CA",
  geoid: null,
});
export const type = (id: number): DataPointType => ({
  ...{ id, name: `Type ${id}`, description: "", unit_of_measure: "", category_ids: [] },
});
/** The value of a cell. */
export const textOf = (ahjId: number, typeId: number) => `${ahjId}/${typeId}`;

type MatrixArguments = Parameters<Client["matrix"]>[0];
type ListArguments = Parameters<Client["listDataPoints"]>[0];

/** A matrix with a value in every cell. */
export function matrixOf({ ahj_ids, data_point_type_ids }: MatrixArguments, pages?: number | null) {
  const data: MatrixReport = {
    ahjs: ahj_ids.map(ahj),
    data_point_types: data_point_type_ids.map(type),
    rows: ahj_ids.map((id) => ({
      ahj: ahj(id),
      values: Object.fromEntries(
        data_point_type_ids.map((typeId) => [typeId, { value: textOf(id, typeId) }]),
      ),
    })),
    pagination:
      typeof pages === "number" ? { page: 1, page_size: 9, total: 9, total_pages: pages } : (pages ?? null),
  };
  return { data, warnings: [], atMs: Date.now() };
}

/** A page with a data point for every cell, of a list that claims this total. */
export function listOf(
  { ahj_ids = [], data_point_type_ids = [] }: ListArguments,
  { total, warnings = [], ageMs = 0 }: { total?: number; warnings?: Warning[]; ageMs?: number } = {},
) {
  const items = ahj_ids.flatMap((id) =>
    data_point_type_ids.map((typeId): DataPointValue => ({
      ...{ id: id * 1_000 + typeId, ahj: ahj(id), data_point_type: type(typeId) },
      ...{ value: textOf(id, typeId), reference: null, section: null, updated_at: "2026-01-02T00:00:00Z" },
    })),
  );
  const pagination = { page: 1, page_size: 500, total: total ?? items.length, total_pages: 1 };
  return { data: { items, pagination }, warnings, atMs: Date.now() - ageMs };
}

/** The body of an answer to `matrix`, unread. */
export function unread(matrix: Client["matrix"]): Client["unreadMatrix"] {
  return async (args, options) => {
    const { data, warnings, atMs } = await matrix(args, options);
    const { buffer } = new TextEncoder().encode(
      JSON.stringify({ response_type: "success", description: "", data, warnings }),
    );
    const failureOf = () => Promise.resolve(new Failure("unexpected-answer"));
    return { body: buffer, charset: null, atMs, failureOf };
  };
}
