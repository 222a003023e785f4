import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import type { Ahj, DataPointType, DataPointValue, MatrixReport } from "../../src/engine/api/schemas";
import { allItems, asking, type Asking } from "./asking";

const ask = asking("demo-national");
const west = asking("demo-west");

const california = await allItems<Ahj>(west, "/v1/ahjs", { state_code: "CA" });
const texas = await allItems<Ahj>(ask, "/v1/ahjs", { state_code: "TX" });
const someTypes = [1001, 1012, 1045, 1089, 1256, 1323];

const idsOf = (ahjs: readonly { id: number }[]) => ahjs.map(({ id }) => id);
const matrix = (from: Asking, ahj_ids: unknown, data_point_type_ids: unknown = someTypes) =>
  from.post<MatrixReport>("/v1/reports/matrix", { ahj_ids, data_point_type_ids });

describe("8. POST /v1/reports/matrix", () => {
  it("a cell equals its data point, and is null if there is none", async () => {
    const { body } = await matrix(ask, idsOf(california));
    const points = await allItems<DataPointValue>(ask, "/v1/data-points", {
      state_code: "CA",
      data_point_type_ids: someTypes.join(","),
    });
    const filled = body.data.rows.flatMap(({ ahj, values }) =>
      Object.entries(values).flatMap(([typeId, cell]) =>
        cell ? [{ ahj: ahj.id, typeId: Number(typeId), cell }] : [],
      ),
    );
    expect(filled).toEqual(
      points.map(({ ahj, data_point_type, value, reference, section }) => ({
        ahj: ahj.id,
        typeId: data_point_type.id,
        cell: { value, reference, section },
      })),
    );
    expect(filled.length).toBeLessThan(california.length * someTypes.length);
  });

  it("rows are by AHJ id and columns by type id, whatever the order of asking; a duplicated id gives one", async () => {
    const ids = idsOf(california.slice(0, 5));
    const { body } = await matrix(ask, [...ids].reverse().concat(ids), [1089, 1001, 1089, 1045]);
    expect(idsOf(body.data.ahjs)).toEqual(ids);
    expect(idsOf(body.data.rows.map(({ ahj }) => ahj))).toEqual(ids);
    expect(idsOf(body.data.data_point_types)).toEqual([1001, 1045, 1089]);
  });

  it("a type id that is not in the catalogue has no column", async () => {
    const { status, body } = await matrix(ask, [california[0]!.id], [1001, 9999]);
    expect(status).toBe(200);
    expect(idsOf(body.data.data_point_types)).toEqual([1001]);
    expect(Object.keys(body.data.rows[0]!.values)).toEqual(["1001"]);
  });

  it("ids beyond every number of the service are unknown ones", async () => {
    const body = `{"ahj_ids":[${california[0]!.id},99999999999999999999],"data_point_type_ids":[1001,1e400]}`;
    const answer = await ask.post<MatrixReport>("/v1/reports/matrix", body);
    expect(answer.status).toBe(200);
    expect(answer.body.data.ahjs).toEqual([california[0]]);
    expect(idsOf(answer.body.data.data_point_types)).toEqual([1001]);
    expect(answer.body.warnings).toMatchObject([{ excluded_ahj_ids: [1e20] }]);
    expect((await matrix(ask, [1e30])).status).toBe(403);
  });

  it("does not keep others waiting: between the parts of a large answer there is room for other requests", async () => {
    let turns = 0;
    let running = true;
    const turn = () => {
      turns += 1;
      if (running) setImmediate(turn);
    };
    const answer = matrix(
      ask,
      idsOf(california),
      Array.from({ length: 200 }, (_, at) => 1001 + at),
    );
    setImmediate(turn);
    const { text } = await answer;
    running = false;
    expect(turns).toBeGreaterThan(text.length / 100_000);
  });

  it("when no type is in the catalogue the rows are empty", async () => {
    const { status, body } = await matrix(ask, [california[0]!.id], [9999]);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ahjs: [california[0]],
      data_point_types: [],
      rows: [{ ahj: california[0], values: {} }],
    });
  });

  it("has no size limit", async () => {
    const { body } = await matrix(
      ask,
      idsOf(texas).concat(idsOf(california)),
      Array.from({ length: 60 }, (_, at) => 1001 + at),
    );
    expect(body.data.rows).toHaveLength(texas.length + california.length);
  });

  it.each([
    ["no body", undefined, ["body"]],
    ["no JSON", "{", ["body"]],
    ["no object", [1], ["body"]],
    ["null", "null", ["body"]],
    ["no ahj_ids", { data_point_type_ids: [1001] }, ["body", "ahj_ids"]],
    ["no data_point_type_ids", { ahj_ids: [10_001] }, ["body", "data_point_type_ids"]],
    ["empty ahj_ids", { ahj_ids: [], data_point_type_ids: [1001] }, ["body", "ahj_ids"]],
    [
      "empty data_point_type_ids",
      { ahj_ids: [10_001], data_point_type_ids: [] },
      ["body", "data_point_type_ids"],
    ],
    ["an id as text", { ahj_ids: ["10001"], data_point_type_ids: [1001] }, ["body", "ahj_ids", "0"]],
    [
      "a fraction",
      { ahj_ids: [10_001], data_point_type_ids: [1001, 1.5] },
      ["body", "data_point_type_ids", "1"],
    ],
    ["null for an id", { ahj_ids: [null], data_point_type_ids: [1001] }, ["body", "ahj_ids", "0"]],
    ["a text for a list", { ahj_ids: "10001", data_point_type_ids: [1001] }, ["body", "ahj_ids"]],
  ])("422 for an invalid body, which says where: %s", async (_, body, loc) => {
    for (const path of ["/v1/reports/matrix", "/v1/reports/export"]) {
      const answer = await ask.post(path, body);
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body)).toEqual(["detail"]);
      expect(answer.body.detail).toHaveLength(1);
      expect(answer.body.detail![0]!.loc).toEqual(loc);
      expect(Object.keys(answer.body.detail![0]!).sort()).toEqual(["loc", "msg", "type"]);
    }
  });
});

