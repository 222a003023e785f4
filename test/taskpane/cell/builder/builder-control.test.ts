import { SheetFailure } from "../../../../src/sheet-failure";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Session } from "../../../../src/app";
import { Failure } from "../../../../src/errors";
import { readFunctions } from "../../../../src/help/documented-functions";
import {
  type BuilderControl,
  type BuilderState,
  createBuilderControl,
} from "../../../../src/taskpane/cell/builder/builder-control";
import { askedOf, type FormulaTarget } from "../../../../src/taskpane/cell/write-control";
import { parseAddress } from "../../../../workbench/address";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { pass, playExcel } from "../../../functions/excel";

playExcel();

const functions = readFunctions(readFileSync("src/functions/functions.ts", "utf8"));

let excel: PlayedExcel;
let session: Session;
let control: BuilderControl;
let written: FormulaTarget[];

beforeEach(async () => {
  excel = openExcel({ excelApi: "1.12" });
  session = await inTime(excel.app.session());
  written = [];
});
afterEach(() => control.end());

/** Opens the builder on a cell of Sheet1. */
function open(address: string, formula = "") {
  const { row = 0, column = 0 } = parseAddress(address)?.rect ?? {};
  const target = { sheetId: "sheet-1", row, column, address: `Sheet1!${address}` };
  const opened = createBuilderControl(
    { workbook: excel.app.workbook, jobs: excel.app.jobs, lookup: session.lookup, functions },
    { target, formula },
    (place) => written.push(place),
  );
  if (!opened) throw new Error(`${formula} was not opened`);
  control = opened;
  control.start();
}
const state = (): BuilderState & { isAsking: boolean } => ({
  ...control.getState(),
  isAsking: control.asks.getState().status === "running",
});
const select = (address: string) => {
  const { rect } = parseAddress(address) ?? {};
  if (rect) excel.spreadsheet.select("sheet-1", [rect]);
};
/** A promise that the test keeps when it likes. */
function later() {
  let arrive = () => {};
  const late = new Promise<void>((resolve) => (arrive = resolve));
  return { late, arrive };
}
/** Waits until the state meets the condition. */
const becomes = (isReached: (now: ReturnType<typeof state>) => boolean) =>
  inTime(
    new Promise<ReturnType<typeof state>>((resolve) => {
      const look = () => {
        if (!isReached(state())) return;
        for (const stop of stops) stop();
        resolve(state());
      };
      const stops = [control, control.asks].map((store) => store.subscribe(look));
      look();
    }),
  );
const points = (address: string) => becomes(({ pointing }) => pointing?.address === address);

describe("selecting cells for the formula builder", () => {
  it("shows the selection as it changes, and takes nothing until the user says so", async () => {
    open("C2");
    control.point("geoid");
    select("A2:A5");
    await points("Sheet1!A2:A5");
    select("A2:A40");
    await points("Sheet1!A2:A40");
    expect(state()).toMatchObject({ formula: "=REGDATA.VALUE()", target: { address: "Sheet1!C2" } });
    control.take();
    expect(state()).toMatchObject({
      ...{ formula: "=REGDATA.VALUE(A2:A40)", pointing: null, target: { address: "Sheet1!C2" } },
    });
    select("H9");
    expect(state().formula).toBe("=REGDATA.VALUE(A2:A40)");
  });

  it("refuses the formula's own cell with a sentence", async () => {
    open("C2");
    control.point("geoid");
    select("B1:C3");
    await points("Sheet1!B1:C3");
    expect(state().pointing?.refusal).toBe("The formula goes into Sheet1!C2, so it can’t take that cell.");
    control.take();
    expect(state().formula).toBe("=REGDATA.VALUE()");
  });

  it("says why several areas can't be taken, and goes on with the next selection", async () => {
    open("C2");
    control.point("geoid");
    const rects = ["A1", "B3"].flatMap((address) => parseAddress(address)?.rect ?? []);
    excel.spreadsheet.select("sheet-1", rects);
    const { pointing } = await becomes((now) => now.pointing?.refusal != null);
    expect(pointing).toMatchObject({ address: undefined });
    select("A7");
    await points("Sheet1!A7");
    expect(state().pointing?.refusal).toBeNull();
  });

  it("is given up without a trace", async () => {
    open("C2", '=REGDATA.VALUE("06001", 1003)');
    control.point("geoid");
    await points("Sheet1!A1");
    control.stopPointing();
    expect(state()).toMatchObject({ pointing: null, formula: '=REGDATA.VALUE("06001", 1003)' });
  });

  it("moves the formula to another cell, but to none that is one of its arguments", async () => {
    open("C2");
    control.set("geoid", "A2:A5");
    control.set("question_id", "1003");
    control.point(null);
    select("A3");
    await points("Sheet1!A3");
    expect(state().pointing?.refusal).toBe("The formula takes its arguments from there.");
    select("F9");
    await points("Sheet1!F9");
    control.take();
    expect(state()).toMatchObject({ target: { address: "Sheet1!F9", row: 8, column: 5 } });
    // A typed address is checked as well.
    control.set("geoid", "F:F");
    expect(state().notYet).toMatch(/^The formula would take its own cell, Sheet1!F9\./);
  });
});

