import { realpath } from "node:fs/promises";
import { openWorkbookFile } from "../../xlsx/workbook-file";
import { addin } from "../addin";
import { connect, type Connected, connectionHelp, givenKey } from "../command-connection";
import { CommandFailure, exitCodes, worstOf } from "../command-failure";
import type { CommandIo } from "../command-io";
import { commonOptions, readOptions, serviceOptions } from "../command-options";
import { failureOf } from "../failure-exit";
import { printableLine } from "../output/printable";
import { addKeptResults } from "../repair/kept-results";
import { mendFormulas, stuckFormulas } from "../repair/stuck-formulas";
import { backupPath, mustBeWritable, readBook, withLock, writeBook } from "../workbook/safe-write";
import { namespaceOf } from "./check-command";
import type { Command } from "./command-shape";

const options = {
  ...commonOptions,
  ...serviceOptions,
  output: { type: "string", short: "o" },
  "no-backup": { type: "boolean" },
  "dry-run": { type: "boolean" },
  namespace: { type: "string" },
} as const;

/** A file that was mended by hand has not been opened in a real Excel yet. */
const proof = "unproven in Excel";
const mostLines = 100;

/** A stuck formula, as `--json` prints it. */
interface MendedFormula {
  cell: string;
  formula: string;
  /** What the cell showed; null for nothing. */
  before: string | number | boolean | null;
  /** The kept answer that it shows now; null where Excel calculates it on opening the file. */
  kept: string | number | boolean | null;
  isSheetProtected: boolean;
}

interface RepairedBook {
  file: string;
  written: string | null;
  backup: string | null;
  failure: string | null;
  proof: typeof proof;
  formulas: MendedFormula[];
}

export const repair: Command = {
  summary: `Mend formulas that are stuck at #NAME? or #BUSY! (${proof}).`,
  help: `npm run regdata -- repair BOOK.xlsx [BOOK.xlsx …]

Mends formulas of the add-in that Excel saved by a name it does not call, or with #NAME? or #BUSY! as their result: each is written
by the name under which Excel stores live functions, on protected sheets too, and the protection stays. The error gives way to the
answer that is kept in the answers folder, if there is one and its key and service are given; no request is sent. Otherwise Excel is
told to calculate the cell when it opens the file. All other cells and parts stay byte for byte.

This is ${proof}: the result has the form in which Excel saves live functions, and has not been opened in a real Excel yet.
Try Excel's own cure first: choose the add-in again under Home, Add-ins, My Add-ins.

  -o, --output FILE  Write to this file instead; with one workbook only.
  --no-backup        Keep no copy of the old file.
  --dry-run          Only list what would be mended.
  --namespace NAME   Of the custom functions. Default: ${addin.namespace}. Of another one, no answers are kept.${connectionHelp}

Exit code 0: nothing was stuck. 10: something was mended, or would be.`,
  async run(words, io) {
    const { values, positionals: paths } = readOptions(words, options);
    if (paths.length === 0) throw new CommandFailure("usage", "Name the workbook to repair.");
    if (values.output !== undefined && paths.length > 1)
      throw new CommandFailure("usage", "-o goes with one workbook.");
    const namespace = namespaceOf(values.namespace);
    const kept = await keptAnswers(namespace, values, io);
    const books: RepairedBook[] = [];
    const codes: number[] = [];
    for (const path of paths) {
      try {
        const book = await repairBook(path, namespace, "connected" in kept ? kept.connected : null, values);
        books.push(book);
        codes.push(book.formulas.length > 0 ? exitCodes.changed : exitCodes.unchanged);
        if (!values.json && !values.quiet)
          io.print(textOf(book, "reason" in kept ? kept.reason : null, values["dry-run"] === true));
      } catch (thrown) {
        const { code, sentence } = failureOf(thrown);
        books.push({
          ...{ file: path, written: null, backup: null },
          failure: sentence,
          proof,
          formulas: [],
        });
        io.tell(printableLine(sentence, 1_000));
        codes.push(code);
      }
    }
    if (values.json) io.print(JSON.stringify({ books }, undefined, 2));
    return worstOf(codes);
  },
};

