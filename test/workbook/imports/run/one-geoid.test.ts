import { describe, expect, it } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import type { ImportProgress } from "../../../../src/workbook/imports/run/import-types";
import { readImport } from "../../../../src/workbook/imports/run/run-import";
import { connected, countByPath, type Interception } from "../../../recorded-service";

const national = connected("demo-national");
const collection = (await national.lookup.catalogue.collections()).find(({ name }) =>
  name.includes("Residential"),
);
const { ahjs: california } = await national.lookup.directory.list("CA");
const alameda = california.find(({ geoid }) => geoid === "06001");
if (!collection || !alameda) throw new Error("the sample has neither");

interface CollectionBody {
  data: { items: { ahj: { id: number } }[]; pagination: { total: number } };
}

async function valuesOf(ahj: Ahj, intercept?: Interception) {
  const service = connected("demo-national", { ...(intercept && { intercept }) });
  const { answers, report } = await readImport(
    { kind: "collection", ahjs: [ahj], collection: collection! },
    service,
  );
  const values = answers.types.map(({ id }) => answers.of(ahj.id, id)?.value ?? null);
  const { ["GET /v1/data-points/types"]: _, ...counts } = countByPath(service.requests);
  return { values, report, paths: Object.keys(counts) };
}

const byGeoid = `GET /v1/geoid/{geoid}/collections/${collection.id}`;
const byIds = `GET /v1/collections/${collection.id}/data`;

describe("a collection for one jurisdiction", () => {
  it("is run by its geoID, with the same result as by its id", async () => {
    const { values, report, paths } = await valuesOf(alameda);
    expect(paths).toEqual([byGeoid]);
    const plain = await valuesOf({ ...alameda, geoid: null });
    expect(plain.paths).toEqual([byIds]);
    expect(values).toEqual(plain.values);
    expect(values.filter((value) => value !== null).length).toBeGreaterThan(5);
    expect(report.values).toBe(plain.report.values);
    expect(report.withoutValue.map(({ type }) => type.id)).toEqual(
      plain.report.withoutValue.map(({ type }) => type.id),
    );
  });

  /** The service with its answer by geoID changed. */
  const answering =
    (change: (body: CollectionBody) => void): Interception =>
    async (request) => {
      if (!request.url.includes("/v1/geoid/")) return undefined;
      const answer = await connected("demo-national").fetch(request.clone());
      const body = (await answer.json()) as CollectionBody;
      change(body);
      return Response.json(body);
    };

  it.each<[string, (body: CollectionBody) => void]>([
    [
      "another AHJ shares some of it",
      ({ data }) => {
        const [, second] = data.items;
        if (second) second.ahj.id = 1;
      },
    ],
    [
      "it lists nothing",
      ({ data }) => {
        data.items = [];
        data.pagination.total = 0;
      },
    ],
  ])("is run by id if %s", async (_, change) => {
    const { values, paths } = await valuesOf(alameda, answering(change));
    expect(paths).toEqual([byGeoid, byIds]);
    expect(values).toEqual((await valuesOf({ ...alameda, geoid: null })).values);
  });

  it.each([
    [500, "service-error"],
    [401, "wrong-key"],
  ])("fails with what ends the request by its geoID, %i, and asks nothing more", async (status, kind) => {
    const service = connected("demo-national", {
      intercept: ({ url }) => (url.includes("/v1/geoid/") ? new Response("", { status }) : undefined),
    });
    const run = readImport({ kind: "collection", ahjs: [alameda], collection }, service);
    await expect(run).rejects.toMatchObject({ kind });
    expect(Object.keys(countByPath(service.requests))).not.toContain(byIds);
  });

  it("shows its progress, and what is missing", async () => {
    const steps: ImportProgress[] = [];
    const service = connected("demo-national", {
      intercept: answering(({ data }) => {
        data.pagination.total += 2;
      }),
    });
    const { report } = await readImport({ kind: "collection", ahjs: [alameda], collection }, service, {
      onProgress: (step) => steps.push(step),
    });
    expect(report.missingValues).toBe(2);
    const [first] = steps;
    const count = first?.done ?? 0;
    expect(count).toBeGreaterThan(5);
    const counts = { phase: "fetching", done: count, total: count + 2 };
    expect(first).toEqual({ ...counts, ahjs: { done: 0, total: 1 } });
    expect(steps.at(-1)).toEqual({ ...counts, ahjs: { done: 1, total: 1 } });
  });

  it.each([
    ["another AHJ shares it", (text: string) => text.replaceAll(`"id":${alameda.id},`, '"id":1,'), 200],
    ["it is denied", () => JSON.stringify({ error: "AHJ_ACCESS_DENIED", message: "No." }), 403],
    ["it is unknown", (text: string) => text, 404],
    ["it gives nothing", () => "", 404],
  ])("is run by id instead of its geoID if %s", async (_, change, status) => {
    const { values, paths } = await valuesOf(alameda, async (request) => {
      if (!request.url.includes("/v1/geoid/")) return undefined;
      const answer = await connected("demo-national").fetch(request.clone());
      return new Response(change(await answer.text()), {
        status,
        headers: { "Content-Type": "application/json" },
      });
    });
    expect(paths).toEqual([byGeoid, byIds]);
    expect(values).toEqual((await valuesOf({ ...alameda, geoid: null })).values);
  });
});
