import type { OrderedList } from "../run/import-types";
import { headersBeside } from "../run/list-rows";
import type { ListToFill } from "./import-to-fill";

/** A list in the user's own table, as an import beside it remembers it; null if it stands in none. */
export function listToFill(
  { list, header, decided }: Pick<OrderedList, "list" | "header" | "decided">,
  name: string,
): ListToFill | null {
  if (!list.table) return null;
  const { id: tableId, headers } = list.table;
  return {
    ...{ name, tableId, headers, listHeader: header.text, decided },
    listBeside: list.together && headersBeside(list, header),
  };
}
