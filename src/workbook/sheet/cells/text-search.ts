import { holdsForm, withoutForms } from "../../../key-forms";
import { Failure } from "../../../errors";
import { halves } from "../layout/area";
import { readGroups } from "../read-groups";
import { type CellArea, rangeOf } from "./formula-search";

/** A place in the workbook that holds one of the texts. */
export interface FoundText {
  /** The index of the text among the texts that were searched for. */
  text: number;
  /** The place, such as `the name Fees`, with the texts masked; empty for a cell, which `cell` names. */
  what: string;
  cell: (CellArea & { sheetName: string }) | null;
}

export interface TextSearch {
  found: FoundText[];
  /** The number of cells that were searched. */
  cells: number;
  /** Sheets, names and XML parts that could not be searched, or not as a whole. */
  unsearched: string[];
}

export interface SearchOptions {
  signal?: AbortSignal | undefined;
  /** Called with the number of cells that have been searched so far. */
  onProgress?: ((cells: number) => void) | undefined;
  /** Texts that are about to be written, which are searched, too. `what` names their place. */
  planned?: readonly { what: string; contents: readonly unknown[] }[] | undefined;
}

/** The cells that are read at once, because a response of Excel on the web holds at most 5 MB. */
const readCells = 10_000;
/** A search of more cells takes longer than a user waits. */
const mostCells = 5_000_000;
/** A longer list of places helps nobody. */
const mostFound = 100;

/** The places that are never searched, for the sentence that tells the user so. */
export const notSearched =
  "notes, comments, document properties, text boxes, charts, headers and footers, the addresses of links, " +
  "data validation, conditional formats, queries and connections, macros, add-ins' settings";

/**
 * Searches the workbook for texts, one sheet after another: the sheets' names, formulas and values of cells, also of hidden sheets, then
 * defined names and custom XML parts. `texts` has the forms that each text may take, in lower case (`keyForms`). The search changes
 * nothing; it fails with `cancelled`.
 */
export async function searchTexts(
  context: Excel.RequestContext,
  texts: readonly (readonly string[])[],
  { signal, onProgress, planned = [] }: SearchOptions = {},
): Promise<TextSearch> {
  const search: TextSearch = { found: [], cells: 0, unsearched: [] };
  const stopIfCancelled = () => {
    if (signal?.aborted) throw new Failure("cancelled");
  };
  const all = texts.flat();
  const masked = (text: string) => withoutForms(text, all);

  function lookAt(contents: readonly unknown[], what: string, cell: FoundText["cell"] = null) {
    // Nearly every cell holds none of the texts, and this reads it once for all of them.
    if (!contents.some((each) => holdsForm(String(each), all))) return;
    texts.forEach((forms, text) => {
      if (search.found.length >= mostFound) return;
      if (contents.some((each) => holdsForm(String(each), forms))) {
        search.found.push({ text, what: masked(what), cell });
      }
    });
  }

  /** Lists a step that Excel refuses as unsearched, so that the search goes on with the next one. */
  async function attempt(what: string, step: () => Promise<void>) {
    try {
      await step();
    } catch (thrown) {
      if (signal?.aborted) throw thrown;
      search.unsearched.push(masked(what));
    }
  }

  const { worksheets, names, customXmlParts } = context.workbook;
  worksheets.load("items/id,items/name");
  stopIfCancelled();
  await context.sync();
  const sheets = worksheets.items;
  for (const sheet of sheets) {
    lookAt([sheet.name], `the name of the sheet ${sheet.name}`);
    await attempt(`some or all cells of ${sheet.name}`, () => searchSheet(sheet));
  }

  await attempt("the names in the Name Manager", async () => {
    const lists = [names, ...sheets.map((sheet) => sheet.names)];
    for (const list of lists) list.load("items/name,items/formula,items/comment");
    stopIfCancelled();
    await context.sync();
    for (const { name, formula, comment } of lists.flatMap(({ items }) => items)) {
      lookAt([name, formula, comment], `the name ${name}, under Formulas, Name Manager`);
    }
  });

  await attempt("hidden data", async () => {
    customXmlParts.load("items/id,items/namespaceUri");
    stopIfCancelled();
    await context.sync();
    for (const part of customXmlParts.items) await attempt(xmlPart(part), () => searchPart(part));
  });
  for (const { what, contents } of planned) lookAt(contents, what);
  return search;

  async function searchPart(part: Excel.CustomXmlPart): Promise<void> {
    const xml = part.getXml();
    stopIfCancelled();
    await context.sync();
    // eslint-disable-next-line office-addins/load-object-before-read -- a result of a method is not loaded
    lookAt([xml.value], xmlPart(part));
  }

  async function searchSheet(sheet: Excel.Worksheet): Promise<void> {
    const used = sheet.getUsedRangeOrNullObject(true);
    used.load("rowIndex,columnIndex,rowCount,columnCount");
    stopIfCancelled();
    await context.sync();
    if (used.isNullObject) return;
    const { rowIndex: row, columnIndex: column, rowCount: rows, columnCount: columns } = used;
    if (search.cells + rows * columns > mostCells) {
      search.unsearched.push(masked(`${sheet.name}, which has too many cells`));
    } else {
      await searchArea({ sheetId: sheet.id, row, column, rows, columns }, sheet.name);
    }
  }

  async function searchArea(area: CellArea, sheetName: string): Promise<void> {
    await readGroups(context, piecesOf(area), {
      queue: (piece) => queuePiece(piece, sheetName),
      halvesOf: (piece) => (piece.rows * piece.columns > 1 ? halves(piece) : [piece]),
      signal,
    });
  }

  function queuePiece(area: CellArea, sheetName: string): () => void {
    const range = rangeOf(context, area).load("formulas,values");
    return () => {
      range.formulas.forEach((formulas, down) =>
        formulas.forEach((formula: unknown, across) => {
          const value: unknown = range.values[down]?.[across];
          const [row, column] = [area.row + down, area.column + across];
          const cell = { sheetId: area.sheetId, sheetName, row, column, rows: 1, columns: 1 };
          lookAt(formula === value ? [value] : [formula, value], "", cell);
        }),
      );
      search.cells += area.rows * area.columns;
      onProgress?.(search.cells);
    };
  }
}

const piecesOf = (area: CellArea): CellArea[] =>
  area.rows * area.columns <= readCells ? [area] : halves(area).flatMap(piecesOf);

function xmlPart({ namespaceUri }: Excel.CustomXmlPart): string {
  return `the hidden data ${namespaceUri}, under File, Info, Inspect Document`;
}
