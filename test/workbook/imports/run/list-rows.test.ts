import { describe, expect, it } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import {
  ahjsOfRows,
  entriesToLookUp,
  readColumn,
  resolvedOfRows,
  rowsOfColumn,
} from "../../../../src/workbook/imports/run/list-rows";
import { keyOf } from "../../../../src/engine/lookup/lists/list-entries";
import type { ImportData } from "../../../../src/workbook/imports/run/import-types";
import { plannedBeside } from "../../../../src/workbook/imports/run/place-import";
import { resolveList } from "../../../../src/engine/lookup/lists/resolve-list";
import { besideArea, type ListColumn, rowsAbove } from "../../../../src/workbook/sheet/lists/list-column";
import { planTableColumns } from "../../../../src/workbook/sheet/layout/table-plan";
import { connected, countByPath } from "../../../recorded-service";

const { lookup } = connected("demo-national");

const column = (values: unknown[], more: Partial<ListColumn> = {}): ListColumn => ({
  sheetId: "1",
  address: "Sheet1!B5:B9",
  row: 4,
  column: 1,
  values,
  above: "",
  table: null,
  ...more,
});

async function read(given: ListColumn, session = { lookup }) {
  const { column: list, read: reading } = await readColumn(given);
  const all = await resolveList({ entries: entriesToLookUp(reading, list) }, session.lookup);
  const rows = rowsOfColumn(list, reading, all);
  const { unmatched, ambiguous } = resolvedOfRows(rows, all);
  return {
    header: rows.header,
    geoids: ahjsOfRows(rows, all.found).map((row) => row?.ahj.geoid ?? null),
    blanks: rows.blanks,
    unmatched: unmatched.map(({ given }) => given),
    ambiguous: ambiguous.map(({ name }) => name),
    area: besideArea({ list, header: rows.header }, 2),
    above: rowsAbove({ list, header: rows.header }),
  };
}

