import { describe, expect, it } from "vitest";
import {
  createRefreshHistory,
  historyNamespace,
  mostHistoryBytes,
  type PastRefresh,
} from "../../../../src/workbook/imports/saved/refresh-history";
import { memoryParts } from "../memory-parts";

const change = (after: string, before: string | null = "$30") => ({
  ...{ ahjId: 1, typeId: 10, name: "Bibb County, AL", before, after },
});
const refresh = (atMs: number, changes: PastRefresh["changes"] = [change("$31")]): PastRefresh => ({
  ...{ atMs, changed: changes.length, changes },
});
const times = (refreshes: readonly PastRefresh[]) => refreshes.map(({ atMs }) => atMs);

describe("the history of refreshes", () => {
  it("has the refreshes of each import, newest first, as they were reported", async () => {
    const history = createRefreshHistory(memoryParts());
    expect(await history.of("one")).toEqual([]);
    await history.add("one", refresh(5));
    await history.add("two", refresh(6, []));
    await history.add("one", refresh(7, [change("$32", null), { ...change("$33"), isUnsure: true }]));
    expect(await history.of("one")).toEqual([
      refresh(7, [change("$32", null), { ...change("$33"), isUnsure: true }]),
      refresh(5),
    ]);
    expect(await history.of("two")).toEqual([refresh(6, [])]);
  });

  it("cuts long texts and long lists, and still says how many values changed", async () => {
    const history = createRefreshHistory(memoryParts());
    const many = Array.from({ length: 600 }, () => change("x".repeat(1_000)));
    await history.add("one", refresh(5, many));
    const [kept] = await history.of("one");
    expect(kept?.changed).toBe(600);
    expect(kept?.changes).toHaveLength(500);
    expect(kept?.changes[0]?.after).toBe(`${"x".repeat(200)}…`);
  });

  it("stays within a megabyte for all imports together: the oldest refreshes go, of any import", async () => {
    const parts = memoryParts();
    const history = createRefreshHistory(parts);
    const large = Array.from({ length: 500 }, (_, at) => change(`${at} ${"é<".repeat(100)}`));
    for (let atMs = 1; atMs <= 8; atMs += 1)
      await history.add(atMs % 2 === 0 ? "even" : "odd", refresh(atMs, large));
    const bytes = parts.texts().reduce((sum, xml) => sum + new TextEncoder().encode(xml).length, 0);
    expect(bytes).toBeLessThanOrEqual(mostHistoryBytes);
    const kept = [...times(await history.of("even")), ...times(await history.of("odd"))].sort();
    expect(kept).toEqual([8 - kept.length + 1, ...kept.slice(1)]);
    expect(kept).toContain(8);
    await history.add("odd", refresh(9));
    expect(times(await history.of("odd"))[0]).toBe(9);
  });

  it("joins two colleagues' histories that were written at once", async () => {
    const [one, other] = [memoryParts(), memoryParts()];
    await createRefreshHistory(one).add("one", refresh(5));
    await createRefreshHistory(other).add("one", refresh(8));
    const both = memoryParts(...one.texts(), ...other.texts());
    const history = createRefreshHistory(both);
    expect(times(await history.of("one"))).toEqual([8, 5]);
    await history.add("one", refresh(9));
    expect(both.texts()).toHaveLength(1);
    expect(times(await history.of("one"))).toEqual([9, 8, 5]);
  });

  it("passes over an unreadable history, and goes with its import", async () => {
    const damaged = `<history xmlns="${historyNamespace}">{"version":1,"importId":"one","refreshes":7}</history>`;
    const parts = memoryParts(damaged);
    const history = createRefreshHistory(parts);
    expect(await history.of("one")).toEqual([]);
    await history.add("one", refresh(5));
    expect(times(await history.of("one"))).toEqual([5]);
    await history.forget("one");
    expect(parts.texts()).toEqual([damaged]);
  });
});
