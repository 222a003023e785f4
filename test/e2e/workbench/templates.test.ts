import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { templates } from "../../../src/workbook/templates/templates";
import { cellReference, openWorkbookFile, type SheetFile } from "../../../xlsx/workbook-file";
import { createPlayer } from "../../command/played-io";
import { expectScreenHolds } from "../layout/screen-rule";
import { pasteGeoids } from "../imports/import-steps";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openStep, openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const geoids = ["06001", "06037", "48201"];

/** A template's sheet as the command writes it, with the values of its formulas. */
async function fileOf(folder: string, id: string, takes: "one" | "many" | "states") {
  const where = { one: geoids.slice(0, 1), many: geoids, states: [] }[takes];
  const path = join(folder, `${id}.xlsx`);
  const words = ["template", id, "-o", path, ...(where.length > 0 ? ["--where", ...where] : [])];
  const { code, told } = await createPlayer(folder)(words);
  expect([code, told]).toEqual([10, ""]);
  return new Uint8Array(await readFile(path));
}

/** The values by address; blank cells and empty texts are left out, since they look alike. */
function valuesOf(sheet: SheetFile): Map<string, unknown> {
  return new Map(
    [...sheet.cells()].flatMap(({ row, column, value }) =>
      value === null || value === "" ? [] : [[cellReference(row, column), value] as const],
    ),
  );
}

/** Excel with data types gets a date as a number; a file keeps the published text. */
function withDates([address, value]: [string, unknown]): [string, unknown] {
  const isDay = typeof value === "string" && /^(\d{4}-\d\d-\d\d|[A-Z][a-z]+ \d+, \d{4}$)/.test(value);
  if (!isDay) return [address, typeof value === "number" ? Math.round(value * 1e6) / 1e6 : value];
  const ms = Date.parse(value.includes("-") ? value : `${value} UTC`);
  return [address, Math.round((ms / 86_400_000 + 25_569) * 1e6) / 1e6];
}

it("templates of the pane hold what Excel calculates and the command writes, and are saved with their print areas", async () => {
  const folder = await mkdtemp(join(tmpdir(), "regdata-"));
  try {
    workbench = await openWorkbench();
    await openTab(workbench, "Get data");
    await pasteGeoids(workbench, geoids);
    await openStep(workbench, "Templates");
    const { pane } = workbench;
    for (const { name } of templates) {
      await pane.getByRole("button", { name: `Insert: ${name}` }).click();
      await pane.getByText(`Inserted on the sheet “${name}”.`).waitFor();
    }
    await expectScreenHolds(workbench.page);
    const sheets = new Map<string, Map<string, unknown>>();
    for (const { name } of templates) await workbench.values(`'${name}'!A1`);
    const saved = openWorkbookFile(await workbench.saveXlsx());
    for (const sheet of saved.sheets) sheets.set(sheet.name, valuesOf(sheet));
    for (const { id, name, jurisdictions } of templates) {
      const bytes = await fileOf(folder, id, jurisdictions);
      const file = openWorkbookFile(bytes);
      const own = saved.sheets.find((sheet) => sheet.name === name)!;
      const written = valuesOf(file.sheets[0]!);
      expect([name, new Map([...sheets.get(name)!].map(withDates))]).toEqual([
        name,
        new Map([...written].map(withDates)),
      ]);
      expect(own.printSetup).toEqual(file.sheets[0]!.printSetup);
      const printed = (book: typeof file) =>
        book.definedNames.filter(({ sheet }) => sheet === name).map(({ formula }) => formula);
      expect(printed(saved)).toEqual(printed(file));
      // The pane's answers are cached: opening the file sends no request.
      workbench.requests.length = 0;
      await workbench.openXlsx(bytes, `${id}.xlsx`);
      await workbench.values("A1");
      const [again] = openWorkbookFile(await workbench.saveXlsx()).sheets;
      expect([name, new Map([...valuesOf(again!)].map(withDates))]).toEqual([
        name,
        new Map([...written].map(withDates)),
      ]);
      expect(workbench.requests.filter((request) => request.startsWith("POST"))).toEqual([]);
    }
    expect(await workbench.problems()).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
