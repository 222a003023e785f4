/**
 * Workbooks on disk. A file is never half written: what is new is written beside it, synced, and takes its name at once. One
 * command at a time works on a file.
 */
import { constants } from "node:fs";
import * as promises from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { lock } from "proper-lockfile";
import { CommandFailure } from "../command-failure";

const { access, readFile, stat } = promises;

/** The steps by which a file is written; a test ends them anywhere. */
export type FileSteps = Pick<typeof promises, "open" | "copyFile" | "rename" | "rm">;

interface ReadBook {
  bytes: Uint8Array;
  /** As it was when it was read. */
  version: FileVersion;
}

interface FileVersion {
  modifiedAtMs: number;
  size: number;
}

/** Reads a workbook's file. Fails with a CommandFailure "file" where it can't be read. */
export async function readBook(path: string): Promise<ReadBook> {
  try {
    const version = await versionOf(path);
    return { bytes: await readFile(path), version };
  } catch (cause) {
    throw new CommandFailure("file", `${path} can't be read: ${reasonOf(cause)}.`, { cause });
  }
}

/** Runs work on a file that no other command may work on meanwhile. */
export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  let release: () => Promise<void>;
  try {
    release = await lock(path, { stale: 30_000, realpath: false });
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
    await release();
  }
}

export interface WriteOptions {
  /** The version that was read: the write fails if the file has changed since. Absent for a new file. */
  version?: FileVersion | undefined;
  /** Keeps the old file under this name. */
  backup?: string | undefined;
}

/**
 * Writes a workbook whole or not at all. Fails with a CommandFailure "file" where Excel has it open, it may not be written, or
 * somebody has saved it since it was read: it is as it was then.
 */
export async function writeBook(
  path: string,
  bytes: Uint8Array,
  { version, backup }: WriteOptions,
  steps: FileSteps = promises,
): Promise<void> {
  if (version) await mustBeFree(path, version);
  // Not the file's own ending: a synced folder or a search would take it for a workbook.
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.regdata`);
  const copy = `${beside}.backup.regdata`;
  try {
    const file = await steps.open(beside, "w");
    try {
      const old = await stat(path).catch(() => undefined);
      if (old) {
        // A user who is not root may not give a file away: it is the user's own from then on.
        await file.chown(old.uid, old.gid).catch(() => undefined);
        await file.chmod(old.mode);
      }
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    if (version) await mustBeFree(path, version);
    if (backup !== undefined) {
      // Ended in the middle of it, half a copy must not bear a workbook's name.
      await steps.copyFile(path, copy);
      await steps.rename(copy, backup);
    }
    await steps.rename(beside, path);
    await syncFolder(dirname(path));
  } catch (cause) {
    for (const left of [beside, copy]) await steps.rm(left, { force: true }).catch(() => undefined);
    if (cause instanceof CommandFailure) throw cause;
    throw new CommandFailure("file", `${path} can't be written: ${reasonOf(cause)}.`, { cause });
  }
}

/**
 * True if nothing has the name yet. Fails where a file has it that may not be replaced, and where the folder is missing or may not be
 * written to: before anything is asked of the service.
 */
export async function mustBeNew(path: string, mayReplace = false): Promise<boolean> {
  const isNew = !(await isThere(path));
  if (!isNew && !mayReplace)
    throw new CommandFailure("file", `${path} is there already. Write over it with --force.`);
  try {
    await access(dirname(path), constants.W_OK);
  } catch (cause) {
    const reason =
      (cause as NodeJS.ErrnoException).code === "ENOENT" ? "its folder is missing" : reasonOf(cause);
    throw new CommandFailure("file", `${path} can't be written: ${reason}.`, { cause });
  }
  return isNew;
}

/** Fails where the file can't be replaced without harm, before anything is asked of the service for it. */
export async function mustBeWritable(path: string): Promise<void> {
  await mustBeFree(path, await versionOf(path));
}

async function mustBeFree(path: string, version: FileVersion): Promise<void> {
  if (await isThere(join(dirname(path), `~$${basename(path)}`))) {
    throw new CommandFailure(
      "file",
      `${path} is open in Excel. Close it there, or write to another file with -o.`,
    );
  }
  if (!(await isWritable(path)))
    throw new CommandFailure("file", `${path} is read-only. Write to another file with -o.`);
  const now = await versionOf(path);
  if (now.modifiedAtMs !== version.modifiedAtMs || now.size !== version.size) {
    throw new CommandFailure(
      "file",
      `${path} was saved by somebody else meanwhile. Nothing was written. Try again.`,
    );
  }
}

/** True if the file may be written. A file without any write permission counts as read-only for root, too. */
async function isWritable(path: string): Promise<boolean> {
  const { mode } = await stat(path);
  if ((mode & 0o222) === 0) return false;
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

async function versionOf(path: string): Promise<FileVersion> {
  const { mtimeMs, size } = await stat(path);
  return { modifiedAtMs: mtimeMs, size };
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
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
