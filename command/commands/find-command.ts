import type { Heaps } from "../../src/find/heaps";
import { fullAhjLabel, oldAnswersSentence } from "../../src/taskpane/ui/labels";
import { CommandFailure, exitCodes } from "../command-failure";
import { connect, connectionHelp } from "../command-connection";
import { placesIn, type Reason, reasonsOf, runFind } from "../finds/run-find";
import { importAndTell } from "../imports/import-command";
import { outputHelp, readImportOptions, targetOf, whereHelp, workbookHelp } from "../imports/import-options";
import { lackingJson, lackingText } from "../imports/import-report";
import { createRequestNotice } from "../imports/request-notice";
import { wordsOf } from "../imports/where";
import { forTarget, type Ready } from "../imports/write-import";
import { mustBeNone } from "../command-options";
import { printableLine } from "../output/printable";
import { createProgress } from "../output/progress";
import type { Command } from "./command-shape";
import { counted } from "../output/counted";

export const find: Command = {
  summary: "Find jurisdictions by their answers, and write them into a new workbook.",
  help: `npm run regdata -- find --where CA --if "1057 at most 300" --if "1003 at least 2020" -o found.xlsx

Finds the jurisdictions whose answers certainly meet conditions (docs/find.md), prints how many do, do not, and of how many it is not
known and why, and writes those that do into a new workbook. Without -o it lists them. "refresh" asks the find again.

  --if CONDITION     Question (id or whole name), operator and value; may be repeated.
  --any              One condition is enough. Default: all have to be met.${whereHelp}
  --question WORD …  What the table shows; default: the questions of the conditions.${outputHelp}${workbookHelp}${connectionHelp}`,
  async run(words, io) {
    const { values, positionals } = readImportOptions(words, ["live"]);
    mustBeNone(positionals);
    const target = values.output === undefined ? null : targetOf(values);
    const { where = [], question = [], if: conditionTexts = [] } = values;
    if (where.length === 0) throw new CommandFailure("usage", "Name the jurisdictions with --where.");
    if (conditionTexts.length === 0) throw new CommandFailure("usage", "Say a condition with --if.");

    const whereWords = await wordsOf(where);
    async function findAndTell(ready: Ready | null): Promise<number> {
      const connected = await connect(values, io);
      const { session } = connected;
      const { signal } = io;
      const progress = createProgress(io, values.quiet === true || values.json === true);
      try {
        const asked = { where: whereWords, conditions: conditionTexts, any: values.any === true, question };
        const budget = createRequestNotice(io);
        const run = await runFind(asked, session, { signal, budget, progress });
        const { named, heaps, types, old } = run;
        const found = placesIn(run, "yes");
        const reasons = reasonsOf(run);
        progress.end();
        const before = {
          lines: [
            `Of ${counted(named.ahjs.length, "jurisdiction")}: ${countsOf(heaps)}.`,
            ...reasons.flatMap(reasonLines),
            ...(old ? [`  ${oldAnswersSentence(old)}`] : []),
          ],
          json: { looked: named.ahjs.length, ...heaps.counts, reasons },
        };
        const lacking = {
          report: null,
          notFound: named.notFound,
          corrections: named.corrections,
          notListed: named.missing,
        };
        if (ready === null || found.length === 0) {
          if (values.json) {
            const list = found.map(({ id, geoid, name, state_code }) => ({
              ahj_id: id,
              geoid,
              name,
              state: state_code,
            }));
            const result = { ...before.json, found: list, files: [], ...lackingJson(lacking) };
            io.print(JSON.stringify(result, undefined, 2));
          } else if (!values.quiet) {
            const listed =
              target === null && found.length > 0
                ? ["", "Found:", ...found.map((ahj) => `  ${printableLine(fullAhjLabel(ahj))}`)]
                : [];
            const nothing = target === null ? [] : ["Nothing was written."];
            const lines = [...before.lines, ...nothing, ...lackingText(lacking), ...listed];
            (target?.kind === "print" ? io.tell : io.print)(lines.join("\n"));
          }
          return exitCodes.unchanged;
        }
        const savedFind = { ...run.find, within: named.within };
        const order = { kind: "matrix" as const, ahjs: found, types, find: savedFind };
        return await importAndTell({ question: order, named, before }, ready, {
          values,
          connected,
          io,
          progress,
        });
      } finally {
        progress.end();
      }
    }
    return target === null ? findAndTell(null) : forTarget(target, findAndTell);
  },
};

function countsOf({ counts }: Heaps): string {
  const figure = (count: number) => count.toLocaleString("en-US");
  return `${figure(counts.yes)} yes, ${figure(counts.no)} no, ${figure(counts["not-known"])} not known`;
}

/** The number of names that are printed for a reason; --json lists all. */
const mostNames = 5;

function reasonLines({ sentence, jurisdictions }: Reason): string[] {
  const names = jurisdictions.slice(0, mostNames).join("; ");
  const more = jurisdictions.length - mostNames;
  return [
    `  ${counted(jurisdictions.length, "jurisdiction")}. ${printableLine(sentence, 400)}`,
    `    ${printableLine(names, 600)}${more > 0 ? `; and ${more.toLocaleString("en-US")} more` : ""}`,
  ];
}
