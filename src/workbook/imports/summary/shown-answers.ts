import { mayBeSent, withZero } from "../../../engine/lookup/directory/geoid";
import { stateOfGeoid } from "../../../engine/lookup/directory/states";
import { groupBy } from "../../../lists";
import type { PicturedAnswer, ShownValue } from "../../../pictures/pictured-answers";
import { isNoValue } from "../../sheet/layout/no-value";
import type { ColumnType, RowAhj, TableForm } from "../../sheet/layout/table-plan";
import type { TableCell, TableColumns } from "../../sheet/tables/bound-table";
import { whoseCell } from "../refresh/whose-cell";
import type { CellDigests } from "../saved/cell-digests";
import { type AnswerPlace, type ImportRow, importRows, shownAt } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";

/**
 * Looks up an AHJ among those that the add-in holds, by id and without a request. Needed because a table beside a list has no column for
 * its state.
 */
export type KnownAhj = (ahjId: number) => Pick<RowAhj, "state_code" | "geoid" | "name"> | undefined;

/** The answers of an import's table. */
export interface ShownAnswers {
  /** True if the question has a column. */
  has(question: ColumnType): boolean;
  /**
   * The answers to a question, one for each jurisdiction of the table. Call it only for a question that is drawn, because all questions
   * together may have millions.
   */
  answersTo(question: ColumnType): PicturedAnswer[];
  /** The answer of one jurisdiction; null if the table does not have the jurisdiction. */
  answerOf(question: ColumnType, ahjId: number): PicturedAnswer | null;
  /** The cell with that answer, or else the jurisdiction's first row; undefined if it has none. */
  placeOf(question: ColumnType, ahjId: number): TableCell | undefined;
}

/** The facts about an import that its table does not show. */
export interface TableFacts {
  known: KnownAhj;
  /** The workbook's digests of the cells, by which one that somebody has edited is told from what was written. */
  digests: CellDigests;
}

/**
 * Reads an import's table as answers. `notRefreshed` holds the AHJs that the last refresh was not given. If a jurisdiction has several
 * rows, the first one with a value counts. A cell that somebody has edited has no value, whatever it shows.
 * @throws Failure `table-gone` if the table's columns of ids are missing.
 */
export function answersOfImport(
  saved: SavedImport,
  table: TableColumns,
  { notRefreshed, known, digests }: TableFacts & { notRefreshed: ReadonlySet<number> },
): ShownAnswers {
  const isLong = saved.form.layout === "long";
  const rowsOf = groupBy(importRows(saved, table), ({ ahj }) => ahj.id);
  const located = new Map([...rowsOf].map(([id, [row]]) => [id, row && locate(row.ahj, known)]));
  /** The headers of the columns of values, by the ids of their questions. A long table has only one such column, under null. */
  const headers = new Map(
    saved.columns.flatMap(({ header, content }) =>
      content.of === "answer" && content.part === "value" && table.columns.has(header)
        ? [[content.typeId, header] as const]
        : [],
    ),
  );
  const columnOf = ({ id }: ColumnType) => headers.get(isLong ? null : id);
  /** The first row with a value of the service, or else with an edited cell; undefined if there is none. */
  const findValue = (question: ColumnType, own: readonly ImportRow[]) => {
    const header = columnOf(question) ?? "";
    const column = table.columns.get(header);
    let edited: { row: number; shown: "edited" } | undefined;
    for (const { row, ahj, typeId } of own) {
      if (!column || (isLong && typeId !== question.id)) continue;
      const shown = shownAt(column, row);
      const place: AnswerPlace = { ahj, type: question, part: "value", place: { row, header }, shown };
      const value = heldValue(shown.value, saved.form);
      if (isEdited(place, digests)) edited ??= { row, shown: "edited" };
      else if (value !== null) return { row, shown: { value, numberFormat: shown.numberFormat } };
    }
    return edited;
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

/**
 * The AHJ with its geoID and state. Beside a list there is often no column of geoIDs except the list's own, in which a geoID that was typed
 * again has lost its leading zero.
 */
function locate(ahj: RowAhj, known: KnownAhj): RowAhj {
  const named = withZero((ahj.geoid ?? ahj.name).trim());
  const geoid = mayBeSent(named) ? named : ahj.geoid;
  return { ...ahj, geoid, state_code: stateOfAhj({ ...ahj, geoid }, known) };
}

/** The state of an AHJ, from the table or else from the directory or a geoID; "" if none of them gives it. */
export function stateOfAhj({ id, state_code, geoid }: RowAhj, known: KnownAhj): string {
  const other = known(id);
  return state_code || other?.state_code || stateOfGeoid(geoid ?? other?.geoid ?? "") || "";
}

/** True if somebody has certainly changed what the cell shows. */
export function isEdited(place: AnswerPlace, digests: CellDigests): boolean {
  return whoseCell(place, { digests, last: undefined }, () => false) === "somebody";
}

/** The value of a cell for an answer; null if it shows no value. */
export function heldValue(value: unknown, form: TableForm): ShownValue["value"] | null {
  if (isNoValue(value, "value", form)) return null;
  return typeof value === "number" || typeof value === "boolean" ? value : String(value);
}
