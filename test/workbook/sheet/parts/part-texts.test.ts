import { expect, it } from "vitest";
import { partTexts } from "../../../../src/workbook/sheet/parts/part-texts";
import { inTime } from "../../../excel/in-time";
import { openExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";

playExcel();

it("the texts of a workbook's parts are those of one namespace", async () => {
  const { app } = openExcel();
  for (const xml of ['<a xmlns="regdata">1</a>', '<b xmlns="other">2</b>', '<c xmlns="regdata">3</c>'])
    await inTime(app.workbook.writePart(null, xml));
  expect(await inTime(partTexts("regdata"))).toEqual([
    '<a xmlns="regdata">1</a>',
    '<c xmlns="regdata">3</c>',
  ]);
  expect(await inTime(partTexts("none"))).toEqual([]);
});
