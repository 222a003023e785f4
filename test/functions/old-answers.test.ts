import { expect, it } from "vitest";
import { formulaNames, type FormulaName, outage, pass, playExcel, result, start } from "./excel";

playExcel();

const dayMs = 86_400_000;
const collection = "Permit fees and review times";

/** Calls of every function. Each must mark its answer while the service is away. */
const calls: [FormulaName, unknown[]][] = [
  ["VALUE", ["06001", 1003]],
  ["VALUE", ["06001", "Electrical Code in Force"]],
  ["MATRIX", ["06001", 1003]],
  ["CITATION", ["06001", 1003]],
  ["CARD", ["06001", 1003]],
  ["CHANGED", ["06001", 1003, 36_526]],
  ["GEOID", ["Alameda County", "CA"]],
  ["AHJ", ["06001", "name"]],
  ["AHJ", ["ahj:10242", "name"]],
  ["AHJ", ["06001", "population"]],
  ["AHJS", ["NV"]],
  ["AHJS", []],
  ["TYPES", []],
  ["CATEGORIES", []],
  ["UNITS", []],
  ["COLLECTIONS", []],
  ["COLLECTION", [collection, "06001"]],
  ["FIND", [[["06001"], ["06037"]], [[1003, "contains", "NEC"]]]],
];

it.each(calls)(
  "=REGDATA.%s(%j) shows its last answer while the service is away, with a mark that goes when the service is back",
  async (name, args) => {
    const net = outage();
    const { app } = start({ intercept: net.intercept });
    const before = await result(name, ...args);
    expect(before).not.toBeInstanceOf(Error);
    expect(app.notices().oldAnswers).toBeNull();
    net.isDown = true;
    const askedMs = Date.now();
    await pass(2 * dayMs);
    expect(await result(name, ...args)).toEqual(before);
    const { count, oldestMs } = app.notices().oldAnswers ?? { count: 0, oldestMs: Infinity };
    expect(count).toBeGreaterThan(0);
    expect(oldestMs).toBeLessThanOrEqual(askedMs);
    net.isDown = false;
    await pass(60_000);
    expect(await result(name, ...args)).toEqual(before);
    expect(app.notices().oldAnswers).toBeNull();
  },
);

it("every function is among them", () => {
  expect(new Set(calls.map(([name]) => name))).toEqual(new Set(formulaNames));
});

it("a function whose answers are a day old at most shows no mark, though the service is away; collections are asked for each time", async () => {
  const net = outage();
  const { app } = start({ intercept: net.intercept });
  for (const [name, args] of calls) await result(name, ...args);
  net.isDown = true;
  await pass(dayMs / 2);
  for (const [name, args] of calls) if (!name.startsWith("COLLECTION")) await result(name, ...args);
  expect(app.notices().oldAnswers).toBeNull();
  await result("COLLECTIONS");
  expect(app.notices().oldAnswers).toMatchObject({ count: 1 });
});

it("a list that is refreshed for another formula loses its mark", async () => {
  const net = outage();
  const { app } = start({ intercept: net.intercept });
  await result("CATEGORIES");
  await result("UNITS");
  net.isDown = true;
  await pass(2 * dayMs);
  await result("CATEGORIES");
  await result("UNITS");
  expect(app.notices().oldAnswers).toMatchObject({ count: 2 });
  net.isDown = false;
  await pass(60_000);
  await result("UNITS");
  expect(app.notices().oldAnswers).toMatchObject({ count: 1 });
});
