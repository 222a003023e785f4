import { describe, expect, it } from "vitest";
import { createCellMap } from "../../../src/engine/lookup/answers/cell-map";
import { ahjIdIn, isBlank, jurisdictionsOf, quoted, typeOf } from "../../../src/engine/lookup/asked-names";
import { createPlaces, hasWordBeginning, needingCounty } from "../../../src/engine/lookup/directory/places";
import { searchAhjs } from "../../../src/engine/lookup/search/search";

const jurisdictionOf = async (cell: unknown) => (await jurisdictionsOf([cell]))[0];

const invalid = (detail: string) => ({ kind: "invalid-argument", detail });

describe("a cell as a name of a jurisdiction or type", () => {
  it.each([null, undefined, "", 0])("means nothing: %j", async (cell) => {
    expect(isBlank(cell)).toBe(true);
    expect([await jurisdictionOf(cell), typeOf(cell)]).toEqual([null, null]);
  });

  it.each([
    ["ahj:7", 7],
    [" AHJ: 007 ", 7],
    ["ahj:123456789012345", 123_456_789_012_345],
    ["06001", "06001"],
    [6001, "06001"],
    [6, "06"],
    ["0500000US06001", "06001"],
    ["a-1_b", "a-1_b"],
    ["12345678901234567890", "12345678901234567890"],
    ["Alameda County, CA", "Alameda County, CA"],
    [" Alameda  County, CA ", "Alameda County, CA"],
    ["Alameda", "Alameda"],
    ["Alameda County, CA (06001)", "06001"],
    ["Rockville, MD 20850", "Rockville, MD"],
  ])("means the jurisdiction %j", async (cell, name) => expect(await jurisdictionOf(cell)).toBe(name));

  it.each([
    ["123456789012345678901", '"123456789012345678901"'],
    ["x", '"x"'],
    ["Jurisdiction", '"Jurisdiction"'],
    ["geoID", '"geoID"'],
    ["x".repeat(201), `"${"x".repeat(50)}"`],
    ["N/A", '"N/A"'],
    [-1, "-1"],
    [1.5, "1.5"],
    [true, "TRUE"],
  ])("means no jurisdiction: %j", async (cell, shown) =>
    expect(await jurisdictionOf(cell)).toMatchObject(invalid(`${shown} is neither a geoID nor a name.`)),
  );

  it("that is formatted as text and holds a formula is told as that", async () => {
    expect(await jurisdictionOf('=REGDATA.GEOID("Maricopa County, AZ")')).toMatchObject({
      kind: "invalid-argument",
      detail: '"=REGDATA.GEOID("Maricopa County, AZ")" is a formula in a cell that is formatted as text.',
      nextStep: "Set the cell's number format to General, and enter the formula again.",
    });
  });

  it.each([
    [1003, 1003],
    ["1003", 1003],
    [" 1003 ", 1003],
    [" Permit fee ", "Permit fee"],
    ["1003a", "1003a"],
    ["1e3", "1e3"],
    ["-5", "-5"],
  ])("means the type %j", (cell, name) => expect(typeOf(cell)).toBe(name));

  it.each([
    ["0", '"0" is not a question id.'],
    ["99999999999999999", '"99999999999999999" is not a question id.'],
    ["  ", '"  " is not a question id.'],
    [-5, "-5 is not a question id."],
    [1.5, "1.5 is not a question id."],
    [false, "FALSE is not a question id."],
  ])("means no type: %j", (cell, detail) => expect(typeOf(cell)).toMatchObject(invalid(detail)));

  it("is told in a sentence as it was given", () => {
    expect([quoted("a"), quoted(true), quoted(5)]).toEqual(['"a"', "TRUE", "5"]);
    expect([ahjIdIn("ahj:12"), ahjIdIn("12")]).toEqual([12, undefined]);
  });

  it.each([
    ["US06001", "06001"],
    ["06 001", "06001"],
    ["x0500000US06001", "x0500000US06001"],
    ["6001", "06001"],
    ['="06001"', "06001"],
    ["06001\u200b", "06001"],
  ])("the geoID of %j is %j", async (cell, geoid) => expect(await jurisdictionOf(cell)).toBe(geoid));

  it.each([
    ["8600000US36001", "ZIP code area"],
    ["9700000US5103000", "school district"],
    ["7950000US0600101", "public use microdata area"],
    ["6100000US06001", "state senate district"],
    ["310M700US41860", "metropolitan"],
    ["06001400100", "census tract"],
    [1001020100, "census tract"],
    ["06002", "CA has no county with the code 06002"],
    [99999, "No state's code is 99"],
    ["00006", 'For the state, write "06".'],
    ["0600000", 'may stand for all of CA. For the state, write "06".'],
    [600_000, 'may stand for all of CA. For the state, write "06".'],
    ["0600100000", 'may stand for all of Alameda County, CA. For the county, write "06001".'],
  ])("%j is refused with what it is, and never sent", async (cell, words) => {
    const [failure] = await jurisdictionsOf([cell]);
    expect(failure).toMatchObject({
      kind: "not-a-jurisdiction",
      message: expect.stringContaining(words) as string,
    });
  });

  it("of a tract is refused with the name of its county, which it offers", async () => {
    const [failure] = await jurisdictionsOf(["01001020100"]);
    expect(failure).toMatchObject({
      detail: '"01001020100": It is the code of a census tract of Autauga County, AL.',
      nextStep: 'For its county, write "01001".',
    });
  });
});

