import { describe, expect, it } from "vitest";
import type { Ahj, Collection, DataPointType } from "../../../../src/engine/api/schemas";
import { estimateImport } from "../../../../src/workbook/imports/run/estimate";
import { runCollection } from "../../../../src/workbook/imports/run/run-collection";
import type { ImportProgress, ImportQuestion } from "../../../../src/workbook/imports/run/import-types";
import { plainForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { runImport } from "../../../../src/workbook/imports/run/run-import";
import type { TablePlan } from "../../../../src/workbook/sheet/layout/table-plan";
import { columnCell } from "../../../../src/workbook/sheet/values/value-column";
import { nationalAhjs } from "../../../nation";
import { askOne, connected, countByPath } from "../../../recorded-service";

/** Every nth AHJ, so that all four types and many states are among them. */
function spread(ahjs: readonly Ahj[], count: number): Ahj[] {
  const step = Math.floor(ahjs.length / count);
  return ahjs.filter((_, index) => index % step === 0).slice(0, count);
}

async function typesOf(ids: number[]): Promise<DataPointType[]> {
  const types = await connected("demo-national").lookup.catalogue.types();
  return types.filter((type) => ids.includes(type.id));
}

async function collectionNamed(key: string, part: string): Promise<Collection> {
  const found = (await connected(key).lookup.catalogue.collections()).find(({ name }) => name.includes(part));
  if (!found) throw new Error(`no collection ${part}`);
  return found;
}

function headersOf({ columns }: TablePlan): string[] {
  return columns.map(({ header }) => header);
}

/** The headers of the columns of questions, without units; the identifying columns and the id are left out. */
function questionsOf({ columns }: TablePlan): string[] {
  return columns.slice(4, -1).map(({ header }) => header.replace(/ \([^()]*\)$/, ""));
}

/** An order for a table of values only. */
const plainly = (question: ImportQuestion) => ({ question, form: plainForm, hasSources: false });

describe("a matrix import", () => {
  it("has a row for each jurisdiction and a column for each type, every cell as the service says", async () => {
    const { lookup, client, requests } = connected("demo-national");
    const ahjs = spread(await nationalAhjs(), 200);
    const types = (await lookup.catalogue.types()).filter((_, index) => index % 17 === 0);
    expect(types).toHaveLength(20);
    requests.length = 0;

    const { table, report } = await runImport({ kind: "matrix", ahjs, types }, { client, lookup });
    expect(countByPath(requests)).toEqual({ "POST /v1/reports/matrix": 1 });
    expect(headersOf(table).slice(0, 4)).toEqual(["Name", "State", "Type", "geoID"]);
    expect(questionsOf(table)).toEqual(types.map(({ name }) => name));
    expect(headersOf(table).at(-1)).toBe("AHJ ID");

    const { data } = await client.matrix({
      ahj_ids: ahjs.map(({ id }) => id),
      data_point_type_ids: types.map(({ id }) => id),
    });
    const rows = new Map(data.rows.map((row) => [row.ahj.id, row]));
    let values = 0;
    ahjs.forEach((ahj, index) => {
      const answered = rows.get(ahj.id);
      expect(table.rows[index]?.slice(0, 4).map(({ value }) => value)).toEqual([
        ahj.name,
        ahj.state_code,
        ahj.type,
        ahj.geoid ?? "",
      ]);
      expect(table.rows[index]?.at(-1)?.value).toBe(ahj.id);
      types.forEach((type, column) => {
        const raw = answered?.values[type.id]?.value;
        if (raw) values += 1;
        expect(table.rows[index]?.[column + 4]).toEqual(
          raw
            ? columnCell(raw, type.unit_of_measure, table.columns[column + 4]?.numberFormat)
            : { value: "", numberFormat: "General" },
        );
      });
    });
    expect(report).toMatchObject({ rows: 200, values, leftOut: [], unknownTypes: [] });
  });

  it("names what the subscription leaves out, and every cell without a value", async () => {
    const { lookup, client } = connected("demo-west");
    const all = await nationalAhjs();
    const west = all.filter(({ state_code }) => state_code === "NV").slice(0, 5);
    const texas = all.filter(({ state_code }) => state_code === "TX").slice(0, 2);
    const types = await typesOf([1003, 1026, 1045]);
    const { table, report } = await runImport(
      { kind: "matrix", ahjs: [...texas, ...west], types },
      { client, lookup },
    );
    expect(report.leftOut).toEqual(texas.map((ahj) => ({ ahj, kind: "outside-subscription" })));
    expect(table.rows.map((row) => row.at(-1)?.value)).toEqual(west.map(({ id }) => id));
    const blanks = table.rows.flat().filter(({ value }) => value === "").length;
    const named = report.withoutValue.reduce((sum, { ahjs }) => sum + ahjs.length, 0);
    expect(named).toBe(blanks);
    expect(report.values + named).toBe(west.length * types.length);
  });

  it("with all jurisdictions outside the subscription is an empty table and a list of names", async () => {
    const { lookup, client } = connected("demo-west");
    const texas = (await nationalAhjs()).filter(({ state_code }) => state_code === "TX").slice(0, 3);
    const { table, report } = await runImport(
      { kind: "matrix", ahjs: texas, types: await typesOf([1003]) },
      { client, lookup },
    );
    expect(table.rows).toEqual([]);
    expect(report.leftOut).toHaveLength(3);
  });

  it("keeps the column of a type that the service does not know, and names the type", async () => {
    const { lookup, client } = connected("demo-national");
    const [known] = await typesOf([1003]);
    const retired = { ...(known as DataPointType), id: 987_654, name: "Retired question" };
    const { table, report } = await runImport(
      { kind: "matrix", ahjs: spread(await nationalAhjs(), 3), types: [known as DataPointType, retired] },
      { client, lookup },
    );
    expect(report.unknownTypes).toEqual([retired]);
    expect(headersOf(table).at(-2)).toBe("Retired question");
    expect(table.rows.every((row) => row.at(-2)?.value === "")).toBe(true);
  });

  it("says beforehand how large it gets and how many requests it takes", async () => {
    const { lookup } = connected("demo-national");
    const types = (await lookup.catalogue.types()).slice(0, 53);
    const ahjs = spread(await nationalAhjs(), 3_000);
    expect(await estimateImport(plainly({ kind: "matrix", ahjs, types }), lookup.answers, [])).toEqual({
      rows: 3_001,
      columns: 58,
      answers: 159_000,
      // The first request has 20,000 cells, and each accepted one doubles the size: 20 + 40 + 80 + 19 thousand.
      requests: 4,
      // A file's request has 160,000 cells at most.
      csvRequests: 1,
      fitsSheet: true,
    });
  });

  it("fails as a whole when a part of it fails", async () => {
    let matrices = 0;
    const { lookup, client } = connected("demo-national", {
      intercept: (request) =>
        request.url.endsWith("/matrix") && (matrices += 1) === 2
          ? new Response("", { status: 500 })
          : undefined,
    });
    const types = (await lookup.catalogue.types()).slice(0, 50);
    const ahjs = spread(await nationalAhjs(), 1_000);
    await expect(runImport({ kind: "matrix", ahjs, types }, { client, lookup })).rejects.toMatchObject({
      kind: "service-error",
    });
  });

  it("stops asking once the key is refused", async () => {
    const { lookup, client, requests } = connected("demo-national", {
      intercept: (request) =>
        request.url.endsWith("/matrix") ? new Response("", { status: 401 }) : undefined,
    });
    const types = await lookup.catalogue.types();
    const ahjs = spread(await nationalAhjs(), 3_000);
    requests.length = 0;
    await expect(runImport({ kind: "matrix", ahjs, types }, { client, lookup })).rejects.toMatchObject({
      kind: "wrong-key",
    });
    // The requests under way, and the ones that took their places before the refusal was read. The plan has 51.
    expect(requests.length).toBeLessThanOrEqual(12);
  });

  it("reports its progress and stops when cancelled", async () => {
    const { lookup, client } = connected("demo-national");
    const types = (await lookup.catalogue.types()).slice(0, 50);
    const ahjs = spread(await nationalAhjs(), 1_000);
    const done: number[] = [];
    const stop = new AbortController();
    await runImport(
      { kind: "matrix", ahjs, types },
      { client, lookup },
      { onProgress: (progress) => done.push(progress.done) },
    );
    expect(done.at(-1)).toBe(50_000);
    expect(done).toEqual([...done].sort((a, b) => a - b));

    stop.abort();
    const other = connected("demo-national");
    await expect(
      runImport({ kind: "matrix", ahjs, types }, other, { signal: stop.signal }),
    ).rejects.toMatchObject({ kind: "cancelled" });
  });
});

describe("a collection import", () => {
  it("over 200 jurisdictions reads all pages, and every cell is as the service says", async () => {
    const { lookup, client, requests } = connected("demo-national");
    const ahjs = spread(await nationalAhjs(), 200);
    const collection = await collectionNamed("demo-national", "Residential");
    const { table, report } = await runImport({ kind: "collection", ahjs, collection }, { client, lookup });

    const pages = requests.filter((request) => request.includes("/data?"));
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.every((request) => request.length < 2_000)).toBe(true);

    const { data } = await client.matrix({
      ahj_ids: ahjs.map(({ id }) => id),
      data_point_type_ids: collection.data_point_type_ids,
    });
    const types = new Map(data.data_point_types.map((type) => [type.name, type]));
    expect(new Set(questionsOf(table))).toEqual(new Set(types.keys()));
    const rows = new Map(data.rows.map((row) => [row.ahj.id, row]));
    let values = 0;
    for (const row of table.rows) {
      const answered = rows.get(Number(row.at(-1)?.value));
      questionsOf(table).forEach((question, column) => {
        const type = types.get(question) as DataPointType;
        const raw = answered?.values[type.id]?.value;
        if (raw) values += 1;
        expect(row[column + 4]).toEqual(
          raw
            ? columnCell(raw, type.unit_of_measure, table.columns[column + 4]?.numberFormat)
            : { value: "", numberFormat: "General" },
        );
      });
    }
    expect(report).toMatchObject({ rows: 200, values });
  });

  it("names the jurisdictions outside the subscription", async () => {
    const { lookup, client } = connected("demo-west");
    const all = await nationalAhjs();
    const nevada = all.filter(({ state_code }) => state_code === "NV").slice(0, 3);
    const texas = all.filter(({ state_code }) => state_code === "TX").slice(0, 2);
    const collection = await collectionNamed("demo-west", "Zoning");
    const { table, report } = await runImport(
      { kind: "collection", ahjs: [...nevada, ...texas], collection },
      { client, lookup },
    );
    expect(table.rows).toHaveLength(3);
    expect(report.leftOut.map(({ ahj }) => ahj)).toEqual(texas);
  });

  it("whose list shifts while it is read is read again, and values that still lack are reported", async () => {
    const ahjs = spread(await nationalAhjs(), 60);
    const collection = await collectionNamed("demo-national", "Residential");
    const shifting = (times: number) => {
      let left = times;
      return connected("demo-national", {
        async intercept(request) {
          if (!request.url.includes("/data?") || !request.url.includes("page=2&") || left-- <= 0)
            return undefined;
          const answer = await connected("demo-national").fetch(request);
          const body = (await answer.json()) as { data: { items: unknown[] } };
          body.data.items.splice(0, 25);
          return Response.json(body);
        },
      });
    };
    const whole = await runImport({ kind: "collection", ahjs, collection }, connected("demo-national"));
    const mended = await runImport({ kind: "collection", ahjs, collection }, shifting(1));
    expect([mended.table, mended.report]).toEqual([whole.table, whole.report]);
    const short = await runImport({ kind: "collection", ahjs, collection }, shifting(2));
    expect(short.report.missingValues).toBe(25);
    expect(short.report.values).toBe(whole.report.values - 25);
  });

  it("ends with a page past the end that is not found", async () => {
    const ahjs = spread(await nationalAhjs(), 60);
    const collection = await collectionNamed("demo-national", "Residential");
    const service = connected("demo-national", {
      async intercept(request) {
        if (!request.url.includes("/data?")) return undefined;
        if (!request.url.includes("page=1&")) return Response.json({ error: "NOT_FOUND" }, { status: 404 });
        const body = (await (await connected("demo-national").fetch(request)).json()) as {
          data: { items: unknown[]; pagination: { total: number } };
        };
        body.data.pagination.total = body.data.items.length;
        return Response.json(body);
      },
    });
    const { report } = await runImport({ kind: "collection", ahjs, collection }, service);
    expect(report).toMatchObject({ values: 500, missingValues: 0 });
  });

  it("names as perhaps denied the jurisdictions that a warning only counts", async () => {
    const all = await nationalAhjs();
    const nevada = all.filter(({ state_code }) => state_code === "NV").slice(0, 2);
    const texas = all.filter(({ state_code }) => state_code === "TX").slice(0, 2);
    const collection = await collectionNamed("demo-west", "Zoning");
    const service = connected("demo-west", {
      async intercept(request) {
        if (!request.url.includes("/data?")) return undefined;
        const body = (await (await connected("demo-west").fetch(request)).json()) as { warnings?: unknown };
        body.warnings = [{ code: "AHJ_ACCESS_DENIED", message: "2 AHJs excluded" }];
        return Response.json(body);
      },
    });
    const { report } = await runImport(
      { kind: "collection", ahjs: [...nevada, ...texas], collection },
      service,
    );
    expect(report.leftOut).toEqual(texas.map((ahj) => ({ ahj, kind: "maybe-outside-subscription" })));
  });

  it("names listed types that neither came nor are known", async () => {
    const collection = await collectionNamed("demo-national", "Residential");
    const { report, table } = await runImport(
      {
        kind: "collection",
        ahjs: spread(await nationalAhjs(), 3),
        collection: { ...collection, data_point_type_ids: [...collection.data_point_type_ids, 999_999] },
      },
      connected("demo-national"),
    );
    expect(report.unknownTypes).toEqual([{ id: 999_999, name: "Type" }]);
    expect(headersOf(table)).toHaveLength(5 + 53);
  });

  it("calls no type unknown that came, and none without value that all jurisdictions have", async () => {
    const collection = await collectionNamed("demo-national", "Residential");
    const { client, lookup } = connected("demo-national");
    const question = { ahjs: spread(await nationalAhjs(), 3), collection };
    const { answers: found, report } = await runCollection(
      question,
      { client, answers: lookup.answers, types: [] },
      {},
    );
    const came = found.types.map(({ id }) => id);
    expect(came.length).toBeGreaterThan(5);
    expect(report.unknownTypes.map(({ id }) => id)).toEqual(
      collection.data_point_type_ids.filter((id) => !came.includes(id)),
    );
    expect(report.notRead).toEqual([]);
    expect(report.withoutValue.filter(({ ahjs }) => ahjs.length === 0)).toEqual([]);
    expect(report.withoutValue.length).toBeLessThan(came.length);
  });

  it("with both types and categories calls no type unknown that only one of them admits", async () => {
    const collection = await collectionNamed("demo-national", "Residential");
    const listed = await typesOf(collection.data_point_type_ids);
    const category = listed[0]?.category_ids[0] ?? 0;
    const isOfCategory = ({ category_ids }: DataPointType) => category_ids.includes(category);
    expect(listed.every(isOfCategory)).toBe(false);
    const service = connected("demo-national", {
      async intercept(request) {
        if (!request.url.includes("/data?")) return undefined;
        const answer = await connected("demo-national").fetch(request);
        const body = (await answer.json()) as {
          data: { items: { data_point_type: DataPointType }[]; pagination: { total: number } };
        };
        body.data.items = body.data.items.filter(({ data_point_type: type }) => isOfCategory(type));
        body.data.pagination.total = body.data.items.length;
        return Response.json(body);
      },
    });
    const ahjs = spread(await nationalAhjs(), 3);
    const both = { ...collection, category_ids: [category] };
    const { report, table } = await runImport({ kind: "collection", ahjs, collection: both }, service);
    expect(report.values).toBeGreaterThan(0);
    expect(questionsOf(table).toSorted()).toEqual(
      listed
        .filter(isOfCategory)
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(report.unknownTypes).toEqual([]);
  });

  it("shows its progress page by page", async () => {
    const steps: ImportProgress[] = [];
    const ahjs = spread(await nationalAhjs(), 60);
    const collection = await collectionNamed("demo-national", "Residential");
    await runImport({ kind: "collection", ahjs, collection }, connected("demo-national"), {
      onProgress: (step) => steps.push(step),
    });
    expect(steps.length).toBeGreaterThan(3);
    expect(steps.every(({ phase }) => phase === "fetching")).toBe(true);
  });

  it("with an empty collection gives rows without questions", async () => {
    const { lookup, client } = connected("demo-national");
    const collection = await collectionNamed("demo-national", "New collection");
    const { table, report } = await runImport(
      { kind: "collection", ahjs: spread(await nationalAhjs(), 3), collection },
      { client, lookup },
    );
    expect(headersOf(table)).toHaveLength(5);
    expect(report).toMatchObject({ rows: 3, values: 0 });
  });

  it.each([
    ["Zoning", 100],
    ["New collection", 1_000],
  ])("estimates at least as many requests as “%s” takes, and few more", async (name, count) => {
    const { lookup, client, requests } = connected("demo-national");
    const ahjs = spread(await nationalAhjs(), count);
    const collection = await collectionNamed("demo-national", name);
    const types = await lookup.catalogue.types();
    requests.length = 0;
    await runImport({ kind: "collection", ahjs, collection }, { client, lookup });
    const question = { kind: "collection" as const, ahjs, collection };
    const { requests: estimate } = await estimateImport(plainly(question), lookup.answers, types);
    expect(requests.length).toBeGreaterThan(3);
    expect(requests.length).toBeLessThanOrEqual(estimate);
    expect(estimate).toBeLessThanOrEqual(1.2 * requests.length);
  });

  it("leaves its values for formulas to find", async () => {
    const { lookup, client, requests } = connected("demo-national");
    const ahjs = spread(await nationalAhjs(), 20).filter(({ geoid }) => geoid !== null);
    const collection = await collectionNamed("demo-national", "Residential");
    await lookup.directory.load();
    const { report } = await runImport({ kind: "collection", ahjs, collection }, { client, lookup });
    requests.length = 0;
    const typeId = collection.data_point_type_ids[0] ?? 0;
    const withValue = ahjs.filter(
      (ahj) => !report.withoutValue.some(({ type, ahjs }) => type.id === typeId && ahjs.includes(ahj)),
    );
    expect(withValue.length).toBeGreaterThan(0);
    for (const { geoid } of withValue)
      expect((await askOne(lookup, geoid ?? "", typeId)).cell.value).toBeTruthy();
    expect(requests).toEqual([]);
  });
});
