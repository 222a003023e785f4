import { groupBy } from "../../src/lists";
import { placeName } from "../../src/workbook/imports/refresh/place-name";
import { answerKey, answerPlaces, importRows } from "../../src/workbook/imports/saved/import-rows";
import type { SavedImport } from "../../src/workbook/imports/saved/saved-import";
import {
  answerPartNames,
  contentParts,
  type PartOfAnswer,
} from "../../src/workbook/sheet/layout/answer-parts";
import { isNoValue } from "../../src/workbook/sheet/layout/no-value";
import { addressOf } from "../../src/workbook/sheet/layout/cell-address";
import type { RowAhj } from "../../src/workbook/sheet/layout/table-plan";
import { shownInCell } from "../../src/workbook/sheet/values/shown-number";
import type { TableColumns } from "../../src/workbook/sheet/tables/bound-table";
import type { CellScalar } from "../../xlsx/workbook-file";
import type { FileImport, FileTable } from "../imports/file-imports";
import { cited } from "../output/cited";
import { type CellDifference, type ReadCell, type ReadSheet, sameContent } from "./read-sheet";

/** An answer of an import: the contents of its cells, without the parts for which the table has no column. */
export interface ShownAnswer extends Partial<Record<PartOfAnswer, CellScalar>> {
  value: CellScalar;
  /** The answer as a refresh tells it, with unit, citation and day: `3 working days (City Code § 12)`. */
  text: string;
}

/** An answer that differs between the two versions. */
export interface AnswerDifference {
  /** The cell of the newer version; for an answer that is gone, the cell of the older one. */
  cell: string;
  jurisdiction: string;
  ahj: Pick<RowAhj, "id" | "name" | "state_code" | "geoid">;
  question: string;
  /** Null if the answer's row or column is missing, or its cells are blank. */
  before: ShownAnswer | null;
  now: ShownAnswer | null;
}

export interface ImportDifference {
  name: string;
  answers: AnswerDifference[];
  /**
   * Cells of the table's other columns, in rows that both versions have: the user's own columns, and columns that describe jurisdictions.
   */
  cells: CellDifference[];
}

/** An import in a workbook, read from its table. */
export interface ImportData {
  saved: SavedImport;
  rows: Map<string, TableRow>;
  sheet: ReadSheet;
  /** The columns of the import's table, by header. */
  columns: Map<string, number>;
  /** The places of the table's header cells and body cells. They are matched by row and column, so they are not compared by address. */
  places: Set<number>;
}

interface TableRow {
  row: number;
  answers: Map<string, PlacedAnswer>;
}

interface PlacedAnswer {
  shown: Omit<ShownAnswer, "text">;
  /** Its parts as the cells show them. */
  texts: Partial<Record<PartOfAnswer, string>>;
  ahj: AnswerDifference["ahj"];
  question: string;
  column: number;
}

/** Reads an import's table. Null if the table is gone, or has no ids by which its rows are recognized. */
export function readImport({ saved, table }: FileImport, sheet: ReadSheet): ImportData | null {
  if (!table?.table.hasHeaderRow) return null;
  const { columns, content, bodyRow } = tableColumns(table, sheet);
  let found;
  try {
    found = importRows(saved, content);
  } catch {
    return null;
  }
  const rows = new Map<string, TableRow>();
  const keyAt = new Map<number, string>();
  const counts = new Map<string, number>();
  for (const { row, ahj, typeId } of found) {
    const key = `${ahj.id} ${typeId ?? ""}`;
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    keyAt.set(row, `${key} ${nth}`);
    rows.set(`${key} ${nth}`, { row: bodyRow + row, answers: new Map() });
  }
  for (const { ahj, type, part, place, shown, numberFormat } of answerPlaces(saved, content, found)) {
    const row = rows.get(keyAt.get(place.row) ?? "");
    if (!row) continue;
    const key = answerKey(ahj.id, type.id);
    const answer: PlacedAnswer = row.answers.get(key) ?? {
      ...{ shown: { value: null }, texts: {} },
      question: type.name,
      column: columns.get(place.header) ?? 0,
      ahj: { id: ahj.id, name: ahj.name, state_code: ahj.state_code, geoid: ahj.geoid },
    };
    const value = isNoValue(shown?.value, part, saved.form) ? null : (shown?.value as CellScalar);
    answer.shown[part] = value;
    // A header may name the unit, so that the cells do not.
    const unit = part === "value" && numberFormat ? type.unit_of_measure : null;
    if (value !== null) answer.texts[part] = shownInCell(value, shown?.numberFormat ?? "General", unit);
    if (part === "value") answer.column = columns.get(place.header) ?? answer.column;
    row.answers.set(key, answer);
  }
  const { ref } = table.table;
  const headerAndRows = [ref.row, ...[...rows.values()].map(({ row }) => row)];
  const places = new Set(
    headerAndRows.flatMap((row) => [...columns.values()].map((column) => sheet.placeOf(row, column))),
  );
  return { saved, rows, sheet, columns, places };
}

