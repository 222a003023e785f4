/**
 * Files on disk. A file is never half written: what is new is written beside it, under a name that nobody can foresee, and takes its name at
 * once. Nothing is replaced but what was seen before. One command at a time works on a file.
 */
import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import * as promises from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { lock } from "proper-lockfile";
import { CommandFailure } from "../command-failure";

const { access, lstat, readFile, realpath, stat } = promises;

/** The end of the names that files bear while they are written. It is not the file's own: a synced folder would take it for a workbook. */
const besideEnding = ".regdata";

/** The steps by which a file is written; a test ends them anywhere. */
export type FileSteps = Pick<typeof promises, "open" | "link" | "rename" | "rm">;

interface ReadBook {
  bytes: Uint8Array;
  /** As it was when it was read. */
  version: FileVersion;
}

interface FileVersion {
  modifiedAtMs: number;
  size: number;
}

/** The place of a file that is to be written. */
export interface FilePlace {
  path: string;
  /** The file that is there and may be replaced; absent where nothing is. */
  version?: FileVersion | undefined;
}

/** Reads a workbook's file. Fails with a CommandFailure "file" where it can't be read. */
export async function readBook(path: string): Promise<ReadBook> {
  try {
    const version = versionOf(await stat(path));
    return { bytes: await readFile(path), version };
  } catch (cause) {
    throw new CommandFailure("file", `${path} can't be read: ${reasonOf(cause)}.`, { cause });
  }
}

/** Runs work on a file that no other command may work on meanwhile. */
export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  let release: () => Promise<void>;
  try {
    release = await lock(path, { ...lockOptions, stale: 30_000, realpath: false });
  } catch (cause) {
    const isLocked = (cause as NodeJS.ErrnoException).code === "ELOCKED";
    const sentence = isLocked
      ? `Another regdata command is working on ${path}. Try again when it is done.`
      : `${path} can't be written: ${reasonOf(cause)}. Write to another folder with -o.`;
    throw new CommandFailure("file", sentence, { cause });
  }
  try {
    return await work();
  } finally {
    await release().catch(() => undefined);
  }
}

/**
 * A lock is lost where a computer sleeps for long or somebody removes it. The command goes on: it replaces only what it has seen, so a lost
 * lock harms no file. By default the program would end with a stack trace.
 */
export const lockOptions = { onCompromised: () => undefined };

/**
 * Runs work on the place that an output is to take, which no other command may work on meanwhile. Fails with a CommandFailure "file" where a
 * file is there that may not be replaced, and where the folder is missing or may not be written to: before anything is asked of the service.
 */
export async function withPlace<Result>(
  output: string,
  mayReplace: boolean,
  work: (place: FilePlace) => Promise<Result>,
): Promise<Result> {
  // A link to a file stays one.
  const path = await realpath(output).catch(() => output);
  // Looks before the lock, too, which is made in the file's folder.
  await placeAt(path, mayReplace);
  return withLock(path, async () => {
    const place = await placeAt(path, mayReplace);
    await mustBeAsSeen(place);
    return work(place);
  });
}

async function placeAt(path: string, mayReplace: boolean): Promise<FilePlace> {
  const there = await lstat(path).catch(() => undefined);
  if (there && !mayReplace)
    throw new CommandFailure("file", `${path} is there already. Write over it with --force.`);
  if (there && !there.isFile())
    throw new CommandFailure(
      "file",
      `${path} can't be written: ${there.isDirectory() ? "it is a folder" : "it is no file"}.`,
    );
  try {
    await access(dirname(path), constants.W_OK);
  } catch (cause) {
    const reason =
      (cause as NodeJS.ErrnoException).code === "ENOENT" ? "its folder is missing" : reasonOf(cause);
    throw new CommandFailure("file", `${path} can't be written: ${reason}.`, { cause });
  }
  return { path, version: there && versionOf(there) };
}

/**
 * The files that are there now under the names that a table's further parts would take. Only these may be replaced when the parts have
 * come.
 */
export async function placesOfParts(path: string, mayReplace: boolean): Promise<FilePlace[]> {
  const places: FilePlace[] = [];
  while (mayReplace) {
    const place = await placeAt(numbered(path, places.length + 1), mayReplace);
    if (!place.version) break;
    places.push(place);
  }
  return places;
}

/** Numbers the files, because the service may send parts with different columns: `fees.csv`, `fees 2.csv`. */
export function numbered(path: string, index: number): string {
  if (index === 0) return path;
  const ending = extname(path);
  return join(dirname(path), `${basename(path, ending)} ${index + 1}${ending}`);
}

export interface WriteOptions extends Pick<FilePlace, "version"> {
  /** Keeps the old file under this name, or under one like it if that is taken. */
  backup?: string | undefined;
}

/**
 * Writes a file whole or not at all, and returns the name under which the old one is kept, or null. Fails with a CommandFailure "file" where
 * Excel has the file open, it may not be written, or somebody has saved it since it was seen: it is as it was then. Without a version it is
 * a new file, which takes no other's place.
 */
