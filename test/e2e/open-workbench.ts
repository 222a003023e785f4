import { type Browser, chromium, type FrameLocator, type Page } from "@playwright/test";
import { expect, inject } from "vitest";
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
  /** The service has every quirk of `--quirks`. */
  quirks?: boolean;
  /** The workbook is open for reading only. */
  isReadOnly?: boolean;
  /** Of a workbench that the test has started itself. */
  url?: string;
}

/** The workbench in a browser profile of its own. */
export interface Workbench {
  page: Page;
  pane: FrameLocator;
  /** Requests to the service since the last `requests.length = 0`. */
  requests: string[];
  /** What a page did against its Content-Security-Policy; what is left here fails `close`. */
  violations: string[];
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

/** The browser of this worker, which ends with it. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= chromium.launch(launchOptions());
  return browser;
}

/** Closes what a file's tests have opened; the browser goes on to the next file with what is emptied for it. */
export async function closeBrowser(): Promise<void> {
  for (const [look, profiles] of unused) if (profiles.some(({ isPassing }) => isPassing)) unused.delete(look);
  const kept = new Set([...unused.values()].flat().map(({ page }) => page.context()));
  for (const context of (await browser)?.contexts() ?? []) if (!kept.has(context)) await context.close();
}

const ofThisWorker = (urls: string[]) => {
  const url = urls[Number(process.env.VITEST_POOL_ID) - 1];
  if (url === undefined) throw new Error(`there is no workbench for worker ${process.env.VITEST_POOL_ID}`);
  return url;
};

export const workbenchUrl = () => ofThisWorker(inject("workbenchUrls"));

/** A workbench that starts again takes a fifth of the time that a first page takes. */
interface Profile {
  page: Page;
  colorScheme: "light" | "dark";
  /** Its server ends with the file. */
  isPassing: boolean;
  url: string;
  requests: string[];
  violations: string[];
  /** The key that its add-in finds. */
  key: string | null;
}

/** Browser profiles that no test uses any more, by how their page looks. */
const unused = new Map<string, Profile[]>();

export async function openWorkbench(options: OpenOptions = {}): Promise<Workbench> {
  const { key = "demo-national", excelApi, isReadOnly, ...look } = options;
  const profiles = unused.get(JSON.stringify(look)) ?? [];
  unused.set(JSON.stringify(look), profiles);
  const profile = profiles.pop() ?? (await newProfile(look));
  profile.key = key;
  const { page: first, requests, violations } = profile;
  const context = first.context();
  const url = new URL(profile.url);
  if (excelApi !== undefined) url.searchParams.set("excelApi", excelApi);
  if (isReadOnly) url.searchParams.set("readOnly", "");
  const open = async (page: Page) => {
    await page.goto(url.href);
    await page.waitForFunction(() => "workbench" in window);
    await page.evaluate(() => window.workbench.ready);
    return driver(page);
  };
  const openAgain = async (page: Page) => {
    await page.evaluate(() => window.workbench.startAgain());
    return driver(page);
  };
  const driver = (page: Page): Workbench => ({
    page,
    pane: page.frameLocator("iframe"),
    requests,
    violations,
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
    async close() {
      await empty(profile);
      profiles.push(profile);
      expect(violations.splice(0)).toEqual([]);
    },
  });
  return first.url() === url.href ? openAgain(first) : open(first);
}

async function newProfile({
  width = 1_300,
  colorScheme = "light",
  quirks = false,
  url: own,
}: OpenOptions): Promise<Profile> {
  const url = own ?? (quirks ? ofThisWorker(inject("quirkyWorkbenchUrls")) : workbenchUrl());
  const context = await (
    await sharedBrowser()
  ).newContext({ ignoreHTTPSErrors: true, viewport: { width, height: 900 }, colorScheme });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const isPassing = own !== undefined;
  const seen = { requests: [], violations: [] };
  const profile: Profile = { page, colorScheme, isPassing, url, key: null, ...seen };
  listen(profile);
  await context.route("**/workbench/setup.json", async (route) => {
    const setup = (await (await route.fetch({ maxRetries: 3 })).json()) as object;
    const { key } = profile;
    const { origin: baseUrl } = new URL(url);
    const storage = key === null ? {} : { [connectionStorageKey]: storedForm({ baseUrl, key }) };
    await route.fulfill({ json: { ...setup, storage } });
  });
  return profile;
}

function listen({ page, requests, violations }: Profile): void {
  const context = page.context();
  // Chromium says each violation there, of frames and of what comes before any script, too.
  context.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) violations.push(message.text());
  });
  context.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/v1/") && request.method() !== "OPTIONS") {
      requests.push(`${request.method()} ${pathname}${search}`);
    }
  });
}

/**
 * Leaves nothing of a test behind: no other page, no add-in, no detour of its requests, no listener, nothing that the
 * browser has stored.
 */
async function empty(profile: Profile): Promise<void> {
  const { page, url, colorScheme, requests } = profile;
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page
    .evaluate(() => {
      window.workbench.close();
      document.getElementById("pane")?.removeAttribute("style");
    })
    .catch(() => page.goto("about:blank"));
  await page.emulateMedia({ colorScheme, forcedColors: null });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.clearPermissions();
  // By name: Playwright listens, too, for the end of both.
  for (const event of ["console", "page", "request"] as const) context.removeAllListeners(event);
  for (const event of ["console", "pageerror", "request"] as const) page.removeAllListeners(event);
  listen(profile);
  const browserSide = await context.newCDPSession(page);
  const { origin } = new URL(url);
  await browserSide.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await browserSide.detach();
  requests.length = 0;
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