describe("a list in the sheet", () => {
  it("keeps its rows: doubles, blanks, unknown ones, lost zeros, names in any case", async () => {
    const list = column([
      "geoID",
      6001,
      "06001",
      "",
      " ",
      "99999",
      "alameda COUNTY",
      "Baldwin County",
      "x 06001, 06037",
    ]);
    expect(await read(list)).toEqual({
      header: { from: "list", text: "geoID" },
      geoids: ["06001", "06001", null, null, null, "06001", null, null],
      blanks: [2, 3],
      unmatched: expect.arrayContaining(["99999"]) as string[],
      ambiguous: ["Baldwin County"],
      area: { row: 4, column: 2, rows: 9, columns: 2 },
      above: 0,
    });
    const { entries } = (await readColumn(list)).read;
    expect(entries.find(({ row }) => row === 2)).toMatchObject({
      given: "6001",
      meaning: { how: "zero-back" },
    });
  });

  it("of geoIDs alone has its header recognized without the directory", async () => {
    const service = connected("demo-national");
    expect((await read(column(["Alameda County", "06001"]), service)).header).toEqual({
      from: "list",
      text: "Alameda County",
    });
    expect((await read(column(["06001"], { above: "FIPS code" }), service)).header.from).toBe("above");
    expect(countByPath(service.requests)["GET /v1/ahjs"]).toBeUndefined();
  });

  it.each([
    [["Alameda County", "Alpine County"], "", "new", 3],
    [["Alameda County", "Alpine County"], "County", "above", 3],
    [["Alameda County"], "", "new", 3],
    [["Alpine County"], "Alameda County", "inserted", 4],
    [["06001"], 6037, "inserted", 4],
    [["06001"], undefined, "inserted", 4],
    [["County", "Alameda County"], "Our list", "list", 4],
  ] as const)("%j below %j has its header recognized: %s", async (values, above, from, row) => {
    const { header, area, geoids, unmatched } = await read(column([...values], { above }));
    expect([header.from, area.row]).toEqual([from, row]);
    expect(geoids).not.toContain(null);
    expect(unmatched).toEqual([]);
  });

  it.each([
    [
      "City and State",
      ["City", "State"],
      [
        ["Clark County", "NV"],
        ["Lane County", "Oregon"],
      ],
      "City",
    ],
    [
      "State and County",
      ["State", "County"],
      [
        ["NV", "Clark"],
        ["Oregon", "Lane"],
      ],
      "County",
    ],
    [
      "codes among others",
      ["Project", "FIPS", "kW"],
      [
        ["Roof", 32003, 4],
        ["Field", "41039", 5],
      ],
      "FIPS",
    ],
  ])("of several columns (%s) has the column that says most as its own", async (_, headings, rows, own) => {
    const more = (above: unknown[] | undefined, cells: unknown[][]): Partial<ListColumn> => ({
      above: above?.[0],
      together: { address: "Sheet1!B5:D7", column: 1, columns: headings.length, rows: cells, above },
    });
    const values = (cells: unknown[][]) => cells.map(([value]) => value);
    const headed = [headings, ...rows];
    const inList = await read(
      column(
        values(headed),
        more(
          headings.map(() => ""),
          headed,
        ),
      ),
    );
    const belowHeadings = await read(column(values(rows), more(headings, rows)));
    for (const found of [inList, belowHeadings]) {
      expect(found.geoids).toEqual(["32003", "41039"]);
      expect(found.unmatched).toEqual([]);
      expect(found.header.text).toBe(own);
      // The new columns begin right of all columns that were selected.
      expect(found.area.column).toBe(1 + headings.length);
    }
    const table = { id: "{1}", row: 3, column: 1, headers: headings, rows: 2 };
    const inTable = await read(column(values(rows), { ...more(undefined, rows), table }));
    expect([inTable.geoids, inTable.header]).toEqual([["32003", "41039"], { from: "table", text: own }]);
  });

  it("in a table goes to its right edge, in the table's rows", async () => {
    const table = { id: "{1}", row: 2, column: 0, headers: ["Project", "Place", "ahj id"], rows: 9 };
    const found = await read(column(["06001"], { table, above: undefined }));
    expect(found.header).toEqual({ from: "table", text: "Place" });
    expect(found.area).toEqual({ row: 2, column: 3, rows: 10, columns: 2 });
    expect(found.above).toBe(1);
    const { columns } = planTableColumns(
      { ahjs: [], types: [{ id: 1, name: "project", unit_of_measure: "" }], of: () => null },
      { form: { layout: "wide", hasCitations: true }, rows: [], taken: table.headers },
    );
    expect(columns.map(({ header }) => header)).toEqual([
      "project (2)",
      "project: Reference",
      "project: Section",
      "AHJ ID (2)",
    ]);
  });
});

describe("the look-up of a list in the sheet", () => {
  const asked = async (values: unknown[], more?: Partial<ListColumn>) => {
    const list = column(values, more);
    return entriesToLookUp((await readColumn(list)).read, list);
  };
  const table = { id: "{1}", row: 3, column: 1, headers: ["Place"], rows: 9 };

  it("has an entry for each filled row; cells of several entries, or of none, are named", async () => {
    const cells = [
      6001,
      6037,
      6001,
      "ahj:7",
      "Alpine County",
      "Orange County, CA",
      "06059 06065",
      -1,
      "",
      " ",
      null,
    ];
    const entries = await asked(cells);
    expect(
      entries.map(({ row, meaning }) => [row, keyOf(meaning) ?? (meaning.kind === "none" && meaning.why)]),
    ).toEqual([
      [1, "06001"],
      [2, "06037"],
      [3, "06001"],
      [4, "ahj:7"],
      [5, "alpine county"],
      [6, "orange county, ca"],
      [7, "several"],
      [8, "unreadable"],
    ]);
  });

  it.each([
    ["a header over geoIDs", ["County", "06001"], {}, []],
    ["a header over geoIDs and as many ids", ["County", "06001", "ahj:7"], {}, []],
    [
      "a first name over others",
      ["Where we build", "06001", "Alpine County"],
      {},
      ["Where we build", "Alpine County"],
    ],
    ["a known header over others", ["County", "06001", "Alpine County"], {}, ["Alpine County"]],
    ["a name alone", ["Alpine County", ""], {}, ["Alpine County"]],
    ["words above geoIDs", ["06001"], { above: "County" }, []],
    [
      "words above names",
      ["06001", "Alpine County"],
      { above: "Where we build" },
      ["Alpine County", "Where we build"],
    ],
    ["a known header above names", ["06001", "Alpine County"], { above: "County" }, ["Alpine County"]],
    ["a first row of a table", ["Alpine County", "06001"], { table }, ["Alpine County"]],
    ["words above a table", ["Alpine County"], { table, above: "County" }, ["Alpine County"]],
  ])("looks for names: %s", async (_, values, more, names) => {
    const entries = await asked(values, more);
    expect(entries.flatMap(({ meaning }) => (meaning.kind === "name" ? [meaning.name] : []))).toEqual(names);
  });
});

