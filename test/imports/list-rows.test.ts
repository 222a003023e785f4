import { describe, expect, it } from "vitest";
import {
  ahjsOfRows,
  listOfColumn,
  readCells,
  resolvedOfRows,
  rowsOfColumn,
} from "../../src/imports/list-rows";
import { resolveList } from "../../src/lookup/resolve-list";
import { besideArea, type ListColumn, rowsAbove } from "../../src/sheet/list-column";
import { planColumns } from "../../src/sheet/table-plan";
import { connected, countByPath } from "../recorded-service";

const { lookup } = connected("demo-national");

const column = (values: unknown[], more: Partial<ListColumn> = {}): ListColumn => ({
  sheetId: "1",
  address: "Sheet1!B5:B9",
  row: 4,
  column: 1,
  values,
  above: "",
  hasLeft: false,
  table: null,
  ...more,
});

async function read(list: ListColumn, session = { lookup }) {
  const cells = await readCells(list);
  const all = await resolveList(listOfColumn(list, cells), session.lookup);
  const rows = rowsOfColumn(list, cells, all);
  const { unmatched, ambiguous } = resolvedOfRows(rows, all);
  return {
    header: rows.header,
    geoids: ahjsOfRows(rows, all).map((ahj) => ahj?.geoid ?? null),
    blanks: rows.blanks,
    unmatched: unmatched.map(({ entry }) => entry),
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
    expect(listOfColumn(list, await readCells(list)).repaired).toEqual([{ given: "6001", geoid: "06001" }]);
  });

  it("of geoIDs alone has its header told without the directory", async () => {
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
  ] as const)("%j below %j has its header: %s", async (values, above, from, row) => {
    const { header, area, geoids, unmatched } = await read(column([...values], { above }));
    expect([header.from, area.row]).toEqual([from, row]);
    expect(geoids).not.toContain(null);
    expect(unmatched).toEqual([]);
  });

  it("in a table goes to its right edge, in the table's rows", async () => {
    const table = { id: "{1}", row: 2, column: 0, headers: ["Project", "Place", "ahj id"], rows: 9 };
    const found = await read(column(["06001"], { table, above: undefined }));
    expect(found.header).toEqual({ from: "table", text: "Place" });
    expect(found.area).toEqual({ row: 2, column: 3, rows: 10, columns: 2 });
    expect(found.above).toBe(1);
    const { columns } = planColumns(
      { ahjs: [], types: [{ id: 1, name: "project", unit_of_measure: "" }], of: () => null },
      { form: { layout: "wide", hasCitations: true }, rows: [], taken: table.headers },
    );
    expect(columns.map(({ header }) => header)).toEqual([
      "AHJ ID (2)",
      "project (2)",
      "project: Reference",
      "project: Section",
    ]);
  });
});
