import { describe, expect, it } from "vitest";
import {
  createStuckControl,
  type StuckControl,
  type StuckState,
} from "../../../src/taskpane/formulas/stuck-control";
import { inTime } from "../../excel/in-time";
import { openExcel } from "../../excel/open-excel";
import { pass, playExcel } from "../../functions/excel";

playExcel();

const fee = '=REGDATA.VALUE("06001", 1056)';
const code = '=REGDATA.VALUE("06001", 1003)';
const sheet2 = "Closed";

/** A workbook from a file with stuck formulas, which only entering them again repairs. */
async function openStuck(shown: "#NAME?" | "#BUSY!" = "#NAME?") {
  let requests = 0;
  const excel = openExcel({ excelApi: "1.20", onRequest: () => (requests += 1) });
  const { spreadsheet } = excel;
  spreadsheet.addSheet(sheet2);
  excel.enter("A1", [[fee], [code], ["=B9"], ["a #NAME? in a text"]]);
  excel.enter("C1", [["=CONTOSO.ADD(1)"]]);
  excel.enter(`${sheet2}!A1`, [[code]]);
  await inTime(spreadsheet.idle());
  const answers = { fee: excel.values("A1")[0]![0]!, code: excel.values("A2")[0]![0]! };
  const contents = spreadsheet.contents();
  const isOurs = (formula = "") => formula.startsWith("=REGDATA.");
  spreadsheet.openContents({
    ...contents,
    sheets: contents.sheets.map((sheet) => ({
      ...sheet,
      cells: sheet.cells.map((cell) =>
        isOurs(cell.formula) ? { ...cell, value: shown, isStuck: true } : cell,
      ),
    })),
  });
  const closed = spreadsheet.sheets().find(({ name }) => name === sheet2)!;
  excel.document.protectedSheets.add(closed.id);
  await inTime(spreadsheet.idle());
  return { ...excel, answers, control: createStuckControl(excel.app), countedRequests: () => requests };
}

function until(control: StuckControl, ...statuses: StuckState["status"][]): Promise<StuckState> {
  return new Promise((resolve) => {
    const stop = control.subscribe(() => {
      const state = control.getSnapshot();
      if (!statuses.includes(state.status)) return;
      stop();
      resolve(state);
    });
  });
}

describe.each(["#NAME?", "#BUSY!"] as const)("cells of a workbook that are stuck at %s", (shown) => {
  it("are found, stay so when they are calculated, and are repaired at once but on protected sheets", async () => {
    const { control, spreadsheet, values, answers } = await openStuck(shown);
    for (const { id } of spreadsheet.sheets()) spreadsheet.recalculate(id);
    await inTime(spreadsheet.idle());
    expect(values("A1:A2")).toEqual([[shown], [shown]]);

    const found = until(control, "found");
    control.look();
    expect(await inTime(found)).toMatchObject({
      stuck: {
        cells: [
          { row: 0, column: 0, formula: fee },
          { row: 1, column: 0, formula: code },
        ],
        onProtected: [{ sheetName: sheet2, row: 0, column: 0 }],
      },
    });

    const done = until(control, "done", "failed");
    control.repair();
    expect(await inTime(done)).toMatchObject({
      status: "done",
      report: { repaired: 2, left: [], onProtected: [{ sheetName: sheet2 }] },
    });
    expect(values("A1:A2")).toEqual([[answers.fee], [answers.code]]);
    expect(values(`${sheet2}!A1`)).toEqual([[shown]]);
  });
});

describe("a repair", () => {
  it("takes as many requests for a thousand cells as for two", async () => {
    const counts = [];
    for (const more of [0, 998]) {
      const { control, enter, spreadsheet, countedRequests } = await openStuck();
      enter(
        "E1",
        Array.from({ length: more }, () => [code]),
      );
      await inTime(spreadsheet.idle());
      const contents = spreadsheet.contents();
      const [first, ...others] = contents.sheets;
      spreadsheet.openContents({
        ...contents,
        sheets: [
          {
            ...first!,
            cells: first!.cells.map((cell) =>
              cell.column === 4 ? { ...cell, value: "#NAME?", isStuck: true } : cell,
            ),
          },
          ...others,
        ],
      });
      const before = countedRequests();
      const done = until(control, "done", "failed");
      control.repair();
      expect(await inTime(done)).toMatchObject({ report: { repaired: 2 + more, left: [] } });
      counts.push(countedRequests() - before);
    }
    expect(counts[1]).toBeLessThanOrEqual(counts[0]! + 4);
  });

  it("reports cells that Excel still does not know, for example because a name is misspelled", async () => {
    const { control, enter, spreadsheet } = await openStuck();
    enter("G1", [["=REGDATA.VALEU(1)"]]);
    await inTime(spreadsheet.idle());
    const done = until(control, "done", "failed");
    control.repair();
    expect(await inTime(done)).toMatchObject({ report: { repaired: 2, left: [{ row: 0, column: 6 }] } });
  });

  it("leaves a cell alone that waits for its answer now", async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    const { app, enter, values, requests } = openExcel({
      excelApi: "1.20",
      intercept: () => held.then(() => undefined),
    });
    enter("A1", [[code]]);
    const control = createStuckControl(app);
    const done = until(control, "done", "failed");
    control.repair();
    await pass(8_000);
    expect(values("A1")).toEqual([["#BUSY!"]]);
    answer();
    expect(await inTime(done)).toEqual({
      status: "done",
      report: { repaired: 0, left: [], onProtected: [] },
    });
    expect(String(values("A1")[0]![0])).not.toMatch(/^(?:#|$)/);
    expect(requests.filter((request) => request.includes("/v1/reports/matrix"))).toHaveLength(1);
  });
});
