import { afterAll, afterEach, describe, expect, it } from "vitest";
import { importNamespace } from "../../../src/workbook/imports/saved/saved-import";
import { expectScreenHolds } from "../layout/screen-rule";
import { importedFile } from "../imports/import-fees";
import { closeBrowser, type OpenOptions, openWorkbench, type Workbench } from "../open-workbench";
import { openTab, type Tab } from "../pane-steps";

let opened: Workbench | undefined;
afterEach(() => opened?.close());
afterAll(closeBrowser);

const key = "demo-national";
/** A saved file, as far as these tests change it. */
interface File {
  document: { customXmlParts: [id: string, xml: string][] };
}

/** Opens the workbench for the next user, whose browser has stored nothing of the user before. */
async function open(options: OpenOptions) {
  expect(await opened?.problems()).toBeOneOf([undefined, []]);
  await opened?.close();
  const workbench = (opened = await openWorkbench(options));
  // A mouse that rests on the pane makes it ask for the catalogue.
  await workbench.page.mouse.move(0, 0);
  return {
    workbench,
    screen: workbench.pane.getByRole("tabpanel"),
    openTab: (name: Tab) => openTab(workbench, name),
    file: async () => (await workbench.page.evaluate(() => window.workbench.save())) as File,
    formulas: (address: string) => workbench.page.evaluate((at) => window.workbench.getFormulas(at), address),
    async openFile(file: File) {
      await workbench.page.evaluate((saved) => window.workbench.open(saved), file as unknown);
      workbench.requests.length = 0;
    },
  };
}

