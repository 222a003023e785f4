import { describe, expect, it } from "vitest";
import type { Client } from "../../../../src/engine/api/client";
import type { Collection, Warning } from "../../../../src/engine/api/schemas";
import { config } from "../../../../src/config";
import { Failure } from "../../../../src/errors";
import { requestsToTellApart, tellApart } from "../../../../src/engine/lookup/directory/tell-apart";

const collection = { id: "C" } as Collection;
const entitled = "06001";
const geoid = (at: number) => String(10_000 + at);

/** A service that answers each chunk of geoIDs with these warnings; notes its requests. */
function clientWith(warningsOf: (geoids: readonly string[]) => Partial<Warning>[]) {
  const asked: Record<string, unknown>[] = [];
  const client = {
    runCollection(params: { geoids: readonly string[] }) {
      asked.push(params);
      const warnings = warningsOf(params.geoids).map((warning) => ({
        ...{ code: "", message: "", excluded_ahj_ids: [], unmatched_geoids: [] },
        ...warning,
      }));
      return Promise.resolve({ data: { items: [] }, warnings, atMs: 0 });
    },
  } as unknown as Client;
  return { client, asked };
}

describe("the reason why geoIDs are not in the directory", () => {
  it("is asked by running a collection on them and on a known one, for the shortest page", async () => {
    const { client, asked } = clientWith(() => []);
    await tellApart(["1", "2"], { entitled, collection }, client);
    expect(asked).toEqual([{ collection_id: "C", geoids: [entitled, "1", "2"], page: 1, page_size: 1 }]);
  });

  it.each([
    [
      "names all that it does not know",
      [{ unmatched_geoids: ["1"] }, { unmatched_geoids: ["2"] }],
      ["1", "2"],
      [],
    ],
    ["denies as many as are left", [{ unmatched_geoids: ["1"] }, { excluded_ahj_ids: [7] }], ["1"], ["2"]],
    ["denies one twice", [{ excluded_ahj_ids: [7] }, { excluded_ahj_ids: [7] }], [], []],
    ["denies all", [{ excluded_ahj_ids: [7, 8] }], [], ["1", "2"]],
    ["denies more than are left", [{ excluded_ahj_ids: [7, 8, 9] }], [], []],
    ["denies fewer than are left", [{ excluded_ahj_ids: [7] }], [], []],
    ["says nothing", [], [], []],
    ["names others", [{ unmatched_geoids: ["3"] }], [], []],
  ])("is known as far as the service %s", async (_what, warnings, unknown, outside) => {
    const kinds = await tellApart(["1", "2"], { entitled, collection }, clientWith(() => warnings).client);
    expect(kinds).toEqual(
      new Map([
        ...unknown.map((each) => [each, "unknown-jurisdiction"] as const),
        ...outside.map((each) => [each, "outside-subscription"] as const),
      ]),
    );
  });

  it("takes as many requests as foretold for many geoIDs, each told by its own warnings", async () => {
    const geoids = Array.from({ length: 3_000 }, (_, at) => geoid(at));
    const besides = config.maxBaseUrlLength + config.maxPathLength;
    const { client, asked } = clientWith(([, first = ""]) => [{ unmatched_geoids: [first] }]);
    const kinds = await tellApart(geoids, { entitled, collection }, client);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.length).toBeLessThanOrEqual(requestsToTellApart(geoids));
    expect(asked.flatMap(({ geoids }) => (geoids as string[]).slice(1))).toEqual(geoids);
    expect(asked.every(({ geoids }) => (geoids as string[])[0] === entitled)).toBe(true);
    for (const { geoids } of asked)
      expect(besides + (geoids as string[]).join().length).toBeLessThanOrEqual(config.maxAddressLength);
    expect(kinds.size).toBe(asked.length);
  });

  it("takes no request for no geoID", async () => {
    const { client, asked } = clientWith(() => []);
    expect(requestsToTellApart([])).toBe(0);
    expect(await tellApart([], { entitled, collection }, client)).toEqual(new Map());
    expect(asked).toEqual([]);
  });

  it("is not known if the service can't be asked", async () => {
    const client = { runCollection: () => Promise.reject(new Failure("timeout")) } as unknown as Client;
    await expect(tellApart(["1"], { entitled, collection }, client)).rejects.toMatchObject({
      kind: "timeout",
    });
  });
});
