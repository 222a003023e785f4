import type { Locator } from "@playwright/test";
import { afterAll, afterEach, expect, it } from "vitest";
import { expectScreenHolds } from "../layout/screen-rule";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openJurisdictions, openStep, questionSearch } from "../pane-steps";
import { toggleType } from "./import-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const screen = () => workbench.pane.getByRole("tabpanel");
const button = (name: string | RegExp) => screen().getByRole("button", { name });
const shows = (text: string | RegExp) => screen().getByText(text).first().waitFor();

/** The chosen questions, in the order in which the pane shows them. */
const questions = () => tags().getByRole("listitem").allTextContents();
const tags = () => screen().getByRole("list", { name: "Chosen questions" });

/** Drags one element to another as a hand does, which moves in small steps. */
async function drag(from: Locator, to: Locator) {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (!start || !end) throw new Error("there is nothing to drag");
  const { mouse } = workbench.page;
  await mouse.move(start.x + 20, start.y + 5);
  await mouse.down();
  await mouse.move(start.x + 10, start.y + 5, { steps: 3 });
  await mouse.move(end.x + 10, end.y + 5, { steps: 10 });
  await mouse.up();
}

it("names that were not found can be corrected, questions put in order, and the footer says in a line what was inserted", async () => {
  workbench = await openWorkbench();
  await openJurisdictions(workbench);
  await button("Paste a list").click();
  const list = screen().getByRole("textbox", { name: "Names or geoIDs, one per line" });
  expect(await list.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
  await list.fill("06001\nLos Angles Countty, ZZ\n06075");
  await button("Add the list").click();
  await shows("1 name not found");
  await expect.poll(() => list.inputValue()).toBe("Los Angles Countty, ZZ");
  await list.fill("06037");
  await button("Add the list").click();
  await shows("3 jurisdictions chosen");
  expect(await screen().getByText("1 name not found").count()).toBe(0);
  expect(await list.count()).toBe(0);

  for (const id of [1056, 1003, 1030]) await toggleType(workbench, id);
  const [fee = "", code = "", review = ""] = await questions();
  const tag = (label: string) => tags().getByRole("button", { name: label, exact: true });
  // By dragging, by key, and by button.
  await drag(tag(review), tag(fee));
  await expect.poll(questions).toEqual([review, fee, code]);
  await tag(fee).focus();
  await workbench.page.keyboard.press("Control+ArrowRight");
  await expect.poll(questions).toEqual([review, code, fee]);
  await tag(review).click();
  await button("Later").click();
  await expect.poll(questions).toEqual([code, review, fee]);
  await shows(`${review}: 2 of 3`);
  await expectScreenHolds(workbench.page);

  await button("Insert on a new sheet").click();
  await shows(/^Inserted: 3 jurisdictions, \d values\./);
  const [headers = []] = await workbench.values("A1:H1");
  expect(headers.slice(4, 7).map((header) => String(header).replace(/ \(.*/, ""))).toEqual([
    code,
    review,
    fee,
  ]);
  const heights = await screen()
    .locator("footer")
    .evaluate((footer) => [footer.clientHeight, footer.ownerDocument.documentElement.clientHeight]);
  expect(heights[0]).toBeLessThanOrEqual(0.4 * (heights[1] ?? 0));
  await workbench.select("Sheet1!A1");
  expect(await workbench.values("A1")).toEqual([[""]]);
  await screen().getByRole("button", { name: "Go to table" }).click();
  await expect.poll(() => workbench.values("A1")).toEqual([["Name"]]);

  // The questions of the last import come first.
  await workbench.pane.getByRole("tab", { name: "Get data" }).click();
  await openStep(workbench, "Which questions");
  await button("Clear questions").click();
  const search = await questionSearch(workbench);
  await search.click();
  const options = workbench.pane.getByRole("menuitemcheckbox");
  await expect
    .poll(async () => (await options.allTextContents()).slice(0, 3).map((text) => text.replace(/ \(.*/, "")))
    .toEqual([code, review, fee]);
});
