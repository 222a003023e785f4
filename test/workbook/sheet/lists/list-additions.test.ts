import { describe, expect, it } from "vitest";
import { addBelowList } from "../../../../src/workbook/sheet/lists/list-additions";
import { textCell } from "../../../../src/workbook/sheet/values/cell-value";
import { parseAddress } from "../../../../workbench/address";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";
import { reorder } from "../../../people/grid-edits";

playExcel();

describe("rows that are added to a list in a table", () => {
  it("are removed again if Excel refuses their entries, and no row that somebody sorts in between goes with them", async () => {
    let played = 0;
    for (let at = 0; at < 14; at += 1) {
      let request = -Infinity;
      const excel: PlayedExcel = openExcel({
        onRequest() {
          request += 1;
          const [table] = excel.spreadsheet.tables();
          if (request !== at || table?.rect.rows !== 6) return;
          played += 1;
          reorder(excel.spreadsheet, table, [4, 3, 2, 1, 0]);
        },
      });
      const { workbook } = excel.app;
      excel.enter("A1", [
        ["Site", "geoID"],
        ["Roof", "'06001"],
        ["Barn", "'06003"],
      ]);
      const sheetId = excel.spreadsheet.sheets()[0]!.id;
      const { rect } = parseAddress("A1:B3")!;
      excel.spreadsheet.addTable({ sheetId, rect, name: "Sites", style: "" });
      excel.spreadsheet.select(sheetId, [parseAddress("B2:B3")!.rect]);
      const list = await inTime(workbook.readListColumn());
      const entries = ["06005", "06007", "06009"].map((geoid) => textCell(geoid));
      request = -1;
      // The entries are refused once the rows are there.
      excel.fail(7000, 2, "workbook", 6);
      const failure = await inTime(workbook.run((context) => addBelowList(context, list, entries))).then(
        () => "",
        (thrown: Error) => thrown.message,
      );
      const texts = excel.values("A1:B8").flat();
      expect(texts, `request ${at}: ${failure}`).toEqual(
        expect.arrayContaining(["Roof", "06001", "Barn", "06003"]),
      );
      if (failure !== "" && !failure.includes("stay"))
        expect(texts.filter((text) => /0600[579]/.test(String(text)))).toEqual([]);
    }
    expect(played).toBeGreaterThan(2);
  });
});
