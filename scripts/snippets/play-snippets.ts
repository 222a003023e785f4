import { resolve } from "node:path";
import { type BrowserContext, chromium, type Frame, type Page } from "@playwright/test";
import { startWorkbench } from "../../workbench/workbench-server";
import { drawSeldom, launchOptions } from "../browser";
import type {} from "../../workbench/page/workbench-api";
import { type Expectation, mismatches } from "./expectations";
import type { PageError } from "./recorder";
import type { Snippet } from "./read-snippet";
import { writeAddin } from "./snippet-addin";

const SNIPPET_LIMIT_MS = 60_000;
const START_LIMIT_MS = 15_000;
const PRESS_LIMIT_MS = 10_000;
/** So long nothing may be under way until the next button is pressed. */
const QUIET_MS = 150;

/** Steps of a snippet beside its buttons. */
const AT_THE_START = "start";
const AT_THE_END = "end";

/** How a snippet ended: the first of these that applies, from the last to the first. */
export type Ending = "ran" | "failed" | "refused" | "not played";

export interface Outcome {
  snippet: Snippet;
  ending: Ending;
  /** Members that the workbench does not play, by the name with which it refuses them. */
  notPlayed: string[];
  /** Each other complaint: the button that was pressed, and its words. */
  complaints: string[];
  /** Differences from what is written down of the snippet; null if nothing is. */
  differences: string[] | null;
}

