import { CommandFailure, exitCodes } from "../command-failure";
import { connect, connectionHelp } from "../command-connection";
import { importIntoNewBook } from "../imports/new-import";
import { questionsOf } from "../imports/named-questions";
import { jurisdictionsOf } from "../imports/where";
import { commonOptions, readOptions, serviceOptions } from "../command-options";
import { printableLine } from "../output/printable";
import { createProgress } from "../output/progress";
import { mustBeNew, writeBook } from "../workbook/safe-write";
import type { Command } from "./command-shape";

const options = {
  ...commonOptions,
  ...serviceOptions,
  output: { type: "string", short: "o" },
  where: { type: "string", multiple: true },
  question: { type: "string", multiple: true },
  citations: { type: "boolean" },
  sources: { type: "boolean" },
  long: { type: "boolean" },
  force: { type: "boolean" },
} as const;

export const matrix: Command = {
  summary: "Compare jurisdictions in a new workbook, which remembers it as an import.",
  help: `npm run regdata -- matrix --where CA --question 1056 -o fees.xlsx

Asks questions about jurisdictions and writes the answers as a table into a new workbook. The add-in and "refresh" know it as an
import.

  --where WORDS      States (CA), geoIDs (06001) or "all"; may be repeated.
  --question WORD    A question's id or whole name; may be repeated.
  -o, --output FILE  The workbook to write.
  --citations        Columns with the citation of each answer.
  --sources          A sheet with the source of each answer.
  --long             A row for each answer.
  --force            Write over a file that is there.${connectionHelp}`,
  async run(words, io) {
    const { values, positionals } = readOptions(words, options);
    if (positionals.length > 0)
      throw new CommandFailure("usage", `"${printableLine(positionals[0] ?? "", 60)}" belongs to no option.`);
    const { output, where = [], question = [] } = values;
    if (output === undefined) throw new CommandFailure("usage", "Name the workbook to write with -o.");
    if (where.length === 0) throw new CommandFailure("usage", "Name the jurisdictions with --where.");
    if (question.length === 0) throw new CommandFailure("usage", "Name the questions with --question.");
    if (!values.force) await mustBeNew(output);
    const connected = await connect(values, io);
    const types = await questionsOf(question, connected.session);
    const ahjs = await jurisdictionsOf(where, connected.session);
    const isQuiet = values.quiet === true || values.json === true;
    const { name, bytes, report } = await importIntoNewBook(
      {
        question: { kind: "matrix", ahjs, types },
        form: { layout: values.long ? "long" : "wide", hasCitations: values.citations === true },
        hasSources: values.sources === true,
      },
      connected,
      io,
      createProgress(io, isQuiet),
    );
    await writeBook(output, bytes, {});
    const result = {
      file: output,
      name,
      jurisdictions: ahjs.length,
      questions: types.length,
      notRead: report.notRead.length,
    };
    if (values.json) io.print(JSON.stringify(result, undefined, 2));
    else if (!values.quiet)
      io.print(
        `${printableLine(output)}: ${ahjs.length.toLocaleString("en-US")} jurisdictions, ${types.length} questions.`,
      );
    return exitCodes.changed;
  },
};
