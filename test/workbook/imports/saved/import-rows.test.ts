import { describe, expect, it } from "vitest";
import { answerPlaces, idHeaders, importRows } from "../../../../src/workbook/imports/saved/import-rows";
import type { SavedImport } from "../../../../src/workbook/imports/saved/saved-import";
import { planTable } from "../../../../src/workbook/sheet/layout/table-plan";
import type { TableColumns } from "../../../../src/workbook/sheet/tables/bound-table";
import { savedFees } from "../saved-fees";

const types = [
  { id: 1, name: "Fee", unit_of_measure: "USD" },
  { id: 2, name: "Code", unit_of_measure: "text" },
];

function saved(layout: "wide" | "long", listHeader?: string): SavedImport {
  const form = { layout, hasCitations: false };
  return savedFees({
    form,
    ...planTable({ ahjs: [], types, of: () => null }, form),
    types,
    ...(listHeader !== undefined && { listHeader }),
  });
}

/** A table of these columns whose numbers all have one format. */
function tableOf(columns: Record<string, unknown[]>): TableColumns {
  return {
    rowCount: Object.values(columns)[0]?.length ?? 0,
    headers: Object.keys(columns),
    columns: new Map(
      Object.entries(columns).map(([header, values]) => [
        header,
        { values, numberFormats: header === "Fee" ? values.map(() => "0.00") : [] },
      ]),
    ),
  };
}

const idsOf = (ids: unknown[]) =>
  importRows(saved("wide"), tableOf({ "AHJ ID": ids })).map(({ row, ahj }) => [row, ahj.id]);

describe("the rows of an import's table", () => {
  it.each([
    ["a number", 7, 7],
    ["a number as text", "7", 7],
    ["blank", "", undefined],
    ["a note", "note", undefined],
    ["zero", 0, undefined],
    ["below zero", -7, undefined],
    ["a fraction", 7.5, undefined],
    ["more than an id can be", 1e20, undefined],
    ["true", true, undefined],
    ["nothing", null, undefined],
  ])("are the rows with an id; %s: %j", (_, cell, id) => {
    expect(idsOf(["", cell])).toEqual(id === undefined ? [] : [[1, id]]);
  });

  it("identify a jurisdiction by their cells, and by its id if they name none", () => {
    const whole = {
      Name: ["Alameda County", "", "Nowhere"],
      Type: ["county", "", "city"],
      State: ["CA", "", "NV"],
      geoID: ["06001", "", ""],
      "AHJ ID": [7, 8, 9],
    };
    const blank = { type: "", state_code: "", geoid: null };
    expect(importRows(saved("wide"), tableOf(whole))).toEqual([
      {
        row: 0,
        ahj: { id: 7, name: "Alameda County", type: "county", state_code: "CA", geoid: "06001" },
        typeId: null,
      },
      { row: 1, ahj: { id: 8, name: "AHJ 8", ...blank }, typeId: null },
      { row: 2, ahj: { id: 9, name: "Nowhere", type: "city", state_code: "NV", geoid: null }, typeId: null },
    ]);
  });

  it("beside a list are named by the list only", () => {
    const columns = { Place: ["Our town", ""], "": ["blank header", "blank header"], "AHJ ID": [7, 8] };
    const namesIn = (import_: SavedImport) =>
      importRows(import_, tableOf(columns)).map(({ ahj }) => ahj.name);
    expect(namesIn(saved("wide", "Place"))).toEqual(["Our town", "AHJ 8"]);
    expect(namesIn(saved("wide", "Gone"))).toEqual(["AHJ 7", "AHJ 8"]);
  });

  it("of a long table have a type, too", () => {
    const columns = { "AHJ ID": [7, 7, "", 8], "Type ID": [1, "", 2, "2"] };
    expect(importRows(saved("long"), tableOf(columns)).map(({ row, typeId }) => [row, typeId])).toEqual([
      [0, 1],
      [3, 2],
    ]);
  });

  it.each<["wide" | "long", Record<string, unknown[]>]>([
    ["wide", { Name: ["One"] }],
    ["long", { "Type ID": [1] }],
    ["long", { "AHJ ID": [1] }],
  ])("can't be identified in a %s table of %j", (layout, columns) => {
    expect(() => importRows(saved(layout), tableOf(columns))).toThrow(
      expect.objectContaining({
        kind: "table-gone",
        detail: "The column of AHJ ids, by which rows are found, is missing.",
      }),
    );
  });

  it("are recognized by their columns of ids only", () => {
    expect(idHeaders(saved("wide"))).toEqual(["AHJ ID"]);
    expect(idHeaders(saved("long"))).toEqual(["AHJ ID", "Type ID"]);
  });
});

describe("the cells for answers", () => {
  const wide = saved("wide");
  const table = tableOf({ "AHJ ID": [7, "", 8], Fee: [30, "note", ""], "": ["mine", "mine", "mine"] });
  const placesIn = (...rest: [] | [string[]]) =>
    [...answerPlaces(wide, table, importRows(wide, table), ...rest)].map(
      ({ ahj, type, part, place, shown }) => [ahj.id, type.id, part, place, shown],
    );

  it("belong to the columns that are there, as they look", () => {
    expect(placesIn()).toEqual([
      [7, 1, "value", { row: 0, header: "Fee" }, { value: 30, numberFormat: "0.00" }],
      [8, 1, "value", { row: 2, header: "Fee" }, { value: "", numberFormat: "0.00" }],
    ]);
  });

  it("belong to a column that is still to come, too, and show nothing yet", () => {
    expect(placesIn(["Code"]).slice(2)).toEqual([
      [7, 2, "value", { row: 0, header: "Code" }, undefined],
      [8, 2, "value", { row: 2, header: "Code" }, undefined],
    ]);
  });

  it("of a long table belong to their rows' types, and only to the import's types", () => {
    const long = saved("long");
    const shown = tableOf({ "AHJ ID": [7, 7, 8], "Type ID": [1, 2, 99], Value: ["$30", "NEC", "?"] });
    const places = [...answerPlaces(long, shown, importRows(long, shown))];
    expect(places.map(({ ahj, type, shown }) => [ahj.id, type.id, shown])).toEqual([
      [7, 1, { value: "$30", numberFormat: "General" }],
      [7, 2, { value: "NEC", numberFormat: "General" }],
    ]);
  });
});
