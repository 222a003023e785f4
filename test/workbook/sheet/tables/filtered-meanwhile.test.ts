import { describe, expect, it } from "vitest";
import { writeTable } from "../../../../src/workbook/sheet/tables/write-table";
import { inTime } from "../../../excel/in-time";
import { openExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";
import { fee, importedBook } from "../../imports/imported-book";

/** Somebody filters rows between two requests of a job: Excel then puts what is written at once into other rows. */
playExcel();

const sheetId = "sheet-1";

/** An import of four fees, which a filter hides the second and the third of right before a request of its refresh. */
async function refreshedBook(filtersBefore: number) {
  let requests = -Infinity;
  let onFilter = () => undefined as void;
  const amounts: string[] = ["$11", "$12", "$13", "$14"];
  let ids: unknown[] = [];
  const book = await importedBook(
    (object) => {
      const { values, ahj } = object as { values?: Record<string, unknown>; ahj?: { id: number } };
      if (!values || !ahj || !(fee in values)) return;
      const value = amounts[ids.indexOf(ahj.id)] ?? "$10";
      values[fee] = { value, reference: null, section: null };
    },
    {
      onRequest() {
        if (requests++ === filtersBefore) onFilter();
      },
    },
  );
  const { excel } = book;
  ids = excel.values("Fees!G2:G5").flat();
  const { id, sheetId: feesId } = excel.spreadsheet.tables()[0]!;
  const shown = excel.values("Fees!G2:G5").flat().map(String);
  onFilter = () => excel.spreadsheet.filterTable(id, 6, [shown[0]!, shown[3]!]);
  // Somebody's own fee lies among those that are refreshed.
  excel.enter("Fees!F5", [["mine"]]);
  requests = 0;
  const { report } = await book.refresh();
  const isFiltered = excel.spreadsheet.isRowHidden(feesId, 2);
  const fees = excel.values("Fees!F2:F5").flat();
  excel.close();
  return {
    fees,
    edited: report.edited.map(({ text }) => text),
    isFiltered,
    wasReached: requests > filtersBefore,
  };
}

describe("where somebody filters rows while", () => {
  it("an import is refreshed, each row gets its own answer and what was typed stays, before whichever request", async () => {
    let filtered = 0;
    for (let request = 0; ; request += 1) {
      const { fees, edited, isFiltered, wasReached } = await refreshedBook(request);
      expect([request, fees, edited]).toEqual([request, [11, 12, 13, "mine"], ["mine"]]);
      if (!wasReached) break;
      filtered += isFiltered ? 1 : 0;
    }
    expect(filtered).toBeGreaterThan(5);
  });

  it("a table is inserted beside them, all of it is there, or nothing and the reason is said, before whichever request", async () => {
    const geoids = ["06001", "06003", "06005", "06007", "06009"];
    const answers = ["one", "two", "three", "four", "five"];
    const plan = {
      columns: [{ header: "Rule" }, { header: "Number" }],
      rows: answers.map((value, row) => [
        { value, numberFormat: "@" },
        { value: row, numberFormat: "General" },
      ]),
    };
    let refused = 0;
    for (let request = 0; ; request += 1) {
      let requests = -Infinity;
      const excel = openExcel({
        excelApi: "1.16",
        onRequest: () => {
          if (requests++ === request) excel.spreadsheet.filterTable(id, 0, ["06001", "06007", "06009"]);
        },
      });
      excel.enter("A1", [["geoID"], ...geoids.map((geoid) => [`'${geoid}`])]);
      const rect = { row: 0, column: 0, rows: 6, columns: 1 };
      const { id } = excel.spreadsheet.addTable({ sheetId, name: "List", rect, style: "TableStyleMedium2" });
      const target = { kind: "cell" as const, sheetId, row: 0, column: 3, mayOverwrite: null };
      requests = 0;
      const outcome = await inTime(
        writeTable(excel.app.workbook, plan, target).then(
          () => "done",
          ({ kind, detail }: { kind: string; detail?: string }) => `${kind}: ${detail}`,
        ),
      );
      const wasReached = requests > request;
      const whole = [["Rule", "Number"], ...answers.map((value, row) => [value, row])];
      const isDone = outcome === "done";
      expect([request, excel.values("D1:E6")]).toEqual([request, isDone ? whole : whole.map(() => ["", ""])]);
      if (!isDone) {
        refused += 1;
        expect(outcome).toBe("cells-in-the-way: Somebody has just filtered rows there.");
        expect(excel.spreadsheet.tables()).toHaveLength(1);
      }
      expect(excel.problems).toEqual([]);
      excel.close();
      if (!wasReached) break;
    }
    expect(refused).toBe(1);
  });
});
