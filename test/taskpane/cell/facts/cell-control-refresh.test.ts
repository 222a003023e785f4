import { afterEach, describe, expect, it, vi } from "vitest";
import { connectionStorageKey, storedForm } from "../../../../src/settings/connection";
import { pending } from "../../../../src/workbook/cell-formulas/settle";
import { placeImport } from "../../../../src/workbook/imports/run/place-import";
import { plainForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { inTime } from "../../../excel/in-time";
import type { ExcelOptions } from "../../../excel/open-excel";
import { answering, pass, playExcel } from "../../../functions/excel";
import { memoryStorage } from "../../../settings/memory-storage";
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
const value = (address: string) => pane.excel.values(address)[0]?.[0];
const sentTo = (path: string) => pane.excel.requests.filter((request) => request.includes(path));
const fee = '=REGDATA.VALUE("06001", 1056, "text")';

/** A service whose Minimum Permit Fee (1056) becomes this one at some time. */
function feeRise(text: string) {
  const risen = answering(/matrix$/, (data) => {
    for (const { values } of data.rows) if (values[1056]) values[1056].value = text;
  });
  const service = { isRisen: false, intercept };
  function intercept(request: Request) {
    return service.isRisen ? risen(request) : undefined;
  }
  return service;
}

describe("refreshing a formula's answer", () => {
  it("brings the new value into the cell, and tells the difference", async () => {
    const service = feeRise("$4711");
    await open({ intercept: service.intercept });
    pane.excel.enter("A1", [[fee]]);
    await pass(5_000);
    await lookAt(pane, "A1");
    const before = value("A1");
    service.isRisen = true;
    pane.control.refresh();
    await rests();
    expect(value("A1")).toBe("$4711");
    expect(before).not.toBe("$4711");
    expect(state().change).toMatchObject({ before: { value: before }, after: { value: "$4711" } });
    expect(factsOf(pane).cell.value).toBe("$4711");
  });

  it("reaches a formula with an @ before a function, which Excel on the web does not calculate again", async () => {
    const service = feeRise("$4711");
    await open({ intercept: service.intercept });
    const withAt = `=@${fee.slice(1)}`;
    pane.excel.enter("A1", [[withAt]]);
    await pass(5_000);
    await lookAt(pane, "A1");
    service.isRisen = true;
    pane.control.refresh();
    await rests();
    expect(value("A1")).toBe("$4711");
    expect(pane.excel.cells("A1")[0]?.[0]?.formula).toBe(withAt);
    expect(state().failure).toBeUndefined();
  });

  it("works on a protected sheet", async () => {
    const service = feeRise("$4711");
    await open({ intercept: service.intercept });
    pane.excel.enter("A1", [[fee]]);
    await pass(5_000);
    await lookAt(pane, "A1");
    pane.excel.document.protectedSheets.add("sheet-1");
    service.isRisen = true;
    pane.control.refresh();
    await rests();
    expect([state().failure, value("A1")]).toEqual([undefined, "$4711"]);
  });

  it("that has its date already takes a single request", async () => {
    await open();
    pane.excel.enter("A1", [['=REGDATA.VALUE("06001", 1056, "updated_at")']]);
    await pass(5_000);
    expect((await lookAt(pane, "A1")).answers).toMatchObject([
      { answer: { cell: { updatedAt: expect.any(String) as unknown } } },
    ]);
    pane.excel.requests.length = 0;
    pane.control.refresh();
    await rests();
    expect(pane.excel.requests).toHaveLength(1);
    expect(state()).toMatchObject({ failure: undefined, job: undefined });
  });

  it("that the service now lacks shows that there is none, without a failure of the pane", async () => {
    let isGone = false;
    const gone = answering(/matrix$/, (data) => {
      for (const { values } of data.rows) values[1056] = null;
    });
    await open({ intercept: (request) => (isGone ? gone(request) : undefined) });
    pane.excel.enter("A1", [[fee]]);
    await pass(5_000);
    await lookAt(pane, "A1");
    isGone = true;
    pane.excel.requests.length = 0;
    pane.control.refresh();
    await rests();
    expect(state()).toMatchObject({ failure: undefined, job: undefined, change: { after: null } });
    expect(factsOf(pane).answers).toMatchObject([{ answer: { kind: "no-value" } }]);
    expect(sentTo("data-points")).toEqual([]);
  });

  it("that the service refuses leaves it to the cell to say so", async () => {
    let isRefused = false;
    await open({
      intercept: ({ url }) =>
        isRefused && url.includes("matrix") ? Response.json({}, { status: 403 }) : undefined,
    });
    pane.excel.enter("A1", [[fee]]);
    await pass(5_000);
    await lookAt(pane, "A1");
    isRefused = true;
    pane.control.refresh();
    await rests();
    expect(state()).toMatchObject({ failure: undefined, job: undefined, change: undefined });
  });

  it("asks for a jurisdiction that the formula gives by its AHJ id, even if nothing is known of it", async () => {
    await open();
    const { data: ahj } = await inTime(pane.session.client.resolveGeoid({ geoid: "06001" }));
    openWith(pane, `=REGDATA.VALUE("ahj:${ahj.id}", 1056, "text")`, "#NAME?", true);
    await lookAt(pane, "A1");
    pane.excel.requests.length = 0;
    pane.control.refresh();
    await rests();
    expect(state()).toMatchObject({
      failure: undefined,
      change: { before: undefined, after: { value: value("A1") } },
    });
  });

  it.each(['"06001", 1056', '"06001", "Minimum Permit Fee"'])(
    "only enters REGDATA.VALUE(%s) again while it is not known what its names stand for",
    async (names) => {
      await open();
      openWith(pane, `=REGDATA.VALUE(${names}, "text")`, "#NAME?", true);
      expect((await lookAt(pane, "A1")).cell.value).toBe("#NAME?");
      pane.control.refresh();
      await rests();
      expect(state()).toMatchObject({ failure: undefined, job: undefined, change: undefined });
      expect(value("A1")).toMatch(/^\$/);
      expect(sentTo("matrix")).toHaveLength(1);
    },
  );

  it("calculates a formula anew whose arguments are calculated", async () => {
    await open();
    openWith(pane, '=LET(x, "0"&"6001", REGDATA.VALUE(x, 1056, "text"))', "$30");
    const calculateCell = vi.spyOn(pane.excel.app.workbook, "calculateCell");
    await lookAt(pane, "A1");
    pane.control.refresh();
    await rests();
    expect(state()).toMatchObject({ failure: undefined, job: undefined, change: undefined });
    expect(calculateCell).toHaveBeenCalledOnce();
  });
});

describe("refreshing a cell whose formula is stuck", () => {
  it.each(["#NAME?", pending])("at %s enters the formula again", async (shown) => {
    await open();
    openWith(pane, fee, shown, true);
    expect((await lookAt(pane, "A1")).cell.value).toBe(shown);
    pane.control.refresh();
    await rests();
    expect(state()).toMatchObject({ failure: undefined, job: undefined });
    expect(factsOf(pane).cell).toMatchObject({
      formula: fee,
      value: expect.stringMatching(/^\$/) as unknown,
    });
  });

  it("says that a protected sheet does not allow it", async () => {
    await open();
    openWith(pane, fee, "#NAME?", true);
    await lookAt(pane, "A1");
    pane.excel.document.protectedSheets.add("sheet-1");
    const calculateCell = vi.spyOn(pane.excel.app.workbook, "calculateCell");
    pane.control.refresh();
    await rests();
    expect(state()).toMatchObject({ job: undefined, failure: { kind: "not-permitted" } });
    expect(calculateCell).not.toHaveBeenCalled();
  });

  it("calculates a formula that only waits if the sheet is protected", async () => {
    await open();
    openWith(pane, fee, pending, true);
    await lookAt(pane, "A1");
    pane.excel.document.protectedSheets.add("sheet-1");
    const calculateCell = vi.spyOn(pane.excel.app.workbook, "calculateCell");
    pane.control.refresh();
    await rests();
    expect(state()).toMatchObject({ job: undefined, failure: undefined });
    expect(calculateCell).toHaveBeenCalledExactlyOnceWith({ sheetId: "sheet-1", row: 0, column: 0 });
  });
});

describe("a refresh whose formula takes its time", () => {
  /** Refreshes a cell of which this device knows nothing but its value, while the service holds its answers back. */
  async function refreshHeld(formula: string, address = "A1") {
    await open();
    pane.excel.enter("A1", [[formula]]);
    await pass(5_000);
    pane.stop();
    const service = holding("/v1/");
    await open({ file: pane.excel.save(), intercept: service.intercept });
    await lookAt(pane, address);
    service.hold();
    pane.control.refresh();
    return service;
  }

  it("goes on until the formula is calculated, and then shows its value", async () => {
    const { letGo } = await refreshHeld(fee);
    await pass(3_000);
    expect(value("A1")).toBe(pending);
    expect(state().job).toBeDefined();
    letGo();
    await pass(3_000);
    expect(state()).toMatchObject({ job: undefined, failure: undefined });
    expect(factsOf(pane).cell.value).toMatch(/^\$/);
    expect(factsOf(pane).answers).toMatchObject([{ answer: { cell: { value: value("A1") } } }]);
  });

  it("keeps showing the answer of a cell that is empty while the formula that fills it is calculated", async () => {
    const { letGo } = await refreshHeld('=REGDATA.MATRIX({"06001";"06037"}, {1056,1057})', "D3");
    await pass(3_000);
    expect(value("D3")).toBe("");
    expect(state().job).toBeDefined();
    expect(factsOf(pane)).toMatchObject({
      answers: [{ source: { question: { ahj: "06037", type: 1057 } } }],
    });
    letGo();
    await rests();
    expect(factsOf(pane)).toMatchObject({
      cell: { address: "Sheet1!D3", value: value("D3") },
      answers: [{ ahj: { name: "Los Angeles County" }, type: { id: 1057 } }],
    });
  });

  it("is over once the user has selected another cell", async () => {
    await refreshHeld(fee);
    await pass(1_000);
    select(pane, "F6");
    await pass(2_000);
    expect(value("A1")).toBe(pending);
    expect(state()).toMatchObject({ job: undefined, facts: { cell: { address: "Sheet1!F6" } } });
  });

  it("is given up after half a minute, and the pane shows that the cell still waits", async () => {
    await open();
    openWith(pane, fee, pending, true);
    await lookAt(pane, "A1");
    pane.excel.document.protectedSheets.add("sheet-1");
    pane.control.refresh();
    await pass(20_000);
    expect(state().job).toBeDefined();
    await pass(10_000);
    expect(state()).toMatchObject({ job: undefined, failure: undefined });
    expect(factsOf(pane).cell.value).toBe(pending);
  });

  it("ends without a failure if the user types over the formula meanwhile", async () => {
    const { letGo } = await refreshHeld(fee);
    await pass(1_000);
    pane.excel.enter("A1", [["my note"]]);
    letGo();
    await rests();
    expect(state()).toMatchObject({ job: undefined, change: undefined });
    expect(factsOf(pane)).toMatchObject({ cell: { value: "my note", formula: "" }, answers: [] });
  });

  it("ends soon after a quick formula", async () => {
    await open();
    pane.excel.enter("A1", [[fee]]);
    await pass(5_000);
    await lookAt(pane, "A1");
    pane.control.refresh();
    await pass(900);
    expect(state()).toMatchObject({ job: undefined, change: { after: {} } });
  });

  it("starts nothing else while it runs", async () => {
    await open();
    pane.excel.enter("A1", [['=REGDATA.MATRIX({"06001";"06037"}, 1056)']]);
    await pass(5_000);
    await lookAt(pane, "C3");
    pane.control.refresh();
    pane.control.goToFormula();
    await rests();
    expect(pane.excel.spreadsheet.selection().rects).toMatchObject([{ row: 2, column: 2 }]);
    expect(factsOf(pane).cell.address).toBe("Sheet1!C3");
  });
});

describe("a refresh after which the user has selected another cell", () => {
  it("shows the date of the answer under no other cell", async () => {
    const service = holding("data-points");
    await open({ intercept: service.intercept });
    pane.excel.enter("A1", [[fee]]);
    await pass(5_000);
    await lookAt(pane, "A1");
    service.hold();
    pane.control.refresh();
    await pass(1_500);
    expect(state()).toMatchObject({ job: { title: "A formula is being refreshed." }, change: { after: {} } });
    select(pane, "F6");
    await pass(1_000);
    service.letGo();
    await rests();
    expect(state()).toMatchObject({
      job: undefined,
      facts: { cell: { address: "Sheet1!F6" }, answers: [] },
    });
  });

  it("stays with the selected cell if what was read of the refreshed one arrives late", async () => {
    await open();
    pane.excel.enter("A1", [[fee]]);
    await pass(5_000);
    await lookAt(pane, "A1");
    const { workbook } = pane.excel.app;
    const read = await inTime(workbook.selectedCell(true));
    let arrive = () => {};
    const late = new Promise<void>((resolve) => (arrive = resolve));
    vi.spyOn(workbook, "selectedCell").mockImplementationOnce(() => late.then(() => read));
    pane.control.refresh();
    await pass(1_000);
    select(pane, "F6");
    await pass(1_000);
    expect(factsOf(pane).cell.address).toBe("Sheet1!F6");
    arrive();
    await rests();
    expect(state()).toMatchObject({
      ...{ job: undefined, change: undefined },
      facts: { cell: { address: "Sheet1!F6" } },
    });
  });
});

describe("refreshing one answer of an import", () => {
  /** Imports the Minimum Permit Fee of two counties to a new sheet, whose first fee is in E2. */
  async function importFees() {
    const { lookup } = pane.session;
    const types = (await inTime(lookup.catalogue.types())).filter(({ id }) => id === 1056);
    const found = await inTime(lookup.directory.resolve(["06001", "06037"]));
    const ahjs = [...found.values()].flatMap((each) => ("state_code" in each ? [each] : []));
    const question = { kind: "matrix" as const, ahjs, types };
    const order = { question, form: plainForm, hasSources: false, sheetName: "Fees" };
    const { excel, session } = pane;
    const target = { kind: "new-sheet" as const, name: "Fees" };
    await inTime(placeImport(order, target, { workbook: excel.app.workbook, session }, {}));
    pane.stop();
    pane.stop = pane.control.follow();
    await pass(1_000);
  }

  it("writes the new value into its cell only, and shows the difference and the date", async () => {
    const service = feeRise("$4711");
    await open({ intercept: service.intercept });
    await importFees();
    const { answers } = await lookAt(pane, "Fees!E2");
    expect(answers).toMatchObject([
      { ahj: { name: "Alameda County" }, source: { from: { kind: "import" } } },
    ]);
    const [[before], [other]] = pane.excel.values("Fees!E2:E3") as [[number], [number]];
    expect(before).not.toBe(4711);
    service.isRisen = true;
    pane.excel.requests.length = 0;
    pane.control.refresh();
    await rests();
    expect(pane.excel.values("Fees!E2:E3")).toEqual([[4711], [other]]);
    expect(state()).toMatchObject({ failure: undefined, change: { after: { value: "$4711" } } });
    expect(factsOf(pane).cell.value).toBe(4711);
    expect(pane.excel.requests.map((request) => request.split("?")[0])).toEqual([
      "POST /v1/reports/matrix",
      "GET /v1/data-points",
    ]);
  });

  it("asks no other service than the one that the import came from", async () => {
    await open();
    await importFees();
    const file = pane.excel.save();
    pane.stop();
    const key = storedForm({ baseUrl: "https://other.test", key: "demo-national" });
    await open({ file, storage: memoryStorage({ [connectionStorageKey]: key }) });
    await lookAt(pane, "Fees!E2");
    const before = value("Fees!E2");
    pane.control.refresh();
    await rests();
    expect(state()).toMatchObject({
      job: undefined,
      failure: {
        kind: "other-service",
        detail: "This workbook says that it came from “service.test”.",
      },
    });
    expect([value("Fees!E2"), pane.excel.requests]).toEqual([before, []]);
  });
});
