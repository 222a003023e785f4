import type { Ahj } from "../../src/engine/api/schemas";
import { type UnknownReason, unknownReasons } from "../../src/find/conditions/verdict";
import { columnsFor, type Find, findIn } from "../../src/find/find";
import type { Heaps } from "../../src/find/heaps";
import { readAnswerColumns, workFor } from "../../src/find/read-columns";
import { conditionWords } from "../../src/taskpane/fill/find/find-words";
import { fullAhjLabel, oldAnswersSentence } from "../../src/taskpane/ui/labels";
import { CommandFailure, exitCodes } from "../command-failure";
import { connect, connectionHelp } from "../command-connection";
import { conditionsOf } from "../imports/stated-conditions";
import { importAndTell } from "../imports/import-command";
import { outputHelp, readImportOptions, targetOf, whereHelp, workbookHelp } from "../imports/import-options";
import { lackingJson, lackingText } from "../imports/import-report";
import { questionsOf } from "../imports/named-questions";
import { createRequestNotice } from "../imports/request-notice";
import { jurisdictionsOf, wordsOf } from "../imports/where";
import { forTarget, type Ready } from "../imports/write-import";
import { mustBeNone } from "../command-options";
import { printableLine } from "../output/printable";
import { createProgress, waitingText } from "../output/progress";
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
    async function run(ready: Ready | null): Promise<number> {
      const connected = await connect(values, io);
      const { session } = connected;
      const { signal } = io;
      const progress = createProgress(io, values.quiet === true || values.json === true);
      try {
        progress.show("looking up", 0, 0);
        const nowMs = Date.now();
        const conditions = await conditionsOf(conditionTexts, session, nowMs);
        const asked: Find = { match: values.any ? "any" : "all", conditions };
        const types =
          question.length > 0
            ? await questionsOf(question, session)
            : await questionsOf([...new Set(conditions.map(({ type }) => String(type.id)))], session);
        const budget = createRequestNotice(io);
        const named = await jurisdictionsOf(whereWords, session, { signal, budget });
        const ids = named.ahjs.map(({ id }) => id);
        const wanted = columnsFor(asked);
        const { answers, requestsFor } = session.lookup;
        await answers.recall(ids);
        budget.expect(await requestsFor(workFor(ids, wanted)));
        const { columns, failure, old } = await readAnswerColumns(ids, wanted, answers, {
          signal,
          onWait: (untilMs) => progress.show(waitingText(untilMs), 0, 0),
          onProgress: (done) => progress.show("asking the service", done, ids.length * wanted.length),
        });
        // The command fails here, because a jurisdiction that could not be asked would otherwise count as not found.
        if (failure) throw failure;
        const columnOf = new Map(columns.map((column) => [column.type.id, column]));
        const heaps = findIn(ids.length, (typeId) => columnOf.get(typeId), asked, nowMs);
        const found = heaps.placesIn("yes").flatMap((place) => named.ahjs[place] ?? []);
        const reasons = reasonsOf(heaps, asked, named.ahjs);
        progress.end();
        const before = {
          lines: [
            `Of ${counted(ids.length, "jurisdiction")}: ${countsOf(heaps)}.`,
            ...reasons.flatMap(reasonLines),
            ...(old ? [`  ${oldAnswersSentence(old)}`] : []),
          ],
          json: { looked: ids.length, ...heaps.counts, reasons },
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
        const savedFind = { ...asked, within: named.within };
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
    return target === null ? run(null) : forTarget(target, run);
  },
};

function countsOf({ counts }: Heaps): string {
  const figure = (count: number) => count.toLocaleString("en-US");
  return `${figure(counts.yes)} yes, ${figure(counts.no)} no, ${figure(counts["not-known"])} not known`;
}

/** A reason why it is not known whether jurisdictions meet a condition. */
interface Reason {
  condition: string;
  reason: string;
  jurisdictions: string[];
}

/** Sorts the reasons, the most frequent first. A jurisdiction may have several. */
function reasonsOf(heaps: Heaps, { conditions }: Find, ahjs: readonly Ahj[]): Reason[] {
  const reasons = new Map<string, Reason>();
  for (const place of heaps.placesIn("not-known")) {
    for (const { condition, reason } of heaps.reasonsFor(place)) {
      const known = reasons.get(`${condition} ${reason}`) ?? newReason(condition, reason);
      reasons.set(`${condition} ${reason}`, known);
      const ahj = ahjs[place];
      if (ahj) known.jurisdictions.push(fullAhjLabel(ahj));
    }
  }
  return [...reasons.values()].sort((one, other) => other.jurisdictions.length - one.jurisdictions.length);

  function newReason(index: number, reason: UnknownReason): Reason {
    const condition = conditions[index];
    return {
      condition: condition ? conditionWords(condition) : "",
      reason: unknownReasons[reason],
      jurisdictions: [],
    };
  }
}

/** The number of names that are printed for a reason; --json lists all. */
const mostNames = 5;

function reasonLines({ condition, reason, jurisdictions }: Reason): string[] {
  const names = jurisdictions.slice(0, mostNames).join("; ");
  const more = jurisdictions.length - mostNames;
  return [
    `  ${counted(jurisdictions.length, "jurisdiction")}. ${printableLine(`“${condition}”: ${reason}`, 400)}`,
    `    ${printableLine(names, 600)}${more > 0 ? `; and ${more.toLocaleString("en-US")} more` : ""}`,
  ];
}
