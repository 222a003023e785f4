import { expect, it } from "vitest";
import { playConfig } from "../../play-config";
import { baseUrl } from "../../recorded-service";
import { texts } from "../../hostile/hostile-texts";
import { serve } from "./served";

playConfig({ retryDelayMs: 1 });

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

it("2,000 calls with wrong arguments get a kind, a sentence and a next step, and the server goes on", async () => {
  const random = seeded(20_261_130);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const short = texts.filter(({ length }) => length < 2_000);
  const others = [
    null,
    true,
    -1,
    0,
    1.5,
    1e308,
    "",
    " ",
    [],
    {},
    [[]],
    [null],
    { a: 1 },
    "all",
    "x".repeat(5_000),
  ];
  const any = () => (random() < 0.5 ? pick(others) : pick(short));

  /** An argument that is right, wrong by a little, or of another kind. */
  function argument({ type, enum: choices, items }: Schema): unknown {
    if (random() < 0.3) return any();
    if (choices) return pick(choices);
    if (type === "array") {
      const length = random() < 0.1 ? 500 : Math.floor(random() * 3);
      return Array.from({ length }, () => argument(items ?? {}));
    }
    if (type === "integer") return pick([1, 2, 0, -5, 1.5, 2 ** 53, 1e9, "1"]);
    if (type === "boolean") return pick([true, false, "true", 1]);
    return pick([
      ...short,
      "NV",
      "1056",
      "1056 at most 60",
      "../x.xlsx",
      "no folder/x.xlsx",
      "no\u0000.xlsx",
    ]);
  }

  // A key for one county: what is right by chance is answered at once.
  const { client, call, output, told } = await serve({
    env: { REGDATA_SERVICE: baseUrl, REGDATA_KEY: "demo-county" },
  });
  const { tools } = await client.listTools();
  let refused = 0;
  const kinds = new Set<string>();
  for (let count = 0; count < 2_000; count += 1) {
    const { name, inputSchema } = pick(tools);
    const { properties = {}, required = [] } = inputSchema as Schema;
    const given: Record<string, unknown> = {};
    for (const [argumentName, schema] of Object.entries(properties))
      if (random() < (required.includes(argumentName) ? 0.9 : 0.3)) given[argumentName] = argument(schema);
    if (random() < 0.1) given[pick(["key", "__proto__", "constructor", "extra", ...short])] = any();
    const { failure, text } = await call(name, given);
    if (failure === null) continue;
    refused += 1;
    kinds.add(failure.kind);
    const shown = [JSON.stringify([name, given]).slice(0, 300), failure.sentence].join(": ");
    expect(failure.kind, shown).toMatch(/^(usage|file|service|[a-z]+(-[a-z]+)+)$/);
    expect(failure.sentence, shown).toMatch(/\S/);
    expect(failure.sentence, shown).not.toMatch(/Something went wrong|undefined|\[object/);
    expect(failure.nextStep, shown).toMatch(/\.$/);
    expect(text.split("\n").length, shown).toBeLessThanOrEqual(3);
  }
  expect(refused).toBeGreaterThan(1_500);
  expect([...kinds]).toEqual(expect.arrayContaining(["usage", "file"]));
  expect((await call("search_questions", { words: "permit fee" })).failure).toBeNull();
  for (const line of output().trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  expect(told()).not.toContain("printed");
});

it("a call that the client cancels ends its request, and the next one is answered", async () => {
  let isHanging = true;
  let aborted = 0;
  const { client, call } = await serve({
    intercept: ({ signal }) =>
      isHanging
        ? new Promise((_, reject) =>
            signal.addEventListener("abort", () => {
              aborted += 1;
              reject(signal.reason as Error);
            }),
          )
        : undefined,
  });
  const ending = new AbortController();
  const calling = client.callTool(
    { name: "make_workbook", arguments: { where: ["NV"], question: ["1056"], output: "fees.xlsx" } },
    undefined,
    { signal: ending.signal },
  );
  const cancelled = expect(calling).rejects.toThrow("the user cancels");
  setTimeout(() => ending.abort("the user cancels"), 200);
  await cancelled;
  // Much sooner than a request that hangs is given up.
  await expect.poll(() => aborted, { timeout: 10_000 }).toBe(1);
  isHanging = false;
  // It waits for the cancelled one, because only one workbook is open at a time.
  const made = await call("make_workbook", { where: ["NV"], question: ["1056"], output: "fees.xlsx" });
  expect(made.failure).toBeNull();
});
