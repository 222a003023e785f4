import type { ImportQuestion } from "../../src/workbook/imports/run/import-types";
import { exitCodes } from "../command-failure";
import type { CommandIo } from "../command-io";
import type { Connected } from "../command-connection";
import { printableLine } from "../output/printable";
import type { Progress } from "../output/progress";
import type { ImportValues } from "./import-options";
import { type Lacking, lackingJson, lackingText } from "./import-report";
import type { NamedJurisdictions } from "./where";
import { type Ready, writeImport, type WrittenFiles } from "./write-import";
import { counted } from "../output/counted";

/** An import that is ready to run: its question, and the facts that the command found out before. */
interface ReadyImport {
  question: ImportQuestion;
  named: NamedJurisdictions;
  /** The command's own lines, printed before the import's, and its properties in the JSON document. */
  before?: { lines: string[]; json: object };
}

/** The outcome of an import: its file, and everything that did not arrive. */
export interface ImportOutcome extends Pick<WrittenFiles, "name" | "files"> {
  jurisdictions: number;
  /** The number of values; null for a CSV file. */
  values: number | null;
  lacking: Lacking;
}

/** Runs the import and writes its file. Fails with a Failure or a CommandFailure. */
export async function importInto(
  target: Ready,
  { question, named }: ReadyImport,
  connected: Connected,
  io: Pick<CommandIo, "signal" | "printBytes">,
  progress: Progress,
): Promise<ImportOutcome> {
  const written = await writeImport({ question, target }, connected, io, progress);
  const { name, files, report } = written;
  const { notFound, corrections, missing: notListed } = named;
  return {
    ...{ name, files, jurisdictions: report?.rows ?? question.ahjs.length, values: report?.values ?? null },
    lacking: { ...written, notFound, corrections, notListed },
  };
}

/** Runs the import, prints what arrived and what did not, and returns the exit code. */
export async function importAndTell(
  ready: ReadyImport,
  target: Ready,
  {
    values,
    connected,
    io,
    progress,
  }: { values: ImportValues; connected: Connected; io: CommandIo; progress: Progress },
): Promise<number> {
  const outcome = await importInto(target, ready, connected, io, progress);
  const { files, lacking, ...result } = outcome;
  const { before } = ready;
  if (values.json) {
    const document = { ...before?.json, files, ...result, ...lackingJson(lacking) };
    io.print(JSON.stringify(document, undefined, 2));
  } else if (!values.quiet) {
    const of = result.values === null ? "" : `, ${counted(result.values, "value")}`;
    const [first, ...others] = files;
    const lines = [
      ...(before?.lines ?? []),
      ...(first === undefined
        ? target.kind === "print"
          ? []
          : ["The service sent nothing for this table. Nothing was written."]
        : [`${printableLine(first)}: ${counted(result.jurisdictions, "jurisdiction")}${of}.`]),
      ...others.map((file) => `${printableLine(file)}: the parts that came with other columns.`),
      ...lackingText(lacking),
    ];
    // If the table itself goes to the standard output, the report goes to the standard error.
    if (lines.length > 0) (target.kind === "print" ? io.tell : io.print)(lines.join("\n"));
  }
  return files.length > 0 ? exitCodes.changed : exitCodes.unchanged;
}
