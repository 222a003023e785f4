import { describe, expect, it } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import { Failure } from "../../../../src/errors";
import type { ImportRow } from "../../../../src/workbook/imports/saved/import-rows";
import { listEntries, rowsOfOthers } from "../../../../src/workbook/imports/refresh/list-entry";
import type { TableColumns } from "../../../../src/workbook/sheet/tables/bound-table";

const ahj = (id: number, name: string, state_code: string, geoid: string | null) =>
  ({ id, name, state_code, geoid }) as Ahj;
const known = [
  ahj(1, "Alameda County", "CA", "06001"),
  ahj(2, "Orange County", "CA", "06059"),
  ahj(3, "Orange County", "FL", "12095"),
  ahj(4, "Lake, The", "CA", null),
  ahj(5, "Alameda", "CA", "0600562"),
  ahj(6, "Oglala Lakota County", "SD", "46102"),
  ahj(7, "Miami-Dade County", "FL", "12086"),
  ahj(8, "Dade County", "GA", "13083"),
];
const directory = (resolved: Record<string, Ahj | Failure | null> = {}) => ({
  byId: (id: number) => known.find((each) => each.id === id),
  resolved: (geoid: string) => resolved[geoid] as Ahj | Failure | undefined,
  known: () => known,
});

/** True if the list's entry certainly means another AHJ than the one whose answers stand beside it. */
async function isOfAnother(
  entry: unknown,
  id: number,
  resolved?: Parameters<typeof directory>[0],
): Promise<boolean> {
  const columns = { columns: new Map([["Place", { values: [entry] }]]) } as unknown as TableColumns;
  const rows = [{ row: 0, ahj: { id } }] as unknown as ImportRow[];
  const entries = await listEntries({ listHeader: "Place" }, columns);
  return (await rowsOfOthers(entries, rows, directory(resolved))).has(0);
}

describe("an entry beside an answer is certainly another's", () => {
  it.each([
    ["06059", 1, "another geoID"],
    ["6059", 1, "another geoID without its zero"],
    [6059, 1, "another geoID as a number"],
    ["ahj:2", 1, "another id"],
    ["ahj:2", 99, "another id, of an AHJ that nobody knows"],
    ["Orange County", 1, "another's name"],
    ["Orange County, FL", 1, "another's name with its state"],
    ["Orange County, Florida", 1, "another's name with a word behind"],
    ["Orange County,FL", 2, "its own name with another state close behind"],
    ["Orange County FL", 2, "its own name with another state"],
    ["orange county,   fl", 2, "its own name with another state, in any case"],
    ["Alameda", 1, "a name that begins as its own"],
    ["Dade County, GA", 7, "another's name in another state"],
  ])("%j beside %i: %s", async (entry, id, _what) => {
    expect(await isOfAnother(entry, id)).toBe(true);
  });
});

describe("an entry beside an answer is not, or not certainly, another's", () => {
  it.each([
    ["06001", 1, "its geoID"],
    ["Dade County, FL", 7, "an accepted suggestion, with a name that only another state has"],
    ["Dade County, Florida", 7, "the same with the state's name"],
    ["6001", 1, "its geoID without the zero"],
    [6001, 1, "its geoID as a number"],
    ["0500000US06001", 1, "its long geoID"],
    ["ahj:1", 1, "its id"],
    ["alameda  county", 1, "its name, written otherwise"],
    ["Alameda County, CA", 1, "its name with its state"],
    ["Alameda County CA", 1, "its name with its state, without a comma"],
    ["Alameda County, ZZ", 1, "its name with what is no state"],
    ["Alameda County, California", 1, "its name with a word behind"],
    ["Lake, The", 4, "its name, which has a comma"],
    ["Nowhere", 1, "a name that nobody has"],
    ["Nowhere, CA", 1, "a name that nobody has, with a state"],
    ["06059", 4, "a geoID beside one that has none"],
    ["06059", 99, "a geoID beside one that nobody knows"],
    ["Orange County", 99, "a name beside one that nobody knows"],
    ["", 1, "nothing"],
    ["46113", 6, "a retired geoID, which it has replaced"],
    ["06001 06059", 1, "two"],
    ["06059 06001", 1, "two, its own last"],
  ])("%j beside %i: %s", async (entry, id, _what) => {
    expect(await isOfAnother(entry, id)).toBe(false);
  });

  it("if the service has resolved it to the same AHJ, whatever its own geoID is", async () => {
    expect(await isOfAnother("06059", 1, { "06059": known[0]! })).toBe(false);
    expect(await isOfAnother("06059", 1, { "06059": known[1]! })).toBe(true);
    expect(await isOfAnother("06059", 1, { "06059": null })).toBe(true);
    expect(await isOfAnother("06059", 1, { "06059": new Failure("unknown-jurisdiction") })).toBe(true);
    expect(await isOfAnother("46113", 6, { "46113": new Failure("unknown-jurisdiction") })).toBe(false);
    expect(await isOfAnother("46113", 6, { "46113": known[1]! })).toBe(true);
  });
});

it("no entry of a table that has no list, or no longer has one, is another's", async () => {
  const columns = { columns: new Map([["", { values: ["06059"] }]]) } as unknown as TableColumns;
  const rows = [{ row: 0, ahj: { id: 1 } }] as unknown as ImportRow[];
  const entries = await listEntries({ listHeader: "Place" }, columns);
  expect(await rowsOfOthers(entries, rows, directory())).toEqual(new Set());
});

it("each row's entry beside an answer is judged by itself", async () => {
  const values = ["06001", "06059", "12095"];
  const columns = { columns: new Map([["Place", { values }]]) } as unknown as TableColumns;
  const rows = [
    { row: 2, ahj: { id: 3 } },
    { row: 0, ahj: { id: 2 } },
    { row: 1, ahj: { id: 1 } },
  ] as unknown as ImportRow[];
  const entries = await listEntries({ listHeader: "Place" }, columns);
  expect(await rowsOfOthers(entries, rows, directory())).toEqual(new Set([0, 1]));
});

it("an entry below a header of AHJ ids is an id, whatever geoID its digits are", async () => {
  const columns = { columns: new Map([["AHJ ID", { values: [10001] }]]) } as unknown as TableColumns;
  const others = async (id: number) => {
    const rows = [{ row: 0, ahj: { id } }] as unknown as ImportRow[];
    return rowsOfOthers(await listEntries({ listHeader: "AHJ ID" }, columns), rows, directory());
  };
  expect([await others(10001), await others(1)]).toEqual([new Set(), new Set([0])]);
});

it("a name with its state in a column of its own is another's once the state is another", async () => {
  const columns = {
    columns: new Map([
      ["County", { values: ["Orange County", "Orange County"] }],
      ["State", { values: ["CA", "Florida"] }],
    ]),
  } as unknown as TableColumns;
  const rows = [0, 1].map((row) => ({ row, ahj: { id: 2 } })) as unknown as ImportRow[];
  const others = async (listBeside?: string[]) =>
    rowsOfOthers(await listEntries({ listHeader: "County", listBeside }, columns), rows, directory());
  expect(await others(["State"])).toEqual(new Set([1]));
  expect(await others(["Gone"])).toEqual(new Set());
  expect(await others()).toEqual(new Set());
});
