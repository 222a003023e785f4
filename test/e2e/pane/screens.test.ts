import { afterAll, afterEach, describe, expect, it } from "vitest";
import { copyAside, paneFrame, paneViolations, showCopies } from "../axe";
import { closeBrowser, openWorkbench, sampleClient, type Workbench, workbenchUrl } from "../open-workbench";
import { flawsByLook } from "../layout/screen-rule";
import { pasteGeoids, toggleType } from "../imports/import-steps";
import {
  openJurisdictions,
  openStep,
  openTab,
  pressMore,
  questionSearch,
  runCollection,
  takeMyList,
} from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const colors = {
  light: { colorScheme: "light", forcedColors: "none" },
  dark: { colorScheme: "dark", forcedColors: "none" },
  "high contrast": { colorScheme: "dark", forcedColors: "active" },
} as const;

const screen = () => workbench.pane.getByRole("tabpanel");
const button = (name: string | RegExp) => screen().getByRole("button", { name });
const shows = (text: string | RegExp) => screen().getByText(text).first().waitFor();

/** The parts of the pane's content that are too small to read, or that nobody can hear. */
function flaws() {
  const isShown = (element: Element) => element.getClientRects().length > 0;
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
    // A button is named by its content; a field or a list is not.
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
  return { small, nameless };
}

function borderOf(element: Element) {
  const { borderTopStyle: style, borderTopColor } = getComputedStyle(element);
  return { style, isSeen: borderTopColor !== getComputedStyle(document.body).backgroundColor };
}

/**
 * Visits screens and checks each: axe, text and names, and the layout in all looks. Contrast is checked at the end, in copies of all states
 * at once, because each change of the colors takes as long as a state.
 */
async function visiting(walk: (check: (state: string) => Promise<void>) => Promise<void>): Promise<void> {
  const { page } = workbench;
  const found: unknown[] = [];
  await walk(async (state) => {
    for (const violation of await paneViolations(page, "#pane", "all but contrast"))
      found.push({ state, violation });
    await copyAside(page);
    const byLook = await flawsByLook(page);
    if (Object.keys(byLook).length > 0) found.push({ state, byLook });
    const { small, nameless } = await paneFrame(page).evaluate(flaws);
    if (small.length + nameless.length > 0) found.push({ state, small, nameless });
  });
  await showCopies(page);
  for (const [color, media] of Object.entries(colors)) {
    await page.emulateMedia(media);
    for (const violation of await paneViolations(page, "#pane", "contrast")) found.push({ color, violation });
  }
  expect(found).toEqual([]);
}

/** The import that the screens show. */
const imported = "Minimum Permit Fee and 1 more";
const geoids = ["06001", "13009", "48453"];

async function chooseQuestions(): Promise<void> {
  for (const id of [1056, 1003]) await toggleType(workbench, id);
  await shows(/3 jurisdictions × 2 questions: /);
}

async function insertImport(): Promise<void> {
  await pasteGeoids(workbench, geoids);
  await chooseQuestions();
  await button("Insert on a new sheet").click();
  await shows(/Inserted: 3 jurisdictions/);
}

