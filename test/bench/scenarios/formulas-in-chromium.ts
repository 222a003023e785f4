import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from "@playwright/test";
import { launchOptions } from "../../../scripts/browser";
import { connectionStorageKey, storedForm } from "../../../src/settings/connection";
import { partsOf } from "../../../src/lists";
import { builtFiles, mustBeBuilt } from "../build";
import type { Cells, Recalculated } from "../excel/page";
import { atRest, collectingArgs, heldBytes, measuringSession, mostBytes, onThread } from "../excel/thread";
import { bytesAtMost, type FormulaTime, formulaTimeAtMost } from "../goals";
import { askAll } from "../play/formulas";
import { spreadOverStates } from "../play/work";
import { finding, type Goal } from "../result";
import { serveAddin } from "../restart/page-server";
import type { Bench, Scenario } from "../scenario";
import { createRecorder } from "../service/recorder";
import { readReferenceData } from "../service/reference-data";
import { median, mostRounds, repeat } from "../timing";

const geoidsARound = 1_000;
/** How many types are asked of each geoID: 10,000 and 100,000 formulas. */
const typeCounts = [10, 100] as const;
const most = { asked: { first: 45, steady: 20 }, again: { first: 10, steady: 5 }, bytes: 1_500, growth: 1.2 };

/**
 * Formulas of the built add-in, as webpack ships it, in Chromium, whose main script finds a played Excel in place of office.js. The directory
 * is known. Each round asks 1,000 other geoIDs, which have never been asked, and then the same again from memory. The memory is measured in
 * another page. The built add-in reads large answers in a worker, which the time of the page's thread leaves out, and writes them to disk
 * after a while, which it leaves out as well.
 */
export const formulasInChromium: Scenario = async (bench) => {
  mustBeBuilt("dist");
  const { ahjs, types } = await readReferenceData(bench.credentials);
  const geoids = spreadOverStates(ahjs, geoidsARound * mostRounds).flatMap(({ geoid }) => geoid ?? []);
  const server = await serveAddin("dist", builtFiles.excelPage);
  const { args, ...launch } = launchOptions({ hasWindows: true });
  const browser = await chromium.launch({ ...launch, args: [...args, ...collectingArgs] });
  try {
    const measured: Measured[] = [];
    for (const count of typeCounts) {
      const typeIds = types.slice(0, count).map(({ id }) => id);
      const rounds = partsOf(geoids, geoidsARound).map((some) => ({ geoids: some, typeIds }));
      measured.push(await measure(bench, browser, server.url, rounds));
    }
    const [small, large] = measured as [Measured, Measured];
    return finding(
      "formulas-in-chromium",
      { size: large.size, requests: large.requests, ms: large.ms.steady, memoryMb: large.bytes.most / 1e6 },
      [...measured.flatMap(goalsOf), linear(small, large)],
      measured.flatMap(linesOf),
    );
  } finally {
    await browser.close();
    server.stop();
  }
};

interface Measured {
  size: number;
  /** The requests of the first round, in Chromium and in Node. */
  requests: number;
  requestsInNode: number;
  /** The time from the first call to the last answer. */
  ms: FormulaTime;
  /** The time of the thread a formula: with a known directory, and from memory. */
  asked: FormulaTime;
  again: FormulaTime;
  /** The heap: before, at most, while all formulas wait for their request, and once they are answered. */
  bytes: { before: number; most: number; waiting: number; after: number };
}

async function measure(
  bench: Bench,
  browser: Browser,
  url: string,
  rounds: readonly Cells[],
): Promise<Measured> {
  const [first] = rounds;
  if (!first) throw new Error("there is nothing to ask");
  const size = first.geoids.length * first.typeIds.length;
  bench.progress(`${size} formulas in Node`);
  const inNode = await askInNode(bench, first);
  bench.progress(`${size} formulas and again from memory`);
  const { first: round, steady } = await inFreshPage(bench, browser, url, timeRounds(rounds));
  bench.progress(`the memory of ${size} formulas`);
  const bytes = await inFreshPage(bench, browser, url, (page, session) => measureHeap(page, session, first));
  if (round.asked.result.values !== inNode.values)
    throw new Error(`${round.asked.result.values} values in Chromium, ${inNode.values} in Node`);
  const fromMemory = [round, ...steady].reduce((sum, { again }) => sum + again.result.requests, 0);
  if (fromMemory > 0) throw new Error(`${fromMemory} requests for answers that were in memory`);

  const each = (busyMs: (one: Round) => number): FormulaTime => ({
    first: (busyMs(round) * 1_000) / size,
    steady: (median(steady.map(busyMs)) * 1_000) / size,
  });
  return {
    size,
    requests: round.asked.result.requests,
    requestsInNode: inNode.requests,
    ms: { first: round.asked.result.ms, steady: median(steady.map(({ asked }) => asked.result.ms)) },
    asked: each(({ asked }) => asked.busyMs),
    again: each(({ again }) => again.busyMs),
    bytes,
  };
}

