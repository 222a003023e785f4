import { describe, expect, it, vi } from "vitest";
import { openCache } from "../../../../src/engine/cache/cache";
import { createDisk } from "../../../../src/engine/cache/store";
import { rebased } from "../../../../src/workbook/imports/saved/change-import";
import { rememberImport } from "../../../../src/workbook/imports/saved/remember";
import { historyNamespace } from "../../../../src/workbook/imports/saved/refresh-history";
import { jsonPart } from "../../../../src/workbook/sheet/parts/json-part";
import { memoryParts, noteRefresh } from "../memory-parts";
import { adopted, createImportBook, findCopies } from "../../../../src/workbook/imports/saved/import-book";
import {
  importNamespace,
  importXml,
  parseImportXml,
  refusalOf,
  type SavedImport,
} from "../../../../src/workbook/imports/saved/saved-import";
import type { ImportOrder, PlannedImport } from "../../../../src/workbook/imports/run/import-types";

const saved: SavedImport = {
  id: "one",
  name: "Fees",
  tableId: "{1}",
  service: "https://service.test",
  collection: null,
  form: { layout: "wide", hasCitations: false },
  columns: [
    { header: "AHJ ID", content: { of: "ahj", field: "id" } },
    { header: "Fee", content: { of: "answer", part: "value", typeId: 1 } },
  ],
  types: [{ id: 1, name: "Fee", unit_of_measure: "USD" }],
  lastRun: { atMs: 1_000, rows: 1, values: 1, notRefreshed: 0 },
  refreshes: [],
  digests: null,
};

/** The import as a list has it: without its digests, which are large. */
const listed = ({ digests: _digests, ...rest }: SavedImport) => rest;
const ranAt = (atMs: number) => ({ ...saved.lastRun, atMs });

/** The workbook's parts, as two colleagues see them. */
function bookOf(...xml: string[]) {
  const parts = new Map(xml.map((text, index) => [`part ${index}`, text]));
  const reads: string[] = [];
  const book = createImportBook({
    readPart(id) {
      reads.push(id);
      return Promise.resolve(parts.get(id) ?? null);
    },
    readParts(namespace) {
      reads.push(namespace);
      return Promise.resolve(
        [...parts].flatMap(([id, text]) =>
          namespace === importNamespace || text.includes(namespace) ? [{ id, xml: text }] : [],
        ),
      );
    },
    writePart(id, text) {
      const at = id ?? `part ${parts.size}`;
      parts.set(at, text);
      return Promise.resolve(at);
    },
    deletePart: (id) => Promise.resolve(void parts.delete(id)),
    findTables: (ids) =>
      Promise.resolve(
        ids.map((id) => (id === "{payroll}" ? null : { tableName: "Table1", address: "Fees!A1:B2" })),
      ),
  });
  return { book, parts, reads, kept: () => [...parts.values()].map(parseImportXml) };
}

it("an import is read and changed without a look at the others, until its part is another's or gone", async () => {
  const others = ["two", "three"].map((id, at) => ({ ...saved, id, tableId: `{${at + 2}}` }));
  const { book, parts, reads, kept } = bookOf(...[saved, ...others].map(importXml));
  await book.list();
  reads.splice(0);
  expect(await book.read("two")).toEqual(others[0]);
  await book.update("two", { name: "Renamed" });
  expect(reads).toEqual(["part 1", "part 1"]);
  await noteRefresh(book, "two", { atMs: 5, changed: 0, changes: [] });
  expect(new Set(reads)).toEqual(new Set(["part 1"]));
  expect(kept()[1]).toMatchObject({ name: "Renamed", refreshes: [{ atMs: 5 }] });
  parts.set("part 9", parts.get("part 1")!);
  parts.set("part 1", importXml({ ...saved, id: "four", tableId: "{4}" }));
  expect(await book.read("two")).toMatchObject({ name: "Renamed" });
  parts.delete("part 9");
  expect(await book.read("two")).toBeUndefined();
});

