import { isTooShortToFind } from "../../src/key-forms";
import { openWorkbookFile } from "../../xlsx/workbook-file";
import { addin } from "../addin";
import { checkBook, type Problem, problemKinds } from "../check/check-book";
import { givenKey, parsedService } from "../command-connection";
import { CommandFailure, exitCodes } from "../command-failure";
import { commonOptions, readOptions } from "../command-options";
import { printableLine } from "../output/printable";
import { readBook } from "../workbook/safe-write";
import type { Command } from "./command-shape";
import { forEachBook, listedLines, mustBeNamed } from "./each-book";

const options = {
  ...commonOptions,
  service: { type: "string" },
  "key-file": { type: "string" },
  "older-than": { type: "string" },
  namespace: { type: "string" },
} as const;

const defaultAgeDays = 365;
/** The number of lines that are printed for one kind of problem; --json prints all. */
const mostLines = 100;

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
It asks no service. Macros and pictures are searched byte by byte, so a key in a compressed macro is not found.

  --older-than DAYS  Imports whose last run is older are listed. Default: ${defaultAgeDays}.
  --key-file FILE    A file with the key to look for, which only you can read. Default: REGDATA_KEY_FILE, or REGDATA_KEY.
  --service URL      List imports of any other service. Default: REGDATA_SERVICE; without it, of more than one.
  --namespace NAME   The namespace of the custom functions. Default: ${addin.namespace}.

Exit code 0: nothing was found. 10: something was.`,
  async run(words, io) {
    const { values, positionals: paths } = readOptions(words, options);
    mustBeNamed(paths, undefined, "to check");
    const key = await givenKey(values, io);
    if (key !== null && isTooShortToFind(key))
      io.tell("The key is too short to be told from other texts: it is not looked for.");
    const address = values.service ?? io.env["REGDATA_SERVICE"];
    const checking = {
      namespace: namespaceOf(values.namespace),
      keys: key === null ? [] : [key],
      service: address ? parsedService(address) : null,
      olderThanDays: daysOf(values["older-than"]),
      nowMs: Date.now(),
    };
    const blank = { problems: [] };
    return forEachBook(paths, { ...values, blank }, io, async (path) => {
      const { bytes } = await readBook(path);
      // The signature may be dropped in memory, because nothing is written: in the file it stays valid.
      const problems = checkBook(openWorkbookFile(bytes, { dropSignature: true }), checking);
      return {
        code: problems.length > 0 ? exitCodes.changed : exitCodes.unchanged,
        json: { problems },
        lines: linesOf(problems, key !== null),
      };
    });
  },
};

/** The namespace of custom functions from an option; by default the add-in's. Fails with a CommandFailure "usage". */
export function namespaceOf(given: string | undefined): string {
  const namespace = given ?? addin.namespace;
  if (!/^[a-z][\w.]*$/i.test(namespace))
    throw new CommandFailure("usage", `"${printableLine(namespace, 60)}" is no namespace, such as CONTOSO.`);
  return namespace.toUpperCase();
}

function daysOf(given: string | undefined): number {
  if (given === undefined) return defaultAgeDays;
  if (!/^\d{1,6}$/.test(given))
    throw new CommandFailure("usage", "--older-than takes a number of days, such as 365.");
  return Number(given);
}

function linesOf(problems: readonly Problem[], hasKey: boolean): string[] {
  const lines = problems.length === 0 ? ["Nothing found."] : [];
  for (const [kind, title] of Object.entries(problemKinds)) {
    const own = problems.filter((problem) => problem.kind === kind);
    if (own.length === 0) continue;
    lines.push(`${title}: ${own.length.toLocaleString("en-US")}`);
    const listed = listedLines(
      own,
      mostLines,
      ({ place, detail }) => `${printableLine(place)}: ${printableLine(detail)}`,
    );
    lines.push(...listed.map((line) => `  ${line}`));
  }
  if (!hasKey)
    lines.push("No key was given in REGDATA_KEY or --key-file, so none was looked for by its letters.");
  return lines;
}
