import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Session } from "../../../../src/app";
import type { Ahj, DataPointType } from "../../../../src/engine/api/schemas";
import { fillTable, type FillOrder } from "../../../../src/workbook/imports/run/fill-table";
import { refreshImport } from "../../../../src/workbook/imports/refresh/refresh";
import { createImportBook } from "../../../../src/workbook/imports/saved/import-book";
import { createImportTables } from "../../../../src/workbook/sheet/tables/table-changes";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";
import { connected } from "../../../recorded-service";

playExcel();

const [code, fee, days] = [1003, 1056, 1030];
let excel: PlayedExcel;
let session: Session;
let types: DataPointType[];
/** Called before each request to Excel with the number of earlier ones of a fill. */
let onRequest: ((before: number) => void) | undefined;

async function open() {
  let requests = 0;
  onRequest = undefined;
  excel = openExcel({ excelApi: "1.13", onRequest: () => onRequest?.(requests++) });
  session = await inTime(excel.app.session());
  types = (await inTime(session.lookup.catalogue.types())).filter(({ id }) => [code, fee, days].includes(id));
  // The pane has looked the list up before, which reads the directory.
  await inTime(session.lookup.directory.load());
  excel.enter("A1", [
    ["Project", "City", "State", "Elec. code", "permit fee $", "review (days)", "Notes"],
    ["Roof", "Alameda County", "CA", "", "", "", "call first"],
    ["Field", "Los Angeles County", "CA", "", "I asked: 90", "", ""],
    ["Barn", "Nowhere", "CA", "", "", "", "where is it?"],
    ["Shed", "San Diego County", "CA", "", "", "", ""],
  ]);
  excel.spreadsheet.addTable({
    ...{ sheetId: "sheet-1", name: "Projects", style: "TableStyleLight2" },
    rect: { row: 0, column: 0, rows: 5, columns: 7 },
  });
}
beforeEach(open);

afterEach(() => {
  expect(excel.problems).toEqual([]);
  excel.close();
});

/** The service's answers for a place, as cells show them. */
async function serviceSays(geoid: string) {
  const { client, lookup } = connected("demo-national");
  const { id } = (await lookup.directory.resolve([geoid])).get(geoid) as Ahj;
  const { data } = await client.matrix({ ahj_ids: [id], data_point_type_ids: [code, fee, days] });
  const texts = [code, fee, days].map((type) => data.rows[0]?.values[type]?.value ?? "");
  return { id, texts };
}

const tools = () => ({
  tables: createImportTables(excel.app.workbook),
  book: createImportBook(excel.app.workbook),
  ...session,
});

function order(): FillOrder {
  const { id: tableId } = excel.spreadsheet.tables()[0]!;
  const [headers = []] = excel.values("A1:G1");
  return {
    ...{
      tableId,
      name: "Fees",
      listHeader: "City",
      listBeside: ["State"],
      headers: headers.map(String),
      types,
    },
    into: [
      { header: "Elec. code", typeId: code },
      { header: "permit fee $", typeId: fee },
      { header: "review (days)", typeId: days },
    ],
  };
}

const fill = (given = order(), options: Parameters<typeof fillTable>[2] = {}) =>
  inTime(fillTable(given, tools(), options));
/** All that a person sees, and the parts that the workbook keeps beside its cells. */
const workbook = () => ({
  cells: excel
    .cells("A1:J8")
    .map((row) => row.map(({ value, formula, numberFormat }) => [value, formula, numberFormat])),
  tables: excel.spreadsheet.tables().map(({ name, rect }) => ({ name, rect })),
  parts: excel.document.customXmlParts.size,
  sheets: excel.spreadsheet.sheets().map(({ name }) => name),
});
const texts = (address: string) => excel.cells(address).map((row) => row.map(({ text }) => text));

