import { expect, it } from "vitest";
import { blankCell, textCell } from "../../src/sheet/cell-value";
import { columnWidths, wrappedColumns } from "../../src/sheet/table-look";

const plan = {
  headers: ["State", "Re-Inspection Fee", "Summary", "Blank"],
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
  expect(wrappedColumns({ headers: ["a"], rows: [[textCell("one\ntwo")]] })).toEqual([0]);
});
