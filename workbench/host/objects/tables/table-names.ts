import { intersect } from "../../../address";
import type { Rect, TableInfo } from "../../../spreadsheet";
import { HostError } from "../../host-error";
import { found } from "../object-model";
import type { Model } from "../object-model";

/** The first of "Table1", "Table2" and so on that is not taken. Excel names new objects in this way. */
export function nextName(kind: string, others: { name: string }[]): string {
  const taken = new Set(others.map(({ name }) => name.toLowerCase()));
  let number = 1;
  while (taken.has(`${kind}${number}`.toLowerCase())) number += 1;
  return `${kind}${number}`;
}

export function header(rect: Rect): Rect {
  return { ...rect, rows: 1 };
}

/** The rows between the header row and the totals row. */
export function body({ rect, showsTotals = false }: Pick<TableInfo, "rect" | "showsTotals">): Rect {
  return { ...rect, row: rect.row + 1, rows: rect.rows - 1 - Number(showsTotals) };
}

export function totals({ rect, showsTotals = false }: TableInfo): Rect {
  // Microsoft does not document the range of a totals row that is not there: the strict assumption.
  if (!showsTotals) throw new HostError("InvalidOperation", "the table has no row of totals");
  return { ...rect, row: rect.row + rect.rows - 1, rows: 1 };
}

export function columnNames({ sheetId, rect }: TableInfo, { spreadsheet }: Model): string[] {
  return found(spreadsheet.read(sheetId, header(rect))[0]).map((cell) => cell.text);
}

/** Makes the names of a table's columns unique, as Excel does: a blank one becomes "Column2", a second "Name" becomes "Name2". */
export function nameColumns(table: TableInfo, model: Model): void {
  const given = columnNames(table, model);
  const taken = new Set<string>();
  const changed = given.map((name, index) => {
    let unique = name || `Column${index + 1}`;
    for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = `${name || "Column"}${count}`;
    taken.add(unique.toLowerCase());
    return unique === name ? null : unique;
  });
  if (changed.some((name) => name !== null))
    model.spreadsheet.writeFormulas(table.sheetId, header(table.rect), [changed]);
}

/** Turns a table's headers into texts, as Excel does: a number, a date or a formula is replaced by the text that it shows. */
export function headersToTexts(table: TableInfo, model: Model): void {
  const cells = found(model.spreadsheet.read(table.sheetId, header(table.rect))[0]);
  const texts = cells.map(({ value, formula, text }) =>
    typeof value === "string" && formula === value ? null : `'${text}`,
  );
  if (texts.some((text) => text !== null))
    model.spreadsheet.writeFormulas(table.sheetId, header(table.rect), [texts]);
}

/**
 * Writes into cells as `write` does, and then makes texts that became headers unique, one cell after the other, as Excel does: a name that another
 * column still has gets a number, though that column is about to get another name.
 */
export function writeHeaders(sheetId: string, rect: Rect, model: Model, write: () => void): void {
  const before = model.spreadsheet
    .tables()
    .filter(
      (table) => table.sheetId === sheetId && !table.hidesHeaders && intersect(header(table.rect), rect),
    )
    .map((table) => ({ table, names: columnNames(table, model) }));
  write();
  for (const { table, names } of before) {
    const written = columnNames(table, model);
    const changed = written.map((name, index) => {
      const at = table.rect.column + index;
      if (at < rect.column || at >= rect.column + rect.columns) return null;
      const isTaken = (wanted: string) =>
        names.some((other, place) => place !== index && other.toLowerCase() === wanted.toLowerCase());
      let unique = name || `Column${index + 1}`;
      for (let count = 2; isTaken(unique); count += 1) unique = `${name || "Column"}${count}`;
      names[index] = unique;
      return unique === name ? null : unique;
    });
    if (changed.some((name) => name !== null))
      model.spreadsheet.writeFormulas(sheetId, header(table.rect), [changed]);
  }
}

/** Names the columns whose header cells were cleared, as Excel does, because a header can't be blank. */
export function nameClearedHeaders(sheetId: string, rect: Rect, model: Model): void {
  for (const table of model.spreadsheet.tables())
    if (table.sheetId === sheetId && intersect(header(table.rect), rect)) nameColumns(table, model);
}
