import { describe, expect, it } from "vitest";
import { openCache } from "../../../../src/engine/cache/cache";
import { createDisk } from "../../../../src/engine/cache/store";
import { editedSentences } from "../../../../src/workbook/imports/refresh/edited-sentences";
import { refreshCell } from "../../../../src/workbook/imports/refresh/refresh-cell";
import type { RefreshReport } from "../../../../src/workbook/imports/refresh/plan-refresh";
import { takeServiceValues } from "../../../../src/workbook/imports/refresh/take-service-values";
import { importXml } from "../../../../src/workbook/imports/saved/saved-import";
import { plainForm, type TableForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { ahj, fee, playImport, playLookup, published, rule, type Said } from "../played-import";

const [alpha, beta, gamma] = [ahj(1, "Alpha"), ahj(2, "Beta"), ahj(3, "Gamma")];
const said: Said = {
  "1 10": published("$30"),
  "1 20": published("as adopted"),
  "2 10": published("$40"),
  "2 20": published("none"),
};
const cited: TableForm = { layout: "wide", hasCitations: true };
const anotherDevice = () => openCache(createDisk({}), "another").documents;
type Sheet = Awaited<ReturnType<typeof imported>>;

/** An import that was refreshed once on this device, so that the workbook has digests of its cells. */
async function imported(more: Partial<Parameters<typeof playImport>[0]> = {}) {
  const sheet = await playImport({ ahjs: [alpha, beta], said, ...more });
  await sheet.refresh(said);
  return sheet;
}
const type = (sheet: Sheet, row: number, header: string, value: unknown) =>
  Object.assign(sheet.cell(row, header), { value });
const editedIn = ({ edited }: RefreshReport) =>
  edited.map(({ place, text, part, after }) => [
    place.row,
    place.header,
    text,
    after?.[part as "value" | "reference"] ?? null,
  ]);
const changesIn = ({ changes }: RefreshReport) =>
  changes.map(({ place, before, after }) => [place.row, place.header, before?.value, after?.value]);
const unsureIn = ({ unsure }: RefreshReport) =>
  unsure.map(({ place, before, after }) => [place.row, place.header, before?.value, after?.value]);
const nothing = { changes: [], edited: [], unsure: [] };

describe("a cell of an import that somebody typed into", () => {
  it("is kept and listed on its own, with what the service says, and is no change", async () => {
    const sheet = await imported();
    type(sheet, 0, "Rule", "2019 IBC");
    const { report } = await sheet.refresh(said);
    expect(sheet.cell(0, "Rule").value).toBe("2019 IBC");
    expect(editedIn(report)).toEqual([[0, "Rule", "2019 IBC", "as adopted"]]);
    expect([report.changes, report.unsure]).toEqual([[], []]);
    const again = await sheet.refresh(said);
    expect(editedIn(again.report)).toEqual([[0, "Rule", "2019 IBC", "as adopted"]]);
  });

  it("is kept when the service's answer changes, which is reported as well, once", async () => {
    const sheet = await imported();
    type(sheet, 0, "Fee ($)", 29);
    const dearer = { ...said, "1 10": published("$31"), "2 10": published("$41") };
    const { report } = await sheet.refresh(dearer);
    expect(sheet.rows.map((row) => row["Fee ($)"]?.value)).toEqual([29, 41]);
    expect(editedIn(report)).toEqual([[0, "Fee ($)", "29", "$31"]]);
    expect(changesIn(report)).toEqual([
      [0, "Fee ($)", "$30", "$31"],
      [1, "Fee ($)", "$40", "$41"],
    ]);
    expect((await sheet.refresh(dearer)).report).toMatchObject({ changes: [], edited: [{ text: "29" }] });
  });

  it("is told with what the service said before, or that it has changed where nobody knows that", async () => {
    const sheet = await imported();
    type(sheet, 0, "Fee ($)", 29);
    type(sheet, 1, "Fee ($)", "");
    type(sheet, 0, "Rule", "2019 IBC");
    const dearer = { ...said, "1 10": published("$31"), "2 10": published("$41") };
    const sentencesOf = ({ edited }: RefreshReport) => edited.map(editedSentences);
    const { documents } = sheet.excel;
    sheet.excel.documents = anotherDevice();
    expect(sentencesOf((await sheet.refresh(dearer)).report)).toEqual([
      "Edited to “29”. The service changed this: now “$31”.",
      "Cleared. The service changed this: now “$41”.",
      "Edited to “2019 IBC”. The service says “as adopted”.",
    ]);
    expect(sentencesOf((await sheet.refresh(dearer)).report)[0]).toBe(
      "Edited to “29”. The service says “$31”.",
    );
    sheet.excel.documents = documents;
    expect(sentencesOf((await sheet.refresh(dearer)).report)[0]).toBe(
      "Edited to “29”. The service changed: “$30” → “$31”.",
    );
  });

  it("is recognized on another device, too, and after its row and column have moved", async () => {
    const sheet = await imported();
    type(sheet, 1, "Fee ($)", "ask Ann");
    sheet.rows.reverse();
    sheet.headers.reverse();
    sheet.excel.documents = anotherDevice();
    const { report } = await sheet.refresh({ ...said, "1 10": published("$31") });
    expect(sheet.rows.map((row) => row["Fee ($)"]?.value)).toEqual(["ask Ann", 31]);
    expect(editedIn(report)).toEqual([[0, "Fee ($)", "ask Ann", "$40"]]);
    // The old value is the service's for certain, but only as the cell showed it: its published text is not known.
    expect(changesIn(report)).toEqual([[1, "Fee ($)", "$30", "$31"]]);
  });

  it("is kept if it was cleared, and if it holds a citation", async () => {
    const sheet = await imported({ form: cited });
    type(sheet, 0, "Rule", "");
    type(sheet, 1, "Fee: Reference", "see Ann");
    const { report } = await sheet.refresh(said);
    expect(editedIn(report)).toEqual([
      [1, "Fee: Reference", "see Ann", "Code"],
      [0, "Rule", "", "as adopted"],
    ]);
    expect(report).toMatchObject({ changes: [], unsure: [], replaced: [] });
  });

  it("counts as the service's again if it shows the service's answer", async () => {
    const sheet = await imported();
    type(sheet, 0, "Fee ($)", 31);
    const dearer = { ...said, "1 10": published("$31") };
    expect((await sheet.refresh(dearer)).report).toMatchObject({ edited: [], unsure: [] });
    expect(changesIn((await sheet.refresh({ ...said, "1 10": published("$32") })).report)).toEqual([
      [0, "Fee ($)", "$31", "$32"],
    ]);
  });

  it("stays known while the service does not give its row's answers", async () => {
    const sheet = await imported();
    type(sheet, 0, "Fee ($)", 29);
    await sheet.refresh({ ...said, "1 10": "outside-subscription" });
    sheet.excel.documents = anotherDevice();
    expect(editedIn((await sheet.refresh(said)).report)).toEqual([[0, "Fee ($)", "29", "$30"]]);
  });

  it("is recognized in a long table", async () => {
    const sheet = await imported({ form: { layout: "long", hasCitations: false } });
    type(sheet, 2, "Value", "mine");
    const { report } = await sheet.refresh({ ...said, "1 10": published("$31") });
    expect(editedIn(report)).toEqual([[2, "Value", "mine", "$40"]]);
    expect(changesIn(report)).toEqual([[0, "Value", "$30", "$31"]]);
  });

  it("is recognized by this device's record of the last run if the workbook has no digest of it", async () => {
    const sheet = await imported();
    // Pretends that the import has more cells than digests are kept of.
    for (const [id, xml] of sheet.parts.parts)
      sheet.parts.parts.set(id, xml.replace(/"ahjIds":.*"\}\]/, '"ahjIds":[],"columns":[]'));
    type(sheet, 0, "Fee ($)", 29);
    const { report } = await sheet.refresh({ ...said, "2 10": published("$41") });
    expect(editedIn(report)).toEqual([[0, "Fee ($)", "29", "$30"]]);
    expect(changesIn(report)).toEqual([[1, "Fee ($)", "$40", "$41"]]);
  });
});

describe("a cell whose writer is not known", () => {
  it("is updated, and listed on its own", async () => {
    const sheet = await playImport({ ahjs: [alpha, beta], said });
    type(sheet, 0, "Fee ($)", 29);
    type(sheet, 1, "Rule", "");
    const { report } = await sheet.refresh(said);
    expect(sheet.rows.map((row) => row["Fee ($)"]?.value)).toEqual([30, 40]);
    expect(unsureIn(report)).toEqual([[0, "Fee ($)", "$29", "$30"]]);
    // A blank cell had no text of any user.
    expect(changesIn(report)).toEqual([[1, "Rule", undefined, "none"]]);
  });

  it("is every changed cell if an earlier build has refreshed since", async () => {
    const sheet = await imported();
    // The workbook has noted the import's run, and its values are in the sheet.
    type(sheet, 0, "Fee ($)", 31);
    const lastRun = { ...sheet.saved.lastRun, atMs: sheet.saved.lastRun.atMs + 1_000 };
    // That build writes of an import only what it knows.
    for (const id of sheet.parts.parts.keys())
      sheet.parts.parts.set(id, importXml({ ...sheet.saved, lastRun }));
    const now = playLookup({ ...said, "1 10": published("$32") });
    const { report } = await sheet.refreshFrom(now, {}, { lastRun });
    expect([editedIn(report), unsureIn(report)]).toEqual([[], [[0, "Fee ($)", "$31", "$32"]]]);
  });
});

describe("the add-in's own cells are never taken for a user's", () => {
  const dearer: Said = { ...said, "1 10": published("$31"), "2 10": published("$41") };
  const dearest: Said = { ...said, "1 10": published("$32"), "2 10": published("$42") };

  /** A refresh that dies when Excel has written some of its cells: none of the later steps happens. */
  async function die(sheet: Sheet, now: Said, writes: (row: number, header: string) => boolean, change = {}) {
    const { edit } = sheet.tables;
    await new Promise<void>((resolve) => {
      sheet.tables.edit = async (id, given, options) => {
        const updates = given.updates.filter(({ row, header }) => writes(row, header));
        await edit(id, { ...given, updates }, options);
        resolve();
        return new Promise(() => undefined);
      };
      void sheet.refresh(now, change);
    });
    sheet.tables.edit = edit;
  }

  it.each([
    ["all of its cells", () => true],
    ["one of its cells", (row: number) => row === 1],
    ["none of its cells", () => false],
  ])("after a refresh that died with %s written, wherever the next one runs", async (_, writes) => {
    for (const documents of [undefined, anotherDevice()]) {
      const sheet = await imported();
      await die(sheet, dearer, writes);
      if (documents) sheet.excel.documents = documents;
      type(sheet, 0, "Rule", "mine");
      const { report } = await sheet.refresh(dearest);
      expect(sheet.rows.map((row) => row["Fee ($)"]?.value)).toEqual([32, 42]);
      expect(editedIn(report)).toEqual([[0, "Rule", "mine", "as adopted"]]);
      expect(report).toMatchObject({ unsure: [], changes: [{ ahj: { id: 1 } }, { ahj: { id: 2 } }] });
    }
  });

  it("after a refresh that died before its cells' digests could be kept, where only this device knows more", async () => {
    const sheet = await imported();
    sheet.parts.excel.refuses = (xml) => xml.includes('"after"');
    await die(sheet, dearer, () => true);
    sheet.parts.excel.refuses = () => false;
    const { report } = await sheet.refresh(dearest);
    expect(report.edited).toEqual([]);
    expect(unsureIn(report)).toEqual([
      [0, "Fee ($)", "$31", "$32"],
      [1, "Fee ($)", "$41", "$42"],
    ]);
  });

  it("after a refresh that failed and was taken back, whether the workbook or this device tells", async () => {
    for (const documents of [undefined, anotherDevice()]) {
      const sheet = await imported();
      const { edit } = sheet.tables;
      sheet.tables.edit = () => Promise.reject(new Error("refused"));
      await expect(sheet.refresh(dearer)).rejects.toThrow("refused");
      sheet.tables.edit = edit;
      if (documents) sheet.excel.documents = documents;
      // If the refresh had gone on, this text would be the service's.
      type(sheet, 0, "Fee ($)", 31);
      const { report } = await sheet.refresh(dearest);
      expect(editedIn(report)).toEqual([[0, "Fee ($)", "31", "$32"]]);
      expect(report.unsure).toEqual([]);
    }
  });

  it("if they are blank cells of columns and rows that were being added", async () => {
    const hours = { id: 30, name: "Hours", unit_of_measure: "" };
    const now: Said = { ...said, "1 30": published("8 to 4"), "3 10": published("$50") };
    const sheet = await imported();
    const change = { types: [fee, rule, hours], newAhjs: [gamma] };
    await die(sheet, now, (_, header) => header === "AHJ ID", { change });
    const begun = { columns: ["Hours"], rows: [{ ahj: gamma, typeId: null }] };
    const { report } = await sheet.refresh(now, { change, begun });
    expect(sheet.rows.map((row) => [row["Fee ($)"]?.value, row.Hours?.value ?? ""])).toEqual([
      [30, "8 to 4"],
      [40, ""],
      [50, ""],
    ]);
    expect(report).toMatchObject(nothing);
  });

  it("after a refresh on another device, however little this one knows of it", async () => {
    const sheet = await imported();
    const { documents } = sheet.excel;
    sheet.excel.documents = anotherDevice();
    await sheet.refresh(dearer);
    sheet.excel.documents = documents;
    const { report } = await sheet.refresh(dearest);
    expect([report.edited, report.unsure]).toEqual([[], []]);
    expect(changesIn(report)).toEqual([
      [0, "Fee ($)", "$31", "$32"],
      [1, "Fee ($)", "$41", "$42"],
    ]);
  });

  it("after one answer was refreshed alone", async () => {
    const sheet = await imported();
    const { lookup } = playLookup(dearer);
    const asked = { ahjId: 1, typeId: 10 };
    const { tables, documents, book } = sheet;
    await refreshCell(sheet.saved, { asked, before: null }, { tables, documents, book, lookup });
    expect(sheet.rows.map((row) => row["Fee ($)"]?.value)).toEqual([31, 40]);
    for (const device of [documents, anotherDevice()]) {
      sheet.excel.documents = device;
      type(sheet, 1, "Fee ($)", "mine");
      const { report } = await sheet.refresh(dearest);
      expect(editedIn(report)).toEqual([[1, "Fee ($)", "mine", "$42"]]);
      expect(report.unsure).toEqual([]);
    }
  });

  it("if a value begins with an apostrophe, is a date, a percentage, true or has many lines", async () => {
    const types = [
      { id: 10, name: "Text", unit_of_measure: "" },
      { id: 20, name: "Day", unit_of_measure: "date" },
      { id: 30, name: "Share", unit_of_measure: "percent" },
      { id: 40, name: "Needed", unit_of_measure: "boolean" },
    ];
    const then: Said = {
      "1 10": published("'tis\r\nso"),
      "1 20": published("2026-01-02"),
      "1 30": published("7%"),
      "1 40": published("yes"),
    };
    const now: Said = {
      "1 10": published("=so"),
      "1 20": published("2026-01-03"),
      "1 30": published("8%"),
      "1 40": published("no"),
    };
    const sheet = await imported({ ahjs: [alpha], types, said: then });
    sheet.excel.documents = anotherDevice();
    const { report } = await sheet.refresh(now);
    expect([report.edited, report.unsure, report.changes.length]).toEqual([[], [], 4]);
  });
});

describe("the service's value, put back over a user's text", () => {
  async function edited() {
    const sheet = await imported({ form: { ...plainForm, hasCitations: true } });
    type(sheet, 0, "Fee ($)", 29);
    type(sheet, 1, "Fee ($)", "mine");
    type(sheet, 1, "Rule: Section", "");
    const { report, saved } = await sheet.refresh(said);
    const { tables, documents, book } = sheet;
    // The workbook has noted that run.
    const refresh = async (now: Said) =>
      (await sheet.refreshFrom(playLookup(now), {}, { lastRun: saved.lastRun })).report;
    return { sheet, report, saved, refresh, dependencies: { tables, documents, book } };
  }

  it("is that of the last refresh; all other edits stay listed, and nothing is asked", async () => {
    const { sheet, report, saved, refresh, dependencies } = await edited();
    const [first] = report.edited;
    const after = await takeServiceValues(saved, { report, cells: first ? [first] : [] }, dependencies);
    expect(sheet.rows.map((row) => row["Fee ($)"]?.value)).toEqual([30, "mine"]);
    expect(editedIn(after)).toEqual([
      [1, "Fee ($)", "mine", "$40"],
      [1, "Rule: Section", "", "1"],
    ]);
    expect(editedIn(await refresh(said))).toEqual(editedIn(after));
  });

  it("is put into all edited cells, which count as the service's from then on, on any device", async () => {
    const { sheet, report, saved, refresh, dependencies } = await edited();
    expect((await takeServiceValues(saved, { report, cells: report.edited }, dependencies)).edited).toEqual(
      [],
    );
    expect(sheet.rows.map((row) => [row["Fee ($)"]?.value, row["Rule: Section"]?.value])).toEqual([
      [30, "1"],
      [40, "1"],
    ]);
    sheet.excel.documents = anotherDevice();
    const next = await refresh({ ...said, "2 10": published("$41") });
    expect(next).toMatchObject({ edited: [], unsure: [], replaced: [] });
  });

  it("leaves a cell that shows yet another text by then, and says so", async () => {
    const { report, saved, refresh, dependencies } = await edited();
    const place = report.edited[0]!.place;
    const tables = {
      ...dependencies.tables,
      edit: () =>
        Promise.resolve({
          ...{ changedCells: [place], missingCells: [], missingColumns: [], changedColumns: [] },
          notesOfOthers: { kept: [], replaced: [] },
        }),
    };
    const after = await takeServiceValues(
      saved,
      { report, cells: report.edited.slice(0, 1) },
      {
        ...dependencies,
        tables,
      },
    );
    expect(after.changedMeanwhile).toEqual([place]);
    expect(editedIn(after)).toEqual(editedIn(report));
    expect(editedIn(await refresh(said))).toEqual(editedIn(report));
  });
});
