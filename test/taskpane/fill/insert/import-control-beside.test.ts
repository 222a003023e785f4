import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Session } from "../../../../src/app";
import type { Ahj, DataPointType } from "../../../../src/engine/api/schemas";
import {
  type BesideOrder,
  createImportControl,
  type ImportControl,
  type ImportState,
} from "../../../../src/taskpane/fill/insert/import-control";
import { orderOfList } from "../../../../src/taskpane/fill/list-question";
import { waysOf } from "../../../../src/taskpane/fill/place/beside-ways";
import { refreshImport } from "../../../../src/workbook/imports/refresh/refresh";
import { createDigestBook } from "../../../../src/workbook/imports/saved/digest-book";
import { createImportBook } from "../../../../src/workbook/imports/saved/import-book";
import { plainForm } from "../../../../src/workbook/sheet/layout/table-plan";
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

async function order(wantsTable = true): Promise<BesideOrder> {
  excel.spreadsheet.select(sheetId, [rectOf("B1:B3")]);
  const column = await inTime(excel.app.workbook.readListColumn());
  const rows = { header: { from: "list" as const, text: "Place" }, entries: ["06001", "06037"], blanks: [] };
  return {
    ...{ question: { kind: "matrix", ahjs, types }, form: plainForm, hasSources: false, sheetName: "Fees" },
    ...{ size: { rows: 3, columns: 2 }, parts: 1, unmatched: [], columns: { together: 2, apart: 4 } },
    beside: orderOfList({ column, rows, ahjs }, wantsTable),
  };
}
const reaches = <Status extends ImportState["status"]>(status: Status) =>
  inTime(
    new Promise<Extract<ImportState, { status: Status }>>((resolve) => {
      const look = () => {
        const now = control.getSnapshot();
        if (now.status !== status) return;
        stop();
        resolve(now as Extract<ImportState, { status: Status }>);
      };
      const stop = control.subscribe(look);
      look();
    }),
  );
/** The labels of the ways that the user can choose from. */
async function asked(wantsTable = true) {
  control.insertBeside(await order(wantsTable));
  const { place } = await reaches("beside-in-the-way");
  return { place, ways: new Map(waysOf(place).map((way) => [way.label, way])) };
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
    expect(control.getSnapshot().status).toBe("idle");
    expect(excel.values("A1:E1")).toEqual([["Project", "Place", "kW", "", ""]]);
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
    control.subscribe(() => seen.push(control.getSnapshot().status));
    control.insertBeside(await order());
    await reaches("done");
    expect(new Set(seen)).toEqual(new Set(["running", "done"]));
    expect(excel.values("A1:D1")).toEqual([["Project", "Place", "Minimum Permit Fee ($)", "AHJ ID"]]);
  });
});

describe("a refresh of columns beside a list", () => {
  async function refresh() {
    const { workbook } = excel.app;
    const [kept] = (await inTime(createImportBook(workbook).list())).imports;
    const dependencies = {
      tables: createImportTables(workbook),
      digests: createDigestBook(workbook),
      ...session,
    };
    return (await inTime(refreshImport(kept!.saved, dependencies))).report;
  }

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
    const { changes, missingColumns, edited } = await refresh();
    expect([changes.length, missingColumns, edited]).toEqual([2, [], []]);
    expect(excel.values(`${column}2:${column}3`)).toEqual([[1_234], [1_234]]);
    expect(changes.map(({ ahj }) => ahj.id)).toEqual([ahjs[1]?.id, ahjs[0]?.id]);
  });
});
