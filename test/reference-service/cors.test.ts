import { describe, expect, it } from "vitest";
import { limitsOf } from "./limits";
import { asking } from "./asking";

const origin = { Origin: "https://addin.test" };

const namesIn = (header: string | null) => (header ?? "").split(",").map((name) => name.trim());

describe("CORS", () => {
  it("a preflight needs no key and is 204", async () => {
    const { status, text } = await asking(null).send("/v1/reports/matrix", {
      method: "OPTIONS",
      headers: {
        ...origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "x-api-key,content-type",
      },
    });
    expect(status).toBe(204);
    expect(text).toBe("");
  });

  it("a preflight allows X-API-Key and Content-Type, GET and POST, from any origin", async () => {
    const { headers } = await asking(null).send("/v1/ahjs", {
      method: "OPTIONS",
      headers: {
        ...origin,
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "x-api-key",
      },
    });
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(namesIn(headers.get("Access-Control-Allow-Headers"))).toEqual(["X-API-Key", "Content-Type"]);
    expect(namesIn(headers.get("Access-Control-Allow-Methods"))).toEqual(["GET", "POST"]);
  });

  it("a preflight uses up no request", async () => {
    const ask = asking("demo-limited");
    await ask.send("/v1/ahjs", { method: "OPTIONS", headers: origin });
    expect((await ask.get("/v1/ahjs")).headers.get("X-RateLimit-Remaining")).toBe("29");
  });

  it.each([
    { title: "a list", key: "demo-national", path: "/v1/ahjs", status: 200 },
    { title: "a missing key", key: null, path: "/v1/ahjs", status: 401 },
    { title: "a denied AHJ", key: "demo-none", path: "/v1/ahjs/10001", status: 403 },
    { title: "an unknown path", key: "demo-national", path: "/v2/ahjs", status: 404 },
    { title: "an invalid parameter", key: "demo-national", path: "/v1/ahjs?page=0", status: 422 },
  ])("the answer to $title is readable by a page, with its headers", async ({ key, path, status }) => {
    const answer = await asking(key).send(path, { headers: origin });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(namesIn(answer.headers.get("Access-Control-Expose-Headers")).sort()).toEqual([
      "Content-Disposition",
      "Date",
      "Retry-After",
      "X-RateLimit-Remaining",
      "X-RateLimit-Reset",
    ]);
  });

  it("so is a 429", async () => {
    const ask = asking("demo-national", { limits: limitsOf({ minute: 1 }) });
    await ask.get("/v1/ahjs");
    const { status, headers } = await ask.send("/v1/ahjs", { headers: origin });
    expect(status).toBe(429);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(namesIn(headers.get("Access-Control-Expose-Headers"))).toContain("Retry-After");
  });
});
