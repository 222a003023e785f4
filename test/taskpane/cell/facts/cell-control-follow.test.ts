import { SheetFailure } from "../../../../src/sheet-failure";
import { afterEach, describe, expect, it, vi } from "vitest";
import { config } from "../../../../src/config";
import type { Failure } from "../../../../src/errors";
import { createCellControl } from "../../../../src/taskpane/cell/facts/cell-control";
import { freezeFormulas } from "../../../../src/workbook/cell-formulas/freeze";
import { pending } from "../../../../src/workbook/cell-formulas/settle";
import { inTime } from "../../../excel/in-time";
import type { ExcelOptions } from "../../../excel/open-excel";
import { pass, playExcel } from "../../../functions/excel";
import {
  type CellPane,
  factsOf,
  holding,
  lookAt,
  openCellPane,
  openWith,
  rests as restsIn,
  select,
} from "./cell-pane";

playExcel();

let pane: CellPane;
async function open(options?: ExcelOptions) {
  pane = await openCellPane(options);
}
afterEach(() => {
  pane.stop();
  expect(pane.excel.problems).toEqual([]);
});

const state = () => pane.control.getState();
const rests = () => restsIn(pane);
const formula = (address: string) => pane.excel.cells(address)[0]?.[0]?.formula;
const fee = '=REGDATA.VALUE("06001",1056,"text")';

describe("looking at cells one after another", () => {
  /** Holds back what the next look reads of A1 until the test lets it arrive. */
  async function readLate(outcome: "cell" | Failure) {
    const { workbook } = pane.excel.app;
    const read = await inTime(workbook.selectedCell(true));
    let arrive = () => {};
    const late = new Promise<void>((resolve) => (arrive = resolve));
    vi.spyOn(workbook, "selectedCell").mockImplementationOnce(async () => {
      await late;
      if (outcome === "cell") return read;
      throw outcome;
    });
    return arrive;
  }

  it.each([
    ["ends", "cell"],
    ["fails", new SheetFailure("sheet-refused")],
  ] as const)("shows the last one, even if an earlier look %s later", async (_, outcome) => {
    await open();
    const arrive = await readLate(outcome);
    pane.control.reload();
    await lookAt(pane, "B2");
    arrive();
    await pass(1_000);
    expect(factsOf(pane).cell.address).toBe("Sheet1!B2");
  });

  it("takes what was told of the last cell away, even if Excel reports no selection", async () => {
    await open();
    pane.excel.enter("A1", [[fee]]);
    await pass(5_000);
    await lookAt(pane, "A1");
    pane.stop();
    pane.control.refresh();
    await rests();
    expect(state().change).toBeDefined();
    await lookAt(pane, "B2");
    expect(state().change).toBeUndefined();
  });

  it("goes on while a formula waits, until the screen is left", async () => {
    await open();
    openWith(pane, fee, pending, true);
    expect((await lookAt(pane, "A1")).cell.value).toBe(pending);
    const selectedCell = vi.spyOn(pane.excel.app.workbook, "selectedCell");
    await pass(5_000);
    expect(selectedCell.mock.calls.length).toBeGreaterThan(2);
    // A look is under way when the screen is left.
    pane.control.reload();
    pane.stop();
    selectedCell.mockClear();
    await pass(5_000);
    expect(selectedCell).not.toHaveBeenCalled();
  });

  it("takes a single look at a waiting formula if the selection is not followed", async () => {
    await open();
    openWith(pane, fee, pending, true);
    pane.stop();
    const control = createCellControl(pane.excel.app, pane.session);
    const selectedCell = vi.spyOn(pane.excel.app.workbook, "selectedCell");
    control.reload();
    await pass(5_000);
    expect(control.getState().facts?.cell.value).toBe(pending);
    expect(selectedCell).toHaveBeenCalledOnce();
  });
});

