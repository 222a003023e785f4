import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import type { Credentials } from "../../../src/engine/transport/exchange";

/** The time and memory that one process took. */
interface Usage {
  /** From its start to its end. */
  ms: number;
  /** The sum over all its threads. */
  busyMs: number;
  /** The most memory that it had at any time. */
  peakMb: number;
}

export interface RegdataRun {
  code: number | null;
  /** Its output on both streams. */
  said: string;
  /** From the start of npm to its end. */
  ms: number;
  /** The process that did the work; npm waits for it. */
  command: Usage;
}

/** Runs `npm run regdata` as a user does. `service`: null for a command that asks nothing. */
export async function runRegdata(
  words: readonly string[],
  service: Credentials | null,
  nodeOptions: readonly string[] = [],
): Promise<RegdataRun> {
  const folder = await mkdtemp(join(tmpdir(), "regdata-bench-"));
  try {
    const reporting = pathToFileURL(join(import.meta.dirname, "report-usage.mjs")).href;
    const startMs = performance.now();
    const child = spawn("npm", ["run", "--silent", "regdata", "--", ...words], {
      env: {
        ...process.env,
        ...(service && { REGDATA_SERVICE: service.baseUrl, REGDATA_KEY: service.key }),
        NODE_OPTIONS: [`--import=${reporting}`, ...nodeOptions].join(" "),
        REGDATA_BENCH_USAGE: folder,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += String(text)));
    const [code] = (await once(child, "close")) as [number | null];
    const ms = performance.now() - startMs;
    const usages = await Promise.all(
      (await readdir(folder)).map(
        async (name) => JSON.parse(await readFile(join(folder, name), "utf8")) as Usage,
      ),
    );
    const [command] = usages.sort((one, other) => other.busyMs - one.busyMs);
    if (!command) throw new Error(`the command did not run: ${said}`);
    return { code, said, ms, command };
  } finally {
    await rm(folder, { recursive: true });
  }
}
