import type { Ahj, DataPointType } from "../../engine/api/schemas";
import type { ImportQuestion } from "../../workbook/imports/run/import-types";
import { cellAddress } from "../../workbook/sheet/layout/cell-address";
import { besideArea, type BesideList, rowsAbove } from "../../workbook/sheet/lists/list-column";
import type { ListOrder } from "./insert/import-control";
import type { ListInSheet } from "./jurisdictions/use-list";

/** Each AHJ of the list once, in the list's order. */
export function ahjsOfList(list: ListInSheet | null): Ahj[] {
  const ahjs = (list?.ahjs ?? []).flatMap((listed) => listed?.ahj ?? []);
  return [...new Map(ahjs.map((ahj) => [ahj.id, ahj])).values()];
}

/** Asks these types of the list's AHJs; null while there are no AHJs or no types. */
export function questionOfList(list: ListInSheet, types: readonly DataPointType[]): ImportQuestion | null {
  const ahjs = ahjsOfList(list);
  return ahjs.length > 0 && types.length > 0 ? { kind: "matrix", ahjs, types } : null;
}

/** The list with the AHJ of each of its rows, and how the row's entry was understood. */
export function orderOfList({ column, rows, ahjs }: ListInSheet, wantsTable: boolean): ListOrder {
  const beside: BesideList = { list: column, header: rows.header };
  const above = rowsAbove(beside);
  const all = Array.from({ length: besideArea(beside, 1).rows - 1 }, (_, row) => ahjs[row - above] ?? null);
  const first = column.values.length - rows.entries.length + (rows.header.from === "inserted" ? 1 : 0);
  return {
    ...beside,
    wantsTable,
    ahjs: all.map((listed) => listed?.ahj ?? null),
    hows: all.map((listed) => listed?.how ?? null),
    blanks: rows.blanks.map((row) => cellAddress(column.address, first + row, 0)),
  };
}
