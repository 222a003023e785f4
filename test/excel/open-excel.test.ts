import { expect, it } from "vitest";
import { config } from "../../src/config";
import { freezeFormulas } from "../../src/workbook/cell-formulas/freeze";
import { createImportBook } from "../../src/workbook/imports/saved/import-book";
import { placeImport } from "../../src/workbook/imports/run/place-import";
import { refreshImport } from "../../src/workbook/imports/refresh/refresh";
import { createImportTables } from "../../src/workbook/sheet/tables/table-changes";
import { plainForm } from "../../src/workbook/sheet/layout/table-plan";
import { pass, playExcel } from "../functions/excel";
import { inTime } from "./in-time";
import { openExcel, type PlayedExcel } from "./open-excel";

playExcel();

async function importSome({ app }: PlayedExcel) {
  const session = await inTime(app.session());
  const types = await inTime(session.lookup.catalogue.types());
  const { ahjs } = await inTime(session.lookup.directory.load());
  const question = { kind: "matrix" as const, ahjs: ahjs.slice(50, 60), types: types.slice(0, 3) };
  const order = { question, form: plainForm, hasSources: false, sheetName: "Codes" };
  const place = { kind: "new-sheet" as const, name: "Codes" };
  return inTime(placeImport(order, place, { workbook: app.workbook, session }, {}));
}

it("the played Excel calculates the add-in's formulas, with spills and with cells that depend on them", async () => {
  const { enter, values, errorMessage, problems } = openExcel();
  enter("A1", [["'06001"], ["'06037"]]);
  enter("B1", [['=REGDATA.VALUE("06001", 1003)'], ["=REGDATA.VALUE(A1:A2, 1003)"]]);
  enter("D1", [["=B1"], ['=REGDATA.VALUE("99999", 1003)']]);
  await pass(5_000);
  const [[first], [second], [third]] = values("B1:B3") as [[string], [string], [string]];
  expect(first).toMatch(/^NEC /);
  expect([second, third]).toEqual([first, expect.stringMatching(/^(NEC|CEC) /)]);
  expect(values("D1:D2")).toEqual([[first], ["#N/A"]]);
  expect(errorMessage("D2")).toMatch(/not the code of a jurisdiction/);
  expect(problems).toEqual([]);
});

it("the played Excel gives an error of the host through office.js", async () => {
  const { app, fail, enter } = openExcel();
  enter("A1", [["'06001"]]);
  fail(5004, 1, "workbook");
  await expect(inTime(app.workbook.selectedCells())).rejects.toMatchObject({
    kind: "cell-editing",
    cause: expect.objectContaining({
      message: expect.stringMatching(/cell-editing mode/) as unknown,
    }) as unknown,
  });
  expect((await inTime(app.workbook.selectedCells())).rows).toEqual([["06001"]]);
});

it("the played Excel refuses a load that names nothing", async () => {
  const { problems } = openExcel();
  const firstName = (names: string) =>
    Excel.run(async ({ workbook }) => {
      const sheet = workbook.worksheets.getActiveWorksheet().load(names);
      await sheet.context.sync();
      return sheet.name;
    });
  expect(await inTime(firstName("name"))).toBe("Sheet1");
  expect(problems).toEqual([]);
  await expect(inTime(firstName(""))).rejects.toThrow();
  expect(problems).toEqual([expect.stringContaining("without names")]);
});

it("the played Excel imports, saves, opens again, refreshes and freezes", async () => {
  const first = openExcel();
  const placed = await importSome(first);
  expect(placed).toMatchObject({ status: "done", address: "Codes!A1:H11", notRemembered: null });
  const shown = first.values("Codes!A1:H11");
  first.enter("Sheet1!A1", [['=REGDATA.VALUE("06001", 1003)']]);
  await pass(5_000);
  const [[code]] = first.values("Sheet1!A1") as [[string]];
  expect(first.problems).toEqual([]);

  const second = openExcel({ file: first.save() });
  expect(second.values("Codes!A1:H11")).toEqual(shown);
  expect(second.values("Sheet1!A1")).toEqual([[code]]);
  const { app, problems } = second;
  const changedCell = "Codes!E2";
  second.enter(changedCell, [["something else"]]);
  const { imports } = await inTime(createImportBook(app.workbook).list());
  const [kept] = imports;
  expect(imports).toHaveLength(1);
  const session = await inTime(app.session());
  const tables = createImportTables(app.workbook);
  const { report } = await inTime(
    refreshImport(kept!.saved, { tables, book: createImportBook(app.workbook), ...session }),
  );
  // The file says that a user has typed the value: it stays.
  expect(report.changes).toEqual([]);
  expect(report.edited.map(({ text, after }) => [text, after?.value])).toEqual([
    ["something else", shown[1]?.[4]],
  ]);
  expect(second.values(changedCell)).toEqual([["something else"]]);

  const { namespace } = config;
  const cells = await inTime(app.workbook.findFormulas("workbook", { namespace, canSeeSpills: false }));
  const freezing = { canSeeDataTypes: false, signal: new AbortController().signal, onProgress() {} };
  const frozen = await inTime(freezeFormulas(cells, app.workbook, freezing));
  expect(frozen.formulas).toHaveLength(1);
  expect(second.cells("Sheet1!A1")[0]?.[0]).toMatchObject({ value: code, formula: code });
  expect(problems).toEqual([]);
});
