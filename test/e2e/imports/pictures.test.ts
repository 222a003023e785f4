import { afterAll, afterEach, describe, expect, it } from "vitest";
import { paneViolations } from "../axe";
import { expectScreenHolds } from "../layout/screen-rule";
import { pasteGeoids, toggleType } from "./import-steps";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

/** Counties of two states, one that the map lacks, a town inside another county, and a state. */
const geoids = ["06001", "06037", "06059", "06073", "32003", "09003", "09001", "0900190000", "06"];

describe("the pictures of an import", () => {
  it("are seen and heard, by state and on a map, with mouse and keyboard, and in all colors", async () => {
    workbench = await openWorkbench();
    const { page, pane } = workbench;
    const screen = pane.getByRole("tabpanel");
    await pasteGeoids(workbench, geoids);
    await toggleType(workbench, 1056);
    await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
    await screen.getByText(/Inserted: 9 jurisdictions/).waitFor();
    await page.evaluate(() => {
      const frame = document.getElementById("pane");
      if (frame) frame.style.width = "320px";
    });
    await page.setViewportSize({ width: 480, height: 900 });
    // 09003 is an old county: Connecticut now has planning regions instead.
    const [header = []] = await workbench.texts("A1:G1");
    const geoidColumn = "ABCDEFG"[header.indexOf("geoID")];
    const places = await workbench.texts(`${geoidColumn}2:${geoidColumn}10`);
    const row = 2 + places.findIndex(([geoid]) => geoid === "09003");
    await workbench.setFormulas(`${geoidColumn}${row}`, [["09110"]]);

    await openTab(workbench, "In this workbook");
    workbench.requests.length = 0;
    await screen.getByText("Summary", { exact: true }).click();
    await screen.getByRole("table", { name: "How many jurisdictions have which amount" }).waitFor();

    // The pane follows the selected row.
    const alameda = 2 + places.findIndex(([geoid]) => geoid === "06001");
    await workbench.select(`A${alameda}`);
    await screen.getByText(/^Selected row: .*, Alameda County$/).waitFor();

    await screen.locator("summary", { hasText: /^By state$/ }).press("Enter");
    const states = screen.getByRole("table", { name: /by state$/ });
    await states.waitFor();
    expect(await states.getByRole("rowheader").allTextContents()).toEqual(["CA", "CT", "NV"]);
    expect(await states.getByRole("row", { name: /^NV/ }).getByRole("cell").last().textContent()).toBe("1");

    await screen.locator("summary", { hasText: /^Map$/ }).press("Enter");
    const map = screen.getByRole("img", { name: /^Map of 6 counties/ });
    await map.waitFor();
    await screen.getByText(/Not on the map.*: 1 state, 1 city or town\.$/).waitFor();
    const lacking = screen.getByRole("table", { name: "Counties without a shape" });
    expect(await lacking.getByRole("row").last().textContent()).toContain("CT");

    // Namesakes are told apart by their states, and the legend counts counties.
    const listed = screen.getByRole("combobox", { name: "County" }).getByRole("option");
    await expect
      .poll(() => listed.allTextContents())
      .toContainEqual(expect.stringMatching(/^Clark County, NV: /));
    expect(
      await screen.getByRole("list", { name: "Legend" }).getByRole("listitem").first().textContent(),
    ).toMatch(/: \d+ count(y|ies)$/);

    // By mouse: the county under it is named above the map, and a click leads to its row.
    const clark = map.locator('[data-geoid="32003"]');
    await clark.hover();
    const told = screen.getByText(/^Clark County, NV: /).and(screen.locator("span"));
    await told.waitFor();
    const [line, drawing] = [await told.boundingBox(), await map.boundingBox()];
    expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual(drawing?.y ?? 0);
    await clark.click();
    await screen.getByText(/^Selected row: .*, Clark County$/).waitFor();

    await page.mouse.move(0, 0);
    // By keyboard: states and counties are lists.
    const stateList = screen.getByRole("combobox", { name: "State" });
    await stateList.selectOption({ label: "CA" });
    const county = screen.getByRole("combobox", { name: "County" });
    await county.focus();
    await county.press("A");
    await screen
      .getByText(/^Alameda County, CA: /)
      .and(screen.locator("span"))
      .waitFor();
    await screen.getByRole("button", { name: "Go to its row" }).press("Enter");
    await screen.getByText(/^Selected row: .*, Alameda County$/).waitFor();

    for (const media of [
      { colorScheme: "light", forcedColors: "none" },
      { colorScheme: "dark", forcedColors: "none" },
      { colorScheme: "dark", forcedColors: "active" },
    ] as const) {
      await page.emulateMedia(media);
      expect(await paneViolations(page)).toEqual([]);
    }

    await stateList.selectOption({ label: "All" });
    // The map goes into the sheet, described in words.
    await screen.getByRole("button", { name: "Insert map" }).press("Enter");
    await screen.getByText("Inserted on Map.").waitFor();
    const [picture] = await page.evaluate(() => window.workbench.pictures());
    expect(picture?.sheet).toBe("Map");
    expect(picture?.altText).toMatch(
      /^Map of counties, colored by their own answers to .*\. .*: \d+ count(y|ies)/,
    );
    await page.getByRole("img", { name: picture?.altText }).waitFor();
    await screen.getByRole("button", { name: "Show as table" }).press("Enter");
    const table = screen.getByRole("table", { name: /^Counties, / });
    expect(await table.getByRole("rowheader").count()).toBe(6);
    await expectScreenHolds(page);
    expect(workbench.requests).toEqual([]);
    expect(await workbench.problems()).toEqual([]);
  });
});
