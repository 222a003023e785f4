import type { Frame } from "@playwright/test";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { copyAside, paneViolations, showCopies } from "../axe";
import { closeBrowser, openWorkbench, sampleClient, type Workbench, workbenchUrl } from "../open-workbench";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const looks = {
  light: { colorScheme: "light", forcedColors: "none" },
  dark: { colorScheme: "dark", forcedColors: "none" },
  "high contrast": { colorScheme: "dark", forcedColors: "active" },
} as const;

const screen = () => workbench.pane.getByRole("tabpanel");
const button = (name: string | RegExp) => screen().getByRole("button", { name });
const shows = (text: string | RegExp) => screen().getByText(text).first().waitFor();
const openTab = (name: string) => workbench.pane.getByRole("tab", { name, exact: true }).click();

async function narrow(): Promise<Frame> {
  await workbench.page.evaluate(() => {
    const pane = document.getElementById("pane");
    if (pane) pane.style.width = "320px";
  });
  const frame = workbench.page.frames().find((candidate) => candidate.url().includes("taskpane"));
  if (!frame) throw new Error("there is no pane");
  return frame;
}

/** What somebody could not read, reach or hear of what the pane shows. */
function flaws() {
  const isShown = (element: Element) => element.getClientRects().length > 0;
  const { scrollWidth, clientWidth } = document.documentElement;
  const sideways = scrollWidth > clientWidth ? [`${scrollWidth} px wide in ${clientWidth}`] : [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small: string[] = [];
  while (texts.nextNode()) {
    const { parentElement: parent, textContent } = texts.currentNode;
    const size = parent ? parseFloat(getComputedStyle(parent).fontSize) : 0;
    if (parent && isShown(parent) && textContent?.trim() && size < 12)
      small.push(`${size} px: ${textContent}`);
  }
  const isNamed = (element: HTMLElement) => {
    if (element.hasAttribute("aria-label")) return true;
    const ids = element.getAttribute("aria-labelledby")?.split(" ") ?? [];
    // What a button holds is its name; what a field or a list holds is not.
    const isHolder = element.matches("input, select, textarea, ul");
    const own = isHolder ? ((element as HTMLInputElement).labels ?? []) : [element];
    const texts = [...ids.map((id) => document.getElementById(id)), ...own].map((one) => one?.textContent);
    return texts.join("").trim() !== "";
  };
  const controls = "a[href], button, input, select, textarea, [tabindex]";
  const nameless = [...document.querySelectorAll<HTMLElement>(controls)]
    .filter(({ tabIndex, dataset }) => tabIndex >= 0 && !("tabsterDummy" in dataset))
    .filter((element) => isShown(element) && !isNamed(element))
    .map((element) => element.outerHTML);
  return { sideways, small, nameless };
}

function borderOf(element: Element) {
  const { borderTopStyle: style, borderTopColor } = getComputedStyle(element);
  return { style, isSeen: borderTopColor !== getComputedStyle(document.body).backgroundColor };
}

describe("every screen", () => {
  it("can be read, reached and heard at 320 pixels, in light, dark and high contrast", async () => {
    const { data: ahj } = await sampleClient().resolveGeoid({ geoid: "06001" });
    const { data } = await sampleClient().matrix({ ahj_ids: [ahj.id], data_point_type_ids: [1056] });
    const fee = data.rows[0]?.values[1056]?.value ?? "";
    workbench = await openWorkbench({ key: null });
    const { page, pane } = workbench;
    const frame = await narrow();
    await page.setViewportSize({ width: 480, height: 900 });
    const found: unknown[] = [];
    const check = async (state: string) => {
      found.push(
        ...(await paneViolations(page, "#pane", "all but contrast")).map((violation) => ({
          state,
          violation,
        })),
      );
      await copyAside(page);
      const { sideways, small, nameless } = await frame.evaluate(flaws);
      if (sideways.length + small.length + nameless.length > 0)
        found.push({ state, sideways, small, nameless });
    };

    await pane.getByLabel("Service address").waitFor();
    await pane.getByText("Copy diagnostics").waitFor();
    await check("connect");
    await pane.getByLabel("Service address").fill("http://service.example");
    await pane.getByLabel("API key").fill("demo-national");
    await pane.getByRole("button", { name: "Connect" }).click();
    await pane.getByText(/Only https/).waitFor();
    await check("connect, refused");
    await pane.getByLabel("Service address").fill(workbenchUrl());
    await pane.getByRole("button", { name: "Connect" }).click();

    await button("Paste a list").waitFor();
    await check("Matrix, empty");
    await openTab("Imports");
    await shows(/None yet/);
    await check("Imports, none");
    await openTab("Cell");
    await shows(/Select a cell/);
    await check("Cell, empty");

    await openTab("Matrix");
    await button("Paste a list").click();
    await screen()
      .getByRole("textbox")
      .last()
      .fill("6001\nBaldwin County\nTravis County, TX\nNowhere County\n48999\n6001.5");
    await button("Add the list").click();
    const question = screen().getByRole("combobox", { name: /Which “Baldwin County”/ });
    await question.waitFor();
    await check("Matrix, asked about a name");
    await question.selectOption({ label: "Baldwin County, GA · county · 13009" });
    await button("Add this one").click();
    await shows("3 jurisdictions chosen");
    const search = screen().getByRole("combobox", { name: "Search data point types" });
    for (const type of ["1056", "1003"]) {
      await search.click();
      await search.fill(type);
      await pane.getByRole("menuitemcheckbox", { name: new RegExp(`\\(${type}\\)`) }).click();
      await search.press("Escape");
    }
    await shows(/4 rows × \d+ columns/);
    await check("Matrix, chosen");
    await workbench.setFormulas("B3", [["County"], [6001], ["'06037"], [""], ["'48999"]]);
    await workbench.setFormulas("D5", [["mine"]]);
    await workbench.select("B1:B20");
    await button("Beside my list").click();
    await button("Fill in").waitFor();
    await check("Matrix, beside a list");
    await button("Fill in").click();
    await shows("There are cells in the way");
    await check("Matrix, cells in the way");
    await button("Leave them").click();
    await button("Insert on a new sheet").click();
    await shows(/3 jurisdictions with/);
    await shows(/^Not matched/);
    await screen().locator("summary", { hasText: "Not matched" }).click();
    await check("Matrix, inserted");
    // In high contrast no background tells a tag from the page: it needs its border.
    const tag = screen().getByRole("list", { name: "Chosen jurisdictions" }).getByRole("listitem").first();
    await page.emulateMedia(looks["high contrast"]);
    expect(await tag.evaluate(borderOf)).toEqual({ style: "solid", isSeen: true });
    await page.emulateMedia(looks.light);

    await openTab("Collection");
    const collections = screen().getByRole("combobox", { name: "Collection" });
    await expect.poll(() => collections.locator("option").count()).toBeGreaterThan(1);
    await collections.selectOption("Residential solar");
    await shows(/^It (lists|takes)/);
    await screen().locator("summary").first().click();
    await check("Collection, chosen");

    await openTab("Imports");
    await button("Refresh 3 jurisdictions, 2 questions").waitFor();
    await check("Imports, one");
    await page.route(/\/v1\/(reports\/matrix|data-points)/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replaceAll(`"${fee}"`, '"$9,999"'),
      });
    });
    await button("Refresh 3 jurisdictions, 2 questions").click();
    await shows(/values? changed\./);
    await screen().getByText("Summary", { exact: true }).click();
    await screen().getByRole("list", { name: "Summary of 3 jurisdictions, 2 questions" }).waitFor();
    await check("Imports, refreshed");
    await button("Rename 3 jurisdictions, 2 questions").click();
    await button("Change 3 jurisdictions, 2 questions").click();
    await button("Apply").waitFor();
    await check("Imports, changing one");

    await openTab("Cell");
    await workbench.select("'3 jurisdictions, 2 questions'!E2");
    await button("Copy citation").waitFor();
    await check("Cell, of an import");
    await button("Insert as formula").click();
    await shows("Select the cell where the formula goes.");
    await check("Cell, formula to place");
    await button("Cancel").click();
    await workbench.setFormulas("Sheet1!J1", [['=REGDATA.MATRIX({"06037";"06001"}, {1003,1056})']]);
    await workbench.setFormulas("Sheet1!J5", [['=REGDATA.VALUE("48999", 1056)']]);
    await workbench.values("Sheet1!J1:N5");
    await workbench.select("Sheet1!L2");
    await button("Go to the formula").waitFor();
    await check("Cell, of a formula");
    await button("Refresh this").click();
    await shows("Unchanged.");
    await check("Cell, refreshed");
    await workbench.select("Sheet1!J2");
    await shows("Sheet1!J2");
    await check("Cell, of a jurisdiction's name");
    await workbench.select("Sheet1!J5");
    await shows(/no jurisdiction with this geoID/);
    await check("Cell, in error");
    await workbench.select("Sheet1!L2");
    await button("Go to the formula").waitFor();
    await button("Change the formula").click();
    await button("Use the selected cell").waitFor();
    await check("Cell, building a formula");
    await button("Close").click();

    await openTab("Formulas");
    await button("Unfreeze").waitFor();
    await check("Formulas, nothing done");
    await screen().getByLabel("Formulas in").selectOption({ label: "the workbook" });
    await screen().getByRole("button", { name: "Refresh", exact: true }).click();
    await shows(/formulas? refreshed/);
    await check("Formulas, refreshed");
    await screen().getByRole("button", { name: "Freeze", exact: true }).click();
    await shows(/formulas? frozen/);
    await check("Formulas, frozen");

    await openTab("Settings");
    await button("Add a connection…").click();
    await button("Clear…").click();
    await check("Settings");

    // What was shown in all these states at once: each change of the look costs as much as a state.
    await showCopies(page);
    for (const [look, media] of Object.entries(looks)) {
      await page.emulateMedia(media);
      found.push(
        ...(await paneViolations(page, "#pane", "contrast")).map((violation) => ({ look, violation })),
      );
    }
    expect(found).toEqual([]);
  }, 240_000);
});
