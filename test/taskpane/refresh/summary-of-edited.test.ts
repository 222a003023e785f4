import { afterEach, describe, expect, it } from "vitest";
import { createSummaryWork } from "../../../src/taskpane/refresh/reports/summary-work";
import type { ImportSummary } from "../../../src/workbook/imports/summary/import-pictures";
import { inTime } from "../../excel/in-time";
import { playExcel } from "../../functions/excel";
import { close, control, excel, kept, open, session, sheetOf } from "./imported-workbook";

playExcel();
afterEach(close);

/** The first question of which at least two counties have an amount. */
const isCompared = ({ amounts, counts }: ImportSummary["pictures"][number]) =>
  amounts !== null && counts.value >= 2;
const summary = () => inTime(control.summary(kept("Counties")));
async function compared() {
  const { pictures } = await summary();
  const question = pictures.find(isCompared)!.question;
  const { columns } = kept("Counties").saved;
  const column = columns.findIndex(
    ({ content }) => content.of === "answer" && content.part === "value" && content.typeId === question.id,
  );
  return { question, column };
}
const pictureOf = async (typeId: number) =>
  (await summary()).pictures.find(({ question }) => question.id === typeId)!;
function type(column: number, row: number, text: string | number) {
  excel.spreadsheet.writeFormulas(sheetOf("Counties"), { row, column, rows: 1, columns: 1 }, [[text]]);
}
const valuesAt = (address: string | null) =>
  excel.cells(address ?? "").map((row) => row.map(({ value }) => value));

describe("the summary of an import with edited cells", () => {
  it("leaves out what somebody has typed, and says how many cells that are", async () => {
    await open();
    const { question, column } = await compared();
    const before = await pictureOf(question.id);
    type(column, 1, 999_999);
    const after = await pictureOf(question.id);
    expect(after.counts).toEqual({ ...before.counts, value: before.counts.value - 1, edited: 1 });
    expect(after.amounts?.largest.value).toBeLessThan(999_999);
  });

  it("does not call an answer that somebody has cleared one that the service does not have", async () => {
    await open();
    const { question, column } = await compared();
    const before = await pictureOf(question.id);
    type(column, 1, "");
    expect((await pictureOf(question.id)).counts).toEqual({
      ...before.counts,
      value: before.counts.value - 1,
      edited: 1,
    });
  });

  it("as a sheet and as a chart leaves it out, too, and says so", async () => {
    await open();
    const { question, column } = await compared();
    type(column, 1, 999_999);
    const work = createSummaryWork(excel.app, session, kept("Counties"), () => undefined);
    const [headers = [], ...rows] = valuesAt(await inTime(work.writeSummary()));
    const edited = headers.indexOf("Edited");
    const id = headers.indexOf("Question ID");
    expect(rows.find((row) => row[id] === question.id)?.[edited]).toBe(1);
    expect(rows.flat()).not.toContain(999_999);
    const drawn = await inTime(work.insertChart(question.id, "answers"));
    expect(valuesAt(drawn).flat()).not.toContain(999_999);
    const [chart] = excel.spreadsheet.drawings.of("chart");
    expect(chart?.title).toMatch(/\(not drawn: of 3 jurisdictions, .*1 edited\)$/);
  });
});