describe("9. POST /v1/reports/export", () => {
  const exported = (from: Asking, ahj_ids: number[], data_point_type_ids = someTypes) =>
    from.post("/v1/reports/export", { ahj_ids, data_point_type_ids });

  it("the answer is a CSV file, and its headers say so and name it", async () => {
    const { status, headers } = await exported(ask, [10_001]);
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toBe("text/csv");
    expect(headers.get("Content-Disposition")).toBe('attachment; filename="Comparison matrix.csv"');
  });

  it("the file has the values of the matrix, one row for each AHJ", async () => {
    const ids = idsOf(california.slice(0, 100));
    const { text } = await exported(ask, ids);
    const { body } = await matrix(ask, ids);
    const [header, ...rows] = Papa.parse<string[]>(text).data;
    const names = body.data.data_point_types.map(({ name }: DataPointType) => name);
    expect(header).toEqual(
      ["AHJ ID", "AHJ", "Type", "State", "geoID"].concat(
        names.flatMap((name) => [name, `${name} - reference`, `${name} - section`]),
      ),
    );
    expect(rows).toEqual(
      body.data.rows.map(({ ahj, values }) =>
        [String(ahj.id), ahj.name, ahj.type, ahj.state_code, ahj.geoid ?? ""].concat(
          someTypes.flatMap((id) => {
            const cell = values[id];
            return [cell?.value ?? "", cell?.reference ?? "", cell?.section ?? ""];
          }),
        ),
      ),
    );
  });

  it("follows RFC 4180: lines end in CRLF; fields with commas, quotes or line breaks are quoted, quotes doubled", async () => {
    const { text } = await exported(ask, idsOf(california), [1012, 1071, 1323]);
    expect(text).toContain('"Monday: 8AM - 5PM\n• Tuesday: 8AM - 5PM');
    expect(text).toContain('"24"" x 36"""');
    expect(text.replace(/"(?:[^"]|"")*"/g, "").replaceAll("\r\n", "")).not.toMatch(/["\r\n]/);
    const { data, errors } = Papa.parse<string[]>(text);
    expect(errors).toEqual([]);
    expect(new Set(data.map((row) => row.length))).toEqual(new Set([5 + 3 * 3]));
  });
});
