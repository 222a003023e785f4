/**
 * `npm run regdata` starts this. The command runs as scripts in `build/`, and each loads its own in a tenth of the time that its 490 files
 * take. The scripts are built anew whenever one of the files has changed. If they can't be built or kept, tsx runs the files one by one. This
 * file is plain JavaScript, so that it starts without translation.
 */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";

// By half, where V8 lets a heap grow up to fourfold before it collects: a large refresh then takes 280 MB in place of 360, and no longer.
setFlagsFromString("--heap-growing-percent=50");
// Functions are observed from their first call on and so compiled sooner: a large refresh then computes for a twentieth less time.
setFlagsFromString("--no-lazy-feedback-allocation");

const root = resolve(import.meta.dirname, "..");
const entry = join(root, "command/regdata.ts");
const folder = join(root, "build");
// One folder below the root, as the command's own: what reads the manifest finds it from either.
const script = join(folder, "regdata.mjs");
const list = join(folder, "regdata.json");
/** npm writes it whenever it installs: packages are the same as long as it is. */
const installed = "node_modules/.package-lock.json";

/** A text that changes when the file changes. */
function stampOf(file) {
  const { mtimeMs, size } = statSync(join(root, file));
  return `${mtimeMs} ${size}`;
}

/** True if the scripts are there, and were built of the files as they are. */
function isBuilt() {
  try {
    const stamps = JSON.parse(readFileSync(list, "utf8"));
    statSync(script);
    return Object.entries(stamps).every(([file, stamp]) => stampOf(file) === stamp);
  } catch {
    return false;
  }
}

async function build() {
  const startedAtMs = Date.now();
  const { build } = await import("vite");
  /** Also those of which nothing but a constant is in the script. */
  let read = [];
  const noteRead = {
    name: "note-read",
    buildEnd() {
      read = [...this.getModuleIds()];
    },
  };
  const built = await build({
    ...{ root, configFile: false, logLevel: "silent", publicDir: false, plugins: [noteRead] },
    ssr: { noExternal: true },
    build: {
      ...{ ssr: entry, target: "node20", write: false, minify: false },
      rolldownOptions: { output: { entryFileNames: "regdata.mjs", chunkFileNames: "regdata-[hash].mjs" } },
    },
  });
  const [entryChunk, ...others] = [built].flat()[0].output;
  const inside = `${root.replaceAll("\\", "/")}/`;
  const own = read.filter((id) => id.startsWith(inside) && !id.includes("/node_modules/"));
  const files = [...own.map((id) => id.slice(inside.length)), installed];
  if (!files.includes("command/regdata.ts")) throw new Error("nobody knows of which files the script is");
  const stamps = Object.fromEntries(files.map((file) => [file, stampOf(file)]));
  mkdirSync(folder, { recursive: true });
  // Another command may build as well: each file is whole, and the list goes before its script and comes after it.
  rmSync(list, { force: true });
  for (const { fileName, code } of others) {
    replace(join(folder, fileName), code);
    stamps[`build/${fileName}`] = stampOf(`build/${fileName}`);
  }
  replace(script, entryChunk.code);
  removeOld(others.map(({ fileName }) => fileName));
  // A file that was saved during the build may be in the script by half: then the next command builds it anew.
  const isSettled = files.every((file) => statSync(join(root, file)).mtimeMs < startedAtMs);
  if (isSettled) replace(list, JSON.stringify(stamps));
}

const dayMs = 24 * 60 * 60_000;

/** Removes the scripts of earlier builds. A command that still runs may load those of the last day. */
function removeOld(current) {
  for (const name of readdirSync(folder)) {
    const isOther = name.startsWith("regdata-") && !current.includes(name);
    if (isOther && Date.now() - statSync(join(folder, name)).mtimeMs > dayMs) rmSync(join(folder, name));
  }
}

function replace(file, text) {
  const beside = `${file}.${randomUUID()}`;
  writeFileSync(beside, text, { flag: "wx" });
  renameSync(beside, file);
}

async function builtOrNot() {
  if (isBuilt()) return true;
  try {
    await build();
    return true;
  } catch {
    return false;
  }
}

if (await builtOrNot()) await import(pathToFileURL(script).href);
else {
  const { register } = await import("tsx/esm/api");
  register();
  await import(pathToFileURL(entry).href);
}
