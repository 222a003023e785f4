import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Session } from "../../../../src/app";
import { checkColumns } from "../../../../src/workbook/imports/check/check-columns";
import { createImportBook } from "../../../../src/workbook/imports/saved/import-book";
import { createImportTables } from "../../../../src/workbook/sheet/tables/table-changes";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";
import { serviceSaying } from "../imported-book";

playExcel();

const [code, fee, required] = [1003, 1056, 1329];
/** The service's answers for every place. */
const said: Record<number, string | null> = { [code]: "NEC 2020", [fee]: "$135", [required]: "Yes" };
let excel: PlayedExcel;
let session: Session;

beforeEach(async () => {
  const intercept = serviceSaying((object) => {
    const { values } = object;
    if (!values || typeof values !== "object") return;
    for (const [id, value] of Object.entries(said))
      if (id in values)
        values[id] = value === null ? null : ({ ...values[id], value, reference: "Code" } as never);
  });
  excel = openExcel({ intercept, excelApi: "1.13" });
  session = await inTime(excel.app.session());
  await inTime(session.lookup.directory.load());
});
afterEach(() => {
  expect(excel.problems).toEqual([]);
  excel.close();
});

const counties = ["Alameda County", "Los Angeles County", "San Diego County", "Orange County", "Kern County"];

/** Compares a column of five cells with the answers to a question. */
async function checked(typeId: number, cells: readonly (string | number | boolean)[]) {
  excel.enter("A1", [["County", "State", "Mine"], ...cells.map((cell, row) => [counties[row]!, "CA", cell])]);
  const rect = { row: 0, column: 0, rows: cells.length + 1, columns: 3 };
  const { id: tableId } = excel.spreadsheet.addTable({ sheetId: "sheet-1", name: "Mine", rect, style: "" });
  const before = excel.values("A1:E9");
  const known = (await inTime(session.lookup.catalogue.types())).filter(({ id }) => id === typeId);
  const gone = { ...{ id: typeId, name: "Gone", description: "", unit_of_measure: "USD" }, category_ids: [] };
  const types = known.length > 0 ? known : [gone];
  const list = {
    name: "Mine",
    tableId,
    headers: ["County", "State", "Mine"],
    listHeader: "County",
    listBeside: ["State"],
  };
  const order = { ...list, types, into: [{ header: "Mine", typeId }] };
  const tools = {
    ...session,
    tables: createImportTables(excel.app.workbook),
    book: createImportBook(excel.app.workbook),
  };
  const result = await inTime(checkColumns(order, tools));
  expect(excel.values("A1:E9")).toEqual(before);
  expect(excel.document.customXmlParts.size).toBe(0);
  const textsOf = (edited: typeof result.differing) =>
    edited.map(({ text, after }) => [text, after?.value ?? null]);
  return { ...result, differs: textsOf(result.differing), other: textsOf(result.otherForm) };
}

describe("a comparison of one's own cells with the service", () => {
  it("finds an amount equal, different, or the same as a text, and counts blank cells", async () => {
    const { equal, blanks, differs, other } = await checked(fee, [135, 136, "'$135", "'135.00", ""]);
    expect([equal, blanks]).toEqual([1, 1]);
    expect(differs).toEqual([["136", "$135"]]);
    expect(other).toEqual([
      ["$135", "$135"],
      ["135.00", "$135"],
    ]);
  });

  it("finds a text equal, the same in another form, or different", async () => {
    const { equal, differs, other } = await checked(code, [
      "NEC 2020",
      "nec  2020",
      "2020 NEC",
      "NEC 2023",
      "unknown",
    ]);
    expect(equal).toBe(1);
    expect(other.map(([text]) => text)).toEqual(["nec  2020", "2020 NEC"]);
    expect(differs.map(([text]) => text)).toEqual(["NEC 2023", "unknown"]);
  });

  it("finds yes and TRUE to be the same", async () => {
    const { equal, differs, other } = await checked(required, [true, "yes", "Yes", false, "no"]);
    expect(equal).toBe(1);
    expect(other.map(([text]) => text)).toEqual(["yes", "Yes"]);
    expect(differs.map(([text]) => text)).toEqual(["FALSE", "no"]);
  });

  it("tells cells for which the service has no value", async () => {
    said[fee] = null;
    const { differs } = await checked(fee, [135]);
    said[fee] = "$135";
    expect(differs).toEqual([["135", null]]);
  });

  it("counts no cell as equal about which the service said nothing, because it no longer knows the question", async () => {
    const { equal, blanks, differs, report } = await checked(999_999, [135, ""]);
    expect([equal, blanks, differs]).toEqual([0, 0, []]);
    expect(report.unknownTypes.map(({ id }) => id)).toEqual([999_999]);
  });
});
