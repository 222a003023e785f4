import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readFunctions } from "../../../../src/help/documented-functions";
import { argumentChoices, formulaFunctions } from "../../../../src/workbook/formula-text/formula-functions";
import {
  addressFrom,
  constant,
  constantsIn,
  emptyFormula,
  formulaState,
  formulaText,
  isComplete,
  movedTo,
  pointsAtItself,
  typedConstant,
} from "../../../../src/taskpane/cell/builder/formula-state";

const namespace = "REGDATA";

describe("a formula in the builder", () => {
  it.each([
    '=REGDATA.VALUE("06001", 1003)',
    '=REGDATA.VALUE("ahj:12", "Electrical code", "citation", "say ""none""")',
    "=REGDATA.VALUE('Bob''s list'!$A$2:$A$9, B1:D1, , 0)",
    '=REGDATA.MATRIX({"06037";"06001"}, {1003,1056}, FALSE, "status")',
    "=REGDATA.MATRIX(A2#, Types[id])",
    '=REGDATA.CITATION(TEXT(A1, "00000"), INDEX(B:B, (2)))',
    "=REGDATA.CARD(A1, B1)",
    "=REGDATA.VALUE()",
  ])("%s comes out as it went in", (formula) => {
    const state = formulaState(formula, namespace);
    expect(state && formulaText(state, namespace)).toBe(formula);
  });

  it.each([
    '=IFERROR(REGDATA.VALUE("06001", 1003), "none")',
    '=REGDATA.VALUE("06001", 1003) + 1',
    '=REGDATA.AHJS("CA")',
    '=REGDATA.CARD("06001", 1003, 1)',
    "=SUM(A1:A3)",
    "=REGDATA.VALUE(",
    "06001",
  ])("is not opened where it can't be shown whole: %s", (formula) => {
    expect(formulaState(formula, namespace)).toBeNull();
  });

  it("keeps what another function takes as well, and leaves out what it does not", () => {
    const value = formulaState('=REGDATA.VALUE(A1, B1, "unit", "none")', namespace) ?? emptyFormula;
    expect(formulaText({ ...value, name: "MATRIX" }, namespace)).toBe('=REGDATA.MATRIX(A1, B1, , "unit")');
    expect(formulaText({ ...value, name: "CARD" }, namespace)).toBe("=REGDATA.CARD(A1, B1)");
  });

  it("is complete with a jurisdiction and a type", () => {
    expect(isComplete(emptyFormula)).toBe(false);
    expect(isComplete({ name: "VALUE", args: { types: "1003" } })).toBe(false);
    expect(isComplete({ name: "VALUE", args: { jurisdictions: "A1", types: "1003" } })).toBe(true);
  });
});

describe("text from outside", () => {
  it.each(['"),HYPERLINK("http://evil","x', 'say "hi"', "=1+1", "{1,2}", "a,b", "'", "\n"])(
    "stays one text in a formula: %j",
    (text) => {
      const args = { jurisdictions: constant(["06001", text], "down"), ifMissing: typedConstant(text) };
      const again = formulaState(
        formulaText({ name: "VALUE", args: { ...args, types: "1003" } }, namespace),
        namespace,
      );
      expect(constantsIn(again?.args.jurisdictions)).toEqual(["06001", text]);
      expect(constantsIn(again?.args.ifMissing)).toEqual([text]);
      expect(again?.args.types).toBe("1003");
    },
  );

  it("is a number only where it certainly is one", () => {
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

describe("an address", () => {
  it("is called as the target's sheet calls it", () => {
    const area = (address: string) => ({ sheetId: "1", address });
    expect(addressFrom("1", area("Sheet1!A2:A5"))).toBe("A2:A5");
    expect(addressFrom("2", area("Sheet1!A2:A5"))).toBe("'Sheet1'!A2:A5");
    expect(addressFrom("2", area("'Bob''s ! list'!A2"))).toBe("'Bob''s ! list'!A2");
    expect(addressFrom("1", area("'Bob''s ! list'!A2"))).toBe("A2");
  });

  it("still means the same cells when the formula goes to another sheet", () => {
    const args = { jurisdictions: "$A$2:A5", types: "Other!B1", ifMissing: '"A1"', field: "Rates" };
    const state = { name: "VALUE", args } as const;
    const from = { sheetId: "1", address: "'My sheet'!C1" };
    expect(movedTo("2", state, from).args).toEqual({ ...args, jurisdictions: "'My sheet'!$A$2:A5" });
    expect(movedTo("1", state, from)).toEqual(state);
    const spill = { name: "CARD", args: { jurisdictions: "A2#", types: "B:B" } } as const;
    expect(movedTo("2", spill, from).args).toEqual({
      jurisdictions: "'My sheet'!A2#",
      types: "'My sheet'!B:B",
    });
  });
});

describe("a formula that would point at its own cell", () => {
  const target = { address: "'My sheet'!B5", row: 4, column: 1 };
  const pointing = (jurisdictions: string) =>
    pointsAtItself({ name: "VALUE", args: { jurisdictions, types: "1003" } }, target);

  it.each(["B5", "$A$2:$B$9", "C9:A1", "B:B", "3:7", "'my sheet'!A1:C9", "B5#"])("is seen: %s", (cells) => {
    expect(pointing(cells)).toBe(true);
  });

  it.each(["B6", "A2:A50", "C:D", "6:7", "Sheet1!B5", '"B5"', "{1,2}", "Rates", "AB5"])(
    "is not one that points elsewhere: %s",
    (cells) => {
      expect(pointing(cells)).toBe(false);
    },
  );
});

describe("what the pane knows of the functions", () => {
  const documented = readFunctions(readFileSync("src/functions/functions.ts", "utf8"));
  const roles: Record<string, string> = {
    geoid: "jurisdictions",
    geoids: "jurisdictions",
    question_id: "types",
    question_ids: "types",
    if_missing: "ifMissing",
  };

  it("is what they take, in their order", () => {
    for (const [name, known] of Object.entries(formulaFunctions)) {
      const parameters = documented.find((one) => one.name === name)?.parameters ?? [];
      expect([name, ...parameters.map((one) => roles[one.name] ?? one.name)]).toEqual([name, ...known]);
    }
  });

  it("has every function that asks for jurisdictions and types", () => {
    const asking = documented.filter(({ parameters }) => {
      const taken = parameters.map(({ name }) => roles[name] ?? name);
      return taken.includes("jurisdictions") && (taken.includes("types") || taken.includes("collection"));
    });
    expect(asking.map(({ name }) => name).sort()).toEqual(Object.keys(formulaFunctions).sort());
  });

  it("has every choice", () => {
    const described = (name: string) =>
      documented
        .find((one) => one.name === (name === "field" ? "VALUE" : "COLLECTION"))
        ?.parameters.find((one) => one.name === name)?.description ?? "";
    for (const name of ["field", "layout"] as const) {
      const words = [...described(name).matchAll(/"(\w+)"/g)].map(([, word]) => word);
      expect(words).toEqual([...argumentChoices[name]]);
    }
  });
});
