import { describe, expect, it } from "vitest";
import { customCalls, shownFormula, storedFormula } from "../../xlsx/workbook-file";

/** Formulas as Excel for Windows and Mac shows them, and as it saves them. */
const pairs: [shown: string, stored: string][] = [
  ["CONTOSO.ADD(1,2)", "_xldudf_CONTOSO_ADD(1,2)"],
  [
    'IF(CONTOSO.GET("a")="x",CONTOSO.ADD(A1,B2),0)',
    'IF(_xldudf_CONTOSO_GET("a")="x",_xldudf_CONTOSO_ADD(A1,B2),0)',
  ],
  ["CONTOSO.NEXT.GET(1)", "_xldudf_CONTOSO_NEXT_GET(1)"],
  ['CONCAT("CONTOSO.ADD(",A1)', '_xlfn.CONCAT("CONTOSO.ADD(",A1)'],
  ["'CONTOSO.ADD('!A1+STDEV.S(A1:A3)", "'CONTOSO.ADD('!A1+_xlfn.STDEV.S(A1:A3)"],
  ["SORT(FILTER(A1:B9,B1:B9>2))", "_xlfn._xlws.SORT(_xlfn._xlws.FILTER(A1:B9,B1:B9>2))"],
  ["SUM(A1,LOG10(B1))", "SUM(A1,LOG10(B1))"],
  ["LET(x,1,y,x+1,x*y)", "_xlfn.LET(_xlpm.x,1,_xlpm.y,_xlpm.x+1,_xlpm.x*_xlpm.y)"],
  ["x+LET(x,1,x)", "x+_xlfn.LET(_xlpm.x,1,_xlpm.x)"],
  ["LET(f,LAMBDA(t,t*3),f(2))", "_xlfn.LET(_xlpm.f,_xlfn.LAMBDA(_xlpm.t,_xlpm.t*3),_xlpm.f(2))"],
  [
    "LAMBDA(x,[y],x+IF(ISOMITTED(y),1,y))(5)",
    "_xlfn.LAMBDA(_xlpm.x,_xlop.y,_xlpm.x+IF(_xlfn.ISOMITTED(_xlpm.y),1,_xlpm.y))(5)",
  ],
  ["BYROW(A1:B3,SUM)", "_xlfn.BYROW(A1:B3,_xleta.SUM)"],
  ["SUM(A1#)", "SUM(_xlfn.ANCHORARRAY(A1))"],
  ["@A1:A9+@CONTOSO.LIST(1)", "_xlfn.SINGLE(A1:A9)+_xlfn.SINGLE(_xldudf_CONTOSO_LIST(1))"],
  ["CONTOSO.GET(Sales[@Name],Sales[Rate])", "_xldudf_CONTOSO_GET(Sales[[#This Row],[Name]],Sales[Rate])"],
  ["[1]!CONTOSO.ADD(1)+CONTOSO.ADD(1)", "[1]!CONTOSO.ADD(1)+_xldudf_CONTOSO_ADD(1)"],
  ["[1]Sheet1!$A$1+FABRIKAM.ADD(1)", "[1]Sheet1!$A$1+FABRIKAM.ADD(1)"],
  ["CONTOSO.ADD(A2:.A9999,1003)", "_xldudf_CONTOSO_ADD(_xlfn._TRO_TRAILING(A2:A9999),1003)"],
  ["SUM('My: x'!A2.:A9)+SUM(A.:.B)", "SUM(_xlfn._TRO_LEADING('My: x'!A2:A9))+SUM(_xlfn._TRO_ALL(A:B))"],
  // Functions that are newer than this project, and what is no range.
  ["_xlfn.NEWEST(1)+_xlfn._xlws.NEXT(2)", "_xlfn.NEWEST(1)+_xlfn._xlws.NEXT(2)"],
  ["_xlfn._TRO_TRAILING(OFFSET(A1,0,0))", "_xlfn._TRO_TRAILING(OFFSET(A1,0,0))"],
  ['IMPORTCSV("a.csv")&COPILOT("x")', '_xlfn.IMPORTCSV("a.csv")&_xlfn.COPILOT("x")'],
  ['{1,"CONTOSO.ADD(";2,3}', '{1,"CONTOSO.ADD(";2,3}'],
  ["CONTOSO.ADD( 1 ,\n 2 )", "_xldudf_CONTOSO_ADD( 1 ,\n 2 )"],
];

describe("formulas as Excel shows and stores them", () => {
  const namespaces = ["CONTOSO", "CONTOSO.NEXT"];

  it.each(pairs)("%s is stored as %s", (shown, stored) => {
    expect(storedFormula(shown, namespaces)).toBe(stored);
  });

  it.each(pairs)("%s is shown, from the stored %s", (shown, stored) => {
    expect(shownFormula(stored, namespaces)).toBe(shown);
  });

  it("writes names of functions in capitals and knows a namespace in any case", () => {
    expect(storedFormula("contoso.add(1)+xlookup(1,A:A,B:B)", ["Contoso"])).toBe(
      "_xldudf_CONTOSO_ADD(1)+_xlfn.XLOOKUP(1,A:A,B:B)",
    );
  });

  it("leaves stored names as they are when it stores them again", () => {
    for (const [, stored] of pairs) expect(storedFormula(stored, namespaces)).toBe(stored);
  });

  it.each([
    ["[1]!_xldudf_CONTOSO_ADD(A2,1)", "CONTOSO.ADD(A2,1)"],
    ["1+X.xla!_xldudf_CONTOSO_ADD(A2)", "1+CONTOSO.ADD(A2)"],
    ["'C:\\a b\\X.xlam'!_xldudf_contoso_add(1)", "CONTOSO.add(1)"],
    ["_xll.contoso.add(1)", "CONTOSO.ADD(1)"],
    ["_xll._xldudf_CONTOSO_ADD(1)", "CONTOSO.ADD(1)"],
  ])("shows %s, which Excel does not call, as %s", (stored, shown) => {
    expect(customCalls(stored, "CONTOSO")).toBe("shown");
    expect(shownFormula(stored, namespaces)).toBe(shown);
  });

  it.each([
    ['3*#REF!("06001",1003)', "gone"],
    ["#REF!+SUM(1)", null],
    ["[1]!CONTOSO.ADD(1)", "elsewhere"],
    ["[1]!CONTOSO.ADD(1)+_xldudf_CONTOSO_ADD(1)", "elsewhere"],
    ["[1]!CONTOSO.ADD(1)+CONTOSO.ADD(1)", "shown"],
    ["_xll.FABRIKAM.ADD(1)", null],
  ])("takes %s as a call that is %s", (stored, kind) => {
    expect(customCalls(stored, "CONTOSO")).toBe(kind);
  });

  it("leaves custom functions of other namespaces alone", () => {
    expect(shownFormula("_xldudf_OTHER_ADD(1)", namespaces)).toBe("_xldudf_OTHER_ADD(1)");
  });

  it("leaves a formula that can't be read as it is", () => {
    for (const text of [
      'CONTOSO.ADD("unclosed',
      "_xldudf_CONTOSO_ADD((",
      "",
      "_xlfn.SINGLE(",
      "LET(",
      "@",
      "#",
    ]) {
      expect(() => [storedFormula(text, namespaces), shownFormula(text, namespaces)]).not.toThrow();
    }
    expect(storedFormula('CONTOSO.ADD("unclosed', namespaces)).toContain('"unclosed');
  });
});