describe("a workbook that is handed on", () => {
  it("is prepared: formulas frozen, sources written, a key in a cell found; a colleague goes on with it", async () => {
    const imported = (await importedFile()) as File;
    const author = await open({ key });
    await author.openFile(imported);
    const { workbench, screen } = author;
    const formula = '=REGDATA.VALUE("06001",1056)';
    await workbench.setFormulas("Sheet1!A1", [[formula]]);
    await workbench.setFormulas("Sheet1!C7", [[`written down: ${key}`]]);
    const [[fee]] = (await workbench.values("Sheet1!A1")) as [[number]];
    const [table] = await workbench.tables();
    const [sheet = ""] = table?.address.split("!") ?? [];
    await author.openTab("In this workbook");
    await screen.getByRole("checkbox", { name: /Show colleagues which connection/ }).check();
    await screen.getByRole("button", { name: "Refresh Minimum Permit Fee" }).click();
    await screen.getByText("Nothing has changed.").waitFor();

    await screen.getByRole("button", { name: "Prepare to share…" }).click();
    const live = screen.getByRole("list", { name: "Still connected to RegData" });
    await live.getByText(/^1 formula:/).waitFor();
    await live.getByText(/^1 import:.*Minimum Permit Fee/).waitFor();
    workbench.requests.length = 0;
    await screen.getByRole("checkbox", { name: /Add a Sources sheet/ }).check();
    await screen.getByRole("button", { name: "Prepare", exact: true }).click();
    const places = screen.getByRole("list", { name: "Where your key is" }).getByRole("listitem");
    await places.first().waitFor();
    expect(await places.allTextContents()).toEqual([
      expect.stringMatching(/^Sheet1!C7 has the key of .*: delete it\.$/),
    ]);
    expect(await workbench.pane.locator("body").innerText()).not.toContain(key);
    await screen.getByText("Not ready yet").waitFor();
    await screen.getByText("1 formula frozen: the cells hold plain values now.").waitFor();
    await screen.getByText(/The Sources sheet was not written yet\./).waitFor();
    expect(workbench.requests).toEqual([]);
    expect(await author.formulas("Sheet1!A1")).toEqual([[fee]]);
    await expectScreenHolds(author.workbench.page);

    await places.first().getByRole("button").click();
    await workbench.setFormulas("Sheet1!C7", [[""]]);
    for (const time of ["first", "second"]) {
      await screen.getByRole("button", { name: "Prepare", exact: true }).click();
      await screen.getByText(/^No key found in/).waitFor();
      await screen.getByText("Ready to share", { exact: true }).waitFor();
      await screen.getByText(/The sources of 3 values are at Sources!A1:I4/).waitFor();
      const sources = await workbench.values("Sources!A2:H5");
      const cells = [2, 3, 4].map((row) => `${sheet}!E${row}`);
      expect([time, ...sources.map(([cell]) => cell)]).toEqual([time, ...cells, ""]);
      expect(sources[0]?.[1]).toMatch(/, CA$/);
    }
    expect(workbench.requests).toEqual([]);
    expect(await screen.getByText(/RegData never checks/).innerText()).toMatch(
      /notes, comments, document properties.*data validation.*connections, macros/,
    );
    await screen.getByRole("button", { name: "Include last-known values" }).click();
    await screen.getByText("Nothing was written: this workbook's formulas are frozen.").waitFor();
    await screen.getByText(/^Frozen formulas need none/).waitFor();
    const file = await author.file();
    expect(JSON.stringify(file)).not.toContain(key);

    const colleague = await open({ key: "demo-county" });
    await colleague.openFile(file);
    const before = await colleague.workbench.values(`${sheet}!A1:F4`);
    await colleague.openTab("In this workbook");
    await colleague.screen.getByText(/refreshed just now by (127\.0\.0\.1|localhost)/).waitFor();
    expect(colleague.workbench.requests).toEqual([]);
    await colleague.screen.getByRole("button", { name: "Refresh Minimum Permit Fee" }).click();
    await colleague.screen.getByText(/3 rows.*; 2 jurisdictions could not be checked/).waitFor();
    expect(await colleague.workbench.values(`${sheet}!A1:F4`)).toEqual(before);
    // Nobody is named: the colleague has not allowed the workbook to tell their name.
    await colleague.screen.getByText(/refreshed just now \(/).waitFor();
    await colleague.openTab("In this workbook");
    await colleague.screen.getByRole("button", { name: "Prepare to share…" }).click();
    await colleague.screen.getByText(/^1 frozen formula:/).waitFor();
    await colleague.screen.getByRole("button", { name: "Unfreeze" }).click();
    await colleague.screen.getByText("1 formula brought back.").waitFor();
    expect(await colleague.formulas("Sheet1!A1")).toEqual([[formula]]);
    await colleague.screen.getByRole("button", { name: "Back" }).click();
    await colleague.screen.getByRole("button", { name: "Count" }).waitFor();
    expect(await colleague.workbench.problems()).toEqual([]);
  });

  it("from another service is refreshed from the connected one only when the user says so; until then its values stay", async () => {
    const file = structuredClone((await importedFile()) as File);
    const author = await open({ key });
    const foreign = "https://elsewhere.example/data";
    const later = `<import xmlns="${importNamespace}">{"version":2}</import>`;
    file.document.customXmlParts = file.document.customXmlParts.map(([id, xml]) => [
      id,
      xml.replace(/"service":"[^"]*"/, `"service":"${foreign}"`),
    ]);
    file.document.customXmlParts.push(["{LATER}", later]);
    const elsewhere: string[] = [];
    author.workbench.page.on("request", (request) => {
      if (request.url().includes("elsewhere")) elsewhere.push(request.url());
    });

    await author.openFile(file);
    const { screen, workbench } = author;
    await author.openTab("In this workbook");
    await screen.getByText(/A later version of RegData wrote it/).waitFor();
    await screen.getByRole("button", { name: "Refresh Minimum Permit Fee" }).click();
    await screen.getByText(`Minimum Permit Fee came from ${foreign}.`, { exact: false }).waitFor();
    await expectScreenHolds(author.workbench.page);
    await screen.getByRole("button", { name: "Not now" }).click();
    await screen.getByRole("button", { name: "Not now" }).waitFor({ state: "detached" });
    expect([...workbench.requests, ...elsewhere]).toEqual([]);
    expect((await author.file()).document.customXmlParts).toEqual(file.document.customXmlParts);

    await workbench.page.evaluate(() => window.workbench.press("RegData.RefreshAll"));
    await screen.getByRole("button", { name: "Refresh from my connection" }).click();
    await screen.getByText("Nothing has changed.").waitFor();
    expect(workbench.requests).toEqual(["POST /v1/reports/matrix"]);
    await screen.getByRole("button", { name: "Refresh Minimum Permit Fee" }).click();
    await expect.poll(() => workbench.requests).toHaveLength(2);
    expect(elsewhere).toEqual([]);

    const hasLater = async () =>
      (await author.file()).document.customXmlParts.some(([, xml]) => xml === later);
    expect(await hasLater()).toBe(true);
    await screen.getByRole("button", { name: "Forget the saved import 1" }).click();
    await expect.poll(hasLater).toBe(false);
    expect(await workbench.problems()).toEqual([]);
  });
});