export async function writeBook(
  path: string,
  bytes: Uint8Array,
  { version, backup }: WriteOptions,
  steps: FileSteps = promises,
): Promise<string | null> {
  await mustBeAsSeen({ path, version });
  const left: string[] = [];
  const besides = async (content: Uint8Array, like: Stats | null) => {
    const beside = besideOf(path);
    await writeNew(beside, content, { like, isSynced: true, onMade: () => left.push(beside) }, steps);
    return beside;
  };
  try {
    const old = version ? await lstat(path) : null;
    const copy = old && backup !== undefined ? await besides(await readFile(path), old) : null;
    const beside = await besides(bytes, old);
    // Ended in the middle of it, half a copy must not bear a workbook's name.
    const kept = copy === null || backup === undefined ? null : await takeFreeName(copy, backup, steps);
    if (kept !== null) left.push(kept);
    await mustBeAsSeen({ path, version });
    if (version) await steps.rename(beside, path);
    else await takeName(beside, path, steps);
    left.length = 0;
    await syncFolder(dirname(path));
    return kept;
  } catch (cause) {
    for (const each of left) await steps.rm(each, { force: true }).catch(() => undefined);
    if (cause instanceof CommandFailure) throw cause;
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") throw savedMeanwhile(path, cause);
    throw new CommandFailure("file", `${path} can't be written: ${reasonOf(cause)}.`, { cause });
  }
}

/** Replaces a file of the program's own, which only this user may read. A reader meets the old file or the new one, whole. */
export async function replaceOwn(path: string, bytes: Uint8Array): Promise<void> {
  const beside = besideOf(path);
  await writeNew(beside, bytes, { like: null, mode: 0o600 }, promises);
  await promises.rename(beside, path);
}

/** A hidden name in the same folder that nobody can foresee. */
function besideOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(8).toString("hex")}${besideEnding}`);
}

interface NewFile {
  /** The file whose owner and rights the new one gets; null for those of any new file. */
  like: Stats | null;
  mode?: number;
  isSynced?: boolean;
  onMade?(): void;
}

/** Makes a file where nothing is, not even a link. */
async function writeNew(
  path: string,
  bytes: Uint8Array,
  { like, mode = like ? 0o600 : 0o666, isSynced = false, onMade }: NewFile,
  steps: FileSteps,
): Promise<void> {
  const file = await steps.open(path, "wx", mode);
  onMade?.();
  try {
    if (like) await giveRights(file, like);
    await file.writeFile(bytes);
    if (isSynced) await file.sync();
  } finally {
    await file.close();
  }
}

/** A user who is not root may not give a file away: it is the user's own from then on, and another group gets no more rights than all. */
async function giveRights(file: promises.FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await file.stat();
  const isOfGroup = await file
    .chown(uid, gid)
    .catch(() => file.chown(own.uid, gid))
    .then(
      () => true,
      () => own.gid === gid,
    );
  await file.chmod(isOfGroup ? mode & 0o777 : (mode & 0o707) | ((mode & 0o007) << 3));
}

/** Gives a file its name if nothing has that name. Fails with EEXIST where something has it. */
async function takeName(from: string, to: string, steps: FileSteps): Promise<void> {
  try {
    await steps.link(from, to);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") throw cause;
    // Not every disk has a second name for a file: there an empty file takes the name first.
    await (await steps.open(to, "wx")).close();
    await steps.rename(from, to);
    return;
  }
  await steps.rm(from);
}

/** The same under the first name like this one that nothing has. */
async function takeFreeName(from: string, wanted: string, steps: FileSteps): Promise<string> {
  const ending = extname(wanted);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted.slice(0, -ending.length)}-${number}${ending}`;
    try {
      await takeName(from, name, steps);
      return name;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST" || number > 99) throw cause;
    }
  }
}

/** Fails where the file can't be written without harm: also called before anything is asked of the service for it. */
export async function mustBeAsSeen({ path, version }: FilePlace): Promise<void> {
  const there = await lstat(path).catch(() => null);
  if (!version) {
    if (there) throw savedMeanwhile(path);
    return;
  }
  if (!there) throw new CommandFailure("file", `${path} is gone: somebody moved or deleted it meanwhile.`);
  if (await isThere(join(dirname(path), `~$${basename(path)}`))) {
    throw new CommandFailure(
      "file",
      `${path} is open in Excel. Close it there, or write to another file with -o.`,
    );
  }
  const now = there.isFile() ? versionOf(there) : null;
  if (now?.modifiedAtMs !== version.modifiedAtMs || now.size !== version.size) throw savedMeanwhile(path);
  // A file without any write permission counts as read-only for root, too.
  if ((there.mode & 0o222) === 0 || !(await isThere(path, constants.W_OK)))
    throw new CommandFailure("file", `${path} is read-only. Write to another file with -o.`);
}

function savedMeanwhile(path: string, cause?: unknown): CommandFailure {
  const sentence = `${path} was saved by somebody else meanwhile. Nothing was written. Try again.`;
  return new CommandFailure("file", sentence, { cause });
}

function versionOf({ mtimeMs, size }: Stats): FileVersion {
  return { modifiedAtMs: mtimeMs, size };
}

async function isThere(path: string, how?: number): Promise<boolean> {
  return access(path, how).then(
    () => true,
    () => false,
  );
}

/** The new name is on disk, too. Windows opens no folders. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await promises.open(path, "r");
    await folder.sync().finally(() => folder.close());
  } catch {
    // The file itself is synced.
  }
}

/** Beside the file, with the time of the run: `Fees.backup-2026-11-26T10-00-00.xlsx`. */
export function backupPath(path: string, nowMs = Date.now()): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(":", "-");
  const ending = extname(path);
  return join(dirname(path), `${basename(path, ending)}.backup-${time}${ending}`);
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "this user may not";
  if (code === "ENOSPC") return "the disk is full";
  if (code === "EISDIR") return "it is a folder";
  return message;
}
