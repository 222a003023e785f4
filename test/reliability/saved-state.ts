import type { PlayedExcel } from "../excel/open-excel";

interface SavedCell {
  content: unknown;
  numberFormat: string;
}
interface SavedBook {
  sheets: {
    id: string;
    name: string;
    isHidden: boolean;
    columnWidths: unknown;
    frozen: unknown;
    cells: [string, SavedCell][];
  }[];
  tables: { id: string; name: string; sheetId: string; rect: object; style: string }[];
  names: { name: string; isHidden?: boolean }[];
}

interface Comparison {
  /** The sheet that may change. */
  place?: string | undefined;
  /** True if the values of formulas do not count. */
  recalculates?: boolean | undefined;
  /** True if digests of cells do not count: if Excel refuses to keep them, a later refresh says that it cannot tell. */
  withoutDigests?: boolean | undefined;
}

export type BookState = ReturnType<typeof bookState>;

/** Everything that Excel would save, in a form that can be compared. */
export function bookState(
  { save }: Pick<PlayedExcel, "save">,
  { place, recalculates, withoutDigests }: Comparison = {},
) {
  const { spreadsheet, document } = save();
  const { sheets, tables, ...rest } = spreadsheet as SavedBook;
  const { protectedSheets: _, ...parts } = document as {
    protectedSheets: unknown;
    customXmlParts: [string, string][];
  };
  const kept = ([id, xml]: [string, string]): [string, string] => [
    id,
    withoutDigests ? xml.replace(/,"digests":.*(?=\}<\/import>)/s, "") : xml,
  ];
  return {
    ...rest,
    // Column widths and frozen panes are only looks, which Excel may refuse when the cells are written.
    sheets: sheets.map(({ cells, columnWidths: _, frozen: __, ...sheet }) => ({
      ...sheet,
      cells:
        sheet.name === place
          ? "any"
          : Object.fromEntries(
              cells
                .filter(isUsed)
                .map(([at, cell]) => [at, recalculates ? { ...cell, result: undefined } : cell] as const)
                .sort(byAddress),
            ),
    })),
    tables,
    document: { ...parts, customXmlParts: parts.customXmlParts.map(kept) },
  };
}

/** True if a cell counts. One that was written and cleared again equals one that was never used. */
function isUsed([, { content, numberFormat, ...others }]: SavedBook["sheets"][number]["cells"][number]) {
  const isPlain = Object.values(others).every(
    (value) => value === undefined || value === null || value === false,
  );
  return content !== "" || numberFormat !== "General" || !isPlain;
}

function byAddress([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** The state of the workbook without the parts that differ from run to run: ids and times. */
export function bookMeaning(excel: Pick<PlayedExcel, "save">, comparison: Comparison = {}) {
  const { sheets, tables, names, document, ...rest } = bookState(excel, comparison);
  const nameOf = new Map(sheets.map(({ id, name }) => [id, name]));
  const parts = document as object as { customXmlParts: [string, string][] };
  return {
    ...rest,
    sheets: sheets.map(({ id: _, cells, ...sheet }) => ({
      ...sheet,
      cells: typeof cells === "string" ? cells : withoutTimes(cells),
    })),
    tables: tables.map(({ id: _, sheetId, name, ...table }) => ({
      ...table,
      // The number in a table's name depends on the other tables.
      name: name.replace(/^Table\d+$/, "Table"),
      sheet: nameOf.get(sheetId),
    })),
    names: names.map((defined) => ({ ...defined, name: withoutIds(defined.name) })),
    parts: parts.customXmlParts.map(([, xml]) => withoutIds(xml)).sort(),
  };
}

function withoutTimes(cells: Record<string, SavedCell>) {
  return Object.fromEntries(
    Object.entries(cells).map(([place, cell]) => [
      place,
      /h:?m/.test(cell.numberFormat) ? { ...cell, content: "a time" } : cell,
    ]),
  );
}

function withoutIds(xml: string): string {
  return (
    xml
      .replaceAll(/\{?[\dA-Fa-f]{8}([-_][\dA-Fa-f]{4}){3}[-_][\dA-Fa-f]{12}\}?/g, "id")
      .replaceAll(/("|&quot;)(tableId|sheetId)\1:\1[\w-]+\1/g, "$2")
      .replaceAll(/("|&quot;)(atMs|asOfMs)\1:\d+/g, "$2")
      // A refresh that is done again finds no more changes.
      .replaceAll(/\{atMs,"changed":0,"changes":\[\]\},?/g, "")
  );
}

/** The state without new hidden sheets, new hidden names and new custom XML parts, and a list of these. */
export function withoutRemains(state: BookState, before: BookState): { state: BookState; remains: string[] } {
  const parts = ({ document }: BookState) =>
    (document as object as { customXmlParts: [string, string][] }).customXmlParts;
  const idsBefore = new Set([...before.sheets.map(({ id }) => id), ...parts(before).map(([id]) => id)]);
  const sheets = state.sheets.filter(({ id, isHidden }) => !isHidden || idsBefore.has(id));
  const customXmlParts = parts(state).filter(([id]) => idsBefore.has(id));
  const namesBefore = new Set(before.names.map(({ name }) => name));
  const names = state.names.filter(({ name, isHidden }) => !isHidden || namesBefore.has(name));
  const hasParts = customXmlParts.length < parts(state).length;
  const remains = [
    ...(sheets.length < state.sheets.length ? ["a hidden sheet stays"] : []),
    ...(hasParts ? ["the note of the formulas stays"] : []),
    ...(names.length < state.names.length && !hasParts ? ["a hidden name stays"] : []),
  ];
  return {
    state: { ...state, sheets, names, document: { ...state.document, customXmlParts } } as BookState,
    remains,
  };
}
