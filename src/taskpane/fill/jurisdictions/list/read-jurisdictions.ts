import type { Session } from "../../../../app";
import { isNameOf, type ReadList } from "../../../../engine/lookup/lists/list-entries";
import type { ResolvedList, ResolveListOptions } from "../../../../engine/lookup/lists/resolve-list";
import type { Workbook } from "../../../../workbook/sheet/workbook";

/** A list as it comes: a text, or the cells that are selected in the workbook. */
export type GivenList = { text: string } | { cellsOf: Pick<Workbook, "selectedCells"> };

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
    list: readGiven(given, lookup.directory),
    async resolve(list, options) {
      const { resolveList } = await import("../../../../engine/lookup/lists/resolve-list");
      if (list.entries.some(isNameOf)) onNames?.();
      return resolveList(list, lookup, { ...options, state });
    },
  };
}

async function readGiven(given: GivenList, directory: Session["lookup"]["directory"]): Promise<ReadList> {
  const [{ readListText }, { withFirstName }] = await Promise.all([
    loadReader(),
    import("../../../../engine/lookup/lists/first-name"),
  ]);
  const list = await ("text" in given ? readListText(given.text) : readSelected(given.cellsOf));
  return withFirstName(list, directory);
}

/** Reads the selected cells, with the state that stands beside names. */
async function readSelected(workbook: Pick<Workbook, "selectedCells">): Promise<ReadList> {
  const [{ readListCells }, { withStateBeside }] = await Promise.all([
    loadReader(),
    import("../../../../engine/lookup/lists/state-beside"),
  ]);
  const { rows, rowNumbers, headings, joined } = await workbook.selectedCells(withStateBeside);
  return { ...(await readListCells(rows, { headings, rowNumbers })), joined };
}
