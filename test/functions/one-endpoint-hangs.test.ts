import { describe, expect, it } from "vitest";
import { untilAborted } from "../recorded-service";
import { call, type Called, notAvailable, pass, playExcel, start } from "./excel";

playExcel();

const pathOf = (request: Request) => new URL(request.url).pathname;

/** The values that the formulas show, and the seconds until the last of them is answered. */
async function outcomeOf(calls: readonly Called[]) {
  const startedMs = Date.now();
  let shown: unknown[] = [];
  let seconds = Infinity;
  void Promise.all(calls.map(({ settled }) => settled)).then((all) => {
    shown = all;
    seconds = (Date.now() - startedMs) / 1_000;
  });
  while (seconds === Infinity && Date.now() - startedMs < 600_000) await pass(250);
  return { shown, seconds };
}

/** A formula, and the endpoints that it needs, by their numbers in docs/interface.md. */
interface Formula {
  needs: number[];
  ask(collection: string): Called;
}

const formulas: Formula[] = [
  { needs: [1], ask: () => call("AHJS", "NV") },
  { needs: [2], ask: () => call("AHJ", "ahj:10500", "county") },
  { needs: [3, 8], ask: () => call("VALUE", "06003", 1003) },
  { needs: [8], ask: () => call("VALUE", "ahj:10501", 1003) },
  { needs: [8], ask: () => call("MATRIX", "ahj:10504", 1003) },
  { needs: [4, 5], ask: () => call("VALUE", "ahj:10502", 1003, "updated_at") },
  { needs: [5, 6], ask: () => call("TYPES") },
  { needs: [6], ask: () => call("CATEGORIES") },
  { needs: [7], ask: () => call("UNITS") },
  { needs: [10], ask: () => call("COLLECTIONS") },
  { needs: [3, 5, 10, 12], ask: (collection) => call("COLLECTION", collection, "06005") },
];

/** The endpoints that formulas use: the other ones are asked by the pane alone. */
const endpoints: { number: number; path: RegExp; ask(at: number, collection: string): Called }[] = [
  {
    number: 1,
    path: /^\/v1\/ahjs$/,
    ask: (at) => call("VALUE", `48${String(1 + 2 * (at % 250)).padStart(3, "0")}`, 1003),
  },
  { number: 2, path: /^\/v1\/ahjs\/\d+$/, ask: (at) => call("AHJ", `ahj:${10_601 + at}`, "county") },
  { number: 3, path: /^\/v1\/geoid\/\w+$/, ask: (at) => call("VALUE", "06001", 1_001 + (at % 20)) },
  {
    number: 4,
    path: /^\/v1\/data-points$/,
    ask: (at) => call("VALUE", `ahj:${10_601 + at}`, 1003, "updated_at"),
  },
  {
    number: 5,
    path: /^\/v1\/data-points\/types$/,
    ask: (at) => call("VALUE", `ahj:${10_601 + at}`, `Fee ${at}`),
  },
  { number: 6, path: /^\/v1\/categories$/, ask: () => call("CATEGORIES") },
  { number: 7, path: /^\/v1\/units-of-measure$/, ask: () => call("UNITS") },
  { number: 8, path: /^\/v1\/reports\/matrix$/, ask: (at) => call("VALUE", `ahj:${10_601 + at}`, 1003) },
  { number: 10, path: /^\/v1\/collections$/, ask: () => call("COLLECTIONS") },
  {
    number: 12,
    path: /^\/v1\/collections\/[^/]+\/data$/,
    ask: (at, collection) => call("COLLECTION", collection, `ahj:${10_601 + at}`),
  },
];

const noAnswer = notAvailable(/^The service (took too long to answer|can't be reached)\./);

describe.each(endpoints)("while endpoint $number gives no answer", ({ number, path, ask }) => {
  const others = formulas.filter(({ needs }) => !needs.includes(number));
  // Beside hundreds of geoIDs, one more is looked for in their lists.
  const besides = number === 1 ? others.filter(({ needs }) => !needs.includes(3)) : others;

  async function play(waitMs: number, beside: readonly Formula[]) {
    start();
    const lists = (await outcomeOf([call("COLLECTIONS", false)])).shown as string[][][];
    const collection = lists[0]?.[0]?.[1] ?? "";
    start();
    const alone = await outcomeOf(beside.map((formula) => formula.ask(collection)));
    start({ intercept: (request) => (path.test(pathOf(request)) ? untilAborted(request) : undefined) });
    const startedMs = Date.now();
    const cells = Array.from({ length: 300 }, (_, at) => ask(at, collection));
    if (waitMs > 0) await pass(waitMs);
    const answered = await outcomeOf(beside.map((formula) => formula.ask(collection)));
    const { shown } = await outcomeOf(cells);
    return { alone, answered, shown, seconds: (Date.now() - startedMs) / 1_000 };
  }

  it("its formulas say so within a minute, and those of the same recalculation are answered as if alone", async () => {
    const { alone, answered, shown, seconds } = await play(0, besides);
    expect(answered.shown).toEqual(alone.shown);
    expect(answered.seconds).toBeLessThanOrEqual(alone.seconds + 1);
    expect(shown).toEqual(shown.map(() => noAnswer));
    expect(seconds).toBeLessThanOrEqual(61);
  }, 120_000);

  it("formulas that are entered later are answered as if alone", async () => {
    const { alone, answered } = await play(2_000, others);
    expect(answered.shown).toEqual(alone.shown);
    expect(answered.seconds).toBeLessThanOrEqual(alone.seconds + 1);
  }, 120_000);
});

it("the value of an answer whose date gives no answer is there as if alone", async () => {
  start({
    intercept: (request) => (pathOf(request) === "/v1/data-points" ? untilAborted(request) : undefined),
  });
  const dates = [10_001, 10_002].map((ahj) => call("VALUE", `ahj:${ahj}`, 1003, "updated_at"));
  const { shown, seconds } = await outcomeOf([call("VALUE", "ahj:10001", 1003)]);
  expect(shown).toEqual([expect.not.objectContaining({ code: expect.anything() as unknown })]);
  expect(seconds).toBeLessThanOrEqual(1);
  const later = await outcomeOf([call("VALUE", "ahj:10002", 1003)]);
  expect(later.seconds).toBeLessThanOrEqual(1);
  expect((await outcomeOf(dates)).shown).toEqual([noAnswer, noAnswer]);
}, 120_000);

it("an endpoint whose connections are refused is left alone after a few tries, and asked again after a while", async () => {
  const isDetail = (request: Request) => /\/v1\/ahjs\/\d+$/.test(pathOf(request));
  let isDown = true;
  const { requests } = start({
    intercept: (request) =>
      isDown && isDetail(request) ? Promise.reject(new TypeError("refused")) : undefined,
  });
  await outcomeOf(Array.from({ length: 300 }, (_, at) => call("AHJ", `ahj:${10_001 + at}`, "county")));
  const sent = requests.filter((request) => /\/v1\/ahjs\/\d+$/.test(String(request))).length;
  expect(sent).toBeLessThanOrEqual(32);
  const before = requests.length;
  await outcomeOf([call("AHJ", "ahj:10001", "county")]);
  expect(requests).toHaveLength(before);
  isDown = false;
  await pass(10_000);
  await outcomeOf([call("AHJ", "ahj:10001", "county")]);
  expect(requests.length).toBeGreaterThan(before);
}, 120_000);
