import { exportCsv } from "../../src/workbook/imports/files/csv-file";
import type { ImportProgress, ImportQuestion } from "../../src/workbook/imports/run/import-types";
import { readImport } from "../../src/workbook/imports/run/run-import";
import type { CommandIo } from "../command-io";
import type { Connected } from "../command-connection";
import { type Progress, waitingText } from "../output/progress";
import {
  type FilePlace,
  mustBeAsSeen,
  numbered,
  placesOfParts,
  withPlace,
  writeBook,
} from "../workbook/safe-write";
import type { Target } from "./import-options";
import type { Lacking } from "./import-report";
import { answersJson } from "./json-answers";
import { liveBook } from "./live-book";
import { importIntoNewBook } from "./new-import";

export interface WrittenFiles extends Pick<Lacking, "report" | "longTexts" | "missing" | "formulaLike"> {
  /** The import's name; null if the workbook remembers no import. */
  name: string | null;
  /** Empty if the service sent nothing that a table could show, or if the table was printed. */
  files: string[];
}

/** The destination of an import, with the file that was there when the command began. */
export type Ready<Wanted extends Target = Target> = Wanted extends { path: string }
  ? Wanted & { place: FilePlace }
  : Wanted;

/** Runs work with a lock on the file that an import will be written to; see `withPlace`. */
export async function forTarget<Wanted extends Target, Result>(
  target: Wanted,
  work: (ready: Ready<Wanted>) => Promise<Result>,
): Promise<Result> {
  if (target.kind === "print") return work(target as Ready<Wanted>);
  const { path, mayReplace } = target;
  return withPlace(path, mayReplace, (place) => work({ ...target, place } as unknown as Ready<Wanted>));
}

/**
 * Asks the service for an import's answers and writes them to the target. Fails with a Failure or a CommandFailure "file"; then nothing is
 * written.
 */
export async function writeImport(
  { question, target }: { question: ImportQuestion; target: Ready },
  connected: Connected,
  io: Pick<CommandIo, "signal" | "printBytes">,
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
      const { path, place, isLive, form, hasSources } = target;
      const { bytes, ...written } = isLive
        ? await liveBook(question, form, connected, options)
        : await importIntoNewBook({ question, form, hasSources }, connected, options);
      if (bytes) await writeBook(place.path, bytes, place);
      return { ...written, files: bytes ? [path] : [] };
    }
    if (target.kind === "json") {
      const { answers, report } = await readImport(question, session, { ...options, isDated: true });
      const document = answersJson(answers, session.credentials.baseUrl);
      const text = `${JSON.stringify(document, undefined, 2)}\n`;
      await writeBook(target.place.path, new TextEncoder().encode(text), target.place);
      return { name: null, files: [target.path], report };
    }
    const parts = target.kind === "print" ? [] : await placesOfParts(target.place.path, target.mayReplace);
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
    const places = [target.place, ...parts];
    const placeOf = (index: number) => places[index] ?? { path: numbered(target.place.path, index) };
    for (const index of bytes.keys()) await mustBeAsSeen(placeOf(index));
    for (const [index, each] of bytes.entries()) {
      const place = placeOf(index);
      await writeBook(place.path, each, place);
    }
    return { ...written, files: bytes.map((_, index) => numbered(target.path, index)) };
  } finally {
    progress.end();
  }
}

async function bytesOf(pieces: readonly (ArrayBuffer | string)[]): Promise<Uint8Array> {
  return new Uint8Array(await new Blob([...pieces]).arrayBuffer());
}
