/**
 * `npm run browsers`: the main job in Chromium, Firefox and WebKit, each as it is installed; `-- firefox` tries one alone. Its last
 * line says which ran. Ends with 1 if one that ran failed, or if none ran. Run after a build.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createService } from "../../reference-service/service";
import { startWorkbench } from "../../workbench/workbench-server";
import { type Browser, browsers } from "./browsers";
import { doMainJob } from "./main-job";
import { exitCode, lastLine, type Outcome } from "./outcomes";
import { sampleOf } from "./sample-answers";

const key = "demo-national";
const pictures = join("build", "browsers");
const addinDir = resolve("dist");
const pageDir = resolve("build/workbench");

const names = process.argv.slice(2).map((name) => name.toLowerCase());
const unknown = names.filter((name) => !browsers.some((browser) => browser.name.toLowerCase() === name));
if (unknown.length > 0) quit(`${unknown.join(", ")}: it is chromium, firefox or webkit.`);
if (![addinDir, pageDir].every((folder) => existsSync(folder)))
  quit("Run npm run build first: there is no built add-in.");

function quit(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

const outcomes: Outcome[] = [];
for (const browser of browsers) {
  if (names.length > 0 && !names.includes(browser.name.toLowerCase())) continue;
  const outcome = await tryIn(browser);
  outcomes.push(outcome);
  if (outcome.result !== "passed") console.error(`${outcome.name}: ${outcome.why}`);
}
console.log(lastLine(outcomes));
process.exitCode = exitCode(outcomes);

async function tryIn(browser: Browser): Promise<Outcome> {
  const { name } = browser;
  const missing = browser.missing();
  if (missing.length > 0) return { name, result: "not tried", why: `${missing.join(" and ")} not installed` };

  const [before, after] = [createService({ month: "before" }), createService({ month: "after" })];
  let published = before;
  const workbench = await startWorkbench({
    port: 0,
    addinDir,
    pageDir,
    mount: (request) => published.fetch(request),
  });
  try {
    const tab = await browser.start();
    const { version } = tab;
    try {
      await doMainJob(tab, {
        // "localhost" may be looked up on the network, which takes ten seconds where nobody answers.
        url: workbench.url.replace("localhost", "127.0.0.1"),
        key,
        before: await sampleOf(before, key),
        after: await sampleOf(after, key),
        publish: () => (published = after),
        done: (step, seconds) => console.log(`${name}: ${step}, ${seconds.toFixed(1)} s`),
      });
      return { name, version, result: "passed" };
    } catch (failure) {
      const picture = await keepPicture(name, () => tab.picture());
      return { name, version, result: "failed", why: `${(failure as Error).message}${picture}` };
    } finally {
      await tab.close();
    }
  } catch (failure) {
    return { name, result: "failed", why: (failure as Error).message };
  } finally {
    await workbench.close();
  }
}

/** Where the picture of the end is, for the sentence that says what failed. */
async function keepPicture(name: string, take: () => Promise<Buffer>): Promise<string> {
  try {
    const path = join(pictures, `${name.toLowerCase()}.png`);
    const picture = await take();
    mkdirSync(pictures, { recursive: true });
    writeFileSync(path, picture);
    return ` (seen then: ${path})`;
  } catch {
    return "";
  }
}