describe("a pane that could read no cell", () => {
  it("does nothing when its buttons are pressed, and goes on saying why", async () => {
    await open();
    vi.spyOn(pane.excel.app.workbook, "selectedCell").mockRejectedValueOnce(
      new SheetFailure("sheet-refused"),
    );
    pane.control.reload();
    await pass(1_000);
    expect(state()).toMatchObject({ facts: undefined, failure: { kind: "sheet-refused" } });
    const { control } = pane;
    for (const act of [control.refresh, control.lookUp, control.goToFormula, control.unfreeze]) {
      act();
      expect(state()).toMatchObject({ job: undefined, unfreezing: { status: "idle" } });
      expect(state().failure?.kind).toBe("sheet-refused");
    }
  });
});

describe("a cell with several answers", () => {
  it.each([
    [
      "an error opens the first answer that the service lacks",
      '=REGDATA.VALUE("06001",1056)&REGDATA.VALUE("4899999",1056)',
      ...(["#N/A", 1] as const),
    ],
    [
      "an error opens the first call that refuses its arguments",
      '=REGDATA.VALUE("06001",1056)&REGDATA.VALUE("06037",1056,"nonsense")',
      ...(["#VALUE!", 1] as const),
    ],
    [
      "an error opens a failed call before the one that gives the answer",
      '=REGDATA.GEOID("Nowhere, CA")&REGDATA.VALUE("06001",1056)',
      ...(["#N/A", 0] as const),
    ],
    [
      "an error that no call explains opens the main answer",
      '=REGDATA.GEOID("Alameda County, CA")&REGDATA.VALUE("06001",1056)+1',
      ...(["#VALUE!", 1] as const),
    ],
    [
      "a value opens the main answer, even if another has failed",
      '=REGDATA.VALUE("06001",1056)&IFERROR(REGDATA.VALUE("4899999",1056),"#")',
      ...(["$30#", 0] as const),
    ],
  ])("that shows %s", async (_, text, value, opened) => {
    await open();
    const { lookup } = pane.session;
    await inTime(lookup.ask({ ahjs: ["Nowhere, CA", "Alameda County, CA"] }));
    await inTime(lookup.ask({ questions: ["06001", "4899999"].map((ahj) => ({ ahj, type: 1056 })) }));
    openWith(pane, text, value);
    // Excel calculates an error anew when it opens the file.
    await lookAt(pane, "B2");
    await lookAt(pane, "A1");
    expect(state().opened).toBe(opened);
  });

  it("leaves none open once a plain cell is selected", async () => {
    await open();
    openWith(pane, fee, "$30");
    await lookAt(pane, "A1");
    expect(state().opened).toBe(0);
    await lookAt(pane, "B2");
    expect(state().opened).toBeNull();
  });
});

describe("asking for the jurisdiction that a cell names", () => {
  async function askHeld() {
    const service = holding("/v1/");
    await open({ intercept: service.intercept });
    pane.excel.enter("A1", [["'0190001"], ["'4899999"]]);
    await lookAt(pane, "A1");
    service.hold();
    pane.control.lookUp();
    await pass(500);
    expect(state().job).toBeDefined();
    return service;
  }

  it("shows what it finds under no other cell that was selected meanwhile", async () => {
    const { letGo } = await askHeld();
    select(pane, "F6");
    await pass(1_000);
    letGo();
    await rests();
    expect(state()).toMatchObject({ job: undefined, facts: { cell: { address: "Sheet1!F6" } } });
    expect(factsOf(pane).jurisdiction).toBeNull();
  });

  it("shows what it finds under no other geoID that was typed into the cell meanwhile", async () => {
    const { letGo } = await askHeld();
    pane.excel.enter("A1", [["'4899999"]]);
    await lookAt(pane, "A1");
    letGo();
    await rests();
    expect(factsOf(pane).jurisdiction).toMatchObject({ name: "4899999", ahj: null });
  });

  it("leaves the failure that the pane shows because no cell could be read meanwhile", async () => {
    const { letGo } = await askHeld();
    vi.spyOn(pane.excel.app.workbook, "selectedCell").mockRejectedValueOnce(
      new SheetFailure("sheet-refused"),
    );
    pane.control.reload();
    await pass(1_000);
    letGo();
    await rests();
    expect(state()).toMatchObject({ job: undefined, facts: undefined, failure: { kind: "sheet-refused" } });
  });

  it("ends when the user disconnects", async () => {
    await askHeld();
    await inTime(pane.excel.app.forget());
    await pass(1_000);
    expect(state().job).toBeUndefined();
  });
});

