import { geoidOfPastedWord, mayBeSent } from "../../../engine/lookup/directory/geoid";
import { stateOfGeoid } from "../../../engine/lookup/directory/states";
import { groupBy } from "../../../lists";
import type { PicturedAnswer, ShownValue } from "../../../pictures/pictured-answers";
import { type QuestionPicture, questionPicture } from "../../../pictures/question-picture";
import { rowsRead } from "../../sheet/layout/row-keys";
import type { ColumnType, RowAhj } from "../../sheet/layout/table-plan";
import type { TableCell, TableColumns, TableRows } from "../../sheet/tables/bound-table";
import { idHeaders, type ImportRow, importRows } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";

/** What an import's table shows. */
export interface ImportSummary {
  /** Of each question that has a column. */
  pictures: QuestionPicture[];
  /** One answer for each jurisdiction of the table; to be made when it is drawn, for there may be millions in all. */
  answersTo(question: ColumnType): PicturedAnswer[];
  /** Null for a jurisdiction that the table doesn't have. */
  answerOf(question: ColumnType, ahjId: number): PicturedAnswer | null;
  /** The cell with that answer, or the row of the jurisdiction; undefined where it has none. */
  placeOf(question: ColumnType, ahjId: number): TableCell | undefined;
  /** The rows as they were read. */
  read: TableRows;
}

/**
 * Sums up what the table shows, question by question; `notRefreshed` are AHJs that the last refresh was not given. Pauses after
 * each question.
 */
export function* summarize(
  saved: SavedImport,
  table: TableColumns,
  notRefreshed: ReadonlySet<number>,
): Generator<void, ImportSummary> {
  const rows = importRows(saved, table);
  const isLong = saved.form.layout === "long";
  const rowsOf = groupBy(rows, ({ ahj }) => ahj.id);
  /** The headers of the columns of values by the questions' ids; of a long table the one column is under null. */
  const headers = new Map(
    saved.columns.flatMap(({ header, content }) =>
      content.of === "answer" && content.part === "value" && table.columns.has(header)
        ? [[content.typeId, header] as const]
        : [],
    ),
  );
  const columnOf = ({ id }: ColumnType) => headers.get(isLong ? null : id);
  /** The first row with a value, if a jurisdiction has several. */
  const findValue = (question: ColumnType, own: readonly ImportRow[]) => {
    const column = table.columns.get(columnOf(question) ?? "");
    for (const { row, typeId } of own) {
      const value = column?.values[row];
      if ((isLong && typeId !== question.id) || !isValue(value)) continue;
      return { row, shown: { value, numberFormat: column?.numberFormats[row] ?? "General" } };
    }
    return undefined;
  };
  const answerOf = (question: ColumnType, ahjId: number): PicturedAnswer | null => {
    const own = rowsOf.get(ahjId);
    if (!own?.[0]) return null;
    const without = notRefreshed.has(ahjId) ? "not known" : "no value";
    return { ahj: located(own[0].ahj), shown: findValue(question, own)?.shown ?? without };
  };
  const answersTo = (question: ColumnType) =>
    [...rowsOf.keys()].flatMap((ahjId) => answerOf(question, ahjId) ?? []);
  const pictures: QuestionPicture[] = [];
  for (const question of saved.types) {
    yield;
    if (isLong || columnOf(question) !== undefined)
      pictures.push(questionPicture(question, answersTo(question)));
  }
  return {
    pictures,
    answersTo,
    answerOf,
    placeOf(question, ahjId) {
      const own = rowsOf.get(ahjId) ?? [];
      const row = findValue(question, own)?.row ?? own[0]?.row;
      const header = columnOf(question);
      return row === undefined || header === undefined ? undefined : { row, header };
    },
    read: rowsRead(table, idHeaders(saved)),
  };
}

/** Beside a list there is often no column of geoIDs, but the list's own. Typed anew, a geoID loses its zero. */
function located(ahj: RowAhj): RowAhj {
  const named = geoidOfPastedWord(ahj.geoid ?? ahj.name);
  const geoid = named !== null && mayBeSent(named) ? named : ahj.geoid;
  return { ...ahj, geoid, state_code: ahj.state_code || (stateOfGeoid(geoid ?? "") ?? "") };
}

function isValue(value: unknown): value is ShownValue["value"] {
  return (
    (typeof value === "string" && value !== "") || typeof value === "number" || typeof value === "boolean"
  );
}
