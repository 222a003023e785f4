import { expect, it } from "vitest";
import { blankCell, type FormattedCell, textCell } from "../../../../src/workbook/sheet/values/cell-value";
import {
  columnWidths,
  frozenColumns,
  tallRows,
  wrappedColumns,
} from "../../../../src/workbook/sheet/layout/table-look";

function columnsNamed(...headers: string[]) {
  return headers.map((header) => ({ header, content: { of: "ahj" as const, field: "type" as const } }));
}

const plan = {
  columns: columnsNamed("State", "Re-Inspection Fee", "Summary", "Blank"),
  rows: [[textCell("CA"), { value: 65, numberFormat: '"$"#,##0' }, textCell("x".repeat(300)), blankCell]],
};

it("columns are as wide as they need, within bounds", () => {
  const [state = 0, fee = 0, summary] = columnWidths(plan);
  expect(state).toBeGreaterThanOrEqual(60);
  expect(fee).toBeGreaterThan(state);
  // 22 characters, and room for two.
  expect(summary).toBe(144);
});

it("only texts of more than 22 characters or several lines wrap", () => {
  expect(wrappedColumns(plan)).toEqual([2]);
  const texts = [22, 23].map((length) => textCell("x".repeat(length)));
  expect(wrappedColumns({ columns: columnsNamed("a", "b"), rows: [texts] })).toEqual([1]);
  expect(wrappedColumns({ columns: columnsNamed("a"), rows: [[textCell("one\ntwo")]] })).toEqual([0]);
});

it("a column has room for the symbols that a number's format adds", () => {
  const width = (value: number, numberFormat: string) =>
    columnWidths({ columns: columnsNamed("A"), rows: [[{ value, numberFormat }]] })[0] ?? 0;
  expect(width(46_204, "mmmm d, yyyy")).toBeGreaterThan(width(46_204, "yyyy-mm-dd"));
  expect(width(46_204, "mmmm d, yyyy")).toBeGreaterThanOrEqual(width(46_204, "General") * 1.5);
  expect(width(5, '0 "working days"')).toBe(
    columnWidths({ columns: columnsNamed("A"), rows: [[textCell("5 working days")]] })[0],
  );
  expect(width(1_200_000_000_000, '"$"#,##0')).toBeGreaterThanOrEqual(
    columnWidths({ columns: columnsNamed("A"), rows: [[textCell("$1,200,000,000,000")]] })[0] ?? 0,
  );
});

it.each<[string, string, FormattedCell[], number]>([
  ["a header alone, with its button", "123456789", [], 89],
  ["a header of several words in two lines", "123456789 1234567", [], 89],
  ["its longest text", "A", [textCell("x".repeat(20)), textCell("x")], 132],
  ["the longest line of a text", "A", [textCell(`${"x".repeat(20)}\n${"y".repeat(10)}`)], 132],
  ["a number as it is", "123456789", [{ value: 12_345_678_901, numberFormat: "General" }], 89],
  ["a number with its separators", "A", [{ value: 1_234_567_890_123, numberFormat: "#,##0" }], 114],
  ["a number without separators", "A", [{ value: 1_234_567_890_123, numberFormat: "0" }], 90],
  ["a date", "123456789", [{ value: 46_204, numberFormat: "yyyy-mm-dd" }], 89],
  ["a date with its month's name", "A", [{ value: 46_204, numberFormat: "mmmm d, yyyy" }], 114],
])("a column is as wide as %s", (_, header, cells, width) => {
  expect(columnWidths({ columns: columnsNamed(header), rows: cells.map((cell) => [cell]) })).toEqual([width]);
});

it("a column is as wide as its first 500 rows need, and wraps if any row is long", () => {
  const rows = Array.from({ length: 501 }, (_, row) => [textCell("x".repeat(row === 500 ? 23 : 20))]);
  expect(columnWidths({ columns: columnsNamed("A"), rows })).toEqual([132]);
  expect(wrappedColumns({ columns: columnsNamed("A"), rows })).toEqual([0]);
  expect(wrappedColumns({ columns: columnsNamed("A"), rows: rows.slice(0, 500) })).toEqual([]);
});

it("a column is never wider than 22 characters of text, but as wide as its numbers", () => {
  const widths = (header: string, cell: FormattedCell) =>
    columnWidths({ columns: columnsNamed(header), rows: [[cell]] });
  expect(widths("A", textCell("Typically 2-3 weeks, longer in spring"))).toEqual([144]);
  expect(widths("Extraordinarilylongheaders and more", textCell("x"))).toEqual([144]);
  // "$12,500 per day and jurisdiction" has 32 characters.
  expect(widths("A", { value: 12_500, numberFormat: '"$"#,##0" per day and jurisdiction"' })).toEqual([204]);
});

it("columns of ids are as narrow as the ids and their header", () => {
  const columns = [{ header: "AHJ ID", content: { of: "ahj" as const, field: "id" as const } }];
  const ids = (value: number) => ({ columns, rows: [[{ value, numberFormat: "0" }]] });
  expect(columnWidths(ids(10_243))).toEqual([50]);
  expect(columnWidths(ids(1_234_567_890))).toEqual([72]);
});

it("the column of names stays in sight if it is the first", () => {
  const name = { header: "Name", content: { of: "ahj" as const, field: "name" as const } };
  const columns = [name, ...columnsNamed("Type")];
  expect(frozenColumns({ columns, rows: [] })).toBe(1);
  expect(frozenColumns({ columns: columns.toReversed(), rows: [] })).toBe(0);
  expect(frozenColumns({ columns: [{ header: "Name" }], rows: [] })).toBe(0);
});

it("rows with a text of several lines are listed in runs, those near each other together", () => {
  const rowsWith = (count: number, isTall: (row: number) => boolean) => ({
    columns: columnsNamed("A"),
    rows: Array.from({ length: count }, (_, row) => [
      textCell(isTall(row) ? "x".repeat(23) : "x".repeat(22)),
    ]),
  });
  expect(tallRows(rowsWith(10, () => false))).toEqual([]);
  expect(tallRows({ columns: columnsNamed("A"), rows: [[blankCell], [textCell("one\ntwo")]] })).toEqual([
    { start: 1, rows: 1 },
  ]);
  expect(tallRows(rowsWith(100, (row) => [3, 24, 46].includes(row)))).toEqual([
    { start: 3, rows: 22 },
    { start: 46, rows: 1 },
  ]);
  expect(tallRows(rowsWith(1_100, () => true))).toEqual([
    { start: 0, rows: 500 },
    { start: 500, rows: 500 },
    { start: 1_000, rows: 100 },
  ]);
});

it("of very many rows the first 2,000 are listed: Excel fits the others by itself", () => {
  const rows = Array.from({ length: 2_001 }, () => [textCell("x".repeat(41))]);
  const told = tallRows({ columns: columnsNamed("A"), rows });
  expect(told.reduce((sum, run) => sum + run.rows, 0)).toBe(2_000);
});
