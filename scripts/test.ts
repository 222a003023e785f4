/** Everything that must hold before a change lands: types, lint, build, and the tests, those in a browser too. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBrowser } from "./browser";
import { ensureNginx } from "./nginx-program";

function step(name: string, command: string[]): void {
  console.log(`\n> ${name}`);
  const { status } = spawnSync("npx", command, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) {
    console.error(`\n${name} failed.`);
    process.exit(1);
  }
}

try {
  console.log(`Browser: ${ensureBrowser()}`);
} catch (failure) {
  console.error(String(failure));
  process.exit(1);
}
try {
  console.log(`nginx: ${ensureNginx().path}`);
} catch (failure) {
  // Its tests will fail with the same sentence; all others can run.
  console.error(String(failure));
}
step("types", ["tsc", "--noEmit"]);
step("lint", ["eslint", "."]);
step("format", ["prettier", "--check", "--log-level", "warn", "."]);
step("build", ["webpack"]);

const results = join(mkdtempSync(join(tmpdir(), "regdata-test-")), "results.json");
const { status } = spawnSync(
  "npx",
  [
    "vitest",
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${results}`,
    ...process.argv.slice(2),
  ],
  { stdio: "inherit", shell: process.platform === "win32" },
);
const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(results, "utf8")) as {
  numPassedTests: number;
  numFailedTests: number;
};
console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
process.exit(status ?? 1);
