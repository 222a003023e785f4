import type { ResultContent } from "../../src/functions/answer-plan";
import type { Call } from "../../src/functions/call";
import { ahj } from "../../src/functions/lists-and-collections";
import { value } from "../../src/functions/value-and-citation";
import { placeTemplate } from "../../src/workbook/templates/place-template";
import type { PlannedCall, PlannedSheet } from "../../src/workbook/templates/sheet-draft";
import { newXlsx } from "../../workbench/files/write-xlsx";
import { createDocument } from "../../workbench/host/office-document";
import type { CellValue } from "../../workbench/spreadsheet";
import { addin } from "../addin";
import { rowsWithoutExcel, shownInFile } from "../answers/call-without-excel";
import type { Connected } from "../command-connection";
import { bookWith } from "../imports/new-import";
import { openInNode } from "../workbook/excel-in-node";

/**
 * Makes a workbook with a template's sheet, by the same code as the pane. The formulas hold the values that Excel would calculate, so that
 * programs that don't calculate show them. Fails with a Failure.
 */
export async function templateBook(
  plan: PlannedSheet,
  connected: Connected,
  { signal, onProgress }: { signal: AbortSignal; onProgress(done: number, total: number): void },
): Promise<Uint8Array> {
  const results = await resultsOf(
    plan,
    (planned) => rowsWithoutExcel(connected, signal, (call) => run(planned, call)),
    onProgress,
  );
  const contents = bookWith("Sheet1", []);
  const book = openInNode({ contents, document: createDocument().save() }, connected.app);
  try {
    await placeTemplate(book.app.workbook, plan);
    const { contents, document } = book.contents();
    const filled = {
      ...contents,
      sheets: contents.sheets.slice(1).map((sheet) => ({
        ...sheet,
        cells: sheet.cells.map((cell) => ({
          ...cell,
          value: results.get(`${cell.row} ${cell.column}`) ?? cell.value,
        })),
      })),
    };
    // No other command needs the engine, which would be half of what each of them loads.
    const { calculatedBook } = await import("../workbook/calculated-book");
    const calculated = await calculatedBook(filled, ({ row, column }) => !results.has(`${row} ${column}`));
    return newXlsx({ contents: calculated, document }, addin).save();
  } finally {
    book.close();
  }
}

/** The results of the formulas that call the add-in's functions, by row and column. */
async function resultsOf(
  { cells }: PlannedSheet,
  rowsOf: (planned: PlannedCall) => Promise<ResultContent[][]>,
  onProgress: (done: number, total: number) => void,
): Promise<Map<string, CellValue>> {
  const calls = cells.flatMap(({ row, column, content }) =>
    typeof content === "object" && "call" in content && content.call
      ? [{ place: `${row} ${column}`, planned: content.call }]
      : [],
  );
  const results = new Map<string, CellValue>();
  // All formulas are called at once, as Excel does, so that their answers are requested together.
  await Promise.all(
    calls.map(async ({ place, planned }) => {
      const [[outcome] = []] = await rowsOf(planned);
      results.set(place, shownInFile(outcome ?? ""));
      onProgress(results.size, calls.length);
    }),
  );
  return results;
}

function run(planned: PlannedCall, call: Call) {
  const { geoid, field } = planned;
  if (planned.name === "AHJ") return ahj({ geoid, field });
  const { typeId, ifMissing } = planned;
  return value(call, { geoid, typeId, field, ifMissing });
}
