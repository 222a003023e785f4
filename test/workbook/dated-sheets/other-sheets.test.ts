import { expect, it } from "vitest";
import { isDatedSheet } from "../../../src/workbook/dated-sheets/dated-sheet";
import { planDifferences } from "../../../src/workbook/dated-sheets/differences-sheet";
import { planSummarySheet } from "../../../src/workbook/imports/summary/summary-sheet";
import { sourcesHeaders } from "../../../src/workbook/imports/sources/sources-sheet";
import { planPrecedentsSheet } from "../../../src/workbook/precedents/precedents-sheet";
import type { SelectedCell } from "../../../src/workbook/sheet/cells/selected-cell";
import { planTable } from "../../../src/workbook/sheet/layout/table-plan";
import { planUsesSheet } from "../../../src/workbook/uses/uses-sheet";

const cell: SelectedCell = {
  ...{ sheetId: "1", row: 3, column: 1, address: "Sheet1!B4", value: 130, text: "130" },
  ...{ formula: "=SUM(B2:B3)", offset: { row: 0, column: 0 }, table: null, header: null },
};
const nothing = { answers: [], typedNumbers: [], typedTexts: [], others: [], notFollowed: [] };

function headersOf({ columns }: { columns: readonly { header: string }[] }): string[] {
  return columns.map(({ header }) => header);
}

function ended<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

it.each([
  [
    "the answers in a cell",
    headersOf(planPrecedentsSheet({ of: cell, ...nothing, blanks: 0, looked: 1, isWhole: true })),
  ],
  [
    "the differences of two dated sheets",
    headersOf(ended(planDifferences({ changed: [], cited: [], came: [], went: [], same: 0 }))),
  ],
  ["a summary", headersOf(planSummarySheet([]))],
  ["sources", [...sourcesHeaders]],
  [
    "what a workbook uses",
    headersOf(
      planUsesSheet({
        places: [],
        questions: [],
        imports: [],
        untold: [],
        formulas: 0,
        isLookedUp: true,
        oldestMs: null,
        newestMs: null,
        formulasOldestMs: null,
      }),
    ),
  ],
  [
    "a long import",
    headersOf(planTable({ ahjs: [], types: [], of: () => null }, { layout: "long", hasCitations: true })),
  ],
])("the sheet of %s does not pass for a dated one", (_, headers) => {
  expect(headers.length).toBeGreaterThan(4);
  expect(isDatedSheet({ headers })).toBe(false);
});
