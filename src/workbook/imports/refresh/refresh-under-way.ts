import type { RowAhj } from "../../sheet/layout/table-plan";
import type { UnfinishedWork } from "../../work-note/unfinished-work";
import type { ImportChange } from "../saved/change-import";
import { importXml, type SavedImport } from "../saved/saved-import";
import { type BegunEdit, nothingBegun } from "./plan-refresh";

/** The most new rows that a note lists. If there are more, the user has to fill in their blank names after an interruption. */
const mostNewRows = 20_000;

/** The note of a refresh, or of a change of its import: all that is needed to finish it after an interruption. */
export function refreshUnderWay(
  saved: SavedImport,
  { rows, columns }: BegunEdit = nothingBegun,
  { change, isFirst = false }: { change?: ImportChange | undefined; isFirst?: boolean | undefined } = {},
): UnfinishedWork {
  const { id: importId, name, types } = saved;
  if (!change) {
    const newRows = rows.map(({ ahj, typeId }) => ({ ahj: rowAhj(ahj), typeId }));
    return { kind: "refresh", importId, name, newRows: newRows.length > mostNewRows ? [] : newRows };
  }
  return {
    kind: "change",
    importId,
    name,
    types: change.types.map((type) => ({
      id: type.id,
      name: type.name,
      unit_of_measure: type.unit_of_measure,
    })),
    typesBefore: types.map(({ id }) => id),
    newAhjs: change.newAhjs.map(rowAhj),
    newColumns: [...columns],
    ...(change.into && { into: [...change.into] }),
    ...(isFirst && { first: importXml(saved) }),
  };
}

function rowAhj({ id, name, type, state_code, geoid }: RowAhj): RowAhj {
  return { id, name, type, state_code, geoid };
}
