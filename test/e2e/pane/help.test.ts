import type { Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { frameViolations } from "../axe";
import { closeBrowser, sharedBrowser, workbenchUrl } from "../open-workbench";

let page: Page;
beforeAll(async () => {
  const browser = await sharedBrowser();
  page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
});
afterAll(closeBrowser);

async function openHelp(path: string) {
  const answer = await page.goto(new URL(`addin/help/${path}`, workbenchUrl()).href);
  expect(answer?.status()).toBe(200);
}

describe.each([
  "help.html",
  "jobs/what-changed.html",
  "formulas.html",
  "errors.html",
  "functions/value.html",
])("%s", (path) => {
  it("passes axe and fits, light at 1000 pixels and dark at 320", async () => {
    await openHelp(path);
    for (const [colorScheme, width] of [
      ["light", 1000],
      ["dark", 320],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const pictures = await page.evaluate(() =>
        [...document.images].map(({ complete, naturalWidth }) => complete && naturalWidth > 0),
      );
      expect(pictures).not.toContain(false);
      expect(await frameViolations(page.mainFrame(), "html")).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll("pre, code, td, th, p")]
          .filter((element) => element.closest("thead") === null && element.scrollWidth > element.clientWidth)
          .filter((element) => getComputedStyle(element).display !== "inline")
          .map((element) => element.textContent),
      );
      expect(cut).toEqual([]);
    }
  });
});

describe("the start page", () => {
  it("leads to every page, to a formula's page and back", async () => {
    await openHelp("help.html");
    await page.getByRole("link", { name: "What changed", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "What changed" }).waitFor();
    await page
      .getByRole("navigation", { name: "Contents" })
      .getByRole("link", { name: "Formulas", exact: true })
      .click();
    await page.getByRole("link", { name: "MATRIX", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "REGDATA.MATRIX" }).waitFor();
    await page.getByRole("link", { name: "All formulas" }).click();
    await page.getByRole("heading", { level: 1, name: "Formulas" }).waitFor();
    await page.getByRole("link", { name: "RegData for Excel: Help" }).click();
    await page.getByRole("heading", { level: 1, name: "RegData for Excel" }).waitFor();
  });
});
