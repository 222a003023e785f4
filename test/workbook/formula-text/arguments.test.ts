import { describe, expect, it } from "vitest";
import type { Ahj } from "../../../src/engine/api/schemas";
import type { Resolution } from "../../../src/engine/lookup/directory/edition";
import { Failure } from "../../../src/errors";
import {
  constant,
  constantsIn,
  typedConstant,
  wordIn,
} from "../../../src/workbook/formula-text/argument-constants";
import { notADate, notOneOf, withExample } from "../../../src/workbook/formula-text/argument-refusals";
import { argumentSize } from "../../../src/workbook/formula-text/argument-size";
import { suggestions, suggestionsFor } from "../../../src/workbook/formula-text/argument-suggestions";
import { joinedCitation } from "../../../src/workbook/formula-text/answer-fields";
import { nameInFormula } from "../../../src/engine/lookup/directory/codes";
import { nameInFormulas } from "../../../src/workbook/formula-text/jurisdiction-name";

const ahj = (id: number, geoid: string | null): Ahj => ({
  ...{ id, geoid, name: `AHJ ${id}`, type: "county", state_code: "CA" },
});

describe("values in a formula", () => {
  it("are a constant if there is one, otherwise an array that goes down or across", () => {
    expect(constant(["06001"])).toBe('"06001"');
    expect(constant([1003])).toBe("1003");
    expect(constant(["06001", 7])).toBe('{"06001";7}');
    expect(constant(["06001", 7], "across")).toBe('{"06001",7}');
    expect(constant([])).toBe("{}");
  });

  it("cannot end their quotation", () => {
    expect(constant(['"&WEBSERVICE(A1)&"'])).toBe('"""&WEBSERVICE(A1)&"""');
  });

  it.each([
    [undefined, []],
    ['"06001"', ["06001"]],
    ["1003", [1003]],
    ['{"06001",7;8,"x"}', ["06001", 7, 8, "x"]],
    ["A1", null],
    ["TRUE", null],
    ["{1,TRUE}", null],
    ["", null],
  ])("are read from the argument %s as %j", (text, values) => {
    expect(constantsIn(text)).toEqual(values);
  });

  it.each([
    ["12", "12"],
    ["-2.5", "-2.5"],
    ["0", "0"],
    ["0.123456", "0.123456"],
    ["999999999999999", "999999999999999"],
    // A text that a number could change stays a text.
    ["06001", '"06001"'],
    ["1e5", '"1e5"'],
    ["1.1234567", '"1.1234567"'],
    ["1234567890123456", '"1234567890123456"'],
    ["12 feet", '"12 feet"'],
    ["=1", '"=1"'],
    ["+1", '"+1"'],
    ["", '""'],
  ])("typed as %s are %s: a number only where that is certain", (typed, text) => {
    expect(typedConstant(typed)).toBe(text);
  });

  it.each([
    ['"Wide"', "wide"],
    [' "LONG" ', null],
    ["long", "long"],
    ['" long "', "long"],
    ["A1", null],
    ['"wide"x', null],
  ])("%s names the word %s", (text, word) => {
    expect(wordIn(text, ["wide", "long"])).toBe(word);
  });
});

describe("the size of an argument", () => {
  it.each([
    ["1003", 1, 1],
    ['{"a";"b";"c"}', 3, 1],
    ["{1,2;3,4;5,6}", 3, 2],
    ["A2:C41", 40, 3],
    ["'My sheet'!$B$2", 1, 1],
    ["A:B", 1_048_576, 2],
    ["2:4", 3, 16_384],
  ])("%s is %d rows and %d columns", (text, rows, columns) => {
    expect(argumentSize(text)).toEqual({ rows, columns });
  });

  it.each(["Fees[geoID]", "myName", "A1#", "A1+1", "SUM(A1)", ""])(
    "can't be told of %j without calculating",
    (text) => {
      expect(argumentSize(text)).toBeNull();
    },
  );
});

