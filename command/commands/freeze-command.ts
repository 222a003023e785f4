import { config } from "../../src/config";
import { freezeFormulas, type Left } from "../../src/workbook/cell-formulas/freeze";
import { lackingValue } from "../../src/workbook/cell-formulas/lacking-value";
import { exitCodes } from "../command-failure";
import type { CommandIo } from "../command-io";
import { connectIfGiven, connectionHelp } from "../command-connection";
import { commonOptions, readOptions, serviceOptions } from "../command-options";
import { counted } from "../output/counted";
import { createProgress } from "../output/progress";
import { editBook, editHelp, editOptions } from "../workbook/edit-book";
import type { Command } from "./command-shape";
import { forEachBook, leftLines, mustBeNamed, unchangedLine, writtenLines } from "./each-book";

const options = { ...commonOptions, ...serviceOptions, ...editOptions } as const;

export const freeze: Command = {
  summary: "Replace a workbook's RegData formulas by what they show; the workbook remembers them.",
  help: `npm run regdata -- freeze BOOK.xlsx [BOOK.xlsx …]

Replaces the formulas by their values, as the add-in's "Freeze" does, so that the workbook can go to whoever has no add-in. It keeps
the formulas: "unfreeze", or the add-in, brings them back. Formulas that can't be frozen stay, and are listed.

It asks the service nothing and needs no key. With a key it knows from kept answers where no value is recorded, and freezes these
cells, too.
${editHelp}${connectionHelp}`,
  async run(words, io) {
    const { values, positionals: paths } = readOptions(words, options);
    mustBeNamed(paths, values.output, "to freeze");
    const { app, session } = await connectIfGiven(values, io);
    const blank = { written: null, backup: null };
    return forEachBook(paths, { ...values, blank }, io, async (path) => {
      const { result, ...edited } = await editBook(path, app, values, io, async (book) => {
        const { workbook } = book.app;
        const { signal } = io;
        const { namespace } = config;
        const cells = await workbook.findFormulas("workbook", { namespace, canSeeSpills: true, signal });
        const locked = new Set(book.contents().document.protectedSheets);
        const open = cells.filter(({ sheetId }) => !locked.has(sheetId));
        const lookup = session?.lookup;
        const frozen = await freezeFormulas(open, workbook, {
          signal,
          canSeeDataTypes: true,
          ...progressOf(path, values, io),
          lackingValue: lookup && ((some) => lackingValue(some, { workbook, lookup, namespace, signal })),
        });
        const left: Left[] = [
          ...frozen.left,
          ...cells
            .filter(({ sheetId }) => locked.has(sheetId))
            .map((cell) => ({ ...cell, reason: "its sheet is protected" })),
        ];
        return {
          result: { ...frozen, left },
          changed: frozen.formulas.length > 0 ? book.contents() : null,
        };
      });
      const { formulas, left, withoutValue } = result;
      return {
        code: formulas.length > 0 ? exitCodes.changed : exitCodes.unchanged,
        json: { ...edited, frozen: formulas.length, withoutValue, left: leftLines(left) },
        lines: [
          formulas.length + left.length === 0
            ? "No RegData formulas."
            : `${counted(formulas.length, "formula")} frozen.`,
          ...(withoutValue > 0
            ? [`No value recorded for ${counted(withoutValue, "cell")}: #N/A stays.`]
            : []),
          ...(left.length > 0 ? [`${counted(left.length, "formula")} not frozen:`] : []),
          ...leftLines(left).map((line) => `  ${line}`),
          ...(edited.written === null ? [unchangedLine] : writtenLines(edited)),
        ],
      };
    });
  },
};

function progressOf(path: string, { quiet, json }: { quiet?: boolean; json?: boolean }, io: CommandIo) {
  const progress = createProgress(io, quiet === true || json === true);
  return {
    onProgress(done: number, total: number) {
      progress.show(`${path}: freezing`, done, total);
      if (done >= total) progress.end();
    },
  };
}
