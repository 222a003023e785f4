import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { killedAt } from "../../command/workbook/killed-at";
import { lieOfRefresh } from "./invented-book";
import { refreshed } from "./refreshed-book";

/** How a refresh that was killed has left its file, and what is wrong with it; null where nothing is. */
export interface Killed {
  end: "old" | "new" | "not written";
  lie: string | null;
}

/** Open, write and sync the copy of the old file and the new file, name the copy, erase its first name, name the new file: before and after. */
const writingSteps = 11;
/** The exit codes of a refresh that came to its end; one of its imports may have failed. */
const goodCodes = new Set<number | null>([0, 3, 10]);
/** A lock that its owner has not touched for so long is a dead one's (`withLock`). */
const staleLockMs = 30_000;

/**
 * Refreshes a workbook in a folder of its own, and kills the refresh at a step of its writing that the seed says: in a process of its
 * own, or by steps that fail from there on. Then refreshes it again.
 */
export async function lieOfKill(
  folder: string,
  bytes: Uint8Array,
  { seed, isProcess }: { seed: number; isProcess: boolean },
): Promise<Killed> {
  const path = join(folder, "book.xlsx");
  const lock = `${path}.lock`;
  await writeFile(path, bytes);
  const step = seed % writingSteps;
  const {
    wasKilled,
    written,
    code: firstCode,
  } = isProcess ? await killedProcess(path, step) : await killedSteps(path, step);
  const left = await readFile(path);
  const isOld = left.equals(bytes);
  const end = !wasKilled && isOld ? "not written" : isOld ? "old" : "new";
  const lie = (text: string): Killed => ({ end, lie: `killed at step ${step}: ${text}` });
  if (!wasKilled && !goodCodes.has(firstCode)) return lie(`the refresh ends with ${firstCode}`);
  if (!isOld && !(written && left.equals(written)))
    return lie("the file is neither the old one nor the new one");
  const wrong = lieOfRefresh(bytes, left);
  if (wrong !== null) return lie(wrong);
  for (const name of await readdir(folder)) {
    const isHidden = /^\..*\.regdata$/.test(name);
    if (isHidden || name === "book.xlsx" || name === "book.xlsx.lock") continue;
    if (!(await readFile(join(folder, name))).equals(bytes)) return lie(`${name} is no copy of the old file`);
  }

  if (wasKilled) {
    if (!isProcess) await mkdir(lock);
    if (!(await isThere(lock))) return lie("the dead process had no lock");
    const longAgo = new Date(Date.now() - staleLockMs - 1_000);
    await utimes(lock, longAgo, longAgo);
  }
  const { code, told } = await refreshed(path);
  if (!goodCodes.has(code)) return lie(`the next run ends with ${code}: ${told}`);
  const after = lieOfRefresh(bytes, await readFile(path));
  if (after !== null) return lie(`after the next run, ${after}`);
  if (await isThere(lock)) return lie("the next run leaves a lock");
  return { end, lie: null };
}

interface Ended {
  wasKilled: boolean;
  /** The bytes of the new file; null if the run did not come to writing it. */
  written: Uint8Array | null;
  /** Null where it was killed. */
  code: number | null;
}

async function killedSteps(path: string, step: number): Promise<Ended> {
  let wasKilled = false;
  const { steps, written } = killedAt(step, () => {
    wasKilled = true;
    throw new Error("killed");
  });
  const { code } = await refreshed(path, steps);
  return { wasKilled, written: written(), code };
}

async function killedProcess(path: string, step: number): Promise<Ended> {
  const script = join(import.meta.dirname, "killed-process.ts");
  const wantedPath = `${path}.wanted`;
  const words = ["--import", "tsx", script, path, String(step), wantedPath];
  const child = spawn(process.execPath, words, { stdio: "ignore" });
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  const written = await readFile(wantedPath).catch(() => null);
  await rm(wantedPath, { force: true });
  return { wasKilled: signal === "SIGKILL", written, code };
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
