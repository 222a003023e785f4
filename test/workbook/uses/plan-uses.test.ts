import { describe, expect, it } from "vitest";
import { finishInTurns } from "../../../src/async/in-turns";
import type { Ahj } from "../../../src/engine/api/schemas";
import { Failure } from "../../../src/errors";
import type { AskedByFormula, AskedCall } from "../../../src/workbook/cell-formulas/asked-by-formulas";
import { namesIn, planUses, type ReadImport, type UsesLookedUp } from "../../../src/workbook/uses/plan-uses";
import { linesOfUses } from "../../../src/workbook/uses/use-lines";
import { planUsesSheet } from "../../../src/workbook/uses/uses-sheet";

const alameda: Ahj = { id: 7, name: "Alameda County", type: "county", state_code: "CA", geoid: "06001" };
const day = Date.UTC(2026, 10, 2);

function asked(row: number, call: Partial<AskedCall>, unread = 0): AskedByFormula {
  const whole = {
    ...{ name: "VALUE", jurisdictions: [], types: [], refused: [], untold: [], isDetailed: false },
    ...call,
  };
  const cell = { sheetId: "s", sheetName: "Codes", row, column: 1, rows: 1, columns: 1 };
  return {
    cell: { ...cell, formula: "=REGDATA.VALUE(A1,B1)" },
    grids: [whole],
    isWhole: true,
    calls: [whole],
    unread,
  };
}

function fees(more: Partial<ReadImport> = {}): ReadImport {
  return {
    ...{ name: "Fees", tableId: "t1", address: "Fees!A1:C9", asOfMs: day, rows: 2, failure: null },
    ahjs: [{ ...alameda }],
    types: [{ id: 1003, name: "Electrical Code in Force" }],
    ...more,
  };
}

function lookedUp(more: Partial<UsesLookedUp> = {}): UsesLookedUp {
  return { ahjs: new Map(), types: new Map(), successors: new Map(), ...more };
}

const plan = (read: Parameters<typeof planUses>[0], looked: UsesLookedUp | null = null) =>
  finishInTurns(planUses(read, looked));

