import { afterAll, expect, it } from "vitest";
import { closeBrowser, ready, sharedBrowser, workbenchUrl } from "../open-workbench";
import { layoutFlaws } from "./layout-flaws";
import { dressText, fonts, type Look } from "./looks";

afterAll(closeBrowser);

/** The workbench around the sheet and the pane. */
const chrome = "#top, #file-refusal, #file-note, #pane-bar";

it("the ribbon, buttons and notices of the workbench can be pressed and read at 1366 x 700, in any font and spacing", async () => {
  // A page of its own, because the other tests' pages draw too seldom to try many looks.
  const context = await (
    await sharedBrowser()
  ).newContext({
    ...{ ignoreHTTPSErrors: true, viewport: { width: 1_366, height: 700 } },
  });
  const page = await context.newPage();
  await page.goto(workbenchUrl());
  await ready(page);
  const found: unknown[] = [];
  const check = async (state: string) => {
    for (const font of Object.keys(fonts) as Look["font"][]) {
      for (const isSpaced of [false, true]) {
        await dressText(page.mainFrame(), { font, isSpaced });
        const flaws = await page.evaluate(layoutFlaws, chrome);
        if (flaws.length > 0) found.push({ state, font, isSpaced, flaws });
      }
    }
  };
  await check("opened");
  await page.getByLabel("Workbook to open").setInputFiles({
    name: "A letter to the county.xlsx",
    mimeType: "application/octet-stream",
    buffer: Buffer.from("This is no workbook."),
  });
  await page.getByRole("alert").filter({ hasText: /./ }).waitFor();
  await check("a file refused");
  const menu = page.locator("#ribbon summary").first();
  if ((await menu.count()) > 0) await menu.click();
  await check("a menu of the ribbon open");
  await page.setViewportSize({ width: 683, height: 350 });
  await check("at 200 %");
  expect(found).toEqual([]);
});