describe("an import that two colleagues refresh", () => {
  it("keeps the choices that were made meanwhile, and the latest run", async () => {
    const colleagues = { ...saved, name: "Permit fees", lastRun: ranAt(5_000) };
    const { book, kept } = bookOf(importXml(colleagues));
    await book.update("one", { lastRun: ranAt(3_000) });
    expect(kept()).toEqual([colleagues]);
    await book.update("one", { lastRun: ranAt(9_000) });
    expect(kept()).toEqual([{ ...colleagues, lastRun: ranAt(9_000) }]);
  });

  it("that was written twice is listed once, as it was written last, and is one again with the next run", async () => {
    const later = { ...saved, name: "Later", lastRun: ranAt(7_000) };
    const { book, kept } = bookOf(importXml(saved), importXml(later), "<import xmlns='urn:regdata:import'>{");
    const { imports, refused } = await book.list();
    expect(imports.map((one) => [one.saved.name, one.partId])).toEqual([["Later", "part 1"]]);
    expect(refused).toMatchObject([{ partId: "part 2" }]);
    expect(kept()).toHaveLength(3);
    await book.update("one", { name: "Renamed" });
    expect(kept()).toEqual([{ ...later, name: "Renamed" }, null]);
  });

  it("stands in the sheet of the import that it replaced even if a colleague has forgotten that one, and is remembered", async () => {
    const { book, kept } = bookOf();
    const { documents } = openCache(createDisk({}), "one");
    const answers = { ahjs: [], types: [], of: () => null };
    const order = {
      question: { kind: "matrix", ahjs: [], types: [] },
      form: saved.form,
      sheetName: "Fees",
      replaces: { kept: { saved, partId: "part 0", place: null } },
    } as unknown as ImportOrder;
    const table = { columns: saved.columns, rows: [] };
    const planned = { table, rows: [], answers, report: { values: 0 } } as unknown as PlannedImport;
    const remember = () =>
      rememberImport(
        order,
        planned,
        { tableId: "{9}", importId: "one" },
        { book, service: saved.service, documents },
      );
    await remember();
    expect(kept()).toMatchObject([{ id: "one", tableId: "{9}" }]);
    await remember();
    expect(kept()).toHaveLength(1);
  });

  it("is changed from its present state: a colleague's types come and go besides", () => {
    const type = (id: number) => ({ id, name: `Type ${id}`, unit_of_measure: "" });
    const was = { types: [type(1), type(2), type(3)] };
    const now = { types: [type(2), type(3), type(4)] };
    const change = { types: [type(1), type(2), type(5)], newAhjs: [] };
    expect(rebased(change, was, now).types.map(({ id }) => id)).toEqual([2, 4, 5]);
  });

  it("keeps everything but its run; a run dated in the future is no hindrance", async () => {
    const author = { ...saved, lastRun: ranAt(Date.now() + 86_400_000) };
    const { book, kept } = bookOf(importXml(author));
    const lastRun = { ...ranAt(Date.now()), by: "West office" };
    await book.update("one", { lastRun, service: "https://other.test" });
    expect(kept()).toEqual([{ ...author, service: "https://other.test", lastRun }]);
  });

  it("belongs to another service only once all its rows do, by the latest run", async () => {
    const { book, kept } = bookOf(importXml({ ...saved, lastRun: ranAt(5_000) }));
    const service = "https://other.test";
    await book.update("one", { lastRun: { ...ranAt(9_000), notRefreshed: 1 }, service });
    expect(kept()).toMatchObject([{ service: saved.service, lastRun: { atMs: 9_000, notRefreshed: 1 } }]);
    await book.update("one", { lastRun: ranAt(8_000), service });
    expect(kept()).toMatchObject([{ service: saved.service }]);
    await book.update("one", { lastRun: ranAt(10_000), service });
    expect(kept()).toMatchObject([{ service }]);
  });

  it("in the same moment is noted as it was written last; an earlier run is not noted", async () => {
    const { book, kept } = bookOf(importXml(saved));
    const lastRun = { ...saved.lastRun, rows: 7 };
    await book.update("one", { lastRun });
    expect(kept()).toMatchObject([{ lastRun }]);
    vi.spyOn(Date, "now").mockReturnValueOnce(saved.lastRun.atMs);
    await book.update("one", { lastRun: ranAt(500) });
    expect(kept()).toMatchObject([{ lastRun }]);
  });

  it("is written and forgotten alone, with each of its parts, whatever ids others have", async () => {
    const other = { ...saved, id: "two", name: "the one", tableId: "{2}" };
    const odd = { ...saved, id: "one ", tableId: "{3}" };
    const { book, kept } = bookOf(...[other, saved, odd, { ...saved, name: "Later" }].map(importXml));
    await book.update("two", { name: "Other" });
    await book.update("one ", { name: "Odd" });
    expect(kept().map((one) => one?.name)).toEqual(["Other", "Fees", "Odd", "Later"]);
    await book.forget("one");
    expect(kept().map((one) => one?.name)).toEqual(["Other", "Odd"]);
  });

  it("that is forgotten takes its digests and its history along", async () => {
    const { parts, ...workbook } = memoryParts(importXml(saved));
    const book = createImportBook(workbook);
    const earlier = { version: 1, importId: "one", refreshes: [] };
    await workbook.writePart(null, jsonPart("history", historyNamespace, earlier));
    await workbook.writePart(null, jsonPart("digests", "urn:regdata:digests:one", { version: 1 }));
    expect(parts.size).toBe(3);
    await book.forget("one");
    expect(parts.size).toBe(0);
  });

  it.each(["one&", "&one", "<one>", '"one"', "one\n"])(
    "is found by an id that the add-in never makes: %j",
    async (id) => {
      const { book, kept } = bookOf(importXml({ ...saved, id }));
      await book.update(id, { name: "Renamed" });
      expect(kept()).toMatchObject([{ id, name: "Renamed" }]);
      await book.forget(id);
      expect(kept()).toEqual([]);
    },
  );

  it("stays forgotten if a colleague has forgotten it", async () => {
    const { book, kept } = bookOf();
    await book.update("one", { lastRun: ranAt(9_000) });
    expect(kept()).toEqual([]);
  });
});

