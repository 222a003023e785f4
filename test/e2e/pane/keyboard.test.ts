import { afterAll, afterEach, describe, expect, it } from "vitest";
import { closeBrowser, openWorkbench, sampleClient, type Workbench, workbenchUrl } from "../open-workbench";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const screen = () => workbench.pane.getByRole("tabpanel");
const shows = (text: string | RegExp) => screen().getByText(text).first().waitFor();
const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => workbench.page.keyboard.press(key)), Promise.resolve());

/** The role and name of the focused control in the pane, as a screen reader says them; empty if the focus is lost. */
async function focused(): Promise<string> {
  const element = workbench.pane.locator("body :focus");
  if ((await element.count()) === 0) return "";
  const [line = ""] = (await element.first().ariaSnapshot()).split("\n");
  // The title of a part that opens has no role of its own here.
  const [, title] = /^- text: (.+)$/.exec(line) ?? [];
  return /^- '?([a-z]+ "[^"]+")/.exec(line)?.[1] ?? (title ? `summary "${title}"` : `no name: ${line}`);
}

const expectFocus = (expected: RegExp) => expect.poll(focused, { timeout: 5_000 }).toMatch(expected);

/**
 * Presses the key until the wanted control has the focus; each control on the way must have a name. A control that disappears hands the
 * focus on a moment later (`use-kept-focus.ts`), which a busy machine stretches, so that the focus is waited for.
 */
