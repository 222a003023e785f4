import { describe, expect, it } from "vitest";
import { openCache } from "../../src/cache/cache";
import { createDisk } from "../../src/cache/disk";
import { planBookSources } from "../../src/imports/book-sources";
import type { KeptImport } from "../../src/imports/import-book";
import { createSnapshots } from "../../src/imports/snapshots";
import { Failure } from "../../src/errors";
import { connected } from "../recorded-service";

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
    createSnapshots(documents).write(
      "one",
      new Map([
        [`${second} 1056`, known],
        [`${third} 1056`, known],
      ]),
    );
    requests.length = 0;
    const fee = Number(answer.cell.value.replace(/[^\d.]/g, ""));
    const cells: Record<string, unknown[]> = {
      "AHJ ID": [first, second, third],
      Name: ["One", "Two", "Three"],
      // Somebody typed over the third.
      Fee: [fee, 12, 99],
    };
    const tables = {
      read: (tableId: string) =>
        Promise.resolve({
          rowCount: 3,
          headers: ["Name", "AHJ ID", "Fee"],
          columns: new Map(
            Object.entries(tableId === "{1}" ? cells : {}).map(([header, values]) => [
              header,
              { values, numberFormats: [] },
            ]),
          ),
        }),
    };
    const { plan, ...rest } = await planBookSources([elsewhere, kept, gone], {
      ...{ tables, lookup, documents },
      service: kept.saved.service,
    });
    expect(rest).toEqual({
      values: 2,
      lacking: [{ name: "Fees", cells: 1 }],
      unread: [
        { name: "Elsewhere", reason: "it came from another service, https://other.test" },
        { name: "Without ids", reason: "its columns of ids are missing" },
      ],
    });
    expect(plan?.rows.map((row) => row.slice(0, 6).map(({ value }) => value))).toEqual([
      ["Fees!D3", "One", "Fee", answer.cell.value, answer.cell.reference ?? "", answer.cell.section ?? ""],
      ["Fees!D4", "Two", "Fee", "$12", "Code", "4"],
    ]);
    // When the last run's value was retrieved is not kept with it.
    expect(plan?.rows.map((row) => typeof row[7]?.value)).toEqual(["number", "string"]);
    expect(requests).toEqual([]);
  });
});
