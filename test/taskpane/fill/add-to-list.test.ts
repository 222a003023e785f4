import { beforeEach, describe, expect, it } from "vitest";
import type { Session } from "../../../src/app";
import type { Ahj } from "../../../src/engine/api/schemas";
import { addToList } from "../../../src/taskpane/fill/find/add-to-list";
import { textsOfWanted } from "../../../src/workbook/sheet/tables/row-filter";
import { parseAddress } from "../../../workbench/address";
import { inTime } from "../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";

playExcel();

let excel: PlayedExcel;
let session: Session;
let found: Ahj[];
beforeEach(async () => {
  excel = openExcel();
  session = await inTime(excel.app.session());
  const resolved = await inTime(session.lookup.directory.resolve(["06001", "06037", "06059"]));
  found = [...resolved.values()].filter((each): each is Ahj => "id" in each);
});

const text = (value: string) => `'${value}`;
const sheetId = "sheet-1";
const select = (address: string) => excel.spreadsheet.select(sheetId, [parseAddress(address)!.rect]);
const add = () => inTime(addToList(found, excel.app, session));

describe("jurisdictions added to a list", () => {
  it("stand below its last row with their zeros, each once", async () => {
    excel.enter("A1", [["geoID"], [text("06037")], [text("48453")]]);
    select("A1:A3");
    expect(await add()).toEqual({ added: 2, there: 1, address: "Sheet1!A1:A3" });
    expect(excel.values("A1:A6").flat()).toEqual(["geoID", "06037", "48453", "06001", "06059", ""]);
  });

  it("are written as names where the list has names", async () => {
    excel.enter("A1", [["Travis County, TX"], ["Harris County, TX"]]);
    select("A1:A2");
    await add();
    expect(excel.values("A3:A5").flat()).toEqual([
      "Alameda County, CA",
      "Los Angeles County, CA",
      "Orange County, CA",
    ]);
  });

  it("become rows of its table, whose other columns stay blank", async () => {
    excel.enter("A1", [
      ["Site", "geoID"],
      ["Roof", text("48453")],
    ]);
    excel.spreadsheet.addTable({ sheetId, rect: parseAddress("A1:B2")!.rect, name: "Sites", style: "" });
    select("B2");
    await add();
    expect(excel.spreadsheet.tables()).toMatchObject([{ rect: { rows: 5, columns: 2 } }]);
    expect(excel.values("A2:B5")).toEqual([
      ["Roof", "48453"],
      ["", "06001"],
      ["", "06037"],
      ["", "06059"],
    ]);
  });

  it("overwrite nothing: a filled cell below the list is named, and all stays as it is", async () => {
    excel.enter("A1", [[text("48453")], [""], ["mine"]]);
    select("A1:A1");
    await expect(add()).rejects.toMatchObject({ kind: "cells-in-the-way" });
    expect(excel.values("A1:A5").flat()).toEqual(["48453", "", "mine", "", ""]);
  });
});

it("a filter compares what cells show, and the value where a column is too narrow to show it", () => {
  const values = [[4101], [7], [""], [12]];
  const texts = [["4,101"], ["##"], [""], ["12"]];
  expect(textsOfWanted(values, texts, (value) => value === 4101 || value === 7)).toEqual(["4,101", "7"]);
});
