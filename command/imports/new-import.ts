import { importName } from "../../src/workbook/imports/saved/import-name";
import type { ImportQuestion } from "../../src/workbook/imports/run/question";
import { placeImport } from "../../src/workbook/imports/run/place-import";
import type { ImportReport } from "../../src/workbook/imports/run/report";
import type { TableForm } from "../../src/workbook/sheet/layout/table-plan";
import { createDocument } from "../../workbench/host/office-document";
import { newXlsx } from "../../workbench/files/write-xlsx";
import { addin } from "../addin";
import type { CommandIo } from "../command-io";
import type { Connected } from "../command-connection";
import type { Progress } from "../output/progress";
import { openInNode } from "../workbook/excel-in-node";

export interface NewImport {
  question: ImportQuestion;
  form: TableForm;
  hasSources: boolean;
}

export interface ImportedBook {
  name: string;
  bytes: Uint8Array;
  report: ImportReport;
}

/** A new workbook with an import, which it remembers as one of the pane's. Fails with a Failure. */
export async function importIntoNewBook(
  { question, form, hasSources }: NewImport,
  { app, session }: Connected,
  { signal }: Pick<CommandIo, "signal">,
  progress: Progress,
): Promise<ImportedBook> {
  const name = importName({
    ahjs: question.ahjs,
    ...(question.kind === "matrix" ? { types: question.types } : { collection: question.collection }),
  });
  const book = openInNode({ contents: emptyBook(name), document: createDocument().save() }, app);
  try {
    const placed = await placeImport(
      { question, form, hasSources, sheetName: name },
      { kind: "cell", sheetId, row: 0, column: 0, mayOverwrite: null },
      { workbook: book.app.workbook, session },
      {
        signal,
        onProgress: ({ phase, done, total }) =>
          progress.show(phase === "fetching" ? "asking the service" : "writing", done, total),
      },
    );
    if (placed.status === "failed") throw placed.failure;
    if (placed.notRemembered) throw placed.notRemembered;
    return { name, bytes: newXlsx(book.contents(), addin).save(), report: placed.report };
  } finally {
    progress.end();
    book.close();
  }
}

const sheetId = "sheet-1";

function emptyBook(name: string) {
  const frame = { columnWidths: new Map<number, number>(), frozen: { rows: 0, columns: 0 } };
  return {
    sheets: [{ id: sheetId, name, isHidden: false, cells: [], merged: [], ...frame }],
    ...{ activeSheetId: sheetId, tables: [], names: [] },
  };
}
