import { describe, expect, it } from "vitest";
import { refreshCell } from "../../../../src/workbook/imports/refresh/refresh-cell";
import type { RefreshReport } from "../../../../src/workbook/imports/refresh/plan-refresh";
import { changedTypes } from "../../../../src/workbook/imports/saved/change-import";
import { importXml, parseImportXml } from "../../../../src/workbook/imports/saved/saved-import";
import type { TableForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { inTime } from "../../../excel/in-time";
import { pass, playExcel } from "../../../functions/excel";
import { fee, importedBook } from "../imported-book";
import { ahj, fee as amount, playImport, published, rule, type Said } from "../played-import";

/** Imports whose form shows a dash where the service has no value on record. */
playExcel();

const dash = "–";
const dashed: TableForm = { layout: "wide", hasCitations: false, hasDashes: true };
const changesIn = ({ changes }: RefreshReport) =>
  changes.map(({ place, before, after }) => [place.row, before?.value ?? null, after?.value ?? null]);
const editedIn = ({ edited }: RefreshReport) => edited.map(({ place, text }) => [place.row, text]);

/** A workbook with such an import of four jurisdictions, of which the second and the third have a fee. */
async function dashedBook(form = dashed) {
  const texts: (string | null)[] = [null, "$45", "$45", null];
  let ids: unknown[] = [];
  const book = await importedBook(
    (object) => {
      const { values, ahj: about } = object as { values?: Record<string, unknown>; ahj?: { id: number } };
      if (!values || !about || !(fee in values)) return;
      // Until the table stands there, the service has its own two fees.
      const row = ids.indexOf(about.id);
      const value = row < 0 ? values[fee] && "$45" : texts[row];
      values[fee] = value ? { value, reference: null, section: null } : null;
    },
    { form },
  );
  ids = book.excel.values("Fees!G2:G5").flat();
  return { ...book, texts, fees: () => book.excel.values("Fees!F2:F5").flat() };
}

describe("an import with dashes for no value", () => {
  it("shows them between its amounts, in cells that take a number that is typed over them", async () => {
    const { excel, fees } = await dashedBook();
    expect(fees()).toEqual([dash, 45, 45, dash]);
    expect(excel.cells("Fees!F2").flat()).toMatchObject([{ text: dash, numberFormat: "General" }]);
  });

  it("without the choice has blank cells, also after a refresh, and a dash that is typed there is an edit", async () => {
    const { excel, fees, refresh } = await dashedBook({ layout: "wide", hasCitations: false });
    expect(fees()[0]).toBe("");
    await refresh();
    expect(fees()[0]).toBe("");
    excel.enter("Fees!F3", [[dash]]);
    const { report } = await refresh();
    expect(editedIn(report)).toEqual([[1, dash]]);
    expect(fees()).toEqual(["", dash, 45, ""]);
  });

  it("keeps them in a refresh, which tells neither changes nor edits", async () => {
    const { fees, refresh } = await dashedBook();
    await refresh();
    const { report } = await refresh();
    expect(fees()).toEqual([dash, 45, 45, dash]);
    expect([changesIn(report), report.edited, report.unsure]).toEqual([[], [], []]);
  });

  it.each([["on this device"], ["on a colleague's device, which has kept no answers"]])(
    "replaces them by values and values by them, which are changes from and to no value: %s",
    async (where) => {
      const book = await dashedBook();
      await book.refresh();
      const other = where === "on this device" ? book : await book.reopened();
      book.texts.splice(0, 4, "$60", null, "$45", null);
      const { report } = await other.refresh();
      expect(other.excel.values("Fees!F2:F5").flat()).toEqual([60, dash, 45, dash]);
      expect(changesIn(report)).toEqual([
        [0, null, "$60"],
        [1, "$45", null],
      ]);
      expect([report.edited, report.unsure]).toEqual([[], []]);
      expect((await other.saved()).form.hasDashes).toBe(true);
    },
  );

  it("keeps what somebody types over one, and a dash that somebody types over a value", async () => {
    const { excel, fees, refresh } = await dashedBook();
    await refresh();
    excel.enter("Fees!F2:F3", [["ask them"], [dash]]);
    const { report } = await refresh();
    expect(fees()).toEqual(["ask them", dash, 45, dash]);
    expect(editedIn(report)).toEqual([
      [0, "ask them"],
      [1, dash],
    ]);
    expect(changesIn(report)).toEqual([]);
  });

  it("shows a dash again that somebody has cleared, and tells no edit", async () => {
    const { excel, fees, refresh } = await dashedBook();
    await refresh();
    excel.enter("Fees!F2", [[null]]);
    const { report } = await refresh();
    expect(fees()).toEqual([dash, 45, 45, dash]);
    expect([changesIn(report), report.edited]).toEqual([[], []]);
  });

  it("refreshes a single cell of it from a dash to a value", async () => {
    const { texts, fees, dependencies, saved, excel } = await dashedBook();
    texts[0] = "$60";
    await pass(1_000);
    const ahjId = Number(excel.values("Fees!G2")[0]?.[0]);
    const now = await saved();
    const change = await inTime(
      refreshCell(now, { asked: { ahjId, typeId: fee }, before: null }, dependencies),
    );
    expect(fees()).toEqual([60, 45, 45, dash]);
    expect(change).toMatchObject({ after: { value: "$60" } });
    expect(change.replaced).toEqual([]);
  });
});

describe("a dash", () => {
  const [alpha, beta] = [ahj(1, "Alpha"), ahj(2, "Beta")];
  const said: Said = { "1 10": published("$30"), "1 20": published("as adopted"), "2 20": published("none") };

  it("stands for no value alone: citations and dates beside it are blank", async () => {
    const form = { ...dashed, hasCitations: true, hasDates: true };
    const { rows } = await playImport({ ahjs: [alpha, beta], form, said });
    const [value, ...beside] = Object.entries(rows[1] ?? {}).filter(([header]) => header.startsWith("Fee"));
    expect(value).toMatchObject(["Fee ($)", { value: dash }]);
    expect(beside.map(([, { value: shown }]) => shown)).toEqual(["", "", ""]);
  });

  it.each(["unknown-type", "outside-subscription", "maybe-outside-subscription"] as const)(
    "is not made for an answer that the service does not give: %s",
    async (kind) => {
      const refused: Said = { ...said, "2 10": kind };
      const sheet = await playImport({ ahjs: [alpha, beta], form: dashed, said: refused });
      expect(sheet.cell(1, "Fee ($)").value).toBe("");
      const { report } = await sheet.refresh(refused);
      expect(sheet.cell(1, "Fee ($)").value).toBe("");
      expect(report.changes).toEqual([]);
      // A refresh that is told that there is no value says so in the cell, which is no news.
      const later = await sheet.refresh(said);
      expect(sheet.cell(1, "Fee ($)").value).toBe(dash);
      expect([later.report.changes, later.report.edited]).toEqual([[], []]);
    },
  );

  it("stays if the service no longer answers, and does not count as a value that was kept", async () => {
    const sheet = await playImport({ ahjs: [alpha, beta], form: dashed, said });
    const { report } = await sheet.refresh({
      ...said,
      "2 10": "outside-subscription",
      "2 20": "outside-subscription",
    });
    expect(sheet.cell(1, "Fee ($)").value).toBe(dash);
    expect(report.notRefreshed).toMatchObject([{ ahjId: 2, values: 1 }]);
  });

  it("comes with the columns and rows that a change of the import adds", async () => {
    const sheet = await playImport({ ahjs: [alpha], types: [rule], form: dashed, said });
    const gamma = ahj(3, "Gamma");
    await sheet.refresh(said, { change: { types: [rule, amount], newAhjs: [beta, gamma] } });
    expect(sheet.rows.map((row) => [row.Name?.value, row["Fee ($)"]?.value, row.Rule?.value])).toEqual([
      ["Alpha", 30, "as adopted"],
      ["Beta", dash, "none"],
      ["Gamma", dash, dash],
    ]);
  });

  it("is no text of a user's that is lost with a removed column; one typed over a value is", async () => {
    const sheet = await playImport({ ahjs: [alpha, beta], form: dashed, said });
    await sheet.refresh(said);
    const change = {
      types: changedTypes(sheet.saved, { types: [rule] }, sheet.headers).saved.types,
      newAhjs: [],
    };
    const untouched = await sheet.refresh(said, { change });
    expect(untouched.report.replaced).toEqual([]);
    const typed = await playImport({ ahjs: [alpha, beta], form: dashed, said });
    await typed.refresh(said);
    Object.assign(typed.cell(0, "Fee ($)"), { value: dash });
    const { report } = await typed.refresh(said, { change });
    expect(report.replaced).toMatchObject([{ text: dash }]);
  });

  it("is chosen in the form that a workbook stores, and an import that says nothing of it has none", async () => {
    const { saved } = await playImport({ ahjs: [alpha], form: dashed, said });
    expect(parseImportXml(importXml(saved))?.form).toEqual(dashed);
    const { hasDashes: _, ...plain } = dashed;
    expect(parseImportXml(importXml({ ...saved, form: plain }))?.form).toEqual(plain);
    expect(parseImportXml(importXml(saved).replace('"hasDashes":true', '"hasDashes":"yes"'))).toBeNull();
  });
});
