/**
 * `npm run mutation -- [--own-test] [--every N] [folder or folder/file.ts …]` breaks the code of each folder in many small ways and
 * counts what its tests notice. With `--own-test`, it counts what a file's own tests notice; with `--every N`, it breaks only the first,
 * N+1st, … file of each folder, in alphabetical order. Reports go to reports/mutation/<folder>.json, the surviving mutants to
 * <folder>.txt. `npm run mutation -- promises` breaks what is promised instead (test/mutation/promises).
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { parseArgs } from "node:util";
import { breakPromises } from "../test/mutation/promises/run";

if (process.argv[2] === "promises") process.exit(breakPromises(process.argv.slice(3)) ? 0 : 1);

const mutated = [
  "settings",
  ...["cache", "transport", "api", "lookup"].map((name) => `engine/${name}`),
  ...["sheet", "imports", "formula-text"].map((name) => `workbook/${name}`),
  "taskpane",
];
const {
  values: { "own-test": isOwnTest, every },
  positionals: asked,
} = parseArgs({
  allowPositionals: true,
  options: { "own-test": { type: "boolean" }, every: { type: "string", default: "1" } },
});
/** Only the pane's controllers are mutated, not the code that draws its screens. */
const filesOf = (folder: string) =>
  readdirSync(`src/${folder}`, { encoding: "utf8", recursive: true })
    .map((path) => `src/${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(folder === "taskpane" ? "-control.ts" : ".ts"))
    .toSorted()
    .filter((_, index) => index % Number(every) === 0);
/** A part is one of the folders above, or a file in such a folder. */
const folderOf = (part: string) => mutated.find((folder) => `${part}/`.startsWith(`${folder}/`));
if (isOwnTest && !asked.every((part) => part.endsWith(".ts"))) {
  console.error("--own-test wants files, such as engine/lookup/answers/request-plan.ts.");
  process.exit(1);
}
if (!/^[1-9]\d*$/.test(every)) {
  console.error("--every wants a number, such as 8.");
  process.exit(1);
}
const unknown = asked.filter((part) => folderOf(part) === undefined);
if (unknown.length > 0) {
  console.error(`No folder of ${unknown.join(", ")} is among ${mutated.join(", ")}.`);
  process.exit(1);
}

/** The part of Stryker's report (schema of mutation-testing-report, version 2) that this script counts. */
interface Report {
  files: Record<string, { source: string; mutants: Mutant[] }>;
}
interface Mutant {
  mutatorName: string;
  replacement: string;
  status: "Killed" | "Timeout" | "Survived" | "NoCoverage" | "Ignored" | "RuntimeError" | "CompileError";
  location: { start: { line: number; column: number } };
}

const reports = "reports/mutation";
const nameOf = (part: string) => part.replaceAll("/", "-");

function run(part: string): Report {
  const path = `${reports}/${nameOf(part)}.json`;
  rmSync(path, { force: true });
  const { status } = spawnSync("npx", ["stryker", "run", "test/mutation/stryker.config.mjs"], {
    stdio: "inherit",
    // A local time that is not UTC. A test can't set it, since its thread has a copy of the environment.
    env: {
      ...process.env,
      MUTATED_FILES: part === folderOf(part) ? filesOf(part).join(",") : `src/${part}`,
      MUTATION_REPORT: path,
      MUTATION_TESTS: isOwnTest
        ? `${dirname(part)}/**/${basename(part, ".ts")}{,-*}.test.ts`
        : `${folderOf(part)}/**/*.test.ts`,
      TZ: "America/Los_Angeles",
    },
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`Stryker ended with ${status} at ${part}: see above.`);
  return JSON.parse(readFileSync(path, "utf8")) as Report;
}

function survivors({ files }: Report): string {
  return Object.entries(files)
    .flatMap(([file, { source, mutants }]) => {
      const lines = source.split("\n");
      return mutants
        .filter(({ status }) => status === "Survived" || status === "NoCoverage")
        .map(({ mutatorName, replacement, status, location: { start } }) =>
          [
            `${file}:${start.line}:${start.column} ${mutatorName} ${status}`,
            `  ${lines[start.line - 1]?.trim()}`,
            `  -> ${replacement.replace(/\s+/g, " ").slice(0, 160)}`,
          ].join("\n"),
        );
    })
    .join("\n");
}

function row(folder: string, mutants: readonly Mutant[]) {
  const count = (...statuses: Mutant["status"][]) =>
    mutants.filter(({ status }) => statuses.includes(status)).length;
  const detected = count("Killed", "Timeout");
  const valid = detected + count("Survived", "NoCoverage");
  return {
    folder,
    mutants: mutants.length,
    killed: count("Killed"),
    timeout: count("Timeout"),
    survived: count("Survived"),
    "no coverage": count("NoCoverage"),
    "left out": count("Ignored", "RuntimeError", "CompileError"),
    score: `${((100 * detected) / valid).toFixed(1)} %`,
  };
}

mkdirSync(reports, { recursive: true });
const everything: Mutant[] = [];
const rows = (asked.length > 0 ? asked : mutated).map((part) => {
  const report = run(part);
  writeFileSync(`${reports}/${nameOf(part)}.txt`, `${survivors(report)}\n`);
  const mutants = Object.values(report.files).flatMap((file) => file.mutants);
  everything.push(...mutants);
  return row(part, mutants);
});
console.table(rows.length > 1 ? [...rows, row("all", everything)] : rows);
console.log(`The surviving mutants are listed in ${reports}/<folder>.txt.`);
