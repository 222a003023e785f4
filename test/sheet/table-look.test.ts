import { expect, it } from "vitest";
import { blankCell, textCell } from "../../src/sheet/cell-value";
import { columnWidths, wrappedColumns } from "../../src/sheet/table-look";

function columnsNamed(...headers: string[]) {
  return headers.map((header) => ({ header, content: { of: "ahj" as const, field: "name" as const } }));
}

const plan = {
  columns: columnsNamed("State", "Re-Inspection Fee", "Summary", "Blank"),
  rows: [[textCell("CA"), { value: 65, numberFormat: '"$"#,##0' }, textCell("x".repeat(300)), blankCell]],
};

it("columns are as wide as they need, within bounds", () => {
  const [state = 0, fee = 0, summary] = columnWidths(plan);
  expect(state).toBeGreaterThanOrEqual(60);
  expect(fee).toBeGreaterThan(state);
  expect(summary).toBe(260);
});

it("only long or multi-line texts wrap", () => {
  expect(wrappedColumns(plan)).toEqual([2]);
  expect(wrappedColumns({ columns: columnsNamed("a"), rows: [[textCell("one\ntwo")]] })).toEqual([0]);
});

it("what a number's format adds has room", () => {
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
