import { resolve } from "node:path";
import { type Browser, chromium, type FrameLocator, type Locator, type Page } from "@playwright/test";
import { sampleDataset } from "../../reference-service/dataset";
import { createService } from "../../reference-service/service";
import { connectionStorageKey, storedForm } from "../../src/settings/connection";
import { startWorkbench } from "../../workbench/workbench-server";
import type { CellValue } from "../../workbench/spreadsheet";
import { launchOptions } from "../browser";

/** The workbench with an empty sheet and the pane connected, in a browser profile of its own. */
export interface Scene {
  page: Page;
  pane: FrameLocator;
  /** The part of the pane that the open tab shows. */
  screen: Locator;
  openTab(name: string): Promise<void>;
  /** Opens a step of Get data. */
  openStep(name: string): Promise<void>;
  press(button: string | RegExp): Promise<void>;
  /** Enters the formulas as a user would; the address may be that of the first cell. */
  setFormulas(address: string, rows: CellValue[][]): Promise<void>;
  select(address: string): Promise<void>;
  /** Resolves when the open tab shows the text; large imports take a while. */
  shows(text: string | RegExp): Promise<void>;
  /** Chooses types by their ids, in the search of the open tab. */
  chooseTypes(ids: readonly number[]): Promise<void>;
  /** Chooses the types of a recommended list. */
  chooseTypeList(name: string): Promise<void>;
  /** Resolves when nothing moves in the sheet and the pane, and the mouse is over neither. */
  settle(): Promise<void>;
}

interface Studio {
  open(): Promise<Scene>;
  /** The same picture in half as many bytes, without loss of quality. */
  asWebp(png: Buffer): Promise<Buffer>;
  close(): Promise<void>;
}

const port = 3007;
const patienceMs = 60_000;

/** The built workbench on the sample service. */
export async function openStudio(): Promise<Studio> {
  const service = createService();
  const workbench = await startWorkbench({
    port,
    addinDir: resolve("dist"),
    pageDir: resolve("build/workbench"),
    setup: {
      storage: {
        [connectionStorageKey]: storedForm({ baseUrl: `https://localhost:${port}`, key: "demo-national" }),
      },
    },
    mount: (request) => service.fetch(request),
  });
  const browser = await chromium.launch(launchOptions());
  return {
    open: () => openScene(browser, workbench.url),
    asWebp: (png) => asWebp(browser, png),
    async close() {
      await browser.close();
      await workbench.close();
    },
  };
}

/** Lets Chromium encode the picture as WebP, without loss at quality 1; Playwright writes only PNG and JPEG. */
async function asWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const address = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", 1);
    },
    `data:image/png;base64,${png.toString("base64")}`,
  );
  await page.close();
  return Buffer.from(address.slice(address.indexOf(",") + 1), "base64");
}

async function openScene(browser: Browser, url: string): Promise<Scene> {
  const page = await browser.newPage({ ignoreHTTPSErrors: true, viewport: { width: 1260, height: 860 } });
  page.setDefaultTimeout(patienceMs);
  await page.goto(url);
  await page.waitForFunction(() => "workbench" in window);
  await page.evaluate(() => window.workbench.ready);
  const pane = page.frameLocator("iframe");
  const screen = pane.getByRole("tabpanel");
  const press = (name: string | RegExp) => screen.getByRole("button", { name, exact: true }).click();
  const openStep = async (name: string) => {
    const heading = screen.getByRole("button", { name: new RegExp(`^${name}\\b`) });
    if ((await heading.getAttribute("aria-expanded")) === "false") await heading.click();
  };
  return {
    page,
    pane,
    screen,
    press,
    openTab: (name) => pane.getByRole("tab", { name, exact: true }).click(),
    openStep,
    setFormulas: (address, rows) =>
      page.evaluate(([at, cells]) => window.workbench.setFormulas(at, cells), [address, rows] as const),
    select: (address) => page.evaluate((at) => window.workbench.select(at), address),
    shows: (text) => screen.getByText(text).first().waitFor(),
    async chooseTypes(ids) {
      await openStep("Which questions");
      const search = screen.getByRole("combobox", { name: "Search questions" });
      await search.click();
      for (const id of ids) {
        await search.fill(String(id));
        await pane.getByRole("menuitemcheckbox", { name: `(${id})` }).click();
      }
      await search.press("Escape");
    },
    async chooseTypeList(name) {
      await openStep("Which questions");
      const lists = screen.getByRole("combobox", { name: "Category, list or collection" });
      // The pane fetches the catalogue only when the mouse comes near.
      await lists.hover();
      await lists.selectOption({ label: name });
      await press(/^Add \d+ questions$/);
    },
    async settle() {
      await page.evaluate(() => window.workbench.idle());
      await page.mouse.move(0, 0);
      await page.waitForTimeout(1_000);
    },
  };
}

/** A column as in a user's sheet: a header, and the geoIDs of the first `count` counties of these states, or of all states. */
export function countyColumn(count: number, states?: readonly string[]): string[][] {
  const geoids = sampleDataset().geography.records.flatMap(({ ahj: { type, geoid, state_code } }) =>
    type === "county" && geoid !== null && (states?.includes(state_code) ?? true) ? [geoid] : [],
  );
  // Texts keep the zeros at the start of a geoID.
  return [["geoID"], ...geoids.slice(0, count).map((geoid) => [`'${geoid}`])];
}