/** The differences of an import. Rows are matched by their ids and columns by their headers, wherever they stand. */
export function compareImports(before: ImportData, now: ImportData): ImportDifference {
  const answers: AnswerDifference[] = [];
  const cells: CellDifference[] = [];
  const difference = (one: PlacedAnswer | undefined, other: PlacedAnswer | undefined, row: number) => {
    const [old, current] = [shownBy(one), shownBy(other)];
    const about = other ?? one;
    if (!about || isSameAnswer(old, current)) return;
    const place = addressOf({ sheetName: (other ? now : before).sheet.name, row, column: about.column });
    answers.push({
      cell: place,
      jurisdiction: placeName(about.ahj),
      ahj: about.ahj,
      question: about.question,
      before: old,
      now: current,
    });
  };
  for (const [key, row] of now.rows) {
    const old = before.rows.get(key);
    for (const [answer, placed] of row.answers) difference(old?.answers.get(answer), placed, row.row);
    for (const [answer, placed] of old?.answers ?? [])
      if (!row.answers.has(answer)) difference(placed, undefined, old?.row ?? 0);
    if (old) cells.push(...otherCells(before, now, old.row, row.row));
  }
  for (const [key, row] of before.rows)
    if (!now.rows.has(key)) for (const placed of row.answers.values()) difference(placed, undefined, row.row);
  return { name: now.saved.name, answers, cells };
}

/** The differences in the cells of a row that hold no answers. */
function otherCells(before: ImportData, now: ImportData, oldRow: number, row: number): CellDifference[] {
  const isAnswer = (header: string) =>
    [before, now].some(({ saved }) =>
      saved.columns.some((column) => column.header === header && column.content.of === "answer"),
    );
  const headers = new Set([...before.columns.keys(), ...now.columns.keys()]);
  return [...headers].flatMap((header): CellDifference[] => {
    if (isAnswer(header)) return [];
    const [oldColumn, column] = [before.columns.get(header), now.columns.get(header)];
    const old = oldColumn === undefined ? undefined : before.sheet.cellAt(oldRow, oldColumn);
    const current = column === undefined ? undefined : now.sheet.cellAt(row, column);
    // A formula that moved names the cells of its new row, so its result is compared instead of its text.
    const hasMoved = oldRow !== row || oldColumn !== column;
    const isSame =
      hasMoved && old?.formula && current?.formula ? old.value === current.value : sameContent(old, current);
    if (isSame) return [];
    const cell =
      column === undefined
        ? addressOf({ sheetName: before.sheet.name, row: oldRow, column: oldColumn ?? 0 })
        : addressOf({ sheetName: now.sheet.name, row, column });
    return [{ cell, before: contentOf(old), now: contentOf(current) }];
  });
}

const contentOf = (cell: ReadCell | undefined) => cell ?? { value: null, formula: null };

function shownBy(answer: PlacedAnswer | undefined): ShownAnswer | null {
  if (!answer) return null;
  const { shown, texts } = answer;
  const isBlank = contentParts.every((part) => (shown[part] ?? null) === null);
  const dated = texts.updatedAt ? `, updated ${texts.updatedAt}` : "";
  return isBlank ? null : { ...shown, text: `${cited(texts)}${dated}` };
}

function isSameAnswer(one: ShownAnswer | null, other: ShownAnswer | null): boolean {
  // A column that only one version has says nothing about a change of the answer.
  return answerPartNames.every((part) => {
    const [old, current] = [one?.[part], other?.[part]];
    if (one && other && part !== "value" && (old === undefined || current === undefined)) return true;
    return (old ?? null) === (current ?? null);
  });
}

/** The table in the form that `importRows` reads: blanks are empty texts. */
function tableColumns(
  { table }: FileTable,
  sheet: ReadSheet,
): { columns: Map<string, number>; content: TableColumns; bodyRow: number } {
  const { ref, hasTotalsRow } = table;
  const rowCount = Math.max(0, ref.rows - 1 - Number(hasTotalsRow));
  const headers = Array.from({ length: ref.columns }, (_, index) =>
    String(sheet.cellAt(ref.row, ref.column + index)?.value ?? table.columnNames[index] ?? ""),
  );
  // If several columns have the same header, the first counts. Tables that Excel wrote have no such columns.
  const columns = new Map(
    [...groupBy(headers.entries(), ([, header]) => header)].map(([header, [first]]) => [
      header,
      ref.column + (first?.[0] ?? 0),
    ]),
  );
  const content: TableColumns["columns"] = new Map();
  for (const [header, column] of columns) {
    const values = Array.from(
      { length: rowCount },
      (_, index) => sheet.cellAt(ref.row + 1 + index, column)?.value ?? "",
    );
    const numberFormats = values.map((_, index) => sheet.formatAt(ref.row + 1 + index, column));
    content.set(header, { values, numberFormats });
  }
  return { columns, content: { rowCount, headers, columns: content }, bodyRow: ref.row + 1 };
}