describe("the uses of a workbook", () => {
  it("count each formula once for a place and a question, however often it names them, and have the first cells", async () => {
    const twice = { jurisdictions: ["06001", "06001", "06037"], types: [1003, 1003] };
    const formulas = [asked(0, twice), asked(1, { jurisdictions: ["06001"], types: [1056] })];
    const uses = await plan({ formulas, imports: [] });
    expect(uses.places).toMatchObject([
      { code: "06001", formulas: 2, imports: [], places: [{ address: "Codes!B1" }, { address: "Codes!B2" }] },
      { code: "06037", formulas: 1, places: [{ address: "Codes!B1" }] },
    ]);
    expect(uses.questions).toMatchObject([
      { code: "1003", formulas: 1 },
      { code: "1056", formulas: 1 },
    ]);
  });

  it("are one place if a formula names the geoID of a jurisdiction that an import holds", async () => {
    const formulas = [asked(4, { jurisdictions: ["06001"], types: [1003] })];
    const { places, questions } = await plan({ formulas, imports: [fees()] });
    expect(places).toMatchObject([
      {
        ...{ name: "Alameda County, CA", code: "06001", formulas: 1, imports: ["Fees"] },
        places: [{ address: "Codes!B5" }, { address: "Fees!A1:C9", tableId: "t1" }],
      },
    ]);
    expect(questions).toMatchObject([
      { name: "Electrical Code in Force", code: "1003", formulas: 1, imports: ["Fees"] },
    ]);
  });

  it("are one place under name, geoID and AHJ id once the directory has told that these are the same", async () => {
    const formulas = [
      asked(0, { jurisdictions: ["Alameda County, CA"] }),
      asked(1, { jurisdictions: ["06001"] }),
      asked(2, { jurisdictions: [7] }),
    ];
    const ahjs = new Map<string | number, Ahj>([
      ["Alameda County, CA", alameda],
      ["06001", alameda],
      [7, alameda],
    ]);
    expect(namesIn({ formulas, imports: [] }).ahjs).toEqual(["Alameda County, CA", "06001", 7]);
    expect(await plan({ formulas, imports: [] })).toMatchObject({ places: { length: 3 } });
    const { places } = await plan({ formulas, imports: [] }, lookedUp({ ahjs }));
    expect(places).toMatchObject([
      { name: "Alameda County, CA", code: "06001", formulas: 3, standing: "there" },
    ]);
  });

  it("tell what is gone, with the successors, what the key does not cover, and what was not looked up", async () => {
    const formulas = [asked(0, { jurisdictions: ["02261", "06037", "06059", "44"], types: [1003, 9999] })];
    const sentence = "Valdez-Cordova Census Area was divided in 2019.";
    const looked = lookedUp({
      ahjs: new Map<string, Failure>([
        ["02261", new Failure("unknown-jurisdiction")],
        ["06037", new Failure("outside-subscription")],
        ["06059", new Failure("many-requests")],
      ]),
      types: new Map<number, { id: number; name: string } | Failure>([
        [1003, { id: 1003, name: "Electrical Code in Force" }],
        [9999, new Failure("unknown-type")],
      ]),
      successors: new Map([
        ["02261", { sentence, nextStep: "Use both.", geoids: ["02063", "02066"], isOneToOne: false }],
      ]),
    });
    const { places, questions } = await plan({ formulas, imports: [] }, looked);
    expect(places.map(({ code, standing, successors }) => [code, standing, successors])).toEqual([
      ["02261", "gone", ["02063", "02066"]],
      ["06037", "outside", []],
      ["06059", "not-looked-up", []],
      ["44", "not-looked-up", []],
    ]);
    expect(places[0]?.why).toContain(sentence);
    expect(questions.map(({ code, standing }) => [code, standing])).toEqual([
      ["1003", "there"],
      ["9999", "gone"],
    ]);
  });

  it("name the arguments that can't be told, with the number of their formulas, and guess nothing of them", async () => {
    const formulas = [
      asked(0, { untold: ["MyPlaces"], types: [1003] }),
      asked(1, { untold: ["MyPlaces"] }),
      asked(2, {
        refused: [new Failure("invalid-argument", { detail: '"x" is neither a geoID nor a name.' })],
      }),
      asked(3, { name: "COLLECTION", jurisdictions: ["06001"] }),
      asked(4, {}, 1),
    ];
    const { untold, places } = await plan({ formulas, imports: [] });
    expect(untold.map(({ name, formulas: count, places: at }) => [name, count, at[0]?.address])).toEqual([
      ["MyPlaces", 2, "Codes!B1"],
      ['"x" is neither a geoID nor a name.', 1, "Codes!B3"],
      ["COLLECTION", 1, "Codes!B4"],
      ["=REGDATA.VALUE(A1,B1)", 1, "Codes!B5"],
    ]);
    expect(places.map(({ code }) => code)).toEqual(["06001"]);
  });

  it("have the age of each import's answers, and name an import that could not be read", async () => {
    const gone = new Failure("invalid-argument", { detail: "x" });
    const lost = fees({
      name: "Lost",
      address: null,
      asOfMs: day - 86_400_000,
      ahjs: [],
      types: [],
      failure: gone,
    });
    const uses = await plan({ formulas: [], imports: [fees(), lost] });
    expect(uses).toMatchObject({ oldestMs: day - 86_400_000, newestMs: day });
    expect(uses.imports.map(({ name, failure }) => [name, failure?.kind])).toEqual([
      ["Fees", undefined],
      ["Lost", "invalid-argument"],
    ]);
  });

  it("keep few cells of a place that many formulas name, and count all", async () => {
    const formulas = Array.from({ length: 5_000 }, (_, row) => asked(row, { jurisdictions: ["06001"] }));
    const { places } = await plan({ formulas, imports: [] });
    expect(places).toMatchObject([{ formulas: 5_000, places: { length: 5 } }]);
  });
});

it("the sheet of uses has a line for each place, question, import and argument, and no text becomes a formula", async () => {
  const formulas = [asked(0, { jurisdictions: ["06001"], types: [1003], untold: ["=HYPERLINK(1)"] })];
  const uses = await plan({ formulas, imports: [fees({ name: "=Fees" })] });
  const lines = linesOfUses(uses);
  expect(lines.map(({ kind, name }) => [kind, name])).toEqual([
    ["Place", "Alameda County, CA"],
    ["Question", "Electrical Code in Force"],
    ["Import", "=Fees"],
    ["Not told", "=HYPERLINK(1)"],
  ]);
  const sheet = planUsesSheet(uses);
  expect(sheet.columns.map(({ header }) => header)).toEqual([
    ...[
      "Kind",
      "Name",
      "Code",
      "Formulas",
      "Imports",
      "Where",
      "Standing",
      "Meant now",
      "More",
      "As of (UTC)",
    ],
  ]);
  expect(sheet.rows).toHaveLength(4);
  expect(sheet.rows[2]?.[1]).toEqual({ value: "=Fees", numberFormat: "@" });
  expect(sheet.rows[0]?.[2]).toEqual({ value: "06001", numberFormat: "@" });
  expect(sheet.rows[0]?.[5]).toMatchObject({ value: "Codes!B1; Fees!A1:C9", documentReference: "Codes!B1" });
  expect(sheet.rows[2]?.[9]?.numberFormat).toBe("yyyy-mm-dd hh:mm:ss");
});
