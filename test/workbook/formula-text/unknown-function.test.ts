import { describe, expect, it } from "vitest";
import { unknownFunction } from "../../../src/workbook/formula-text/unknown-function";

const saidOf = (formula: string) => unknownFunction(formula, "REGDATA");

describe("a function that the add-in lacks", () => {
  it.each([
    ['=REGDATA.VALU("06001", 1003)', "REGDATA has no function VALU. Did you mean VALUE?"],
    ['=IF(A1, regdata.vlaue("06001", 1003))', "REGDATA has no function VLAUE. Did you mean VALUE?"],
    ["=REGDATA.COLECTIONS()", "REGDATA has no function COLECTIONS. Did you mean COLLECTIONS?"],
    ['=REGDATA.AJH("06001")', "REGDATA has no function AJH. Did you mean AHJ?"],
    ["=REGDATA.PRICE(1)", "REGDATA has no function PRICE."],
    [
      '=REGDATA.VALUE("06001", 1)&REGDATA.MATRX(A1, B1)',
      "REGDATA has no function MATRX. Did you mean MATRIX?",
    ],
  ])("is named for %s, with the one that may be meant", (formula, sentence) => {
    expect(saidOf(formula)).toBe(sentence);
  });

  it.each(['=REGDATA.VALUE("06001", 1003)', "=CONTOSO.VALU(1)", "=SUM(", "=A1"])(
    "is none in %s",
    (formula) => {
      expect(saidOf(formula)).toBeUndefined();
    },
  );
});