describe("bringing a frozen formula back", () => {
  async function freeze() {
    const { workbook } = pane.excel.app;
    const { namespace } = config;
    const cells = await inTime(workbook.findFormulas("workbook", { namespace, canSeeSpills: true }));
    const signal = new AbortController().signal;
    await inTime(freezeFormulas(cells, workbook, { canSeeDataTypes: false, signal, onProgress() {} }));
    // The user comes back from another tab.
    pane.stop();
    pane.stop = pane.control.follow();
    await pass(1_000);
  }
  async function openFrozen() {
    await open();
    pane.excel.enter("B2", [[fee]]);
    await pass(5_000);
    await freeze();
    await lookAt(pane, "B2");
  }

  it("is under way until the formula stands there, and is started once only", async () => {
    await openFrozen();
    pane.control.fail(new SheetFailure("sheet-refused"));
    const replaceCells = vi.spyOn(pane.excel.app.workbook, "replaceCells");
    pane.control.unfreeze();
    expect(state()).toMatchObject({ unfreezing: { status: "running" }, failure: undefined });
    pane.control.unfreeze();
    pane.control.unfreezeAnyway();
    await rests();
    expect(replaceCells).toHaveBeenCalledOnce();
    expect(state().unfreezing).toMatchObject({ status: "done", unfrozen: { back: [{ row: 1 }], left: [] } });
    expect(formula("B2")).toBe(fee);
  });

  it("goes on when another cell is selected, and can't be started a second time from there", async () => {
    await openFrozen();
    const replaceCells = vi.spyOn(pane.excel.app.workbook, "replaceCells");
    pane.control.unfreeze();
    select(pane, "F6");
    select(pane, "B2");
    await pass(100);
    expect(state().unfreezing).toEqual({ status: "running" });
    pane.control.unfreeze();
    await rests();
    expect(replaceCells).toHaveBeenCalledOnce();
    expect(formula("B2")).toBe(fee);
  });

  it("says why it failed, and the cell stays frozen", async () => {
    await openFrozen();
    vi.spyOn(pane.excel.app.workbook, "scopeNow").mockRejectedValueOnce(new SheetFailure("sheet-refused"));
    const [[before]] = pane.excel.values("B2") as [[string]];
    pane.control.unfreeze();
    await rests();
    expect(state()).toMatchObject({
      unfreezing: { status: "idle" },
      failure: { kind: "sheet-refused" },
      facts: { cell: { address: "Sheet1!B2" }, frozen: { edited: null } },
    });
    expect(formula("B2")).toBe(before);
    pane.control.unfreeze();
    await rests();
    expect(state()).toMatchObject({ unfreezing: { status: "done" }, failure: undefined });
    expect(formula("B2")).toBe(fee);
  });

  it("does not ask a second time about a typed text once the user has seen what the formula does", async () => {
    const linked = `=HYPERLINK("https://city.example",${fee.slice(1)})`;
    await open();
    openWith(pane, linked, "$30");
    await freeze();
    pane.excel.enter("A1", [["my note"]]);
    expect((await lookAt(pane, "A1")).frozen).toMatchObject({ formula: { formula: linked }, edited: {} });
    pane.control.unfreezeAnyway();
    await rests();
    const shown = state().unfreezing;
    expect(shown).toMatchObject({ status: "done", unfrozen: { back: [], toBeSeen: [{ formula: linked }] } });
    pane.control.unfreeze(shown.status === "done" ? shown.unfrozen.toBeSeen : []);
    await rests();
    expect(state().unfreezing).toMatchObject({ status: "done", unfrozen: { back: [{ formula: linked }] } });
    expect(formula("A1")).toBe(linked);
  });
});