describe("every screen can be read, pressed and heard in any width, font, spacing, zoom and color:", () => {
  it("connecting", async () => {
    workbench = await openWorkbench({ key: null });
    const { pane } = workbench;
    await visiting(async (check) => {
      await pane.getByLabel("Service address").waitFor();
      await pane.getByText("For support", { exact: true }).click();
      await pane.getByText("Copy diagnostics").waitFor();
      await check("connect");
      await pane.getByLabel("Service address").fill("http://service.example");
      await pane.getByLabel("API key").fill("demo-national");
      await pane.getByRole("button", { name: "Connect" }).click();
      await pane.getByText(/Only https/).waitFor();
      await check("connect, refused");
      await pane.getByLabel("Service address").fill(new URL(workbenchUrl()).host);
      await pane.getByRole("button", { name: "Connect" }).click();
      await pane.getByRole("button", { name: "Connect to it" }).waitFor();
      await check("connect, asked");
      await pane.getByRole("button", { name: "Connect to it" }).click();
      await button("Paste a list").waitFor();
    });
  });

  it("choosing places and questions", async () => {
    workbench = await openWorkbench();
    const { page, pane } = workbench;
    await visiting(async (check) => {
      await button("Paste a list").waitFor();
      await check("Get data, empty");
      await screen().getByRole("combobox", { name: "Search jurisdictions" }).click();
      await screen().getByRole("combobox", { name: "Search jurisdictions" }).fill("Orange");
      await pane.getByRole("option", { name: /Orange County, CA/ }).waitFor();
      await check("Get data, jurisdictions found");
      await page.keyboard.press("Escape");
      await screen().getByRole("combobox", { name: "Search jurisdictions" }).fill("");
      await page.keyboard.press("Escape");

      await button("Paste a list").click();
      await screen()
        .getByRole("textbox", { name: "Names or geoIDs, one per line" })
        .fill("6001\nBaldwin County\nTravis County, TX\nNowhere County\n48999\n6001.5");
      await check("Get data, a pasted list");
      await button("Add the list").click();
      const question = screen().getByRole("combobox", { name: /Which “Baldwin County”/ });
      await question.waitFor();
      await check("Get data, asked about a name");
      await question.selectOption({ label: "Baldwin County, GA · county · 13009" });
      await button("Add this one").click();
      await shows("3 jurisdictions chosen");
      const search = await questionSearch(workbench);
      await search.click();
      await search.fill("permit");
      await pane.getByRole("menuitemcheckbox").first().waitFor();
      await check("Get data, questions found");
      await search.press("Escape");
      await chooseQuestions();
      await button("Preview the first rows").click();
      await screen().getByRole("region", { name: "Preview" }).waitFor();
      await check("Get data, previewed");
      await openStep(workbench, "Where in the workbook");
      await check("Get data, chosen");
    });
  });

  it("getting data", async () => {
    workbench = await openWorkbench();
    const { page, pane } = workbench;
    await visiting(async (check) => {
      await pasteGeoids(workbench, [...geoids, "48999"], geoids.length);
      await chooseQuestions();
      await button("Other ways to insert").click();
      await pane.getByRole("menuitem", { name: "Save as CSV" }).waitFor();
      await check("Get data, other ways to insert");
      await page.keyboard.press("Escape");
      await openStep(workbench, "Templates");
      await screen()
        .getByRole("button", { name: /^Insert: / })
        .first()
        .waitFor();
      await check("Get data, templates");
      await workbench.setFormulas("B3", [["County"], [6001], ["'06037"], [""], ["'4899999"]]);
      await workbench.setFormulas("D5", [["mine"]]);
      await workbench.select("B1:B20");
      await takeMyList(workbench);
      await button("Add columns").waitFor();
      await check("Get data, beside a list");
      await button("Add columns").click();
      await shows(/Where should the new columns go\?/);
      await check("Get data, cells in the way");
      await button("Cancel").click();
      await openJurisdictions(workbench);
      await button("Insert on a new sheet").click();
      await shows(/Inserted: 3 jurisdictions/);
      await shows(/^Not found/);
      await screen().locator("summary", { hasText: "Not found" }).click();
      await check("Get data, inserted");
      await openStep(workbench, "Which places");
      // In high contrast no background sets a tag apart from the page: it needs its border.
      const chosen = screen().getByRole("list", { name: "Chosen jurisdictions" });
      await page.emulateMedia(colors["high contrast"]);
      expect(await chosen.getByRole("listitem").first().evaluate(borderOf)).toEqual({
        ...{ style: "solid", isSeen: true },
      });
      await page.emulateMedia(colors.light);
      await runCollection(workbench, "Residential solar");
      await screen()
        .getByText(/^It (lists|takes)/)
        .first()
        .click();
      await check("Get data, a collection");
    });
  });

  it("an import under way, refused and failed", async () => {
    workbench = await openWorkbench({ key: "demo-limited" });
    const { page } = workbench;
    await visiting(async (check) => {
      await pasteGeoids(workbench, geoids);
      await chooseQuestions();
      let letGo = () => {};
      const until = new Promise<void>((resolve) => (letGo = resolve));
      await page.route("**/v1/reports/matrix", async (route) => {
        await until;
        await route.fulfill({ status: 500, body: "no" });
      });
      await button("Insert on a new sheet").click();
      await button("Cancel").waitFor();
      await check("Get data, under way");
      await openTab(workbench, "Source");
      await workbench.pane.getByText("An import is running.").waitFor();
      await check("Source, while an import runs");
      await openTab(workbench, "Get data");
      letGo();
      await screen()
        .getByRole("alert")
        .or(screen().getByText(/service/i))
        .first()
        .waitFor();
      await button("Cancel").waitFor({ state: "detached" });
      await check("Get data, failed");
    });
  });

  it("the imports and formulas in the workbook", async () => {
    const { data: ahj } = await sampleClient().resolveGeoid({ geoid: "06001" });
    const { data } = await sampleClient().matrix({ ahj_ids: [ahj.id], data_point_type_ids: [1056] });
    const fee = data.rows[0]?.values[1056]?.value ?? "";
    workbench = await openWorkbench();
    const { page } = workbench;
    await visiting(async (check) => {
      await openTab(workbench, "In this workbook");
      await shows(/None yet/);
      await check("In this workbook, none");
      await openTab(workbench, "Get data");
      await insertImport();
      await openTab(workbench, "In this workbook");
      await button(`Refresh ${imported}`).waitFor();
      await check("In this workbook, one");
      await page.route(/\/v1\/(reports\/matrix|data-points)/, async (route) => {
        const answer = await route.fetch();
        const body = (await answer.text()).replaceAll(`"${fee}"`, '"$9,999"');
        await route.fulfill({ response: answer, body });
      });
      await button(`Refresh ${imported}`).click();
      await shows(/values? changed\./);
      await screen().getByText("Summary", { exact: true }).click();
      await screen()
        .getByRole("list", { name: `Summary of ${imported}` })
        .waitFor();
      await check("In this workbook, refreshed");
      await screen().getByText("Dated sheets", { exact: true }).click();
      await button("Keep a dated sheet now").click();
      await shows(/answers? kept at/);
      await button(/^Compare$/).click();
      await shows(/^Nothing differs in/);
      await check("In this workbook, dated sheets");
      await pressMore(workbench, imported, "Rename…");
      await pressMore(workbench, imported, "Change…");
      await button("Apply").waitFor();
      await check("In this workbook, changing one");
      await workbench.setFormulas("Sheet1!J1", [['=REGDATA.MATRIX({"06037";"06001"}, {1003,1056})']]);
      await workbench.setFormulas("Sheet1!J5", [['=REGDATA.VALUE("4899999", 1056)']]);
      await workbench.values("Sheet1!J1:N5");
      await screen().getByLabel("Formulas in").selectOption({ label: "the workbook" });
      await screen().getByRole("button", { name: "Refresh", exact: true }).click();
      await shows(/formulas? refreshed/);
      await check("In this workbook, formulas refreshed");
      await button("Show what it uses").click();
      await shows(/places and .* questions? in 2 formulas and 1 import/);
      await screen()
        .getByText(/^Places: /)
        .click();
      await check("In this workbook, its uses");
      await screen().getByRole("button", { name: "Freeze", exact: true }).click();
      await shows(/formulas? frozen/);
      await check("In this workbook, formulas frozen");
    });
  });

  it("the source of a cell, and the formula builder", async () => {
    workbench = await openWorkbench();
    await visiting(async (check) => {
      await openTab(workbench, "Source");
      await shows(/Select an answer/);
      await check("Source, empty");
      await openTab(workbench, "Get data");
      await insertImport();
      await openTab(workbench, "Source");
      await workbench.select(`'${imported}'!E2`);
      await button("Copy citation").waitFor();
      await check("Source, of an import");
      await button("Insert as formula").click();
      await shows("Select the cell where the formula goes.");
      await check("Source, formula to place");
      await button("Cancel").click();
      await workbench.setFormulas("Sheet1!J1", [['=REGDATA.MATRIX({"06037";"06001"}, {1003,1056})']]);
      await workbench.setFormulas("Sheet1!J5", [['=REGDATA.VALUE("4899999", 1056)']]);
      await workbench.values("Sheet1!J1:N5");
      await workbench.select("Sheet1!L2");
      await button("Go to the formula").waitFor();
      await check("Source, of a formula");
      await button(/^Refresh$/).click();
      await shows("Unchanged.");
      await check("Source, refreshed");
      await workbench.select("Sheet1!J2");
      await shows("Sheet1!J2");
      await check("Source, of a jurisdiction's name");
      await workbench.select("Sheet1!J5");
      await shows(/no jurisdiction with this geoID/);
      await check("Source, in error");
      await workbench.select(`'${imported}'!E1`);
      await button("Get data on it").waitFor();
      await check("Source, of a header");
      await workbench.setFormulas("Sheet1!J8", [
        ['=LEN(REGDATA.VALUE("06037", 1003))+LEN(REGDATA.VALUE("06001", 1003))'],
      ]);
      await workbench.select("Sheet1!J8");
      await shows(/asks RegData 2 times/);
      await check("Source, of a formula with two calls");
      await workbench.setFormulas("Sheet1!J9", [['=SUM(M2:N3)+J5+INDIRECT("J10")']]);
      await workbench.select("Sheet1!J9");
      await button("List its answers").click();
      await shows(/reference can’t be followed/);
      await check("Source, answers in a sum");
      await button("Close the list").click();
      await workbench.setFormulas("Sheet1!J8", [[""], [""]]);
      await workbench.select("Sheet1!L2");
      await button("Go to the formula").waitFor();
      await button("Change the formula").click();
      await shows("Goes into Sheet1!J1");
      await check("Source, building a formula");
      await button("Select cells for Questions").click();
      await button("Use these cells").waitFor();
      await check("Source, selecting cells for a formula");
    });
  });

  it("the settings, and preparing to share", async () => {
    workbench = await openWorkbench();
    await visiting(async (check) => {
      await openTab(workbench, "Settings");
      await button("Add a connection…").click();
      await screen().getByText("For support", { exact: true }).click();
      await button("Clear…").click();
      await check("Settings");
      await openTab(workbench, "In this workbook");
      await button("Prepare to share…").click();
      await button("Prepare").waitFor();
      await check("In this workbook, to share");
    });
  });
});
