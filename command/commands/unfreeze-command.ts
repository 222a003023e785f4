import { config } from "../../src/config";
import { unfreezeFormulas, type SeenFormula, type Unfrozen } from "../../src/workbook/cell-formulas/freeze";
import type { FormulaCalls } from "../../src/workbook/cell-formulas/settle";
import { addressOf } from "../../src/workbook/sheet/layout/cell-address";
import { shownFormula } from "../../src/taskpane/ui/labels";
import { exitCodes } from "../command-failure";
import { connectIfGiven } from "../command-connection";
import { commonOptions, readOptions } from "../command-options";
import { printableLine } from "../output/printable";
import { counted } from "../output/counted";
import { createProgress } from "../output/progress";
import { editBook, editHelp, editOptions } from "../workbook/edit-book";
import type { BookInNode } from "../workbook/excel-in-node";
import { withKeptValues } from "../workbook/kept-values";
import type { Command } from "./command-shape";
import { forEachBook, leftLines, mustBeNamed, unchangedLine, writtenLines } from "./each-book";

const options = { ...commonOptions, ...editOptions, seen: { type: "boolean" } } as const;

export const unfreeze: Command = {
  summary: "Bring back the formulas that were frozen.",
  help: `npm run regdata -- unfreeze BOOK.xlsx [BOOK.xlsx …]

Brings back formulas that "freeze" or the add-in has replaced by their values, each only where all that it showed still stands. They
keep the values that stood there until Excel calculates them. Those that stay frozen are listed. It asks the service nothing.

  --seen             Bring back as well those that are listed to be looked at first: formulas that may do more than calculate, or whose
                     cells were moved.${editHelp}`,
  async run(words, io) {
    const { values, positionals: paths } = readOptions(words, options);
    mustBeNamed(paths, values.output, "to unfreeze");
    const { app } = await connectIfGiven({}, { ...io, env: {} });
    const blank = { written: null, backup: null };
    return forEachBook(paths, { ...values, blank }, io, async (path) => {
      const progress = createProgress(io, values.quiet === true || values.json === true);
      const { result, ...edited } = await editBook(path, app, values, io, async (book) => {
        const before = book.contents().contents;
        const onProgress = (done: number, total: number) => {
          progress.show(`${path}: unfreezing`, done, total);
          if (done >= total) progress.end();
        };
        const unfrozen = await unfreezeIn(book, { ...io, onProgress }, values.seen === true);
        const { contents, document } = book.contents();
        const changed = { contents: withKeptValues(contents, before, unfrozen.back), document };
        return { result: unfrozen, changed: unfrozen.back.length > 0 ? changed : null };
      });
      const { back, left, toBeSeen, toBeSeenLater } = result;
      const seen = toBeSeen.map((each) =>
        printableLine(`${addressOf(each)}: ${shownFormula(each.formula)}`, 500),
      );
      return {
        code: back.length > 0 ? exitCodes.changed : exitCodes.unchanged,
        json: { ...edited, back: back.length, left: leftLines(left), toBeSeen: seen },
        lines: [
          back.length + left.length + seen.length === 0
            ? "Nothing is frozen."
            : `${counted(back.length, "formula")} brought back.`,
          ...(left.length > 0 ? [`${counted(left.length, "formula")} still frozen:`] : []),
          ...leftLines(left).map((line) => `  ${line}`),
          ...(seen.length > 0
            ? [
                `${counted(seen.length + toBeSeenLater, "formula")} to look at first; --seen brings them back, too:`,
              ]
            : []),
          ...seen.map((line) => `  ${line}`),
          ...(edited.written === null ? [unchangedLine] : writtenLines(edited)),
        ],
      };
    });
  },
};

async function unfreezeIn(
  book: BookInNode,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number, total: number) => void },
  bringsSeen: boolean,
): Promise<Unfrozen> {
  const run = (seen: readonly SeenFormula[]) =>
    unfreezeFormulas("workbook", book.app.workbook, {
      signal,
      onProgress,
      namespace: config.namespace,
      seen,
      calls: withoutCalculation(),
    });
  let all = await run([]);
  while (bringsSeen && all.toBeSeen.length > 0) {
    const next = await run([...all.seen, ...all.toBeSeen]);
    all = { ...next, back: [...all.back, ...next.back] };
    if (next.back.length === 0) break;
  }
  return all;
}

/** Stands in for Excel's calculation: no formula is calculated, so there is nothing to wait for after the first look. */
function withoutCalculation(): FormulaCalls {
  let looks = 0;
  return {
    askAnew: (work) => work(),
    idle: async () => (looks++ === 0 ? 0 : Infinity),
  };
}
