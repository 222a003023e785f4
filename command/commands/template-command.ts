import { mostJurisdictions, templates } from "../../src/workbook/templates/templates";
import { CommandFailure, exitCodes } from "../command-failure";
import { connect, connectionHelp } from "../command-connection";
import { mustBeNone } from "../command-options";
import { outputHelp, readImportOptions, targetOf, whereHelp } from "../imports/import-options";
import { lackingJson, lackingText } from "../imports/import-report";
import { wordsOf } from "../imports/where";
import { forTarget } from "../imports/write-import";
import { counted } from "../output/counted";
import { printableLine } from "../output/printable";
import { createProgress } from "../output/progress";
import { makeTemplate } from "../templates/make-template";
import type { Command } from "./command-shape";

const width = Math.max(...templates.map(({ id }) => id.length));

export const template: Command = {
  summary: "Make a ready-made workbook of formulas: project tracker, cost calculator, scorecard and others.",
  help: `npm run regdata -- template scorecard --where CA -o scorecard.xlsx

Makes a workbook of live formulas that already hold their answers:

${templates.map(({ id, summary }) => `  ${id.padEnd(width)}  ${summary}`).join("\n")}

"permit-cost" and "requirements" take one jurisdiction, "project-tracker" and "scorecard" up to ${mostJurisdictions.toLocaleString("en-US")}, and "code-adoption" takes
the states. Without --where their rows are blank, to be filled in, and "code-adoption" has all states that your key sees.
${whereHelp}${outputHelp}${connectionHelp}`,
  async run(words, io) {
    const { values, positionals } = readImportOptions(words, [
      ...(["question", "if", "any", "live", "citations", "sources", "long", "dash"] as const),
    ]);
    const [name, ...rest] = positionals;
    const chosen = templates.find(({ id }) => id === name);
    if (!chosen) {
      const ids = templates.map(({ id }) => id).join(", ");
      throw new CommandFailure(
        "usage",
        name === undefined
          ? `Name a template before the options: ${ids}.`
          : `There is no template ${printableLine(name, 60)}. Templates: ${ids}.`,
      );
    }
    mustBeNone(rest);
    const target = targetOf(values);
    if (target.kind !== "xlsx") throw new CommandFailure("usage", "A template is an .xlsx file.");
    const whereWords = await wordsOf(values.where ?? []);
    return forTarget(target, async ({ place }) => {
      const connected = await connect(values, io);
      const { signal } = io;
      const progress = createProgress(io, values.quiet === true || values.json === true);
      try {
        const made = await makeTemplate({ chosen, where: whereWords, place }, connected, {
          signal,
          progress,
        });
        const { named, jurisdictions, leftOut } = made;
        progress.end();
        const lacking = {
          notFound: named.notFound,
          corrections: named.corrections,
          notListed: named.missing,
          report: null,
        };
        if (values.json) {
          const { path } = target;
          const result = {
            files: [path],
            name: chosen.name,
            jurisdictions,
            unknownQuestions: leftOut,
          };
          io.print(JSON.stringify({ ...lackingJson(lacking), ...result }, undefined, 2));
        } else if (!values.quiet) {
          const lines = [
            `${printableLine(target.path)}: ${chosen.name}, ${counted(jurisdictions, "jurisdiction")}.`,
            ...leftOut.map(
              (question) => `  The service has no question "${question}". The sheet is without it.`,
            ),
            ...lackingText(lacking),
          ];
          io.print(lines.join("\n"));
        }
        return exitCodes.changed;
      } finally {
        progress.end();
      }
    });
  },
};
