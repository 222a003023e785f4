import { expect, it } from "vitest";
import { untilAborted } from "../recorded-service";
import { call, pass, playExcel, start } from "./excel";

playExcel();

const isDetail = (request: Request) => /\/v1\/ahjs\/\d+$/.test(new URL(request.url).pathname);
const untilSettled = async (settled: Promise<unknown>) => {
  let isDone = false;
  void settled.then(() => (isDone = true));
  const startedMs = Date.now();
  while (!isDone && Date.now() - startedMs < 600_000) await pass(250);
  return (Date.now() - startedMs) / 1_000;
};

it("formulas whose endpoint gives no answer say so within a minute, and hold up no others by more than a second", async () => {
  start({ intercept: (request) => (isDetail(request) ? untilAborted(request) : undefined) });
  await untilSettled(call("VALUE", "06001", 1003).settled);
  const cells = Array.from({ length: 300 }, (_, at) => call("AHJ", `ahj:${10_001 + at}`, "county"));
  const waiting = untilSettled(Promise.all(cells.map(({ settled }) => settled)));
  await pass(2_000);
  const other = call("VALUE", "06003", 1003).settled;
  const startedMs = Date.now();
  let answeredMs = 0;
  void other.then(() => (answeredMs = Date.now()));
  expect(await waiting).toBeLessThanOrEqual(61);
  expect(answeredMs - startedMs).toBeLessThanOrEqual(2_000);
}, 120_000);

it("an endpoint whose connections are refused is left alone after a few tries, and asked again after a while", async () => {
  let isDown = true;
  const { requests } = start({
    intercept: (request) =>
      isDown && isDetail(request) ? Promise.reject(new TypeError("refused")) : undefined,
  });
  const cells = Array.from({ length: 300 }, (_, at) => call("AHJ", `ahj:${10_001 + at}`, "county"));
  await untilSettled(Promise.all(cells.map(({ settled }) => settled)));
  const sent = requests.filter((request) => /\/v1\/ahjs\/\d+$/.test(String(request))).length;
  expect(sent).toBeLessThanOrEqual(32);
  const before = requests.length;
  await untilSettled(call("AHJ", "ahj:10001", "county").settled);
  expect(requests).toHaveLength(before);
  isDown = false;
  await pass(10_000);
  await untilSettled(call("AHJ", "ahj:10001", "county").settled);
  expect(requests.length).toBeGreaterThan(before);
}, 120_000);
