import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Session } from "../../../src/app";
import type { Ahj } from "../../../src/engine/api/schemas";
import { addedWords, addToList, mustReadDirectory } from "../../../src/taskpane/fill/find/add-to-list";
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
    expect(await inTime(mustReadDirectory(excel.app, session))).toBe(false);
    const outcome = await add();
    expect(outcome).toMatchObject({ added: 2, there: 1, address: "Sheet1!A1:A3" });
    expect(addedWords(outcome)).toBe(
      "2 jurisdictions added below Sheet1!A1:A3. They are written as geoIDs, as most of the list is. 1 was in it already.",
    );
    expect(excel.values("A1:A6").flat()).toEqual(["geoID", "06037", "48453", "06001", "06059", ""]);
  });

  it("are written as names if the list has names", async () => {
    excel.enter("A1", [["Travis County, TX"], ["Harris County, TX"]]);
    select("A1:A2");
    excel.requests.length = 0;
    expect(await inTime(mustReadDirectory(excel.app, session))).toBe(true);
    expect(excel.requests).toEqual([]);
    expect(addedWords(await add())).toBe("3 jurisdictions added below Sheet1!A1:A2.");
    // The whole list of jurisdictions is in memory by now.
    expect(await inTime(mustReadDirectory(excel.app, session))).toBe(false);
    expect(excel.values("A3:A5").flat()).toEqual([
      "Alameda County, CA",
      "Los Angeles County, CA",
      "Orange County, CA",
    ]);
  });

  it("are written as geoIDs in a list of names if others have the name, and that is said", async () => {
    excel.enter("A1", [["Travis County, TX"], ["Harris County, TX"]]);
    select("A1:A2");
    const { ahjs } = await inTime(session.lookup.directory.load());
    const label = ({ name, state_code }: Ahj) => `${name}, ${state_code}`;
    const counts = new Map<string, number>();
    for (const ahj of ahjs) counts.set(label(ahj), (counts.get(label(ahj)) ?? 0) + 1);
    found = ahjs.filter((ahj) => counts.get(label(ahj)) === 2 && ahj.geoid !== null).slice(0, 1);
    expect(addedWords(await add())).toBe(
      "1 jurisdiction added below Sheet1!A1:A2. 1 of them is written as a geoID, because others have the same name.",
    );
    expect(excel.values("A3").flat()).toEqual([expect.stringMatching(/^(\d+|ahj:\d+)$/)]);
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

  it.each(Array.from({ length: 14 }, (_, after) => after))(
    "take their rows with them if Excel refuses request %i, or are all there",
    async (after) => {
      excel.enter("A1", [
        ["Site", "geoID"],
        ["Roof", text("48453")],
      ]);
      excel.spreadsheet.addTable({ sheetId, rect: parseAddress("A1:B2")!.rect, name: "Sites", style: "" });
      select("B2");
      excel.fail(7000, 1, "workbook", after);
      const isAdded = await add().then(
        () => true,
        () => false,
      );
      expect(excel.spreadsheet.tables()).toMatchObject([{ rect: { rows: isAdded ? 5 : 2 } }]);
      expect(excel.values("B3")).toEqual([[isAdded ? "06001" : ""]]);
    },
  );

  it("leave the rows in which somebody has written meanwhile, and say so", async () => {
    excel.enter("A1", [
      ["Site", "geoID"],
      ["Roof", text("48453")],
    ]);
    excel.spreadsheet.addTable({ sheetId, rect: parseAddress("A1:B2")!.rect, name: "Sites", style: "" });
    select("B2");
    const replaced = vi.spyOn(excel.app.workbook, "runAsOneStep");
    const { run } = excel.app.workbook;
    let requests = 0;
    replaced.mockImplementation((work) =>
      run((context) => {
        const sync = context.sync.bind(context);
        context.sync = (async () => {
          // The rows are there by now, and the cells are about to be written.
          if (excel.spreadsheet.tables()[0]?.rect.rows === 5 && requests++ === 1) {
            excel.enter("A4", [["Ann's"]]);
            excel.fail(7000, 1, "workbook", 0);
          }
          await sync();
        }) as typeof context.sync;
        return work(context);
      }),
    );
    await expect(add()).rejects.toThrow("The 3 rows that were added stay at the end of the table.");
    expect(excel.values("A1:B5")).toEqual([
      ["Site", "geoID"],
      ["Roof", "48453"],
      ["", ""],
      ["Ann's", ""],
      ["", ""],
    ]);
  });

  it("overwrite nothing: a filled cell below the list is named, and all stays as it is", async () => {
    excel.enter("A1", [[text("48453")], [""], ["mine"]]);
    select("A1:A1");
    await expect(add()).rejects.toMatchObject({ kind: "cells-in-the-way" });
    expect(excel.values("A1:A5").flat()).toEqual(["48453", "", "mine", "", ""]);
  });
});

it("a filter compares the cells' texts, and the value if a column is too narrow to show it", () => {
  const values = [[4101], [7], [""], [12]];
  const texts = [["4,101"], ["##"], [""], ["12"]];
  expect(textsOfWanted(values, texts, (value) => value === 4101 || value === 7)).toEqual(["4,101", "7"]);
});
