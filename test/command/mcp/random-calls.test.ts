import { readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { expect, it } from "vitest";
import { playConfig } from "../../play-config";
import { serve } from "./served";

playConfig({ retryDelayMs: 1 });

/** `RANDOM_CALLS` makes fewer or more of them; `RANDOM_SEED` other ones. */
const calls = Number(process.env["RANDOM_CALLS"] ?? 10_000);
const seed = Number(process.env["RANDOM_SEED"] ?? 20_261_130);

/** Numbers from 0 up to 1, the same for a seed (mulberry32). */
function createRandom(from: number) {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
const random = createRandom(seed);
const below = (most: number) => Math.floor(random() * most);
const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;

/** Words that some argument of some tool takes. */
const known = [
  ...[
    "NV",
    "06001",
    "ahj:1",
    "Clark County, NV",
    "all",
    "@list.txt",
    "counties",
    "1056",
    "Minimum Permit Fee",
  ],
  ...[
    "1056 at most 60",
    "1003 is 2020 NEC",
    "fees.xlsx",
    "scorecard",
    "permit-cost",
    "long",
    "Fees",
    "City=1056",
  ],
];
const odd = [
  ...[
    "",
    " ",
    "\u0000",
    "\u202e",
    "../secret.xlsx",
    "/etc/passwd",
    "fees.xlsx/..",
    "CON.xlsx",
    "file:///x.xlsx",
  ],
  ...[
    "__proto__",
    "constructor",
    "=1+1",
    "'; DROP",
    "💩".repeat(50),
    "x".repeat(5_000),
    "1056 at most",
    "at most 5",
  ],
  ...["99999999999999999999", "-1", "NaN", "Nowhere, ZZ", "NV,CA", "null", "%00", "\n\r\t"],
];
const numbers = [0, 1, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, 7];

function anything(depth = 0): unknown {
  const kinds: (() => unknown)[] = [
    () => pick(known),
    () => pick(odd),
    () => pick(numbers),
    () => random() < 0.5,
    () => null,
    () => Array.from({ length: below(4) }, () => anything(depth + 1)),
    () => ({ [pick(odd)]: anything(depth + 1) }),
  ];
  return pick(depth > 2 ? kinds.slice(0, 5) : kinds)();
}

interface Schema {
  properties?: Record<string, { type?: string }>;
  required?: string[];
}

/** Arguments of which at least one is not as the tool wants it: of another type, from elsewhere, missing, or one that it does not have. */
function wrongArguments({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [name, { type }] of Object.entries(properties)) {
    if (!required.includes(name) && random() < 0.6) continue;
    const word = () => pick(random() < 0.7 ? known : odd);
    const right = { string: word, array: () => [word()], integer: () => 1 + below(3), boolean: () => false };
    given[name] = random() < 0.6 ? (right[type as keyof typeof right] ?? word)() : anything();
  }
  const breaks = [
    () => void (given[pick(Object.keys(properties))] = anything(1)),
    () => void (given[pick([...odd, "page ", "Where", "key", "api_key"])] = anything()),
    () => void delete given[pick(required.length > 0 ? required : Object.keys(given))],
  ];
  pick(breaks)();
  return given;
}

it(`${calls.toLocaleString("en-US")} random calls with wrong arguments get clear errors, and the server goes on`, async () => {
  const { client, call, folder, output, told } = await serve();
  const beside = await readdir(dirname(folder));
  const { tools } = await client.listTools();
  const kinds = new Map<string, number>();
  for (let count = 0; count < calls; count += 1) {
    const { name, inputSchema } = pick(tools);
    const given = wrongArguments(inputSchema as Schema);
    const { failure, text } = await call(name, given);
    const what = `seed ${seed}, call ${count}: ${name} ${JSON.stringify(given).slice(0, 500)}`;
    kinds.set(failure?.kind ?? "none", (kinds.get(failure?.kind ?? "none") ?? 0) + 1);
    if (!failure) {
      // Luck: what was given is right after all.
      expect(text, what).not.toBe("");
      continue;
    }
    expect(failure.sentence, what).toMatch(/^\S.{8,}/s);
    expect(failure.nextStep, what).toMatch(/^\S.{8,}/s);
    expect(failure.kind, what).not.toBe("internal");
    const told = `${failure.sentence} ${failure.detail ?? ""} ${failure.nextStep}`;
    expect(told, what).not.toMatch(/undefined|\[object|\bat \S+ \(|node:|TypeError|went wrong in regdata/);
  }
  expect((await call("search_places", { state: "NV" })).failure).toBeNull();
  expect(kinds.get("usage") ?? 0, JSON.stringify([...kinds])).toBeGreaterThan(calls / 3);
  // Each message is a line, nothing else is printed, and no file was written beside the folder.
  for (const line of output().trim().split("\n")) JSON.parse(line);
  expect(told()).not.toContain("printed");
  const now = await readdir(dirname(folder));
  expect(now.filter((name) => !beside.includes(name) && !name.startsWith("regdata-"))).toEqual([]);
  expect(now).toContain(basename(folder));
}, 300_000);
