import { type Browser, chromium, type FrameLocator, type Page } from "@playwright/test";
import { expect, inject } from "vitest";
import { drawSeldom, launchOptions } from "../../scripts/browser";
import type { Card, CellValue } from "../../workbench/spreadsheet";
import { createClient, type Client } from "../../src/engine/api/client";
import { createService } from "../../reference-service/service";
import { connectionStorageKey, storedForm } from "../../src/settings/connection";
import { createTransport } from "../../src/engine/transport/exchange";

export interface OpenOptions {
  /** The key the add-in is connected with; null for none. Default: demo-national. */
  key?: string | null;
  colorScheme?: "light" | "dark";
  /** The highest ExcelApi that Excel reports. Default: the workbench's. */
  excelApi?: string;
  /** The highest CustomFunctionsRuntime that Excel reports. Default: the workbench's. */
  customFunctionsRuntime?: string;
  /** Opens the workbook for reading only. */
  isReadOnly?: boolean;
  /** The address of a workbench that the test has started itself. */
  url?: string;
}

/** The workbench in a browser profile of its own. */
export interface Workbench {
  page: Page;
  pane: FrameLocator;
  /** Requests to the service since the last `requests.length = 0`. */
  requests: string[];
  /** Violations of the page's Content-Security-Policy. If any is left here, `close` fails. */
  violations: string[];
  /** All complaints of the page in its console, and all calls that the workbench could not model. */
  problems(): Promise<readonly string[]>;
  setFormulas(address: string, rows: (CellValue | null)[][]): Promise<void>;
  /** The values of cells, once no formula is pending. */
  values(address: string): Promise<CellValue[][]>;
  /** The displayed texts of cells, once no formula is pending. */
  texts(address: string): Promise<string[][]>;
  errorMessage(address: string): Promise<string | null>;
  /** The card of the data type in a cell. */
  card(address: string): Promise<Card | null>;
  select(address: string): Promise<void>;
  tables(): Promise<{ name: string; address: string }[]>;
  /** Opens a file in place of the workbook; the add-in restarts. */
  openXlsx(bytes: Uint8Array, name?: string): Promise<void>;
  saveXlsx(): Promise<Uint8Array>;
  /** Restarts Excel and the add-in; the browser keeps its storage. */
  reopen(): Promise<Workbench>;
  /** Opens another workbook in the same browser profile. Its requests are counted with the first one's. */
  openBeside(): Promise<Workbench>;
  close(): Promise<void>;
}

let browser: Promise<Browser> | undefined;

/** The browser of this worker; it ends with the worker. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= chromium.launch(launchOptions());
  return browser;
}

/** Closes everything that a file's tests have opened. The browser and the emptied profiles serve the next file. */
export async function closeBrowser(): Promise<void> {
  for (const [url, profiles] of unused) if (profiles.some(({ isPassing }) => isPassing)) unused.delete(url);
  const kept = new Set([...unused.values()].flat().map(({ page }) => page.context()));
  for (const context of (await browser)?.contexts() ?? []) if (!kept.has(context)) await context.close();
}

/** The workbench of this worker. */
export function workbenchUrl(): string {
  const url = inject("workbenchUrls")[Number(process.env.VITEST_POOL_ID) - 1];
  if (url === undefined) throw new Error(`there is no workbench for worker ${process.env.VITEST_POOL_ID}`);
  return url;
}

/** A browser profile with a workbench. To start again in it takes a fraction of the time of a first page. */
interface Profile {
  page: Page;
  /** True if the workbench's server ends with the file. */
  isPassing: boolean;
  url: string;
  requests: string[];
  violations: string[];
}

/** Browser profiles that no test uses any more, by the address of their workbench. */
const unused = new Map<string, Profile[]>();

export async function openWorkbench({
  key = "demo-national",
  colorScheme = "light",
  excelApi,
  customFunctionsRuntime,
  isReadOnly,
  url: own,
}: OpenOptions = {}): Promise<Workbench> {
  const origin = own ?? workbenchUrl();
  const profiles = unused.get(origin) ?? [];
  unused.set(origin, profiles);
  const profile = profiles.pop() ?? (await newProfile(origin, own !== undefined));
  const { page: first, requests, violations } = profile;
  const address = new URL(origin);
  for (const [name, value] of Object.entries({ excelApi, customFunctionsRuntime }))
    if (value !== undefined) address.searchParams.set(name, value);
  if (isReadOnly) address.searchParams.set("readOnly", "");

  const startAgain = async (page: Page) => {
    const started = page.evaluate((href) => {
      history.replaceState(null, "", href);
      return window.workbench.startAgain();
    }, address.href);
    await inTime(started, "the add-in's start in an empty workbook");
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
      await idle(page);
      return page.evaluate((at) => window.workbench.getValues(at), address);
    },
    async texts(address) {
      await idle(page);
      return page.evaluate((at) => window.workbench.getTexts(at), address);
    },
    errorMessage: (address) => page.evaluate((at) => window.workbench.errorMessage(at), address),
    card: (address) => page.evaluate((at) => window.workbench.card(at), address),
    select: (address) => page.evaluate((at) => window.workbench.select(at), address),
    tables: () => page.evaluate(() => window.workbench.tables()),
    openXlsx: (bytes, name) =>
      page.evaluate(([all, as]) => window.workbench.openXlsx(all, as), [[...bytes], name] as const),
    saveXlsx: async () => Uint8Array.from(await page.evaluate(() => [...window.workbench.saveXlsx()])),
    reopen: () => startAgain(page),
    openBeside: async () => {
      const beside = await first.context().newPage();
      await load(beside, address.href);
      await ready(beside);
      return driver(beside);
    },
    async close() {
      await empty(profile);
      profiles.push(profile);
      expect(violations.splice(0)).toEqual([]);
    },
  });

  await first.setViewportSize({ width: 1_300, height: 900 });
  await first.emulateMedia({ colorScheme, forcedColors: null });
  if (key !== null) {
    await first.evaluate(([name, value]) => localStorage.setItem(name, value), [
      `_OfficeRuntime_Storage_${connectionStorageKey}`,
      storedForm({ baseUrl: new URL(origin).origin, key }),
    ] as const);
  }
  return startAgain(first);
}

