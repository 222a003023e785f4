import { describe, expect, it } from "vitest";
import { createClient } from "../../../src/engine/api/client";
import { type EndpointName, endpoints } from "../../../src/engine/api/endpoints";
import { createTransport } from "../../../src/engine/transport/exchange";
import { baseUrl } from "../../recorded-service";

const uuid = "6f1c2d3e-0000-4000-8000-00000000000a";
const otherUuid = "6f1c2d3e-0000-4000-8000-00000000000b";
const summary = (id: number, geoid: string | null = `0600${id}`) => ({
  ...{ id, name: `AHJ ${id}`, type: "county", state_code: "CA", geoid },
});
const type = (id: number) => ({
  id,
  name: `Question ${id}`,
  description: "",
  unit_of_measure: "",
  category_ids: [],
});
const value = (ahj: number, typeId: number, geoid?: string | null) => ({
  ...{ id: ahj * 100 + typeId, ahj: summary(ahj, geoid), data_point_type: type(typeId) },
  ...{ value: "$5", reference: null, section: null, updated_at: "2026-01-01T00:00:00Z" },
});
const collection = (id: string) => ({
  ...{ id, organization_id: uuid, name: "Solar", data_point_type_ids: [1], category_ids: [] },
  ...{ created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" },
});
const listed = (items: unknown[], page = 2, total_pages = 3) => ({
  items,
  pagination: { page, page_size: 1, total: total_pages, total_pages },
});
const results = (items: unknown[], collection_id = uuid, page = 2) => ({
  ...listed(items, page),
  collection_id,
  collection_name: "Solar",
});
const matrix = (ahjs: number[], types: number[]) => ({
  ahjs: ahjs.map((id) => summary(id)),
  data_point_types: types.map(type),
  rows: ahjs.map((id) => ({
    ahj: summary(id),
    values: Object.fromEntries(types.map((typeId) => [typeId, { value: "$5" }])),
  })),
});
const denied = (excluded_ahj_ids: number[], unmatched_geoids: string[] = []) => [
  { code: "AHJ_ACCESS_DENIED", message: "", excluded_ahj_ids, unmatched_geoids },
];

const paging = { page: 2, page_size: 1 };
const asked = { ahj_ids: [7, 8], data_point_type_ids: [1, 2] };
const byIds = { collection_id: uuid, ahj_ids: [7, 8], ...paging };
const byGeoids = { collection_id: uuid, geoids: ["06007", "06008"], ...paging };
const byGeoid = { collection_id: uuid, geoid: "06007", ...paging };

type Case = [what: string, args: object, data: unknown, warnings?: unknown[]];
const pages: Case[] = [["another page", paging, listed([summary(7)], 1)]];

/** Answers to other requests. */
const others: Record<EndpointName, Case[] | "says nothing of its request"> = {
  listAhjs: pages,
  getAhj: [["another AHJ", { ahj_id: 7 }, summary(8)]],
  resolveGeoid: [
    ["another geoID", { geoid: "06007" }, summary(8)],
    ["no geoID, though an AHJ with one was asked for", { geoid: "06007" }, summary(7, null)],
  ],
  listDataPoints: [
    ["another AHJ", { ...asked, ...paging }, listed([value(9, 1)])],
    [
      "another AHJ beside one that was asked for",
      { ...asked, ...paging },
      listed([value(7, 1), value(9, 1)]),
    ],
    ["another type", { ...asked, ...paging }, listed([value(7, 3)])],
    ["another page", { ...asked, ...paging }, listed([value(7, 1)], 1)],
    ["other AHJs that are denied", { ...asked, ...paging }, listed([]), denied([9, 10])],
  ],
  listTypes: [["another page", paging, listed([type(1)], 3)]],
  listCategories: [["another page", paging, listed([{ id: 1, name: "Fees" }], 3)]],
  listUnits: "says nothing of its request",
  matrix: [
    ["another AHJ", asked, matrix([9], [1, 2])],
    ["another AHJ beside one that was asked for", asked, matrix([8, 9], [1, 2])],
    ["other types", asked, matrix([7, 8], [3, 4])],
    ["other AHJs that are denied", asked, matrix([], [1, 2]), denied([9])],
  ],
  exportMatrix: "says nothing of its request",
  listCollections: [["another page", paging, listed([collection(uuid)], 1)]],
  getCollection: [["another collection", { collection_id: uuid }, collection(otherUuid)]],
  runCollection: [
    ["another collection", byIds, results([value(7, 1)], otherUuid)],
    ["another collection without values", byIds, results([], otherUuid)],
    ["another AHJ", byIds, results([value(9, 1)])],
    ["another geoID", byGeoids, results([value(9, 1)])],
    ["another page", byIds, results([value(7, 1)], uuid, 1)],
    ["other geoIDs that are not known", byGeoids, results([]), denied([], ["06009"])],
  ],
  exportCollection: "says nothing of its request",
  runCollectionForGeoid: [
    ["another collection", byGeoid, results([value(7, 1)], otherUuid)],
    ["another geoID", byGeoid, results([value(8, 1)])],
    ["another page", byGeoid, results([value(7, 1)], uuid, 1)],
  ],
};

/** Right answers, of the forms that docs/interface.md leaves open. */
const right: Partial<Record<EndpointName, Case[]>> = {
  listAhjs: [
    ["the page asked for", paging, listed([summary(7)])],
    ["an empty page past the end, without data", { page: 9, page_size: 1 }, null],
    ["the last page once more, past the end", { page: 4, page_size: 1 }, listed([summary(7)], 3)],
    [
      "AHJs of all states, because the filter has another name",
      { ...paging, state: "TX" },
      listed([summary(7)]),
    ],
  ],
  getAhj: [["an id as a text", { ahj_id: 7 }, { ...summary(7, null), id: "7" }]],
  resolveGeoid: [["the AHJ", { geoid: "06007" }, summary(7)]],
  listDataPoints: [
    ["one AHJ of two, and one type of two", { ...asked, ...paging }, listed([value(7, 1)])],
    ["nothing", { ...asked, ...paging }, listed([])],
    ["an AHJ that was denied, and others", { ...asked, ...paging }, listed([value(7, 1)]), denied([8, 9])],
    ["an AHJ without a geoID", { ...asked, ...paging }, listed([value(7, 1, null)])],
    ["all AHJs and types, if none was asked for", paging, listed([value(9, 3)])],
  ],
  matrix: [
    ["one AHJ of two, and one type of two", asked, matrix([7], [1])],
    ["no AHJ and no type", asked, matrix([], [])],
    ["AHJs that are denied", asked, matrix([], [1, 2]), denied([7, 8])],
  ],
  getCollection: [["the id in capitals", { collection_id: uuid }, collection(uuid.toUpperCase())]],
  runCollection: [
    ["the id in capitals", byIds, results([value(7, 1)], uuid.toUpperCase())],
    ["an answer without data", byIds, null],
    ["the AHJ of a geoID, which does not repeat it", byGeoids, results([value(7, 1, null)])],
    ["a geoID that is not known", byGeoids, results([]), denied([], ["06008"])],
  ],
  runCollectionForGeoid: [["its AHJ", byGeoid, results([value(7, 1)])]],
};

/** A client whose service answers with this, whatever is asked for. */
function answer(name: EndpointName, [, args, data, warnings]: Case): Promise<{ data: unknown }> {
  const body = { response_type: "success", description: "", data, warnings };
  const transport = createTransport(
    { baseUrl, key: "k3y" },
    { fetch: () => Promise.resolve(Response.json(body)), random: () => 0.5 },
  );
  return (createClient(transport)[name] as (args: object) => Promise<{ data: unknown }>)(args);
}

const casesOf = (cases: Partial<Record<EndpointName, Case[] | string>>) =>
  (Object.keys(endpoints) as EndpointName[]).flatMap((name) => {
    const ofName = cases[name] ?? [];
    return typeof ofName === "string"
      ? []
      : ofName.map((each): [string, EndpointName, Case] => [each[0], name, each]);
  });

describe("an answer to another request is refused, of every endpoint whose answers say what they are about:", () => {
  it.each(casesOf(others))("%s, of %s", async (_, name, each) => {
    await expect(answer(name, each)).rejects.toMatchObject({
      kind: "unexpected-answer",
      detail: "It is about something else than what was asked for.",
    });
  });

  it("each endpoint that binds its answers is tried here, and no other says that its answers can't be bound", () => {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const isBound = "isAnswerTo" in endpoint;
      expect(others[name as EndpointName] === "says nothing of its request", name).toBe(!isBound);
    }
  });
});

describe("an answer that says less, or in another form, is taken:", () => {
  it.each(casesOf(right))("%s, of %s", async (_, name, each) => {
    expect(await answer(name, each)).toHaveProperty("data");
  });
});