/** The requests that the same formulas send in Node, and how many of them show a value there. */
async function askInNode(
  { credentials, createEngine }: Bench,
  { geoids, typeIds }: Cells,
): Promise<Pick<Recalculated, "requests" | "values">> {
  const recorder = createRecorder();
  const engine = await createEngine(credentials, recorder.fetch);
  await engine.knowDirectory();
  recorder.take();
  const asks = geoids.flatMap((geoid) => typeIds.map((typeId) => ({ geoid, typeId })));
  const answers = await askAll(engine, asks);
  return { requests: recorder.sent.length, values: answers.filter((answer) => answer !== null).length };
}

/** Opens the add-in in a browser profile of its own, so that it has neither answers nor directory, and lets it read the directory. */
async function inFreshPage<Result>(
  { credentials }: Bench,
  browser: Browser,
  url: string,
  work: (page: Page, session: CDPSession) => Promise<Result>,
): Promise<Result> {
  const context: BrowserContext = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.addInitScript(([name, connection]) => localStorage.setItem(name, connection), [
      connectionStorageKey,
      storedForm(credentials),
    ] as const);
    await page.goto(url);
    const session = await measuringSession(page);
    await page.evaluate(() => playedExcel.knowDirectory());
    await atRest(session);
    return await work(page, session);
  } finally {
    await context.close();
  }
}

interface Round {
  asked: { result: Recalculated; busyMs: number };
  again: { result: Recalculated; busyMs: number };
}

const timeRounds = (rounds: readonly Cells[]) => (page: Page, session: CDPSession) => {
  const left = [...rounds];
  return repeat(async (): Promise<Round> => {
    const cells = left.shift();
    if (!cells) throw new Error("no geoIDs are left to ask");
    const recalculate = () => page.evaluate((given) => playedExcel.recalculate(given), cells);
    const asked = await onThread(page, session, recalculate);
    await atRest(session);
    return { asked, again: await onThread(page, session, recalculate) };
  });
};

async function measureHeap(page: Page, session: CDPSession, cells: Cells): Promise<Measured["bytes"]> {
  const before = await heldBytes(session);
  await page.evaluate(() => playedExcel.hold());
  const called = await mostBytes(
    session,
    page.evaluate((given) => playedExcel.begin(given), cells),
  );
  const waiting = await heldBytes(session);
  const answered = await mostBytes(
    session,
    page.evaluate(() => playedExcel.release()),
  );
  await atRest(session);
  const after = await heldBytes(session);
  return { before, most: Math.max(called.bytes, answered.bytes), waiting, after };
}

function goalsOf({ size, requests, requestsInNode, asked, again, bytes }: Measured): Goal[] {
  const formulas = `${figure(size)} formulas`;
  return [
    about(formulas, {
      text: "as many requests as in Node",
      met: requests === requestsInNode,
      miss: `${requests} requests, in Node ${requestsInNode}.`,
    }),
    about(formulas, formulaTimeAtMost(most.asked, asked)),
    about(`${formulas} from memory`, formulaTimeAtMost(most.again, again)),
    about(formulas, bytesAtMost(most.bytes, (bytes.waiting - bytes.before) / size)),
  ];
}

const about = (what: string, { text, met, miss }: Goal): Goal => ({
  text: `${what}: ${text}`,
  met,
  miss: `${what}: ${miss}`,
});

function linear(small: Measured, large: Measured): Goal {
  const ratios = (["asked", "again"] as const).map((what) => large[what].steady / small[what].steady);
  return {
    text: `a formula of ${figure(large.size)} takes at most ${most.growth} x the time of one of ${figure(small.size)}`,
    met: ratios.every((ratio) => ratio <= most.growth),
    miss: `${ratios.map((ratio) => `${ratio.toFixed(2)} x`).join(" with a known directory and ")} from memory.`,
  };
}

function linesOf({ size, requests, ms, asked, again, bytes }: Measured): string[] {
  const time = ({ first, steady }: FormulaTime, digits: number) =>
    `${first.toFixed(digits)} in the first round, ${steady.toFixed(digits)} steady`;
  const more = (what: number) =>
    `${(what / 1e6).toFixed(1)} MB, ${((what - bytes.before) / size).toFixed(0)} bytes a formula`;
  return [
    `${figure(size)} formulas, ${requests} requests; ms: ${time(ms, 0)}`,
    `  thread, µs a formula: ${time(asked, 1)}; from memory ${time(again, 1)}`,
    `  heap: before ${(bytes.before / 1e6).toFixed(1)} MB; all waiting ${more(bytes.waiting)}; at most, with garbage, ${more(bytes.most)}; after ${more(bytes.after)}`,
  ];
}

const figure = (value: number) => value.toLocaleString("en-US");
