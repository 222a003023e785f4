import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/engine/api/endpoints";
import { createService } from "../../reference-service/service";
import { asking } from "./asking";

const paths = Object.values(endpoints).map(({ method, path }) => ({
  method,
  path: path
    .replace("{ahj_id}", "10001")
    .replace("{geoid}", "06001")
    .replace("{collection_id}", "00000000-0000-8000-8000-000000000000"),
}));

describe("Authentication", () => {
  it("a missing key is 401 with the error envelope", async () => {
    const { status, body } = await asking(null).get("/v1/ahjs");
    expect(status).toBe(401);
    expect(body).toEqual({
      response_type: "error",
      description: "The request has no X-API-Key header.",
      error: "API_KEY_MISSING",
      status_code: 401,
    });
  });

  it.each(paths)(
    "the key is required also for a method that the path does not have: $method $path",
    async ({ method, path }) => {
      const other = method === "GET" ? "POST" : "GET";
      for (const [key, error] of [
        [null, "API_KEY_MISSING"],
        ["nobody", "API_KEY_INVALID"],
      ] as const) {
        const { status, body } = await asking(key).send(path, { method: other });
        expect(status).toBe(401);
        expect(body.error).toBe(error);
      }
    },
  );

  it("a wrong key is 401 with the error envelope", async () => {
    const { status, body } = await asking("demo-nationa").get("/v1/ahjs");
    expect(status).toBe(401);
    expect(body).toEqual({
      response_type: "error",
      description: "The API key is not known.",
      error: "API_KEY_INVALID",
      status_code: 401,
    });
  });

  it("a key in the query is no key", async () => {
    expect((await asking(null).get("/v1/ahjs", { "X-API-Key": "demo-national" })).status).toBe(401);
  });

  it.each(["demo-national", "demo-west", "demo-county", "demo-none", "demo-limited"])(
    "%s is a known key",
    async (key) => {
      expect((await asking(key).get("/v1/ahjs")).status).toBe(200);
    },
  );

  it("a further key opens its organization, and spends the same limit", async () => {
    const service = createService({ keys: { another: "demo-limited" } });
    const { headers: first, body } = await asking("demo-limited", service).get("/v1/collections");
    const other = await asking("another", service).get("/v1/collections");
    expect(other.body).toEqual(body);
    const left = (headers: Headers) => Number(headers.get("X-RateLimit-Remaining"));
    expect(left(other.headers)).toBe(left(first) - 1);
    expect(() => createService({ keys: { another: "nobody" } })).toThrow("There is no sample key nobody.");
  });

  it("an answer to an unknown key has no rate limit headers", async () => {
    const { headers } = await asking("nobody").get("/v1/ahjs");
    expect(headers.has("X-RateLimit-Remaining")).toBe(false);
  });
});
