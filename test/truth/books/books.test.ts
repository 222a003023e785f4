import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Clock, installClock } from "../clock";
import { playFormulaRuntime } from "../runtime";
import { importsIn, inventBook, lieOfRefresh } from "./invented-book";
import { type Killed, lieOfKill } from "./killed-refresh";
import { refreshed } from "./refreshed-book";

const cases = Number(process.env.TRUTH_CASES ?? 30);
const firstSeed = Number(process.env.TRUTH_SEED ?? 1);
/** A process takes longer than all the rest: of so many workbooks, one is refreshed in a process that is really killed. */
const booksAProcess = 15;

let clock: Clock;
let folder: string;
let books: { seed: number; bytes: Uint8Array; story: string[] }[];
beforeAll(async () => {
  playFormulaRuntime();
  clock = installClock();
  folder = await mkdtemp(join(tmpdir(), "books-"));
  books = [];
  for (let seed = firstSeed; seed < firstSeed + cases; seed += 1)
    books.push({ seed, ...(await inventBook(clock, seed)) });
  // Files and locks go by the real time.
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}, 24 * 3_600_000);
afterAll(() => rm(folder, { recursive: true }));

it(
  `the command refreshes ${cases} workbooks in which people have worked, and changes nobody's cell, from seed ${firstSeed}`,
  { timeout: 24 * 3_600_000 },
  async () => {
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

it(
  `killed while it writes, the command leaves each of ${cases} workbooks as the old file or the new one, and the next run goes on, from seed ${firstSeed}`,
  { timeout: 24 * 3_600_000 },
  async () => {
    const lies: string[] = [];
    const ends = new Map<Killed["end"], number>();
    for (const [at, { seed, bytes, story }] of books.entries()) {
      const own = await mkdtemp(join(folder, "killed-"));
      const { end, lie } = await lieOfKill(own, bytes, { seed, isProcess: at % booksAProcess === 0 });
      ends.set(end, (ends.get(end) ?? 0) + 1);
      if (lie !== null) lies.push(`seed ${seed}: ${story.join(", ")}: ${lie}`);
    }
    console.log([...ends].map(([end, count]) => `${count} ${end}`).join(", "));
    expect(lies.slice(0, 5)).toEqual([]);
    // Each end is met, or the kills do not come where they should.
    expect(ends.get("old") ?? 0).toBeGreaterThan(cases / 4);
    expect(ends.get("new") ?? 0).toBeGreaterThan(0);
  },
);
