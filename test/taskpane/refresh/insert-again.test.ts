import { expect, it } from "vitest";
import type { Ahj } from "../../../src/engine/api/schemas";
import { wantedAgain } from "../../../src/taskpane/refresh/insert-again";
import { createImportBook, type KeptImport } from "../../../src/workbook/imports/saved/import-book";
import { placeImport } from "../../../src/workbook/imports/run/place-import";
import { plainForm } from "../../../src/workbook/sheet/layout/table-plan";
import { inTime } from "../../excel/in-time";
import { openExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";

playExcel();

async function importedAndDeleted() {
  const { app, spreadsheet } = openExcel();
  const { workbook } = app;
  const session = await inTime(app.session());
  const types = (await inTime(session.lookup.catalogue.types())).slice(0, 2);
  const found = await inTime(session.lookup.directory.resolve(["06001", "32003"]));
  const ahjs = [...found.values()].filter((each): each is Ahj => "id" in each);
  const order = { question: { kind: "matrix" as const, ahjs, types }, form: plainForm, hasSources: false };
  const to = { kind: "new-sheet" as const, name: "Codes" };
  await inTime(placeImport({ ...order, sheetName: "Codes" }, to, { workbook, session }, {}));
  const sheet = spreadsheet.sheets().find(({ name }) => name === "Codes")!;
  spreadsheet.deleteSheet(sheet.id);
  const [kept] = (await inTime(createImportBook(workbook).list())).imports as [KeptImport];
  expect(kept.place).toBeNull();
  return { app, session, ahjs, types, kept };
}

it("an import whose sheet was deleted is offered again with its jurisdictions and questions", async () => {
  const { app, session, ahjs, types, kept } = await importedAndDeleted();
  expect(await inTime(wantedAgain(kept.saved, app, session))).toEqual({
    types,
    again: { name: "Codes", entries: ahjs.map(({ id }) => `ahj:${id}`) },
  });
});

it("an import of which the workbook knows no jurisdiction says what to do instead", async () => {
  const { app, session, kept } = await importedAndDeleted();
  await inTime(createImportBook(app.workbook).update(kept.saved.id, { digests: null }));
  await expect(inTime(wantedAgain(kept.saved, app, session))).rejects.toThrow("Choose them under Get data.");
});
