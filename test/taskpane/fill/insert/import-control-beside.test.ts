import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Session } from "../../../../src/app";
import type { Ahj, DataPointType } from "../../../../src/engine/api/schemas";
import {
  type BesideOrder,
  createImportControl,
  type ImportControl,
  type ImportState,
} from "../../../../src/taskpane/fill/insert/import-control";
import type { How } from "../../../../src/engine/lookup/lists/read-code";
import { createDraftControl } from "../../../../src/taskpane/fill/draft/draft-control";
import { createImportSelector, orderOfList } from "../../../../src/taskpane/fill/draft/draft";
import { waysOf } from "../../../../src/taskpane/fill/place/beside-ways";
import {
  lookForChanges,
  refreshImport,
  type RefreshOptions,
} from "../../../../src/workbook/imports/refresh/refresh";
import { readColumn } from "../../../../src/workbook/imports/run/list-rows";
import { createImportBook } from "../../../../src/workbook/imports/saved/import-book";
import { importXml, parseImportXml } from "../../../../src/workbook/imports/saved/saved-import";
import { plainForm, type TableForm } from "../../../../src/workbook/sheet/layout/table-plan";
import type { EditOutcome } from "../../../../src/workbook/sheet/tables/table-edit";
import { createImportTables } from "../../../../src/workbook/sheet/tables/table-changes";
import { parseAddress } from "../../../../workbench/address";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";
import { reorder } from "../../../people/grid-edits";
import { connected } from "../../../recorded-service";

/** Runs and refreshes, as the pane does, an import beside a list that has other columns of the user's around it. */
playExcel();

let excel: PlayedExcel;
let session: Session;
let control: ImportControl;
let ahjs: Ahj[];
let types: DataPointType[];
/** The fee that the service gives from now on; undefined for its own value. */
let newFee: string | undefined;
/** True while the service answers no matrix. */
let isDown: boolean;

const sheetId = "sheet-1";
const rectOf = (address: string) => parseAddress(address)!.rect;

