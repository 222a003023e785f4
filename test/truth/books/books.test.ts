import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { runCommand } from "../../../command/run-command";
import { baseUrl } from "../../recorded-service";
import { type Clock, installClock } from "../clock";
import { key, worldOf } from "../moving/workbook";
import { createRandom, type Random } from "../random";
import { playFormulaRuntime } from "../runtime";
import { inventService } from "../service";
import { importsIn, inventBook, lieOfRefresh } from "./invented-book";

const cases = Number(process.env.TRUTH_CASES ?? 30);
const firstSeed = Number(process.env.TRUTH_SEED ?? 1);

/** Makes the service answer at once. */
const quick: Random = { ...createRandom(1), chance: () => false, whole: (least) => least };

let clock: Clock;
let folder: string;
beforeAll(async () => {
  playFormulaRuntime();
  clock = installClock();
  folder = await mkdtemp(join(tmpdir(), "books-"));
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await rm(folder, { recursive: true });
});

async function refreshed(path: string): Promise<{ code: number; told: string }> {
  const { fetch } = inventService(worldOf(2), quick);
  const told: string[] = [];
  const code = await runCommand(["refresh", path, "--answers", "none", "--no-backup"], {
    env: { REGDATA_KEY: key, REGDATA_SERVICE: baseUrl },
    fetch,
    print: (text) => void told.push(text),
    printBytes() {},
    tell: (text) => void told.push(text),
    isTerminal: false,
    askUnseen: async () => null,
    answersFolder: folder,
    signal: new AbortController().signal,
  });
  return { code, told: told.join("\n") };
}

it(
  `the command refreshes ${cases} workbooks in which people have worked, and changes nobody's cell, from seed ${firstSeed}`,
  { timeout: 24 * 3_600_000 },
  async () => {
    const books: { seed: number; bytes: Uint8Array; story: string[] }[] = [];
    for (let seed = firstSeed; seed < firstSeed + cases; seed += 1)
      books.push({ seed, ...(await inventBook(clock, seed)) });
    // Files and locks need the real time.
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    const lies: string[] = [];
    let changed = 0;
    for (const { seed, bytes, story } of books) {
      const path = join(folder, `${seed}.xlsx`);
      await writeFile(path, bytes);
      const { code, told } = await refreshed(path);
      const lie = [0, 3, 10].includes(code) ? lieOfRefresh(bytes, await readFile(path)) : told;
      if (code === 10) changed += 1;
      if (lie !== null) lies.push(`seed ${seed}: ${story.join(", ")}: ${lie}\n${told}`);
      await rm(path);
    }
    console.log(
      `${cases} workbooks with ${books.reduce((sum, { bytes }) => sum + importsIn(bytes), 0)} imports; ${changed} were changed`,
    );
    expect(changed).toBeGreaterThan(cases / 2);
    expect(lies.slice(0, 5)).toEqual([]);
  },
);
