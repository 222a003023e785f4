import { describe, expect, it } from "vitest";
import { config } from "../../../src/config";
import {
  createFormulaControl,
  type FormulaControl,
  type FormulasState,
  type FormulaWork,
} from "../../../src/taskpane/formulas/formula-control";
import { listFrozen } from "../../../src/workbook/cell-formulas/frozen-formulas";
import { frozenNamespace } from "../../../src/workbook/cell-formulas/frozen-formulas";
import type { KeptUnfinished } from "../../../src/workbook/work-note/unfinished-book";
import { unfinishedXml } from "../../../src/workbook/work-note/unfinished-work";
import { changingFee } from "../../excel/changing-fee";
import { inTime } from "../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../excel/open-excel";
import { pass, playExcel } from "../../functions/excel";
import { baseUrl } from "../../recorded-service";

playExcel();

/** The first county is outside of the smaller key's subscription, the second within. */
async function open(formulas: string[]) {
  const excel = openExcel({ excelApi: "1.20" });
  excel.enter(
    "A1",
    formulas.map((formula) => [formula]),
  );
  await inTime(excel.spreadsheet.idle());
  return { ...excel, control: createFormulaControl(excel.app) };
}

const outside = '=REGDATA.VALUE("48113", 1056)';
const within = '=REGDATA.VALUE("06001", 1003)';
const table = '=REGDATA.MATRIX({"06001","48113"}, 1056)';

function until(control: FormulaControl, ...statuses: FormulasState["status"][]): Promise<FormulasState> {
  return new Promise((resolve) => {
    const stop = control.subscribe(() => {
      const state = control.getState();
      if (!statuses.includes(state.status)) return;
      stop();
      resolve(state);
    });
  });
}

async function refreshWith(control: FormulaControl, mayLose: boolean) {
  const asked = until(control, "asking", "done", "failed");
  control.run("refresh", "workbook");
  const question = await inTime(asked);
  const done = until(control, "done", "failed");
  if (question.status === "asking") question.answer(mayLose);
  return { question, state: await inTime(done) };
}

it("a refresh with a smaller key asks before values become errors, and keeps them if the user says so", async () => {
  const { app, control, values, spreadsheet } = await open([outside, within, table]);
  const before = values("A1:A6");
  await inTime(app.connect(baseUrl, "demo-west"));
  const { question, state } = await refreshWith(control, false);
  expect(question).toMatchObject({
    status: "asking",
    question: { losing: 2, because: { kind: "outside-subscription" } },
  });
  await inTime(spreadsheet.idle());
  expect(values("A1:A6")).toEqual(before);
  expect(state).toMatchObject({
    status: "done",
    result: { formulas: 1, errors: 0, kept: { formulas: 2, because: { kind: "outside-subscription" } } },
  });
});

describe("cells that depend on a formula through other cells", () => {
  const refreshed = async (excelApi: string) => {
    let fee = 30;
    const excel = openExcel({ excelApi, intercept: changingFee(() => fee) });
    excel.enter("A1", [['=REGDATA.VALUE("06001", 1056)', "=A1", "=B1", "=C1"]]);
    await inTime(excel.spreadsheet.idle());
    fee = 35;
    const control = createFormulaControl(excel.app);
    const done = until(control, "done", "failed");
    control.run("refresh", "workbook");
    return { excel, state: await inTime(done) };
  };

  it("are calculated by a refresh, too, because Excel calculates only those that name the formula", async () => {
    const { excel, state } = await refreshed("1.20");
    expect(excel.values("A1:D1")).toEqual([[35, 35, 35, 35]]);
    expect(state).toMatchObject({ status: "done", result: { formulas: 1, mayLagBehind: false } });
  });

  it("are named by the report if this Excel can't find them", async () => {
    const { excel, state } = await refreshed("1.12");
    expect(excel.values("A1:D1")).toEqual([[35, 35, 30, 30]]);
    expect(state).toMatchObject({ status: "done", result: { formulas: 1, mayLagBehind: true } });
  });

  it("are not looked for if no value has changed", async () => {
    const excel = openExcel({ excelApi: "1.12" });
    excel.enter("A1", [['=REGDATA.VALUE("06001", 1056)', "=A1", "=B1"]]);
    await inTime(excel.spreadsheet.idle());
    const control = createFormulaControl(excel.app);
    const done = until(control, "done", "failed");
    control.run("refresh", "workbook");
    expect(await inTime(done)).toMatchObject({ result: { mayLagBehind: false } });
  });
});

