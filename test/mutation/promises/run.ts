/**
 * `npm run mutation -- promises [--without-build] [words]`: breaks each promise of docs/security.md, docs/privacy.md and docs/reliability.md in
 * the ways of its list, in a copy of the checkout, and prints whether the named test notices. `words`, a regular expression, chooses
 * the promises that say them; `--without-build` leaves out the mutants whose tests look at the built add-in.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { type Mutant, titlePattern } from "./promise";
import { promises } from "./promises";

/** Tests that look at the built add-in. */
const looksAtBuild = (mutant: Mutant) =>
  "test" in mutant && /^test\/(?:e2e\/|security|manifest|deployment\/dist)/.test(mutant.test);
/** Files that the build reads, as far as mutants break them. */
const isBuilt = (file: string) => /^(?:src|deployment)\/|^webpack/.test(file);

const withoutBuild = "--without-build";
/** A program that takes longer does not end. */
const patienceMs = 600_000;

interface TestResult {
  title: string;
  status: string;
}

/** True if every mutant was caught. */
export function breakPromises(options: readonly string[]): boolean {
  const words = options.filter((option) => option !== withoutBuild).join(" ");
  const isWanted = (mutant: Mutant) => !options.includes(withoutBuild) || !looksAtBuild(mutant);
  const chosen = promises
    .filter(({ says }) => new RegExp(words, "i").test(says))
    .map(({ says, mutants }) => ({ says, mutants: mutants.filter(isWanted) }))
    .filter(({ mutants }) => mutants.length > 0);
  const mutants = chosen.flatMap(({ mutants }) => mutants);
  if (mutants.length === 0) throw new Error(`No promise says “${words}”.`);
  const copy = copyOfCheckout();
  try {
    if (mutants.some(looksAtBuild)) mustBeBuilt(copy);
    mustBeGreen(copy, mutants);
    let isAsBuilt = true;
    const survivors = chosen.flatMap(({ says, mutants }) => {
      console.log(`\n${says}`);
      return mutants.filter((mutant) => {
        const isRebuilt = looksAtBuild(mutant) && isBuilt(mutant.file);
        if (looksAtBuild(mutant) && !isRebuilt && !isAsBuilt) mustBeBuilt(copy);
        if (looksAtBuild(mutant)) isAsBuilt = !isRebuilt;
        const outcome = outcomeOf(copy, mutant, isRebuilt);
        console.log(
          `  ${outcome}: ${mutant.file}: ${shortened(mutant.text)} -> ${shortened(mutant.becomes)}`,
        );
        return outcome !== "caught";
      });
    });
    const caught = mutants.length - survivors.length;
    console.log(`\n${chosen.length} promises, ${mutants.length} mutants, ${caught} caught.`);
    return survivors.length === 0;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The files of the checkout as they are now, without what is built. */
function copyOfCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), "regdata-promises-"));
  const listed = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  for (const file of listed.stdout.split("\0")) {
    if (file !== "" && existsSync(file)) cpSync(file, join(copy, file));
  }
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"), "junction");
  return copy;
}

function node(copy: string, program: string, options: string[]) {
  return spawnSync(process.execPath, [join("node_modules", program), ...options], {
    cwd: copy,
    encoding: "utf8",
    timeout: patienceMs,
    maxBuffer: 100_000_000,
  });
}

function mustBeBuilt(copy: string): void {
  const failure = build(copy);
  if (failure) throw new Error(failure);
}

/** Builds; gives the output of a builder that failed. */
function build(copy: string): string | undefined {
  for (const [program, options] of [
    ["webpack/bin/webpack.js", ["--env", "types=unchecked"]],
    ["vite/bin/vite.js", ["build"]],
  ] as [string, string[]][]) {
    const { status, stdout, stderr } = node(copy, program, options);
    if (status !== 0) return `${program}:\n${stdout}${stderr}`;
  }
  return undefined;
}

/** The tests of these files whose titles fit, as they went. */
function runTests(copy: string, files: readonly string[], titles: readonly string[]): TestResult[] {
  const output = join(copy, "results.json");
  rmSync(output, { force: true });
  const pattern = titles.map(titlePattern).join("|");
  node(copy, "vitest/vitest.mjs", [
    ...["run", ...files, "--testNamePattern", `(${pattern})`],
    ...["--reporter=json", `--outputFile.json=${output}`],
  ]);
  if (!existsSync(output)) return [];
  const { testResults } = JSON.parse(readFileSync(output, "utf8")) as {
    testResults: { name: string; assertionResults: TestResult[] }[];
  };
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((result) => ({ ...result, file: relative(copy, name) })),
  );
}

/** A test that fails anyway would notice nothing. */
function mustBeGreen(copy: string, mutants: readonly Mutant[]): void {
  const tests = mutants.filter((mutant) => "test" in mutant);
  const files = [...new Set(tests.map(({ test }) => test))];
  const titles = [...new Set(tests.map(({ title }) => title))];
  const results = tests.length === 0 ? [] : runTests(copy, files, titles);
  const notGreen = titles.filter((title) => !isAll(results, title, "passed"));
  if (notGreen.length > 0) {
    throw new Error(`These tests fail, or do not run, before anything is broken:\n${notGreen.join("\n")}`);
  }
}

const fitting = (results: readonly TestResult[], title: string) =>
  results.filter((result) => new RegExp(`^${titlePattern(title)}$`, "s").test(result.title));

function isAll(results: readonly TestResult[], title: string, status: string): boolean {
  const ran = fitting(results, title);
  return ran.length > 0 && ran.every((result) => result.status === status);
}

function outcomeOf(copy: string, mutant: Mutant, isRebuilt: boolean): "caught" | "SURVIVED" | "DOES NOT RUN" {
  const path = join(copy, mutant.file);
  const before = readFileSync(path, "utf8");
  if (before.split(mutant.text).length !== 2) return "DOES NOT RUN";
  writeFileSync(
    path,
    before.replace(mutant.text, () => mutant.becomes),
  );
  try {
    if ("rule" in mutant) {
      const { stdout } = node(copy, "oxlint/bin/oxlint", [mutant.file]);
      return stdout.includes(`(${mutant.rule})`) ? "caught" : "SURVIVED";
    }
    if (isRebuilt && build(copy)) return "DOES NOT RUN";
    const ran = fitting(runTests(copy, [mutant.test], [mutant.title]), mutant.title);
    if (ran.some(({ status }) => status === "failed")) return "caught";
    return isAll(ran, mutant.title, "passed") ? "SURVIVED" : "DOES NOT RUN";
  } finally {
    writeFileSync(path, before);
  }
}

const shortened = (text: string) => text.replace(/\s+/g, " ").slice(0, 60) || "nothing";
