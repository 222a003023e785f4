/**
 * `npm run corpus -- FOLDER…` takes each .xlsx and .xlsm file of these folders: opens it, reads it, changes one cell of each kind, saves it and
 * reads it again, with this project and with openpyxl, and every 25th with LibreOffice. All other parts must stay as they are, byte for
 * byte, and all other cells by value. With `--commands` it puts an import and formulas of ours into each, and runs the command on it
 * (`commanded-file.ts`): then all that was the user's must be as it was. It prints a table of what came of how many files, and an example of
 * each. It ends with 1 if a file went wrong. PYTHON names a Python that has openpyxl (default: python3); SAMPLE=n says that LibreOffice opens
 * every nth file; PART=2/5 takes the second fifth of the files.
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { openWorkbookFile } from "../../xlsx/workbook-file";
import { differenceFromForeign, type ForeignCell, lostCell } from "./foreign-cells";
import type { Swept } from "./swept-file";

const slowMs = 5_000;
const largeBytes = 1e9;
const patienceMs = 60_000;

const words = process.argv.slice(2);
const runsCommands = words.includes("--commands");
const folders = words.filter((word) => !word.startsWith("-"));
if (folders.length === 0) {
  console.log("Name folders with workbooks: npm run corpus -- FOLDER…");
  process.exit(2);
}
const all = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.xls[xm]$/i.test(name))
    .map((name) => join(folder, name)),
);
const [part = 1, parts = 1] = (process.env["PART"] ?? "1/1").split("/").map(Number);
const files = all.filter((_, index) => index % parts === part - 1);
const room = mkdtempSync(join(tmpdir(), "corpus-"));
const sample = Number(process.env["SAMPLE"] ?? 25);

type Told = Swept & { maxRssBytes: number };
type Sweep = (path: string, changedPath: string) => Promise<Told>;

/** Sweeps files in a process of its own, which is begun anew after one that crashes, never ends, or has grown large. */
function createSweeper(): { sweep: Sweep; end(): void } {
  let process: ChildProcess | undefined;
  const end = () => {
    process?.removeAllListeners();
    process?.kill("SIGKILL");
    process = undefined;
  };
  const sweep: Sweep = (path, changedPath) => {
    const own = (process ??= fork(resolve(import.meta.dirname, "sweep-process.ts"), {
      execArgv: ["--import", "tsx", "--max-old-space-size=1024"],
    }));
    return new Promise((settle) => {
      const tell = (told: Told) => {
        clearTimeout(timer);
        own.removeAllListeners();
        if (told.maxRssBytes > largeBytes) end();
        settle(told);
      };
      const gone = (says: string) => {
        end();
        tell({ outcome: "wrong", says, ms: 0, maxRssBytes: 0 });
      };
      const timer = setTimeout(() => gone("it takes more than a minute"), patienceMs);
      own.once("message", (told) => tell(told as Told));
      own.once("exit", () => gone("the process ended"));
      own.send({ path, changedPath, runsCommands });
    });
  };
  return { sweep, end };
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

let converting: Promise<unknown> = Promise.resolve();
/** The sheets that LibreOffice finds in a workbook: null if it does not open it, undefined if it is not installed. One file at a time. */
function sheetsInLibreOffice(path: string): Promise<string[] | null | undefined> {
  const converted = converting.then(async () => {
    const out = join(room, "converted");
    mkdirSync(out, { recursive: true });
    const profile = `-env:UserInstallation=${pathToFileURL(join(room, "libreoffice")).href}`;
    const isInstalled = await new Promise<boolean>((settle) => {
      const own = spawn("soffice", [profile, "--headless", "--convert-to", "xlsx", "--outdir", out, path], {
        stdio: "ignore",
        timeout: patienceMs,
        killSignal: "SIGKILL",
      });
      own.on("error", () => settle(false));
      own.on("exit", () => settle(true));
    });
    if (!isInstalled) return undefined;
    const written = join(out, `${basename(path, extname(path))}.xlsx`);
    if (!existsSync(written)) return null;
    const file = openWorkbookFile(readFileSync(written));
    rmSync(written);
    return [...file.sheets.map(({ name }) => name), ...file.otherSheets];
  });
  converting = converted.catch(() => undefined);
  return converted;
}

const classes = new Map<string, { count: number; example: string }>();
let isWrong = false;
function note(name: string, example: string, isFault = false): void {
  isWrong ||= isFault;
  if (isFault) console.error(`${name} — ${example}`.slice(0, 1_000));
  const known = classes.get(name);
  if (known) known.count += 1;
  else classes.set(name, { count: 1, example });
}

/** The sentence without what differs from file to file. */
const kindOf = (sentence: string) =>
  sentence
    .replace(/[“"][^”"]*[”"]|\b\S+\.(?:xml|rels|bin)\b|\$?\b[A-Z]{1,3}\$?\d+\b|\d+/g, "…")
    .slice(0, 160);

async function readForeign(path: string, changedPath: string): Promise<void> {
  const [before, after] = [await readByOpenpyxl(path), await readByOpenpyxl(changedPath)];
  if (before === null || after === null) return note("openpyxl is not installed", "");
  if ("error" in before) return note("openpyxl can't read the original", `${path}: ${before.error}`);
  if ("error" in after) return note("openpyxl can't read the result", `${path}: ${after.error}`, true);
  if (runsCommands) {
    const lost = lostCell(before.cells, after.cells);
    if (lost) note("openpyxl finds a cell of the user's otherwise", `${path}: ${lost}`, true);
    return;
  }
  // Excel 2007's beta wrote another namespace, which openpyxl does not know.
  if (before.cells.length === 0) return note("openpyxl finds no cell", path);
  const differs = differenceFromForeign(openWorkbookFile(readFileSync(path)), before.cells);
  if (differs) note(`openpyxl reads otherwise: ${differs.kind}`, `${path}: ${differs.says}`, true);
  const other = differenceFromForeign(openWorkbookFile(readFileSync(changedPath)), after.cells);
  if (other && !differs)
    note(`openpyxl reads the result otherwise: ${other.kind}`, `${path}: ${other.says}`, true);
}

async function readInLibreOffice(path: string, changedPath: string): Promise<void> {
  const found = await sheetsInLibreOffice(changedPath);
  if (found === undefined) return note("LibreOffice is not installed", "");
  if (found === null) {
    const isOriginal = (await sheetsInLibreOffice(path)) === null;
    const what = isOriginal ? "the original" : "the result";
    return note(`LibreOffice does not open ${what}`, path, !isOriginal);
  }
  const file = openWorkbookFile(readFileSync(changedPath));
  const lost = file.sheets.filter(({ name }) => !found.includes(name)).map(({ name }) => name);
  // LibreOffice gives some sheets other names.
  const [original, ofOriginal] =
    lost.length > 0 ? [openWorkbookFile(readFileSync(path)), await sheetsInLibreOffice(path)] : [];
  const isLostAsBefore = lost.every(
    (name) => original?.sheets.some((sheet) => sheet.name === name) && !ofOriginal?.includes(name),
  );
  if (lost.length === 0) note("LibreOffice opens the result with all sheets", path);
  else if (isLostAsBefore)
    note("LibreOffice calls a sheet otherwise, in the original too", `${path}: ${lost.join(", ")}`);
  else note("LibreOffice loses a sheet", `${path}: ${lost.join(", ")}`, true);
}

let next = 0;
/** Takes files until none is left. Other programs read one while the next one is swept. */
async function takeFiles(): Promise<void> {
  const { sweep, end } = createSweeper();
  let looking: Promise<unknown> = Promise.resolve();
  for (let index = next++; index < files.length; index = next++) {
    const path = files[index]!;
    const changedPath = join(room, `${index}${extname(path)}`);
    const { outcome, says, ms, maxRssBytes } = await sweep(path, changedPath);
    if (ms > slowMs) note(`more than ${slowMs / 1_000} s`, `${path}: ${Math.round(ms)} ms`, true);
    if (maxRssBytes > largeBytes) note("more than 1 GB", path, true);
    if (outcome !== "right") {
      note(`${outcome}: ${kindOf(says)}`, `${path}: ${says}`, outcome === "wrong");
      continue;
    }
    note("right", path);
    await looking;
    looking = (async () => {
      await readForeign(path, changedPath);
      if (index % sample === 0) await readInLibreOffice(path, changedPath);
      rmSync(changedPath, { force: true });
    })();
  }
  await looking;
  end();
}

// The command waits for a while when it brings formulas back: two files at a time use that.
await Promise.all(runsCommands ? [takeFiles(), takeFiles()] : [takeFiles()]);
python.stdin.end();
rmSync(room, { recursive: true, force: true });
console.log(`${files.length} files`);
for (const [name, { count, example }] of [...classes].sort(([, one], [, other]) => other.count - one.count))
  console.log(`${String(count).padStart(6)}  ${name}${name === "right" ? "" : `\n        ${example}`}`);
process.exitCode = isWrong ? 1 : 0;