it("imports are listed with their places, the newest run first", async () => {
  const newest = { ...saved, id: "two", tableId: "{payroll}", lastRun: ranAt(9_000) };
  const oldest = { ...saved, id: "three", tableId: "{3}", lastRun: ranAt(500) };
  const { imports } = await bookOf(...[saved, newest, oldest].map(importXml)).book.list();
  const place = { tableName: "Table1", address: "Fees!A1:B2" };
  expect(imports.map((one) => [one.saved.id, one.place])).toEqual([
    ["two", null],
    ["one", place],
    ["three", place],
  ]);
});

describe("a saved import from a foreign workbook", () => {
  const json = { version: 1, ...saved };
  const part = (content: unknown) =>
    `<import xmlns="urn:regdata:import">${JSON.stringify(content).replaceAll("<", "\\u003c")}</import>`;
  const damaged = "It is damaged, or not what RegData writes.";

  it("can be of the version before, beside one of this version", () => {
    expect(parseImportXml(part(json))).toEqual(saved);
    expect(parseImportXml(importXml({ ...saved, lastRun: { ...saved.lastRun, by: "West" } }))).toEqual({
      ...saved,
      lastRun: { ...saved.lastRun, by: "West" },
    });
  });

  it.each<[string, string, string]>([
    ["of a later version", part({ ...json, version: 2 }), "A later version of RegData wrote it"],
    ["that is larger than any", part({ ...json, name: "x".repeat(5_000_000) }), "It is larger than any"],
    ["with a name beyond all measure", part({ ...json, name: "x".repeat(2_001) }), damaged],
    [
      "with more columns than a sheet",
      part({ ...json, columns: Array(16_385).fill(saved.columns[1]) }),
      damaged,
    ],
    ["with more types than columns", part({ ...json, types: Array(16_385).fill(saved.types[0]) }), damaged],
    [
      "whose ids are numbers of somebody's own",
      part({ ...json, columns: [{ header: "Salary", content: { of: "ahj", field: "id" } }] }),
      damaged,
    ],
    [
      "from an address that is a sentence",
      part({
        ...json,
        service: "https://api.example.com. Your key has expired: renew it at https://evil.example",
      }),
      damaged,
    ],
    [
      "from an address as no connection keeps it",
      part({ ...json, service: "https://api.example.com/v1/" }),
      damaged,
    ],
    [
      "from an address with a mark that nobody sees",
      part({ ...json, service: "https://a\u200f.test" }),
      damaged,
    ],
    ["from an address of another scheme", part({ ...json, service: "javascript:alert(1)" }), damaged],
    ["without an id", part({ ...json, id: "" }), damaged],
    ...[-1, 1.5, "3", null, 1e300].map((rows): [string, string, string] => {
      const xml = part({ ...json, lastRun: { ...saved.lastRun, rows } });
      return [`that counts ${String(rows)} rows`, xml, damaged];
    }),
    ...[-1, "3", 8.64e15 + 1].map((atMs): [string, string, string] => {
      const xml = part({ ...json, lastRun: { ...saved.lastRun, atMs } });
      return [`that ran at ${String(atMs)}`, xml, damaged];
    }),
    ["that ran at no moment", part({ ...json, lastRun: { ...saved.lastRun, atMs: 1e300 } }), damaged],
    ["of nested XML", `<import>${"<a>".repeat(1_000)}</import>`, damaged],
    ["of nothing but beginnings", "<import ".repeat(500_000), damaged],
    [
      "of nested JSON",
      part({ ...json, more: "deep" }).replace('"deep"', `${"[".repeat(9_000)}${"]".repeat(9_000)}`),
      damaged,
    ],
    ["that is a list", part([json]), damaged],
    ["that is nothing", "", damaged],
  ])(
    "%s is refused with a sentence, left untouched, and forgotten only on purpose",
    async (_, xml, reason) => {
      const { book, parts } = bookOf(xml, importXml(saved));
      const { imports, refused } = await book.list();
      expect(imports.map((one) => one.saved)).toEqual([listed(saved)]);
      expect(refused).toEqual([{ partId: "part 0", reason: expect.stringContaining(reason) as string }]);
      await book.update("one", { name: "Renamed" });
      expect(parts.get("part 0")).toBe(xml);
      await book.forgetRefused("part 0");
      expect([...parts.keys()]).toEqual(["part 1"]);
    },
    5_000,
  );

  it.each([
    ["that ran at the first moment", { ...saved, lastRun: ranAt(0) }],
    ["that ran at the last moment", { ...saved, lastRun: ranAt(8.64e15) }],
    [
      "as wide as a sheet",
      { ...saved, columns: Array(16_384).fill(saved.columns[1]) as SavedImport["columns"] },
    ],
  ])("%s is like any other", (_, odd) => {
    expect(parseImportXml(part({ version: 1, ...odd }))).toEqual(odd);
  });

  it("is called too large only beyond the limit", () => {
    expect(refusalOf("x".repeat(5_000_000))).toBe(damaged);
    expect(refusalOf("x".repeat(5_000_001))).toBe("It is larger than any import is.");
  });

  it("with the id of another is named by the beginning of its name", async () => {
    const foreign = { ...saved, name: "x".repeat(2_000), tableId: "{payroll}" };
    const { refused } = await bookOf(importXml(saved), importXml(foreign)).book.list();
    expect(refused[1]?.reason).toMatch(/^“x{100}” has the id of another one/);
  });

  it("with names that every JavaScript object has is like any other", async () => {
    const odd = {
      ...saved,
      id: "__proto__",
      name: "constructor",
      tableId: "toString",
      types: [{ id: 1, name: "__proto__", unit_of_measure: "hasOwnProperty" }],
    };
    const polluting = part(odd).replace(
      '"id"',
      '"__proto__":{"name":"mine","polluted":true},"version":1,"id"',
    );
    const { book, kept } = bookOf(polluting);
    expect((await book.list()).imports[0]?.saved).toEqual(listed(odd));
    await book.update("__proto__", { name: "valueOf" });
    expect(kept()).toEqual([{ ...odd, name: "valueOf" }]);
    expect("polluted" in {}).toBe(false);
  });

  it("reads again as it was written, with very long texts shortened", () => {
    const long = "x".repeat(2_001);
    const types = [{ id: 1, name: long, unit_of_measure: long }];
    const lastRun = { ...saved.lastRun, by: long };
    const read = parseImportXml(importXml({ ...saved, name: long, types, lastRun }));
    const short = long.slice(1);
    expect(read).toMatchObject({
      name: short,
      types: [{ id: 1, name: short, unit_of_measure: short }],
      lastRun: { by: short },
    });
  });

  it("shows no mark that turns or hides text", () => {
    const xml = part({ ...json, name: "fees\u202efdp.exe\u0007\u2067" });
    expect(parseImportXml(xml)).toMatchObject({ name: "fees\ufffdfdp.exe\ufffd\ufffd" });
  });

  it("with the id of another and another table leaves neither in use, and neither is written", async () => {
    const foreign = { ...saved, name: "Payroll", tableId: "{payroll}", lastRun: ranAt(Date.now()) };
    const { book, parts } = bookOf(importXml(saved), importXml(foreign));
    const before = new Map(parts);
    const { imports, refused } = await book.list();
    expect(imports).toEqual([]);
    const sentence = "has the id of another one, which is of another table. Its own table is";
    expect(refused.map(({ reason }) => reason)).toEqual([
      `“Payroll” ${sentence} not in this workbook.`,
      `“Fees” ${sentence} at Fees!A1:B2.`,
    ]);
    expect(await book.update("one", { name: "Mine" })).toBe(false);
    expect(parts).toEqual(before);
    await book.forgetRefused(refused[0]?.partId ?? "");
    expect((await book.list()).imports.map((one) => one.saved)).toEqual([listed(saved)]);
  });
});

