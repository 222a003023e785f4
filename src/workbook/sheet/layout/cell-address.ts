/**
 * The address of a table's cell, with its sheet as Excel writes it (`'RegData matrix'!F12`), from the address of the
 * whole table. The row counts from the header, the column from the first; both from zero.
 */
export function cellAddress(tableAddress: string, row: number, column: number): string {
  const [, sheet = "", letters = "A", firstRow = "1"] =
    /^(.*!)?\$?([A-Z]+)\$?(\d+)(?::[^!]*)?$/s.exec(tableAddress) ?? [];
  return sheet + lettersOf(numberOf(letters) + column) + String(Number(firstRow) + row);
}

/** The address of a cell with its sheet, such as `'Permit fees'!F12`; row and column count from zero. */
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

/** "A" for 0, "AA" for 26. */
export function columnLetters(column: number): string {
  return lettersOf(column + 1);
}

/** Whether an address of cells without a sheet's name, `$A$2:B9` or `A:A`, holds this one; both count from zero. */
export function holdsCell(address: string, { row, column }: { row: number; column: number }): boolean {
  const ends = address.replaceAll("$", "").toUpperCase().split(":");
  const isBetween = (at: number, limits: number[]) =>
    // Whole columns name no row, whole rows no column.
    limits.length === 0 || (at >= Math.min(...limits) && at <= Math.max(...limits));
  const rows = ends.flatMap((end) => /\d+/.exec(end)?.map(Number) ?? []);
  const columns = ends.flatMap((end) => /^[A-Z]+/.exec(end)?.map(numberOf) ?? []);
  return isBetween(row + 1, rows) && isBetween(column + 1, columns);
}

/** Columns count A…Z, AA…: digits from 1 to 26. */
function numberOf(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** "A" for 1, "AA" for 27. */
function lettersOf(column: number): string {
  let letters = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}
