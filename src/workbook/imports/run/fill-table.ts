import type { ColumnType, OwnColumn } from "../../sheet/layout/table-plan";
import {
  refreshImport,
  type RefreshDependencies,
  type RefreshOptions,
  type RefreshOutcome,
} from "../refresh/refresh";
import { importToFill, type ListToFill } from "../saved/import-to-fill";

/** The order to fill columns of the user's own table, each row of which names a place. */
export interface FillOrder extends ListToFill {
  types: readonly ColumnType[];
  /** The column of each type. A type without one gets a new column. */
  into: readonly OwnColumn[];
}

/**
 * Fills the blank cells of the user's own columns with answers for the places of their rows, and remembers them as an import beside a list.
 * Cells that hold something stay, and so do rows whose place is not certain; the report names both. Fails with a Failure, and the table is
 * then as it was.
 * @example await fillTable({ name, tableId, headers, listHeader: "City", types, into: [{ header: "Elec. code", typeId: 1003 }] }, tools);
 */
export function fillTable(
  { types, into, ...list }: FillOrder,
  dependencies: RefreshDependencies,
  options: Omit<RefreshOptions, "change" | "isFirst" | "begun"> = {},
): Promise<RefreshOutcome> {
  const change = { types, newAhjs: [], into };
  const saved = importToFill(list, dependencies.credentials.baseUrl);
  return refreshImport(saved, dependencies, { ...options, change, isFirst: true });
}
