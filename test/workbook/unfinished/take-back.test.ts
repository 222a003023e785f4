import { describe, expect, it, vi } from "vitest";
import type { PlayedExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";
import { type TakenBack, takeBackImport } from "../../../src/workbook/unfinished/take-back";
import { killedAt } from "../../reliability/killed/death";
import { killedOperations } from "../../reliability/killed/interrupted";
import { givenUp } from "../../reliability/operations";
import { openWorld, type World } from "../../reliability/world";

playExcel();

const overCells = killedOperations["an import over given-up cells"].run;
const onNewSheet = killedOperations["an import on a new sheet with its sources"].run;

/** The workbook as the next runtime finds it, after one that died as soon as `isThere` was true. */
async function interrupted(
  operation: (excel: PlayedExcel) => Promise<unknown>,
  isThere: (excel: PlayedExcel) => boolean,
): Promise<World> {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  for (let at = 0; ; at += 1) {
    const killed = await killedAt(operation, { at, to: "Excel", carriedOut: "all" });
    if (killed.status === "over") throw new Error("It was over before that.");
    const world = await killed.reopened();
    if (isThere(world.excel)) return world;
  }
}

async function takeBack({ excel, inTime }: World): Promise<TakenBack> {
  const { app } = excel;
  const [unfinished] = (await inTime(app.unfinished.list())).works;
  const work = unfinished?.work;
  if (work?.kind !== "import") throw new Error("No import was interrupted.");
  return inTime(app.workbook.run((context) => takeBackImport(context, work)));
}

const sheetNames = ({ spreadsheet }: PlayedExcel) => spreadsheet.sheets().map(({ name }) => name);
const hasSheet = (name: string) => (excel: PlayedExcel) => sheetNames(excel).includes(name);
const isFilled = (address: string) => (excel: PlayedExcel) =>
  hasSheet(address.replace(/!.*/, ""))(excel) && excel.values(address)[0]?.[0] !== "";
/** True if the import stands over the given-up cells: its first row begins with the name and ends with the id. */
const isOverCells = (excel: PlayedExcel) =>
  excel.values(`${givenUp.sheet}!B3`)[0]?.[0] === "Orange County" &&
  typeof excel.values(`${givenUp.sheet}!H3`)[0]?.[0] === "number";

describe("taking back an interrupted import over given-up cells", () => {
  it("leaves a row that somebody has changed, names it, and keeps the copy of the old cells", async () => {
    const before = await openWorld();
    const wasThere = before.excel.values(`${givenUp.sheet}!B2:H5`);
    const world = await interrupted(overCells, isOverCells);
    const { excel } = world;
    excel.enter(`${givenUp.sheet}!D4`, [["my own"]]);
    const changed = excel.values(`${givenUp.sheet}!B4:H4`)[0];
    expect(await takeBack(world)).toEqual({ kept: [`'${givenUp.sheet}'!B4`], withoutCopy: [] });
    const now = excel.values(`${givenUp.sheet}!B2:H5`);
    expect(now).toEqual([wasThere[0], wasThere[1], changed, wasThere[3]]);
    expect(sheetNames(excel).filter((name) => name.startsWith("RegData copy"))).toHaveLength(1);
  });

  it("leaves a row with a formula that somebody has typed, even if it shows what the import wrote", async () => {
    const world = await interrupted(overCells, isOverCells);
    const { excel } = world;
    const [[id]] = excel.values(`${givenUp.sheet}!H4`) as [[number]];
    excel.enter(`${givenUp.sheet}!K4`, [[id]]);
    excel.enter(`${givenUp.sheet}!H4`, [["=K4"]]);
    await world.inTime(excel.spreadsheet.idle());
    expect(excel.values(`${givenUp.sheet}!H4`)).toEqual([[id]]);
    expect((await takeBack(world)).kept).toEqual([`'${givenUp.sheet}'!B4`]);
    expect(excel.cells(`${givenUp.sheet}!H4`)[0]![0]!.formula).toBe("=K4");
  });

  it("keeps a text that is typed between its look and its writing", async () => {
    const world = await interrupted(overCells, isOverCells);
    const { excel } = world;
    let requests = 0;
    const { workbook } = excel.app;
    const typing = async (context: Excel.RequestContext) => {
      const sync = context.sync.bind(context);
      context.sync = (async (value: unknown) => {
        await sync();
        // The second request looks at the cells; the first one reads the sheets.
        if ((requests += 1) === 2) excel.enter(`${givenUp.sheet}!D3`, [["just typed"]]);
        return value;
      }) as typeof context.sync;
      const [unfinished] = works;
      return takeBackImport(context, unfinished!.work as never);
    };
    const { works } = await world.inTime(excel.app.unfinished.list());
    const taken = await world.inTime(workbook.run(typing));
    expect(taken.kept).toEqual([`'${givenUp.sheet}'!B3`]);
    expect(excel.values(`${givenUp.sheet}!D3`)).toEqual([["just typed"]]);
  });

  it("takes nothing back if the copy of the cells is gone", async () => {
    const world = await interrupted(overCells, isOverCells);
    const { excel } = world;
    const { spreadsheet } = excel;
    for (const { id, name } of spreadsheet.sheets())
      if (name.startsWith("RegData copy")) spreadsheet.deleteSheet(id);
    const before = excel.values(`${givenUp.sheet}!A1:K12`);
    expect(await takeBack(world)).toEqual({ kept: [], withoutCopy: [givenUp.sheet] });
    expect(excel.values(`${givenUp.sheet}!A1:K12`)).toEqual(before);
  });

  it("leaves cells that have moved since", async () => {
    const world = await interrupted(overCells, isOverCells);
    const { excel } = world;
    const sheetId = excel.spreadsheet.sheets().find(({ name }) => name === givenUp.sheet)!.id;
    const moved = { row: 1, column: 0, rows: 12, columns: 12 };
    excel.spreadsheet.copy({ sheetId, rect: moved }, { sheetId, row: 2, column: 0 });
    const before = excel.values(`${givenUp.sheet}!A3:K13`).filter((row) => row.includes("Orange County"));
    expect(before).toHaveLength(1);
    const { kept } = await takeBack(world);
    expect(kept.length).toBeGreaterThan(0);
    expect(excel.values(`${givenUp.sheet}!A3:K13`)).toContainEqual(before[0]);
  });
});

describe("taking back an interrupted import on a new sheet", () => {
  it("leaves the sheet if somebody has typed beside the table, and removes the table", async () => {
    const world = await interrupted(onNewSheet, isFilled("Fees!A2"));
    const { excel } = world;
    excel.enter("Fees!A40", [["mine"]]);
    expect(await takeBack(world)).toEqual({ kept: [], withoutCopy: [] });
    expect(excel.values("Fees!A40")).toEqual([["mine"]]);
    expect(excel.values("Fees!A1:C2").flat()).toEqual(["", "", "", "", "", ""]);
    expect(excel.spreadsheet.tables().map(({ name }) => name)).toHaveLength(1);
  });

  it("leaves the sheet with a formula that somebody has typed into the table, even if it shows what the import wrote", async () => {
    const world = await interrupted(onNewSheet, isFilled("Fees!A2"));
    const { excel } = world;
    const [[above], [below]] = excel.values("Fees!I2:I3") as [[number], [number]];
    expect(above).toBe(below);
    excel.enter("Fees!I2", [["=I3"]]);
    await world.inTime(excel.spreadsheet.idle());
    expect(excel.values("Fees!I2")).toEqual([[above]]);
    expect((await takeBack(world)).kept).toEqual(["Fees!A2"]);
    expect(excel.cells("Fees!I2")[0]![0]!.formula).toBe("=I3");
  });

  it("leaves the sheet if somebody has drawn a chart", async () => {
    const world = await interrupted(onNewSheet, isFilled("Fees!A2"));
    const { excel } = world;
    const sheet = excel.spreadsheet.sheets().find(({ name }) => name === "Fees")!;
    const area = { row: 0, column: 0, rows: 2, columns: 2 };
    excel.spreadsheet.drawings.add<"chart">({
      ...{ kind: "chart", sheetId: sheet.id, name: "Mine", type: "ColumnClustered", title: null },
      ...{ source: { sheetId: sheet.id, rect: area, tableId: null }, place: area },
      ...{ showsTitle: true, showsLegend: false, isReversed: false, looks: {} },
    });
    await takeBack(world);
    expect(sheetNames(excel)).toContain("Fees");
    expect(excel.values("Fees!A2")).toEqual([[""]]);
  });

  it("leaves a sheet of the same name that somebody has made", async () => {
    const world = await interrupted(onNewSheet, hasSheet("Fees"));
    const { excel } = world;
    const { spreadsheet } = excel;
    const { id } = spreadsheet.sheets().find(({ name }) => name === "Fees")!;
    spreadsheet.deleteSheet(id);
    spreadsheet.addSheet("Fees");
    excel.enter("Fees!A1", [
      ["Mine", "", "too"],
      ["", "", ""],
      ["all", "of", "it"],
    ]);
    const before = excel.values("Fees!A1:C3");
    await takeBack(world);
    expect(excel.values("Fees!A1:C3")).toEqual(before);
  });

  it("leaves a blank sheet of the same name on which somebody has colored cells", async () => {
    const world = await interrupted(onNewSheet, hasSheet("Fees"));
    const { excel } = world;
    const { spreadsheet } = excel;
    spreadsheet.deleteSheet(spreadsheet.sheets().find(({ name }) => name === "Fees")!.id);
    spreadsheet.addSheet("Fees");
    const { id } = spreadsheet.sheets().find(({ name }) => name === "Fees")!;
    spreadsheet.applyStyle(id, { row: 1, column: 1, rows: 1, columns: 1 }, { fillColor: "#00FF00" });
    expect(await takeBack(world)).toEqual({ kept: [], withoutCopy: [] });
    expect(sheetNames(excel)).toContain("Fees");
    expect(spreadsheet.look(id, 1, 1).fillColor).toBe("#00FF00");
  });

  it("takes the sheet and its sources away, and can be done twice", async () => {
    const world = await interrupted(onNewSheet, isFilled("Sources!A2"));
    const { excel } = world;
    expect(sheetNames(excel)).toEqual(expect.arrayContaining(["Fees", "Sources"]));
    expect(await takeBack(world)).toEqual({ kept: [], withoutCopy: [] });
    expect(sheetNames(excel)).not.toContain("Fees");
    expect(sheetNames(excel)).not.toContain("Sources");
    expect(await takeBack(world)).toEqual({ kept: [], withoutCopy: [] });
  });
});