/** Plays snippets one after another in one browser, and tells each outcome as soon as it is known. */
export async function playSnippets(
  snippets: readonly Snippet[],
  expectations: Readonly<Record<string, Expectation>>,
  tell: (outcome: Outcome) => void,
): Promise<void> {
  const [first] = snippets;
  if (!first) return;
  const addinDir = resolve("build", "snippets");
  writeAddin(first, addinDir);
  const server = await startWorkbench({ port: 0, addinDir, pageDir: resolve("build", "workbench") });
  const browser = await chromium.launch(launchOptions());
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const url = server.url.replace("localhost", "127.0.0.1");
  // Functions that go to the page as texts call this helper of the compiler.
  await context.addInitScript("globalThis.__name = (named) => named;");
  await context.addInitScript(drawSeldom);
  // A snippet that asks another server fails at once instead of waiting for a network that may not be there.
  await context.route(
    (asked) => asked.origin !== new URL(url).origin,
    (route) => route.abort(),
  );
  /** Null where the next snippet needs a new page. */
  let page: Page | null = null;
  try {
    for (const snippet of snippets) {
      const expected = expectations[snippet.path];
      const outcome: Outcome = {
        ...{ snippet, ending: "ran", notPlayed: [], complaints: [] },
        differences: expected ? [] : null,
      };
      const { hasFunctions } = writeAddin(snippet, addinDir);
      if (hasFunctions) page = await closed(page);
      try {
        let frame = page && (await startedAgain(page).then(snippetFrame, () => null));
        // A page that has played many snippets may not start another one: a new page does.
        if (!page || !frame) {
          await closed(page);
          page = await opened(context, url);
          frame = await snippetFrame(page);
        }
        if (!frame) throw new Error("The snippet's page does not start.");
        await within(SNIPPET_LIMIT_MS, play(page, frame, outcome, expected));
      } catch (cause) {
        outcome.complaints.push(String(cause));
        outcome.ending = "failed";
        page = await closed(page);
      }
      if (hasFunctions) page = await closed(page);
      tell(outcome);
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

async function opened(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(() => "workbench" in window);
  await within(
    SNIPPET_LIMIT_MS,
    page.evaluate(() => window.workbench.ready),
  );
  return page;
}

/** Another add-in begins in an empty workbook. */
async function startedAgain(page: Page): Promise<Page> {
  await within(
    SNIPPET_LIMIT_MS,
    page.evaluate(() => window.workbench.startAgain()),
  );
  return page;
}

async function closed(page: Page | null): Promise<null> {
  await page?.close();
  return null;
}

/** The frame of the snippet, once its script has begun; null if it does not begin. */
async function snippetFrame(page: Page): Promise<Frame | null> {
  const frame = await (await page.waitForSelector("#addin iframe")).contentFrame();
  // A frame draws nothing while it is out of sight, so this does not wait for its drawings.
  const started = frame?.waitForFunction(() => window.snippet.isStarted, undefined, {
    ...{ polling: 100, timeout: START_LIMIT_MS },
  });
  return (await started?.catch(() => null)) ? frame : null;
}

async function play(page: Page, frame: Frame, outcome: Outcome, expected: Expectation = {}): Promise<void> {
  const { differences } = outcome;
  let problemCount = 0;
  const after = async (step: string) => {
    const errors = await frame.evaluate(() => window.snippet.errors.splice(0));
    const problems = await page.evaluate((from) => window.workbench.problems.slice(from), problemCount);
    problemCount += problems.length;
    const planned = expected.refusals?.[step];
    const isPlanned = ({ code }: PageError) => planned !== undefined && code === planned;
    if (planned !== undefined && !errors.some(isPlanned)) differences?.push(`${step}: no ${planned}`);
    const mistake = expected.mistakes?.[step];
    const isMistake = ({ code, message }: PageError) => code === null && message === mistake;
    if (mistake !== undefined && !errors.some(isMistake)) differences?.push(`${step}: no mistake`);
    const unplanned = errors.filter((error) => !isPlanned(error) && !isMistake(error));
    judge(step, unplanned, problems, outcome);
    for (const check of expected.checks ?? [])
      if ((check.after ?? AT_THE_END) === step) differences?.push(...(await mismatches(check, page, frame)));
  };

  for (const [address, rows] of Object.entries(expected.formulas ?? {})) {
    await page.evaluate(([at, all]) => window.workbench.setFormulas(at, all), [address, rows] as const);
    await page.evaluate(() => window.workbench.idle());
  }
  await rest(frame);
  await after(AT_THE_START);
  const buttons = await frame.evaluate(() =>
    [...document.querySelectorAll("button")].map(({ id, textContent }) => id || (textContent ?? "").trim()),
  );
  for (const [index, button] of buttons.entries()) {
    const selected = expected.select?.[button];
    if (selected !== undefined) await page.evaluate((at) => window.workbench.select(at), selected);
    await frame.evaluate((at) => document.querySelectorAll("button")[at]?.click(), index);
    if (expected.clickAfter === button) {
      await rest(frame);
      await clickFirstCell(page);
    }
    if (!(await rest(frame))) outcome.complaints.push(`${button}: no end in ${PRESS_LIMIT_MS / 1_000} s`);
    await after(button);
  }
  await after(AT_THE_END);
  if (outcome.complaints.length > 0 && outcome.ending === "ran") outcome.ending = "failed";
}

/** Clicks the first cell of the active sheet: it begins behind the heads of the row and the column. */
async function clickFirstCell(page: Page): Promise<void> {
  const canvas = await page.locator("canvas[id^=univer-sheet-main-canvas]").first().boundingBox();
  if (canvas) await page.mouse.click(canvas.x + 46 + 20, canvas.y + 20 + 10);
}

/** Waits until no run of the snippet is under way. False if one still is after a while. */
async function rest(frame: Frame): Promise<boolean> {
  const end = Date.now() + PRESS_LIMIT_MS;
  for (let quietSince = Date.now(); Date.now() - quietSince < QUIET_MS;) {
    if (Date.now() > end) return false;
    if (await frame.evaluate(() => window.snippet.running > 0)) quietSince = Date.now();
    await new Promise((done) => setTimeout(done, 50));
  }
  return true;
}

const notPlayedSentence = /does not model this API\. \((.*)\)$/;
const worse: readonly Ending[] = ["ran", "failed", "refused", "not played"];

/** Adds what went wrong in a step to an outcome. */
function judge(step: string, errors: PageError[], problems: string[], outcome: Outcome): void {
  const end = (ending: Ending) => {
    if (worse.indexOf(ending) > worse.indexOf(outcome.ending)) outcome.ending = ending;
  };
  const sentences = [...problems, ...errors.map(({ message }) => message)];
  const named = sentences.flatMap((sentence) => notPlayedSentence.exec(sentence)?.[1] ?? []);
  for (const member of named) {
    if (!outcome.notPlayed.includes(member)) outcome.notPlayed.push(member);
    end("not played");
  }
  for (const { code, message } of errors) {
    if (notPlayedSentence.test(message)) continue;
    outcome.complaints.push(`${step}: ${code === null ? "" : `${code}: `}${message}`);
    end(code === null || code === "GeneralException" ? "failed" : "refused");
  }
  for (const problem of problems)
    if (!notPlayedSentence.test(problem) && !errors.some(({ message }) => message === problem)) {
      outcome.complaints.push(`${step}: ${problem}`);
      end("failed");
    }
}

async function within<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end in ${limitMs / 1_000} s`)), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
