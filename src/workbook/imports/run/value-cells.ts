import type { ColumnType, RowAhj, TablePlan, TableRow } from "../../sheet/layout/table-plan";
import type { PublishedAnswer } from "../../sheet/layout/answer-parts";
import type { ImportAnswers } from "./import-types";

/** A cell of a table that shows a value. Its row counts from the first one below the header. */
export interface ValueCell {
  row: number;
  column: number;
  ahj: RowAhj;
  type: ColumnType;
  answer: PublishedAnswer;
}

/**
 * The cells of a table that show a value, row by row. `rows` holds the AHJ and type of each row, null for a row without an AHJ. Pauses
 * after each row.
 */
export function* valueCells(
  { types, of }: ImportAnswers,
  { columns }: Pick<TablePlan, "columns">,
  rows: readonly (TableRow | null)[],
): Generator<void, ValueCell[]> {
  const byId = new Map<number, ColumnType>(types.map((type) => [type.id, type]));
  const valueColumns = columns.flatMap(({ content }, column) =>
    content.of === "answer" && content.part === "value" ? [{ column, typeId: content.typeId }] : [],
  );
  const cells: ValueCell[] = [];
  for (const [row, about] of rows.entries()) {
    yield;
    for (const { column, typeId } of valueColumns) {
      const type = typeId === null ? about?.type : byId.get(typeId);
      const answer = about && type && of(about.ahj.id, type.id);
      if (answer) cells.push({ row, column, ahj: about.ahj, type, answer });
    }
  }
  return cells;
}
