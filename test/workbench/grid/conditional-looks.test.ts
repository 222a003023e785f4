import { describe, expect, it } from "vitest";
import { conditionalLook } from "../../../workbench/cell-rules";
import type { CellRule, ColorScale } from "../../../workbench/drawings";

const rect = { row: 0, column: 0, rows: 5, columns: 1 };
const numbers = [-5, 1, 2, 3, 30];

function rule(part: Pick<CellRule, "rule" | "look"> & Partial<CellRule>): CellRule {
  return {
    ...{ kind: "cell-rule", id: JSON.stringify(part), sheetId: "sheet-1", rect, stopsIfTrue: false },
    ...{ type: part.rule?.type ?? "" },
    ...part,
  };
}
const lookAt = (formats: (CellRule | ColorScale)[], value: string | number, row = 0) =>
  conditionalLook(formats, { row, column: 0, value, text: String(value) }, () => numbers);

describe("a conditional format", () => {
  it("goes by a value, a text or a rank, and leaves other cells (ConditionalCellValueRule and its like)", () => {
    const look = { bold: true };
    const negative = rule({ rule: { type: "CellValue", operator: "LessThan", formula1: "=0" }, look });
    const between = rule({
      rule: { type: "CellValue", operator: "Between", formula1: "=3", formula2: "=1" },
      look,
    });
    const late = rule({ rule: { type: "ContainsText", operator: "Contains", text: "LATE" }, look });
    const top = rule({ rule: { type: "TopBottom", kind: "TopPercent", rank: 40 }, look });
    const low = rule({ rule: { type: "TopBottom", kind: "BottomItems", rank: 1 }, look });
    const isMet = (format: CellRule, value: string | number) => lookAt([format], value).bold === true;
    expect([isMet(negative, -1), isMet(negative, 0), isMet(negative, "")]).toEqual([true, false, false]);
    expect([isMet(between, 1), isMet(between, 4)]).toEqual([true, false]);
    expect([isMet(late, "related"), isMet(late, "early")]).toEqual([true, false]);
    expect([isMet(top, 3), isMet(top, 2), isMet(low, -5), isMet(low, 1)]).toEqual([true, false, true, false]);
    expect(lookAt([negative], -1, 9)).toEqual({});
  });

  it("goes by the average of its cells, by deviations from it, and by errors and blanks", () => {
    const of = (criterion: string) =>
      rule({ rule: { type: "PresetCriteria", criterion }, look: { bold: true } });
    const isMet = (criterion: string, value: string | number) => lookAt([of(criterion)], value).bold === true;
    // The average is 6.2, and the standard deviation of the sample 13.6.
    expect([isMet("AboveAverage", 7), isMet("AboveAverage", 6)]).toEqual([true, false]);
    expect([isMet("OneStdDevAboveAverage", 20), isMet("OneStdDevAboveAverage", 19)]).toEqual([true, false]);
    expect([isMet("OneStdDevBelowAverage", -8), isMet("OneStdDevBelowAverage", -7)]).toEqual([true, false]);
    expect([isMet("Errors", "#N/A"), isMet("NonErrors", "#N/A"), isMet("Blanks", "")]).toEqual([
      ...[true, false, true],
    ]);
  });

  it("leaves those behind it what it does not set, and nothing if it stops them (ConditionalFormat.stopIfTrue)", () => {
    const negative = { type: "CellValue", operator: "LessThan", formula1: "=0" } as const;
    const first = rule({ rule: negative, look: { fontColor: "#0000FF", fillColor: "#90EE90" } });
    const second = rule({ rule: negative, look: { fontColor: "#FF0000", bold: true } });
    expect(lookAt([first, second], -1)).toEqual({ fontColor: "#0000FF", fillColor: "#90EE90", bold: true });
    expect(lookAt([{ ...first, stopsIfTrue: true }, second], -1)).toEqual({
      ...{ fontColor: "#0000FF", fillColor: "#90EE90" },
    });
  });

  it("shades three colors from the lowest number over a point between to the highest", () => {
    const scale: ColorScale = {
      ...{ kind: "color-scale", id: "scale", sheetId: "sheet-1", rect },
      criteria: {
        minimum: { color: "#0000FF" },
        midpoint: { color: "#FFFF00", type: "Number", formula: "0" },
        maximum: { color: "#FF0000" },
      },
    };
    expect([-5, 0, 15, 30].map((value) => lookAt([scale], value).fillColor)).toEqual([
      ...["#0000FF", "#FFFF00", "#FF8000", "#FF0000"],
    ]);
    expect(lookAt([scale], "text")).toEqual({});
  });
});
