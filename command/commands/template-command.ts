import type { Ahj } from "../../src/engine/api/schemas";
import { nameInFormulas } from "../../src/workbook/formula-text/jurisdiction-name";
import type { Template } from "../../src/workbook/templates/template-shape";
import { statesSeen } from "../../src/workbook/templates/template-jurisdictions";
import { fillTemplate, mostJurisdictions, templates } from "../../src/workbook/templates/templates";
import { CommandFailure, exitCodes } from "../command-failure";
import { connect, connectionHelp } from "../command-connection";
import { mustBeNone } from "../command-options";
import { outputHelp, readImportOptions, targetOf, whereHelp } from "../imports/import-options";
import { lackingJson, lackingText } from "../imports/import-report";
import { jurisdictionsOf, wordsOf } from "../imports/where";
import { forTarget } from "../imports/write-import";
import { counted } from "../output/counted";
import { printableLine } from "../output/printable";
import { createProgress } from "../output/progress";
import { writeBook } from "../workbook/safe-write";
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
      ...(["question", "if", "any", "live", "citations", "sources", "long"] as const),
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
      const { lookup } = connected.session;
      const { signal } = io;
      const progress = createProgress(io, values.quiet === true || values.json === true);
      try {
        progress.show("looking up", 0, 0);
        const types = await lookup.catalogue.types({ signal });
        const named =
          whereWords.length > 0
            ? await jurisdictionsOf(whereWords, connected.session, { signal })
            : {
                ahjs: chosen.jurisdictions === "states" ? await statesSeen(lookup, { signal }) : [],
                notFound: [],
                corrections: [],
                missing: 0,
              };
        const ahjs = fitting(chosen, named.ahjs);
        const nameOf = nameInFormulas(ahjs, lookup.directory);
        const { plan, leftOut } = fillTemplate(chosen, ahjs, { types, nameOf });
        const onProgress = (done: number, total: number) => progress.show("asking the service", done, total);
        // The code that calculates is loaded only here, so that every other command starts without it.
        const { templateBook } = await import("../templates/template-book");
        const bytes = await templateBook(plan, connected, { signal, onProgress });
        await writeBook(place.path, bytes, place);
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
            jurisdictions: ahjs.length,
            unknownQuestions: leftOut,
          };
          io.print(JSON.stringify({ ...lackingJson(lacking), ...result }, undefined, 2));
        } else if (!values.quiet) {
          const lines = [
            `${printableLine(target.path)}: ${chosen.name}, ${counted(ahjs.length, "jurisdiction")}.`,
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

/** The jurisdictions that the template uses. Fails with a CommandFailure "usage" if there are too many. */
function fitting({ id, jurisdictions }: Template, ahjs: readonly Ahj[]): readonly Ahj[] {
  if (jurisdictions === "states") return ahjs.filter(({ geoid }) => geoid?.length === 2);
  if (jurisdictions === "one" && ahjs.length > 1)
    throw new CommandFailure("usage", `"${id}" takes one jurisdiction. Name one with --where.`);
  if (ahjs.length > mostJurisdictions)
    throw new CommandFailure(
      "usage",
      `"${id}" takes up to ${counted(mostJurisdictions, "jurisdiction")}, not ${ahjs.length.toLocaleString("en-US")}. For more, use "matrix".`,
    );
  return ahjs;
}
