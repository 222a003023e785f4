import { describe, expect, it } from "vitest";
import { createStuckControl } from "../../../src/taskpane/formulas/stuck-control";
import { inTime } from "../../excel/in-time";
import { openExcel } from "../../excel/open-excel";
import { pass, playExcel } from "../../functions/excel";

playExcel();

const sheetId = "sheet-1";

describe("a table of 2,000 formulas that name the geoID of their own rows", () => {
  it("asks once for a geoID that changes, and shows all other rows from memory, though Excel calculates them all again", async () => {
    let answerMs = 0;
    const excel = openExcel({
      excelApi: "1.20",
      async intercept(request) {
        if (request.url.includes("matrix")) await new Promise((resolve) => setTimeout(resolve, answerMs));
        return undefined;
      },
    });
    const session = await inTime(excel.app.session());
    const { ahjs } = await inTime(session.lookup.directory.load());
    const counties = ahjs.flatMap(({ geoid }) => (geoid?.length === 5 ? [geoid] : []));
    const rows = counties.slice(0, 2_000);
    excel.enter("A1", [["geoid", "Code"], ...rows.map((geoid) => [`'${geoid}`, ""])]);
    const rect = { row: 0, column: 0, rows: rows.length + 1, columns: 2 };
    excel.spreadsheet.addTable({ sheetId, name: "Places", rect, style: "" });
    excel.enter(
      "B2",
      rows.map(() => ["=REGDATA.VALUE([@geoid],1003)"]),
    );
    await inTime(excel.spreadsheet.idle());
    const shown = () => excel.values("B2:B2001").flat();
    const before = shown();
    expect(before.filter((value) => ["#BUSY!", "#NAME?", "#VALUE!"].includes(String(value)))).toEqual([]);
    expect(new Set(before).size).toBeGreaterThan(3);

    const asked = excel.requests.length;
    answerMs = 10_000;
    excel.enter("A8", [[`'${counties[2_500]}`]]);
    // Within this time, office.js hands all results over that are there.
    await pass(300);
    expect(shown().flatMap((value, row) => (value === "#BUSY!" ? [row + 2] : []))).toEqual([8]);
    await inTime(excel.spreadsheet.idle());
    expect(excel.requests.slice(asked)).toHaveLength(1);
    const after = shown();
    expect(after.filter((value, row) => row !== 6 && value !== before[row])).toEqual([]);
    expect(after[6]).not.toBe("#BUSY!");
  });
});

describe("500 formulas that name one jurisdiction by a defined name", () => {
  it("are found and repaired after the name was deleted and added again, without a request for their answers", async () => {
    const excel = openExcel({ excelApi: "1.20" });
    const { spreadsheet } = excel;
    const name = { name: "Sel", formula: "=Sheet1!$D$1", comment: "", sheetId: null };
    excel.enter("D1", [["'06001"]]);
    spreadsheet.addName(name);
    excel.enter(
      "A1",
      Array.from({ length: 500 }, () => ["=REGDATA.VALUE(Sel,1056)"]),
    );
    await inTime(spreadsheet.idle());
    const answers = excel.values("A1:A500");
    // The sample's minimum permit fee of Alameda County.
    expect(new Set(answers.flat())).toEqual(new Set([30]));
    spreadsheet.deleteName(name);
    await inTime(spreadsheet.idle());
    spreadsheet.addName(name);
    await inTime(spreadsheet.idle());
    expect(new Set(excel.values("A1:A500").flat())).toEqual(new Set(["#NAME?"]));

    const asked = excel.requests.length;
    const { found, repairs, ...control } = createStuckControl(excel.app);
    control.look();
    await until(() => Boolean(found.getState()));
    expect(found.getState()?.cells).toHaveLength(500);
    control.repair();
    await until(() => repairs.getState().status === "done");
    expect(repairs.getState()).toMatchObject({ result: { repaired: 500, left: [] } });
    expect(excel.values("A1:A500")).toEqual(answers);
    expect(excel.requests.slice(asked)).toEqual([]);
  });
});

async function until(isReached: () => boolean): Promise<void> {
  for (let tries = 0; !isReached(); tries += 1) {
    if (tries === 50) throw new Error("It has not come to that.");
    await pass(1_000);
  }
}
