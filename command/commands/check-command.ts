import { isTooShortToFind } from "../../src/key-forms";
import { parseBaseUrl } from "../../src/engine/transport/base-url";
import { openWorkbookFile } from "../../xlsx/workbook-file";
import { addin } from "../addin";
import { checkBook, type Problem, problemKinds } from "../check/check-book";
import { givenKey } from "../command-connection";
import { CommandFailure, exitCodes, worstOf } from "../command-failure";
import { commonOptions, readOptions } from "../command-options";
import { failureOf } from "../failure-exit";
import { printableLine } from "../output/printable";
import { readBook } from "../workbook/safe-write";
import type { Command } from "./command-shape";

const options = {
  ...commonOptions,
  service: { type: "string" },
  "key-file": { type: "string" },
  "older-than": { type: "string" },
  namespace: { type: "string" },
} as const;

const defaultAgeDays = 365;
/** A longer list of one kind helps nobody; --json has all. */
const mostLines = 100;

interface CheckedBook {
  file: string;
  failure: string | null;
  problems: Problem[];
}

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
  --namespace NAME   Of the custom functions. Default: ${addin.namespace}.

Exit code 0: nothing was found. 10: something was.`,
  async run(words, io) {
    const { values, positionals: paths } = readOptions(words, options);
    if (paths.length === 0) throw new CommandFailure("usage", "Name the workbook to check.");
    const key = await givenKey(values, io);
    if (key !== null && isTooShortToFind(key))
      io.tell("The key is too short to be told from other texts: it is not looked for.");
    const checking = {
      namespace: namespaceOf(values.namespace),
      keys: key === null ? [] : [key],
      service: serviceOf(values.service ?? io.env["REGDATA_SERVICE"]),
      olderThanDays: daysOf(values["older-than"]),
      nowMs: Date.now(),
    };
    const books: CheckedBook[] = [];
    const codes: number[] = [];
    for (const path of paths) {
      try {
        const { bytes } = await readBook(path);
        // A signature stays valid: nothing is written.
        const problems = checkBook(openWorkbookFile(bytes, { dropSignature: true }), checking);
        const book = { file: path, failure: null, problems };
        books.push(book);
        codes.push(problems.length > 0 ? exitCodes.changed : exitCodes.unchanged);
        if (!values.json && !values.quiet) io.print(textOf(book, key !== null));
      } catch (thrown) {
        const { code, sentence } = failureOf(thrown);
        books.push({ file: path, failure: sentence, problems: [] });
        io.tell(printableLine(sentence, 1_000));
        codes.push(code);
      }
    }
    if (values.json) io.print(JSON.stringify({ books }, undefined, 2));
    return worstOf(codes);
  },
};

/** The namespace of custom functions that an option names. Fails with a CommandFailure "usage". */
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

function serviceOf(given: string | undefined): string | null {
  if (given === undefined || given === "") return null;
  const parsed = parseBaseUrl(given);
  if ("problem" in parsed)
    throw new CommandFailure("usage", `The service's address can't be used. ${parsed.problem}`);
  return parsed.baseUrl;
}

function textOf({ file, problems }: CheckedBook, hasKey: boolean): string {
  const lines = [printableLine(file)];
  if (problems.length === 0) lines.push("  Nothing found.");
  for (const [kind, title] of Object.entries(problemKinds)) {
    const own = problems.filter((problem) => problem.kind === kind);
    if (own.length === 0) continue;
    lines.push(`  ${title}: ${own.length.toLocaleString("en-US")}`);
    for (const { place, detail } of own.slice(0, mostLines))
      lines.push(`    ${printableLine(place)}: ${printableLine(detail)}`);
    if (own.length > mostLines)
      lines.push(`    and ${(own.length - mostLines).toLocaleString("en-US")} more`);
  }
  if (!hasKey)
    lines.push("  No key was given in REGDATA_KEY or --key-file, so none was looked for by its letters.");
  return lines.join("\n");
}
