import { newWorkbookFile, openWorkbookFile } from "../../../../xlsx/workbook-file";
import { finding } from "../../result";
import type { Scenario } from "../../scenario";
import { median, repeat, timed } from "../../timing";

const size = { sheets: 20, rows: 250, columns: 20 };

/**
 * A file of 20 sheets with 100,000 cells, a third of them numbers: opened and all cells read; a cell changed on each sheet, and saved.
 */
export const xlsxFile: Scenario = async () => {
  const bytes = madeFile();
  const { steady: rounds } = await repeat(async () => {
    const opened = await timed(async () => {
      const file = openWorkbookFile(bytes);
      let cells = 0;
      for (const sheet of file.sheets) for (const _ of sheet.cells()) cells += 1;
      return { file, cells };
    });
    const { file, cells } = opened.result;
    if (cells !== size.sheets * size.rows * size.columns) throw new Error(`${cells} cells were read`);
    const saved = await timed(async () => {
      for (const sheet of file.sheets) sheet.setCells([{ row: 0, column: 0, value: "changed" }]);
      return file.save();
    });
    return { opened, saved };
  });
  const of = (part: keyof (typeof rounds)[0]) => median(rounds.map((round) => round[part].ms));
  return finding(
    "xlsx-file",
    { size: size.sheets * size.rows * size.columns, ms: of("opened") + of("saved") },
    [],
    [`opened and read in ${of("opened").toFixed(0)} ms, changed and saved in ${of("saved").toFixed(0)} ms`],
  );
};

function madeFile(): Uint8Array {
  const file = newWorkbookFile(Array.from({ length: size.sheets }, (_, at) => `Sheet ${at + 1}`));
  for (const [at, sheet] of file.sheets.entries()) {
    sheet.setCells(
      Array.from({ length: size.rows * size.columns }, (_, cell) => {
        const [row, column] = [Math.floor(cell / size.columns), cell % size.columns];
        return { row, column, value: cell % 3 === 0 ? cell : `Place ${at} ${row}, question ${column}` };
      }),
    );
  }
  return file.save();
}
