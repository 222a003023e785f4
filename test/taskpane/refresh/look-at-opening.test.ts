import { describe, expect, it } from "vitest";
import type { Ahj } from "../../../src/engine/api/schemas";
import { lookAtOpening } from "../../../src/taskpane/refresh/opening/look-at-opening";
import { openingSentence } from "../../../src/taskpane/refresh/opening/opening-sentence";
import { createImportBook, type KeptImport } from "../../../src/workbook/imports/saved/import-book";
import { createOpeningChoice } from "../../../src/workbook/imports/saved/opening-choice";
import { placeImport } from "../../../src/workbook/imports/run/place-import";
import { plainForm } from "../../../src/workbook/sheet/layout/table-plan";
import { inTime } from "../../excel/in-time";
import { type ExcelOptions, openExcel, type SavedFile } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";

playExcel();

const { signal } = new AbortController();

/** A file with one import for each list of geoIDs, as the service answered before the month in which rules change. */
async function importedFile(...lists: string[][]): Promise<SavedFile> {
  const excel = openExcel({ month: "before" });
  const session = await inTime(excel.app.session());
  const types = (await inTime(session.lookup.catalogue.types())).slice(0, 40);
  for (const geoids of lists) {
    const found = await inTime(session.lookup.directory.resolve(geoids));
    const ahjs = [...found.values()].filter((each): each is Ahj => "id" in each);
    const order = { question: { kind: "matrix" as const, ahjs, types }, form: plainForm, hasSources: false };
    const { workbook } = excel.app;
    const destination = { kind: "new-sheet" as const, name: geoids[0]! };
    await inTime(placeImport({ ...order, sheetName: geoids[0]! }, destination, { workbook, session }, {}));
  }
  const file = excel.save();
  excel.close();
  return file;
}

async function openLater(file: SavedFile, options: ExcelOptions = {}) {
  const excel = openExcel({ file, month: "after", ...options });
  const session = await inTime(excel.app.session());
  return { ...excel, look: () => inTime(lookAtOpening(excel.app, session, signal)) };
}

const counties = ["06001", "06037", "06059"];

describe("a workbook that looks for changes when it is opened", () => {
  it("counts what a refresh would change, and writes nothing", async () => {
    const { look, save, requests } = await openLater(await importedFile(counties, ["32003"]));
    const before = JSON.stringify(save());
    const news = await look();
    expect(news).toMatchObject({ looked: 2, skipped: 0, unanswered: 0, failure: undefined });
    expect(news.changes).toBeGreaterThan(0);
    expect(JSON.stringify(save())).toBe(before);
    expect(requests.filter((request) => request.includes("matrix"))).toHaveLength(2);
  });

  it("says that nothing was confirmed for a key that covers none of it", async () => {
    const { look } = await openLater(await importedFile(counties), { key: "demo-none" });
    const news = await look();
    expect(news).toMatchObject({ looked: 0, changes: 0, unanswered: 1 });
    expect(openingSentence(news)).toBe("Nothing was confirmed for 1 import: the service gave no answer.");
  });

  it("sends at most 20 requests, whatever an import's part says of its last run", async () => {
    const { app, look, requests } = await openLater(await importedFile(["32003"], ["32005"]), {
      // Each matrix is refused until it asks about one question alone, which takes 40 requests an import.
      async intercept(request) {
        if (!request.url.includes("matrix")) return undefined;
        const asked = (await request.clone().json()) as { data_point_type_ids: number[] };
        const isTooLarge = asked.data_point_type_ids.length > 1;
        return isTooLarge ? Response.json({ detail: "too many types" }, { status: 422 }) : undefined;
      },
    });
    const book = createImportBook(app.workbook);
    for (const { saved } of (await inTime(book.list())).imports as KeptImport[])
      await inTime(book.update(saved.id, { lastRun: { ...saved.lastRun, rows: 0, values: 0 } }));
    const before = requests.length;
    expect(await look()).toMatchObject({ looked: 0, skipped: 2, failure: undefined });
    expect(requests.length - before).toBeLessThanOrEqual(20);
  });

  it("looks at a small import whose part claims to be large", async () => {
    const { app, look } = await openLater(await importedFile(["32003"]));
    const book = createImportBook(app.workbook);
    const [{ saved }] = (await inTime(book.list())).imports as [KeptImport];
    await inTime(book.update(saved.id, { lastRun: { ...saved.lastRun, rows: 10_001 } }));
    expect(await look()).toMatchObject({ looked: 1, skipped: 0 });
  });

  it("says that it could not ask, in the failure's own words", async () => {
    const file = await importedFile(["32003"]);
    const { look } = await openLater(file, {
      intercept: (request) =>
        request.url.includes("matrix") ? Response.json({}, { status: 503 }) : undefined,
    });
    const news = await look();
    expect(news).toMatchObject({ looked: 0, changes: 0 });
    expect(openingSentence(news)).toMatch(/^Not everything could be checked\. /);
  });
});

describe("the choice to look for changes at opening", () => {
  it("travels with the workbook, and has Excel load the add-in with it", async () => {
    const loads: boolean[] = [];
    const setLoads = (wanted: boolean) => Promise.resolve(void loads.push(wanted));
    const author = openExcel();
    const choice = createOpeningChoice(author.app.workbook, setLoads);
    expect(await inTime(choice.read())).toBe(false);
    await inTime(choice.set(true));
    const file = author.save();
    author.close();
    const there = createOpeningChoice(openExcel({ file }).app.workbook, setLoads);
    expect(await inTime(there.read())).toBe(true);
    await inTime(there.set(false));
    expect(await inTime(there.read())).toBe(false);
    expect(loads).toEqual([true, false]);
  });

  it("is not saved if Excel does not take it", async () => {
    const { app } = openExcel();
    const choice = createOpeningChoice(app.workbook, () => Promise.reject(new Error("no shared runtime")));
    await expect(inTime(choice.set(true))).rejects.toThrow("no shared runtime");
    expect(await inTime(choice.read())).toBe(false);
  });
});
