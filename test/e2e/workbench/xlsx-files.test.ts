import { readFile } from "node:fs/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { readXlsx } from "../../../workbench/files/read-xlsx";
import { newXlsx } from "../../../workbench/files/write-xlsx";
import { createDocument } from "../../../workbench/host/office-document";
import { createMemorySpreadsheet } from "../../../workbench/memory/memory-spreadsheet";
import { openWorkbookFile } from "../../../xlsx/workbook-file";
import { expectScreenHolds } from "../layout/screen-rule";
import { importFees } from "../imports/import-fees";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const addin = { id: "4f5a5cf8-1111-4111-8111-111111111111", namespace: "REGDATA", version: "1.0.0.0" };
const rect = (row: number, column: number, rows = 1, columns = 1) => ({ row, column, rows, columns });

/** A user's file with a part that no program here knows. */
function somebodysFile(): Uint8Array {
  const book = createMemorySpreadsheet();
  const [{ id } = { id: "" }] = book.sheets();
  book.writeNumberFormats(id, rect(0, 0), [["@"]]);
  book.writeFormulas(id, rect(0, 0, 2, 2), [
    ["06001", 1056],
    ["Fee", 1200.5],
  ]);
  book.writeNumberFormats(id, rect(1, 1), [['"$"#,##0.00']]);
  book.applyStyle(id, rect(1, 0), { fillColor: "#FFF2CC", bold: true });
  book.setColumnWidth(id, 0, 1, 180);
  book.freeze(id, { rows: 1, columns: 1 });
  book.merge(id, rect(19, 0, 1, 2));
  book.setLink(id, 1, 0, "https://example.org/fees");
  book.writeFormulas(id, rect(14, 0, 3, 2), [
    ["Place", "Days"],
    ["Alameda", 12],
    ["Berkeley", 7],
  ]);
  book.addTable({ sheetId: id, name: "Days", rect: rect(14, 0, 3, 2), style: "TableStyleLight9" });
  book.hideSheet(book.addSheet("Notes").id, true);
  const bytes = newXlsx({ contents: book.contents(), document: createDocument().save() }, addin).save();
  return zipSync({ ...unzipSync(bytes), "private/notes.xml": strToU8("<private>kept</private>") });
}

/** The contents of a file without the ids that its first saving gives it. */
function seen(bytes: Uint8Array) {
  const { contents } = readXlsx(openWorkbookFile(bytes), addin);
  const names = new Map(contents.sheets.map(({ id, name }) => [id, name]));
  return {
    sheets: contents.sheets.map(({ id: _, ...sheet }) => sheet),
    tables: contents.tables.map(({ id, sheetId, ...table }) => ({ ...table, id, sheet: names.get(sheetId) })),
  };
}

/** How many pixels of the grid have this color. */
function pixelsOf([red, green, blue]: readonly [number, number, number]): number {
  const canvases = [...document.querySelectorAll<HTMLCanvasElement>("#grid canvas")];
  return canvases.reduce((sum, canvas) => {
    if (canvas.width === 0 || canvas.height === 0) return sum;
    const data = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    let count = 0;
    for (let at = 0; at < data.length; at += 4)
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) count += 1;
    return sum + count;
  }, 0);
}

