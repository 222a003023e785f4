import { importName } from "../../src/workbook/imports/saved/import-name";
import type { ImportQuestion, RunOptions } from "../../src/workbook/imports/run/import-types";
import { placeImport } from "../../src/workbook/imports/run/place-import";
import type { TableForm } from "../../src/workbook/sheet/layout/table-plan";
import type { BookContents, CellContents, SheetContents } from "../../workbench/book-contents";
import { createDocument } from "../../workbench/host/office-document";
import { newXlsx } from "../../workbench/files/write-xlsx";
import { addin } from "../addin";
import type { Connected } from "../command-connection";
import { openInNode } from "../workbook/excel-in-node";
import type { Lacking } from "./import-report";

interface NewImport {
  question: ImportQuestion;
  form: TableForm;
  hasSources: boolean;
}

export interface NewBook extends Pick<Lacking, "report" | "longTexts"> {
  /** The name of the import and its sheet; null if the workbook remembers no import. */
  name: string | null;
  /** The workbook's file; null if the service sent nothing that a table could show. */
  bytes: Uint8Array | null;
}

/** Makes a new workbook with an import, which it remembers as one that the pane made. Fails with a Failure. */
export async function importIntoNewBook(
  { question, form, hasSources }: NewImport,
  { app, session }: Connected,
  options: Pick<RunOptions, "signal" | "onWait" | "onProgress">,
): Promise<NewBook> {
  const name = nameOf(question);
  const book = openInNode({ contents: bookWith(name, []), document: createDocument().save() }, app);
  try {
    const placed = await placeImport(
      { question, form, hasSources, sheetName: name },
      { kind: "cell", sheetId, row: 0, column: 0, mayOverwrite: null },
      { workbook: book.app.workbook, session },
      options,
    );
    if (placed.status === "failed") throw placed.failure;
    if (placed.notRemembered) throw placed.notRemembered;
    const { address, report, longTexts } = placed;
    const bytes = address === null ? null : newXlsx(book.contents(), addin).save();
    return { name, bytes, report, longTexts };
  } finally {
    book.close();
  }
}

/** The name of an import and of its sheet. */
export function nameOf(question: ImportQuestion): string {
  const { kind, ahjs } = question;
  return importName({
    ahjs,
    ...(kind === "matrix" ? { types: question.types } : { collection: question.collection }),
  });
}

const sheetId = "sheet-1";

/** A workbook with one sheet. */
export function bookWith(
  name: string,
  cells: CellContents[],
  frame: Pick<SheetContents, "columnWidths" | "frozen"> = {
    columnWidths: new Map(),
    frozen: { rows: 0, columns: 0 },
  },
): BookContents {
  return {
    sheets: [{ id: sheetId, name, isHidden: false, cells, merged: [], ...frame }],
    activeSheetId: sheetId,
    tables: [],
    names: [],
  };
}
