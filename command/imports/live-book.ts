import { Failure } from "../../src/errors";
import type { ResultContent } from "../../src/functions/answer-plan";
import { collection } from "../../src/functions/collection";
import { matrix } from "../../src/functions/matrix";
import type { ImportQuestion, RunOptions } from "../../src/workbook/imports/run/import-types";
import { readImport } from "../../src/workbook/imports/run/run-import";
import { nameInFormulas } from "../../src/workbook/formula-text/jurisdiction-name";
import { columnWidth } from "../../src/workbook/sheet/layout/table-look";
import type { TableForm } from "../../src/workbook/sheet/layout/table-plan";
import { type CellContents, plainStyle } from "../../workbench/book-contents";
import { newXlsx } from "../../workbench/files/write-xlsx";
import { createDocument } from "../../workbench/host/office-document";
import type { CellValue } from "../../workbench/spreadsheet";
import { rowsWithoutExcel, shownInFile } from "../answers/call-without-excel";
import { addin } from "../addin";
import type { Connected } from "../command-connection";
import { bookWith, nameOf, type NewBook } from "./new-import";

/** Excel's own limit on a formula's length (Microsoft, "Excel specifications and limits"). */
const mostFormulaCharacters = 8_192;

/**
 * A new workbook with geoIDs in its first column, and beside them one formula that already holds the current answers. The values come from
 * the add-in's own function. Fails with a Failure.
 */
export async function liveBook(
  question: ImportQuestion,
  { layout }: TableForm,
  connected: Connected,
  options: Pick<RunOptions, "signal" | "onWait" | "onProgress">,
): Promise<NewBook> {
  const { session } = connected;
  const { lookup } = session;
  const hold = lookup.answers.hold();
  try {
    // A formula waits only a minute for its answers, so an import, which waits as long as needed, fetches them first.
    const { answers, report } = await readImport(question, session, { ...options, hold });
    const { ahjs } = answers;
    if (ahjs.length === 0) return { name: null, bytes: null, report };
    const names = ahjs.map(nameInFormulas(ahjs, lookup.directory));
    const rows = names.map((name) => [name]);
    const list = `A2:A${names.length + 1}`;
    const { namespace } = addin;
    let outcomes: ResultContent[][];
    let formula: string;
    if (question.kind === "matrix") {
      const ids = question.types.map(({ id }) => id);
      formula = `=${namespace}.MATRIX(${list},{${ids.join(",")}})`;
      outcomes = await rowsWithoutExcel(connected, options.signal, (call) =>
        matrix(call, { geoids: rows, typeIds: [ids], headers: null, field: null }),
      );
    } else {
      const { id } = question.collection;
      const asked = `"${id.replaceAll('"', '""')}",${list}`;
      formula = `=${namespace}.COLLECTION(${asked}${layout === "long" ? ',"long"' : ""})`;
      outcomes = await rowsWithoutExcel(connected, options.signal, (call) =>
        collection(call, { collection: id, geoids: rows, layout, headers: null }),
      );
    }
    if (formula.length > mostFormulaCharacters) throw new Failure("too-large");
    const spill = outcomes.map((row) => row.map(shownInFile));
    const contents = bookWith(nameOf(question), cellsWith(names, formula, spill), {
      columnWidths: widthsOf(names, spill),
      // Keeps the header, the geoIDs and the jurisdictions' names in view.
      frozen: { rows: 1, columns: 2 },
    });
    return {
      name: null,
      bytes: newXlsx({ contents, document: createDocument().save() }, addin).save(),
      report,
    };
  } finally {
    hold.release();
  }
}

/** Excel shows 72 points an inch as 96 pixels. */
const pixelsPerPoint = 96 / 72;

/** The widths of the columns in pixels, from the longest text among the first 500 of each. */
function widthsOf(names: readonly string[], spill: CellValue[][]): Map<number, number> {
  const lengths = [Math.max("geoID".length, ...names.slice(0, 500).map(({ length }) => length))];
  for (const row of spill.slice(0, 500))
    for (const [at, value] of row.entries())
      lengths[at + 1] = Math.max(lengths[at + 1] ?? 0, String(value).length);
  return new Map(lengths.map((length, column) => [column, Math.round(columnWidth(length) * pixelsPerPoint)]));
}

function cellsWith(names: readonly string[], formula: string, spill: CellValue[][]): CellContents[] {
  const header = { ...plainStyle, bold: true };
  const text = { ...plainStyle, numberFormat: "@" };
  return [
    { row: 0, column: 0, value: "geoID", style: header },
    { row: 0, column: 1, value: spill[0]?.[0] ?? "", formula, spill, style: header },
    ...(spill[0] ?? []).slice(1).map((_, index) => ({ row: 0, column: 2 + index, value: "", style: header })),
    ...names.map((name, index) => ({ row: index + 1, column: 0, value: name, style: text })),
  ];
}
