import { afterEach, expect, it, vi } from "vitest";
import { readColumn } from "../../src/workbook/imports/run/list-rows";
import { readListCells, readListText } from "../../src/engine/lookup/lists/read-list";
import { keyOf } from "../../src/engine/lookup/lists/list-entries";
import { resolveList } from "../../src/engine/lookup/lists/resolve-list";
import { type PlannedColumn, uniqueHeaders } from "../../src/workbook/sheet/layout/table-plan";
import { connected } from "../recorded-service";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const { lookup, requests } = connected("demo-national");
await lookup.directory.load();

/** How often the page could respond during the work, if each item takes a millisecond. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  const pause = vi.fn(() => Promise.resolve());
  vi.stubGlobal("scheduler", { yield: pause });
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 1));
  await work();
  return pause.mock.calls.length;
}

const lines = Array.from({ length: 100_000 }, (_, at) =>
  at % 4 === 0 ? "06001" : at % 4 === 1 ? "Alameda County, CA" : at % 4 === 2 ? `Nowhere ${at}` : "__proto__",
);

it("a list of 100,000 is read in turns, doubles counted, and nothing is lost", async () => {
  const turns = await turnsOf(async () => {
    const { entries } = await readListText(lines.join("\r\n"));
    const keys = entries.map(({ meaning }) => keyOf(meaning));
    expect(new Set(keys.filter((key) => key?.startsWith("0")))).toEqual(new Set(["06001"]));
    expect(entries).toHaveLength(lines.length);
  });
  expect(turns).toBeGreaterThanOrEqual(10);
  expect(await turnsOf(() => readListCells(lines.map((line) => [line])))).toBeGreaterThanOrEqual(10);
  const column = { sheetId: "1", address: "A1", row: 0, column: 0, above: "", table: null };
  expect(await turnsOf(() => readColumn({ ...column, values: lines }))).toBeGreaterThanOrEqual(10);
});

it("names in a list of 20,000 lines are looked for in turns, which can be cancelled", async () => {
  const list = await readListText(lines.slice(0, 20_000).join("\n"));
  let resolved: Awaited<ReturnType<typeof resolveList>> | undefined;
  const turns = await turnsOf(async () => (resolved = await resolveList(list, lookup)));
  expect(turns).toBeGreaterThanOrEqual(2);
  expect(resolved?.found.flatMap(({ how, given }) => (how === "name" ? [given] : []))).toEqual([
    "Alameda County, CA",
  ]);
  expect(resolved?.unmatched).toHaveLength(5_001);
  await expect(resolveList(list, lookup, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    kind: "cancelled",
  });
});

it("thousands of unknown geoIDs cost a few requests", async () => {
  requests.length = 0;
  const unknown = Array.from({ length: 50_000 }, (_, at) => `11${String(at + 1).padStart(5, "0")}`);
  const { unmatched } = await resolveList(await readListText(unknown.join("\n")), lookup);
  expect(unmatched).toHaveLength(unknown.length);
  expect(new Set(unmatched.map(({ kind }) => kind))).toEqual(new Set(["unresolved-jurisdiction"]));
  expect(requests.length).toBeLessThan(25);
});

it("16,000 types with the same name get headers of their own at once", () => {
  const columns = Array.from({ length: 16_000 }, (_, typeId): PlannedColumn => ({
    header: typeId % 2 === 0 ? "__proto__" : "__PROTO__",
    content: { of: "answer", part: "value", typeId },
  }));
  const startedMs = performance.now();
  const headers = uniqueHeaders(columns).map(({ header }) => header.toLowerCase());
  expect(performance.now() - startedMs).toBeLessThan(2_000);
  expect(new Set(headers).size).toBe(columns.length);
});

it("a header is not cut within a character", () => {
  const header = `${"a".repeat(244)}😀`;
  const [column] = uniqueHeaders([{ header, content: { of: "ahj", field: "name" } }]);
  expect(column?.header).toBe("a".repeat(244));
});

it("known facts about many jurisdictions are looked up in turns, and asked for once", async () => {
  const { ahjs } = await lookup.directory.load();
  const types = await lookup.catalogue.types();
  const typeIds = new Set(types.slice(0, 20).map(({ id }) => id));
  const values = new Map(ahjs.slice(0, 1_000).map(({ id }) => [id, typeIds]));
  await lookup.answers.read({ values });
  requests.length = 0;
  const turns = await turnsOf(() => lookup.answers.read({ values }));
  expect(turns).toBeGreaterThanOrEqual(5);
  expect(requests).toEqual([]);
});
