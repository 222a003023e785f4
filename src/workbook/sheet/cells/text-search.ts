import { Failure } from "../../../errors";
import { halves } from "../layout/area";
import { comments } from "../excel-api";
import { type CellArea, rangeOf } from "./formula-search";

/** A place in the workbook that holds one of the texts. */
export interface FoundText {
  /** The text, by its place among those that were searched. */
  text: number;
  /** Such as `a comment on` or `the name Fees`; empty for a cell itself. The texts are masked in it. */
  what: string;
  /** Null where no cell can be shown. */
  cell: (CellArea & { sheetName: string }) | null;
}

export interface TextSearch {
  found: FoundText[];
  /** Cells that were looked into. */
  cells: number;
  /** What could not be looked into, or not as a whole. */
  unsearched: string[];
}

export interface SearchOptions {
  hasExcelApi(version: string): boolean;
  /** See Workbook. */
  hasNotes: boolean;
  signal?: AbortSignal | undefined;
  /** With how many cells have been looked into. */
  onProgress?: ((cells: number) => void) | undefined;
}

/** Cells read at once: an answer has 5 MB at most on the web. */
const readCells = 10_000;
/** More takes longer than anybody waits. */
const mostCells = 5_000_000;
/** Pieces that Excel refuses, for their size or whatever else, before a sheet is given up. */
const mostRefusals = 40;
/** Of more places nobody wants to hear. */
const mostFound = 100;
/** XML parts read at once. */
const partsAtOnce = 20;

/** What is not looked into. */
export const notSearched =
  "text boxes, charts, headers and footers, the addresses of links, data validation, conditional formats, queries and connections, macros, other add-ins' settings";

/**
 * Looks for texts in what the workbook carries: cells, whatever they show, of hidden sheets too, formulas, names, notes,
 * comments, XML parts, properties, settings; not in `notSearched`. Nothing is changed. `texts` are the forms
 * in which each may stand. Fails with cancelled.
 */