describe("the rows of a list in the sheet", () => {
  it("have their jurisdiction by id, and cells of two ids have none", async () => {
    const { ahjs } = await lookup.directory.list("CA");
    const [first, second] = ahjs.filter(({ geoid }) => geoid !== null) as [Ahj, Ahj];
    const { geoids, header } = await read(
      column([`ahj:${first.id}`, `AHJ: ${second.id}`, `ahj:${first.id} ahj:${second.id}`]),
    );
    expect(header.from).toBe("new");
    expect(geoids).toEqual([first.geoid, second.geoid, null]);
  });

  it("begin with an unknown geoID as with any other entry", async () => {
    const { header, geoids, unmatched } = await read(column(["99999", "06001"]));
    expect(header.from).toBe("new");
    expect(geoids).toEqual([null, "06001"]);
    expect(unmatched).toEqual(["99999"]);
  });

  it("leave out a message about a cell above them that has a common name", async () => {
    const { header, ambiguous, geoids } = await read(column(["Alameda County"], { above: "Baldwin County" }));
    expect(header.from).toBe("inserted");
    expect([ambiguous, geoids]).toEqual([[], ["06001"]]);
  });

  it("in a table have the header of their own column, wherever the table stands", async () => {
    const table = { id: "{1}", row: 3, column: 4, headers: ["Project", "Place", "Note"], rows: 1 };
    const { header } = await read(column(["06001"], { table, column: 5, above: undefined }));
    expect(header).toEqual({ from: "table", text: "Place" });
  });
});

describe("the columns beside a list", () => {
  it("have a row for each of the list's rows, blank if it has no jurisdiction", () => {
    const one = { id: 1, name: "One", type: "county", state_code: "CA", geoid: "06001" } as Ahj;
    const two = { ...one, id: 2, name: "Two", geoid: "06037" };
    const long = "x".repeat(40_000);
    const published = { reference: "Code 4", section: null, updatedAt: null, fetchedAtMs: 0 };
    const read = {
      answers: {
        ahjs: [one, two],
        types: [{ id: 9, name: "Note", unit_of_measure: "text" }],
        of: (id: number) => ({ ...published, value: id === 1 ? "Yes" : long }),
      },
      report: { rows: 2 },
    } as unknown as ImportData;
    const form = { layout: "wide", hasCitations: false } as const;
    const beside = plannedBeside(read, form, { ahjs: [two, null, one, one], taken: ["note"] });
    expect(beside.report).toBe(read.report);
    expect(beside.table.columns.map(({ header }) => header)).toEqual(["Note (2)", "AHJ ID"]);
    expect(beside.table.rows.map((row) => row.map(({ value }) => String(value).slice(0, 4)))).toEqual([
      ["xxxx", "2"],
      ["", ""],
      ["Yes", "1"],
      ["Yes", "1"],
    ]);
    expect(beside.rows).toEqual([
      { ahj: two, type: null },
      null,
      { ahj: one, type: null },
      { ahj: one, type: null },
    ]);
    expect(beside.longTexts.map(({ text }) => text)).toEqual([long]);
  });
});
