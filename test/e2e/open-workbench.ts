import { type Browser, chromium, type FrameLocator, type Page } from "@playwright/test";
import { inject } from "vitest";
import { launchOptions } from "../../scripts/browser";
import type { Card, CellValue } from "../../src/workbench/spreadsheet";
import { createClient, type Client } from "../../src/api/client";
import { createService } from "../../src/service/service";
import { connectionStorageKey, storedForm } from "../../src/settings/connection";
import { createTransport } from "../../src/transport/transport";

export interface OpenOptions {
  /** The key the add-in is connected with; null for none. Default: demo-national. */
  key?: string | null;
  /** Width of the whole page in pixels. */
  width?: number;
  colorScheme?: "light" | "dark";
  /** The highest ExcelApi that Excel reports. Default: the workbench's. */
  excelApi?: string;
  /** The workbook is open for reading only. */
  isReadOnly?: boolean;
}

/** The workbench in a browser profile of its own. */
export interface Workbench {
  page: Page;
  pane: FrameLocator;
  /** Requests to the service since the last `requests.length = 0`. */
  requests: string[];
  /** Whatever the page complained of in its console or could not model. */
  problems(): Promise<readonly string[]>;
  setFormulas(address: string, rows: CellValue[][]): Promise<void>;
  /** Values once no formula is pending. */
  values(address: string): Promise<CellValue[][]>;
  /** As displayed, once no formula is pending. */
  texts(address: string): Promise<string[][]>;
  errorMessage(address: string): Promise<string | null>;
  /** The card of the data type in a cell. */
  card(address: string): Promise<Card | null>;
  select(address: string): Promise<void>;
  tables(): Promise<{ name: string; address: string }[]>;
  /** Loads the page anew, as after a restart: the browser keeps what it stores. */
  reopen(): Promise<Workbench>;
  /** Another workbook in the same browser profile. Its requests are counted with the first one's. */
  openBeside(): Promise<Workbench>;
  close(): Promise<void>;
}

let browser: Promise<Browser> | undefined;

export function sharedBrowser(): Promise<Browser> {
  browser ??= chromium.launch(launchOptions());
  return browser;
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

export const workbenchUrl = () => inject("workbenchUrl");

export async function openWorkbench(options: OpenOptions = {}): Promise<Workbench> {
  const { key = "demo-national", width = 1_300, colorScheme = "light", excelApi, isReadOnly } = options;
  const url = new URL(workbenchUrl());
  if (excelApi !== undefined) url.searchParams.set("excelApi", excelApi);
  if (isReadOnly) url.searchParams.set("readOnly", "");
  const context = await (
    await sharedBrowser()
  ).newContext({ ignoreHTTPSErrors: true, viewport: { width, height: 900 }, colorScheme });
  context.setDefaultTimeout(15_000);
  const requests: string[] = [];
  context.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/v1/") && request.method() !== "OPTIONS") {
      requests.push(`${request.method()} ${pathname}${search}`);
    }
  });
  await context.route("**/workbench/setup.json", async (route) => {
    const setup = (await (await route.fetch()).json()) as object;
    const { origin: baseUrl } = url;
    const storage = key === null ? {} : { [connectionStorageKey]: storedForm({ baseUrl, key }) };
    await route.fulfill({ json: { ...setup, storage } });
  });
  const open = async (page: Page) => {
    await page.goto(url.href);
    await page.waitForFunction(() => "workbench" in window);
    await page.evaluate(() => window.workbench.ready);
    return driver(page);
  };
  const driver = (page: Page): Workbench => ({
    page,
    pane: page.frameLocator("iframe"),
    requests,
    problems: () => page.evaluate(() => window.workbench.problems),
    setFormulas: (address, rows) =>
      page.evaluate(([at, cells]) => window.workbench.setFormulas(at, cells), [address, rows] as const),
    async values(address) {
      await page.evaluate(() => window.workbench.idle());
      return page.evaluate((at) => window.workbench.getValues(at), address);
    },
    async texts(address) {
      await page.evaluate(() => window.workbench.idle());
      return page.evaluate((at) => window.workbench.getTexts(at), address);
    },
    errorMessage: (address) => page.evaluate((at) => window.workbench.errorMessage(at), address),
    card: (address) => page.evaluate((at) => window.workbench.card(at), address),
    select: (address) => page.evaluate((at) => window.workbench.select(at), address),
    tables: () => page.evaluate(() => window.workbench.tables()),
    reopen: () => open(page),
    openBeside: async () => open(await context.newPage()),
    close: () => context.close(),
  });
  return open(await context.newPage());
}

/** The sample service asked directly: what the sheet must show. */
export function sampleClient(key = "demo-national"): Client {
  const service = createService();
  return createClient(
    createTransport(
      { baseUrl: "https://service.test", key },
      { fetch: (input, init) => Promise.resolve(service.fetch(new Request(input, init))) },
    ),
  );
}
