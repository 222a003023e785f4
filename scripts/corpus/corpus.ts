/**
 * `npm run corpus -- FOLDER…` takes each .xlsx and .xlsm file of these folders: opens it, reads it, changes one cell of each kind, saves it and
 * reads it again, with this project and with openpyxl, and every 25th with LibreOffice. All other parts must stay as they are, byte for
 * byte, and all other cells by value. It prints a table of what came of how many files, and an example of each. It ends with 1 if a file
 * went wrong. PYTHON names a Python that has openpyxl (default: python3); SAMPLE=n says how many files LibreOffice skips.
 */
import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { openWorkbookFile } from "../../xlsx/workbook-file";
import { differenceFromForeign, type ForeignCell } from "./foreign-cells";
import type { Swept } from "./swept-file";

const slowMs = 5_000;
const largeBytes = 1e9;
const patienceMs = 60_000;

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.log("Name folders with workbooks: npm run corpus -- FOLDER…");
  process.exit(2);
}
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.xls[xm]$/i.test(name))
    .map((name) => join(folder, name)),
);
const room = mkdtempSync(join(tmpdir(), "corpus-"));
const sample = Number(process.env["SAMPLE"] ?? 25);

type Told = Swept & { maxRssBytes: number };
let sweeper: ChildProcess | undefined;
/** Sweeps a file in a process of its own, which is begun anew after one that crashes or never ends. */
function swept(path: string, changedPath: string): Promise<Told> {
  const own = (sweeper ??= fork(resolve(import.meta.dirname, "sweep-process.ts"), {
    execArgv: ["--import", "tsx", "--max-old-space-size=1024"],
  }));
  return new Promise((settle) => {
    const end = (told: Told) => {
      clearTimeout(timer);
      own.removeAllListeners();
      settle(told);
    };
    const gone = (says: string) => {
      sweeper = undefined;
      own.kill("SIGKILL");
      end({ outcome: "wrong", says, ms: patienceMs, maxRssBytes: 0 });
    };
    const timer = setTimeout(() => gone("it takes more than a minute"), patienceMs);
    own.once("message", (told) => end(told as Told));
    own.once("exit", () => gone("the process ended"));
    own.send({ path, changedPath });
  });
}

type Foreign = { cells: ForeignCell[] } | { error: string };
const python = spawn(
  process.env["PYTHON"] ?? "python3",
  [resolve(import.meta.dirname, "read-workbooks.py")],
  {
    stdio: ["pipe", "pipe", "ignore"],
  },
);
const answers: ((line: string | null) => void)[] = [];
let isPythonGone = false;
const pythonGone = () => {
  isPythonGone = true;
  for (const answer of answers.splice(0)) answer(null);
};
python.on("error", pythonGone);
python.on("exit", pythonGone);
python.stdin.on("error", pythonGone);
createInterface({ input: python.stdout }).on("line", (line) => answers.shift()?.(line));

/** Reads a workbook with openpyxl; null if it is not installed. */
async function readByOpenpyxl(path: string): Promise<Foreign | null> {
  if (isPythonGone) return null;
  const line = await new Promise<string | null>((settle) => {
    answers.push(settle);
    python.stdin.write(`${resolve(path)}\n`);
  });
  return line === null ? null : (JSON.parse(line) as Foreign);
}

function opensInLibreOffice(path: string): boolean | null {
  const { error } = spawnSync("soffice", ["--headless", "--convert-to", "csv", "--outdir", room, path], {
    encoding: "utf8",
    timeout: patienceMs,
  });
  if (error && "code" in error && error.code === "ENOENT") return null;
  const written = join(room, basename(path).replace(/\.xls[xm]$/i, ".csv"));
  const isThere = existsSync(written);
  rmSync(written, { force: true });
  return isThere;
}

const classes = new Map<string, { count: number; example: string }>();
let isWrong = false;
function note(name: string, example: string, isFault = false): void {
  isWrong ||= isFault;
  const known = classes.get(name);
  if (known) known.count += 1;
  else classes.set(name, { count: 1, example });
}

/** The sentence without what differs from file to file. */
const kindOf = (sentence: string) =>
  sentence.replace(/[“"][^”"]*[”"]|\b\S+\.(?:xml|rels|bin)\b|\$?\b[A-Z]{1,3}\$?\d+\b|\d+/g, "…");

for (const [index, path] of files.entries()) {
  const changedPath = join(room, `${index}.xlsx`);
  const told = await swept(path, changedPath);
  if (told.outcome !== "right") {
    note(`${told.outcome}: ${kindOf(told.says)}`, `${path}: ${told.says}`, told.outcome === "wrong");
  } else {
    note("right", path);
    const [before, after] = [await readByOpenpyxl(path), await readByOpenpyxl(changedPath)];
    if (before === null || after === null) note("openpyxl is not installed", "");
    else if ("error" in before) note("openpyxl can't read the original", `${path}: ${before.error}`);
    else if ("error" in after) note("openpyxl can't read the result", `${path}: ${after.error}`, true);
    else {
      const original = openWorkbookFile(readFileSync(path));
      const differs = differenceFromForeign(original, before.cells);
      if (differs) note(`openpyxl reads otherwise: ${differs.kind}`, `${path}: ${differs.says}`, true);
      const other = differenceFromForeign(openWorkbookFile(readFileSync(changedPath)), after.cells);
      if (other && !differs)
        note(`openpyxl reads the result otherwise: ${other.kind}`, `${path}: ${other.says}`, true);
    }
    if (index % sample === 0) {
      const opens = opensInLibreOffice(changedPath);
      if (opens === null) note("LibreOffice is not installed", "");
      else note(`LibreOffice ${opens ? "opens" : "does not open"} the result`, path, !opens);
    }
  }
  if (told.ms > slowMs) note(`more than ${slowMs / 1_000} s`, `${path}: ${Math.round(told.ms)} ms`, true);
  if (told.maxRssBytes > largeBytes) {
    note("more than 1 GB", path, true);
    sweeper?.removeAllListeners();
    sweeper?.kill();
    sweeper = undefined;
  }
  rmSync(changedPath, { force: true });
}
sweeper?.removeAllListeners();
sweeper?.kill();
python.stdin.end();
rmSync(room, { recursive: true });
console.log(`${files.length} files`);
for (const [name, { count, example }] of [...classes].sort(([, one], [, other]) => other.count - one.count))
  console.log(`${String(count).padStart(6)}  ${name}${name === "right" ? "" : `\n        ${example}`}`);
process.exitCode = isWrong ? 1 : 0;
