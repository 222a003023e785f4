import { parseStructRef, stringifyStructRef, tokenize } from "@borgar/fx";
import { contains } from "./address";
import type { TableInfo } from "./spreadsheet";

/**
 * The formula as files have it: a cell of the formula's own table row is named with its table, `Fees[[#This Row],[Fee]]`. `ownTable` is the
 * name of the table in which the formula stands, if it stands in one. References to tables that are not meant stay as they are.
 */
export function storedReferences(
  formula: string,
  ownTable: string | undefined,
  isMeant: (table: string) => boolean = () => true,
): string {
  return withReferences(formula, (reference) => {
    const table = reference.table || ownTable;
    if (table === undefined || !isMeant(table)) return undefined;
    return stringifyStructRef({ ...reference, table }, { thisRow: true });
  });
}

/** The formula as Excel shows it: `[@Fee]` in the rows of the table, `Fees[@Fee]` elsewhere. */
function shownReferences(formula: string, ownTable: string | undefined): string {
  return withReferences(formula, (reference) => {
    const isOwn = ownTable !== undefined && reference.table?.toLowerCase() === ownTable.toLowerCase();
    return stringifyStructRef({ ...reference, ...(isOwn && { table: "" }) });
  });
}

/** The same for the formula of a cell. It looks for the cell's table only where that matters. */
export function shownIn(
  tables: () => readonly TablePlace[],
  formula: string,
  cell: { sheetId: string; row: number; column: number },
): string {
  return formula.includes("[") ? shownReferences(formula, tableNameAt(tables(), cell)) : formula;
}

type TablePlace = Pick<TableInfo, "name" | "sheetId" | "rect">;

/** The name of the table in which a cell stands, if it stands in one. Row and column count from zero. */
export function tableNameAt(
  tables: readonly TablePlace[],
  { sheetId, row, column }: { sheetId: string; row: number; column: number },
): string | undefined {
  return tables.find((table) => table.sheetId === sheetId && contains(table.rect, row, column))?.name;
}

type Reference = NonNullable<ReturnType<typeof parseStructRef>>;

/** The formula with its references to a cell of a table row written anew; undefined leaves one as it is. */
function withReferences(formula: string, written: (reference: Reference) => string | undefined): string {
  if (!formula.includes("[")) return formula;
  return tokenize(formula)
    .map(({ type, value }) => {
      const reference = type === "structured" ? parseStructRef(value) : undefined;
      const isOfRow = reference?.sections?.includes("this row") === true;
      return isOfRow ? (written(reference) ?? value) : value;
    })
    .join("");
}
