import { expect, it } from "vitest";
import {
  createFormulaControl,
  type FormulaControl,
  type FormulasState,
} from "../../../src/taskpane/formulas/formula-control";
import { inTime } from "../../excel/in-time";
import { openExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";
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
      const state = control.getSnapshot();
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
  control.decide(mayLose);
  return { question, state: await inTime(done) };
}

it("a refresh with a smaller key asks before values become errors, and keeps them if the user says so", async () => {
  const { app, control, values, spreadsheet } = await open([outside, within, table]);
  const before = values("A1:A6");
  await inTime(app.connect(baseUrl, "demo-west"));
  const { question, state } = await refreshWith(control, false);
  expect(question).toMatchObject({ status: "asking", losing: 2, because: { kind: "outside-subscription" } });
  await inTime(spreadsheet.idle());
  expect(values("A1:A6")).toEqual(before);
  expect(state).toMatchObject({
    status: "done",
    report: { formulas: 1, errors: 0, kept: { formulas: 2, because: { kind: "outside-subscription" } } },
  });
});

it("a refresh with a smaller key shows errors if the user says so", async () => {
  const { app, control, values } = await open([outside, within]);
  const stays = values("A2");
  await inTime(app.connect(baseUrl, "demo-west"));
  const { state } = await refreshWith(control, true);
  expect(state).toMatchObject({ status: "done", report: { formulas: 2, errors: 1, kept: null } });
  expect(values("A1:A2")).toEqual([["#N/A"], ...stays]);
});

it("a refresh asks nothing of the user where no value is lost, whatever formulas make of errors", async () => {
  const { app, control } = await open(['=IFERROR(REGDATA.VALUE("48113", 1056), "none")', within]);
  await inTime(app.connect(baseUrl, "demo-west"));
  const done = until(control, "asking", "done", "failed");
  control.run("refresh", "workbook");
  expect(await inTime(done)).toMatchObject({ status: "done", report: { formulas: 2 } });
});

it("a refresh takes no more requests for knowing what it would lose", async () => {
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

it("cancelling at the question changes nothing", async () => {
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
  expect(await inTime(done)).toMatchObject({ report: { action: "retry", formulas: 1, errors: 0 } });
  expect(values("A1:A2")).toEqual(before);
  expect(requests.slice(sent).filter((request) => request.includes("matrix"))).toHaveLength(1);
});
