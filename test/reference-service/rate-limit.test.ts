import { describe, expect, it } from "vitest";
import type { RateLimits } from "../../reference-service/http/key-limit";
import { createService } from "../../reference-service/service";
import { limitsOf } from "./limits";
import { asking } from "./asking";

const start = Date.UTC(2026, 2, 12, 9, 30, 0);

function withClock(limits?: Partial<RateLimits>, key = "demo-national") {
  const clock = { now: start };
  const ask = asking(key, { now: () => clock.now, ...(limits && { limits: limitsOf(limits) }) });
  return {
    clock,
    ask: async () => {
      const { status, headers, body } = await ask.get("/v1/categories");
      return {
        status,
        body,
        remaining: Number(headers.get("X-RateLimit-Remaining")),
        reset: Number(headers.get("X-RateLimit-Reset")),
        retryAfter: headers.get("Retry-After"),
      };
    },
  };
}

describe("Rate limits", () => {
  it("X-RateLimit-Remaining counts the requests left down to 0", async () => {
    const { ask } = withClock({ minute: 3 });
    expect([(await ask()).remaining, (await ask()).remaining, (await ask()).remaining]).toEqual([2, 1, 0]);
  });

  it("X-RateLimit-Reset stays the same until the limit resets", async () => {
    const { ask, clock } = withClock({ minute: 3 });
    expect((await ask()).reset).toBe(start / 1000 + 60);
    clock.now += 20_000;
    expect((await ask()).reset).toBe(start / 1000 + 60);
  });

  it("a client that waits until the reset time is served again", async () => {
    const { ask, clock } = withClock({ minute: 1 });
    await ask();
    const { reset } = await ask();
    clock.now = reset * 1000;
    expect((await ask()).status).toBe(200);
  });

  it("a client that waits for Retry-After is served again", async () => {
    const { ask, clock } = withClock({ minute: 1 });
    await ask();
    clock.now += 333;
    const { retryAfter } = await ask();
    clock.now += Number(retryAfter) * 1000;
    expect((await ask()).status).toBe(200);
  });

  it("when several limits are exceeded the latest reset counts", async () => {
    const { ask } = withClock({ minute: 1, hour: 1 });
    await ask();
    expect((await ask()).retryAfter).toBe("3600");
  });

  it("a refused request uses nothing up", async () => {
    const { ask, clock } = withClock({ minute: 1, hour: 2 });
    await ask();
    await ask();
    await ask();
    clock.now += 60_000;
    expect((await ask()).status).toBe(200);
  });

  it("demo-limited may ask 30 times a minute, 600 an hour and 5,000 a day", async () => {
    const { ask, clock } = withClock(undefined, "demo-limited");
    let served = 0;
    const countServed = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1, clock.now += 60_000) {
        while ((await ask()).status === 200) served += 1;
      }
      return served;
    };
    expect(await countServed(1)).toBe(30);
    expect(await countServed(59)).toBe(600);
    expect(await countServed(23 * 60)).toBe(5_000);
  });

  it.each(["demo-national", "demo-west", "demo-county", "demo-none"])(
    "%s may ask a million times a minute",
    async (key) => {
      expect((await withClock(undefined, key).ask()).remaining).toBe(999_999);
    },
  );

  it("the limits are per organization", async () => {
    const service = createService({ limits: limitsOf({ minute: 1 }) });
    await asking("demo-west", service).get("/v1/categories");
    expect((await asking("demo-county", service).get("/v1/categories")).status).toBe(200);
  });

  it.each([
    { title: "an error", key: "demo-none", path: "/v1/ahjs/10001", method: "GET", status: 403 },
    { title: "an unknown path", key: "demo-west", path: "/v1/nothing", method: "GET", status: 404 },
    { title: "a wrong method", key: "demo-west", path: "/v1/ahjs", method: "DELETE", status: 405 },
    {
      title: "an invalid request",
      key: "demo-west",
      path: "/v1/reports/matrix",
      method: "POST",
      status: 422,
    },
  ])("every answer to a known key carries the headers: $title", async ({ key, path, method, status }) => {
    const answer = await asking(key).send(path, { method });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("X-RateLimit-Remaining")).toBe("999999");
    expect(answer.headers.get("X-RateLimit-Reset")).toMatch(/^\d{10}$/);
  });

  it("Date tells the service's clock", async () => {
    const { headers } = await asking("demo-national", { now: () => start }).get("/v1/categories");
    expect(headers.get("Date")).toBe("Thu, 12 Mar 2026 09:30:00 GMT");
  });
});