/**
 * The outcome of something in a page that a test waits for. Fails after a minute and says what did not come: the whole test's limit would
 * not.
 */
export async function inTime<Result>(waiting: Promise<Result>, what: string): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited a minute for ${what}.`)), 60_000);
  });
  return Promise.race([waiting, late]).finally(() => clearTimeout(timer));
}

/** Resolves when no formula of the workbook is pending. */
export async function idle(page: Page): Promise<void> {
  await inTime(
    page.evaluate(() => window.workbench.idle()),
    "the formulas to be calculated",
  );
}

/** Resolves when the add-in has started. */
export async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => "workbench" in window);
  await inTime(
    page.evaluate(() => window.workbench.ready),
    "the add-in's start",
  );
}

async function newProfile(url: string, isPassing: boolean): Promise<Profile> {
  const context = await (await sharedBrowser()).newContext({ ignoreHTTPSErrors: true });
  context.setDefaultTimeout(60_000);
  await context.addInitScript(drawSeldom);
  await context.addInitScript(lackWhatIsNewer);
  const page = await context.newPage();
  const profile: Profile = { page, isPassing, url, requests: [], violations: [] };
  listen(profile);
  // The add-in starts when its pane is opened.
  await load(page, url);
  await empty(profile);
  return profile;
}

/**
 * Removes from the pane's frame all features of JavaScript that the oldest browser of package.json's browserslist lacks. A use that a
 * lint cannot see, such as a method that a library calls on a value, fails here.
 */
export function lackWhatIsNewer() {
  if (window === window.top) return;
  const newer: [object | undefined, string[]][] = [
    [AbortSignal, ["any"]],
    [URL, ["canParse", "parse"]],
    [Promise, ["withResolvers", "try"]],
    [Object, ["groupBy"]],
    [Map, ["groupBy"]],
    [Array, ["fromAsync"]],
    [RegExp, ["escape"]],
    [
      Set.prototype,
      [
        "union",
        "intersection",
        "difference",
        "symmetricDifference",
        "isSubsetOf",
        "isSupersetOf",
        "isDisjointFrom",
      ],
    ],
    [globalThis, ["Iterator"]],
    [
      Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object,
      ["map", "filter", "take", "drop", "flatMap", "reduce", "toArray", "forEach", "some", "every", "find"],
    ],
  ];
  for (const [owner, names] of newer) for (const name of names) Reflect.deleteProperty(owner ?? {}, name);
}

async function load(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForFunction(() => "workbench" in window);
}

function listen({ page, requests, violations }: Profile): void {
  const context = page.context();
  // Chromium reports each violation to the console, also in frames and before any script runs.
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

/** Removes all traces of a test: other pages, the add-in, routes of requests, listeners, and the browser's storage. */
async function empty(profile: Profile): Promise<void> {
  const { page, url, requests } = profile;
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page
    .evaluate(() => {
      window.workbench.close();
      document.getElementById("pane")?.removeAttribute("style");
    })
    .catch(() => load(page, url));
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // The mouse leaves the place where the next test's pane would be under it.
  await page.mouse.move(0, 0);
  await context.clearPermissions();
  // Listeners are removed by event, since Playwright itself listens for the end of the page and the context.
  for (const event of ["console", "page", "request"] as const) context.removeAllListeners(event);
  for (const event of ["console", "pageerror", "request"] as const) page.removeAllListeners(event);
  listen(profile);
  const browserSide = await context.newCDPSession(page);
  const { origin } = new URL(url);
  await browserSide.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await browserSide.detach();
  requests.length = 0;
}

/** A client that asks the sample service directly: its answers are what the sheet must show. */
export function sampleClient(key = "demo-national"): Client {
  const service = createService();
  return createClient(
    createTransport(
      { baseUrl: "https://service.test", key },
      { fetch: (input, init) => Promise.resolve(service.fetch(new Request(input, init))) },
    ),
  );
}