it("a refresh tells of the formulas with an @ before a function, which Excel on the web does not calculate again", async () => {
  let fee = 30;
  const excel = openExcel({ excelApi: "1.20", intercept: changingFee(() => fee) });
  const own = '=REGDATA.VALUE("06001", 1056)';
  const inText = '=REGDATA.VALUE("06001", 1056, "value", "ask@IF(x)")';
  excel.enter("A1", [[own], [`=@${own.slice(1)}`], [inText]]);
  await inTime(excel.spreadsheet.idle());
  fee = 35;
  const control = createFormulaControl(excel.app);
  const done = until(control, "done", "failed");
  control.run("refresh", "workbook");
  expect(await inTime(done)).toMatchObject({ status: "done", result: { formulas: 3, withAt: 1 } });
  expect(excel.values("A1:A3")).toEqual([[35], [30], [35]]);
  expect(excel.problems).toEqual([]);
});

it("different formulas of a table's column that come back as one are named, and stay remembered", async () => {
  const excel = openExcel({ excelApi: "1.20" });
  excel.enter("A1", [["Fee"], ['=REGDATA.VALUE("06001", 1056)'], [within]]);
  const rect = { row: 0, column: 0, rows: 3, columns: 1 };
  excel.spreadsheet.addTable({ sheetId: "sheet-1", rect, name: "Fees", style: "TableStyleMedium2" });
  await inTime(excel.spreadsheet.idle());
  const control = createFormulaControl(excel.app);
  for (const action of ["freeze", "unfreeze"] as const) {
    const done = until(control, "done", "failed");
    control.run(action, "workbook");
    await inTime(done);
  }
  expect(control.getState()).toMatchObject({
    result: { back: [{ row: 2 }], left: [{ row: 1, reason: "got another formula from Excel" }] },
  });
  expect(excel.cells("A2:A3").map(([cell]) => cell?.formula)).toEqual([within, within]);
  const { parts } = await inTime(listFrozen(excel.app.workbook, config.namespace));
  expect(parts.flatMap(({ formulas }) => formulas.map(({ row }) => row))).toEqual([1]);
});

describe("a cell that shows 0 between #BUSY! and its value", () => {
  const fee = '=REGDATA.VALUE("06001", 1056)';

  it("is frozen with its value", async () => {
    const excel = openExcel({ excelApi: "1.20", zeroMs: 300 });
    excel.enter("A1", [[fee]]);
    while (excel.values("A1")[0]?.[0] !== 0) await pass(50);
    const control = createFormulaControl(excel.app);
    const done = until(control, "done", "failed");
    control.run("freeze", "workbook");
    expect(await inTime(done)).toMatchObject({ status: "done" });
    expect(excel.cells("A1")[0]?.[0]).toMatchObject({ value: 30, formula: 30 });
  });

  it("is no earlier value of a refresh that begins meanwhile", async () => {
    const excel = openExcel({ excelApi: "1.20", zeroMs: 300 });
    excel.enter("A1", [[fee]]);
    while (excel.values("A1")[0]?.[0] !== 0) await pass(50);
    const control = createFormulaControl(excel.app);
    const done = until(control, "done", "failed");
    control.run("refresh", "workbook");
    expect(await inTime(done)).toMatchObject({ status: "done", result: { formulas: 1, changes: [] } });
  });

  it("is waited for by a refresh, which reports no change to 0", async () => {
    const excel = openExcel({ excelApi: "1.20", zeroMs: 1_200 });
    excel.enter("A1", [[fee]]);
    await inTime(excel.spreadsheet.idle());
    const control = createFormulaControl(excel.app);
    const done = until(control, "done", "failed");
    control.run("refresh", "workbook");
    expect(await inTime(done)).toMatchObject({ status: "done", result: { formulas: 1, changes: [] } });
    expect(excel.values("A1")).toEqual([[30]]);
  });
});

it("a refresh with a smaller key shows errors if the user says so", async () => {
  const { app, control, values } = await open([outside, within]);
  const stays = values("A2");
  await inTime(app.connect(baseUrl, "demo-west"));
  const { state } = await refreshWith(control, true);
  expect(state).toMatchObject({ status: "done", result: { formulas: 2, errors: 1, kept: null } });
  expect(values("A1:A2")).toEqual([["#N/A"], ...stays]);
});

it("a refresh asks the user nothing if no value would be lost, whatever formulas do with errors", async () => {
  const { app, control } = await open(['=IFERROR(REGDATA.VALUE("48113", 1056), "none")', within]);
  await inTime(app.connect(baseUrl, "demo-west"));
  const done = until(control, "asking", "done", "failed");
  control.run("refresh", "workbook");
  expect(await inTime(done)).toMatchObject({ status: "done", result: { formulas: 2 } });
});

it("a refresh takes no extra requests to know which values it would lose", async () => {
  const { control, requests } = await open([
    outside,
    within,
    '=REGDATA.MATRIX({"06001","48113"}, {1003,1057})',
  ]);
  const before = requests.length;
  const done = until(control, "done", "failed");
  control.run("refresh", "workbook");
  await inTime(done);
  expect(requests.slice(before)).toEqual(["POST /v1/reports/matrix"]);
});

