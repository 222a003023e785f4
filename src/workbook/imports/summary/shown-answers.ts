import { geoidOfPastedWord, mayBeSent } from "../../../engine/lookup/directory/geoid";
import { stateOfGeoid } from "../../../engine/lookup/directory/states";
import { groupBy } from "../../../lists";
import type { PicturedAnswer, ShownValue } from "../../../pictures/pictured-answers";
import type { ColumnType, RowAhj } from "../../sheet/layout/table-plan";
import type { TableCell, TableColumns } from "../../sheet/tables/bound-table";
import { type ImportRow, importRows } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";

/** What the add-in knows of an AHJ by its id, without asking: a table beside a list has no column for it. */
export type KnownAhj = (ahjId: number) => Pick<RowAhj, "state_code" | "geoid" | "name"> | undefined;

/** An import's table as answers. */
export interface ImportAnswers {
  /** Whether the question has a column. */
  has(question: ColumnType): boolean;
  /** One answer for each jurisdiction of the table; to be made when it is drawn, for there may be millions in all. */
  answersTo(question: ColumnType): PicturedAnswer[];
  /** Null for a jurisdiction that the table doesn't have. */
  answerOf(question: ColumnType, ahjId: number): PicturedAnswer | null;
  /** The cell with that answer, or the row of the jurisdiction; undefined where it has none. */
  placeOf(question: ColumnType, ahjId: number): TableCell | undefined;
}

/**
 * `notRefreshed` are AHJs that the last refresh was not given. A jurisdiction with several rows answers by the first that has a value.
 * @throws Failure `table-gone` where the table has no ids.
 */
export function answersOfImport(
  saved: SavedImport,
  table: TableColumns,
  { notRefreshed, known }: { notRefreshed: ReadonlySet<number>; known: KnownAhj },
): ImportAnswers {
  const isLong = saved.form.layout === "long";
  const rowsOf = groupBy(importRows(saved, table), ({ ahj }) => ahj.id);
  const located = new Map([...rowsOf].map(([id, [row]]) => [id, row && locate(row.ahj, known)]));
  /** The headers of the columns of values by the questions' ids; of a long table the one column is under null. */
  const headers = new Map(
    saved.columns.flatMap(({ header, content }) =>
      content.of === "answer" && content.part === "value" && table.columns.has(header)
        ? [[content.typeId, header] as const]
        : [],
    ),
  );
  const columnOf = ({ id }: ColumnType) => headers.get(isLong ? null : id);
  const findValue = (question: ColumnType, own: readonly ImportRow[]) => {
    const column = table.columns.get(columnOf(question) ?? "");
    for (const { row, typeId } of own) {
      const value = heldValue(column?.values[row]);
      if ((isLong && typeId !== question.id) || value === null) continue;
      return { row, shown: { value, numberFormat: column?.numberFormats[row] ?? "General" } };
    }
    return undefined;
  };
  const answerOf = (question: ColumnType, ahjId: number): PicturedAnswer | null => {
    const [own, ahj] = [rowsOf.get(ahjId), located.get(ahjId)];
    if (!own || !ahj) return null;
    const without = notRefreshed.has(ahjId) ? "not known" : "no value";
    return { ahj, shown: findValue(question, own)?.shown ?? without };
  };
  return {
    has: (question) => isLong || columnOf(question) !== undefined,
    answersTo: (question) => [...rowsOf.keys()].flatMap((ahjId) => answerOf(question, ahjId) ?? []),
    answerOf,
    placeOf(question, ahjId) {
      const own = rowsOf.get(ahjId) ?? [];
      const row = findValue(question, own)?.row ?? own[0]?.row;
      const header = columnOf(question);
      return row === undefined || header === undefined ? undefined : { row, header };
    },
  };
}

/** Beside a list there is often no column of geoIDs, but the list's own. Typed anew, a geoID loses its zero. */
function locate(ahj: RowAhj, known: KnownAhj): RowAhj {
  const named = geoidOfPastedWord(ahj.geoid ?? ahj.name);
  const geoid = named !== null && mayBeSent(named) ? named : ahj.geoid;
  return { ...ahj, geoid, state_code: stateOfAhj({ ...ahj, geoid }, known) };
}

/** The state that a table, or else the directory or a geoID, tells of an AHJ; "" where none does. */
export function stateOfAhj({ id, state_code, geoid }: RowAhj, known: KnownAhj): string {
  const other = known(id);
  return state_code || other?.state_code || stateOfGeoid(geoid ?? other?.geoid ?? "") || "";
}

/** What a cell holds; null where it is blank. */
export function heldValue(value: unknown): ShownValue["value"] | null {
  if (value === "" || value === null || value === undefined) return null;
  return typeof value === "number" || typeof value === "boolean" ? value : String(value);
}
