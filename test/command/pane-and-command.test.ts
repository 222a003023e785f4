import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { addin } from "../../command/addin";
import { createAnswerFolder } from "../../command/answers/answer-folder";
import { createSavedImportsControl } from "../../src/taskpane/refresh/saved-imports-control";
import { lineTexts, placedLines, reportedCells } from "../../src/workbook/imports/refresh/changes-sheet";
import { createImportTables } from "../../src/workbook/sheet/tables/table-changes";
import type { BookContents } from "../../workbench/book-contents";
import { readXlsx } from "../../workbench/files/read-xlsx";
import { createMemorySpreadsheet } from "../../workbench/memory/memory-spreadsheet";
import { openWorkbookFile } from "../../xlsx/workbook-file";
import { openExcel, type SavedFile } from "../excel/open-excel";
import { createPlayer, playFolder } from "./played-io";

type Changes = Record<string, string>[];

/** The cells of all sheets with their looks, which must be the same in both books. */
function cellsOf({ sheets }: BookContents) {
  return sheets.map(({ name, cells }) => ({
    name,
    cells: cells.map(({ row, column, value, formula, style }) => ({ row, column, value, formula, style })),
  }));
}

function opened(bytes: Uint8Array): SavedFile {
  const { contents, document } = readXlsx(openWorkbookFile(bytes), addin);
  const spreadsheet = createMemorySpreadsheet();
  spreadsheet.openContents(contents);
  return { spreadsheet: spreadsheet.save(), document };
}

/** Refreshes all imports as the pane does, a month later. */
async function byPane(bytes: Uint8Array, answers: string) {
  const folders: { rested(): Promise<void> }[] = [];
  const excel = openExcel({
    ...{ file: opened(bytes), month: "after", excelApi: "1.16", undo: "desktop" },
    openDisk(onFailure) {
      const folder = createAnswerFolder(answers, onFailure);
      folders.push(folder);
      return folder;
    },
  });
  try {
    const control = createSavedImportsControl(excel.app, await excel.app.session());
    const rested = new Promise<void>((resolve) => {
      const forget = control.subscribe(() => {
        if (control.getState().isRefreshing) return;
        forget();
        resolve();
      });
    });
    control.refreshPresent();
    await rested;
    const { list, refreshes } = control.getState();
    const tables = createImportTables(excel.app.workbook);
    const changes: Changes[] = [];
    for (const { saved } of list?.imports ?? []) {
      const refreshed = refreshes.get(saved.id);
      if (refreshed?.status !== "done") throw new Error(`${saved.name} was not refreshed`);
      const { report } = refreshed;
      const addresses = await tables.addresses(saved.tableId, report.read, reportedCells(report));
      changes.push(placedLines(report, addresses).map(lineTexts));
    }
    expect(excel.problems).toEqual([]);
    return { cells: cellsOf(excel.spreadsheet.contents()), changes };
  } finally {
    excel.close();
    for (const folder of folders) await folder.rested();
  }
}

it.each([
  ["matrix", "knows the last run", [] as string[]],
  ["matrix", "knows nothing of it", ["--citations", "--sources"]],
  ["matrix", "knows the last run", ["--long"]],
  ["collection", "knows nothing of it", [] as string[]],
])(
  "a %s refreshed by the pane and by the command gives the same cells and the same changes: a device that %s %j",
  async (command, device, form) => {
    const folder = await playFolder();
    const [book, kept] = [join(folder, "fees.xlsx"), join(folder, "answers")];
    const run = createPlayer(folder, { answersFolder: kept });
    const what = command === "matrix" ? ["--question", "1056", "1057", "1003", "1049"] : [];
    const words = [command, ...(command === "matrix" ? [] : ["Residential solar"]), "--where", "NV", "06001"];
    const made = await run([...words, ...what, ...form, "-o", book], { month: "before" });
    expect(made.code).toBe(10);
    // A user has typed over an answer and beside the table.
    const file = openWorkbookFile(await readFile(book));
    file.sheets[0]?.setCells([
      { row: 3, column: 6, value: "ask again" },
      { row: 300, column: 2, value: 7 },
    ]);
    await writeFile(book, file.save());
    const bytes = await readFile(book);
    const [ofPane, ofCommand] = [join(folder, "of the pane"), join(folder, "of the command")];
    if (device === "knows the last run")
      for (const answers of [ofPane, ofCommand]) await cp(kept, answers, { recursive: true });

    const pane = await byPane(bytes, ofPane);
    const ran = await run(["refresh", book, "--json"], { month: "after", answersFolder: ofCommand });
    expect(ran.code).toBe(10);
    const { books } = JSON.parse(ran.out) as { books: { imports: { changes: Changes }[] }[] };
    const changes = books[0]?.imports.map((each) => each.changes) ?? [];
    expect(changes.flat().length).toBeGreaterThan(10);
    expect(changes).toEqual(pane.changes);
    expect(cellsOf(readXlsx(openWorkbookFile(await readFile(book)), addin).contents)).toEqual(pane.cells);
  },
);
