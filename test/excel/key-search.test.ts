import { expect, it } from "vitest";
import { keyForms } from "../../src/key-forms";
import { searchTexts } from "../../src/workbook/sheet/cells/text-search";
import { config } from "../../src/config";
import { freezeFormulas } from "../../src/workbook/cell-formulas/freeze";
import { pass, playExcel } from "../functions/excel";
import { inTime } from "./in-time";
import { openExcel } from "./open-excel";

/** The search for the user's key before a workbook is handed on, through Microsoft's office.js. */
playExcel();

const key = "planted&key/1234";

/** A workbook that holds the key in every place that is searched. */
function openPlanted() {
  const author = openExcel();
  const { id } = author.spreadsheet.addSheet("Kept");
  author.enter("Sheet1!A1", [[`written down: ${key}`], [`=LEN("${key}")`], ["=Kept!C7"]]);
  author.enter("Kept!C7", [[key]]);
  author.spreadsheet.hideSheet(id, true);
  author.document.customXmlParts.set("{THEIRS}", '<theirs xmlns="urn:theirs">planted&amp;key/1234</theirs>');
  const file = author.save();
  author.close();
  const names = [
    {
      name: "Address",
      formula: '="https://x.example/?key=planted%26key%2F1234"',
      comment: "",
      sheetId: null,
    },
    { name: "Local", formula: "=1", comment: key, sheetId: id },
  ];
  return openExcel({ file: { ...file, spreadsheet: { ...(file.spreadsheet as object), names } } });
}

const search = ({ app }: ReturnType<typeof openExcel>) =>
  inTime(app.workbook.run((context) => searchTexts(context, [keyForms(key)])));

const inCells = ["Sheet1 0", "Sheet1 1", "Sheet1 2", "Kept 6"];
const besideCells = [
  "the name Address, under Formulas, Name Manager",
  "the name Local, under Formulas, Name Manager",
  "the hidden data urn:theirs, under File, Info, Inspect Document",
];

it("the user's key is found in a text, a formula, a value, a hidden sheet, names and an XML part", async () => {
  const excel = openPlanted();
  const { found, unsearched, cells } = await search(excel);
  expect(found.map(({ what, cell }) => (cell ? `${cell.sheetName} ${cell.row}` : what))).toEqual([
    ...inCells,
    ...besideCells,
  ]);
  expect([unsearched, cells]).toEqual([[], 4]);
  expect(excel.problems).toEqual([]);
});

it.each(["plainkey-0123456789", key, "a<b>c-0123456789", 'quo"te-0123456789', "back\\slash-0123"])(
  "the key %s is found in a formula, and in the part that keeps the formula once it is frozen",
  async (one) => {
    const excel = openExcel();
    excel.enter("A1", [[`=REGDATA.VALUE("06001", 1003, "value", "${one.replaceAll('"', '""')}")`]]);
    await pass(20_000);
    const { workbook } = excel.app;
    const places = async () => {
      const { found } = await inTime(
        workbook.run((context) => searchTexts(context, [keyForms("another-key-0123"), keyForms(one)])),
      );
      return found.map(({ what, text }) => [text, what]);
    };
    expect(await places()).toEqual([[1, ""]]);
    const cells = await inTime(
      workbook.findFormulas("workbook", { namespace: config.namespace, canSeeSpills: false }),
    );
    const { signal } = new AbortController();
    await inTime(freezeFormulas(cells, workbook, { signal, onProgress() {}, canSeeDataTypes: false }));
    expect(await places()).toEqual([
      [1, "the hidden data urn:regdata:frozen, under File, Info, Inspect Document"],
    ]);
  },
);

it("a sheet that Excel refuses to read is listed as not searched, and the key is found elsewhere", async () => {
  const excel = openPlanted();
  excel.fail(7000, 1, "workbook", 1);
  const { found, unsearched } = await search(excel);
  expect(unsearched).toEqual(["some or all cells of Sheet1"]);
  expect(found.map(({ what, cell }) => (cell ? `${cell.sheetName} ${cell.row}` : what))).toEqual([
    "Kept 6",
    ...besideCells,
  ]);
});
