import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newWorkbookFile, openWorkbookFile } from "../../../../xlsx/workbook-file";
import { bookOfFormats, bookOfSheets } from "../../../xlsx/large-files";
import { runRegdata } from "../../command/run-regdata";
import { finding } from "../../result";
import type { Scenario } from "../../scenario";
import { median, repeat, timed } from "../../timing";

const size = { sheets: 20, rows: 250, columns: 20 };
const large = { "1,024 sheets": bookOfSheets(1_024), "45,000 formats": bookOfFormats(45_000) };
const openings = 3;
const goalMs = 3_000;

/**
 * A file of 20 sheets with 100,000 cells, a third of them numbers: opened and all cells read; a cell changed on each sheet, and saved.
 * Workbooks of many sheets and of many formats are opened by a command that works in the played Excel and finds nothing to do.
 */
export const xlsxFile: Scenario = async ({ progress }) => {
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
  const goals = [];
  for (const [what, book] of Object.entries(large)) {
    progress(what);
    const ms = await openingMs(book);
    const told = `${what} opened in ${(ms / 1_000).toFixed(2)} s`;
    goals.push({ text: `${what} opened in ${goalMs / 1_000} s`, met: ms <= goalMs, miss: `${told}.`, told });
  }
  return finding(
    "xlsx-file",
    { size: size.sheets * size.rows * size.columns, ms: of("opened") + of("saved") },
    goals,
    [
      `opened and read in ${of("opened").toFixed(0)} ms, changed and saved in ${of("saved").toFixed(0)} ms`,
      ...goals.map(({ told }) => told),
    ],
  );
};

/** From the start of npm to its end. */
async function openingMs(bytes: Uint8Array): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "regdata-bench-"));
  try {
    const book = join(folder, "book.xlsx");
    await writeFile(book, bytes);
    const times: number[] = [];
    // The first one may build the command.
    for (let at = 0; at <= openings; at += 1) {
      const { code, said, ms } = await runRegdata(["freeze", book], null);
      if (code !== 0) throw new Error(`it ended with ${code}: ${said}`);
      times.push(ms);
    }
    return median(times.slice(1));
  } finally {
    await rm(folder, { recursive: true });
  }
}

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
