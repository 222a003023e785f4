import { finishInTurns } from "../../src/async/in-turns";
import { compareDated, type DatedComparison } from "../../src/workbook/dated-sheets/compare-dated";
import type { DatedAnswers } from "../../src/workbook/dated-sheets/dated-sheet";
import { listDatedSheets, readDatedSheet } from "../../src/workbook/dated-sheets/dated-sheets";
import { readPresentAnswers, type ShownAnswers } from "../../src/workbook/dated-sheets/present-answers";
import { createImportBook } from "../../src/workbook/imports/saved/import-book";
import { createImportTables } from "../../src/workbook/sheet/tables/table-changes";
import { readXlsx } from "../../workbench/files/read-xlsx";
import { openWorkbookFile } from "../../xlsx/workbook-file";
import { addin } from "../addin";
import type { Connected } from "../command-connection";
import { CommandFailure } from "../command-failure";
import { printableLine } from "../output/printable";
import { openInNode } from "../workbook/excel-in-node";
import { readBook } from "../workbook/safe-write";

/** The word for the workbook as it is, in place of a sheet's name. */
export const presentWord = "now";

/** The answers of one of the compared times, and what could not be read of them. */
export interface DatedSide {
  /** The name of the sheet, or "now". */
  name: string;
  answers: number;
  unreadRows: number;
  unread: ShownAnswers["unread"];
}

export interface DatedSheetsDifference {
  before: DatedSide;
  now: DatedSide;
  comparison: DatedComparison;
}

/**
 * Compares two dated sheets of a workbook file, or one with what its imports show now. No request is sent: citations of "now" are those in the
 * tables, and those that an earlier command has kept if there is a session. Fails with a CommandFailure "usage" or "file", a
 * WorkbookFileError or a Failure.
 */
export async function compareDatedSheets(
  path: string,
  names: { before: string; now: string },
  { app, session }: Pick<Connected, "app"> & { session: Connected["session"] | null },
  signal: AbortSignal,
): Promise<DatedSheetsDifference> {
  const file = openWorkbookFile((await readBook(path)).bytes, { dropSignature: true });
  const book = openInNode(readXlsx(file, addin), app);
  try {
    const { workbook } = book.app;
    const tables = createImportTables(workbook);
    const sheets = await listDatedSheets(tables);

    async function read(name: string): Promise<DatedAnswers & Pick<ShownAnswers, "unread">> {
      const isNamed = (sheet: { name: string }) => sheet.name.toLowerCase() === name.toLowerCase();
      const sheet = sheets.find(isNamed);
      if (sheet) return { ...(await readDatedSheet(sheet, tables)), unread: [] };
      if (name !== presentWord) throw noSuchSheet(name, sheets);
      const importBook = createImportBook(workbook);
      const { imports } = await importBook.list();
      const known = session && { ...session, service: session.credentials.baseUrl };
      const dependencies = { tables, book: importBook, known };
      const { answers, unread } = await readPresentAnswers(imports, dependencies, { signal });
      return { answers, unread, unreadRows: 0 };
    }

    const before = await read(names.before);
    const now = await read(names.now);
    const sideOf = (name: string, { answers, ...others }: typeof before): DatedSide => {
      return { name, answers: answers.length, ...others };
    };
    return {
      before: sideOf(names.before, before),
      now: sideOf(names.now, now),
      comparison: await finishInTurns(compareDated(before.answers, now.answers)),
    };
  } finally {
    book.close();
  }
}

function noSuchSheet(name: string, sheets: readonly { name: string }[]): CommandFailure {
  const there = sheets.map((sheet) => `"${printableLine(sheet.name, 40)}"`).join(", ");
  const others =
    sheets.length > 0
      ? `It has ${there}.`
      : 'It has none: "refresh --snapshot" and the pane write them, with columns AHJ ID, Question ID and Value.';
  return new CommandFailure(
    "usage",
    `"${printableLine(name, 60)}" is no dated sheet of the workbook. ${others}`,
  );
}
