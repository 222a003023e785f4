import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { launchOptions } from "../../../scripts/browser";
import { builtFiles } from "../build";
import { readReferenceData } from "../service/reference-data";
import { servePage } from "../restart/page-server";
import type { Visit, VisitReport } from "../restart/visit";
import { finding } from "../result";
import type { Scenario } from "../scenario";
import { median } from "../timing";
import { spreadOverStates } from "../play/work";

const restarts = 5;
/** All answers: 20 µs a formula, because one that waits for an answer takes 13 to 18 µs by itself. */
const most = { firstMs: 60, allMs: 1_000 };

/**
 * A first visit asks 1,000 geoIDs x 50 types and fetches the answers. Then, several times, the browser is closed and started with the
 * same profile, and everything is asked again. The clock starts before the cache is opened, so nothing is warm.
 */
export const restartFromDisk: Scenario = async ({ credentials, progress }) => {
  const { ahjs, types } = await readReferenceData(credentials);
  const work: Visit = {
    credentials,
    geoids: spreadOverStates(ahjs, 1_000).flatMap(({ geoid }) => geoid ?? []),
    typeIds: types.slice(0, 50).map(({ id }) => id),
  };
  const size = work.geoids.length * work.typeIds.length;
  const server = await servePage(builtFiles.restartPage);
  const profile = await mkdtemp(join(tmpdir(), "regdata-bench-"));
  try {
    progress(`a first visit: ${size} answers from the service`);
    const first = await visitPage(server.url, profile, work);
    const again: VisitReport[] = [];
    for (let restart = 1; restart <= restarts; restart += 1) {
      progress(`restart ${restart} of ${restarts}`);
      again.push(await visitPage(server.url, profile, work));
    }
    if (again.some(({ values }) => values !== first.values)) {
      throw new Error(
        `the first visit had ${first.values} values, the others ${again.map((each) => each.values)}`,
      );
    }
    const firstMs = median(again.map((report) => report.firstMs));
    const allMs = median(again.map((report) => report.allMs));
    const requests = Math.max(...again.map((report) => report.requests));
    return finding(
      "restart-from-disk",
      { size, requests, ms: allMs },
      [
        {
          text: `first within ${most.firstMs} ms`,
          met: firstMs <= most.firstMs,
          miss: `The first answer came after ${firstMs.toFixed(0)} ms, of ${allMs.toFixed(0)} ms for all.`,
        },
        {
          text: `all within ${most.allMs} ms`,
          met: allMs <= most.allMs,
          miss: `The last answer came after ${allMs.toFixed(0)} ms, ${((allMs * 1_000) / size).toFixed(1)} µs each.`,
        },
        {
          text: "no request",
          met: requests === 0,
          miss: `${requests} requests after a restart, ${first.requests} on the first visit.`,
        },
      ],
      [
        `first answer after ${firstMs.toFixed(0)} ms, all after ${allMs.toFixed(0)} ms; ${first.values} hold a value`,
        `the first visit: ${first.requests} requests, ${first.allMs.toFixed(0)} ms`,
      ],
    );
  } finally {
    server.stop();
    await rm(profile, { recursive: true, force: true });
  }
};

/** Starts a browser with the profile, visits one page and closes it. */
async function visitPage(url: string, profile: string, work: Visit): Promise<VisitReport> {
  const browser = await chromium.launchPersistentContext(profile, launchOptions({ hasWindows: true }));
  try {
    const page = await browser.newPage();
    await page.goto(url);
    return await page.evaluate((each) => globalThis.visit(each), work);
  } finally {
    await browser.close();
  }
}
