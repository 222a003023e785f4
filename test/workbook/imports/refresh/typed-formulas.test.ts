import { describe, expect, it } from "vitest";
import { changesLines } from "../changes-lines";
import { refreshCell } from "../../../../src/workbook/imports/refresh/refresh-cell";
import { takeServiceValues } from "../../../../src/workbook/imports/refresh/take-service-values";
import { inTime } from "../../../excel/in-time";
import { pass, playExcel } from "../../../functions/excel";
import { fee, importedBook, type Sent } from "../imported-book";

playExcel();

/** An import whose fee of Churchill County ($45, F3) is a formula that shows the same, and the service's later fees. */
async function withFormula(formula = "=K3") {
  let said: string | undefined;
  const book = await importedBook((object: Sent) => {
    const cell = object.values?.[fee];
    if (said !== undefined && cell) cell.value = said;
  });
  const [[shown]] = book.excel.values("Fees!F3") as [[number]];
  book.excel.enter("Fees!K3", [[shown]]);
  book.excel.enter("Fees!F3", [[formula]]);
  await pass(20_000);
  expect(book.excel.values("Fees!F3")).toEqual([[45]]);
  return { ...book, say: (value: string) => (said = value) };
}
const formulaIn = ({ excel }: Awaited<ReturnType<typeof withFormula>>, address = "Fees!F3") =>
  excel.cells(address)[0]![0]!.formula;

describe("a formula that somebody typed over an answer, and that shows the same", () => {
  it.each(["=K3", "=REGDATA.VALUE(D3,1056)"])(
    "stays when the answer changes, and is listed as edited: %s",
    async (formula) => {
      const book = await withFormula(formula);
      book.say("$60");
      const { report } = await book.refresh();
      expect(formulaIn(book)).toBe(formula);
      expect(
        report.edited.map(({ place, formula: typed, after }) => [place.row, typed, after?.value]),
      ).toEqual([[1, formula, "$60"]]);
      expect(report.changes.map(({ place }) => place.row)).toContain(1);
      expect(report.unsure).toEqual([]);
      expect(changesLines(report)).toContain(`${formula} → $60: edited, kept`);
    },
  );

  it("is listed as edited while the answer is still the same, and on a device that has kept nothing", async () => {
    const book = await withFormula();
    expect((await book.refresh()).report.edited.map(({ formula }) => formula)).toEqual(["=K3"]);
    book.say("$60");
    const other = await book.reopened();
    const { report } = await other.refresh();
    expect(other.excel.cells("Fees!F3")[0]![0]!.formula).toBe("=K3");
    expect(report.edited.map(({ formula }) => formula)).toEqual(["=K3"]);
  });

  it("stays in each row if it fills the column, as Excel's calculated columns do", async () => {
    const book = await withFormula();
    book.excel.enter("Fees!F2", [["=K3"], ["=K3"], ["=K3"], ["=K3"]]);
    await pass(5_000);
    book.say("$60");
    const { report } = await book.refresh();
    expect(book.excel.cells("Fees!F2:F5").map(([cell]) => cell!.formula)).toEqual([
      "=K3",
      "=K3",
      "=K3",
      "=K3",
    ]);
    expect(report.edited).toHaveLength(4);
  });

  it("is named if a change of the import removes its column", async () => {
    const book = await withFormula();
    const { types } = await book.saved();
    const change = { types: types.filter(({ id }) => id !== fee), newAhjs: [] };
    const { report } = await book.refresh({ change });
    expect(report.replaced.map(({ text }) => text)).toEqual(["=K3"]);
  });

  it("gives way to the service's answer if the user asks for that, and is named if it was typed meanwhile", async () => {
    const book = await withFormula();
    book.say("$60");
    const { report, saved } = await book.refresh();
    await inTime(takeServiceValues(saved, { report, cells: report.edited }, book.dependencies));
    expect([formulaIn(book), book.excel.values("Fees!F3")]).toEqual([60, [[60]]]);
  });

  it("is replaced by a refresh of its cell, which names it, but not if it shows the present answer", async () => {
    const book = await withFormula();
    const saved = await book.saved();
    const [ahjId] = book.excel.values("Fees!G3")[0] as [number];
    const asked = { ahjId, typeId: fee };
    await inTime(refreshCell(saved, { asked, before: null }, book.dependencies));
    expect(formulaIn(book)).toBe("=K3");
    book.say("$60");
    await pass(60_000);
    const { replaced, before } = await inTime(refreshCell(saved, { asked, before: null }, book.dependencies));
    expect(formulaIn(book)).toBe(60);
    expect([...(replaced ?? []), before?.value]).toContain("=K3");
  });
});
