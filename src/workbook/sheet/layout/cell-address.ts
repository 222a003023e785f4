/**
 * The address of a table's cell with its sheet, as Excel writes it (`'RegData matrix'!F12`), from the address of the whole table. The row
 * counts from the header and the column from the first one, both from zero.
 */
export function cellAddress(tableAddress: string, row: number, column: number): string {
  const [, sheet = "", letters = "A", firstRow = "1"] =
    /^(.*!)?\$?([A-Z]+)\$?(\d+)(?::[^!]*)?$/s.exec(tableAddress) ?? [];
  return sheet + lettersOf(numberOf(letters) + column) + String(Number(firstRow) + row);
}

/** The address of a cell with its sheet, such as `'Permit fees'!F12`. Row and column count from zero. */
export function addressOf({
  sheetName,
  row,
  column,
}: {
  sheetName: string;
  row: number;
  column: number;
}): string {
  const quoted = /^[A-Za-z_]\w*$/.test(sheetName) ? sheetName : `'${sheetName.replaceAll("'", "''")}'`;
  return cellAddress(`${quoted}!A1`, row, column);
}

/** The name of the sheet in an address, without its quotes; "" if the address names none. */
export function sheetNameIn(address: string): string {
  return address
    .slice(0, Math.max(0, address.lastIndexOf("!")))
    .replace(/^'(.*)'$/s, "$1")
    .replaceAll("''", "'");
}

/** The letters of a column: "A" for 0, "AA" for 26. */
export function columnLetters(column: number): string {
  return lettersOf(column + 1);
}

/** The number of a column, from zero, by its letters: 0 for "A", 26 for "AA". */
export function columnIndex(letters: string): number {
  return numberOf(letters) - 1;
}

/** True if an address without a sheet's name, such as `$A$2:B9` or `A:A`, includes this cell, whose row and column count from zero. */
export function holdsCell(address: string, { row, column }: { row: number; column: number }): boolean {
  const ends = address.replaceAll("$", "").toUpperCase().split(":");
  const isBetween = (at: number, limits: number[]) =>
    // Addresses of whole columns name no rows, and those of whole rows name no columns.
    limits.length === 0 || (at >= Math.min(...limits) && at <= Math.max(...limits));
  const rows = ends.flatMap((end) => /\d+/.exec(end)?.map(Number) ?? []);
  const columns = ends.flatMap((end) => /^[A-Z]+/.exec(end)?.map(numberOf) ?? []);
  return isBetween(row + 1, rows) && isBetween(column + 1, columns);
}

/** The number of a column from its letters, which are digits from 1 to 26: 1 for "A", 27 for "AA". */
function numberOf(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** The letters of a column from its number: "A" for 1, "AA" for 27. */
function lettersOf(column: number): string {
  let letters = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}
