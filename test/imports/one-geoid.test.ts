import { describe, expect, it } from "vitest";
import type { Ahj } from "../../src/api/schemas";
import { readImport } from "../../src/imports/run-import";
import { connected, countByPath, type Interception } from "../recorded-service";

const national = connected("demo-national");
const collection = (await national.lookup.catalogue.collections()).find(({ name }) =>
  name.includes("Residential"),
);
const { ahjs: california } = await national.lookup.directory.list("CA");
const alameda = california.find(({ geoid }) => geoid === "06001");
if (!collection || !alameda) throw new Error("the sample has neither");

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

describe("a collection of one jurisdiction", () => {
  it("is executed by its geoID, and the same as by its id", async () => {
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

  it.each([
    ["another AHJ shares it", (text: string) => text.replaceAll(`"id":${alameda.id},`, '"id":1,'), 200],
    ["it is denied", () => JSON.stringify({ error: "AHJ_ACCESS_DENIED", message: "No." }), 403],
    ["it is unknown", (text: string) => text, 404],
    ["it gives nothing", () => "", 404],
  ])("is executed by id where %s", async (_, change, status) => {
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
