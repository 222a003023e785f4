import type { Page } from "@playwright/test";

/** The browser needs this flag so that `bytesOf` answers at once. */
export const measuringArgs = ["--enable-blink-features=ForceEagerMeasureMemory"];

/** Lets the page's documents and workers be measured; its workers would not start otherwise. Call it before the page is opened. */
export async function allowMeasuring(page: Page): Promise<void> {
  await page.route("**/*", async (route) => {
    const request = route.request();
    const isWorker = /\/worker\.\w+\.js$/.test(new URL(request.url()).pathname);
    if (request.resourceType() !== "document" && !isWorker) return route.continue();
    const response = await route.fetch();
    const headers = {
      ...response.headers(),
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
    };
    await route.fulfill({ response, headers });
  });
}

export interface FrameBytes {
  /** The frame with the add-in and office.js. */
  addIn: number;
  /** The page with the spreadsheet. */
  grid: number;
}

interface Measured {
  breakdown: { bytes: number; types: string[]; attribution: { url: string }[] }[];
}

/**
 * The JavaScript heap by frame after garbage collection (`performance.measureUserAgentSpecificMemory`). Without a forced collection it
 * also counts garbage that only a debugger's collection frees, up to half of an import, by chance; but it holds the page up less.
 */
export async function bytesOf(page: Page, { isForced = true } = {}): Promise<FrameBytes> {
  if (isForced) {
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    await session.detach();
  }
  const { breakdown } = await page.evaluate(() =>
    (
      performance as unknown as { measureUserAgentSpecificMemory(): Promise<Measured> }
    ).measureUserAgentSpecificMemory(),
  );
  const sum = (isOf: (url: string) => boolean) =>
    breakdown
      .filter(
        ({ types, attribution }) => types.includes("JavaScript") && attribution.some(({ url }) => isOf(url)),
      )
      .reduce((bytes, each) => bytes + each.bytes, 0);
  const isAddIn = (url: string) => url.includes("/addin/");
  return { addIn: sum(isAddIn), grid: sum((url) => !isAddIn(url)) };
}

/** The memory once all answers are on disk: until then they are held, and writing 450,000 answers takes ten seconds. */
export async function bytesAtRest(page: Page): Promise<FrameBytes> {
  await page.waitForTimeout(15_000);
  return bytesOf(page);
}