it("cancelling at the refresh's question changes nothing", async () => {
  const { app, control, values } = await open([outside]);
  const before = values("A1");
  await inTime(app.connect(baseUrl, "demo-west"));
  const asked = until(control, "asking", "done", "failed");
  control.run("refresh", "workbook");
  await inTime(asked);
  const failed = until(control, "done", "failed");
  control.cancel();
  expect(await inTime(failed)).toMatchObject({ failure: { kind: "cancelled" } });
  expect(values("A1")).toEqual(before);
});

it("trying errors again leaves formulas with a value alone", async () => {
  const { app, control, values, requests } = await open([outside, within]);
  const before = values("A1:A2");
  await inTime(app.connect(baseUrl, "demo-west"));
  await refreshWith(control, true);
  await inTime(app.connect(baseUrl, "demo-national"));
  const sent = requests.length;
  const done = until(control, "done", "failed");
  control.run("retry", "workbook");
  expect(await inTime(done)).toMatchObject({ result: { action: "retry", formulas: 1, errors: 0 } });
  expect(values("A1:A2")).toEqual(before);
  expect(requests.slice(sent).filter((request) => request.includes("matrix"))).toHaveLength(1);
});

async function ends(control: FormulaControl, begin: () => void): Promise<FormulasState> {
  const over = until(control, "done", "failed");
  begin();
  return inTime(over);
}
const formulaAt = ({ cells }: PlayedExcel, address: string) => cells(address)[0]?.[0]?.formula;

it("counting formulas includes frozen ones, and notes of frozen ones that can't be read", async () => {
  const excel = await open([within, table]);
  const { control, app } = excel;
  await ends(control, () => control.run("freeze", "workbook"));
  excel.enter("D1", [[within]]);
  await inTime(excel.spreadsheet.idle());
  await inTime(app.workbook.writePart(null, `<frozen xmlns="${frozenNamespace}">{}</frozen>`));
  expect(await ends(control, () => control.run("count", "workbook"))).toEqual({
    status: "done",
    order: "count",
    result: { action: "count", scope: "workbook", formulas: 1, frozen: 2, ghosts: 0, unreadable: 1 },
  });
});

it("unfreezing some formulas brings back no others", async () => {
  const excel = await open([within, outside]);
  const { control, spreadsheet } = excel;
  await ends(control, () => control.run("freeze", "workbook"));
  const sheetId = spreadsheet.sheets()[0]!.id;
  const only = { areas: [{ sheetId, row: 1, column: 0, rows: 1, columns: 1 }] };
  const state = await ends(control, () => control.run("unfreeze", "workbook", { only }));
  expect(state).toMatchObject({ result: { only, back: [{ formula: outside }] } });
  expect(formulaAt(excel, "A1")).not.toBe(within);
});

it("freezing and unfreezing show how many formulas are done", async () => {
  const { control } = await open([within, outside]);
  for (const action of ["freeze", "unfreeze"] as const) {
    const seen: FormulasState[] = [];
    const stop = control.subscribe(() => seen.push(control.getState()));
    await ends(control, () => control.run(action, "workbook"));
    stop();
    expect(seen).toContainEqual(
      expect.objectContaining({
        ...{ status: "running", order: action },
        job: expect.objectContaining({ progress: { done: 2, total: 2 } }) as unknown,
      }),
    );
  }
});

it("one piece of work on formulas runs at a time, and the next may begin after it", async () => {
  const excel = await open([within]);
  const { control } = excel;
  const state = await ends(control, () => {
    control.run("count", "workbook");
    control.run("freeze", "workbook");
  });
  expect(state).toMatchObject({ result: { action: "count" } });
  expect(formulaAt(excel, "A1")).toBe(within);
  expect(await ends(control, () => control.run("freeze", "workbook"))).toMatchObject({
    result: { action: "freeze" },
  });
});

it("a freeze that is cancelled leaves the formulas", async () => {
  const excel = await open([within]);
  const { control } = excel;
  // Nothing runs yet, so this has no effect.
  control.cancel();
  const state = await ends(control, () => {
    control.run("freeze", "workbook");
    control.cancel();
  });
  expect(state).toMatchObject({ status: "failed", failure: { kind: "cancelled" } });
  expect(formulaAt(excel, "A1")).toBe(within);
});

it("formulas' cells are shown, and if they can't be, the pane says why", async () => {
  const { control, spreadsheet } = await open([within]);
  const area = { sheetId: spreadsheet.sheets()[0]!.id, row: 3, column: 1, rows: 1, columns: 1 };
  control.goTo(area);
  await pass(1_000);
  expect(spreadsheet.selection()).toMatchObject({ rects: [{ row: 3, column: 1 }] });
  expect(control.getState()).toEqual({ status: "idle" });
  expect(await ends(control, () => control.goTo({ ...area, sheetId: "gone" }))).toMatchObject({
    status: "failed",
  });
});

