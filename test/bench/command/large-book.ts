import { addin } from "../../../command/addin";
import { connect } from "../../../command/command-connection";
import { bookWith } from "../../../command/imports/new-import";
import { openInNode } from "../../../command/workbook/excel-in-node";
import type { Ahj, DataPointType } from "../../../src/engine/api/schemas";
import type { Credentials } from "../../../src/engine/transport/exchange";
import { placeImport } from "../../../src/workbook/imports/run/place-import";
import { plainForm } from "../../../src/workbook/sheet/layout/table-plan";
import { newXlsx } from "../../../workbench/files/write-xlsx";
import { createDocument } from "../../../workbench/host/office-document";

/** A workbook's file with an import of each list of AHJs, each on a sheet of its own, as the pane would have inserted them. */
export async function bookOfImports(
  lists: readonly (readonly Ahj[])[],
  types: readonly DataPointType[],
  { baseUrl, key }: Credentials,
): Promise<Uint8Array> {
  const { app, session } = await connect(
    { service: baseUrl, answers: "none" },
    {
      ...{ env: { REGDATA_KEY: key }, fetch, isTerminal: false, answersFolder: "" },
      ...{ print() {}, printBytes() {}, tell() {}, askUnseen: async () => null },
      signal: new AbortController().signal,
    },
  );
  const blank = { contents: bookWith("Mine", []), document: createDocument().save() };
  const book = openInNode(blank, app);
  try {
    for (const [at, ahjs] of lists.entries()) {
      const name = `Import ${at + 1}`;
      const placed = await placeImport(
        { question: { kind: "matrix", ahjs, types }, form: plainForm, hasSources: false, sheetName: name },
        { kind: "new-sheet", name },
        { workbook: book.app.workbook, session },
        {},
      );
      if (placed.status === "failed") throw placed.failure;
      if (placed.notRemembered) throw placed.notRemembered;
    }
    return newXlsx(book.contents(), addin).save();
  } finally {
    book.close();
  }
}