describe("a file opened in the workbench", () => {
  it("is saved with all that it held, and with formulas and an import that go on working in it", async () => {
    const bytes = somebodysFile();
    workbench = await openWorkbench();
    await workbench.openXlsx(bytes, "Somebody's.xlsx");
    expect(await workbench.saveXlsx()).toEqual(bytes);

    await workbench.setFormulas("Sheet1!A4", [["=REGDATA.VALUE(A1, B1)"]]);
    await workbench.setFormulas("Sheet1!A6", [['=REGDATA.MATRIX({"06001";"32003"}, {1056,1003})']]);
    const [[value = ""] = []] = await workbench.values("Sheet1!A4");
    const spilled = await workbench.values("Sheet1!A6:D8");
    expect(value).toBeTypeOf("number");
    expect(spilled.flat().filter((each) => each === "" || String(each).startsWith("#"))).toEqual([]);
    await importFees(workbench, ["06001", "32003"]);
    const [{ address } = { address: "" }] = (await workbench.tables()).filter(({ name }) => name !== "Days");
    const imported = await workbench.values(address);
    const saved = await workbench.saveXlsx();

    expect(unzipSync(saved)["private/notes.xml"]).toEqual(strToU8("<private>kept</private>"));
    const calls = openWorkbookFile(saved).customFunctions("REGDATA");
    expect(calls.map(({ state, storedText }) => [state, storedText])).toEqual([
      ["live", "_xldudf_REGDATA_VALUE(A1, B1)"],
      ["spilled", '_xldudf_REGDATA_MATRIX({"06001";"32003"}, {1056,1003})'],
    ]);
    const [before, after] = [seen(bytes), seen(saved)];
    for (const sheet of before.sheets) {
      const now = after.sheets.find(({ name }) => name === sheet.name)!;
      expect({ ...now, cells: now.cells.filter(({ row }) => row < 3 || row > 10) }).toEqual(sheet);
    }
    expect(after.tables).toContainEqual(before.tables[0]);

    workbench.requests.length = 0;
    await workbench.openXlsx(saved, "Somebody's.xlsx");
    expect(await workbench.values("Sheet1!A4")).toEqual([[value]]);
    expect(await workbench.values("Sheet1!A6:D8")).toEqual(spilled);
    expect(await workbench.values(address)).toEqual(imported);
    expect(workbench.requests).toEqual([]);
    expect(seen(await workbench.saveXlsx())).toEqual(after);

    await openTab(workbench, "In this workbook");
    await workbench.pane.getByRole("button", { name: "Refresh Minimum Permit Fee" }).click();
    await workbench.pane.getByText("Nothing has changed.").waitFor();
    expect(workbench.requests).toContain("POST /v1/reports/matrix");
    expect(await workbench.problems()).toEqual([]);
  });

  it("is chosen or dropped, downloaded under its name, and refused with a sentence while the workbook stays", async () => {
    workbench = await openWorkbench();
    const { page } = workbench;
    const alert = page.getByRole("alert");
    const choose = (name: string, content: Uint8Array) =>
      page.setInputFiles("#chosen-file", { name, mimeType: "", buffer: Buffer.from(content) });
    await workbench.setFormulas("A1", [["mine"]]);

    const file = somebodysFile();
    await choose("broken.xlsx", file.slice(0, 900));
    await expect.poll(() => alert.textContent()).toContain("The file is damaged");
    expect(await workbench.values("A1")).toEqual([["mine"]]);
    await workbench.setFormulas("A2", [["next"]]);
    await expect.poll(() => alert.count()).toBe(0);

    await page.evaluate(
      (content) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([Uint8Array.from(content)], "Fees.xlsm"));
        const target = document.querySelector("#grid canvas")!;
        for (const type of ["dragover", "drop"])
          target.dispatchEvent(
            new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }),
          );
      },
      [...file],
    );
    await expect.poll(() => workbench.values("A2")).toEqual([["Fee"]]);

    await page.setViewportSize({ width: 640, height: 800 });
    await page.evaluate(() => window.workbench.protect("Sheet1", true));
    const save = page.getByRole("button", { name: "Save as .xlsx" });
    await save.focus();
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    expect(download.suggestedFilename()).toBe("Fees.xlsm");
    expect(new Uint8Array(await readFile(await download.path()))).toEqual(file);
    await page.getByText("Fees.xlsm was saved without 1 sheet's protection.").waitFor();
  });

  it("shows a table in its style from the first moment, while Univer reads the cells of the new workbook alone", async () => {
    const book = createMemorySpreadsheet();
    const [{ id } = { id: "" }] = book.sheets();
    book.writeFormulas(id, rect(0, 0, 2, 1), [["Fee"], [300]]);
    // As an import's headers are: a style of their own, without a fill.
    book.applyStyle(id, rect(0, 0), { wrapText: true, verticalAlignment: "Top" });
    book.addTable({ sheetId: id, name: "Fees", rect: rect(0, 0, 2, 1), style: "TableStyleMedium2" });
    const bytes = newXlsx({ contents: book.contents(), document: createDocument().save() }, addin).save();
    workbench = await openWorkbench();
    const { page } = workbench;
    const thrown: string[] = [];
    page.on("pageerror", ({ message }) => thrown.push(message));
    await workbench.openXlsx(bytes);
    // The blue of Excel's theme, which the header of this style has.
    await expect
      .poll(() => page.evaluate(pixelsOf, [0x44, 0x72, 0xc4] as const), { timeout: 20_000 })
      .toBeGreaterThan(500);
    expect(thrown).toEqual([]);
  });

  it("shows #NAME? where it stores a formula by a wrong name, which Source explains and Repair all mends", async () => {
    const book = createMemorySpreadsheet();
    const [{ id } = { id: "" }] = book.sheets();
    const formula = '=REGDATA.VALUE("06001", 1003)';
    book.writeFormulas(id, rect(0, 0, 2, 1), [[formula], [formula]]);
    const bytes = newXlsx({ contents: book.contents(), document: createDocument().save() }, addin).save();
    const parts = unzipSync(bytes);
    const sheet = "xl/worksheets/sheet1.xml";
    const xml = strFromU8(parts[sheet]!).replaceAll("_xldudf_REGDATA_VALUE", "REGDATA.VALUE");
    workbench = await openWorkbench();
    await workbench.openXlsx(zipSync({ ...parts, [sheet]: strToU8(xml) }));
    expect(await workbench.values("A1:A2")).toEqual([["#NAME?"], ["#NAME?"]]);

    await openTab(workbench, "Source");
    await workbench.select("A1");
    await workbench.pane.getByText(/choose RegData again under Home > Add-ins > My Add-ins/).waitFor();
    await openTab(workbench, "In this workbook");
    await workbench.pane.getByText("2 RegData cells stuck at #NAME? or #BUSY!").waitFor();
    await expectScreenHolds(workbench.page);
    await workbench.pane.getByRole("button", { name: "Repair all" }).click();
    await workbench.pane.getByText("2 stuck cells repaired.").waitFor();
    const repaired = await workbench.values("A1:A2");
    expect(repaired.flat().filter((value) => value === "" || String(value).startsWith("#"))).toEqual([]);
    const calls = openWorkbookFile(await workbench.saveXlsx()).customFunctions("REGDATA");
    expect(calls.map(({ state }) => state)).toEqual(["live", "live"]);
  });
});
