import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openCache } from "../../../../src/engine/cache/cache";
import { createDisk } from "../../../../src/engine/cache/store";
import { planBookSources } from "../../../../src/workbook/imports/sources/book-sources";
import type { KeptImport } from "../../../../src/workbook/imports/saved/import-book";
import type { SavedImport } from "../../../../src/workbook/imports/saved/saved-import";
import { createSnapshots } from "../../../../src/workbook/imports/saved/snapshots";
import { Failure } from "../../../../src/errors";
import { SheetFailure } from "../../../../src/sheet-failure";
import { connected } from "../../../recorded-service";
import { lastRun } from "../last-run";

type SavedColumn = SavedImport["columns"][number];

const kept: KeptImport = {
  saved: {
    id: "one",
    name: "Fees",
    tableId: "{1}",
    service: "https://service.test",
    collection: null,
    form: { layout: "wide", hasCitations: false },
    columns: [
      { header: "AHJ ID", content: { of: "ahj", field: "id" } },
      { header: "Name", content: { of: "ahj", field: "name" } },
      { header: "Fee", content: { of: "answer", part: "value", typeId: 1056 } },
    ],
    types: [{ id: 1056, name: "Fee", unit_of_measure: "USD" }],
    lastRun: { atMs: 1, rows: 3, values: 3, notRefreshed: 0 },
  },
  partId: "{P}",
  place: { tableName: "Table1", address: "Fees!B2:D5" },
};
const elsewhere: KeptImport = {
  ...kept,
  saved: { ...kept.saved, name: "Elsewhere", service: "https://other.test" },
};
const gone: KeptImport = { ...kept, saved: { ...kept.saved, name: "Without ids", tableId: "{2}" } };

/** The tables' interface to these columns, by the tables' ids; notes the columns that it is asked for. */
function tablesOf(cells: Record<string, Record<string, unknown[]>>, order?: string[]) {
  return {
    read: (tableId: string, headers: readonly string[]) => {
      const columns = Object.entries(cells[tableId] ?? {});
      return Promise.resolve({
        rowCount: columns[0]?.[1].length ?? 0,
        headers: order ?? columns.map(([header]) => header),
        columns: new Map(
          columns
            .filter(([header]) => headers.includes(header))
            .map(([header, values]) => [header, { values, numberFormats: [] }]),
        ),
      });
    },
  };
}

