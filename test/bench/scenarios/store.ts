import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { launchOptions } from "../../../scripts/browser";
import type { Credentials } from "../../../src/engine/transport/exchange";
import { partsOf } from "../../../src/lists";
import { builtFiles } from "../build";
import { type Block, described, watchBlocks } from "../pane/blocks";
import { bytesOf, measuringArgs } from "../pane/memory";
import { readReferenceData } from "../service/reference-data";
import { servePage } from "../restart/page-server";
import { finding } from "../result";
import type { Scenario } from "../scenario";

const most = { mb: 60, bytesBesideTexts: 24, blockMs: 50 };
const leastASecond = 1_000_000;
/** The AHJs with texts that never repeat: as many as the bound of memory can hold. */
const uniqueAhjs = 7_500;

/**
 * Measures the store of answers in Chromium with the whole country's answers to 53 questions: its memory, how long the page is held up
 * while answers are kept and written to disk, and how fast they come back after a restart. Then it does the same with texts that never
 * repeat.
 */
export const store: Scenario = async ({ credentials, progress }) => {
  const { ahjs, types } = await readReferenceData(credentials);
  const ahjIds = ahjs.map(({ id }) => id);
  const typeIds = types.slice(0, 53).map(({ id }) => id);
  const server = await servePage(builtFiles.storePage);
  const profile = await mkdtemp(join(tmpdir(), "regdata-bench-"));
  const browser = await chromium.launchPersistentContext(profile, {
    ...launchOptions({ hasWindows: true }),
    ...{ args: [...(launchOptions({ hasWindows: true }).args ?? []), ...measuringArgs] },
  });
  try {
    const page = await opened();
    await mustSeeBlocks(page);
    const emptyBytes = await heapOf(page);
    progress(`${ahjIds.length} x ${typeIds.length} answers from the service`);
    let answers = 0;
    for (const some of partsOf(ahjIds, 5_000)) {
      answers += await page.evaluate((given) => storePage.fetch(...given), [credentials, some, typeIds] as [
        Credentials,
        number[],
        number[],
      ]);
    }
    progress("to memory and disk");
    await page.evaluate(() => void (window.blocks = []));
    const keptMs = await page.evaluate((given) => storePage.keep(given), credentials);
    const keepBlocks = await blocksOf(page);
    const takenMb = ((await heapOf(page)) - emptyBytes) / 1e6;

    progress("back from disk");
    const again = await opened();
    const backMs = await again.evaluate((given) => storePage.recall(...given), [credentials, ahjIds] as [
      Credentials,
      number[],
    ]);
    const backBlocks = await blocksOf(again);
    const back = await again.evaluate((given) => storePage.count(...given), [ahjIds, typeIds] as [
      number[],
      number[],
    ]);
    if (back !== answers) throw new Error(`${back} of ${answers} answers came back`);
    const aSecond = (answers / backMs) * 1_000;
    await again.close();

    progress("texts that never repeat");
    const other = await opened();
    const beforeBytes = await heapOf(other);
    const textBytes = await other.evaluate((given) => storePage.make(...given), [uniqueAhjs, typeIds] as [
      number,
      number[],
    ]);
    const unlike = { ...credentials, key: "texts that never repeat" };
    await other.evaluate((given) => storePage.keep(given), unlike);
    const uniqueAnswers = uniqueAhjs * typeIds.length;
    const besideTexts = ((await heapOf(other)) - beforeBytes - textBytes) / uniqueAnswers;

    const longest = (blocks: readonly Block[]) => Math.max(0, ...blocks.map(({ ms }) => ms));
    const blocks = [...keepBlocks, ...backBlocks];
    return finding(
      "store",
      { size: answers, memoryMb: takenMb, ms: backMs },
      [
        {
          text: `at most ${most.mb} MB`,
          met: takenMb <= most.mb,
          miss: `${takenMb.toFixed(1)} MB, ${((takenMb * 1e6) / answers).toFixed(1)} bytes an answer.`,
        },
        {
          text: `at most ${most.bytesBesideTexts} bytes an answer beside texts that never repeat`,
          met: besideTexts <= most.bytesBesideTexts,
          miss: `${besideTexts.toFixed(1)} bytes beside the ${textBytes} of ${uniqueAnswers} answers' texts.`,
        },
        {
          text: `no block beyond ${most.blockMs} ms`,
          met: longest(blocks) <= most.blockMs,
          miss: `${longest(blocks).toFixed(0)} ms: ${described(blocks)}.`,
        },
        {
          text: `${leastASecond} answers a second from disk`,
          met: aSecond >= leastASecond,
          miss: `${aSecond.toFixed(0)} a second.`,
        },
      ],
      [
        `${takenMb.toFixed(1)} MB for ${answers} answers; ${besideTexts.toFixed(1)} bytes an answer beside texts that never repeat`,
        `on disk after ${(keptMs / 1_000).toFixed(1)} s, the page held up for ${longest(keepBlocks).toFixed(0)} ms at the most`,
        `back after ${backMs.toFixed(0)} ms, ${(aSecond / 1e6).toFixed(2)} million a second, held up for ${longest(backBlocks).toFixed(0)} ms`,
      ],
    );
  } finally {
    await browser.close();
    server.stop();
    await rm(profile, { recursive: true, force: true });
  }

  async function opened(): Promise<Page> {
    const page = await browser.newPage();
    await page.addInitScript(watchBlocks);
    await page.goto(server.url);
    return page;
  }
};

async function heapOf(page: Page): Promise<number> {
  const { addIn, grid } = await bytesOf(page);
  return addIn + grid;
}

async function blocksOf(page: Page): Promise<Block[]> {
  await page.waitForTimeout(500);
  return page.evaluate(() => window.blocks);
}

/** Fails if the page does not report a block that is there: without this check, no report would look like success. */
async function mustSeeBlocks(page: Page): Promise<void> {
  await page.evaluate(() => new Promise<void>((resolve) => setTimeout(() => resolve(storePage.holdUp(200)))));
  const blocks = await blocksOf(page);
  if (!blocks.some(({ ms }) => ms >= 150)) throw new Error("the browser tells of no long block");
}
