import { describe, expect, it } from "vitest";
import {
  formulaReferences,
  namedReferences,
  type FormulaReference,
} from "../../../src/workbook/formula-text/formula-references";

const references = (formula: string) => formulaReferences(formula, "REGDATA");

/** A reference in few words: what it names, with "?" if that can't be told, and in parentheses if it only says what is asked. */
function inShort({ text, isArgument, ...meaning }: FormulaReference): string {
  const words = meaning.kind === "untold" ? `${text}?` : `${meaning.kind} ${text}`;
  return isArgument ? `(${words})` : words;
}
const shortly = (formula: string) => references(formula).map(inShort);

describe("the references of a formula", () => {
  it.each([
    ["=SUM(B2:B9)*$C$1", ["cells B2:B9", "cells $C$1"]],
    ["=B2+B2+b3", ["cells B2", "cells b3"]],
    ["=SUM(B:B,3:4)", ["cells B:B", "cells 3:4"]],
    ["=SUM('Permit fees'!B2:B9,Fees!C1)", ["cells 'Permit fees'!B2:B9", "cells Fees!C1"]],
    ["=SUM(Jan:Dec!B2)", ["cells Jan:Dec!B2"]],
    ["=SUM(A2:B5 B1:B9)", ["cells A2:B5", "cells B1:B9"]],
    ["=SUM((B2,C3))", ["cells B2", "cells C3"]],
    ["=SUM(B2#)", ["cells B2#"]],
    ["=SUM(Fees[Amount])", ["table Fees[Amount]"]],
    ["=[@Amount]*Fees[[#Totals],[Tax]]", ["table [@Amount]", "table Fees[[#Totals],[Tax]]"]],
    ["=Rate*Sheet2!Base", ["name Rate", "name Sheet2!Base"]],
    ["=D4.Value*2", ["cells D4.Value"]],
    ['="A1"&"Fees[Amount]"', []],
    ["=1+1", []],
  ])("%s names %j", (formula, expected) => {
    expect(shortly(formula)).toEqual(expected);
  });

  it.each([
    ['=INDIRECT("B"&C1)', ['INDIRECT("B"&C1)?', "cells C1"]],
    ["=SUM(OFFSET(B2,1,0,C1))", ["OFFSET(B2,1,0,C1)?", "cells B2", "cells C1"]],
    ["=SUM(B2:INDEX(B:B,C1))", ["B2:INDEX(B:B,C1)?", "cells B2", "cells B:B", "cells C1"]],
    ["=[Costs.xlsx]Fees!B2+1", ["[Costs.xlsx]Fees!B2?"]],
    ["='C:\\Work\\[Costs.xlsx]Fees'!B2+B3", ["'[Costs.xlsx]Fees'!B2?", "cells B3"]],
    ["='https://files.example/[Costs.xlsx]Fees'!B2", ["'[Costs.xlsx]Fees'!B2?"]],
    ["=B2+#REF!", ["cells B2", "#REF!?"]],
    ["=SUM(B2", ["=SUM(B2?"]],
  ])("%s has one that can't be told, and says which: %j", (formula, expected) => {
    expect(shortly(formula)).toEqual(expected);
  });

  it("are told from what one of the add-in's functions is asked for", () => {
    expect(shortly("=REGDATA.VALUE(A2,B$1)*C2")).toEqual(["(cells A2)", "(cells B$1)", "cells C2"]);
    expect(shortly("=REGDATA.VALUE(A2,1003)*A2")).toEqual(["cells A2"]);
    expect(shortly("=SUM(REGDATA.MATRIX(A2:A9,IF(C1,D1,E1)))")).toEqual([
      ...["(cells A2:A9)", "(cells C1)", "(cells D1)", "(cells E1)"],
    ]);
  });

  it("leave out names that LET and LAMBDA declare, and follow their values", () => {
    expect(shortly("=LET(fee,B2,tax,fee*C1,fee+tax)")).toEqual(["cells B2", "cells C1"]);
    expect(shortly("=MAP(B2:B4,LAMBDA(fee,fee*Rate))")).toEqual(["name MAP", "cells B2:B4", "name Rate"]);
  });

  it("name what may be a function of the workbook's own", () => {
    expect(references("=TAXED(B2)")[0]).toMatchObject({ kind: "name", name: "TAXED", isCalled: true });
  });

  it("tell rows and columns from zero, and leave open what a whole column has not", () => {
    expect(references("=SUM(C2:B9,D:D,Jan:Dec!$A$1)")).toMatchObject([
      { range: { top: 1, left: 1, bottom: 8, right: 2 }, sheets: null },
      { range: { top: null, left: 3, bottom: null, right: 3 } },
      { range: { top: 0, left: 0, bottom: 0, right: 0 }, sheets: { first: "Jan", last: "Dec" } },
    ]);
  });

  it("tell a table's columns and parts", () => {
    expect(references("=SUM(Fees[[#This Row],[Fee]:[Tax]],[@[Plan review]],Fees[#All])")).toMatchObject([
      { table: "Fees", columns: ["Fee", "Tax"], sections: ["this row"] },
      { table: null, columns: ["Plan review"], sections: ["this row"] },
      { table: "Fees", columns: [], sections: ["all"] },
    ]);
  });
});

describe("what a defined name stands for", () => {
  it.each([
    ["=Fees!$B$2:$B$9", 1],
    ["=Fees!$B$2,'Us, too'!$B$3:$C$4", 2],
    ["=Fees[Amount]", 1],
    ["=Other", 1],
  ])("%s is %i reference(s) to cells", (formula, count) => {
    expect(namedReferences(formula)).toHaveLength(count);
  });

  it.each(["=0.07", "=SUM(Fees!$B$2:$B$9)", "=OFFSET(Fees!$B$2,1,0)", "=Fees!B2", "=LAMBDA(fee,fee*2)"])(
    "%s is a calculation, a number, or other cells in each cell",
    (formula) => {
      expect(namedReferences(formula)).toBeNull();
    },
  );
});