beforeEach(async () => {
  [newFee, isDown] = [undefined, false];
  excel = openExcel({
    excelApi: "1.13",
    async intercept(request) {
      if (!request.url.endsWith("/matrix")) return undefined;
      if (isDown) return new Response("{}", { status: 503 });
      if (newFee === undefined) return undefined;
      const body = await (await connected("demo-national").fetch(request)).text();
      return new Response(body.replaceAll(/"value":"\$[^"]*"/g, `"value":"${newFee}"`));
    },
  });
  session = await inTime(excel.app.session());
  control = createImportControl(excel.app, session);
  types = (await inTime(session.lookup.catalogue.types())).filter(({ id }) => id === 1056);
  const found = await inTime(session.lookup.directory.resolve(["06001", "06037"]));
  ahjs = [...found.values()].filter((each): each is Ahj => "id" in each);
  excel.enter("A1", [
    ["Project", "Place", "kW"],
    ["Roof", "'06001", 4],
    ["Field", "'06037", 5],
  ]);
});

afterEach(() => void vi.useRealTimers());

async function order(wantsTable = true, cells = "B1:B3", how: How = "as-given"): Promise<BesideOrder> {
  excel.spreadsheet.select(sheetId, [rectOf(cells)]);
  const column = await inTime(excel.app.workbook.readListColumn());
  const { entries } = (await readColumn(column)).read;
  const header =
    cells === "B1:B3"
      ? { from: "list" as const, text: "Place" }
      : { from: "inserted" as const, text: "Jurisdiction" };
  const rows = { header, entries, blanks: [] };
  const listed = ahjs.map((ahj) => ({ ahj, how }));
  return {
    ...{ question: { kind: "matrix", ahjs, types }, form: plainForm, hasSources: false, sheetName: "Fees" },
    ...{ size: { rows: 3, columns: 2 }, parts: 1, unmatched: [], columns: { together: 2, apart: 4 } },
    beside: orderOfList({ column, rows, ahjs: listed }, wantsTable),
  };
}
const reaches = <Status extends ImportState["status"]>(status: Status) =>
  inTime(
    new Promise<Extract<ImportState, { status: Status }>>((resolve) => {
      const look = () => {
        const now = control.getState();
        if (now.status !== status) return;
        stop();
        resolve(now as Extract<ImportState, { status: Status }>);
      };
      const stop = control.subscribe(look);
      look();
    }),
  );
/** The labels of the ways that the user can choose from. */
async function asked(wantsTable = true, cells?: string) {
  control.insertBeside(await order(wantsTable, cells));
  const { place, order: asking } = await reaches("beside-in-the-way");
  return { place, ways: new Map(waysOf(place, asking.beside).map((way) => [way.label, way])) };
}
const choose = async (label: string, wantsTable = true) => {
  const { ways } = await asked(wantsTable);
  control.chooseWay(ways.get(label)!.offer);
  return reaches("done");
};
const answersAsked = () => excel.requests.filter((request) => request.includes("matrix"));

describe("columns with no room beside a list", () => {
  it("raise a question that explains each way, before anything is asked of the service", async () => {
    const { place, ways } = await asked();
    expect(place.filled).toBe("Sheet1!C1:C3");
    expect([...ways].map(([label, { words, isPossible }]) => [label, words, isPossible])).toEqual([
      [
        "Insert new columns",
        "Moves column C and everything after it 2 columns to the right. Nothing is lost.",
        true,
      ],
      ["Put them after column C", "Fills Sheet1!D1:E3. Nothing is moved or lost.", true],
      ["Overwrite", "What Sheet1!C1:C3 holds is lost.", true],
    ]);
    expect(answersAsked()).toEqual([]);
    control.dismiss();
    // A way that is chosen after the question was canceled is not gone.
    control.chooseWay(place.right);
    expect(control.getState().status).toBe("idle");
    expect(excel.values("A1:E1")).toEqual([["Project", "Place", "kW", "", ""]]);
  });

  it("say that the cells below move down if a header is inserted", async () => {
    const { ways } = await asked(true, "B2:B3");
    const header =
      "Nothing is lost. A header is inserted above Sheet1!B2: the cells below move down one row.";
    for (const label of ["Insert new columns", "Put them after column C"])
      expect(ways.get(label)?.words).toMatch(new RegExp(`${header}$`));
    expect(ways.get("Overwrite")?.words).toMatch(/is lost\. A header is inserted above Sheet1!B2: /);
  });

  it("say if a way is not possible, and that columns apart are not sorted with the list", async () => {
    excel.enter("E1", [["note"]]);
    excel.spreadsheet.merge(sheetId, rectOf("B3:C3"));
    const { ways } = await asked();
    expect(ways.get("Insert new columns")).toMatchObject({
      words: "Not possible here. Cells are merged there: Sheet1!B3:C3.",
      isPossible: false,
    });
    expect(ways.get("Put them after column E")?.isPossible).toBe(true);
  });

  it.each([
    ["Insert new columns", ["Project", "Place", "Minimum Permit Fee ($)", "AHJ ID", "kW"]],
    ["Put them after column C", ["Project", "Place", "kW", "Minimum Permit Fee ($)", "AHJ ID"]],
  ])("%s: one table, in one request for answers", async (label, headers) => {
    const done = await choose(label);
    expect(done).toMatchObject({ notRemembered: null, order: { beside: { notTable: null } } });
    expect(excel.values("A1:E1")).toEqual([headers]);
    expect(excel.spreadsheet.tables().map(({ rect }) => rect)).toEqual([rectOf("A1:E3")]);
    expect(answersAsked()).toHaveLength(1);
  });

  it("keep the answers that came: a user who chooses another way after a failure sends no request again", async () => {
    excel.enter("E2", [["note"]]);
    const { ways } = await asked();
    excel.enter("F1", [["typed meanwhile"]]);
    control.chooseWay(ways.get("Put them after column E")!.offer);
    expect(await reaches("failed")).toMatchObject({ failure: { kind: "cells-in-the-way" } });
    expect(answersAsked()).toHaveLength(1);
    isDown = true;
    await choose("Insert new columns");
    expect(answersAsked()).toHaveLength(1);
    expect(excel.values("C2:D2")[0]?.[1]).toBe(ahjs[0]?.id);
  });

  it("are explained in the report if the list can't become a table", async () => {
    excel.enter("A1", [[2026]]);
    const { order } = await choose("Put them after column C");
    expect(order.beside?.notTable).toBe(
      "Sheet1!A1 is a number or a formula, which Excel would turn into text.",
    );
    expect(excel.values("A1:G1")).toEqual([
      [2026, "Place", "kW", "Name", "State", "Minimum Permit Fee ($)", "AHJ ID"],
    ]);
    expect(excel.spreadsheet.tables().map(({ rect }) => rect)).toEqual([rectOf("D1:G3")]);
  });
});

describe("columns with room beside a list", () => {
  it("are inserted without a question", async () => {
    excel.enter("C1", [[""], [""], [""]]);
    const seen: ImportState["status"][] = [];
    control.subscribe(() => seen.push(control.getState().status));
    control.insertBeside(await order());
    await reaches("done");
    expect(new Set(seen)).toEqual(new Set(["running", "done"]));
    expect(excel.values("A1:D1")).toEqual([["Project", "Place", "Minimum Permit Fee ($)", "AHJ ID"]]);
  });
});

async function savedImport() {
  const [kept] = (await inTime(createImportBook(excel.app.workbook).list())).imports;
  return kept!.saved;
}

/** Refreshes as the pane does. `within` is called with the writing of the table. */
async function refreshed(
  options?: RefreshOptions,
  within: (edit: () => Promise<EditOutcome>) => Promise<EditOutcome> = (edit) => edit(),
) {
  const { workbook } = excel.app;
  const tables = createImportTables(workbook);
  const dependencies = {
    tables: {
      ...tables,
      edit: (...edit: Parameters<typeof tables.edit>) => within(() => tables.edit(...edit)),
    },
    book: createImportBook(workbook),
    ...session,
  };
  return inTime(refreshImport(await savedImport(), dependencies, options));
}

describe("a refresh of columns beside a list", () => {
  it.each<[string, boolean, string]>([
    ["Insert new columns", true, "D"],
    ["Put them after column C", true, "E"],
    ["Insert new columns", false, "F"],
    ["Put them after column C", false, "G"],
    ["Overwrite", true, "D"],
  ])("finds them wherever they ended up: %s, a table of all: %s", async (way, isTable, column) => {
    await choose(way, isTable);
    // The user has inserted a column before it, and reversed the table's order.
    const own = rectOf(`${column}1`).column - 1;
    excel.spreadsheet.insertColumns(sheetId, own, 1);
    excel.spreadsheet.writeFormulas(sheetId, { row: 0, column: own, rows: 1, columns: 1 }, [["My own"]]);
    reorder(excel.spreadsheet, excel.spreadsheet.tables()[0]!, [1, 0]);
    expect(excel.values(`${column}2:${column}3`).flat()).toEqual([expect.any(Number), expect.any(Number)]);
    newFee = "$1,234";
    // The clock shows a minute later.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    const { changes, missingColumns, edited } = (await refreshed()).report;
    expect([changes.length, missingColumns, edited]).toEqual([2, [], []]);
    expect(excel.values(`${column}2:${column}3`)).toEqual([[1_234], [1_234]]);
    expect(changes.map(({ ahj }) => ahj.id)).toEqual([ahjs[1]?.id, ahjs[0]?.id]);
  });
});

describe("the column How certain beside a list", () => {
  const form = { ...plainForm, hasCertainty: true };
  /** The rows of the list, each with the user's own note, and the words for its entry. */
  const rowsOfList = [
    ["mine", "'06001", "as given"],
    ["=A2", 6037, "zero put back"],
    ["blank", "", ""],
    [7, "Clark County, NV", "name"],
    ["", "Saint Louis County, MO", "name, another spelling"],
    ["", "St Louis Cnty, MO", "name, guessed: St. Louis County, MO"],
    ["lost", "'4899999", "not matched"],
    ["a tract", "'06001400100", "replaced by choice: Alameda County, CA"],
    ["a former county", "'46113", "replaced by choice: Oglala Lakota County, SD"],
    ["again", "'6001", "zero put back"],
    ["", "nothing, really", "not matched"],
  ];
  const offers = [
    { key: "06001400100", geoid: "06001" },
    { key: "46113", geoid: "46102" },
  ];
  const words = rowsOfList.map(([, , told]) => told);
  const cellsOf = (letter: string) => excel.values(`List!${letter}2:${letter}12`).flat();
  const areFilled = (values: readonly unknown[]) =>
    values.map((value) => value !== "" && value !== "not matched");

  /** Reads the list as the pane does, answers its questions, and inserts the columns. */
  async function insert(
    chosen: TableForm = form,
    { wantsTable = true, header = "Note", rows = rowsOfList } = {},
  ) {
    const { id } = excel.spreadsheet.addSheet("List");
    excel.enter("List!A1", [[header, "Place"], ...rows.map(([note, entry]) => [note!, entry!])]);
    const before = excel.cells("List!A1:B12");
    excel.spreadsheet.activateSheet(id);
    excel.spreadsheet.select(id, [rectOf("B1:B12")]);
    const drafts = createDraftControl(excel.app, session);
    drafts.change({ type: "put", isBeside: true });
    drafts.change({ type: "ask", questions: { types, collection: null } });
    await inTime(drafts.readList());
    drafts.listed.change({ type: "settle-guesses" });
    await inTime(drafts.listed.takeOffers(offers));
    const { order } = createImportSelector()(drafts.getState(), {
      ...{ layout: "wide", citations: "none", hasDates: false, hasDashes: chosen.hasDashes ?? false },
      ...{ hasCertainty: chosen.hasCertainty ?? false, makesTable: wantsTable },
    });
    control.insertBeside({
      ...order!,
      ...{ beside: order!.beside!, sheetName: "Fees", parts: 1, unmatched: [] },
      ...{ size: { rows: 12, columns: 3 }, columns: { together: 3, apart: 5 } },
    });
    const { notRemembered, report } = await reaches("done");
    expect(notRemembered).toBeNull();
    expect(excel.cells("List!A1:B12").map((row) => row.map(({ formula }) => formula))).toEqual(
      before.map((row) => row.map(({ formula }) => formula)),
    );
    return { report };
  }

  it("says for each row how its entry was understood, and nothing of the user's changes", async () => {
    const { report } = await insert();
    expect(excel.values("List!C1:E1")).toEqual([["Minimum Permit Fee ($)", "How certain", "AHJ ID"]]);
    expect(cellsOf("D")).toEqual(words);
    expect(areFilled(cellsOf("E"))).toEqual(areFilled(words));
    // Its words are no answers.
    const answered = cellsOf("E").filter((_, row) => cellsOf("C")[row] !== "");
    expect(report.values).toBe(new Set(answered).size);
  });

  it("stands beside answers with dashes for no value, but not in rows without a jurisdiction", async () => {
    const { report } = await insert({ ...form, hasDashes: true });
    const values = cellsOf("C").map((value) => (typeof value === "number" ? "amount" : value));
    const without = report.withoutValue.flatMap(({ ahjs: none }) => none).map(({ id }) => id);
    const expected = cellsOf("E").map((id) =>
      id === "" ? "" : without.includes(Number(id)) ? "–" : "amount",
    );
    expect(values).toEqual(expected);
    expect(new Set(expected)).toEqual(new Set(["", "–", "amount"]));
    expect((await savedImport()).form.hasDashes).toBe(true);
  });

  it("has a header that the list's table has not", async () => {
    await insert(form, { header: "How certain" });
    expect(excel.values("List!A1:E1")[0]).toEqual([
      "How certain",
      "Place",
      "Minimum Permit Fee ($)",
      "How certain (2)",
      "AHJ ID",
    ]);
  });

  it("stands before the id in a table of its own, too", async () => {
    await insert(form, { wantsTable: false });
    expect(excel.values("List!C1:G1")).toEqual([
      ["Name", "State", "Minimum Permit Fee ($)", "How certain", "AHJ ID"],
    ]);
    expect(cellsOf("F")).toEqual(words);
  });

  it("is there, though not chosen, if an entry has no jurisdiction, so that its row is not taken for one without a value", async () => {
    await insert(plainForm);
    expect(excel.values("List!C1:E1")).toEqual([["Minimum Permit Fee ($)", "How certain", "AHJ ID"]]);
    expect(cellsOf("D")).toEqual(words);
  });

  it("is otherwise there only if it is chosen", async () => {
    await insert(plainForm, { rows: rowsOfList.filter(([, , told]) => told !== "not matched") });
    expect(excel.values("List!C1:E1")).toEqual([["Minimum Permit Fee ($)", "AHJ ID", ""]]);
  });

  it("keeps its words on a refresh, also those that somebody has typed, and says them of places that are new", async () => {
    await insert();
    excel.enter("List!D2", [["sure, I called them"]]);
    // The entry that had lost its zero gets it back, and another one changes its place.
    excel.enter("List!B3", [["'06037"]]);
    excel.enter("List!B5", [["'06059"]]);
    excel.spreadsheet.updateTable(excel.spreadsheet.tables()[0]!.id, { rect: rectOf("A1:E13") });
    excel.enter("List!A13", [["new", "'06073"]]);
    newFee = "$1,234";
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    const { report } = await refreshed();
    expect(cellsOf("D")).toEqual([
      "sure, I called them",
      ...words.slice(1, 3),
      "as given",
      ...words.slice(4),
    ]);
    expect(excel.values("List!C13:D13")).toEqual([[1_234, "as given"]]);
    expect(excel.values("List!C2:C3")).toEqual([[1_234], [1_234]]);
    expect([report.edited, report.missingColumns, report.ownRows]).toEqual([[], [], 3]);
    expect(report.followed.map(({ place }) => place.row)).toEqual([3, 11]);
  });

  it("stays when the import is changed, blank for jurisdictions that are added", async () => {
    await insert();
    const [added] = (await inTime(session.lookup.catalogue.types())).filter(({ id }) => id === 1003);
    const found = await inTime(session.lookup.directory.resolve(["06073"]));
    const newAhj = found.get("06073") as Ahj;
    const { saved } = await refreshed({ change: { types: [...types, added!], newAhjs: [newAhj] } });
    expect(saved.form.hasCertainty).toBe(true);
    const headers = excel.values("List!A1:F1")[0]!;
    expect([...headers].sort()).toEqual(
      ["AHJ ID", "How certain", "Minimum Permit Fee ($)", "Note", "Place", added!.name].sort(),
    );
    const letter = "ABCDEF"[headers.indexOf("How certain")]!;
    expect(cellsOf(letter)).toEqual(words);
    expect(excel.values(`List!${letter}13`)).toEqual([[""]]);
    expect(excel.values("List!F13")).toEqual([[newAhj.id]]);
  });

  it("is remembered with the import; one that an earlier version has saved has none", async () => {
    await insert();
    const saved = await savedImport();
    expect(saved.form).toEqual({ ...form, hasDates: false, hasNotes: false, hasDashes: false });
    expect(saved.columns.map(({ content }) => content)).toContainEqual({ of: "list", field: "certainty" });
    const xml = importXml({ ...saved, form: plainForm });
    expect(parseImportXml(xml)?.form).toEqual(plainForm);
    expect(parseImportXml(xml.replace('"certainty"', '"other"'))).toBeNull();
    expect(parseImportXml(importXml(saved).replace('"hasCertainty":true', '"hasCertainty":1'))).toBeNull();
  });
});

describe("a refresh follows the list beside which the columns stand", () => {
  const fees = () => excel.values("C2:C4").flat();
  const ids = () => excel.values("D2:D4").flat();
  /** The service's fee for a geoID, and its AHJ's id. */
  async function serviceSays(geoid: string) {
    const { lookup } = connected("demo-national");
    const ahj = (await lookup.directory.resolve([geoid])).get(geoid) as Ahj;
    const { data } = await connected("demo-national").client.matrix({
      ahj_ids: [ahj.id],
      data_point_type_ids: [1056],
    });
    const value = data.rows[0]?.values[1056]?.value;
    return {
      id: ahj.id,
      fee: value === undefined || value === null ? "" : Number(value.replace(/[$,]/g, "")),
    };
  }
  /** The second row's place is another one, and a third row is new. */
  async function changeList(changed: string = "'06059", added: string = "'06073") {
    await choose("Insert new columns");
    excel.enter("B3", [[changed]]);
    excel.spreadsheet.updateTable(excel.spreadsheet.tables()[0]!.id, { rect: rectOf("A1:E4") });
    excel.enter("A4", [["Barn", added]]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  }

  it("a row whose place was changed, and a new row, get the answers of their places, which a next refresh confirms", async () => {
    await changeList();
    const [orange, sanDiego] = [await serviceSays("06059"), await serviceSays("06073")];
    const before = fees();
    const { report } = await refreshed();
    expect(fees()).toEqual([before[0], orange.fee, sanDiego.fee]);
    expect(ids()).toEqual([ahjs[0]!.id, orange.id, sanDiego.id]);
    // The service has changed nothing.
    expect([report.changes, report.unsure, report.edited, report.otherEntries]).toEqual([[], [], [], []]);
    expect(report.ownRows).toBe(0);
    expect(report.followed).toMatchObject([
      {
        place: { row: 1, header: "Place" },
        before: { id: ahjs[1]!.id, name: ahjs[1]!.name },
        ahj: { id: orange.id },
      },
      { place: { row: 2, header: "Place" }, before: null, ahj: { id: sanDiego.id } },
    ]);
    vi.setSystemTime(Date.now() + 60_000);
    const { report: next } = await refreshed();
    expect([next.changes, next.unsure, next.edited, next.followed, next.notRefreshed]).toEqual([
      [],
      [],
      [],
      [],
      [],
    ]);
    newFee = "$1,234";
    vi.setSystemTime(Date.now() + 60_000);
    expect((await refreshed()).report.changes).toHaveLength(3);
    expect(fees()).toEqual([1_234, 1_234, 1_234]);
  });

  it("the answers for the new places take one request more, and none if the list is as it was", async () => {
    await choose("Insert new columns");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    excel.requests.length = 0;
    await refreshed();
    expect(excel.requests).toHaveLength(1);
    excel.enter("B3", [["'06059"]]);
    vi.setSystemTime(Date.now() + 60_000);
    excel.requests.length = 0;
    await refreshed();
    expect(answersAsked()).toHaveLength(2);
    expect(excel.requests.length).toBeLessThanOrEqual(3);
  });

  it("what somebody typed into such a row stays and is told", async () => {
    await changeList();
    excel.enter("C3", [["I called them"]]);
    excel.enter("C4", [[77]]);
    const { report } = await refreshed();
    expect(fees().slice(1)).toEqual(["I called them", 77]);
    expect(ids().slice(1)).toEqual([(await serviceSays("06059")).id, (await serviceSays("06073")).id]);
    expect(report.edited.map(({ text }) => text)).toEqual(["I called them", "77"]);
  });

  it.each([
    ["a text in a new row", "D4", () => "ask Ann"],
    ["a text over an id", "D3", () => "ask Ann"],
    ["a formula that shows the id", "D3", () => `=${ahjs[1]!.id}+0`],
  ])("what somebody typed into the column of ids stays, and its row is left: %s", async (_, cell, typed) => {
    await changeList();
    excel.enter(cell, [[typed()]]);
    const before = excel.cells("C2:D4");
    const row = Number(cell.slice(1)) - 2;
    const { report } = await refreshed();
    expect(excel.cells("C2:D4")[row]).toEqual(before[row]);
    expect(report.followed.map(({ place }) => place.row)).toEqual([1, 2].filter((each) => each !== row));
  });

  it("a place that is not certain is left, with the answers that stand there, and told", async () => {
    await changeList("Orange County", "Nowhere County, CA");
    await inTime(session.lookup.directory.load());
    const before = [fees(), ids()];
    const { report } = await refreshed();
    expect([fees(), ids()]).toEqual(before);
    expect(report.otherEntries).toMatchObject([
      { entry: "Orange County", ahj: { id: ahjs[1]!.id, name: ahjs[1]!.name } },
    ]);
    expect([report.followed, report.ownRows]).toEqual([[], 1]);
  });

  it.each(["name-chosen", "name-guessed"] as const)(
    "a name that its user has decided about (%s) keeps its place, though another one has that name, until it is changed",
    async (how) => {
      excel.enter("B3", [["San Diego County, CA"]]);
      control.insertBeside(await order(true, "B1:B3", how));
      const { place, order: asking } = await reaches("beside-in-the-way");
      const way = waysOf(place, asking.beside).find(({ label }) => label === "Insert new columns")!;
      control.chooseWay(way.offer);
      await reaches("done");
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
      await inTime(session.lookup.directory.load());
      const before = [fees(), ids()];
      const { report } = await refreshed();
      expect([fees(), ids()]).toEqual(before);
      expect([report.followed, report.otherEntries]).toEqual([[], []]);
      excel.enter("B3", [["Orange County, CA"]]);
      vi.setSystemTime(Date.now() + 60_000);
      expect((await refreshed()).report.followed).toMatchObject([
        { ahj: { id: (await serviceSays("06059")).id } },
      ]);
    },
  );

  it("if Excel refuses any request of the writing, the rows have their earlier ids and answers", async () => {
    await changeList();
    const before = excel.cells("A1:E4");
    let refused = 0;
    for (; refused < 40; refused += 1) {
      const isWritten = await refreshed({}, (edit) => {
        excel.fail(7000, 1, "workbook", refused);
        return edit();
      }).then(
        () => true,
        () => false,
      );
      if (isWritten) break;
      expect(excel.cells("A1:E4"), `request ${refused}`).toEqual(before);
    }
    expect(refused).toBeGreaterThan(8);
    expect(ids()).toEqual([ahjs[0]!.id, (await serviceSays("06059")).id, (await serviceSays("06073")).id]);
  });

  it("a look for changes at opening asks for nothing more and changes nothing", async () => {
    await changeList();
    const before = [fees(), ids()];
    excel.requests.length = 0;
    const dependencies = {
      tables: createImportTables(excel.app.workbook),
      book: createImportBook(excel.app.workbook),
      ...session,
    };
    await inTime(lookForChanges(await savedImport(), dependencies));
    expect(excel.requests).toHaveLength(1);
    expect([fees(), ids()]).toEqual(before);
  });
});
