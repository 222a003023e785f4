import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonPart } from "../../../src/workbook/sheet/parts/json-part";
import {
  canTakeBack,
  copyNames,
  isAsWritten,
  parseUnfinishedXml,
  tableUnderWay,
  type Unfinished,
  unfinishedNamespace,
  unfinishedXml,
  type UnfinishedWork,
} from "../../../src/workbook/work-note/unfinished-work";
import { isPolluted, texts } from "../../hostile/hostile-texts";

const plan = {
  columns: [{ header: "AHJ ID" }, { header: "Fee" }],
  rows: [
    [
      { value: 7, numberFormat: "0" },
      { value: "'tis", numberFormat: "General" },
    ],
    [
      { value: 8, numberFormat: "0" },
      { value: "=1", numberFormat: "@" },
    ],
  ],
};
const place = {
  ...{ sheetId: "sheet-1", sheetName: "Fees", copyName: "RegData copy 12ab" },
  area: { row: 3, column: 1, rows: 3, columns: 2 },
};
const table = await tableUnderWay(place, plan);
const ahj = { id: 7, name: "Alameda County", type: "county", state_code: "CA", geoid: "06001" };
const works: UnfinishedWork[] = [
  { kind: "refresh", importId: "1", name: "Fees", newRows: [{ ahj, typeId: 1003 }] },
  {
    ...{ kind: "change", importId: "1", name: "Fees", newAhjs: [ahj], newColumns: ["Fee"] },
    ...{ types: [{ id: 1003, name: "Fee", unit_of_measure: "USD" }], typesBefore: [1005] },
  },
  { kind: "import", importId: "1", name: "Fees", destination: "cell", tables: [table] },
  { kind: "freeze", frozenAtMs: 5, formulas: 2 },
  {
    ...{ kind: "unfreeze", formulas: 2 },
    areas: [{ sheetId: "sheet-1", row: 0, column: 0, rows: 2, columns: 2 }],
  },
];
const noted = (work: unknown) =>
  jsonPart("unfinished", unfinishedNamespace, { version: 1, id: "a", atMs: 9, work });
const note = (work: UnfinishedWork): Unfinished => ({ id: "a", atMs: 9, work });

describe("a note of work that is under way", () => {
  it.each(works)("reads back as it was: $kind", (work) => {
    expect(parseUnfinishedXml(unfinishedXml(note(work)))).toEqual(note(work));
  });

  it("recognizes a row by the values that Excel tells of it, and no other", () => {
    expect(isAsWritten(table, 0, ["AHJ ID", "Fee"])).toBe(true);
    // Excel hides a leading apostrophe.
    expect(isAsWritten(table, 1, [7, "tis"])).toBe(true);
    expect(isAsWritten(table, 2, [8, "=1"])).toBe(true);
    for (const other of [
      [8, "=2"],
      ["8", "=1"],
      [7, "tis"],
      ["", ""],
    ])
      expect(isAsWritten(table, 2, other), String(other)).toBe(false);
    expect(isAsWritten(table, 3, [8, "=1"])).toBe(false);
  });

  it("has no fingerprints of a table if their list would be too long, and then can't be taken back", async () => {
    const area = { row: 0, column: 0, rows: 250_001, columns: 2 };
    const long = await tableUnderWay({ ...place, area }, { columns: plan.columns, rows: [] });
    expect(long.prints).toBeNull();
    const work = {
      kind: "import",
      importId: "1",
      name: "Fees",
      destination: "cell",
      tables: [long],
    } as const;
    expect(canTakeBack({ ...work, tables: [long] })).toBe(false);
    expect(canTakeBack({ ...work, tables: [table] })).toBe(true);
    expect(canTakeBack({ ...work, destination: "beside", tables: [table] })).toBe(false);
  });

  it("names the hidden sheets that an interrupted import needs, so that they are not offered twice", () => {
    expect([...copyNames(works.map((work) => ({ work })))]).toEqual(["RegData copy 12ab"]);
  });

  it("shows a name without marks that hide or turn", () => {
    const xml = noted({ ...works[0], name: "a\u202eb\u0007" });
    expect(parseUnfinishedXml(xml)?.work).toMatchObject({ name: "a\ufffdb\ufffd" });
  });

  const import_ = { kind: "import", importId: "1", name: "Fees", destination: "cell", tables: [table] };
  it.each<[string, unknown]>([
    ["a sheet that is no copy of the add-in's", { ...import_, tables: [{ ...table, copyName: "Salaries" }] }],
    ["cells beyond the sheet", { ...import_, tables: [{ ...table, row: 1_048_575 }] }],
    ["too few fingerprints", { ...import_, tables: [{ ...table, prints: "0" }] }],
    ["no table", { ...import_, tables: [] }],
    ["many tables", { ...import_, tables: [table, table, table] }],
    ["a number that is none", { kind: "freeze", frozenAtMs: "1", formulas: 1 }],
    ["work of another kind", { kind: "delete" }],
  ])("is refused if it names %s", (_, work) => {
    expect(parseUnfinishedXml(noted(work))).toBeNull();
  });

  it("of a later version is refused", () => {
    const later = jsonPart("unfinished", unfinishedNamespace, { version: 2, ...note(works[0]!) });
    expect(parseUnfinishedXml(later)).toBeNull();
  });

  it("is refused or read, whatever texts it holds, and does nothing else", () => {
    const anything = fc.dictionary(
      fc.constantFrom("kind", "name", "importId", "tables", "__proto__", "constructor", "newRows"),
      fc.oneof(fc.constantFrom<unknown>("refresh", "import", null, 1, [], {}), fc.constantFrom(...texts)),
    );
    fc.assert(
      fc.property(anything, (work) => {
        const read = parseUnfinishedXml(noted(work));
        if (read) expect(parseUnfinishedXml(unfinishedXml(read))).toEqual(read);
        expect(isPolluted()).toBe(false);
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});
