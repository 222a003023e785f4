import { basename, extname } from "node:path";
import type { Left } from "../../src/workbook/cell-formulas/freeze";
import { addressOf } from "../../src/workbook/sheet/layout/cell-address";
import { CommandFailure, worstOf } from "../command-failure";
import type { CommandIo } from "../command-io";
import { failureOf } from "../failure-exit";
import { counted } from "../output/counted";
import { printableLine } from "../output/printable";
import type { Edited } from "../workbook/edit-book";

/** The result that a command prints for one workbook. */
interface BookOutcome {
  code: number;
  /** The workbook's properties in `--json`, besides its file and failure. */
  json: object;
  /** The lines that are printed below the file's name. */
  lines: string[];
}

/**
 * The reason why a file that a pattern such as `*.xlsx` named among others is left alone: it is Excel's lock file of an open workbook, or a
 * backup that a command has made. Null for any other file.
 */
function whyLeftAlone(file: string, isWritten: boolean): string | null {
  const name = basename(file);
  if (name.startsWith("~$")) return "marks a workbook that is open";
  if (isWritten && /\.backup-\d{4}-\d\d-\d\dT[\d-]+\.[^.]+$/.test(name))
    return "is a backup from before a change; to work on it, name it alone";
  return null;
}

/** The number of files left alone that are listed. `--json` lists all. */
const mostLeftAlone = 3;

/**
 * Does the work for one workbook after another, prints how each went, and returns the exit code. `blank` has the properties that `--json`
 * gives for a workbook that failed or was left alone. It includes `written` if the command writes workbooks.
 */
export async function forEachBook(
  paths: readonly string[],
  { json, quiet, blank }: { json?: boolean | undefined; quiet?: boolean | undefined; blank: object },
  io: CommandIo,
  work: (path: string) => Promise<BookOutcome>,
): Promise<number> {
  const codes: number[] = [];
  const books: object[] = [];
  const leftAloneLines: string[] = [];
  for (const file of paths) {
    if (io.signal.aborted) break;
    const leftAlone = paths.length > 1 ? whyLeftAlone(file, "written" in blank) : null;
    if (leftAlone !== null) {
      books.push({ file, failure: null, ...blank, leftAlone });
      leftAloneLines.push(`${basename(file)} ${leftAlone}`);
      continue;
    }
    try {
      const { code, json: properties, lines } = await work(file);
      codes.push(code);
      books.push({ file, failure: null, ...properties });
      if (!json && !quiet) io.print([printableLine(file), ...lines.map((line) => `  ${line}`)].join("\n"));
    } catch (thrown) {
      const { code, sentence } = failureOf(thrown);
      codes.push(code);
      books.push({ file, failure: sentence, ...blank });
      // A CommandFailure already names its file.
      const isNamed = thrown instanceof CommandFailure;
      io.tell(printableLine(isNamed ? sentence : `${file}: ${sentence}`, 1_000));
    }
  }
  if (json) io.print(JSON.stringify({ books }, undefined, 2));
  else if (leftAloneLines.length > 0 && !quiet) {
    const lines = listedLines(leftAloneLines, mostLeftAlone, (line) => printableLine(line));
    io.print(
      [`Left alone: ${counted(leftAloneLines.length, "file")}`, ...lines.map((line) => `  ${line}`)].join(
        "\n",
      ),
    );
  }
  return worstOf(codes);
}

/**
 * Fails with a CommandFailure "usage" if no workbook is named, if several are named for one output, or if the output's ending differs
 * from the workbook's, because Excel opens no file under a wrong ending. `aim` is the command's purpose, such as "to refresh".
 */
export function mustBeNamed(paths: readonly string[], output: string | undefined, aim: string): void {
  if (paths.length === 0) throw new CommandFailure("usage", `Name the workbook ${aim}.`);
  if (output !== undefined && paths.length > 1)
    throw new CommandFailure("usage", "-o goes with one workbook.");
  const ending = extname(paths[0] ?? "");
  if (output !== undefined && extname(output).toLowerCase() !== ending.toLowerCase())
    throw new CommandFailure(
      "usage",
      `"${printableLine(output, 80)}" must end with ${printableLine(ending)}, as the workbook does.`,
    );
}

export const unchangedLine = "The file is as it was.";

/** A line that says where the workbook was written; no line if it was not. */
export function writtenLines({ written, backup }: Pick<Edited<unknown>, "written" | "backup">): string[] {
  if (written === null) return [];
  const old = backup === null ? "." : `; the old file is ${printableLine(backup)}.`;
  return [`Written to ${printableLine(written)}${old}`];
}

/** A line for each of the first `most` items, and a line with the number of the others. */
export function listedLines<Item>(
  items: readonly Item[],
  most: number,
  lineOf: (item: Item) => string,
): string[] {
  const more = items.length - most;
  return [
    ...items.slice(0, most).map(lineOf),
    ...(more > 0 ? [`and ${more.toLocaleString("en-US")} more`] : []),
  ];
}

/** A line for each formula that was left as it is, such as `Fees!B7: shows #NAME?`. */
export function leftLines(left: readonly Left[]): string[] {
  return left.map((each) => printableLine(`${addressOf(each)}: ${each.reason}`, 300));
}
