import { afterEach, expect, it } from "vitest";
import type { Session } from "../../../src/app";
import type { Ahj } from "../../../src/engine/api/schemas";
import { createUsesControl, type UsesControl } from "../../../src/taskpane/uses/uses-control";
// Scripts that are loaded on demand would arrive in real time, but these tests use fake time, so they are loaded here.
import "../../../src/taskpane/uses/uses-work";
import "../../../src/workbook/work-note/unfinished-work";
import { placeImport } from "../../../src/workbook/imports/run/place-import";
import { plainForm } from "../../../src/workbook/sheet/layout/table-plan";
import { inTime } from "../../excel/in-time";
import { type ExcelOptions, openExcel, type PlayedExcel } from "../../excel/open-excel";
import { pass, playExcel } from "../../functions/excel";
import type { Interception } from "../../recorded-service";
import { serviceSaying } from "../../workbook/imports/imported-book";

playExcel();

let excel: PlayedExcel;
let control: UsesControl;
afterEach(() => expect(excel.problems).toEqual([]));

/** A workbook with formulas on Sheet1, and an import of Alameda and Los Angeles with three questions. */
async function open(formulas: string[][], { key, ...options }: ExcelOptions = {}) {
  excel = openExcel({ excelApi: "1.20", ...options, ...(key !== undefined && { key }) });
  excel.enter("Sheet1!A1", [["06001"], ["06037"]]);
  excel.enter("Sheet1!B1", formulas);
  await inTime(excel.spreadsheet.idle());
}

async function withImport(): Promise<Session> {
  const session = await inTime(excel.app.session());
  const ahjs = [...(await inTime(session.lookup.directory.resolve(["06001", "06037"]))).values()];
  const question = {
    kind: "matrix" as const,
    ahjs: ahjs.filter((each): each is Ahj => "id" in each),
    types: (await inTime(session.lookup.catalogue.types())).filter(({ id }) => id <= 1003),
  };
  const order = { question, form: plainForm, hasSources: false, sheetName: "Codes" };
  const { workbook } = excel.app;
  await inTime(placeImport(order, { kind: "new-sheet", name: "Codes" }, { workbook, session }, {}));
  return session;
}

async function rests() {
  for (let turn = 0; turn < 50; turn += 1) {
    await pass(1_000);
    const { look, work } = control.getState();
    if (look.status !== "running" && work.status !== "running") break;
  }
  return control.getState();
}

async function looked() {
  control.look();
  const { look } = await rests();
  if (look.status !== "done") throw new Error(`It is ${look.status}.`);
  return look.result;
}

it("what the workbook uses is read when the user asks, with places that formulas name by cells and imports hold by id", async () => {
  await open([["=REGDATA.VALUE(A1, 1003)"], ["=REGDATA.VALUE(A2, 1003)&REGDATA.VALUE(A2, 1056)"]]);
  const session = await withImport();
  control = createUsesControl(excel.app, session);
  expect(control.getState().look).toEqual({ status: "idle" });
  excel.requests.length = 0;
  const { uses, summary } = await looked();
  expect(summary).toBe("2 places and 4 questions in 2 formulas and 1 import.");
  expect(
    uses.places.map(({ name, code, formulas, imports, standing }) => [
      name,
      code,
      formulas,
      imports,
      standing,
    ]),
  ).toEqual([
    ["Alameda County, CA", "06001", 1, ["Codes"], "there"],
    ["Los Angeles County, CA", "06037", 1, ["Codes"], "there"],
  ]);
  expect(uses.places[1]?.places.map(({ address }) => address.replace(/:.*/, ""))).toEqual([
    "Sheet1!B2",
    "Codes!A1",
  ]);
  expect(uses.questions.map(({ code, formulas, imports }) => [code, formulas, imports.length])).toEqual([
    ["1003", 2, 1],
    ["1056", 1, 0],
    ["1001", 0, 1],
    ["1002", 0, 1],
  ]);
  expect(uses.oldestMs).not.toBeNull();
  expect(uses.formulasOldestMs).not.toBeNull();
  // All of it was known.
  expect(excel.requests).toEqual([]);
});

it("codes that the directory lacks come with their successors, and questions that the catalogue lacks", async () => {
  await open([['=REGDATA.VALUE({"46113";"06001"}, {1003,99999})']]);
  control = createUsesControl(excel.app, await inTime(excel.app.session()));
  const { uses, summary } = await looked();
  const [shannon] = uses.places;
  expect(shannon).toMatchObject({ code: "46113", standing: "gone", successors: ["46102"] });
  expect(shannon?.why).toContain("46102");
  expect(uses.questions.map(({ code, standing }) => [code, standing])).toEqual([
    ["1003", "there"],
    ["99999", "gone"],
  ]);
  expect(summary).toBe(
    "2 places and 2 questions in 1 formula and 0 imports. 1 place is not in the directory. 1 question is not in the catalogue.",
  );
});

