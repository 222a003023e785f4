import type { Session } from "../../../../app";
import { isNameOf, type ReadList } from "../../../../engine/lookup/lists/list-entries";
import type { ResolvedList, ResolveListOptions } from "../../../../engine/lookup/lists/resolve-list";

/** A list as it comes: a text, or the rows of cells that are being read. */
export type GivenList = { text: string } | { cells: Promise<readonly (readonly unknown[])[]> };

// The reader loads with the first list, so that the first search is possible sooner.
const loadReader = () => import("../../../../engine/lookup/lists/read-list");

/** Reads a list, and looks its entries up. `onNames` is called if the directory is read for it. */
export function readJurisdictions(
  given: GivenList,
  { lookup }: Pick<Session, "lookup">,
  { state, onNames }: { state?: string | undefined; onNames?: () => void } = {},
): {
  list: Promise<ReadList>;
  resolve: (list: ReadList, options: ResolveListOptions) => Promise<ResolvedList>;
} {
  return {
    list: Promise.all([loadReader(), "text" in given ? given.text : given.cells]).then(
      ([{ readListCells, readListText }, text]) =>
        typeof text === "string" ? readListText(text) : readListCells(text),
    ),
    async resolve(list, options) {
      const { resolveList } = await import("../../../../engine/lookup/lists/resolve-list");
      if (list.entries.some(isNameOf)) onNames?.();
      return resolveList(list, lookup, { ...options, state });
    },
  };
}
