import { parseAddress } from "../../workbench/address";
import type { CellValue, Rect, Spreadsheet } from "../../workbench/spreadsheet";
import type { MemorySpreadsheet } from "../../workbench/memory/memory-spreadsheet";
import { Lie } from "./oracle";

/** The cells that hold neither a formula nor a part of its result, by sheet and place; and the sheets and tables of the workbook. */
export interface Still {
  cells: Map<string, CellValue>;
  sheets: string[];
  tables: string[];
}

export const placeKey = (sheetId: string, row: number, column: number) => `${sheetId} ${row} ${column}`;

export function stillOf(spreadsheet: MemorySpreadsheet): Still {
  const cells = new Map<string, CellValue>();
  for (const { sheetId, row, column, content, numberFormat } of spreadsheet.ownCells()) {
    const isFormula = typeof content === "string" && content.startsWith("=") && numberFormat !== "@";
    if (content !== "" && !isFormula) cells.set(placeKey(sheetId, row, column), content);
  }
  return {
    cells,
    sheets: spreadsheet.sheets().map(({ id, name }) => `${id} ${name}`),
    tables: spreadsheet.tables().map(({ id, rect }) => `${id} ${JSON.stringify(rect)}`),
  };
}

/** Throws a Lie if cells differ that nobody was to change. */
export function mustBeSame(
  before: Still,
  now: Still,
  mayDiffer: (key: string) => boolean,
  when: string,
): void {
  for (const key of new Set([...before.cells.keys(), ...now.cells.keys()])) {
    const [was, is] = [before.cells.get(key), now.cells.get(key)];
    if (was !== is && !mayDiffer(key)) {
      throw new Lie(`${when}: the cell ${key} was ${JSON.stringify(was)} and is ${JSON.stringify(is)}`);
    }
  }
}

export function mustHaveSameParts(before: Still, now: Still, when: string): void {
  for (const part of ["sheets", "tables"] as const) {
    if (before[part].join("|") !== now[part].join("|")) {
      throw new Lie(`${when}: the ${part} were ${before[part].join(", ")} and are ${now[part].join(", ")}`);
    }
  }
}

/** The sheet and rectangle of an address that names its sheet. */
export function placeOf(spreadsheet: Spreadsheet, address: string): { sheetId: string; rect: Rect } {
  const parsed = parseAddress(address);
  const sheetId = spreadsheet.sheets().find(({ name }) => name === parsed?.sheetName)?.id;
  if (!parsed || sheetId === undefined) throw new Error(`no place ${address}`);
  return { sheetId, rect: parsed.rect };
}

export const isIn = ({ row, column, rows, columns }: Rect, atRow: number, atColumn: number) =>
  atRow >= row && atRow < row + rows && atColumn >= column && atColumn < column + columns;
