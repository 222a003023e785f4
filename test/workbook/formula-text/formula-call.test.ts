import { describe, expect, it } from "vitest";
import { formulaCalls, isReference, readArgument } from "../../../src/workbook/formula-text/formula-call";

const calls = (formula: string) => formulaCalls(formula, "RegData");
const value = (text: string, of: unknown) => ({ kind: "value", text, value: of });
const cells = (text: string, address = text) => ({ kind: "cells", text, address });

describe("the calls in a formula", () => {
  it("are told with their arguments as typed", () => {
    expect(calls('=regdata.VALUE( "06001" , $B$1,,"text")')).toEqual([
      {
        name: "VALUE",
        args: [
          value('"06001"', "06001"),
          cells("$B$1"),
          { kind: "omitted", text: "" },
          value('"text"', "text"),
        ],
        isWhole: true,
      },
    ]);
  });

  it("are listed outermost first, whole only if nothing stands around them", () => {
    const found = calls('=IFERROR(REGDATA.VALUE(REGDATA.AHJ(A1), 1003), REGDATA.CITATION("06001", 2))');
    expect(found.map(({ name, isWhole }) => [name, isWhole])).toEqual([
      ["VALUE", false],
      ["AHJ", false],
      ["CITATION", false],
    ]);
    expect(found[0]?.args).toEqual([{ kind: "other", text: "REGDATA.AHJ(A1)" }, value("1003", 1003)]);
    expect(found[2]?.args).toEqual([value('"06001"', "06001"), value("2", 2)]);
    expect(calls("=REGDATA.VALUE(REGDATA.AHJ(A1), 1)").map(({ isWhole }) => isWhole)).toEqual([true, false]);
  });

  it("are found inside LET and LAMBDA, with the meanings of LET's names", () => {
    const found = calls(
      "=LET(who, A2, fee, REGDATA.VALUE(Who, 1056), fee & REGDATA.VALUE(who, fee) & REGDATA.VALUE(other, 1))",
    );
    expect(found.map(({ args, isWhole }) => [...args, isWhole])).toEqual([
      [cells("Who", "A2"), value("1056", 1056), false],
      [cells("who", "A2"), { kind: "other", text: "fee" }, false],
      [{ kind: "other", text: "other" }, value("1", 1), false],
    ]);
    const [mapped] = calls("=LET(x, A2, MAP(B1:B9, LAMBDA(x, REGDATA.VALUE(x, 1056))))");
    expect(mapped?.args).toEqual([{ kind: "other", text: "x" }, value("1056", 1056)]);
  });

  it.each([
    ["=REGDATA.TYPES()", []],
    ["=REGDATA.AHJS(A1:B2)", [cells("A1:B2")]],
    ["=REGDATA.AHJS('My sheet'!A1)", [cells("'My sheet'!A1")]],
    ['=REGDATA.TYPES(, "Fees")', [{ kind: "omitted", text: "" }, value('"Fees"', "Fees")]],
    ["=REGDATA.AHJS(A:A)", [{ kind: "other", text: "A:A" }]],
    ["=REGDATA.AHJS(A1#)", [{ kind: "other", text: "A1#" }]],
    ["=REGDATA.AHJS(Table1[AHJ ID])", [{ kind: "other", text: "Table1[AHJ ID]" }]],
    ["=REGDATA.AHJS(myName)", [{ kind: "other", text: "myName" }]],
    ["=REGDATA.AHJS(1+2)", [{ kind: "other", text: "1+2" }]],
    ["=REGDATA.AHJS((A1))", [expect.objectContaining({ text: "(A1)" })]],
    ["=REGDATA.AHJS(TRUE,FALSE)", [value("TRUE", true), value("FALSE", false)]],
    [
      "=REGDATA.AHJS({1,2;3,4},5)",
      [
        value("{1,2;3,4}", [
          [1, 2],
          [3, 4],
        ]),
        value("5", 5),
      ],
    ],
    ["=REGDATA.AHJS({1,-2})", [value("{1,-2}", [[1, -2]])]],
    ['=REGDATA.AHJS({"a,b";")"})', [value('{"a,b";")"}', [["a,b"], [")"]])]],
    [
      '=REGDATA.AHJS("a)b,c",LEFT("x",1))',
      [value('"a)b,c"', "a)b,c"), { kind: "other", text: 'LEFT("x",1)' }],
    ],
    [
      "=REGDATA.AHJS(,)",
      [
        { kind: "omitted", text: "" },
        { kind: "omitted", text: "" },
      ],
    ],
  ])("have arguments from %s", (formula, args) => {
    expect(calls(formula)[0]?.args).toEqual(args);
  });

  it.each([
    "",
    "text",
    "=1+2",
    "=SUM(A1)",
    "=OTHER.VALUE(1)",
    "=XREGDATA.VALUE(1)",
    "=VALUE(1)",
    "=REGDATA.VALUE(",
    "=)(",
  ])("are not found in %j", (formula) => {
    expect(calls(formula)).toEqual([]);
  });
});

describe("an argument", () => {
  it.each([
    [" A1 ", cells("A1")],
    ['"06001"', value('"06001"', "06001")],
    ["  ", { kind: "omitted", text: "" }],
    ["1, 2", { kind: "other", text: "1, 2" }],
    ["A1)+(", { kind: "other", text: "A1)+(" }],
    ["SUM(A1)", { kind: "other", text: "SUM(A1)" }],
    ["(", { kind: "other", text: "(" }],
  ])("typed as %j is read as it would be in a formula", (text, argument) => {
    expect(readArgument(text)).toEqual(argument);
  });

  it.each([
    ["A1", true],
    ["Sheet1!$A$1:B2", true],
    ["myName", true],
    ["Table1[Name]", true],
    ["A1#", true],
    ["-A1", false],
    ["1", false],
    ['"A1"', false],
    ["A1+1", false],
    ["SUM(A1)", false],
    ["(", false],
    ["", false],
  ])("%s is a reference: %s", (text, expected) => {
    expect(isReference(text)).toBe(expected);
  });
});
