import { basename, extname } from "node:path";
import type { Left } from "../../src/workbook/cell-formulas/freeze";
import { addressOf } from "../../src/workbook/sheet/layout/cell-address";
import { CommandFailure, worstOf } from "../command-failure";
import type { CommandIo } from "../command-io";
import { failureOf } from "../failure-exit";
import { counted } from "../output/counted";
import { printableLine } from "../output/printable";
import type { Edited } from "../workbook/edit-book";

/** What a command tells of one workbook. */
export interface BookOutcome {
  code: number;
  /** Of `--json`, beside the file and its failure. */
  json: object;
  /** Below the file's name. */
  lines: string[];
}

/**
 * Why a file is left alone that `*.xlsx` names among others: Excel's mark of an open workbook, which is none, and an older version that
 * a command has kept. Null of any other.
 */
function whyLeftAlone(file: string, isWritten: boolean): string | null {
  const name = basename(file);
  if (name.startsWith("~$")) return "marks a workbook that is open";
  if (isWritten && /\.backup-\d{4}-\d\d-\d\dT[\d-]+\.[^.]+$/.test(name))
    return "was kept before a change; named alone, it is worked on";
  return null;
}

/** Lines about such files; --json has all. */
const mostLeftAlone = 3;

/**
 * Does something with one workbook after the other, tells how each went, and gives the exit code. `blank`: what `--json` has of a
 * workbook that failed; of one that may be written, `written` too.
 */
export async function forEachBook(
  paths: readonly string[],
  { json, quiet }: { json?: boolean; quiet?: boolean },
  io: CommandIo,
  blank: object,
  work: (path: string) => Promise<BookOutcome>,
): Promise<number> {
  const codes: number[] = [];
  const books: object[] = [];
  const left: string[] = [];
  for (const file of paths) {
    if (io.signal.aborted) break;
    const leftAlone = paths.length > 1 ? whyLeftAlone(file, "written" in blank) : null;
    if (leftAlone !== null) {
      books.push({ file, failure: null, ...blank, leftAlone });
      left.push(`${basename(file)} ${leftAlone}`);
      continue;
    }
    try {
      const { code, json: told, lines } = await work(file);
      codes.push(code);
      books.push({ file, failure: null, ...told });
      if (!json && !quiet) io.print([printableLine(file), ...lines.map((line) => `  ${line}`)].join("\n"));
    } catch (thrown) {
      const { code, sentence } = failureOf(thrown);
      codes.push(code);
      books.push({ file, failure: sentence, ...blank });
      // Ours name the file that they are about.
      const isNamed = thrown instanceof CommandFailure;
      io.tell(printableLine(isNamed ? sentence : `${file}: ${sentence}`, 1_000));
    }
  }
  if (json) io.print(JSON.stringify({ books }, undefined, 2));
  else if (left.length > 0 && !quiet) {
    const lines = listedLines(left, mostLeftAlone, (line) => printableLine(line));
    io.print([`Left alone: ${counted(left.length, "file")}`, ...lines.map((line) => `  ${line}`)].join("\n"));
  }
  return worstOf(codes);
}

/**
 * Fails with a CommandFailure "usage" where no workbook is named, several for one output, or an output of another kind than the
 * workbook: Excel opens neither under the ending of the other. `aim`: such as "to refresh".
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

/** Where a workbook was written; none where it was not. */
export function writtenLines({ written, backup }: Pick<Edited<unknown>, "written" | "backup">): string[] {
  if (written === null) return [];
  const old = backup === null ? "." : `; the old file is ${printableLine(backup)}.`;
  return [`Written to ${printableLine(written)}${old}`];
}

/** A line for each of the first items, and how many more there are. */
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

/** Such as `Fees!B7: shows #NAME?`. */
export function leftLines(left: readonly Left[]): string[] {
  return left.map((each) => printableLine(`${addressOf(each)}: ${each.reason}`, 300));
}
