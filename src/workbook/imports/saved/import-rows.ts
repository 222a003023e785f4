import { SheetFailure } from "../../../sheet-failure";
import type { TableCell, TableColumn, TableColumns } from "../../sheet/tables/bound-table";
import {
  type AhjFact,
  type ColumnType,
  hasIds,
  type NewRow,
  type RowAhj,
} from "../../sheet/layout/table-plan";
import type { PartOfAnswer } from "../../sheet/layout/answer-parts";
import type { SavedImport } from "./saved-import";

/** A row of an import's table that stands for an AHJ, and in a long table also for a type. */
export interface ImportRow extends NewRow {
  row: number;
  /**
   * The AHJ for which the row's cells were written, if the row now stands for another one, because the user's list names that one; null if
   * they were written for none.
   */
  before?: RowAhj | null | undefined;
}

/** The headers of the columns by which rows are recognized. */
export function idHeaders({ columns }: Pick<SavedImport, "columns">): string[] {
  return columns.filter(hasIds).map(({ header }) => header);
}

/**
 * The rows of AHJs in the table as it was read; all other rows are the user's own. Fails with table-gone if the columns of ids are missing.
 */
export function importRows({ columns, form, listHeader }: SavedImport, table: TableColumns): ImportRow[] {
  const valuesOf = (of: "ahj" | "type", field: string) => {
    const column = columns.find(({ content }) => content.of === of && content.field === field);
    return column && table.columns.get(column.header)?.values;
  };
  const ids = valuesOf("ahj", "id");
  const typeIds = valuesOf("type", "id");
  if (!ids || (form.layout === "long" && !typeIds)) {
    throw new SheetFailure("table-gone", {
      detail: "The column of AHJ ids, by which rows are found, is missing.",
    });
  }
  const [names, kinds, states, geoids] = (["name", "type", "state_code", "geoid"] as const).map((field) =>
    valuesOf("ahj", field),
  );
  const labels = names ?? table.columns.get(listHeader ?? "")?.values;
  const textOf = (values: unknown[] | undefined, row: number) => String(values?.[row] ?? "");
  return ids.flatMap((value, row) => {
    const typeId = typeIds ? idOf(typeIds[row]) : null;
    const id = idOf(value);
    if (id === null || (typeIds && typeId === null)) return [];
    const ahj = {
      id,
      name: textOf(labels, row) || `AHJ ${id}`,
      type: textOf(kinds, row),
      state_code: textOf(states, row),
      geoid: textOf(geoids, row) || null,
    };
    return [{ row, ahj, typeId }];
  });
}

/** The rows in whose cell for the AHJ's id somebody has typed something else than an id, or a formula. */
export function rowsWithTypedId({ columns }: Pick<SavedImport, "columns">, table: TableColumns): Set<number> {
  const column = columns.find(({ content }) => content.of === "ahj" && content.field === "id");
  const here = table.columns.get(column?.header ?? "");
  const isTyped = (value: unknown, row: number) =>
    here?.formulas?.has(row) === true || (value !== "" && idOf(value) === null);
  return new Set(here?.values.flatMap((value, row) => (isTyped(value, row) ? [row] : [])));
}

/** The id in a cell; null if it holds none. */
export function idOf(value: unknown): number | null {
  const id = typeof value === "number" ? value : typeof value === "string" ? Number(value) : NaN;
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** The content of a cell: the value that it shows, and the formula by which it does, if any. */
export interface ShownCell {
  value: unknown;
  numberFormat: string;
  formula?: string | undefined;
}

/** The content of a cell of a column as it was read. */
export function shownAt({ values, numberFormats, formulas }: TableColumn, row: number): ShownCell {
  return { value: values[row], numberFormat: numberFormats[row] ?? "General", formula: formulas?.get(row) };
}

interface Place extends Pick<ImportRow, "ahj" | "before"> {
  place: TableCell;
  /** The cell's present content; undefined in a column that is still to be added. */
  shown: ShownCell | undefined;
  /** The single number format of the column; null or undefined if it has none. */
  numberFormat?: string | null | undefined;
}

/** A cell of the table that holds a part of an answer. */
export interface AnswerPlace extends Place {
  type: ColumnType;
  part: PartOfAnswer;
}

/** A cell of the table that describes its row's AHJ. */
export interface AhjPlace extends Place {
  type: null;
  part: AhjFact;
}

/** A cell of the table that shows what the service says. */
export type ServicePlace = AnswerPlace | AhjPlace;

/** The key of an answer: its AHJ and its type. */
export function answerKey(ahjId: number, typeId: number): string {
  return `${ahjId} ${typeId}`;
}

/** The cells for answers, column by column, including those of `newColumns`. They come one at a time, because there may be millions. */
export function* answerPlaces(
  { columns, types }: Pick<SavedImport, "columns" | "types">,
  table: TableColumns,
  rows: readonly ImportRow[],
  newColumns: readonly string[] = [],
): Generator<AnswerPlace, void> {
  const typeOf = new Map(types.map((type) => [type.id, type]));
  for (const { header, content, numberFormat } of columns) {
    const here = table.columns.get(header);
    if (content.of !== "answer" || (!here && !newColumns.includes(header))) continue;
    const { part } = content;
    for (const { row, ahj, before, typeId } of rows) {
      const type = typeOf.get(content.typeId ?? typeId ?? 0);
      if (!type) continue;
      const shown = here && shownAt(here, row);
      yield { ahj, before, type, part, place: { row, header }, shown, numberFormat };
    }
  }
}

/** The cells that describe the AHJs of these rows, column by column. */
export function* ahjPlaces(
  { columns }: Pick<SavedImport, "columns">,
  table: TableColumns,
  rows: readonly ImportRow[],
): Generator<AhjPlace, void> {
  for (const { header, content } of columns) {
    const here = table.columns.get(header);
    if (content.of !== "ahj" || content.field === "id" || !here) continue;
    const part = content.field;
    for (const { row, ahj, before } of rows) {
      yield { ahj, before, type: null, part, place: { row, header }, shown: shownAt(here, row) };
    }
  }
}
