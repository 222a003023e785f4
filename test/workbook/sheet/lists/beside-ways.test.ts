import { beforeEach, describe, expect, it } from "vitest";
import {
  type BesideOffer,
  type BesidePlace,
  inspectBeside,
} from "../../../../src/workbook/sheet/lists/beside-list";
import type { BesideList, ListHeader } from "../../../../src/workbook/sheet/lists/list-column";
import { writeTable } from "../../../../src/workbook/sheet/tables/write-table";
import type { FormattedCell } from "../../../../src/workbook/sheet/values/cell-value";
import { parseAddress } from "../../../../workbench/address";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";

/** Columns beside a list that has other columns of the user's around it: the three ways, and one table of everything. */
playExcel();

let excel: PlayedExcel;
const open = (excelApi: string) => (excel = openExcel({ excelApi }));
beforeEach(() => open("1.13"));

const sheetId = "sheet-1";
const rectOf = (address: string) => parseAddress(address)!.rect;
const text = (value: string): FormattedCell => ({ value, numberFormat: "@" });
const plan = {
  columns: [{ header: "Fee" }, { header: "AHJ ID" }],
  rows: [
    [text("$1"), text("1")],
    [text("$2"), text("2")],
  ],
};
const projects = [
  ["Project", "Place", "kW"],
  ["Roof", "'06001", 4],
  ["Field", "'06003", 5],
];
const addTable = (address: string, name: string) =>
  excel.spreadsheet.addTable({ sheetId, rect: rectOf(address), name, style: "TableStyleMedium2" });
const tables = () => excel.spreadsheet.tables().map(({ name, rect }) => [name, rect]);

/** Reads the list whose first cell below the header is B2, unless another address is given. */
async function read(address = "B2:B3", from: ListHeader["from"] = "above"): Promise<BesideList> {
  excel.spreadsheet.select(sheetId, [rectOf(address)]);
  const list = await inTime(excel.app.workbook.readListColumn());
  return { list, header: { from: list.table ? "table" : from, text: "Place" } };
}
const inspect = (beside: BesideList, wantsTable = true) =>
  inTime(inspectBeside(excel.app.workbook, beside, { together: 2, apart: 2 }, wantsTable));
function write(beside: BesideList, { way, block, contents }: BesideOffer, columns = plan) {
  const mayOverwrite = { rows: contents.rows, columns: contents.columns };
  const target = { kind: "beside" as const, ...beside, way, block, mayOverwrite, contents };
  return inTime(writeTable(excel.app.workbook, columns, target));
}
const othersOf = ({ others }: BesidePlace) => {
  if (!others) throw new Error("there is room");
  return others;
};

describe("a list with columns of the user's around it", () => {
  let beside: BesideList;
  let place: BesidePlace;
  beforeEach(async () => {
    excel.enter("A1", projects);
    excel.enter("E2", [["=C2*2"]]);
    beside = await read();
    place = await inspect(beside);
  });

  it("says what stands in the way, and where the columns can go instead", () => {
    expect(place).toMatchObject({
      filled: "Sheet1!C1:C3",
      right: { address: "Sheet1!C1:D3", refusal: null },
      others: {
        inserted: { refusal: null, isInOneTable: true },
        // Column D is blank, but too narrow for the new columns.
        behind: { address: "Sheet1!F1:G3", refusal: null, isInOneTable: false },
        after: "E",
      },
      notTable: null,
    });
  });

  it("gets its new columns inserted: all else moves aside with its references, and all is one table", async () => {
    expect(await write(beside, othersOf(place).inserted)).toMatchObject({ address: "Sheet1!C1:D3" });
    expect(excel.values("A1:E3")).toEqual([
      ["Project", "Place", "Fee", "AHJ ID", "kW"],
      ["Roof", "06001", "$1", "1", 4],
      ["Field", "06003", "$2", "2", 5],
    ]);
    expect(excel.cells("G2")[0]?.[0]?.formula).toBe("=E2*2");
    expect(tables()).toEqual([["Table1", rectOf("A1:E3")]]);
  });

  it("gets its new columns behind everything, and nothing is moved", async () => {
    const before = excel.cells("A1:E3");
    await write(beside, othersOf(place).behind);
    expect(excel.cells("A1:E3")).toEqual(before);
    expect(excel.values("F1:G2")).toEqual([
      ["Fee", "AHJ ID"],
      ["$1", "1"],
    ]);
    expect(tables()).toEqual([["Table1", rectOf("F1:G3")]]);
  });

  it("loses only the overwritten cells if the user chooses that", async () => {
    await write(beside, place.right);
    expect(excel.values("A1:E2")).toEqual([
      ["Project", "Place", "Fee", "AHJ ID", ""],
      ["Roof", "06001", "$1", "1", expect.anything()],
    ]);
    expect(tables()).toEqual([["Table1", rectOf("A1:D3")]]);
  });

  it("gets no columns if its other columns have changed since", async () => {
    excel.enter("A1", [["Site"]]);
    const before = excel.cells("A1:G4");
    await expect(write(beside, othersOf(place).inserted)).rejects.toMatchObject({ kind: "no-list" });
    expect(excel.cells("A1:G4")).toEqual(before);
    expect(tables()).toEqual([]);
  });

  it("keeps a text that somebody types where the columns were to go", async () => {
    excel.enter("F2", [["mine"]]);
    await expect(write(beside, othersOf(place).behind)).rejects.toMatchObject({ kind: "cells-in-the-way" });
    expect(excel.values("F1:G3").flat()).toEqual(["", "", "mine", "", "", ""]);
  });

  it.each(["inserted", "behind"] as const)(
    "is as it was if Excel refuses any of the requests: %s",
    async (way) => {
      const before = excel.cells("A1:H4");
      let refused = 0;
      for (; ; refused += 1) {
        excel.fail(7000, 1, "workbook", refused);
        const isWritten = await write(beside, othersOf(place)[way]).then(
          () => true,
          () => false,
        );
        if (isWritten) break;
        expect(excel.cells("A1:H4"), `request ${refused}`).toEqual(before);
        expect(tables(), `request ${refused}`).toEqual([]);
        expect(excel.spreadsheet.sheets(), `request ${refused}`).toHaveLength(1);
      }
      expect(refused).toBeGreaterThan(8);
    },
  );
});

