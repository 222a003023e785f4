import { addin } from "../addin";
import type { BookUses } from "../../src/workbook/uses/plan-uses";
import { linesOfUses } from "../../src/workbook/uses/use-lines";
import { checkBook, openToCheck, type Problem, problemKinds } from "../check/check-book";
import { checkingOf, defaultAgeDays } from "../check/checking";
import { goneUses, usesJson, usesOfBook, usesText, textOfUse } from "../check/uses-of-book";
import { connectIfGiven } from "../command-connection";
import { CommandFailure, exitCodes } from "../command-failure";
import { commonOptions, readOptions, serviceOptions } from "../command-options";
import { printableLine } from "../output/printable";
import type { Command } from "./command-shape";
import { forEachBook, listedLines, mustBeNamed } from "./each-book";

const options = {
  ...commonOptions,
  ...serviceOptions,
  uses: { type: "boolean" },
  "older-than": { type: "string" },
  namespace: { type: "string" },
} as const;

/** The number of lines that are printed for one kind of problem; --json prints all. */
const mostLines = 100;
/** Room for a sentence on a code that has gone. */
const mostCharacters = 400;

export const check: Command = {
  summary: "Look for keys, stuck formulas, old and frozen answers in workbooks. Changes nothing.",
  help: `npm run regdata -- check BOOK.xlsx [BOOK.xlsx …]

Reads each workbook and says, with addresses of cells:
  - where a key stands: in cells, formulas, comments, names, custom XML, document properties, add-ins' settings or any other part.
    It looks for the key of REGDATA_KEY or --key-file in all the forms it may take, and for texts in the form of a key, which is
    a guess. The key itself is never printed.
  - formulas of the add-in that are stuck at #NAME? or #BUSY!, or stored by a name that Excel does not call ("repair" mends them)
  - imports that were last run too long ago, whose table is gone, or that came from more than one service
  - formulas that were frozen, with the day
  - the workbook being on hold, since when and by whom
It asks no service, except with --uses. Macros and pictures are searched byte by byte, so a key in a compressed macro is not found.

  --uses             Also list the places and questions that formulas and imports use, with cells and the age of imports' answers.
                     With a key and its service, they are looked up: codes and questions that are gone count as problems, and
                     places outside the subscription are named. Without, no request is sent.
  --older-than DAYS  Imports whose last run is older are listed. Default: ${defaultAgeDays}.
  --key-file FILE    A file with the key to look for, which only you can read. Default: REGDATA_KEY_FILE, or REGDATA_KEY.
  --service URL      List imports of any other service. Default: REGDATA_SERVICE; without it, of more than one.
  --answers FOLDER   With --uses: where lists are kept from run to run. Default: your folder for caches. "none" keeps nothing.
  --namespace NAME   The namespace of the custom functions. Default: ${addin.namespace}.

Exit code 0: nothing was found. 10: something was.`,
  async run(words, io) {
    const { values, positionals: paths } = readOptions(words, options);
    mustBeNamed(paths, undefined, "to check");
    const checking = await checkingOf({ ...values, olderThanDays: daysOf(values["older-than"]) }, io);
    const hasKey = checking.keys.length > 0;
    const connected = values.uses ? await connectIfGiven(values, io) : null;
    const blank = { problems: [], ...(connected && { uses: null }) };
    return forEachBook(paths, { ...values, blank }, io, async (path) => {
      const file = await openToCheck(path);
      const { namespace } = checking;
      const uses = connected && (await usesOfBook(file, connected, { namespace, signal: io.signal }));
      const problems = [...checkBook(file, checking), ...(uses ? goneUses(uses) : [])];
      return {
        code: problems.length > 0 ? exitCodes.changed : exitCodes.unchanged,
        json: { problems, ...(uses && { uses: usesJson(uses) }) },
        lines: linesOf(problems, { hasKey, uses, isConnected: connected?.session !== null }),
      };
    });
  },
};

function daysOf(given: string | undefined): number {
  if (given === undefined) return defaultAgeDays;
  if (!/^\d{1,6}$/.test(given))
    throw new CommandFailure("usage", "--older-than takes a number of days, such as 365.");
  return Number(given);
}

/** The kinds of problems that only the service tells. */
const ofService: ReadonlySet<string> = new Set<Problem["kind"]>(["gone-place", "gone-question"]);

function linesOf(
  problems: readonly Problem[],
  { hasKey, uses, isConnected }: { hasKey: boolean; uses: BookUses | null; isConnected: boolean },
): string[] {
  const isSought = (kind: string) =>
    kind === "key" ? hasKey : !ofService.has(kind) || uses?.isLookedUp === true;
  const sought = Object.entries(problemKinds).filter(([kind]) => isSought(kind));
  const titles = sought.map(([, title]) => title.charAt(0).toLowerCase() + title.slice(1)).join(", ");
  const lines = problems.length === 0 ? [`Nothing found. Looked for: ${titles}.`] : [];
  for (const [kind, title] of Object.entries(problemKinds)) {
    const own = problems.filter((problem) => problem.kind === kind);
    if (own.length === 0) continue;
    lines.push(`${title}: ${own.length.toLocaleString("en-US")}`);
    const listed = listedLines(
      own,
      mostLines,
      ({ place, detail }) => `${printableLine(place)}: ${printableLine(detail, mostCharacters)}`,
    );
    lines.push(...listed.map((line) => `  ${line}`));
  }
  if (uses) {
    lines.push(`Uses: ${usesText(uses)}`);
    const listed = listedLines(linesOfUses(uses), mostLines, (line) =>
      printableLine(textOfUse(line), mostCharacters),
    );
    lines.push(...listed.map((line) => `  ${line}`));
    if (!isConnected)
      lines.push("Gone codes and questions were not looked up, because that takes a key and --service.");
    else if (!uses.isLookedUp && problems.some(({ kind }) => kind === "on-hold"))
      lines.push("Gone codes and questions were not looked up, because the workbook is on hold.");
  }
  if (!hasKey)
    lines.push("No key was given in REGDATA_KEY or --key-file, so none was looked for by its letters.");
  return lines;
}
