import { beforeAll, describe, expect, it } from "vitest";
import { createTypeFinder, type TypeFinder } from "../../../../src/engine/lookup/search/find-types";
import { headedColumns } from "../../../../src/workbook/imports/run/own-columns";
import { connected } from "../../../recorded-service";

let finder: TypeFinder;
beforeAll(async () => {
  const { lookup } = connected("demo-national");
  finder = createTypeFinder(await lookup.catalogue.types(), await lookup.catalogue.categories());
});

/** A table of two rows with these columns. */
function tableOf(columns: Record<string, [unknown, unknown]>) {
  return {
    rowCount: 2,
    headers: Object.keys(columns),
    columns: new Map(
      Object.entries(columns).map(([header, values]) => [
        header,
        { values, numberFormats: ["General", "General"] },
      ]),
    ),
  };
}
const columnsOf = (header: string) => headedColumns(tableOf({ [header]: ["", ""] }), new Set(), finder);
const meant = (header: string) => {
  const [column] = columnsOf(header);
  return column && [column.type?.name, column.isSure];
};

describe("the columns of one's own table", () => {
  it.each([
    ["Elec. code", "Electrical Code in Force", true],
    ["Lowest permit fee $", "Minimum Permit Fee", true],
    ["review (days)", "Residential Permit Review Time", true],
    ["Plan review time (days)", "Residential Permit Review Time", true],
    ["EV charger permit?", "EV Charger Permit Required", true],
  ])("“%s” means %s; certainly: %s", (header, name, isSure) => {
    expect(meant(header)).toEqual([name, isSure]);
  });

  it("a single word, and words that no question has, are in doubt", () => {
    expect(["Status", "Notes", "Foreman on site", "x1"].map((header) => meant(header)?.[1])).toEqual([
      ...[false, false, false, false],
    ]);
  });

  it("a currency sign asks for an amount of money", () => {
    const [column] = columnsOf("permit fee $");
    expect(column).toMatchObject({ isSure: true, type: { unit_of_measure: "USD" } });
  });

  it("a unit that no such question has makes it doubtful", () => {
    expect(meant("permit fee (weeks)")?.[1]).toBe(false);
  });

  it("tells blank cells from filled ones and formulas, and leaves out columns of places, taken ones and namesakes", () => {
    const table = tableOf({
      City: ["", ""],
      "Review time": ["", "9"],
      "Permit fee": ["1", "2"],
      Taken: ["", ""],
      Half: ["", ""],
    });
    table.columns.set("Half", {
      ...{ values: ["", ""], numberFormats: ["General", "General"] },
      ...{
        formulas: new Map([
          [0, '=""'],
          [1, '=""'],
        ]),
      },
    } as never);
    const columns = headedColumns(table, new Set(["Taken"]), finder);
    expect(columns.map(({ header, blanks, filled }) => [header, blanks, filled])).toEqual([
      ["Review time", 1, 1],
      ["Permit fee", 0, 2],
      ["Half", 0, 2],
    ]);
    const twice = { ...tableOf({ Fee: ["", ""] }), headers: ["Fee", "Fee"] };
    expect(headedColumns(twice, new Set(), finder)).toEqual([]);
  });
});
