import { describe, expect, it } from "vitest";
import { endpoints, type Endpoint, type EndpointName } from "../../src/engine/api/endpoints";
import * as schemas from "../../src/engine/api/schemas";
import { asking } from "../reference-service/asking";
import { headings, pageStatements } from "./page";

const ask = asking("demo-west");
const { body: listed } = await ask.get<schemas.Page<schemas.Collection>>("/v1/collections");
const collectionId = listed.data.items[2]!.id;

const california = 10_005;
const pathValues: Record<string, string> = {
  ahj_id: String(california),
  geoid: "06073",
  collection_id: collectionId,
};

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

  it("with warnings passes the schema of the envelope", async () => {
    const { body } = await ask.send(`/v1/collections/${collectionId}/data?geoids=06073,22071,99999`);
    expect(schemas.envelope.parse(body).warnings).toEqual(body.warnings);
    expect(body.warnings).toHaveLength(2);
  });
});

it.each(Object.values(endpoints) as Endpoint[])(
  "Endpoint $number has its number and path in docs/interface.md",
  ({ number, method, path }) => {
    const heading = headings.find((one) => one.startsWith(`${number}. `));
    const first = pageStatements.find((one) => one.heading === heading);
    expect(first?.text).toContain(`\`${method} ${path}\``);
  },
);
