import type { ImportQuestion } from "../../src/workbook/imports/run/question";
import { exitCodes } from "../command-failure";
import type { CommandIo } from "../command-io";
import type { Connected } from "../command-connection";
import { printableLine } from "../output/printable";
import type { Progress } from "../output/progress";
import type { ImportValues, Target } from "./import-options";
import { lackingJson, lackingText } from "./import-report";
import type { NamedJurisdictions } from "./where";
import { writeImport } from "./write-import";
import { counted } from "../output/counted";

/** What a command has found out before it imports. */
export interface ReadyImport {
  question: ImportQuestion;
  named: NamedJurisdictions;
  /** What it prints before the import's own lines, and puts into the JSON document. */
  before?: { lines: string[]; json: object };
}

/** Imports, tells what came and what did not, and gives the exit code. */
export async function importAndTell(
  { question, named, before }: ReadyImport,
  target: Target,
  {
    values,
    connected,
    io,
    progress,
  }: { values: ImportValues; connected: Connected; io: CommandIo; progress: Progress },
): Promise<number> {
  const written = await writeImport(question, target, connected, io, progress);
  const { name, files } = written;
  const lacking = { ...written, notFound: named.notFound, notListed: named.missing };
  const jurisdictions = written.report?.rows ?? question.ahjs.length;
  if (values.json) {
    const result = {
      ...before?.json,
      ...{ files, name, jurisdictions, values: written.report?.values ?? null },
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
    // Beside a table that is printed, the report is not of the table.
    if (lines.length > 0) (target.kind === "print" ? io.tell : io.print)(lines.join("\n"));
  }
  return files.length > 0 ? exitCodes.changed : exitCodes.unchanged;
}
