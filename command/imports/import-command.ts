import type { ImportQuestion } from "../../src/workbook/imports/run/import-types";
import { exitCodes } from "../command-failure";
import type { CommandIo } from "../command-io";
import type { Connected } from "../command-connection";
import { printableLine } from "../output/printable";
import type { Progress } from "../output/progress";
import type { ImportValues } from "./import-options";
import { lackingJson, lackingText } from "./import-report";
import type { NamedJurisdictions } from "./where";
import { type Ready, writeImport } from "./write-import";
import { counted } from "../output/counted";

/** An import that is ready to run: its question, and the facts that the command found out before. */
interface ReadyImport {
  question: ImportQuestion;
  named: NamedJurisdictions;
  /** The command's own lines, printed before the import's, and its properties in the JSON document. */
  before?: { lines: string[]; json: object };
}

/** Runs the import, prints what arrived and what did not, and returns the exit code. */
export async function importAndTell(
  { question, named, before }: ReadyImport,
  target: Ready,
  {
    values,
    connected,
    io,
    progress,
  }: { values: ImportValues; connected: Connected; io: CommandIo; progress: Progress },
): Promise<number> {
  const written = await writeImport({ question, target }, connected, io, progress);
  const { name, files } = written;
  const lacking = {
    ...written,
    notFound: named.notFound,
    corrections: named.corrections,
    notListed: named.missing,
  };
  const jurisdictions = written.report?.rows ?? question.ahjs.length;
  if (values.json) {
    const result = {
      ...before?.json,
      files,
      name,
      jurisdictions,
      values: written.report?.values ?? null,
      ...lackingJson(lacking),
    };
    io.print(JSON.stringify(result, undefined, 2));
  } else if (!values.quiet) {
    const of = written.report ? `, ${counted(written.report.values, "value")}` : "";
    const [first, ...others] = files;
    const lines = [
      ...(before?.lines ?? []),
      ...(first === undefined
        ? target.kind === "print"
          ? []
          : ["The service sent nothing for this table. Nothing was written."]
        : [`${printableLine(first)}: ${counted(jurisdictions, "jurisdiction")}${of}.`]),
      ...others.map((file) => `${printableLine(file)}: the parts that came with other columns.`),
      ...lackingText(lacking),
    ];
    // If the table itself goes to the standard output, the report goes to the standard error.
    if (lines.length > 0) (target.kind === "print" ? io.tell : io.print)(lines.join("\n"));
  }
  return files.length > 0 ? exitCodes.changed : exitCodes.unchanged;
}
