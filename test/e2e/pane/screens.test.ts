import type { Frame } from "@playwright/test";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { copyAside, paneViolations, showCopies } from "../axe";
import { closeBrowser, openWorkbench, sampleClient, type Workbench, workbenchUrl } from "../open-workbench";
import { flawsIn } from "../layout/screen-rule";
import { looks, nameOf, narrowestLooks, undress, wear } from "../layout/looks";
import {
  openJurisdictions,
  openStep,
  openTab,
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

async function narrow(): Promise<Frame> {
  const frame = workbench.page.frames().find((candidate) => candidate.url().includes("taskpane"));
  if (!frame) throw new Error("there is no pane");
  return frame;
}

/** The parts of the pane's content that a user could not read, reach or hear. */
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
    const found: unknown[] = [];
    const check = async (state: string) => {
      found.push(
        ...(await paneViolations(page, "#pane", "all but contrast")).map((violation) => ({
          state,
          violation,
        })),
      );
      await copyAside(page);
      const began = performance.now();
      const flawed = await flawsIn(page);
      console.log(state, Math.round(performance.now() - began), JSON.stringify(flawed, null, 1));
      if (process.env.SHOTS) {
        for (const look of narrowestLooks.concat(
          looks.filter(
            ({ width, font, isSpaced, zoomPercent }) =>
              width === 320 && font === "DejaVu Sans" && !isSpaced && !zoomPercent,
          ),
        )) {
          await wear(page, frame, look);
          await page
            .locator("#addin iframe")
            .screenshot({
              path: `${process.env.SHOTS}/${state.replaceAll(/[ ,']+/g, "-")}-${nameOf(look).replaceAll(/[ ,%]+/g, "-")}.png`,
            });
        }
        await undress(page, frame);
      }
      if (Object.keys(flawed).length > 0) found.push({ state, flawed });
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
    await check("Get data, empty");
    await openTab(workbench, "In this workbook");
    await shows(/None yet/);
    await check("In this workbook, none");
    await openTab(workbench, "Source");
    await shows(/Select a cell/);
    await check("Source, empty");

    await openTab(workbench, "Get data");
    await button("Paste a list").click();
    await screen()
      .getByRole("textbox", { name: "Names or geoIDs, one per line" })
      .fill("6001\nBaldwin County\nTravis County, TX\nNowhere County\n48999\n6001.5");
    await button("Add the list").click();
    const question = screen().getByRole("combobox", { name: /Which “Baldwin County”/ });
    await question.waitFor();
    await check("Get data, asked about a name");
    await question.selectOption({ label: "Baldwin County, GA · county · 13009" });
    await button("Add this one").click();
    await shows("3 jurisdictions chosen");
    const search = await questionSearch(workbench);
    for (const type of ["1056", "1003"]) {
      await search.click();
      await search.fill(type);
      await pane.getByRole("menuitemcheckbox", { name: new RegExp(`\\(${type}\\)`) }).click();
      await search.press("Escape");
    }
    await shows(/4 rows × \d+ columns/);
    await openStep(workbench, "How");
    await button("Preview the first rows").click();
    await screen().getByRole("region", { name: "Preview" }).waitFor();
    await check("Get data, chosen");
    await workbench.setFormulas("B3", [["County"], [6001], ["'06037"], [""], ["'48999"]]);
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
    await shows(/3 jurisdictions with/);
    await shows(/^Not found/);
    await screen().locator("summary", { hasText: "Not found" }).click();
    await check("Get data, inserted");
    await openStep(workbench, "Where");
    // In high contrast no background sets a tag apart from the page: it needs its border.
    const tag = screen().getByRole("list", { name: "Chosen jurisdictions" }).getByRole("listitem").first();
    await page.emulateMedia(colors["high contrast"]);
    expect(await tag.evaluate(borderOf)).toEqual({ style: "solid", isSeen: true });
    await page.emulateMedia(colors.light);

    await openTab(workbench, "Get data");
    await runCollection(workbench, "Residential solar");
    await screen()
      .getByText(/^It (lists|takes)/)
      .first()
      .click();
    await check("Get data, a collection");

    await openTab(workbench, "In this workbook");
    await button("Refresh 3 jurisdictions, 2 questions").waitFor();
    await check("In this workbook, one");
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
    await check("In this workbook, refreshed");
    await button("Rename 3 jurisdictions, 2 questions").click();
    await button("Change 3 jurisdictions, 2 questions").click();
    await button("Apply").waitFor();
    await check("In this workbook, changing one");

    await openTab(workbench, "Source");
    await workbench.select("'3 jurisdictions, 2 questions'!E2");
    await button("Copy citation").waitFor();
    await check("Source, of an import");
    await button("Insert as formula").click();
    await shows("Select the cell where the formula goes.");
    await check("Source, formula to place");
    await button("Cancel").click();
    await workbench.setFormulas("Sheet1!J1", [['=REGDATA.MATRIX({"06037";"06001"}, {1003,1056})']]);
    await workbench.setFormulas("Sheet1!J5", [['=REGDATA.VALUE("48999", 1056)']]);
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
    await workbench.select("'3 jurisdictions, 2 questions'!E1");
    await button("Get data on it").waitFor();
    await check("Source, of a header");
    await workbench.setFormulas("Sheet1!J8", [
      ['=LEN(REGDATA.VALUE("06037", 1003))+LEN(REGDATA.VALUE("06001", 1003))'],
    ]);
    await workbench.select("Sheet1!J8");
    await shows(/asks RegData 2 times/);
    await check("Source, of a formula with two calls");
    await workbench.setFormulas("Sheet1!J8", [[""]]);
    await workbench.select("Sheet1!L2");
    await button("Go to the formula").waitFor();
    await button("Change the formula").click();
    await shows("Goes into Sheet1!J1");
    await check("Source, building a formula");
    await button("Select cells for Questions").click();
    await button("Use these cells").waitFor();
    await check("Source, selecting cells for a formula");
    await button("Cancel").click();
    await button("Close").click();

    await openTab(workbench, "In this workbook");
    await button("Unfreeze").waitFor();
    await check("In this workbook, formulas nothing done");
    await screen().getByLabel("Formulas in").selectOption({ label: "the workbook" });
    await screen().getByRole("button", { name: "Refresh", exact: true }).click();
    await shows(/formulas? refreshed/);
    await check("In this workbook, formulas refreshed");
    await screen().getByRole("button", { name: "Freeze", exact: true }).click();
    await shows(/formulas? frozen/);
    await check("In this workbook, formulas frozen");

    await openTab(workbench, "Settings");
    await button("Add a connection…").click();
    await screen().getByText("For support", { exact: true }).click();
    await button("Clear…").click();
    await check("Settings");

    // Copies of all these states are checked at once, because each change of the look takes as long as a state.
    await showCopies(page);
    for (const [look, media] of Object.entries(colors)) {
      await page.emulateMedia(media);
      found.push(
        ...(await paneViolations(page, "#pane", "contrast")).map((violation) => ({ look, violation })),
      );
    }
    expect(found).toEqual([]);
  }, 240_000);
});
