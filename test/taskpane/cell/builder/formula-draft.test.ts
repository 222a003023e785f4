import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readFunctions } from "../../../../src/help/documented-functions";
import {
  argumentKey,
  argumentKind,
  isKnownArgument,
} from "../../../../src/taskpane/cell/builder/argument-kinds";
import {
  addressFrom,
  draftOf,
  formulaOf,
  leastSize,
  missingSentence,
  movedTo,
  pointsAt,
  whyNoDraft,
} from "../../../../src/taskpane/cell/builder/formula-draft";
import {
  constant,
  constantsIn,
  typedConstant,
} from "../../../../src/workbook/formula-text/argument-constants";
import { formulaFunctions } from "../../../../src/workbook/formula-text/formula-functions";
import { argumentChoices } from "../../../../src/workbook/formula-text/argument-choices";

const functions = readFunctions(readFileSync("src/functions/functions.ts", "utf8"));
const known = (name: string) => functions.find((each) => each.name === name) ?? never(name);
const never = (name: string): never => {
  throw new Error(`no function ${name}`);
};
const opened = (formula: string) => draftOf(formula, functions, "REGDATA") ?? never(formula);
const written = (draft: { name: string; args: Record<string, string> }) =>
  formulaOf(draft, known(draft.name), "REGDATA");

describe("a formula in the builder", () => {
  it.each([
    '=REGDATA.VALUE("06001", 1003)',
    '=REGDATA.VALUE("ahj:12", "Electrical code", "citation", "say ""none""")',
    "=REGDATA.VALUE('Bob''s list'!$A$2:$A$9, B1:D1, , 0)",
    '=REGDATA.MATRIX({"06037";"06001"}, {1003,1056}, FALSE, "status")',
    "=REGDATA.MATRIX(A2#, Types[id])",
    '=REGDATA.CITATION(TEXT(A1, "00000"), INDEX(B:B, (2)))',
    "=REGDATA.CARD(A1, B1)",
    "=REGDATA.CHANGED(A1, B1, DATE(2026,3,1))",
    '=REGDATA.GEOID(A2:A50, "CA")',
    '=REGDATA.AHJ("06001", {"name","type"})',
    '=REGDATA.AHJS("CA", , FALSE)',
    '=REGDATA.TYPES(, "Inspections")',
    '=REGDATA.COLLECTION("Residential solar", A2:A20, "long")',
    "=REGDATA.CATEGORIES()",
    "=REGDATA.UNITS(FALSE)",
    "=REGDATA.COLLECTIONS()",
    '=REGDATA.FIND("CA", F2:H4, {1057;1003}, FALSE, "any", "unknown")',
    "=REGDATA.VALUE()",
  ])("%s comes out as it went in", (formula) => {
    expect(written(opened(formula))).toBe(formula);
  });

  it.each([
    [
      "=REGDATA.VALUE(A1, 1)&REGDATA.VALUE(A2, 1)",
      /^This formula has 2 REGDATA functions; only one can be changed/,
    ],
    ["=REGDATA.VALU(A1, 1)", /^REGDATA has no function VALU\. Did you mean VALUE\?$/],
    ["=SUM(REGDATA.VALUE(A1, 1))", /^This formula calculates with the result of REGDATA\.VALUE; /],
    ["=REGDATA.UNITS(1, 2, 3)", /^This formula has more arguments than REGDATA\.UNITS takes\.$/],
  ])("%s is told why it can't be changed", (formula, sentence) => {
    expect(draftOf(formula, functions, "REGDATA")).toBeNull();
    expect(whyNoDraft(formula, "REGDATA")).toMatch(sentence);
  });

  it.each([
    '=IFERROR(REGDATA.VALUE("06001", 1003), "none")',
    '=REGDATA.VALUE("06001", 1003) + 1',
    '=REGDATA.CARD("06001", 1003, 1)',
    "=REGDATA.OTHER(1)",
    "=SUM(A1:A3)",
    "=REGDATA.VALUE(",
    "06001",
  ])("is not opened if it can't be shown whole: %s", (formula) => {
    expect(draftOf(formula, functions, "REGDATA")).toBeNull();
  });

  it("keeps arguments that another function takes as well, and drops the others", () => {
    const value = opened('=REGDATA.VALUE(A1, B1, "unit", "none")');
    expect(written({ ...value, name: "MATRIX" })).toBe('=REGDATA.MATRIX(A1, B1, , "unit")');
    expect(written({ ...value, name: "CARD" })).toBe("=REGDATA.CARD(A1, B1)");
    // AHJ's fields are no fields of an answer, so they are dropped.
    expect(written({ ...value, name: "AHJ" })).toBe("=REGDATA.AHJ(A1)");
  });

  it("says which arguments are missing", () => {
    expect(missingSentence({ name: "VALUE", args: {} }, known("VALUE"))).toBe(
      "Choose jurisdictions and questions, or select cells.",
    );
    expect(missingSentence(opened("=REGDATA.CHANGED(A1, B1)"), known("CHANGED"))).toBe(
      "Choose a date, or select cells.",
    );
    expect(missingSentence(opened("=REGDATA.VALUE(A1, 1003)"), known("VALUE"))).toBeNull();
    expect(missingSentence(opened("=REGDATA.AHJS()"), known("AHJS"))).toBeNull();
    expect(missingSentence(opened("=REGDATA.FIND(, , 1057)"), known("FIND"))).toBe(
      "Choose where to look and the cells with the conditions, or select cells.",
    );
  });
});