describe("a list that is in a table", () => {
  beforeEach(() => {
    excel.enter("A1", projects);
    addTable("A1:B3", "Mine");
  });

  it("gets new columns in its table: cells right of it move aside, other tables too", async () => {
    addTable("C1:C3", "Other");
    const beside = await read();
    const place = await inspect(beside);
    expect(place.right.refusal).toBe("A table stands there: Other.");
    await write(beside, othersOf(place).inserted);
    expect(tables()).toEqual([
      ["Mine", rectOf("A1:D3")],
      ["Other", rectOf("E1:E3")],
    ]);
    expect(excel.values("A2:E2")).toEqual([["Roof", "06001", "$1", "1", 4]]);
  });

  it("gets a table of their own behind the others, one blank column away", async () => {
    addTable("C1:C3", "Other");
    const beside = await read();
    const { behind } = othersOf(await inspect(beside));
    expect(behind).toMatchObject({ address: "Sheet1!E1:F3", isInOneTable: false });
    await write(beside, behind);
    expect(tables()).toEqual([
      ["Mine", rectOf("A1:B3")],
      ["Other", rectOf("C1:C3")],
      ["Table1", rectOf("E1:F3")],
    ]);
  });

  it("gets none inserted by an Excel that would move other cells for each (before ExcelApi 1.13)", async () => {
    open("1.9");
    excel.enter("A1", projects);
    addTable("A1:B3", "Mine");
    const place = await inspect(await read());
    expect(othersOf(place).inserted.refusal).toMatch(/too old/);
    expect(othersOf(place).behind.refusal).toBeNull();
  });

  it("is as it was if Excel refuses any of the requests", async () => {
    const beside = await read();
    const { inserted } = othersOf(await inspect(beside));
    const before = excel.cells("A1:G4");
    let refused = 0;
    for (; ; refused += 1) {
      excel.fail(7000, 1, "workbook", refused);
      const isWritten = await write(beside, inserted).then(
        () => true,
        () => false,
      );
      if (isWritten) break;
      expect(excel.cells("A1:G4"), `request ${refused}`).toEqual(before);
      expect(tables(), `request ${refused}`).toEqual([["Mine", rectOf("A1:B3")]]);
    }
    expect(refused).toBeGreaterThan(8);
  });
});

