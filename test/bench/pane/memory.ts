import type { Page } from "@playwright/test";

/** What the browser needs so that `bytesOf` answers at once. */
export const measuringArgs = ["--enable-blink-features=ForceEagerMeasureMemory"];

/** Has the page's documents allow themselves to be measured, and their workers, which would else not start. Before it is opened. */
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
  /** Of the frame with the add-in, office.js in it. */
  addIn: number;
  /** Of the page with the spreadsheet. */
  grid: number;
}

interface Measured {
  breakdown: { bytes: number; types: string[]; attribution: { url: string }[] }[];
}

/**
 * The JavaScript heap after garbage collection, by frame (`performance.measureUserAgentSpecificMemory`, which by itself
 * leaves what only a collection for a debugger frees: up to half of an import, by chance). Not forced, it counts that too, and
 * holds the page up less.
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

/** What is left once all that came is on disk. */
export async function bytesAtRest(page: Page): Promise<FrameBytes> {
  await page.waitForTimeout(15_000);
  return bytesOf(page);
}