describe("a text from outside", () => {
  it.each(['"),HYPERLINK("http://evil","x', 'say "hi"', "=1+1", "{1,2}", "a,b", "'", "\n"])(
    "stays one text in a formula: %j",
    (text) => {
      const args = { geoid: constant(["06001", text]), question_id: "1003", if_missing: typedConstant(text) };
      const again = opened(written({ name: "VALUE", args }));
      expect(constantsIn(again.args.geoid)).toEqual(["06001", text]);
      expect(constantsIn(again.args.if_missing)).toEqual([text]);
      expect(again.args.question_id).toBe("1003");
    },
  );

  it("is a number only if it certainly is one", () => {
    expect(["0", "-1.5", "06001", "1e5", "1,5", "12345678901234567890"].map(typedConstant)).toEqual([
      "0",
      "-1.5",
      '"06001"',
      '"1e5"',
      '"1,5"',
      '"12345678901234567890"',
    ]);
  });
});

describe("an address in the formula builder", () => {
  it("has a sheet's name only if the formula is on another sheet", () => {
    const area = (address: string) => ({ sheetId: "1", address });
    expect(addressFrom("1", area("Sheet1!A2:A5"))).toBe("A2:A5");
    expect(addressFrom("2", area("Sheet1!A2:A5"))).toBe("'Sheet1'!A2:A5");
    expect(addressFrom("2", area("'Bob''s ! list'!A2"))).toBe("'Bob''s ! list'!A2");
    expect(addressFrom("1", area("'Bob''s ! list'!A2"))).toBe("A2");
  });

  it("still means the same cells when the formula goes to another sheet", () => {
    const args = { geoid: "$A$2:A5", question_id: "Other!B1", if_missing: '"A1"', field: "Rates" };
    const draft = { name: "VALUE", args };
    const from = { sheetId: "1", address: "'My sheet'!C1" };
    expect(movedTo("2", draft, from).args).toEqual({ ...args, geoid: "'My sheet'!$A$2:A5" });
    expect(movedTo("1", draft, from)).toEqual(draft);
    const spill = { name: "CARD", args: { geoid: "A2#", question_id: "B:B" } };
    expect(movedTo("2", spill, from).args).toEqual({
      geoid: "'My sheet'!A2#",
      question_id: "'My sheet'!B:B",
    });
  });

  const target = { address: "'My sheet'!B5", row: 4, column: 1 };

  it.each(["B5", "$A$2:$B$9", "C9:A1", "B:B", "3:7", "'my sheet'!A1:C9", "B5#"])(
    "refers to the target cell if its cells include it: %s",
    (cells) => {
      expect(pointsAt(cells, target)).toBe(true);
    },
  );

  it.each(["B6", "A2:A50", "C:D", "6:7", "Sheet1!B5", '"B5"', "{1,2}", "Rates", "AB5"])(
    "does not refer to the target cell if its cells are others: %s",
    (cells) => {
      expect(pointsAt(cells, target)).toBe(false);
    },
  );
});

