import { printableLine } from "../output/printable";

export type TableValue = string | number | boolean | null;

/** A table of a result. Its title and columns are the program's own words. */
export interface TextTable {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly TableValue[])[];
}

/** The number of rows that the text of a result shows. The structured result has all. */
const mostRows = 50;
const mostCharacters = 160;

/** Characters that nobody sees, although a program that reads the text may take them for words. */
const unseen = /[\p{Cf}\p{Co}\p{Cn}]/gu;

/**
 * A text from the service, from a workbook or from the caller, on one line and in quotes, so that it can't pass for a word of the program
 * or for another row: `"Austin, TX"`.
 */
export function quoted(text: string, most = mostCharacters): string {
  const inQuotes = JSON.stringify(printableLine(text, most));
  return inQuotes.replace(
    unseen,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`,
  );
}

/** A line for each row, with ` | ` between its values. Each text is quoted. */
export function tableText({ title, columns, rows }: TextTable): string {
  if (rows.length === 0) return title;
  const more = rows.length - mostRows;
  return [
    title,
    columns.join(" | "),
    ...rows.slice(0, mostRows).map((row) => row.map(valueText).join(" | ")),
    ...(more > 0 ? [`${more.toLocaleString("en-US")} more rows are in the structured result.`] : []),
  ].join("\n");
}

function valueText(value: TableValue): string {
  return typeof value === "string" ? quoted(value) : value === null ? "none" : String(value);
}