export async function searchTexts(
  context: Excel.RequestContext,
  texts: readonly (readonly string[])[],
  { hasExcelApi, hasNotes, signal, onProgress }: SearchOptions,
): Promise<TextSearch> {
  const search: TextSearch = { found: [], cells: 0, unsearched: [] };
  const sync = async () => {
    if (signal?.aborted) throw new Failure("cancelled");
    await context.sync();
  };
  const masked = (text: string) => texts.flat().reduce((rest, form) => rest.replaceAll(form, "••••"), text);
  function lookAt(contents: readonly unknown[], what: string, cell: FoundText["cell"] = null) {
    texts.forEach((forms, text) => {
      if (search.found.length >= mostFound) return;
      if (contents.some((each) => forms.some((form) => String(each).includes(form)))) {
        search.found.push({ text, what: masked(what), cell });
      }
    });
  }
  /** Whatever Excel refuses is told of, and the rest goes on. */
  async function part(what: string, work: () => Promise<void>) {
    try {
      await work();
    } catch (thrown) {
      if (signal?.aborted) throw thrown;
      search.unsearched.push(masked(what));
    }
  }

  const { workbook } = context;
  const worksheets = workbook.worksheets.load("items/id,items/name");
  await sync();
  const sheets = worksheets.items;
  for (const sheet of sheets) lookAt([sheet.name], `the name of the sheet ${sheet.name}`);
  for (const sheet of sheets) await part(`cells of ${sheet.name}`, () => searchCells(sheet));

  await part("names", async () => {
    const lists = [workbook.names, ...sheets.map(({ names }) => names)];
    for (const list of lists) list.load("items/name,items/formula,items/comment");
    await sync();
    for (const { name, formula, comment } of lists.flatMap(({ items }) => items)) {
      lookAt([name, formula, comment], `the name ${name}, under Formulas, Name Manager`);
    }
  });

  if (!hasNotes) search.unsearched.push("notes");
  else {
    await part("notes", async () => {
      const lists = sheets.map((sheet) => ({ sheet, notes: sheet.notes.load("items/content") }));
      await sync();
      for (const { sheet, notes } of lists) {
        await lookAtPlaced(notes.items, sheet, (note) => [note.content], "a note on");
      }
    });
  }

  if (!hasExcelApi(comments)) search.unsearched.push("comments");
  else {
    await part("comments", async () => {
      const list = workbook.comments.load("items/content");
      await sync();
      const replies = list.items.map((comment) => comment.replies.load("items/content"));
      await sync();
      const threads = list.items.map((comment, index) => ({
        getLocation: () => comment.getLocation(),
        contents: [comment.content, ...(replies[index]?.items ?? []).map(({ content }) => content)],
      }));
      await lookAtPlaced(threads, null, ({ contents }) => contents, "a comment on");
    });
  }

  await part("XML parts", async () => {
    const list = workbook.customXmlParts.load("items/id,items/namespaceUri");
    await sync();
    for (let start = 0; start < list.items.length; start += partsAtOnce) {
      const group = list.items.slice(start, start + partsAtOnce);
      // Together they may be larger than an answer may be; only then one by one.
      await readXml(group).catch(async (thrown: unknown) => {
        if (signal?.aborted) throw thrown;
        for (const one of group) await part(`the XML part ${one.namespaceUri}`, () => readXml([one]));
      });
    }
  });

  await part("the document's properties", async () => {
    const { properties } = workbook;
    const names = [
      "title",
      "subject",
      "author",
      "keywords",
      "comments",
      "category",
      "manager",
      "company",
    ] as const;
    properties.load(names.join());
    properties.custom.load("items/key,items/value");
    await sync();
    for (const name of names) lookAt([properties[name]], `the document's property ${name}`);
    for (const { key, value } of properties.custom.items) {
      lookAt([key, value], `the document's property ${key}`);
    }
  });

  await part("the add-in's settings", async () => {
    const settings = workbook.settings.load("items/key,items/value");
    await sync();
    for (const { key, value } of settings.items) {
      lookAt([key, JSON.stringify(value)], `the add-in's setting ${key}`);
    }
  });
  return search;

  async function readXml(parts: readonly Excel.CustomXmlPart[]): Promise<void> {
    const read = parts.map((one) => ({ one, xml: one.getXml() }));
    await sync();
    for (const { one, xml } of read) lookAt([xml.value], `the XML part ${one.namespaceUri}`);
  }

  /** Where notes and comments are is asked only of those that hold a text. */
  async function lookAtPlaced<Item extends Pick<Excel.Note | Excel.Comment, "getLocation">>(
    items: readonly Item[],
    sheet: Excel.Worksheet | null,
    textsOf: (item: Item) => string[],
    what: string,
  ): Promise<void> {
    for (const item of items) {
      const before = search.found.length;
      lookAt(textsOf(item), what);
      const found = search.found.slice(before);
      if (found.length === 0) continue;
      const range = item.getLocation().load("rowIndex,columnIndex");
      const on = sheet ?? range.worksheet.load("id,name");
      await sync();
      const place = { row: range.rowIndex, column: range.columnIndex, rows: 1, columns: 1 };
      for (const each of found) each.cell = { ...place, sheetId: on.id, sheetName: on.name };
    }
  }

  /** In pieces; what is empty between far apart cells is not read. */
  async function searchCells({ id: sheetId, name: sheetName }: Excel.Worksheet): Promise<void> {
    const areas: CellArea[] = [];
    const takeUsed = async (ranges: Excel.Range[]) => {
      for (const range of ranges) range.load("rowIndex,columnIndex,rowCount,columnCount");
      await sync();
      for (const { isNullObject, rowIndex: row, columnIndex: column, rowCount, columnCount } of ranges) {
        if (!isNullObject) areas.push({ sheetId, row, column, rows: rowCount, columns: columnCount });
      }
    };
    await takeUsed([workbook.worksheets.getItem(sheetId).getUsedRangeOrNullObject(true)]);
    let refusals = 0;
    for (let area = areas.pop(); area; area = areas.pop()) {
      if (search.cells > mostCells || refusals > mostRefusals) {
        search.unsearched.push(`the rest of ${masked(sheetName)}`);
        return;
      }
      if (area.rows * area.columns > readCells) {
        await takeUsed(halves(area).map((half) => rangeOf(context, half).getUsedRangeOrNullObject(true)));
        continue;
      }
      try {
        await lookAtCells(area, sheetName);
      } catch (thrown) {
        if (signal?.aborted) throw thrown;
        refusals += 1;
        // Long texts may make an answer too large.
        if (area.rows * area.columns > 1) areas.push(...halves(area));
        else search.unsearched.push(`a cell of ${masked(sheetName)}`);
      }
    }
  }

  async function lookAtCells(area: CellArea, sheetName: string): Promise<void> {
    const range = rangeOf(context, area).load("formulas,values");
    await sync();
    range.formulas.forEach((formulas, down) =>
      formulas.forEach((formula: unknown, across) => {
        const value: unknown = range.values[down]?.[across];
        if (formula === "" && value === "") return;
        const { sheetId, row, column } = area;
        const place = { sheetId, sheetName, row: row + down, column: column + across, rows: 1, columns: 1 };
        lookAt(formula === value ? [value] : [formula, value], "", place);
      }),
    );
    search.cells += area.rows * area.columns;
    onProgress?.(search.cells);
  }
}
