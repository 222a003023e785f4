import { describe, expect, it } from "vitest";
import { endpoints, type Endpoint, type EndpointName } from "../../src/api/endpoints";
import * as schemas from "../../src/api/schemas";
import { asking } from "../service/asking";

const ask = asking("demo-west");
const { body: listed } = await ask.get<schemas.Page<schemas.Collection>>("/v1/collections");
const collectionId = listed.data.items[2]!.id;

const california = 10_005;
const pathValues: Record<string, string> = {
  ahj_id: String(california),
  geoid: "06073",
  collection_id: collectionId,
};

const ahj = ["geoid", "id", "name", "state_code", "type"];
const type = ["category_ids", "description", "id", "name", "unit_of_measure"];
const value = ["ahj", "data_point_type", "id", "reference", "section", "updated_at", "value"];
const pagination = ["page", "page_size", "total", "total_pages"];
const detail = [...ahj, "county", "lat", "lon", "population", "state_name"].sort();
const collection = [
  "category_ids",
  "created_at",
  "data_point_type_ids",
  "description",
  "id",
  "name",
  "organization_id",
  "updated_at",
];

function page(...paths: [string, string[]][]): Record<string, string[]> {
  return {
    data: ["items", "pagination"],
    "data.pagination": pagination,
    ...Object.fromEntries(paths.map(([path, fields]) => [`data.items[]${path}`, fields])),
  };
}

const values = page(["", value], [".ahj", ahj], [".data_point_type", type]);
const results = { ...values, data: ["collection_id", "collection_name", "items", "pagination"] };

/** For each endpoint that answers JSON: the fields of every object in `data`, as the interface lists them. */
const fields: Record<EndpointName, Record<string, string[]> | "csv"> = {
  listAhjs: page(["", ahj]),
  getAhj: { data: detail },
  resolveGeoid: { data: detail },
  listDataPoints: values,
  listTypes: page(["", type]),
  listCategories: page(["", ["id", "name"]]),
  listUnits: page(["", ["id", "name"]]),
  matrix: {
    data: ["ahjs", "data_point_types", "rows"],
    "data.ahjs[]": ahj,
    "data.data_point_types[]": type,
    "data.rows[]": ["ahj", "values"],
    "data.rows[].ahj": ahj,
    "data.rows[].values": ["1001", "1030", "1045", "1089"],
    "data.rows[].values.1001": ["reference", "section", "value"],
    "data.rows[].values.1030": ["reference", "section", "value"],
    "data.rows[].values.1045": ["reference", "section", "value"],
    "data.rows[].values.1089": ["reference", "section", "value"],
  },
  exportMatrix: "csv",
  listCollections: page(["", collection]),
  getCollection: { data: collection },
  runCollection: results,
  exportCollection: "csv",
  runCollectionForGeoid: results,
};

/** The fields of every object in a JSON value, by the path that leads there. */
function fieldsIn(json: unknown, path: string, found: Map<string, Set<string>> = new Map()) {
  if (Array.isArray(json)) {
    for (const item of json) fieldsIn(item, `${path}[]`, found);
  } else if (json !== null && typeof json === "object") {
    const names = Object.keys(json).sort().join();
    found.set(path, (found.get(path) ?? new Set()).add(names));
    for (const [name, inner] of Object.entries(json)) fieldsIn(inner, `${path}.${name}`, found);
  }
  return found;
}

function requestOf(name: EndpointName): [path: string, init: RequestInit] {
  const { method, path, send }: Endpoint = endpoints[name];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => pathValues[parameter]!);
  const ahjIds = Array.from({ length: 60 }, (_, at) => 10_250 + at);
  if (send === "body") {
    const body = { ahj_ids: ahjIds, data_point_type_ids: [1001, 1030, 1045, 1089] };
    return [filled, { method, body: JSON.stringify(body) }];
  }
  const needsAhjs = name === "runCollection" || name === "exportCollection";
  return [needsAhjs ? `${filled}?ahj_ids=${ahjIds.join(",")}` : filled, { method }];
}

describe("Every endpoint's answer", () => {
  const names = Object.keys(endpoints) as EndpointName[];

  it("there are fourteen endpoints", () => {
    expect(names.map((name) => endpoints[name].number)).toEqual(
      Array.from({ length: 14 }, (_, at) => at + 1),
    );
  });

  it.each(names)("passes the schemas that the client reads it with: %s", async (name) => {
    const { status, headers, body } = await ask.send(...requestOf(name));
    const { answer }: Endpoint = endpoints[name];
    expect(status).toBe(200);
    if (answer === "csv") {
      expect(headers.get("Content-Type")).toBe("text/csv");
      return;
    }
    const envelope = schemas.envelope.parse(body);
    expect(envelope.response_type).toBe("success");
    expect(answer.safeParse(envelope.data).error).toBeUndefined();
  });

  it.each(names.filter((name) => fields[name] !== "csv"))(
    "has exactly the interface's fields: %s",
    async (name) => {
      const { body } = await ask.send(...requestOf(name));
      const found = [...fieldsIn(body.data, "data")].map(([path, lists]) => [path, [...lists]]);
      const expected = Object.entries(fields[name]).map(([path, list]) => [path, [[...list].sort().join()]]);
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    },
  );

  it("with warnings passes the schema of the envelope", async () => {
    const { body } = await ask.send(`/v1/collections/${collectionId}/data?geoids=06073,22071,99999`);
    expect(schemas.envelope.parse(body).warnings).toEqual(body.warnings);
    expect(body.warnings).toHaveLength(2);
  });
});