describe("pointing at cells in the formula builder", () => {
  it("waits for the address, and takes nothing before it is read", async () => {
    open("C2", '=REGDATA.VALUE("06001", 1003)');
    select("A7");
    control.point("geoid");
    const pointing = { at: "geoid", address: undefined, refusal: null };
    expect(state().pointing).toEqual(pointing);
    control.take();
    expect(state()).toMatchObject({ pointing, formula: '=REGDATA.VALUE("06001", 1003)' });
    await points("Sheet1!A7");
    control.take();
    expect(state().formula).toBe("=REGDATA.VALUE(A7, 1003)");
    control.take();
    expect(state().formula).toBe("=REGDATA.VALUE(A7, 1003)");
  });

  it("takes the failure away that was shown before", async () => {
    open("C2");
    vi.spyOn(excel.app.workbook, "valuesAt").mockRejectedValueOnce(new SheetFailure("sheet-refused"));
    control.set("geoid", "A2");
    control.set("question_id", "1003");
    await becomes(({ failure }) => failure !== undefined);
    control.point("geoid");
    expect(state().failure).toBeUndefined();
  });

  it("is given up when another function is chosen", async () => {
    open("C2");
    control.point("geoid");
    await points("Sheet1!A1");
    control.chooseFunction("AHJS");
    select("A7");
    await pass(1_000);
    expect(state()).toMatchObject({ pointing: null, formula: "=REGDATA.AHJS()" });
  });

  it("ends with the screen: no selection is shown or taken any more", async () => {
    open("C2");
    control.point("geoid");
    await points("Sheet1!A1");
    control.end();
    expect(state().pointing).toBeNull();
    select("A7");
    await pass(1_000);
    control.take();
    expect(state()).toMatchObject({ pointing: null, formula: "=REGDATA.VALUE()" });
  });
});

