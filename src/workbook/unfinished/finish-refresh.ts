import type { RefreshOptions } from "../imports/refresh/refresh";
import { rebased } from "../imports/saved/change-import";
import type { SavedImport } from "../imports/saved/saved-import";
import type { UnfinishedWork } from "../work-note/unfinished-work";

/** The options with which a refresh of an import finishes an interrupted refresh or change of that import. */
export function refreshToFinish(
  work: UnfinishedWork & { kind: "refresh" | "change" },
  now: Pick<SavedImport, "types">,
): Pick<RefreshOptions, "change" | "begun"> {
  if (work.kind === "refresh") return { begun: { columns: [], rows: work.newRows } };
  const { types, typesBefore, newAhjs, newColumns } = work;
  const was = { types: typesBefore.map((id) => ({ id, name: "", unit_of_measure: "" })) };
  return {
    change: rebased({ types, newAhjs }, was, now),
    begun: { columns: newColumns, rows: newAhjs.map((ahj) => ({ ahj, typeId: null })) },
  };
}