interface RepairOptions {
  service?: string | undefined;
  "key-file"?: string | undefined;
  answers?: string | undefined;
  output?: string | undefined;
  "no-backup"?: boolean | undefined;
  "dry-run"?: boolean | undefined;
}

/** The kept answers of a key and a service, or a sentence that says why there are none. */
async function keptAnswers(
  namespace: string,
  values: RepairOptions,
  io: CommandIo,
): Promise<{ connected: Connected } | { reason: string }> {
  if (namespace !== addin.namespace.toUpperCase())
    return { reason: "Answers are kept of RegData's formulas alone." };
  const hasService = (values.service ?? io.env["REGDATA_SERVICE"]) !== undefined;
  if ((await givenKey(values, io)) === null || !hasService)
    return {
      reason: `Without ${hasService ? "a key" : "a service's address"} no kept answers can be used: answers belong to one key and service.`,
    };
  const refused: typeof fetch = () => Promise.reject(new Error("repair sends no request"));
  return { connected: await connect(values, { ...io, fetch: refused }) };
}

async function repairBook(
  given: string,
  namespace: string,
  connected: Connected | null,
  options: RepairOptions,
): Promise<RepairedBook> {
  // A link to a file stays one.
  const path = await realpath(given).catch(() => given);
  const read = await readBook(path);
  const isDry = options["dry-run"] === true;
  const mend = async (): Promise<RepairedBook> => {
    if (!isDry && options.output === undefined) await mustBeWritable(path);
    const file = openWorkbookFile(read.bytes);
    const stuck = stuckFormulas(file, namespace);
    const book: RepairedBook = {
      ...{ file: given, written: null, backup: null, failure: null, proof },
      formulas: [],
    };
    if (stuck.length === 0) return book;
    if (connected) await addKeptResults(file, stuck, namespace, connected);
    book.formulas = stuck.map(({ call, address, formula, kept = null }) => ({
      ...{ cell: address, formula: `=${formula}`, before: call.cachedValue, kept },
      isSheetProtected: call.isSheetProtected,
    }));
    if (isDry) return book;
    const isOurs = namespace === addin.namespace.toUpperCase();
    mendFormulas(file, stuck, { namespace, addinId: isOurs ? addin.id : null });
    const isInPlace = options.output === undefined;
    const backup = isInPlace && !options["no-backup"] ? backupPath(path) : undefined;
    const target = options.output ?? path;
    await writeBook(target, file.save(), { version: isInPlace ? read.version : undefined, backup });
    return { ...book, written: target, backup: backup ?? null };
  };
  return isDry ? mend() : withLock(path, mend);
}

function textOf(
  { file, written, backup, formulas }: RepairedBook,
  withoutKept: string | null,
  isDry: boolean,
): string {
  const lines = [printableLine(file)];
  if (formulas.length === 0) return `${lines[0]}\n  No formula is stuck; the file is as it was.`;
  const count =
    formulas.length === 1 ? "1 stuck formula" : `${formulas.length.toLocaleString("en-US")} stuck formulas`;
  lines.push(`  ${count} ${isDry ? "would be " : ""}mended (${proof}):`);
  for (const { cell, formula, before, kept, isSheetProtected } of formulas.slice(0, mostLines)) {
    const now = kept === null ? "calculated when Excel opens the file" : `${kept} (kept answer)`;
    const where = isSheetProtected ? `${cell} (protected sheet)` : cell;
    lines.push(`    ${printableLine(`${where} ${formula}: ${before ?? "blank"} → ${now}`, 400)}`);
  }
  if (formulas.length > mostLines)
    lines.push(`    and ${(formulas.length - mostLines).toLocaleString("en-US")} more`);
  if (withoutKept !== null) lines.push(`  ${withoutKept}`);
  if (written !== null)
    lines.push(
      `  Written to ${printableLine(written)}${backup === null ? "." : `; the old file is ${printableLine(backup)}.`}`,
    );
  return lines.join("\n");
}