describe("the sources of a workbook's imports", () => {
  it("are those of the values that its cells show, as kept on this device, and nothing is asked", async () => {
    const { lookup, requests } = connected("demo-national");
    const counties = (await lookup.directory.list("CA")).ahjs
      .filter(({ type }) => type === "county")
      .slice(0, 3);
    const [first, second, third] = counties.map(({ id }) => id) as [number, number, number];
    const asked = await lookup.answers.read({ values: new Map([[first, new Set([1056])]]) });
    const answer = asked.of(first, 1056);
    if (answer instanceof Failure) throw answer;
    const { documents } = openCache(createDisk({}), "one");
    const known = { value: "$12", reference: "Code", section: "4", updatedAt: null };
    const run = lastRun({ [`${second} 1056`]: known, [`${third} 1056`]: known });
    await createSnapshots(documents).write("one", run);
    requests.length = 0;
    const fee = Number(answer.cell.value.replace(/[^\d.]/g, ""));
    const cells: Record<string, unknown[]> = {
      "AHJ ID": [first, second, third],
      Name: ["One", "Two", "Three"],
      // The user has typed over the third value.
      Fee: [fee, 12, 99],
    };
    const tables = tablesOf({ "{1}": cells }, ["Name", "AHJ ID", "Fee"]);
    const { plan, ...rest } = await planBookSources([elsewhere, kept, gone], {
      ...{ tables, lookup, documents },
      service: kept.saved.service,
    });
    expect(rest).toEqual({
      values: 2,
      lacking: [{ name: "Fees", cells: 1 }],
      unread: [
        { name: "Elsewhere", reason: "it came from another service, https://other.test" },
        { name: "Without ids", reason: "its columns of ids, such as AHJ ID, were deleted or renamed" },
      ],
    });
    expect(plan?.rows.map((row) => row.slice(0, 6).map(({ value }) => value))).toEqual([
      // The service's own names, whatever the row says.
      [
        "Fees!D3",
        `${counties[0]?.name}, CA`,
        "Fee",
        answer.cell.value,
        answer.cell.reference ?? "",
        answer.cell.section ?? "",
      ],
      ["Fees!D4", `${counties[1]?.name}, CA`, "Fee", "$12", "Code", "4"],
    ]);
    // The last run does not keep when its values were retrieved.
    expect(plan?.rows.map((row) => typeof row[7]?.value)).toEqual(["number", "string"]);
    expect(requests).toEqual([]);
  });

  /** The sources of an import whose last run has left these values on this device. */
  async function sourcesOf(
    imports: KeptImport[],
    cells: Record<string, unknown[]>,
    known: Record<string, string> = {},
    tables: ReturnType<typeof tablesOf> = tablesOf({ "{1}": cells }),
  ) {
    const { lookup } = connected("demo-national");
    const { documents } = openCache(createDisk({}), "one");
    const values = Object.entries(known).map(([key, value]) => {
      return [key, { value, reference: null, section: null, updatedAt: null }] as const;
    });
    if (values.length > 0) await createSnapshots(documents).write("one", lastRun(Object.fromEntries(values)));
    const dependencies = { tables, lookup, documents, service: kept.saved.service };
    const { plan, ...rest } = await planBookSources(imports, dependencies);
    return { ...rest, rows: plan && plan.rows.map((row) => row.slice(0, 4).map(({ value }) => value)) };
  }
  const nothing = { rows: null, values: 0, lacking: [], unread: [] };

  it("are none if this device knows nothing of the cells' values", async () => {
    expect(await sourcesOf([kept], { "AHJ ID": [1, 2], Fee: [30, ""] })).toEqual({
      ...nothing,
      lacking: [{ name: "Fees", cells: 1 }],
    });
    expect(await sourcesOf([kept], { "AHJ ID": [1], Fee: [""] })).toEqual(nothing);
    const form = { ...kept.saved.form, hasDashes: true };
    const dashed = { ...kept, saved: { ...kept.saved, form } };
    expect(await sourcesOf([dashed], { "AHJ ID": [1], Fee: ["–"] })).toEqual(nothing);
  });

  it("are found and put into rows in turns, between which the page answers", async () => {
    let [nowMs, turns] = [0, 0];
    vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 1));
    vi.stubGlobal("scheduler", { yield: async () => void (turns += 1) });
    onTestFinished(() => void (vi.unstubAllGlobals(), vi.restoreAllMocks()));
    const ids = Array.from({ length: 300 }, (_, index) => index + 1);
    const known = Object.fromEntries(ids.map((id) => [`${id} 1056`, "$30"]));
    const { rows } = await sourcesOf([kept], { "AHJ ID": ids, Fee: ids.map(() => 30) }, known);
    expect(rows).toHaveLength(300);
    // Each of the three steps handles 15 cells in a turn of the event loop.
    expect(turns).toBeGreaterThanOrEqual(3 * Math.floor(300 / 16));
  });

  it("leave out an import whose table is gone, without a word", async () => {
    expect(await sourcesOf([{ ...kept, place: null }], { "AHJ ID": [1], Fee: [30] })).toEqual(nothing);
  });

  it("lack nothing if all is known, while blank cells and citations have no sources of their own", async () => {
    const reference = {
      header: "Fee: Reference",
      content: { of: "answer", part: "reference", typeId: 1056 },
    } as const;
    const cited: KeptImport = {
      ...kept,
      saved: { ...kept.saved, columns: [...kept.saved.columns, reference] },
    };
    const cells = { "AHJ ID": [1, 2], Fee: [12, ""], "Fee: Reference": ["$12", "$13"] };
    expect(await sourcesOf([cited], cells, { "1 1056": "$12", "2 1056": "$13" })).toEqual({
      ...nothing,
      values: 1,
      rows: [["Fees!C3", "AHJ 1", "Fee", "$12"]],
    });
  });

  it("name the rows of a list by the list's entries", async () => {
    const [ids, , fee] = kept.saved.columns as [SavedColumn, SavedColumn, SavedColumn];
    const beside: KeptImport = {
      ...kept,
      saved: { ...kept.saved, listHeader: "Place", columns: [ids, fee] },
    };
    const cells = { Place: ["Our town"], "AHJ ID": [1], Fee: [12] };
    const { rows } = await sourcesOf([beside], cells, { "1 1056": "$12" });
    expect(rows).toEqual([["Fees!D3", "Our town", "Fee", "$12"]]);
  });

  it.each(["cancelled", "sheet-refused"] as const)(
    "fail with the failure that ends the reading: %s",
    async (kind) => {
      const tables = { read: () => Promise.reject(new SheetFailure(kind)) };
      await expect(sourcesOf([kept], {}, {}, tables)).rejects.toMatchObject({ kind });
    },
  );
});