describe("a preview in the formula builder", () => {
  it("is that of the present arguments, even if what was read for earlier ones arrives later", async () => {
    excel.enter("A2", [["'06001"]]);
    open("C2");
    control.set("question_id", "1003");
    const { late, arrive } = later();
    vi.spyOn(excel.app.workbook, "valuesAt").mockImplementationOnce(() => late.then(() => [[[""]]]));
    control.set("geoid", "B2");
    control.set("geoid", "A2");
    await becomes(({ preview }) => preview !== undefined);
    arrive();
    await pass(1_000);
    expect(state().preview).toMatchObject({ status: "not-asked" });
  });

  it("is not looked up while something is missing", async () => {
    open("C2");
    control.set("geoid", '"06001"');
    await pass(1_000);
    expect(state()).toMatchObject({ preview: undefined, notYet: expect.any(String) as unknown });
  });

  it("says why the cells of the arguments can't be read, until something else is chosen", async () => {
    open("C2");
    control.set("question_id", "1003");
    const valuesAt = vi.spyOn(excel.app.workbook, "valuesAt");
    valuesAt.mockRejectedValueOnce(new SheetFailure("sheet-refused"));
    control.set("geoid", "A2");
    expect((await becomes(({ failure }) => failure !== undefined)).failure?.kind).toBe("sheet-refused");
    control.set("geoid", '"06001"');
    expect(state().failure).toBeUndefined();
  });

  it("does not tell of cells that could not be read for earlier arguments", async () => {
    open("C2");
    control.set("question_id", "1003");
    const { late, arrive } = later();
    const refused = late.then(() => Promise.reject(new SheetFailure("sheet-refused")));
    vi.spyOn(excel.app.workbook, "valuesAt").mockImplementationOnce(() => refused);
    control.set("geoid", "A2");
    control.set("geoid", '"06001"');
    arrive();
    await pass(1_000);
    expect(state()).toMatchObject({ failure: undefined, preview: { status: "not-asked" } });
  });

  it("is being asked for until the answer is there, and then names what was asked", async () => {
    open("C2", '=REGDATA.VALUE("06001", 1003)');
    expect(state()).toMatchObject({
      isAsking: false,
      labels: { geoid: new Map(), question_id: new Map() },
    });
    await becomes(({ preview }) => preview !== undefined);
    control.ask();
    expect(state().isAsking).toBe(true);
    await becomes(({ isAsking }) => !isAsking);
    const { labels, preview } = await becomes((now) => now.labels.geoid.size > 0);
    expect(preview).toMatchObject({ status: "answered" });
    expect([...labels.geoid.values()]).toEqual([expect.stringMatching(/^Alameda County, CA \(/)]);
  });

  it("says why the question could not be asked, and lets the user ask again", async () => {
    open("C2", "=REGDATA.VALUE(A2, 1003)");
    excel.enter("A2", [["'06001"]]);
    await becomes(({ preview }) => preview !== undefined);
    vi.spyOn(excel.app.workbook, "valuesAt").mockRejectedValueOnce(new SheetFailure("sheet-refused"));
    control.ask();
    await becomes(({ isAsking }) => !isAsking);
    expect(state()).toMatchObject({ isAsking: false, failure: { kind: "sheet-refused" } });
    control.ask();
    expect(state()).toMatchObject({ isAsking: true, failure: undefined });
    expect(await becomes(({ isAsking }) => !isAsking)).toMatchObject({ failure: undefined });
    expect(state().preview).toMatchObject({ status: "answered" });
  });

  it.each([
    ["an answer", () => [[["06001"]]]],
    ["a failure", () => Promise.reject(new SheetFailure("sheet-refused"))],
  ] as const)("shows %s for earlier arguments under no others", async (_, outcome) => {
    open("C2", "=REGDATA.VALUE(A2, 1003)");
    excel.enter("A2", [["'06001"]]);
    await becomes(({ preview }) => preview !== undefined);
    const { late, arrive } = later();
    vi.spyOn(excel.app.workbook, "valuesAt").mockImplementationOnce(() => late.then(outcome));
    control.ask();
    control.set("geoid", '"06037"');
    arrive();
    await becomes(({ isAsking }) => !isAsking);
    await pass(1_000);
    expect(state()).toMatchObject({ failure: undefined, preview: { status: "not-asked" } });
  });

  it("sends nothing until the user asks for it, and then asks for the first answer only", async () => {
    open("C2");
    control.set("geoid", '"06001"');
    control.set("question_id", "{1003,1056}");
    expect((await becomes(({ preview }) => preview !== undefined)).preview).toEqual({
      ...{ status: "not-asked", count: { jurisdictions: 1, types: 2 } },
    });
    expect(excel.requests).toEqual([]);
    control.ask();
    const { preview } = await becomes((now) => now.preview?.status === "answered");
    const sent = excel.requests.length;
    expect(sent).toBeLessThanOrEqual(2);
    excel.enter("A1", [['=REGDATA.VALUE("06001", 1003)']]);
    await inTime(excel.spreadsheet.idle());
    expect(preview).toMatchObject({ text: excel.values("A1")[0]?.[0] });
    expect(excel.requests).toHaveLength(sent);
  });

  it("says that a list appears once it is inserted", async () => {
    open("C2");
    control.chooseFunction("AHJS");
    control.set("state", '"CA"');
    expect(state()).toMatchObject({ formula: '=REGDATA.AHJS("CA")', notYet: null });
    expect((await becomes(({ preview }) => preview !== undefined)).preview).toEqual({ status: "unknown" });
    expect(excel.requests).toEqual([]);
  });
});

describe("the room for a result", () => {
  it("is looked at before the formula is inserted", async () => {
    excel.enter("C4", [["mine"]]);
    open("C2", "=REGDATA.VALUE(A2:A3, 1003)");
    control.set("geoid", "A2:A4");
    expect((await becomes(({ obstacle }) => obstacle !== null)).obstacle).toBe("Sheet1!C4 is not empty.");
    control.set("geoid", "A2:A3");
    expect(state().obstacle).toBeNull();
    await becomes(({ preview }) => preview !== undefined);
    expect(state().obstacle).toBeNull();
  });

  it("counts the cells that the formula spills into already as free", async () => {
    excel.enter("C2", [["=REGDATA.UNITS()"]]);
    open("C2", "=REGDATA.UNITS()");
    await becomes(({ preview }) => preview !== undefined);
    expect(state().obstacle).toBeNull();
    excel.enter("D2", [["mine"]]);
    control.chooseFunction("MATRIX");
    control.set("geoid", '"06001"');
    control.set("question_id", "1003");
    expect((await becomes(({ obstacle }) => obstacle !== null)).obstacle).toBe("Sheet1!D2 is not empty.");
  });
});

describe("the names of what a formula asks for", () => {
  it("are shown for constants that are known, without a request", async () => {
    await inTime(session.lookup.directory.load());
    await inTime(session.lookup.catalogue.types());
    excel.requests.length = 0;
    open("C2", '=REGDATA.VALUE("06001", 1056)');
    const { labels } = await becomes((now) => now.labels.geoid.size > 0);
    expect([...labels.geoid]).toEqual([["06001", "Alameda County, CA (06001)"]]);
    expect([...labels.question_id]).toEqual([[1056, "Minimum Permit Fee (1056)"]]);
    expect(excel.requests).toEqual([]);
  });

  it("belong to the present arguments, even if those of earlier ones are found later", async () => {
    await inTime(session.lookup.directory.load());
    open("C2");
    const { late, arrive } = later();
    const ask = session.lookup.ask.bind(session.lookup);
    vi.spyOn(session.lookup, "ask").mockImplementationOnce((...asked) => late.then(() => ask(...asked)));
    control.set("geoid", '"06001"');
    control.set("geoid", '"06037"');
    await becomes((now) => now.labels.geoid.size > 0);
    arrive();
    await pass(1_000);
    expect([...state().labels.geoid.keys()]).toEqual(["06037"]);
  });

  it("stay as they were if they can't be looked up", async () => {
    await inTime(session.lookup.directory.load());
    open("C2", '=REGDATA.VALUE("06001", 1056)');
    const { labels } = await becomes((now) => now.labels.geoid.size > 0);
    vi.spyOn(session.lookup, "ask").mockRejectedValueOnce(new Failure("internal"));
    control.set("geoid", '{"06001","06037"}');
    await pass(1_000);
    expect(state()).toMatchObject({ labels, failure: undefined });
  });
});

describe("opening the formula builder", () => {
  it("is refused for a formula that is more than one of the add-in's calls", () => {
    const target = { sheetId: "sheet-1", row: 0, column: 0, address: "Sheet1!A1" };
    for (const formula of ["=1+1", "=REGDATA.VALUE(A1, 1003)*2"]) {
      const dependencies = {
        workbook: excel.app.workbook,
        jobs: excel.app.jobs,
        lookup: session.lookup,
        functions,
      };
      expect(createBuilderControl(dependencies, { target, formula }, () => {})).toBeNull();
    }
  });
});

describe("inserting a formula from the builder", () => {
  it("replaces nothing where there was no formula, or once it goes elsewhere", async () => {
    open("C2");
    expect(control.isReplacing()).toBe(false);
    control.end();
    const formula = "=REGDATA.VALUE(A1, 1003)";
    excel.enter("C2", [[formula]]);
    excel.enter("F9", [[formula]]);
    open("C2", formula);
    control.point(null);
    select("F9");
    await points("Sheet1!F9");
    control.take();
    expect(control.isReplacing()).toBe(false);
    control.set("question_id", "1056");
    control.insert();
    await inTime(settled());
    expect(askedOf(control.writing.getState())).toMatchObject({ status: "in-the-way", content: formula });
    expect(excel.cells("F9")[0]?.[0]?.formula).toBe(formula);
  });

  it("does nothing while something is missing, and asks before it overwrites", async () => {
    excel.enter("C2", [["mine"]]);
    open("C2");
    control.insert();
    expect(control.writing.getState()).toEqual({ status: "idle" });
    control.set("geoid", "A1");
    control.set("question_id", "1003");
    control.insert();
    await inTime(settled());
    expect(askedOf(control.writing.getState())).toMatchObject({ status: "in-the-way", content: "mine" });
    // The formula that the question was about is written, even if the user changes the arguments meanwhile.
    control.set("question_id", "1056");
    control.writing.overwrite();
    await inTime(settled());
    expect(excel.cells("C2")[0]?.[0]?.formula).toBe("=REGDATA.VALUE(A1, 1003)");
    expect(written).toMatchObject([{ address: "Sheet1!C2" }]);
  });

  it("replaces the formula that it was opened on, unless somebody has changed that formula", async () => {
    excel.enter("C2", [["=REGDATA.VALUE(A1, 1003)"]]);
    open("C2", "=REGDATA.VALUE(A1, 1003)");
    expect(control.isReplacing()).toBe(true);
    control.set("field", '"unit"');
    control.insert();
    await inTime(settled());
    expect(excel.cells("C2")[0]?.[0]?.formula).toBe('=REGDATA.VALUE(A1, 1003, "unit")');
    control.insert();
    await inTime(settled());
    expect(askedOf(control.writing.getState())).toMatchObject({ status: "in-the-way" });
  });
});

/** Resolves when nothing is being written any more. */
const settled = () =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (control.writing.getState().status === "running") return;
      stop();
      resolve();
    };
    const stop = control.writing.subscribe(look);
    look();
  });
