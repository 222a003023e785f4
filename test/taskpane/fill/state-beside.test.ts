import { beforeEach, describe, expect, it } from "vitest";
import type { Session } from "../../../src/app";
import { createDraftControl, type DraftControl } from "../../../src/taskpane/fill/draft/draft-control";
import { readJurisdictions } from "../../../src/taskpane/fill/jurisdictions/list/read-jurisdictions";
import { parseAddress } from "../../../workbench/address";
import { inTime } from "../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";

/** Only the column of names is selected in a list that has a column of states, too. */
playExcel();

let excel: PlayedExcel;
let session: Session;
let drafts: DraftControl;
beforeEach(async () => {
  excel = openExcel();
  session = await inTime(excel.app.session());
  drafts = createDraftControl(excel.app, session);
});

const select = (address: string) => excel.spreadsheet.select("sheet-1", [parseAddress(address)!.rect]);
const geoidsOf = (found: readonly { ahj: { geoid: string | null } }[]) => found.map(({ ahj }) => ahj.geoid);

/** The jurisdictions of the list beside which answers go. */
async function listed() {
  await inTime(drafts.readList());
  const { listed: choice, list } = drafts.getState();
  return { found: geoidsOf(choice.found), joined: choice.lastList?.joined, header: list?.rows.header.text };
}

/** The jurisdictions of the selected cells, for a table of its own. */
async function chosen() {
  const { list, resolve } = readJurisdictions({ cellsOf: excel.app.workbook }, session);
  const { joined, ...read } = await inTime(list);
  const { found } = await inTime(resolve({ ...read, joined }, {}));
  return { found: geoidsOf(found), joined };
}

const rows = [
  ["Project", "City", "State"],
  ["Roof", "Clark County", "NV"],
  ["Field", "Lane County", "Oregon"],
  ["Barn", "Baldwin County", "AL"],
];
const all = ["32003", "41039", "01003"];

describe("a list of names beside their states", () => {
  it.each([
    ["B1:B4", all],
    ["B2:B4", all],
    ["B1:B1000", all],
    ["B3:B4", all.slice(1)],
  ])("is read with them if only the names are selected (%s)", async (address, found) => {
    excel.enter("A1", rows);
    select(address);
    expect(await listed()).toMatchObject({ found, joined: "State" });
    expect(await chosen()).toEqual({ found, joined: "State" });
  });

  it("is read with them from one cell: its column beside which answers go, or the one jurisdiction", async () => {
    excel.enter("A1", rows);
    select("B3");
    expect(await listed()).toEqual({ found: all, joined: "State", header: "City" });
    expect(await chosen()).toEqual({ found: ["41039"], joined: "State" });
  });

  it.each(["B20:B24", "B22:C24"])("is told with the sheet's row of each name (%s)", async (address) => {
    excel.enter("A20", [...rows, ["Shed", "Nowhere County", "NV"]]);
    select(address);
    const { entries } = await inTime(readJurisdictions({ cellsOf: excel.app.workbook }, session).list);
    expect(entries.at(-1)).toMatchObject({ given: expect.stringContaining("Nowhere"), row: 24 });
  });

  it("is read with states on its left", async () => {
    excel.enter("A1", [
      ["State", "County", "kW"],
      ["NV", "Clark", 4],
      ["Oregon", "Lane", 5],
    ]);
    select("B2:B3");
    expect(await listed()).toMatchObject({ found: all.slice(0, 2), joined: "State" });
    expect(await chosen()).toEqual({ found: all.slice(0, 2), joined: "State" });
  });

  it("is read with the counties between", async () => {
    excel.enter("A1", [
      ["City", "County", "State"],
      ["Las Vegas", "Clark", "NV"],
    ]);
    select("A2");
    await listed();
    expect(drafts.getState().list?.rows.entries[0]).toMatchObject({
      meaning: { name: "Las Vegas, Clark County, NV" },
    });
  });

  it("is read with the column of states of its table", async () => {
    excel.enter("A1", [["All our projects"]]);
    excel.enter("A2", rows);
    excel.spreadsheet.addTable({
      ...{ sheetId: "sheet-1", rect: parseAddress("A2:C5")!.rect, name: "Places", style: "TableStyleLight1" },
    });
    select("B4:B5");
    expect(await chosen()).toEqual({ found: all.slice(1), joined: "State" });
    expect(await listed()).toMatchObject({ found: all.slice(1), joined: "State" });
  });

  it.each([
    [["Project", "FIPS", "State"], "'32003"],
    [["Project", "City", "kW"], "'32003"],
  ])("stands for itself below %j", async (headings, code) => {
    excel.enter("A1", [headings, ["Roof", code, "NV"]]);
    select("B2");
    expect(await listed()).toMatchObject({ found: ["32003"], joined: undefined });
    expect(await chosen()).toEqual({ found: ["32003"], joined: undefined });
  });
});
