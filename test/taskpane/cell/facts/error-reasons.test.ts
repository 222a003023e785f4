import { afterEach, describe, expect, it } from "vitest";
import { Failure } from "../../../../src/errors";
import { lackingValueFor } from "../../../../src/taskpane/formulas/formula-control";
import { answerSummary } from "../../../../src/taskpane/cell/facts/answer-summary";
import { createCellControl } from "../../../../src/taskpane/cell/facts/cell-control";
import { answerWaiting } from "../../../../src/workbook/cell-formulas/answer-waiting";
import { inTime } from "../../../excel/in-time";
import { type ExcelOptions, openExcel } from "../../../excel/open-excel";
import { outage, pass, playExcel } from "../../../functions/excel";
import { baseUrl } from "../../../recorded-service";
import { type CellPane, factsOf, lookAt, openCellPane, select } from "./cell-pane";

playExcel();

let pane: CellPane;

afterEach(() => {
  pane.stop();
  expect(pane.excel.problems).toEqual([]);
});

const outside = "This jurisdiction is outside your subscription.";

/** Opens a workbook with this formula without a key, and connects while its cell is looked at. */
async function connectOn(formula: string, key: string, options: ExcelOptions = {}) {
  const excel = openExcel({ excelApi: "1.13", ...options, key: null });
  excel.enter("A1", [["'17031"], ["Alameda County, CA"]]);
  excel.enter("B1", [[formula]]);
  await pass(1_000);
  await inTime(excel.app.connect(baseUrl, key));
  const session = await inTime(excel.app.session());
  const control = createCellControl(excel.app, session);
  pane = { excel, session, control, stop: control.follow() };
  select(pane, "B1");
  await pass(2_000);
}

/** Has waiting formulas answered, as the pane does after connecting. */
async function answerFormulas() {
  const { signal } = new AbortController();
  const { session, excel } = pane;
  const answering = answerWaiting(excel.app.workbook, {
    ...{ namespace: "REGDATA", canSeeSpills: true, signal },
    ...{ calls: excel.app, lookup: session.lookup, lackingValue: lackingValueFor(excel.app)! },
    onBegun: () => undefined,
  });
  await inTime(answering);
}

describe("the reason of a cell in error", () => {
  it("comes as soon as its formula was answered, without another selection", async () => {
    await connectOn("=REGDATA.VALUE(A1, 1056)", "demo-west");
    expect(factsOf(pane).answers).toMatchObject([{ answer: { kind: "not-asked" } }]);
    await answerFormulas();
    expect(factsOf(pane)).toMatchObject({
      cell: { value: "#N/A" },
      answers: [{ answer: { kind: "outside-subscription" } }],
    });
  });

  it("is that of the service for a formula that tells of a jurisdiction, too", async () => {
    await connectOn("=REGDATA.AHJ(A1)", "demo-west");
    await answerFormulas();
    const [told] = factsOf(pane).answers;
    expect(told?.answer).toMatchObject({ kind: "outside-subscription" });
    expect(answerSummary(told!)).toBe(`17031: not answered. ${outside}`);
  });

  it("is that the service can't be reached, until the jurisdiction was told", async () => {
    const down = outage();
    pane = await openCellPane({ intercept: down.intercept });
    pane.excel.enter("A1", [["Alameda County, CA"]]);
    down.isDown = true;
    pane.excel.enter("B1", [["=REGDATA.AHJ(A1)"]]);
    await pass(120_000);
    const [told] = (await lookAt(pane, "B1")).answers;
    expect(answerSummary(told!)).toBe("Alameda County, CA: not answered. The service can't be reached.");
    down.isDown = false;
    pane.control.refresh();
    await pass(60_000);
    expect((await lookAt(pane, "B1")).answers).toMatchObject([{ ahj: { geoid: "06001" }, answer: null }]);
  });
});

describe("a call in a formula is summed up", () => {
  it("with what its cell names, though the formula around it is calculated", async () => {
    pane = await openCellPane();
    pane.excel.enter("A9", [["Maricopa County, AZ"]]);
    pane.excel.enter("B9", [['=REGDATA.AHJ($A9)&", "&REGDATA.AHJ($A9, "state_code")']]);
    await inTime(pane.session.lookup.ask({ ahjs: ["Maricopa County, AZ"] }));
    const { answers } = await lookAt(pane, "B9");
    expect(answers.map(answerSummary)).toEqual(["Maricopa County, AZ", "Maricopa County, AZ"]);
  });

  it("as not answered if the service could not be asked, and as no value only if none is recorded", async () => {
    const down = outage();
    pane = await openCellPane({ intercept: down.intercept });
    await inTime(pane.session.lookup.ask({ ahjs: ["04013"] }));
    await inTime(pane.session.lookup.catalogue.types());
    down.isDown = true;
    pane.excel.enter("B1", [['=REGDATA.VALUE("04013", 1003)']]);
    await pass(120_000);
    const [answer] = (await lookAt(pane, "B1")).answers;
    const asked = "Maricopa County, AZ: Electrical Code in Force";
    expect(answerSummary(answer!)).toBe(`${asked}: not answered. The service can't be reached.`);
    expect(answerSummary({ ...answer!, answer: new Failure("no-value") })).toBe(`${asked}: no value`);
  });
});
