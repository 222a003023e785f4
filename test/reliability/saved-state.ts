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
    cells: [string, SavedCell][];
  }[];
  tables: { id: string; name: string; sheetId: string; rect: object; style: string }[];
  names: unknown;
}

/** All that Excel would save, to be compared; `except` names a sheet that may change. */
export function bookState({ save }: Pick<PlayedExcel, "save">, except?: string) {
  const { spreadsheet, document } = save();
  const { sheets, tables, ...rest } = spreadsheet as SavedBook;
  return {
    ...rest,
    sheets: sheets.map(({ cells, ...sheet }) => ({
      ...sheet,
      cells: sheet.name === except ? "any" : Object.fromEntries(cells.filter(isUsed).sort(byAddress)),
    })),
    tables,
    document,
  };
}

/** A cell that was written and cleared again is as one that never was. */
function isUsed([, { content, numberFormat, ...others }]: SavedBook["sheets"][number]["cells"][number]) {
  const isPlain = Object.values(others).every(
    (value) => value === undefined || value === null || value === false,
  );
  return content !== "" || numberFormat !== "General" || !isPlain;
}

function byAddress([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** The same without what differs from one run to the next: ids and times. */
export function bookMeaning(excel: Pick<PlayedExcel, "save">, except?: string) {
  const { sheets, tables, document, ...rest } = bookState(excel, except);
  const nameOf = new Map(sheets.map(({ id, name }) => [id, name]));
  const parts = document as { customXmlParts: [string, string][] };
  return {
    ...rest,
    sheets: sheets.map(({ id: _, cells, ...sheet }) => ({
      ...sheet,
      cells: typeof cells === "string" ? cells : withoutTimes(cells),
    })),
    tables: tables.map(({ id: _, sheetId, ...table }) => ({ ...table, sheet: nameOf.get(sheetId) })),
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
  return xml
    .replaceAll(/\{?[\dA-Fa-f]{8}(-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}\}?/g, "id")
    .replaceAll(/("|&quot;)(tableId|sheetId)\1:\1[\w-]+\1/g, "$2")
    .replaceAll(/("|&quot;)atMs\1:\d+/g, "atMs");
}