describe("a refused argument", () => {
  it("is quoted, with the words that it may be", () => {
    expect(notOneOf("cite", ["value", "text"])).toMatchObject({
      kind: "invalid-argument",
      detail: '"cite" is none of: value, text.',
    });
    expect(notOneOf("updated", ["unit", "updated_at"]).nextStep).toBe('Did you mean "updated_at"?');
    expect(notOneOf("se", ["section", "set", "text"]).nextStep).toBeUndefined();
    expect(notADate("soon")).toMatchObject({ kind: "invalid-argument", detail: '"soon" is not a date.' });
  });

  it("gets an example that shows such an argument", () => {
    const { nextStep } = withExample(notOneOf("price", ["value", "section"]), "VALUE");
    expect(nextStep).toContain('=REGDATA.VALUE("06001", 1003, "section", "none")');
  });

  it("gets an example as its next step, unless it has advice of its own", () => {
    expect(withExample(notADate("soon"), "CHANGED")).toMatchObject({
      kind: "invalid-argument",
      detail: '"soon" is not a date.',
      nextStep:
        'Write it like =REGDATA.CHANGED("06001", 1003, DATE(2026,3,1)); the help shows more examples.',
    });
    const advised = new Failure("invalid-argument", { nextStep: "Ask for one." });
    expect(withExample(advised, "VALUE")).toBe(advised);
    const other = new Failure("unreachable");
    expect(withExample(other, "VALUE")).toBe(other);
  });
});

describe("the words that Excel suggests", () => {
  it("are those that the argument may be, with what they mean", () => {
    expect(suggestions.map(({ id, type }) => [id, type])).toEqual(
      ["field", "layout", "match", "show"].map((role) => [role, "string"]),
    );
    expect(suggestions.find(({ id }) => id === "layout")?.values).toEqual([
      { name: "wide", stringValue: "wide", tooltip: "A row for each jurisdiction" },
      { name: "long", stringValue: "long", tooltip: "A row for each value" },
    ]);
  });

  it("belong to a place in a function's arguments", () => {
    expect(suggestionsFor("VALUE", 2)).toBe("field");
    expect(suggestionsFor("MATRIX", 3)).toBe("field");
    expect(suggestionsFor("COLLECTION", 2)).toBe("layout");
    expect(suggestionsFor("FIND", 4)).toBe("match");
    expect(suggestionsFor("FIND", 5)).toBe("show");
    for (const [name, place] of [
      ["VALUE", 0],
      ["VALUE", 9],
      ["MATRIX", 2],
      ["GEOID", 0],
      ["toString", 0],
    ] as const)
      expect(suggestionsFor(name, place)).toBeUndefined();
  });
});

describe("the text for a jurisdiction in a formula", () => {
  const other: Resolution = ahj(9, "06001");
  const resolving = (resolution: Resolution | undefined) => ({
    resolved: () => resolution,
    resolve: (geoids: Iterable<string>, options?: object) => {
      expect(options).toEqual({ keptOnly: true });
      return Promise.resolve(new Map(resolution ? [...geoids].map((geoid) => [geoid, resolution]) : []));
    },
  });

  it.each([
    ["its geoID if that is known to be its own", ahj(7, "06001"), ahj(7, "06001"), "06001"],
    ["its id if the geoID is another's", ahj(7, "06001"), other, "ahj:7"],
    ["its id if the geoID is ambiguous", ahj(7, "06001"), new Failure("unresolved-jurisdiction"), "ahj:7"],
    ["its id if nothing is known of the geoID", ahj(7, "06001"), undefined, "ahj:7"],
    ["its id if it has no geoID", ahj(7, null), ahj(7, null), "ahj:7"],
  ])("is %s", async (_, asked, resolution, text) => {
    expect(await nameInFormula(asked, resolving(resolution))).toBe(text);
  });

  it.each([
    ["its geoID if that is its own", ahj(8, "06001"), ahj(8, "06001"), "06001"],
    ["its id if the geoID is another's", ahj(8, "06001"), other, "ahj:8"],
    ["its id if others of the list with its geoID have lower ids", ahj(8, "06001"), undefined, "ahj:8"],
    ["its geoID if it has the lowest id of the list", ahj(7, "06001"), undefined, "06001"],
    [
      "its geoID if it has the lowest id, and the geoID is in doubt",
      ahj(7, "06001"),
      new Failure("unresolved-jurisdiction"),
      "06001",
    ],
    ["its id if it has no geoID", ahj(6, null), undefined, "ahj:6"],
    ["its id if it is not of the list", ahj(3, "06999"), undefined, "ahj:3"],
  ])("in a list is %s", (_, asked, resolution, text) => {
    const list = [ahj(8, "06001"), ahj(7, "06001"), ahj(9, "06001"), ahj(6, null)];
    expect(nameInFormulas(list, resolving(resolution))(asked)).toBe(text);
  });
});

describe("the citation of an answer", () => {
  it.each([
    ["City Code", "§ 12", "City Code, § 12"],
    ["City Code", null, "City Code"],
    [null, "§ 12", "§ 12"],
    [null, null, ""],
  ])("of the reference %s and the section %s is %j", (reference, section, text) => {
    expect(joinedCitation({ reference, section })).toBe(text);
  });
});
