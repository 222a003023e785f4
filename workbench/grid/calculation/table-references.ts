import type { ICellData, Nullable } from "@univerjs/core";
import { ISuperTableService, SetRangeValuesMutation } from "@univerjs/preset-sheets-core";
import { intersect } from "../../address";
import type { Rect, Spreadsheet } from "../../spreadsheet";
import { storedReferences, tableNameAt } from "../../structured-references";
import { contents } from "../cells";
import { type Book, type CellMatrix, toRect } from "../univer";

/**
 * Gives Univer the columns of tables by what their header cells hold at the time, and what is entered as `[@Fee]` in the only form that it
 * calculates, `Fees[[#This Row],[Fee]]`. A formula outside of the table's rows keeps its own form, so that it is an error, as in Excel.
 */
export function followTables(book: Book, { tables }: Pick<Spreadsheet, "tables">): void {
  const service = book.injector.get(ISuperTableService);
  const register = service.registerTable.bind(service);
  service.registerTable = (unitId, tableName, reference) => {
    const { sheetId, range } = reference;
    const titleMap = new HeaderCells(() => headersOf(book, sheetId, toRect(range)));
    register(unitId, tableName, { ...reference, titleMap });
  };

  /** True if the cell stands in a row below the headers of the table of this name. */
  const isInRows = (place: { sheetId: string; row: number; column: number }) => (name: string) =>
    tables().some(({ name: own, sheetId, rect }) => {
      const body = { ...rect, row: rect.row + 1, rows: rect.rows - 1 };
      const row = { row: place.row, column: body.column, rows: 1, columns: 1 };
      return own === name && sheetId === place.sheetId && intersect(body, row) !== null;
    });

  book.beforeRun(({ id, params }) => {
    if (id !== SetRangeValuesMutation.id) return;
    const sheetId = String(params.subUnitId);
    for (const [row, cells] of Object.entries((params.cellValue ?? {}) as CellMatrix)) {
      for (const [column, cell] of Object.entries<Nullable<ICellData>>(cells ?? {})) {
        if (typeof cell?.f !== "string" || !cell.f.includes("[")) continue;
        const place = { sheetId, row: Number(row), column: Number(column) };
        cell.f = storedReferences(cell.f, tableNameAt(tables(), place), isInRows(place));
      }
    }
  });
}

function headersOf(book: Book, sheetId: string, { row, column, columns }: Rect): string[] {
  const cells = book.sheet(sheetId).getCellMatrix();
  return Array.from({ length: columns }, (_, across) =>
    String(contents(cells.getValue(row, column + across))),
  );
}

/** The places of a table's columns by their headers, in any case. Univer takes them for a map that does not change. */
class HeaderCells extends Map<string, number> {
  /** Univer would take a column that it does not find for the one left of the table; this one is an error. */
  static readonly none = -1_000_000;

  constructor(private readonly headers: () => readonly string[]) {
    super();
  }

  override get(header: string): number {
    const wanted = header.toLowerCase();
    const at = this.headers().findIndex((each) => each.toLowerCase() === wanted);
    return at < 0 ? HeaderCells.none : at;
  }
}
