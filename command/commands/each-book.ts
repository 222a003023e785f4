import type { Left } from "../../src/workbook/cell-formulas/freeze";
import { addressOf } from "../../src/workbook/sheet/layout/cell-address";
import { CommandFailure, worstOf } from "../command-failure";
import type { CommandIo } from "../command-io";
import { failureOf } from "../failure-exit";
import { printableLine } from "../output/printable";
import type { Edited } from "../workbook/edit-book";

/** What a command tells of one workbook. */
export interface BookOutcome extends Omit<Edited<unknown>, "result"> {
  code: number;
  json: object;
  lines: string[];
}

/** Does something with one workbook after the other, tells how each went, and gives the exit code. */
export async function forEachBook(
  paths: readonly string[],
  { output, json, quiet }: { output?: string | undefined; json?: boolean; quiet?: boolean },
  io: CommandIo,
  work: (path: string) => Promise<BookOutcome>,
): Promise<number> {
  if (paths.length === 0) throw new CommandFailure("usage", "Name the workbook.");
  if (output !== undefined && paths.length > 1)
    throw new CommandFailure("usage", "-o goes with one workbook.");
  const codes: number[] = [];
  const books: object[] = [];
  for (const file of paths) {
    if (io.signal.aborted) break;
    try {
      const { code, json: told, lines, written, backup } = await work(file);
      codes.push(code);
      books.push({ file, written, backup, failure: null, ...told });
      if (!json && !quiet)
        io.print(
          [printableLine(file), ...lines.map((line) => `  ${line}`), ...end(written, backup)].join("\n"),
        );
    } catch (thrown) {
      const { code, sentence } = failureOf(thrown);
      codes.push(code);
      books.push({ file, written: null, backup: null, failure: sentence });
      io.tell(printableLine(`${file}: ${sentence}`, 1_000));
    }
  }
  if (json) io.print(JSON.stringify({ books }, undefined, 2));
  return worstOf(codes);
}

function end(written: string | null, backup: string | null): string[] {
  if (written === null) return ["  The file is as it was."];
  const old = backup === null ? "." : `; the old file is ${printableLine(backup)}.`;
  return [`  Written to ${printableLine(written)}${old}`];
}

/** Such as `Fees!B7: shows #NAME?`. */
export function leftLines(left: readonly Left[]): string[] {
  return left.map((each) => printableLine(`${addressOf(each)}: ${each.reason}`, 300));
}