describe("the room that a formula takes", () => {
  it.each([
    ['=REGDATA.VALUE("06001", 1003)', 1, 1],
    ["=REGDATA.VALUE(A2:A50, B1:H1)", 49, 7],
    ["=REGDATA.CARD($B:$B, 1003)", 1_048_576, 1],
    ["=REGDATA.CHANGED(Sheet2!A2:A3, {1003,1056}, J1)", 2, 2],
    ["=REGDATA.MATRIX(A2:A41, B1:K1)", 41, 12],
    ["=REGDATA.MATRIX(A2:A41, B1:K1, FALSE)", 40, 12],
    ["=REGDATA.GEOID(A2:B50)", 49, 2],
    ['=REGDATA.AHJ(A2:A50, {"name","type","state_code"})', 49, 3],
    // A size that cannot be known without calculating counts as one.
    ["=REGDATA.VALUE(A2#, B1:H1)", 1, 7],
    ['=REGDATA.AHJS("CA")', 2, 1],
    ["=REGDATA.UNITS(FALSE)", 1, 1],
    ['=REGDATA.FIND("CA", F2:H4)', 2, 3],
    ['=REGDATA.FIND("CA", F2:H4, {1057,1003}, FALSE)', 1, 5],
  ])("%s takes %d × %d cells at least", (formula, rows, columns) => {
    expect(leastSize(opened(formula))).toEqual({ rows, columns });
  });
});

describe("the pane's knowledge of the functions", () => {
  it("has a kind of input for each of their arguments", () => {
    for (const { name, parameters } of functions) {
      for (const parameter of parameters) {
        const key = argumentKey(name, parameter.name);
        expect(isKnownArgument(key), `${name}: ${parameter.name}`).toBe(true);
        if (!parameter.optional) expect(argumentKind(key).noun, key).toBeDefined();
      }
    }
  });

  const roles: Record<string, string> = {
    geoid: "jurisdictions",
    geoids: "jurisdictions",
    question_id: "types",
    question_ids: "types",
    columns: "types",
    if_missing: "ifMissing",
  };

  it("has the arguments that they take, in their order", () => {
    for (const [name, taken] of Object.entries(formulaFunctions)) {
      const { parameters } = known(name);
      expect([name, ...parameters.map((one) => roles[one.name] ?? one.name)]).toEqual([name, ...taken]);
    }
  });

  it("has every function that asks for jurisdictions and types", () => {
    const asking = functions.filter(({ parameters }) => {
      const taken = parameters.map(({ name }) => roles[name] ?? name);
      if (taken.includes("where")) return true;
      return taken.includes("jurisdictions") && (taken.includes("types") || taken.includes("collection"));
    });
    expect(asking.map(({ name }) => name).sort()).toEqual(Object.keys(formulaFunctions).sort());
  });

  it("has every word that an argument accepts", () => {
    const described = (functionName: string, name: string) =>
      known(functionName).parameters.find((one) => one.name === name)?.description ?? "";
    const words = (text: string) => [...text.matchAll(/"(\w+)"/g)].map(([, word]) => word);
    expect(words(described("VALUE", "field"))).toEqual([...argumentChoices.field]);
    expect(words(described("AHJ", "field"))).toEqual([...argumentChoices.ahjField]);
    expect(words(described("COLLECTION", "layout"))).toEqual([...argumentChoices.layout]);
    expect(words(described("FIND", "match"))).toEqual([...argumentChoices.match]);
    expect(words(described("FIND", "show"))).toEqual([...argumentChoices.show]);
  });
});
