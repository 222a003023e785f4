/** A user's actions in the workbench's pane, and the blocks that they cause. */
import type { Browser, FrameLocator, Page } from "@playwright/test";
import { type Block, watchBlocks } from "./blocks";
import { allowMeasuring } from "./memory";

/** A page whose blocks and memory can be measured. */
export async function measuredPage(browser: Browser, timeoutMs: number): Promise<Page> {
  const page = await browser.newPage({ ignoreHTTPSErrors: true, viewport: { width: 1_300, height: 900 } });
  page.setDefaultTimeout(timeoutMs);
  // tsx's output calls `__name` to name functions, and the page lacks it.
  await page.addInitScript("globalThis.__name = (named) => named");
  await page.addInitScript(watchBlocks);
  await allowMeasuring(page);
  return page;
}

/** Opens the workbench, with the pane. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForFunction(() => "workbench" in window);
  await page.evaluate(() => window.workbench.ready);
  await page.frameLocator("iframe").getByRole("tab").first().waitFor();
}

/** Inserts the chosen data at the cell, or without one on a new sheet. Fails if the import does not finish. */
export async function insert(page: Page, pane: FrameLocator, cell?: string): Promise<void> {
  const tables = await page.evaluate(() => window.workbench.tables().length);
  if (cell !== undefined) await page.evaluate((address) => window.workbench.select(address), cell);
  if (cell === undefined) {
    await pane.getByRole("button", { name: "Insert on a new sheet" }).click();
  } else {
    await pane.getByRole("button", { name: "Other ways to insert" }).click();
    await pane.getByRole("menuitem", { name: "Insert at the selected cell" }).click();
  }
  await page.waitForFunction((before) => window.workbench.tables().length > before, tables);
  await pane.getByText(/jurisdictions, [\d,]+ values/).waitFor();
}

/** Refreshes all imports of the workbook. */
export async function refreshImports(pane: FrameLocator): Promise<void> {
  const button = (isBusy: boolean) =>
    pane.getByRole("button", { name: "Refresh all imports", exact: true, disabled: isBusy });
  await button(false).click();
  await button(true).waitFor();
  await button(false).waitFor();
  const failed = await pane.getByText(/not refreshed|try again/i).count();
  if (failed > 0) throw new Error(`${failed} imports were not refreshed`);
}

/** The add-in's blocks since the last call. */
export async function takeBlocks(page: Page): Promise<Block[]> {
  const blocks = await Promise.all(
    page.frames().map((frame) => frame.evaluate(() => window.blocks.splice(0))),
  );
  return blocks.flat().filter(({ source }) => source.includes("/addin/"));
}
