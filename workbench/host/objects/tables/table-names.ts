import { intersect } from "../../../address";
import type { Rect, TableInfo } from "../../../spreadsheet";
import { found } from "../object-model";
import type { Model } from "../object-model";

/** "Table1", "Table2"…: the first that no other has, as Excel names what is not named. */
export function nextName(kind: string, others: { name: string }[]): string {
  const taken = new Set(others.map(({ name }) => name.toLowerCase()));
  let number = 1;
  while (taken.has(`${kind}${number}`.toLowerCase())) number += 1;
  return `${kind}${number}`;
}

export function header(rect: Rect): Rect {
  return { ...rect, rows: 1 };
}

export function body(rect: Rect): Rect {
  return { ...rect, row: rect.row + 1, rows: rect.rows - 1 };
}

export function columnNames({ sheetId, rect }: TableInfo, { spreadsheet }: Model): string[] {
  return found(spreadsheet.read(sheetId, header(rect))[0]).map((cell) => cell.text);
}

/** Like Excel, gives every column a name of its own: "Column2" to a blank one, "Name2" to the second "Name". */
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

/** A table's headers are texts: of a number, a date or a formula Excel leaves what it shows. */
export function headersToTexts(table: TableInfo, model: Model): void {
  const cells = found(model.spreadsheet.read(table.sheetId, header(table.rect))[0]);
  const texts = cells.map(({ value, formula, text }) =>
    typeof value === "string" && formula === value ? null : `'${text}`,
  );
  if (texts.some((text) => text !== null))
    model.spreadsheet.writeFormulas(table.sheetId, header(table.rect), [texts]);
}

/** A header can't be blank: where its cells are cleared, Excel names the columns anew. */
export function nameClearedHeaders(sheetId: string, rect: Rect, model: Model): void {
  for (const table of model.spreadsheet.tables())
    if (table.sheetId === sheetId && intersect(header(table.rect), rect)) nameColumns(table, model);
}
