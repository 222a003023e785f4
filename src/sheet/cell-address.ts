/**
 * The address of a table's cell, with its sheet as Excel writes it (`'RegData matrix'!F12`), from the address of the
 * whole table. The row counts from the header, the column from the first; both from zero.
 */
export function cellAddress(tableAddress: string, row: number, column: number): string {
  const [, sheet = "", letters = "A", firstRow = "1"] =
    /^(.*!)?\$?([A-Z]+)\$?(\d+)(?::[^!]*)?$/s.exec(tableAddress) ?? [];
  return sheet + lettersOf(numberOf(letters) + column) + String(Number(firstRow) + row);
}

/** Columns count A…Z, AA…: digits from 1 to 26. */
function numberOf(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

function lettersOf(column: number): string {
  let letters = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}
