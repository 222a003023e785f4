import { readXlsx } from "../../../workbench/files/read-xlsx";
import { newXlsx } from "../../../workbench/files/write-xlsx";
import type { CellContents, SheetContents } from "../../../workbench/book-contents";
import { contains, formatAddress } from "../../../workbench/address";
import { openWorkbookFile } from "../../../xlsx/workbook-file";
import { addin } from "../../../command/addin";
import { parseImportXml, type SavedImport } from "../../../src/workbook/imports/saved/saved-import";
import { peopleIn } from "../../people/people";
import type { Clock } from "../clock";
import { createRandom } from "../random";
import { oursIn } from "../moving/two-worlds";
import { openWorkbook, settle } from "../moving/workbook";

/** A saved workbook with three imports, lists and formulas, in which people have worked since. */
export async function inventBook(
  clock: Clock,
  seed: number,
): Promise<{ bytes: Uint8Array; story: string[] }> {
  const random = createRandom(seed);
  const excel = await openWorkbook(clock, seed, { excelApi: "1.17", onRequest() {} });
  const { spreadsheet, document } = excel;
  const people = peopleIn(spreadsheet, random, {
    spots: () => spreadsheet.tables().map(({ sheetId, rect }) => ({ sheetId, rect })),
  });
  const story = Array.from({ length: random.whole(1, 12) }, () => people.act());
  await settle(clock, spreadsheet.idle());
  const opened = { contents: spreadsheet.contents(), document: document.save() };
  excel.close();
  return { bytes: newXlsx(opened, addin).save(), story };
}

interface Book {
  sheets: SheetContents[];
  imports: {
    saved: SavedImport;
    sheetId: string;
    rect: { row: number; column: number; rows: number; columns: number };
  }[];
}

function opened(bytes: Uint8Array): Book {
  const { contents, document } = readXlsx(openWorkbookFile(bytes), addin);
  const imports = document.customXmlParts.flatMap(([, xml]) => {
    const saved = parseImportXml(xml);
    const table = saved && contents.tables.find(({ id }) => id === saved.tableId);
    return saved && table ? [{ saved, sheetId: table.sheetId, rect: table.rect }] : [];
  });
  return { sheets: contents.sheets, imports };
}

/** The number of imports that a file remembers and whose tables are in it. */
export const importsIn = (bytes: Uint8Array) => opened(bytes).imports.length;

/**
 * Describes the first mistake in a refreshed file; null if there is none. A cell that holds no answer must be unchanged, and each earlier
 * answer must be the service's present one, for the same jurisdiction and question. Cells below an import's table must have moved down by
 * as many rows as the table has got.
 */
export function lieOfRefresh(before: Uint8Array, after: Uint8Array): string | null {
  const [was, is] = [opened(before), opened(after)];
  if (was.sheets.map(({ name }) => name).join() !== is.sheets.map(({ name }) => name).join())
    return "there are other sheets";
  for (const sheet of was.sheets) {
    const now = cellsOf(is.sheets.find(({ name }) => name === sheet.name)?.cells ?? []);
    const ownImports = is.imports.filter(({ sheetId }) => sheetId === sheet.id);
    const placeAfter = placesAfter(was, is, sheet.id);
    const places = new Set(sheet.cells.map((cell) => placeOf(placeAfter(cell))));
    for (const cell of sheet.cells) {
      const at = formatAddress(sheet.name, { ...cell, rows: 1, columns: 1 });
      const found = now.get(placeOf(placeAfter(cell)));
      const ours = oursIn(cell.value);
      const own = ownImports.find(({ rect }) => contains(rect, cell.row, cell.column));
      if (!own || !ours || cell.formula !== undefined || !isAnswerCell(was, sheet, cell)) {
        if (!isSame(cell, found) && !isOfService(found) && !isBlankAnswer(cell, found))
          return `${at} was ${told(cell)} and is ${told(found)}`;
        continue;
      }
      const shown = oursIn(found?.value);
      if (found && found.value !== "" && (!shown || shown.name !== ours.name))
        return `${at} was ${told(cell)} and is ${told(found)}`;
    }
    for (const cell of now.values()) {
      const own = ownImports.some(({ rect }) => contains(rect, cell.row, cell.column));
      if (!places.has(placeOf(cell)) && !own && cell.value !== "")
        return `${formatAddress(sheet.name, { ...cell, rows: 1, columns: 1 })} was blank and is ${told(cell)}`;
    }
  }
  return null;
}

/** Says where a cell of a sheet stands after the refresh: below a table that has got rows, as many rows further down. */
function placesAfter(was: Book, is: Book, sheetId: string) {
  const grown = was.imports.flatMap(({ saved, sheetId: at, rect }) => {
    const now = is.imports.find((each) => each.saved.tableId === saved.tableId);
    return at === sheetId && now ? [{ rect, rows: now.rect.rows - rect.rows }] : [];
  });
  return ({ row, column }: { row: number; column: number }) => {
    const above = grown.filter(
      ({ rect }) =>
        row >= rect.row + rect.rows && column >= rect.column && column < rect.column + rect.columns,
    );
    return { row: above.reduce((down, { rows }) => down + rows, row), column };
  };
}

/** True if the row and the column still say whose answer a cell holds. */
function isAnswerCell(book: Book, sheet: SheetContents, cell: CellContents): boolean {
  const own = book.imports.find(
    ({ sheetId, rect }) => sheetId === sheet.id && contains(rect, cell.row, cell.column),
  );
  const ours = oursIn(cell.value);
  if (!own || !ours) return false;
  const cells = cellsOf(sheet.cells);
  const header = cells.get(placeOf({ row: own.rect.row, column: cell.column }))?.value;
  const idHeader = own.saved.columns.find(
    ({ content }) => content.of === "ahj" && content.field === "id",
  )?.header;
  const idColumn = Array.from({ length: own.rect.columns }, (_, at) => own.rect.column + at).find(
    (column) => cells.get(placeOf({ row: own.rect.row, column }))?.value === idHeader,
  );
  const id =
    idColumn === undefined ? undefined : cells.get(placeOf({ row: cell.row, column: idColumn }))?.value;
  return own.saved.columns.some((column) => column.header === header) && id === ours.ahjId;
}

const placeOf = ({ row, column }: { row: number; column: number }) => `${row} ${column}`;
const cellsOf = (cells: readonly CellContents[]) => new Map(cells.map((cell) => [placeOf(cell), cell]));

function isSame(one: CellContents, other: CellContents | undefined): boolean {
  return (
    other !== undefined &&
    one.value === other.value &&
    one.formula === other.formula &&
    JSON.stringify(one.style) === JSON.stringify(other.style)
  );
}
const isOfService = (cell: CellContents | undefined) => oursIn(cell?.value)?.isNew === true;
const isBlankAnswer = (before: CellContents, after: CellContents | undefined) =>
  oursIn(before.value) !== undefined && (after === undefined || after.value === "");
const told = (cell: CellContents | undefined) => (cell ? `“${cell.formula ?? cell.value}”` : "gone");