describe("new columns are not inserted", () => {
  beforeEach(() => excel.enter("A1", projects));
  const refusal = async () => othersOf(await inspect(await read())).inserted.refusal;

  it("into another table above or below, which would get them, too", async () => {
    addTable("A7:C9", "Below");
    expect(await refusal()).toBe("The table Below would get the new columns, too.");
  });

  it("through merged cells of the list's rows; merged cells above grow", async () => {
    excel.enter("A1", [["Title", "", ""], ...projects]);
    excel.spreadsheet.merge(sheetId, rectOf("A1:C1"));
    const beside = await read("B3:B4");
    const { inserted } = othersOf(await inspect(beside));
    expect(inserted.refusal).toBeNull();
    await write(beside, inserted);
    expect(excel.spreadsheet.merged(sheetId)).toEqual([rectOf("A1:E1")]);
    open("1.13");
    excel.enter("A1", projects);
    excel.spreadsheet.merge(sheetId, rectOf("B3:C3"));
    expect(await refusal()).toBe("Cells are merged there: Sheet1!B3:C3.");
  });

  it("if the last columns of the sheet would be pushed off", async () => {
    excel.enter("XFD9", [["far"]]);
    expect(await refusal()).toBe("Sheet1!XFD9 would be pushed off the sheet.");
  });

  it("through a formula's result, whose references would go astray", async () => {
    excel.enter("B9", [['=REGDATA.VALUE("06001",{1003,1056})']]);
    await inTime(excel.spreadsheet.idle());
    expect(await refusal()).toMatch(/formula/);
  });
});

describe("a list becomes a table", () => {
  it("with the columns on its left, too; where a header is blank, one is written", async () => {
    excel.enter("A1", [
      ["", "Place"],
      ["Roof", "'06001"],
      ["Field", "'06003"],
    ]);
    const beside = await read();
    const { right, others, filled } = await inspect(beside);
    expect([others, filled]).toEqual([null, null]);
    await write(beside, right);
    expect(excel.values("A1:D2")).toEqual([
      ["Column A", "Place", "Fee", "AHJ ID"],
      ["Roof", "06001", "$1", "1"],
    ]);
    expect(tables()).toEqual([["Table1", rectOf("A1:D3")]]);
  });

  it("with a header in inserted cells, and no row is lost", async () => {
    excel.enter("A1", [["My projects"], ["Roof"], ["Field"], ["Sum"]]);
    excel.enter("B1", [["2026"], ["'06001"], ["'06003"]]);
    const beside = await read("B2:B3", "inserted");
    await write(beside, (await inspect(beside)).right);
    expect(excel.values("A1:D5")).toEqual([
      ["My projects", 2026, "", ""],
      ["Column A", "Place", "Fee", "AHJ ID"],
      ["Roof", "06001", "$1", "1"],
      ["Field", "06003", "$2", "2"],
      ["Sum", "", "", ""],
    ]);
    expect(tables()).toEqual([["Table1", rectOf("A2:D4")]]);
  });

  it.each<[string, () => void, RegExp]>([
    ["with another table", () => void addTable("A1:A3", "Mine"), /^The table Mine stands in it\.$/],
    [
      "with merged cells",
      () => excel.spreadsheet.merge(sheetId, rectOf("A2:A3")),
      /^Cells are merged there: Sheet1!A2:A3\.$/,
    ],
    ["with a number as a header", () => excel.enter("A1", [[2026]]), /^Sheet1!A1 is a number or a formula/],
    ["with a formula as a header", () => excel.enter("A1", [["=C9"]]), /^Sheet1!A1 is a number or a formula/],
    [
      "with a header twice",
      () => excel.enter("A1", [["place"]]),
      /^Two of its columns are called “Place”\.$/,
    ],
  ])("but not %s: then the new columns are a table of their own", async (_, change, reason) => {
    excel.enter(
      "A1",
      projects.map((row) => row.slice(0, 2)),
    );
    change();
    await excel.spreadsheet.calculated();
    const before = excel.cells("A1:B3");
    const own = tables();
    const beside = await read();
    const { right, notTable } = await inspect(beside);
    expect(notTable).toMatch(reason);
    expect(right).toMatchObject({ isInOneTable: false, refusal: null });
    await write(beside, right);
    expect(excel.cells("A1:B3")).toEqual(before);
    expect(tables()).toEqual([...own, ["Table1", rectOf("C1:D3")]]);
  });

  it("but not if the user does not want that: the list stays as it is", async () => {
    excel.enter(
      "A1",
      projects.map((row) => row.slice(0, 2)),
    );
    const beside = await read();
    const { right, notTable } = await inspect(beside, false);
    expect(notTable).toBeNull();
    await write(beside, right);
    expect(tables()).toEqual([["Table1", rectOf("C1:D3")]]);
  });
});

describe("a list that has room nowhere", () => {
  it("is refused with the reason", async () => {
    excel.enter("B1", [["title"], ["'06001"], ["'06003"]]);
    excel.enter("H9", [["far below"]]);
    const inspected = inspect(await read("B2:B3", "inserted"), false);
    await expect(inspected).rejects.toMatchObject({
      kind: "no-list",
      detail: "Put a header above your list first: other columns stand beside it.",
    });
  });
});
