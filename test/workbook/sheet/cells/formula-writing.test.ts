import { describe, expect, it } from "vitest";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { pass, playExcel } from "../../../functions/excel";

playExcel();

const note = "Ann's note";
const formula = "=B1";

/** Excel with a colleague, Ann, who types a note into A1 right before one of the requests to the workbook. */
function openWithAnn(at = Infinity) {
  let request = -1;
  const excel: PlayedExcel = openExcel({
    onRequest() {
      request += 1;
      if (request === at) excel.enter("A1", [[note]]);
    },
  });
  return { excel, sheetId: excel.spreadsheet.sheets()[0]!.id, hasTyped: () => request >= at };
}

const cell = ({ excel }: ReturnType<typeof openWithAnn>) => excel.cells("A1")[0]![0]!;

describe("a formula that is written into a cell", () => {
  it("goes into a blank cell, and is a formula even if the cell had the format of texts", async () => {
    const opened = openWithAnn();
    const { excel, sheetId } = opened;
    excel.spreadsheet.writeNumberFormats(sheetId, { row: 0, column: 0, rows: 1, columns: 1 }, [["@"]]);
    excel.enter("B1", [[7]]);
    const written = excel.app.workbook.writeFormula({ sheetId, row: 0, column: 0 }, formula, "nothing");
    expect(await inTime(written)).toEqual({ status: "written" });
    expect(cell(opened)).toMatchObject({ formula, value: 7, numberFormat: "General" });
  });

  it.each(["'007", 42, true, "=C1", "text"])(
    "leaves %s in its way, and replaces it only when the user gave it up",
    async (there) => {
      const opened = openWithAnn();
      const { excel, sheetId } = opened;
      const position = { sheetId, row: 0, column: 0 };
      excel.enter("A1", [[there]]);
      await pass(500);
      const before = cell(opened);
      const { workbook } = excel.app;
      const content = typeof there === "string" ? there.replace(/^'/, "") : there;
      const inTheWay = { status: "in-the-way", content, detail: "Sheet1!A1 is not empty." };
      expect(await inTime(workbook.writeFormula(position, formula, "nothing"))).toEqual(inTheWay);
      expect(await inTime(workbook.writeFormula(position, formula, { content: "other" }))).toEqual(inTheWay);
      expect(cell(opened)).toEqual(before);
      await inTime(workbook.writeFormula(position, formula, { content }));
      expect(cell(opened)).toMatchObject({ formula });
    },
  );

  it("asks before it goes into a table, whose column Excel may fill with it", async () => {
    const opened = openWithAnn();
    const { excel, sheetId } = opened;
    excel.enter("A1", [["Fee"], [""]]);
    const rect = { row: 0, column: 0, rows: 2, columns: 1 };
    excel.spreadsheet.addTable({ name: "Table1", sheetId, rect, style: "TableStyleMedium2" });
    const position = { sheetId, row: 1, column: 0 };
    const { workbook } = excel.app;
    expect(await inTime(workbook.writeFormula(position, formula, "nothing"))).toEqual({
      ...{ status: "in-the-way", content: "" },
      detail: "Sheet1!A2 is in a table: Excel may fill its whole column with the formula.",
    });
    await inTime(workbook.writeFormula(position, formula, { content: "" }));
    expect(excel.cells("A2")[0]![0]).toMatchObject({ formula });
  });

  it.each(["", "=C1", "'0042"])(
    "never overwrites a text that somebody types before any of its requests into a cell that held “%s”",
    async (there) => {
      let typed = 0;
      for (let at = 0; at < 6; at += 1) {
        const opened = openWithAnn(at);
        const { excel, sheetId } = opened;
        if (there !== "") excel.enter("A1", [[there]]);
        const overwriting = there === "" ? "nothing" : { content: there.replace(/^'/, "") };
        const outcome = await inTime(
          excel.app.workbook.writeFormula({ sheetId, row: 0, column: 0 }, formula, overwriting),
        ).catch((failure: unknown) => failure);
        if (!opened.hasTyped()) continue;
        typed += 1;
        expect(cell(opened)).toMatchObject({ value: note, formula: note });
        // After the last request that writes, Ann types over the formula.
        const isWritten = JSON.stringify(outcome) === JSON.stringify({ status: "written" });
        if (!isWritten || at < 3) expect(JSON.stringify(outcome)).toContain("Sheet1!A1");
      }
      expect(typed).toBeGreaterThan(2);
    },
  );
});