async function goTo(wanted: RegExp, key: "Tab" | "Shift+Tab" = "Tab") {
  const passed: string[] = [];
  for (let steps = 0; steps < 30; steps += 1) {
    let now = "";
    await expect
      .poll(async () => (now = await focused()), { timeout: 5_000, message: passed.join("\n") })
      .toMatch(/^[a-z]+ "/);
    if (wanted.test(now)) return;
    passed.push(now);
    await press(key);
  }
  throw new Error(`${wanted} can't be reached: ${passed.join("\n")}`);
}

/** Puts the focus on the pane, as Excel's F6 does; the workbench has no such key, but a control before the pane. */
async function enterPane() {
  await screen().waitFor();
  await workbench.page.locator("#pane-close").focus();
  await press("Tab");
}

const connectForm = () => workbench.pane.getByLabel("Service address");

describe("by keyboard alone", () => {
  it("fees are imported, replaced, refreshed, inspected and forgotten; a control that disappears hands the focus to one near it", async () => {
    const client = sampleClient();
    const { data: ahj } = await client.resolveGeoid({ geoid: "06001" });
    const { data } = await client.matrix({ ahj_ids: [ahj.id], data_point_type_ids: [1056] });
    const cell = data.rows[0]?.values[1056];
    workbench = await openWorkbench({ key: null });
    const { page } = workbench;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await connectForm().waitFor();
    await page.locator("#pane-close").focus();
    await press("Tab");
    await goTo(/^textbox "Service address"/);
    await page.keyboard.type(workbenchUrl());
    await press("Tab");
    await page.keyboard.type("demo-national");
    await press("Enter");
    await screen().waitFor();
    await expectFocus(/^tab "Get data"/);
    // The user has read the question that the dialog asks.
    await goTo(/^button "OK"/);
    await press("Enter");

    await workbench.setFormulas("A1:A2", [["mine"], ["mine"]]);
    await goTo(/^button "Paste a list"/);
    await press("Enter");
    await goTo(/^textbox "Names or geoIDs/);
    await page.keyboard.type("06001 06037");
    await goTo(/^button "Add the list"/);
    await press("Enter");
    await shows("2 jurisdictions chosen");
    await expectFocus(/^button "Use selected cells"/);
    await goTo(/^button "Next: Which questions"/);
    await press("Enter");
    await shows("0 questions chosen");
    await goTo(/^combobox "Search questions"/);
    await page.keyboard.type("1056");
    await workbench.pane.getByRole("menuitemcheckbox", { name: /\(1056\)/ }).waitFor();
    await press("ArrowDown", "Enter");
    // The next typed text replaces the first one.
    await page.keyboard.type("105");
    expect(await screen().getByRole("combobox", { name: "Search questions" }).inputValue()).toBe("105");
    await press("Escape");
    await goTo(/^button "Other ways to insert"/);
    await press("Enter");
    await workbench.pane.getByRole("menuitem", { name: "Insert at the selected cell" }).waitFor();
    await press("Enter");
    await shows(/^This would overwrite/);
    await expectFocus(/^button "Cancel"/);
    await goTo(/^button "Overwrite"/);
    await press("Enter");
    await shows(/Inserted: 2 jurisdictions, 2 values/);
    await expectFocus(/^button "/);

    // One import replaces another: the control that chooses it stays in its place.
    await goTo(/^button "Where in the workbook/, "Shift+Tab");
    await press("Enter");
    await workbench.pane.getByRole("combobox", { name: "Place" }).waitFor();
    await goTo(/^combobox "Place"/);
    await press("ArrowDown", "ArrowDown");
    await shows(/will be replaced/);
    await goTo(/^button "Replace the import"/);
    await press("Enter");
    await screen()
      .getByText(/will be replaced/)
      .waitFor({ state: "hidden" });
    await shows(/Inserted: 2 jurisdictions, 2 values/);
    await expectFocus(/^button "Insert/);

    await goTo(/^tab "Get data"/, "Shift+Tab");
    await press("ArrowRight", "Enter");
    await shows("CA Minimum Permit Fee");
    await goTo(/^button "More for CA Minimum Permit Fee"/);
    await press("Enter", "ArrowDown", "Enter");
    await expectFocus(/^textbox "Name"/);
    await page.keyboard.type("Fees");
    await press("Enter");
    await expectFocus(/^button "More for Fees"/);

    await page.route(/\/v1\/(reports\/matrix|data-points)/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replaceAll(`"${cell?.value}"`, '"$9,999"');
      await route.fulfill({ response: answer, body });
    });
    await goTo(/^button "Refresh Fees"/, "Shift+Tab");
    await press("Enter");
    await shows("1 value changed.");
    await expectFocus(/^button "Refresh Fees"/);
    // The listed change leads to its cell.
    await goTo(/^button "Alameda County, CA: /);
    await press("Enter");
    await expectFocus(/^button "Alameda County, CA: /);
    await goTo(/^tab "In this workbook"/, "Shift+Tab");
    await press("ArrowRight");
    await expectFocus(/^tab "Source"/);
    await press("Enter");
    for (const text of [/E2$/, "$9,999", "Alameda County, CA (county, 06001)", cell?.section ?? ""])
      await shows(text);
    await expectFocus(/^tab "Source"/);
    await goTo(/^button "Copy citation"/);
    await press("Enter");
    await shows("Copied");
    await expectFocus(/^button "Copy citation"/);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain("Alameda County, CA (county, 06001): Minimum Permit Fee: $9,999. ");
    expect(copied).toContain(`Source: ${cell?.reference}, ${cell?.section} (`);

    // A user who goes on in the sheet during the refresh keeps the focus there.
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route("**/v1/reports/matrix", async (route) => {
      await held;
      await route.fallback();
    });
    await goTo(/^tab "Source"/, "Shift+Tab");
    await press("ArrowLeft", "Enter");
    await goTo(/^button "Refresh Fees"/);
    await press("Enter");
    await goTo(/^button "Cancel"/);
    await page.locator("#pane-close").focus();
    answer();
    await shows("Nothing has changed.");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("pane-close");

    await enterPane();
    await goTo(/^button "More for Fees"/);
    await press("Enter", "End", "Enter");
    await shows(/None yet/);
    await expectFocus(/^button "Help for this screen"/);
    expect(await workbench.problems()).toEqual([]);
  });
});
