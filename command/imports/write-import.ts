import { basename, dirname, extname, join } from "node:path";
import { exportCsv } from "../../src/workbook/imports/files/csv-file";
import type { ImportQuestion } from "../../src/workbook/imports/run/question";
import { type ImportProgress, readImport } from "../../src/workbook/imports/run/run-import";
import type { CommandIo } from "../command-io";
import type { Connected } from "../command-connection";
import { type Progress, waitingText } from "../output/progress";
import { mustBeNew, mustBeWritable, withLock, writeBook } from "../workbook/safe-write";
import type { Target } from "./import-options";
import type { Lacking } from "./import-report";
import { answersJson } from "./json-answers";
import { liveBook } from "./live-book";
import { importIntoNewBook } from "./new-import";

interface WrittenFiles extends Pick<Lacking, "report" | "longTexts" | "missing" | "formulaLike"> {
  /** The import's name; null if the workbook remembers no import. */
  name: string | null;
  /** Empty if the service sent nothing that a table could show, or if the table was printed. */
  files: string[];
}

/**
 * Runs work with a lock on the file that an import will be written to. Fails with a CommandFailure "file" before the service is asked, if
 * the file may not be written.
 */
export async function forTarget<Result>(target: Target, work: () => Promise<Result>): Promise<Result> {
  if (target.kind === "print") return work();
  const { path, mayReplace } = target;
  // Checks before the lock as well, because the lock is a file in the same folder.
  await mustBeNew(path, mayReplace);
  return withLock(path, async () => {
    if (!(await mustBeNew(path, mayReplace))) await mustBeWritable(path);
    return work();
  });
}

/**
 * Asks the service for an import's answers and writes them to the target. Fails with a Failure or a CommandFailure "file"; then nothing is
 * written.
 */
export async function writeImport(
  question: ImportQuestion,
  target: Target,
  connected: Connected,
  io: CommandIo,
  progress: Progress,
): Promise<WrittenFiles> {
  const { session } = connected;
  const { signal } = io;
  const onWait = (untilMs: number) => progress.show(waitingText(untilMs), 0, 0);
  const onProgress = ({ phase, done, total }: ImportProgress) =>
    progress.show(phase === "fetching" ? "asking the service" : "writing", done, total);
  const options = { signal, onWait, onProgress };
  try {
    if (target.kind === "xlsx") {
      const { path, isLive, form, hasSources } = target;
      const { bytes, ...written } = isLive
        ? await liveBook(question, form, connected, options)
        : await importIntoNewBook({ question, form, hasSources }, connected, options);
      if (bytes) await writeBook(path, bytes, {});
      return { ...written, files: bytes ? [path] : [] };
    }
    if (target.kind === "json") {
      const { answers, report } = await readImport(question, session, { ...options, isDated: true });
      const text = answersJson(answers, session.credentials.baseUrl);
      await writeBook(target.path, new TextEncoder().encode(text), {});
      return { name: null, files: [target.path], report };
    }
    progress.show("asking the service", 0, 0);
    const { files, missing } = await exportCsv(question, session.client, { signal, onWait });
    const formulaLike = files.reduce((sum, file) => sum + file.formulaLike, 0);
    const written = { name: null, report: null, missing, formulaLike };
    const bytes = await Promise.all(files.map(({ pieces }) => bytesOf(pieces)));
    if (target.kind === "print") {
      progress.end();
      for (const each of bytes) io.printBytes(each);
      return { ...written, files: [] };
    }
    const paths = bytes.map((_, index) => numbered(target.path, index));
    for (const path of paths.slice(1)) await mustBeNew(path, target.mayReplace);
    for (const [index, each] of bytes.entries()) await writeBook(paths[index] ?? target.path, each, {});
    return { ...written, files: paths };
  } finally {
    progress.end();
  }
}

async function bytesOf(pieces: readonly (ArrayBuffer | string)[]): Promise<Uint8Array> {
  return new Uint8Array(await new Blob([...pieces]).arrayBuffer());
}

/** Numbers the files, because the service may send parts with different columns: `fees.csv`, `fees 2.csv`. */
function numbered(path: string, index: number): string {
  if (index === 0) return path;
  const ending = extname(path);
  return join(dirname(path), `${basename(path, ending)} ${index + 1}${ending}`);
}
