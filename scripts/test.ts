/**
 * `npm test` checks what every change must hold: types, lint, build, all tests in Node, and some thirty journeys in a browser.
 * `npm run test:all` checks what takes longer: all tests in a browser, each screen in all looks, the plays of random histories, and the
 * main job in three browsers. Other words go to Vitest, such as a part of a file's name.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBrowser } from "./browser";
import { browsers } from "./browsers/browsers";
import { ensureNginx } from "./relay/nginx-program";

interface Step {
  name: string;
  command: string;
}

const isAll = process.argv[2] === "--all";
const words = process.argv.slice(isAll ? 3 : 2);
/** The projects of vitest.config.mts. */
const projects = isAll ? ["browser", "plays"] : ["journeys", "alone", "node"];

const shell = process.platform === "win32";
const failed: string[] = [];

/** Runs steps one after another until any step has failed. Each step's output is shown when it has ended. */
async function inTurn(steps: Step[]): Promise<void> {
  for (const { name, command } of steps) {
    if (failed.length > 0) return;
    const since = performance.now();
    const child = spawn(command, { stdio: ["ignore", "pipe", "pipe"], shell: true });
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (part: Buffer) => void output.push(part));
    const [code] = (await once(child, "close")) as [code: number | null];
    console.log(`\n> ${name}, ${Math.round((performance.now() - since) / 1000)} s`);
    process.stdout.write(Buffer.concat(output));
    if (code !== 0) failed.push(name);
  }
}

try {
  console.log(`Browser: ${ensureBrowser()}`);
} catch (failure) {
  console.error((failure as Error).message);
  process.exit(1);
}
try {
  console.log(`nginx: ${ensureNginx()}`);
} catch (failure) {
  // The tests that need nginx will fail with the same sentence; all others can run.
  console.error((failure as Error).message);
}
// Building the add-in takes as long as all other steps together.
await Promise.all([
  // The step "types" checks all types, those of src included.
  inTurn([{ name: "build of the add-in", command: "npx webpack --env types=unchecked" }]),
  inTurn([
    { name: "build of the workbench", command: "npx vite build" },
    { name: "types", command: "npm run --silent typecheck" },
    { name: "lint", command: "npx oxlint" },
    { name: "format", command: "npx oxfmt --check" },
  ]),
]);
if (failed.length > 0) {
  console.error(`\n${failed.join(" and ")} failed.`);
  process.exit(1);
}

const results = join(mkdtempSync(join(tmpdir(), "regdata-test-")), "results.json");
const { status } = spawnSync(
  "npx",
  [
    "vitest",
    "run",
    ...projects.flatMap((project) => ["--project", project]),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${results}`,
    ...words,
  ],
  { stdio: "inherit", shell },
);
const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(results, "utf8")) as {
  numPassedTests: number;
  numFailedTests: number;
};
console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
const isPassed = status === 0 && (!isAll || words.length > 0 || doMainJobInBrowsers());
process.exit(isPassed ? 0 : 1);

/** False if the main job fails in one of the browsers that are installed. */
function doMainJobInBrowsers(): boolean {
  const missing = browsers.map((browser) => browser.missing());
  if (missing.every((programs) => programs.length > 0)) {
    console.log(`The main job ran in no other browser: ${missing.flat().join(", ")} not installed.`);
    return true;
  }
  return spawnSync("npm", ["run", "browsers"], { stdio: "inherit", shell }).status === 0;
}
