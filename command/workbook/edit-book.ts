import { realpath } from "node:fs/promises";
import type { App } from "../../src/app";
import { Failure } from "../../src/errors";
import { type OpenedXlsx, readXlsx } from "../../workbench/files/read-xlsx";
import { updateXlsx } from "../../workbench/files/write-xlsx";
import { openWorkbookFile, type WorkbookFile } from "../../xlsx/workbook-file";
import { addin } from "../addin";
import type { CommandIo } from "../command-io";
import { type BookInNode, openInNode } from "./excel-in-node";
import {
  backupPath,
  type FilePlace,
  mustBeAsSeen,
  readBook,
  withLock,
  withPlace,
  writeBook,
} from "./safe-write";

/** Options of commands that change workbooks. */
export const editOptions = {
  output: { type: "string", short: "o" },
  force: { type: "boolean" },
  "no-backup": { type: "boolean" },
} as const;

/** The lines about these options in `--help`. */
export const editHelp = `
  -o, --output FILE  Write to this file instead; with one workbook only.
  --force            Let -o write over a file that is there.
  --no-backup        Keep no copy of the old file.`;

export interface EditChoices {
  output?: string | undefined;
  force?: boolean | undefined;
  "no-backup"?: boolean | undefined;
}

/** The part of the outside world that an edit needs. */
type EditIo = Pick<CommandIo, "signal" | "fileSteps">;

export interface Edited<Result> {
  result: Result;
  /** The file that was written; null where nothing has changed. */
  written: string | null;
  /** The copy of the old file. */
  backup: string | null;
}

/** The outcome of work on a file. */
export interface FileWork<Result> {
  result: Result;
  /** The file as it is now is to be written. */
  hasChanged: boolean;
}

/**
 * Opens a workbook's file and writes what the work has changed in it: in place with a backup, or to `output`. Fails with a
 * CommandFailure "file", a WorkbookFileError, or what the work fails with; then no file has changed.
 */
export async function editFile<Result>(
  given: string,
  { output, force, "no-backup": hasNoBackup }: EditChoices,
  { signal, fileSteps }: EditIo,
  work: (file: WorkbookFile) => Promise<FileWork<Result>>,
): Promise<Edited<Result>> {
  // A link to a file stays one.
  const path = await realpath(given).catch(() => given);
  const read = await readBook(path);
  const isInPlace = output === undefined || (await realpath(output).catch(() => output)) === path;
  const write = async (place: FilePlace) => {
    const file = openWorkbookFile(read.bytes);
    const { result, hasChanged } = await work(file);
    if (signal.aborted) throw new Failure("cancelled");
    if (!hasChanged) return { result, written: null, backup: null };
    const wanted = isInPlace && !hasNoBackup ? backupPath(path) : undefined;
    const options = { version: place.version, backup: wanted };
    const backup = await writeBook(place.path, file.save(), options, fileSteps);
    return { result, written: place.path, backup };
  };
  if (!isInPlace) return withPlace(output, force === true, write);
  const place = { path, version: read.version };
  return withLock(path, async () => {
    await mustBeAsSeen(place);
    return write(place);
  });
}

/** The outcome of the add-in's code on a workbook. */
interface BookWork<Result> {
  result: Result;
  /** The workbook as it is to be written; null where nothing has changed. */
  changed: OpenedXlsx | null;
  /** Done to the file when that is in it. */
  finish?(file: WorkbookFile): void;
}

/** The same for the add-in's own code, which works in the opened workbook. */
export function editBook<Result>(
  given: string,
  app: App,
  choices: EditChoices,
  io: EditIo,
  work: (book: BookInNode) => Promise<BookWork<Result>>,
): Promise<Edited<Result>> {
  return editFile(given, choices, io, async (file) => {
    const before = readXlsx(file, addin);
    const book = openInNode(before, app);
    try {
      const { result, changed, finish } = await work(book);
      if (changed && !io.signal.aborted) {
        updateXlsx(file, changed, addin, before);
        finish?.(file);
      }
      return { result, hasChanged: changed !== null };
    } finally {
      book.close();
    }
  });
}