it("a refresh without a connection asks nothing, neither the user nor the service", async () => {
  const { app, control, requests } = await open([within]);
  await inTime(app.forget());
  const before = requests.length;
  const asked = until(control, "asking", "done", "failed");
  control.run("refresh", "workbook");
  expect(await inTime(asked)).toMatchObject({ status: "done", result: { formulas: 1, errors: 1 } });
  expect(requests).toHaveLength(before);
});

it("a freeze writes #N/A for a value that is recorded nowhere, and says how often", async () => {
  const excel = await open([
    '=REGDATA.VALUE("06001", 1003)',
    '=REGDATA.MATRIX({"06001","48113"}, {1056,1003})',
  ]);
  const { control } = excel;
  const state = await ends(control, () => control.run("freeze", "workbook"));
  expect(state).toMatchObject({ result: { formulas: [{}, {}], left: [] } });
});

describe("an interrupted freeze", () => {
  async function interrupted() {
    const excel = await open([within]);
    const { app, control } = excel;
    await ends(control, () => control.run("freeze", "workbook"));
    const note = async (work: FormulaWork) => {
      await inTime(app.workbook.writePart(null, unfinishedXml({ id: "one", atMs: 0, work })));
      const { works } = await inTime(app.unfinished.list());
      return works[0] as KeptUnfinished<FormulaWork>;
    };
    return { ...excel, note, notes: async () => (await inTime(app.unfinished.list())).works };
  }

  it("is taken back: its formulas stand there again, and no earlier ones", async () => {
    const excel = await interrupted();
    const { control, note, notes } = excel;
    excel.enter("A2", [[outside]]);
    await inTime(excel.spreadsheet.idle());
    await ends(control, () => control.run("freeze", "workbook"));
    const { parts } = await inTime(listFrozen(excel.app.workbook, config.namespace));
    const { atMs } = parts[0]!;
    const unfinished = await note({ kind: "freeze", frozenAtMs: atMs, formulas: 1 });
    expect(await ends(control, () => control.end(unfinished, "take back"))).toMatchObject({
      result: { action: "unfreeze", back: [{ formula: outside }] },
    });
    expect(formulaAt(excel, "A1")).not.toBe(within);
    expect(await notes()).toEqual([]);
  });

  it("is completed: the formula that still stood in its cell is frozen, and kept once", async () => {
    const excel = await interrupted();
    const { app, control, note, notes } = excel;
    const { parts } = await inTime(listFrozen(app.workbook, config.namespace));
    const unfinished = await note({ kind: "freeze", frozenAtMs: parts[0]!.atMs, formulas: 1 });
    // The workbook lists the formula as frozen, and the formula stands in its cell.
    const [part] = await inTime(app.workbook.readParts(frozenNamespace));
    await ends(control, () => control.run("unfreeze", "workbook"));
    await inTime(app.workbook.writePart(null, part!.xml));
    expect(formulaAt(excel, "A1")).toBe(within);
    const states: FormulasState[] = [];
    control.subscribe(() => states.push(control.getState()));
    expect(await ends(control, () => control.end(unfinished, "finish"))).toMatchObject({
      result: { action: "freeze", scope: "workbook", formulas: [{ formula: within }] },
    });
    expect(states[0]).toMatchObject({ status: "running", order: "freeze" });
    expect(states).toContainEqual(
      expect.objectContaining({
        job: expect.objectContaining({ progress: { done: 1, total: 1 } }) as unknown,
      }),
    );
    expect(formulaAt(excel, "A1")).not.toBe(within);
    const now = await inTime(listFrozen(app.workbook, config.namespace));
    expect(now.parts.flatMap(({ formulas }) => formulas)).toMatchObject([{ formula: within }]);
    expect(await notes()).toEqual([]);
  });

  it("or an interrupted unfreeze is completed", async () => {
    const excel = await interrupted();
    const { control, note, notes } = excel;
    const unfinished = await note({ kind: "unfreeze", areas: null, formulas: 1 });
    expect(await ends(control, () => control.end(unfinished, "finish"))).toMatchObject({
      result: { action: "unfreeze", back: [{ formula: within }] },
    });
    expect(formulaAt(excel, "A1")).toBe(within);
    expect(await notes()).toEqual([]);
  });

  it("that can't be ended keeps its note", async () => {
    const { control, note, notes } = await interrupted();
    const unfinished = await note({ kind: "unfreeze", areas: null, formulas: 1 });
    const state = await ends(control, () => {
      control.end(unfinished, "finish");
      control.cancel();
    });
    expect(state).toMatchObject({ status: "failed", failure: { kind: "cancelled" } });
    expect(await notes()).toHaveLength(1);
  });
});
