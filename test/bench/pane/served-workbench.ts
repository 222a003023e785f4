import { resolve } from "node:path";
import { type Browser, chromium, type FrameLocator, type Page } from "@playwright/test";
import { launchOptions } from "../../../scripts/browser";
import { createService } from "../../../reference-service/service";
import { connectionStorageKey, storedForm } from "../../../src/settings/connection";
import { startWorkbench } from "../../../workbench/workbench-server";
import { mustBeBuilt } from "../build";

export interface ServedWorkbench {
  browser: Browser;
  url: string;
}

/** Opens the built add-in in the workbench, connected, in a browser; both are closed when the work has ended. */
export async function inWorkbench<Result>(
  {
    key,
    port,
    storage = {},
    browserArgs = [],
  }: { key: string; port: number; storage?: Record<string, string>; browserArgs?: string[] },
  work: (served: ServedWorkbench) => Promise<Result>,
): Promise<Result> {
  mustBeBuilt("dist", "build/workbench");
  const service = createService();
  const connection = storedForm({ baseUrl: `https://localhost:${port}`, key });
  const workbench = await startWorkbench({
    port,
    addinDir: resolve("dist"),
    pageDir: resolve("build/workbench"),
    setup: { storage: { [connectionStorageKey]: connection, ...storage } },
    mount: (request) => service.fetch(request),
  });
  const { args, ...launch } = launchOptions({ hasWindows: true });
  const browser = await chromium.launch({ ...launch, args: [...args, ...browserArgs] });
  try {
    return await work({ browser, url: workbench.url });
  } finally {
    await browser.close();
    await workbench.close();
  }
}

/** Visits the workbench some times, each in a page of its own. */
export async function visitTimes<Visit>(
  times: number,
  browser: Browser,
  progress: (text: string) => void,
  visit: (page: Page) => Promise<Visit>,
): Promise<Visit[]> {
  const visits: Visit[] = [];
  for (let round = 1; round <= times; round += 1) {
    progress(`visit ${round} of ${times}`);
    const page = await browser.newPage({ ignoreHTTPSErrors: true, viewport: { width: 1_300, height: 900 } });
    visits.push(await visit(page));
    await page.close();
  }
  return visits;
}

/** Opens a step of Get data, if it is closed. */
export async function openStep(
  pane: FrameLocator,
  name: "Which places" | "Which questions" | "Where in the workbook",
): Promise<void> {
  const heading = pane.getByRole("button", { name: new RegExp(`^${name}\\b`) });
  if ((await heading.getAttribute("aria-expanded")) === "false") await heading.click();
}

/** Chooses jurisdictions by pasting their geoIDs. */
export async function pasteGeoids(pane: FrameLocator, geoids: readonly string[]): Promise<void> {
  await openStep(pane, "Which places");
  await pane.getByRole("button", { name: "Paste a list" }).click();
  // The text is set at once: Playwright would type a long list for minutes.
  await pane.getByLabel("Names or geoIDs, one per line").evaluate(enterText, geoids.join("\n"));
  await pane.getByRole("button", { name: "Add the list" }).click();
  await pane
    .getByText(`${geoids.length.toLocaleString("en-US")} jurisdictions chosen`)
    .waitFor({ timeout: 120_000 });
}

/** Chooses the types of a category or list of this name. */
export async function addTypes(pane: FrameLocator, name: string, count: number): Promise<void> {
  await openStep(pane, "Which questions");
  const lists = pane.getByRole("combobox", { name: "Category, list or collection" });
  await lists.focus();
  await lists.selectOption({ label: `${name} (${count})` });
  // The button counts only the questions that are not chosen yet.
  await pane.getByRole("button", { name: /^Add [\d,]+ questions$/ }).click();
  await pane.getByText(`${count} questions chosen`).waitFor();
}

/** Enters a text at once, as a paste does. React overrides the element's own `value` property, so this sets the prototype's. */
function enterText(area: HTMLElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(area, text);
  area.dispatchEvent(new Event("input", { bubbles: true }));
}
