import { beforeEach, describe, expect, it } from "vitest";
import { filterRows } from "../../../src/workbook/sheet/tables/row-filter";
import { chartTable } from "../../../src/workbook/sheet/drawing/chart-plan";
import { inspectTarget, writeTable } from "../../../src/workbook/sheet/tables/write-table";
import { inTime } from "../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";

playExcel();

const sheetId = "sheet-1";
/** Texts of 30,000 characters, which take 15 MB together. */
const texts = Array.from({ length: 200 }, (_, row) => `${row} `.padEnd(30_000, "§…"));
const enterTexts = (address: string) => excel.enter(address, [["Rule"], ...texts.map((text) => [text])]);
let excel: PlayedExcel;
beforeEach(() => {
  excel = openExcel();
});

describe("cells that together hold more than Excel on the web answers at once", () => {
  it("are read whole as a list, with the texts of linked data types", async () => {
    excel.enter("A1", [...texts.map((text) => [text]), ["=1/0"]]);
    excel.spreadsheet.select(sheetId, [{ row: 0, column: 0, rows: 201, columns: 1 }]);
    const { values } = await inTime(excel.app.workbook.readListColumn());
    expect(values.slice(0, 200)).toEqual(texts);
    expect(values).toHaveLength(201);
    expect(excel.problems).toEqual([]);
  });

  it("are told as what an import would overwrite, and any change of them is noticed", async () => {
    enterTexts("B2");
    const at = { kind: "cell" as const, sheetId, row: 1, column: 1, mayOverwrite: null };
    const size = { rows: 201, columns: 1 };
    const look = () => inTime(inspectTarget(excel.app.workbook, at, size));
    const first = await look();
    expect(first.filled).toBe("Sheet1!B2:B202");
    expect(await look()).toEqual(first);
    excel.enter("B150", [["typed"]]);
    expect((await look()).contents.fingerprint).not.toBe(first.contents.fingerprint);
  });

  it("are filtered by their texts", async () => {
    enterTexts("A1");
    const rect = { row: 0, column: 0, rows: 201, columns: 1 };
    const { id } = excel.spreadsheet.addTable({ sheetId, name: "Rules", rect, style: "" });
    const filtered = await inTime(
      filterRows(excel.app.workbook, id, "Rule", (value) => value === texts[7] || value === texts[190]),
    );
    expect(filtered).toEqual({ shown: 2, rows: 200 });
    const shown = texts.flatMap((_, row) => (excel.spreadsheet.isRowHidden(sheetId, row + 1) ? [] : [row]));
    expect(shown).toEqual([7, 190]);
  });

  it.each([
    { was: "long", becomes: "short" },
    { was: "short", becomes: "long" },
    { was: "long", becomes: "long" },
  ])(
    "are overwritten by an import, and put back if it is refused: $was by $becomes texts",
    async ({ was, becomes }) => {
      const textOf = (length: string, row: number) => (length === "long" ? texts[row]! : `text ${row}`);
      const plan = chartTable({
        ...{ title: "Rules", kind: "columns", headers: ["Rule", "Number"] },
        rows: texts.map((_, row) => ({ label: textOf(becomes, row), value: row })),
      });
      const size = { rows: 201, columns: 2 };
      const at = { kind: "cell" as const, sheetId, row: 1, column: 1, mayOverwrite: size };
      const own = texts.map((_, row) => [textOf(was, row), `own ${row}`]);
      const open = async () => {
        excel.close();
        excel = openExcel();
        excel.enter("B2", [["Mine", "Other"], ...own]);
        const { contents } = await inTime(inspectTarget(excel.app.workbook, at, size));
        return () => inTime(writeTable(excel.app.workbook, plan, { ...at, contents }));
      };
      await (
        await open()
      )();
      expect(excel.values("B3:C202")).toEqual(texts.map((_, row) => [textOf(becomes, row), row]));
      for (let request = 0, isOver = false; !isOver; request += 29) {
        const write = await open();
        excel.fail(7000, 1, "workbook", request);
        await write().then(
          () => (isOver = true),
          () => expect(excel.values("B2:C202")).toEqual([["Mine", "Other"], ...own]),
        );
      }
      expect(excel.problems).toEqual([]);
    },
  );
});