describe("the map by jurisdiction and type", () => {
  it("holds the last item that was given for a pair, for that pair only", () => {
    const cells = createCellMap<string>();
    cells.set(1, 2, "a");
    cells.set(1, 3, "b");
    cells.set(1, 2, "c");
    expect([cells.get(1, 2), cells.get(1, 3), cells.get(2, 2), cells.get(1, 4)]).toEqual([
      "c",
      "b",
      undefined,
      undefined,
    ]);
  });
});

const ahj = (id: number, name: string, type: string, state_code: string, geoid: string | null) => ({
  ...{ id, name, type, state_code, geoid },
});
const ahjs = [
  ahj(1, " California ", "state", "CA", "06"),
  ahj(2, "North Carolina", "state", "NC", "37"),
  ahj(3, "Alameda County", "county", "CA", "06001"),
  ahj(4, "Springfield", "city", "CA", "0600190001"),
  ahj(5, "Springfield", "city", "CA", "0690002"),
  ahj(6, "Springfield", "city", "NC", "3790003"),
  ahj(7, "Springfield", "utility", "CA", null),
  ahj(8, "Old Springfield", "city", "CA", "0690004"),
];
const places = createPlaces(ahjs);
const ids = (found: readonly { id: number }[]) => found.map(({ id }) => id);

describe("the place of a jurisdiction", () => {
  it("is told by its state's name and by the county in its geoID", () => {
    expect(ahjs.map(places.countyOf)).toEqual([
      ...[undefined, undefined, undefined, "Alameda County"],
      ...[undefined, undefined, undefined, undefined],
    ]);
  });

  it("is asked for if only the county tells two jurisdictions apart, and only so many times", () => {
    expect(ids(needingCounty(ahjs, places, 9))).toEqual([5]);
    expect(needingCounty(ahjs, places, 0)).toEqual([]);
  });

  it.each([
    ["north carolina", "car", true],
    ["st.mary", "mary", true],
    ["o'brien", "brien", true],
    ["north carolina", "aro", false],
    ["élan", "lan", false],
    ["carcar car", "car", true],
    ["xcar car", "car", true],
    ["x2car", "car", false],
    ["", "car", false],
  ])("in “%s” a word begins with “%s”: %j", (text, word, begins) => {
    expect(hasWordBeginning(text, word)).toBe(begins);
  });
});

describe("a search by words", () => {
  it("brings first the names that begin with them, then names that hold them", () => {
    expect(ids(searchAhjs(ahjs, { text: "springfield" }, 9))).toEqual([4, 5, 7, 6, 8]);
    expect(ids(searchAhjs(ahjs, { text: "springfield", state: "NC" }, 9))).toEqual([6]);
    expect(ids(searchAhjs(ahjs, { text: "springfield" }, 2))).toEqual([4, 5]);
    expect(ids(searchAhjs(ahjs, { text: "Springfield,ca,UTILITY" }, 9))).toEqual([7]);
    expect(ids(searchAhjs(ahjs, { text: "06001" }, 9))).toEqual([3, 4]);
    expect(searchAhjs(ahjs, { text: " , " }, 9)).toEqual([]);
    expect(searchAhjs(ahjs, { text: "springfield nowhere" }, 9)).toEqual([]);
  });
});

describe("a whole column of different texts", () => {
  const column = (textOf: (row: number) => unknown) =>
    Array.from({ length: 1_048_576 }, (_, row) => textOf(row));

  it("is refused with the number that is taken, and the rest of it is not looked at", () => {
    const cells = column((row) => `INV-${row}`);
    Object.defineProperty(cells, 100_001, {
      get() {
        throw new Error("looked at");
      },
    });
    expect(() => jurisdictionsOf(cells)).toThrow(
      "An argument may name 100,000 different jurisdictions at most.",
    );
  });

  it("is read if most of its cells are blank or repeat others", async () => {
    const read = await jurisdictionsOf(column((row) => (row < 100_000 ? "06001" : "")));
    expect([read.length, read[0], read.at(-1)]).toEqual([1_048_576, "06001", null]);
  });
});