it("a place that the key does not cover is outside the subscription, and not gone", async () => {
  await open([['=REGDATA.VALUE({"48201";"06001"}, 1003)']], { key: "demo-west" });
  control = createUsesControl(excel.app, await inTime(excel.app.session()));
  const { uses, summary } = await looked();
  expect(uses.places.map(({ code, standing }) => [code, standing])).toEqual([
    ["48201", "outside"],
    ["06001", "there"],
  ]);
  expect(summary).toContain("1 place is outside your subscription.");
});

/** A service whose directory says that it has 80 pages. */
const manyPages: Interception = (request) => {
  const many = serviceSaying((object) => {
    if ("total_pages" in object) Object.assign(object, { total: 40_000, total_pages: 80 });
  });
  return new URL(request.url).pathname.endsWith("/ahjs") ? many(request) : undefined;
};

it("places that take more requests than the add-in sends by itself are not looked up until the user asks for all", async () => {
  // One county in each of many states: each takes its state's list, or the whole directory does.
  const states = [
    "01",
    "04",
    "05",
    "06",
    "08",
    "10",
    "12",
    "13",
    "16",
    "17",
    "18",
    "19",
    "20",
    "21",
    "22",
    "23",
    "24",
  ];
  const more = [
    "25",
    "26",
    "27",
    "28",
    "29",
    "30",
    "31",
    "32",
    "33",
    "34",
    "35",
    "36",
    "37",
    "38",
    "39",
    "40",
    "41",
  ];
  const codes = [...states, ...more].map((state) => `"${state}001"`).join(";");
  await open([["first"]], { intercept: manyPages });
  const session = await inTime(excel.app.session());
  excel.requests.length = 0;
  excel.enter("Sheet1!D1", [[`=IF(FALSE, REGDATA.MATRIX({${codes}}, 1003))`]]);
  await inTime(excel.spreadsheet.idle());
  control = createUsesControl(excel.app, session);
  const { uses, summary } = await looked();
  expect(excel.requests.length).toBeLessThanOrEqual(20);
  expect(uses.places.some(({ standing }) => standing === "not-looked-up")).toBe(true);
  expect(summary).toContain("not looked up");
  expect(uses.places.find(({ standing }) => standing === "not-looked-up")?.why).toContain("Look up the rest");
});

it("an argument that only Excel can calculate is counted and named, and not guessed", async () => {
  await open([['=REGDATA.VALUE(INDIRECT("A1"), 1003)']]);
  control = createUsesControl(excel.app, await inTime(excel.app.session()));
  const { uses, summary } = await looked();
  expect(uses.places).toEqual([]);
  expect(uses.untold).toMatchObject([
    { name: 'INDIRECT("A1")', formulas: 1, places: [{ address: "Sheet1!B1" }] },
  ]);
  expect(summary).toBe(
    "0 places and 1 question in 1 formula and 0 imports. Of 1 argument it can’t be told what they name.",
  );
});

it("without a key nothing is looked up and no request is sent", async () => {
  await open([["=REGDATA.VALUE(A1, 1003)"]], { key: null });
  control = createUsesControl(excel.app, null);
  const { uses, summary } = await looked();
  expect(uses.places).toMatchObject([{ code: "06001", standing: "not-looked-up" }]);
  expect(summary).toContain("Connect to look up whether codes are gone.");
  expect(excel.requests).toEqual([]);
});

it("the list becomes a sheet, whose cells are texts that lead to the formulas", async () => {
  await open([["=REGDATA.VALUE(A1, 1003)"]]);
  control = createUsesControl(excel.app, await inTime(excel.app.session()));
  await looked();
  control.writeSheet();
  const { work } = await rests();
  expect(work).toMatchObject({
    status: "done",
    result: expect.stringMatching(/^Written to Uses!A1:J3\.$/) as string,
  });
  expect(excel.values("Uses!A2:F3")).toEqual([
    ["Place", "Alameda County, CA", "06001", 1, "", "Sheet1!B1"],
    ["Question", "Electrical Code in Force", "1003", 1, "", "Sheet1!B1"],
  ]);
});

it("a look that is cancelled says so, and can be begun again", async () => {
  await open([["=REGDATA.VALUE(A1, 1003)"]]);
  control = createUsesControl(excel.app, await inTime(excel.app.session()));
  control.look();
  control.cancel();
  expect((await rests()).look).toMatchObject({ status: "failed", failure: { kind: "cancelled" } });
  expect((await looked()).uses.places).toHaveLength(1);
});

it("going to a use shows its cell", async () => {
  await open([["=REGDATA.VALUE(A1, 1003)"]]);
  control = createUsesControl(excel.app, await inTime(excel.app.session()));
  const { uses } = await looked();
  control.goTo(uses.places[0]!.places[0]!);
  await pass(2_000);
  expect(await inTime(excel.app.workbook.selectedPosition())).toMatchObject({ row: 0, column: 1 });
});