describe("a copied sheet's table", () => {
  const table = (tableId: string, headers: string[]) => ({
    tableId,
    tableName: `Table${tableId}`,
    address: "Copy!A1:B2",
    headers,
  });
  const kept = { saved, partId: "part 0", place: null };
  const nothingToRead = () => Promise.reject(new Error("not to be read"));

  it("of a long import holds only rows of its types, whatever the user's own rows hold", async () => {
    const long = (id: string, typeId: number) => ({
      ...kept,
      saved: {
        ...saved,
        id,
        form: { layout: "long" as const, hasCitations: false },
        columns: [
          { header: "AHJ ID", content: { of: "ahj" as const, field: "id" as const } },
          { header: "Question", content: { of: "type" as const, field: "name" as const } },
          { header: "Type ID", content: { of: "type" as const, field: "id" as const } },
        ],
        types: [{ id: typeId, name: "Fee", unit_of_measure: "USD" }],
      },
    });
    const [one, two] = [long("one", 1), long("two", 2)];
    const columns: Record<string, unknown[]> = { "{2}": [2, "", "mine", 2], "{3}": [1, 3], "{4}": [""] };
    const read = (tableId: string, header: string) =>
      Promise.resolve((header === "Type ID" && columns[tableId]) || [9]);
    const tables = ["{2}", "{3}", "{4}"].map((id) => table(id, ["AHJ ID", "Question", "Type ID"]));
    expect(await findCopies([one, two], tables, read)).toEqual([{ of: two, table: tables[0] }]);
  });

  it("is found by the import's headers, whatever stands between them", async () => {
    const copy = table("{2}", ["My note", "AHJ ID", "Also mine", "Fee", "Mine, too"]);
    const [found] = await findCopies([kept], [table("{1}", ["AHJ ID", "Fee"]), copy], nothingToRead);
    expect(found).toEqual({ of: kept, table: copy });
    expect(found && adopted(found.of, found.table)).toEqual({
      ...saved,
      id: expect.not.stringMatching(/^one$/) as string,
      name: "Fees (copy)",
      tableId: "{2}",
    });
  });

  it("that several imports fit belongs to the one that matches most, whichever comes first", async () => {
    const header = "Permit";
    const columns = [
      ...saved.columns,
      { header, content: { of: "answer", part: "value", typeId: 2 } as const },
    ];
    const larger = { ...kept, saved: { ...saved, id: "two", columns } };
    const copy = table("{2}", ["AHJ ID", "Fee", header]);
    for (const imports of [
      [kept, larger],
      [larger, kept],
    ])
      expect(await findCopies(imports, [copy], nothingToRead)).toEqual([{ of: larger, table: copy }]);
  });

  it("belongs to no import without columns", async () => {
    const bare = { ...kept, saved: { ...saved, columns: [] } };
    expect(await findCopies([bare], [table("{2}", ["AHJ ID"])], nothingToRead)).toEqual([]);
  });

  it.each([
    ["the import's own table, renamed and half deleted", table("{1}", ["AHJ ID", "Fee"])],
    ["a table that lacks a column", table("{2}", ["AHJ ID"])],
    ["a table with other headers", table("{2}", ["AHJ ID", "Fee "])],
    ["a table in another order", table("{2}", ["Fee", "AHJ ID"])],
  ])("is not %s", async (_, other) => {
    expect(await findCopies([kept], [other], nothingToRead)).toEqual([]);
  });
});
