import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { connected, type Interception } from "../../../recorded-service";
import { asFailure } from "../../../../src/errors";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-03-12T12:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

const pageOf = (request: Request) => new URL(request.url).searchParams.get("page");

it("a page that is under way when a formula gives up because of the limit is not asked for again", async () => {
  const limited = new Response("{}", { status: 429, headers: { "Retry-After": "600" } });
  let answerHeld = () => {};
  const held = new Promise<void>((resolve) => (answerHeld = resolve));
  const asked: (string | null)[] = [];
  const intercept: Interception = (request) => {
    if (!request.url.includes("/ahjs?")) return undefined;
    const page = pageOf(request);
    asked.push(page);
    if (page === "3" && asked.filter((each) => each === "3").length === 1) return limited;
    if (page === "4") return held.then(() => undefined);
    return undefined;
  };
  const { lookup } = connected("demo-national", { intercept });
  const given = lookup.directory.load(undefined, { giveUpAtMs: Date.now() + 60_000 }).catch(asFailure);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await given).toMatchObject({ kind: "rate-limited" });
  answerHeld();
  const again = lookup.directory.load();
  await vi.advanceTimersByTimeAsync(900_000);
  expect((await again).missing).toBe(0);
  expect(asked.filter((page) => page === "4")).toEqual(["4"]);
  expect(asked.filter((page) => page === "3")).toEqual(["3", "3"]);
  const others = asked.filter((page) => page !== "3");
  expect(others).toEqual([...new Set(others)]);
});
