import { afterAll, afterEach, describe, expect, it } from "vitest";
import { formulaValue } from "../../../src/workbook/sheet/values/cell-value";
import { expectScreenHolds } from "../layout/screen-rule";
import { importedFile, importedGeoids } from "../imports/import-fees";
import { closeBrowser, type OpenOptions, openWorkbench, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";
import { ahjsOf, sample } from "../sample-answers";

let opened: Workbench | undefined;
afterEach(() => opened?.close());
afterAll(closeBrowser);

/** Opens the workbench for the next colleague, whose browser has stored nothing of the one before. */
async function somebody(options?: OpenOptions): Promise<Workbench> {
  expect(await opened?.problems()).toBeOneOf([undefined, []]);
  await opened?.close();
  opened = await openWorkbench(options);
  // A mouse that rests on the pane makes it ask for the catalogue.
  await opened.page.mouse.move(0, 0);
  return opened;
}

const screenOf = ({ pane }: Workbench) => pane.getByRole("tabpanel");
const save = ({ page }: Workbench) => page.evaluate(() => window.workbench.save());
const open = (workbench: Workbench, file: unknown) => {
  workbench.requests.length = 0;
  return workbench.page.evaluate((saved) => window.workbench.open(saved), file);
};

const [first = "", second = ""] = importedGeoids;
const ahjs = await ahjsOf([first, second]);

/** The answers of both counties to the first 60 questions. */
const typeIds = Array.from({ length: 60 }, (_, at) => 1001 + at);
const { data } = await sample.matrix({ ahj_ids: ahjs.map(({ id }) => id), data_point_type_ids: typeIds });
const answer = (ahjId: number | undefined, typeId: number) =>
  data.rows.find(({ ahj }) => ahj.id === ahjId)?.values[typeId]?.value;
const values = ahjs.map(({ id }) => formulaValue(answer(id, 1056) ?? "", "USD"));
/** Two questions to which the second county has no answer: a formula shows an error. */
const unanswered = typeIds.filter((typeId) => !answer(ahjs[1]?.id, typeId)).slice(0, 2);

/** Writes, beside the import, formulas of its first two counties and three cells in error. */
async function write(author: Workbench) {
  await author.setFormulas(
    "Sheet1!A4:A5",
    unanswered.map((typeId) => [`=REGDATA.VALUE("${second}", ${typeId})`]),
  );
  await author.setFormulas(
    "Sheet1!A1:A3",
    [first, second, "4899999"].map((geoid) => [`=REGDATA.VALUE("${geoid}", 1056)`]),
  );
  await author.values("Sheet1!A1:A3");
}

async function tableIn(workbench: Workbench) {
  const [table] = await workbench.tables();
  if (!table) throw new Error("there is no table");
  return { sheet: table.address.split("!")[0] ?? "", cells: await workbench.values(table.address) };
}

describe("a workbook at a colleague's", () => {
  it("keeps its values; with a smaller subscription it is refreshed as far as that reaches", async () => {
    const imported = await importedFile();
    const author = await somebody();
    await open(author, imported);
    await write(author);
    const { sheet, cells } = await tableIn(author);
    const errors = ["#N/A", "#N/A", "#N/A"];
    const file = await save(author);
    expect(JSON.stringify(file)).not.toMatch(/demo-national|urn:regdata:values/);

    const opener = await somebody({ key: "demo-county" });
    // Excel recalculates only the cells that were saved in an error: the first time in one request, the next time from the cache.
    for (const requests of [
      ["GET /v1/geoid/06073", "GET /v1/geoid/4899999", "POST /v1/reports/matrix"],
      [],
    ]) {
      await open(opener, file);
      expect((await opener.values("Sheet1!A1:A5")).flat()).toEqual([...values, ...errors]);
      expect([...opener.requests].sort()).toEqual(requests);
      expect((await tableIn(opener)).cells).toEqual(cells);
    }

    // A refresh asks with the opener's own rights.
    await openTab(opener, "In this workbook");
    const formulas = screenOf(opener);
    await formulas.getByLabel("Formulas in").selectOption({ label: "the workbook" });
    await formulas.getByRole("button", { name: "Refresh", exact: true }).click();
    await formulas
      .getByText(/^1 formula would show an error instead of its value\. .*outside your subscription/)
      .waitFor();
    await formulas.getByRole("button", { name: "Show the error" }).click();
    await formulas.getByText(/5 formulas refreshed\. 1 value changed\./).waitFor();
    expect((await opener.values("Sheet1!A1:A5")).flat()).toEqual(["#N/A", values[1], ...errors]);
    expect(await opener.errorMessage("Sheet1!A1")).toMatch(/outside your subscription/);

    await opener.setFormulas(`${sheet}!E2:E3`, [["last year's"], ["last year's"]]);
    await openTab(opener, "In this workbook");
    const imports = screenOf(opener);
    await imports.getByRole("button", { name: "Refresh Minimum Permit Fee" }).click();
    await imports
      .getByText(
        /^2 of 3 could not be checked: outside your subscription\. Their rows and 2 values stay, as of /,
      )
      .waitFor();
    await imports.getByText("Not checked", { exact: true }).click();
    await imports.getByText(`${ahjs[0]?.name}: This jurisdiction is outside your subscription.`).waitFor();
    // A text that a user has typed stays, and is listed with the service's answer.
    expect((await opener.values(`${sheet}!E2:E3`)).flat()).toEqual(["last year's", "last year's"]);
    await imports.getByRole("region", { name: "Edited cells" }).waitFor();
    expect(await opener.problems()).toEqual([]);
  });

  it("shows last known values without a key where its author lets them travel, and says of when", async () => {
    const author = await somebody();
    await author.setFormulas("B1", [["06073"]]);
    await author.setFormulas("A1:A5", [
      ['=REGDATA.VALUE("06001", 1056)'],
      ["=REGDATA.VALUE(B1, 1056)"],
      ['=REGDATA.VALUE("4899999", 1056)'],
      ['=REGDATA.VALUE("06001", 1056, "status")'],
      ["=ROWS(REGDATA.UNITS())"],
    ]);
    await author.values("A1:A5");
    const without = await save(author);
    await openTab(author, "In this workbook");
    await author.pane.getByRole("button", { name: "Prepare to share…" }).click();
    const section = author.pane.getByRole("region", { name: "Last-known values in this file" });
    author.requests.length = 0;
    await section.getByRole("button", { name: "Include last-known values" }).click();
    await section.getByText("Done: 2 answers in the workbook.").waitFor();
    await section.getByText(/2 answers of .+ included \(about 1 kB\)/).waitFor();
    const left = section.getByRole("list", { name: "left out" }).getByRole("listitem");
    expect(await left.allTextContents()).toEqual(["Sheet1!A5 =ROWS(REGDATA.UNITS())"]);
    await expectScreenHolds(author.page);
    expect(author.requests).toEqual([]);
    const file = await save(author);
    expect(JSON.stringify(file)).toContain("urn:regdata:values");
    expect(JSON.stringify(file)).not.toContain("demo-national");

    await section.getByRole("button", { name: "Remove" }).click();
    await section.getByText(/^None included\./).waitFor();
    expect(JSON.stringify(await save(author))).not.toContain("urn:regdata:values");

    const keyless = await somebody({ key: null });
    await open(keyless, file);
    const today = await keyless.page.evaluate(() =>
      new Date().toLocaleDateString(undefined, { dateStyle: "medium" }),
    );
    await keyless.pane
      .getByText(`Formulas can show the author's values of ${today}. Connect to refresh them.`)
      .waitFor();
    await expectScreenHolds(keyless.page);
    const recalculated = () =>
      keyless.page.evaluate(() => {
        const cells = window.workbench.getFormulas("A1:A4");
        window.workbench.setFormulas("A1:A4", cells);
      });
    expect((await keyless.values("A1:A4")).flat()).toEqual([...values, "#N/A", "ok"]);
    await recalculated();
    expect((await keyless.values("A1:A4")).flat()).toEqual([...values, "#N/A", "old answer"]);
    expect(await keyless.errorMessage("A3")).toMatch(/no last-known value.* Connect in the RegData pane/);
    expect(keyless.requests).toEqual([]);

    // The answers do not travel if the author forbids it, or if they cannot be read.
    const damaged = JSON.parse(
      JSON.stringify(file).replace('\\"version\\":1,\\"atMs', '\\"version\\":2,\\"atMs'),
    ) as { document: object };
    for (const [other, line] of [
      [without, /^1 formula is without an answer\. Connect to ask the service\.$/],
      [damaged, /^1 formula is without an answer\. .* can't be read/],
    ] as const) {
      await open(keyless, other);
      await keyless.pane.getByText(line).waitFor();
      expect((await keyless.values("A1:A2")).flat()).toEqual(values);
    }
    await recalculated();
    expect((await keyless.values("A1:A2")).flat()).toEqual(["#N/A", "#N/A"]);
    expect(await keyless.errorMessage("A1")).toMatch(/Connect in the RegData pane/);
    expect(keyless.requests).toEqual([]);
    expect(await save(keyless)).toMatchObject({ document: damaged.document });
    expect(await keyless.problems()).toEqual([]);
  });
});