describe("filling columns of one's own table", () => {
  it("gives each blank cell the answer for its row's place, and leaves what is there", async () => {
    const [alameda, , sanDiego] = await Promise.all(["06001", "06037", "06073"].map(serviceSays));
    const { report } = await fill();
    expect(excel.values("A1:H1")).toEqual([
      ["Project", "City", "State", "Elec. code", "permit fee $", "review (days)", "Notes", "AHJ ID"],
    ]);
    expect(texts("D2:F2")).toEqual([alameda!.texts]);
    expect(texts("D5:F5")).toEqual([sanDiego!.texts]);
    expect(excel.values("E3")).toEqual([["I asked: 90"]]);
    expect(excel.values("G2:G5")).toEqual([["call first"], [""], ["where is it?"], [""]]);
    expect(excel.values("D4:H4")).toEqual([["", "", "", "where is it?", ""]]);
    expect(report.edited.map(({ place, text }) => [place.header, text])).toEqual([
      ["permit fee $", "I asked: 90"],
    ]);
    expect(report.followed).toHaveLength(3);
    expect([report.changes, report.unsure, report.ownRows]).toEqual([[], [], 1]);
  });

  it.each(["somebody cancels it", "Excel refuses it"])(
    "leaves all as it was if %s at whichever request",
    async (how) => {
      const before = workbook();
      await fill();
      const after = workbook();
      let ended = 0;
      for (let request = 0; ; request += 1) {
        excel.close();
        await open();
        const stop = new AbortController();
        let isReached = false;
        onRequest = (earlier) => {
          isReached ||= earlier === request;
          if (how === "somebody cancels it" && earlier === request) stop.abort();
        };
        if (how === "Excel refuses it") excel.fail(7000, 1, "workbook", request);
        const kind = await fill(order(), { signal: stop.signal }).then(
          () => "done",
          (failure: { kind: string }) => failure.kind,
        );
        if (kind === "done") expect([request, workbook()]).toEqual([request, after]);
        else {
          ended += 1;
          expect([request, workbook()]).toEqual([request, before]);
          expect(["cancelled", "sheet-refused", "not-permitted"]).toContain(kind);
        }
        if (!isReached) break;
      }
      expect(ended).toBeGreaterThan(5);
    },
  );

  it("never overwrites what somebody types into a blank cell, at whichever request", async () => {
    for (let request = 0; ; request += 1) {
      excel.close();
      await open();
      let isReached = false;
      onRequest = (earlier) => {
        if (earlier !== request) return;
        isReached = true;
        excel.enter("D2", [["typed"]]);
      };
      const { report } = await fill();
      if (!isReached) break;
      expect([request, excel.values("D2")]).toEqual([request, [["typed"]]]);
      const told = [...report.edited.map(({ place }) => place), ...report.changedMeanwhile];
      const isAfter = told.every(({ row, header }) => row !== 0 || header !== "Elec. code");
      // A text that comes after the last write is an edit of a finished table, which the next refresh tells.
      if (isAfter) expect(excel.document.customXmlParts.size).toBeGreaterThan(0);
    }
  });

  it("is refreshed later: what the service says anew comes into the same columns, and what was typed is listed", async () => {
    await fill();
    excel.enter("F2", [[99]]);
    const book = createImportBook(excel.app.workbook);
    const { imports } = await inTime(book.list());
    expect(imports.map(({ saved }) => [saved.name, saved.types.map(({ id }) => id)])).toEqual([
      ["Fees", [code, days, fee]],
    ]);
    excel.enter("D5", [[""]]);
    const { report } = await inTime(refreshImport(imports[0]!.saved, tools(), {}));
    expect(report.edited.map(({ place, text }) => [place.row, place.header, text])).toEqual([
      [3, "Elec. code", ""],
      [0, "review (days)", "99"],
      [1, "permit fee $", "I asked: 90"],
    ]);
    expect([report.missingColumns, report.ownRows]).toEqual([[], 1]);
  });

  it("gets a column of ids at its end that is narrow and gray", async () => {
    await fill();
    expect(excel.spreadsheet.look("sheet-1", 1, 7).fontColor).toBe("#808080");
    expect(excel.spreadsheet.columnWidth("sheet-1", 7)).toBeLessThan(
      excel.spreadsheet.columnWidth("sheet-1", 3),
    );
  });

  it("adds a column for a question that has none", async () => {
    await fill({ ...order(), into: [{ header: "Elec. code", typeId: code }] });
    expect(excel.values("A1:J1")[0]!.slice(7)).toEqual([
      expect.stringMatching(/^(?:Residential Permit Review Time|Minimum Permit Fee)/),
      expect.stringMatching(/^(?:Residential Permit Review Time|Minimum Permit Fee)/),
      "AHJ ID",
    ]);
  });
});
