import { expect, it } from "vitest";
import { answersOffer } from "../../../src/taskpane/refresh/reports/EditedCells";
import type { EditedCell } from "../../../src/workbook/imports/refresh/compare-answers";

/** A cell of an import in which somebody has typed. */
function edited(row: number, said: string | null, part: EditedCell["part"] = "value"): EditedCell {
  const place = { row, header: "Fee" };
  const after = said === null && part === "value" ? null : { value: "$30", reference: said, section: null };
  return { ...{ part, place, text: "mine", isChanged: false }, after } as EditedCell;
}

it("a cell for which the service has nothing is not cleared together with others", () => {
  const cells = [edited(0, "$30"), edited(1, null), edited(2, "$50")];
  expect(answersOffer(cells)).toEqual({ cells: [cells[0], cells[2]], label: "Use the service’s 2 values" });
});

it("nor is a citation that the service does not give", () => {
  const cells = [edited(0, "Ord. 7", "reference"), edited(1, null, "reference")];
  expect(answersOffer(cells)).toEqual({ cells: [cells[0]], label: "Use the service’s 1 value" });
});

it("a single cell without an answer is offered to be cleared, in these words", () => {
  const cells = [edited(0, null)];
  expect(answersOffer(cells)).toEqual({ cells, label: "Clear it: the service has nothing" });
});

it("if all have answers, all are offered; if none has, none", () => {
  const cells = [edited(0, "$30"), edited(1, "$50")];
  expect(answersOffer(cells)).toEqual({ cells, label: "Use the service’s values for all" });
  expect(answersOffer([edited(0, null), edited(1, null)])).toBeNull();
});
