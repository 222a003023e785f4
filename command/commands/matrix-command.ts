import { CommandFailure } from "../command-failure";
import { connect, connectionHelp } from "../command-connection";
import { importAndTell } from "../imports/import-command";
import {
  liveHelp,
  mustFitMatrix,
  outputHelp,
  readImportOptions,
  targetOf,
  whereHelp,
  workbookHelp,
} from "../imports/import-options";
import { questionsOf } from "../imports/named-questions";
import { jurisdictionsOf, wordsOf } from "../imports/where";
import { forTarget } from "../imports/write-import";
import { mustBeNone } from "../command-options";
import { createProgress } from "../output/progress";
import type { Command } from "./command-shape";

export const matrix: Command = {
  summary: "Compare jurisdictions in a new workbook, which remembers it as an import.",
  help: `npm run regdata -- matrix --where CA --question 1056 1057 -o fees.xlsx

Asks questions about jurisdictions and writes the answers as a table into a new workbook. The add-in and "refresh" know it as an
import. Everything that is left out or has no value is printed.
${whereHelp}
  --question WORD …  Ids or whole names of questions.${outputHelp}${workbookHelp}${liveHelp}${connectionHelp}`,
  async run(words, io) {
    const { values, positionals } = readImportOptions(words, ["if", "any"]);
    mustBeNone(positionals);
    const target = targetOf(values);
    const { where = [], question = [] } = values;
    if (where.length === 0) throw new CommandFailure("usage", "Name the jurisdictions with --where.");
    if (question.length === 0) throw new CommandFailure("usage", "Name the questions with --question.");
    mustFitMatrix(target);
    const whereWords = await wordsOf(where);
    return forTarget(target, async (ready) => {
      const connected = await connect(values, io);
      const progress = createProgress(io, values.quiet === true || values.json === true);
      try {
        progress.show("looking up", 0, 0);
        const types = await questionsOf(question, connected.session, { signal: io.signal });
        const named = await jurisdictionsOf(whereWords, connected.session, { signal: io.signal });
        const order = { question: { kind: "matrix" as const, ahjs: named.ahjs, types }, named };
        return await importAndTell(order, ready, { values, connected, io, progress });
      } finally {
        progress.end();
      }
    });
  },
};
