import { describe, expect, it } from "vitest";
import { Failure, type FormulaFailureKind } from "../../../../src/errors";
import { rowlessValues, valuesToDate } from "../../../../src/workbook/imports/refresh/new-values";
import {
  finishRefresh,
  isOfAnswer,
  planRefresh,
  prepareCell,
  prepareRefresh,
  type RefreshAnswers,
  type RefreshStart,
  withDates,
} from "../../../../src/workbook/imports/refresh/plan-refresh";
import { createDigests } from "../../../../src/workbook/imports/saved/cell-digests";
import type { SavedImport } from "../../../../src/workbook/imports/saved/saved-import";
import type { PublishedAnswer } from "../../../../src/workbook/sheet/layout/answer-parts";
import type { TableColumns } from "../../../../src/workbook/sheet/tables/bound-table";
import { lastRun, toldBy } from "../last-run";
import { finished } from "../finished";

/** A table from its headers and its rows. */
function tableOf([headers = [], ...rows]: [string[], ...unknown[][]]): TableColumns {
  return {
    rowCount: rows.length,
    headers,
    columns: new Map(
      headers.map((header, place) => [
        header,
        { values: rows.map((row) => row[place]), numberFormats: rows.map(() => "General") },
      ]),
    ),
  };
}

const fee = { id: 10, name: "Fee", unit_of_measure: "USD" };
const rule = { id: 20, name: "Rule", unit_of_measure: "" };
const hours = { id: 30, name: "Hours", unit_of_measure: "" };

const wide: SavedImport = {
  ...{ id: "one", name: "Fees", tableId: "{1}", service: "https://service.test", collection: null },
  form: { layout: "wide", hasCitations: false },
  columns: [
    { header: "AHJ ID", content: { of: "ahj", field: "id" } },
    { header: "Name", content: { of: "ahj", field: "name" } },
    { header: "Fee", content: { of: "answer", part: "value", typeId: 10 } },
    { header: "Rule", content: { of: "answer", part: "value", typeId: 20 } },
  ],
  types: [fee, rule],
  lastRun: { atMs: Date.parse("2026-01-02T00:00:00Z"), rows: 2, values: 4, notRefreshed: 0 },
};
const long: SavedImport = {
  ...wide,
  form: { layout: "long", hasCitations: false },
  columns: [
    { header: "AHJ ID", content: { of: "ahj", field: "id" } },
    { header: "Name", content: { of: "ahj", field: "name" } },
    { header: "Type ID", content: { of: "type", field: "id" } },
    { header: "Question", content: { of: "type", field: "name" } },
    { header: "Value", content: { of: "answer", part: "value", typeId: null } },
  ],
};

const published = (value: string, more: Partial<PublishedAnswer> = {}): PublishedAnswer => ({
  ...{ value, reference: "Code", section: "1", updatedAt: null, fetchedAtMs: 5 },
  ...more,
});
const allSaid = (answers: Record<string, string | null>) =>
  Object.fromEntries(
    Object.entries(answers).map(([key, value]) => [key, value === null ? null : published(value)]),
  );
const lastSaid = (answers: Record<string, string | null>) => lastRun(allSaid(answers));

/** The service's answers by AHJ id and type id, such as "1 10". A text is a published value, and a pair that is missing has no value. */
function outcomes(said: Record<string, string | PublishedAnswer | Failure>): RefreshAnswers["outcomeOf"] {
  return (ahjId, typeId) => {
    const answer = said[`${ahjId} ${typeId}`] ?? null;
    return typeof answer === "string" ? published(answer) : answer;
  };
}
const refusal = (kind: FormulaFailureKind) => new Failure(kind);

function plan(
  start: Omit<RefreshStart, "digests">,
  said: Parameters<typeof outcomes>[0],
  more: Partial<Omit<RefreshAnswers, "outcomeOf" | "rowless">> = {},
  digests = createDigests(),
) {
  const prepared = prepareRefresh({ ...start, digests });
  const outcomeOf = outcomes(said);
  const rowless = finished(rowlessValues(prepared, outcomeOf));
  return finished(planRefresh(prepared, { outcomeOf, others: new Set(), rowless, ...more }));
}
const written = ({ edit }: ReturnType<typeof plan>) =>
  edit.updates.map(({ row, header, shown, cell }) => [row, header, shown, cell.value]);

const unchanged = { "1 10": "$30", "1 20": "as adopted", "2 10": "$40", "2 20": "none" };
const feesTable = () =>
  tableOf([
    ["AHJ ID", "Name", "Fee", "Rule"],
    [1, "Alpha", 30, "as adopted"],
    [2, "Beta", 40, "none"],
  ]);

describe("the plan of a refresh, without Excel", () => {
  it("names a text that a user typed over a citation, and none that the service had given", () => {
    const cited: SavedImport = {
      ...wide,
      form: { layout: "wide", hasCitations: true },
      columns: [
        { header: "AHJ ID", content: { of: "ahj", field: "id" } },
        { header: "Fee", content: { of: "answer", part: "value", typeId: 10 } },
        { header: "Fee: Reference", content: { of: "answer", part: "reference", typeId: 10 } },
      ],
      types: [fee],
    };
    const table = tableOf([
      ["AHJ ID", "Fee", "Fee: Reference"],
      [1, 30, "see Ann"],
      [2, 40, "Code"],
    ]);
    const now = { "1 10": published("$30"), "2 10": published("$40", { reference: "New code" }) };
    const planned = plan({ saved: cited, table, last: lastSaid(unchanged) }, now);
    expect(written(planned)).toEqual([
      [1, "Fee", 40, 40],
      [0, "Fee: Reference", "see Ann", "Code"],
      [1, "Fee: Reference", "Code", "New code"],
    ]);
    expect(planned.report.replaced).toEqual([
      { place: { row: 0, header: "Fee: Reference" }, text: "see Ann" },
    ]);
  });

  it("asks for every answer that the table shows, and writes the changed one", () => {
    const start = { saved: wide, table: feesTable(), last: lastSaid(unchanged) };
    expect(prepareRefresh({ ...start, digests: createDigests() }).wanted).toEqual(
      new Map([
        [1, new Set([10, 20])],
        [2, new Set([10, 20])],
      ]),
    );
    const planned = plan(start, { ...unchanged, "2 10": "$45" });
    expect(planned.edit).toEqual({
      read: { ids: ["AHJ ID"], keys: ["[1]", "[2]"] },
      newRows: [],
      newColumns: [],
      newHeaders: [],
      columns: ["AHJ ID", "Name", "Fee", "Rule"],
      goneColumns: [],
      updates: [
        {
          ...{ row: 1, header: "Fee", shown: 40, note: undefined },
          cell: { value: 45, numberFormat: '"$"#,##0' },
        },
      ],
    });
    expect(planned.report).toEqual({
      renamedColumns: [],
      changes: [
        {
          ahj: { id: 2, name: "Beta", type: "", state_code: "", geoid: null },
          type: fee,
          place: { row: 1, header: "Fee" },
          before: published("$40"),
          after: published("$45"),
        },
      ],
      keptAsOfMs: Date.parse("2026-01-02T00:00:00Z"),
      ...{ notRefreshed: [], unknownTypes: [], missingColumns: [], replaced: [] },
      ...{
        ownRows: 0,
        followed: [],
        otherEntries: [],
        newRows: 0,
        entered: [],
        left: [],
        stillLeft: [],
        ...{ unchecked: [], ahjs: 2, renamed: [] },
        withoutRow: 0,
        edited: [],
        unsure: [],
        confirmed: 4,
      },
      read: { ids: ["AHJ ID"], keys: ["[1]", "[2]"] },
    });
    const { saved, report, snapshot } = finishRefresh(
      planned,
      {
        changedCells: [],
        missingCells: [],
        missingColumns: [],
        changedColumns: [],
        notesLeft: 0,
        notesOfOthers: { kept: [], replaced: [] },
      },
      7,
    );
    expect(saved).toEqual({ ...wide, lastRun: { atMs: 7, rows: 2, values: 4, notRefreshed: 0 } });
    expect(report.changes).toHaveLength(1);
    expect(snapshot.get(2, 10)?.value).toBe("$45");
    expect(snapshot.get(1, 10)?.value).toBe("$30");
  });

  it("finds a row and a column that were moved, skips a user's own row, and names a column that is gone", () => {
    const table = tableOf([
      ["Fee", "My column", "AHJ ID", "Name"],
      [40, "mine", 2, "Beta"],
      ["", "total", "", "all"],
      [30, "mine", 1, "Alpha"],
    ]);
    const planned = plan({ saved: wide, table, last: lastSaid(unchanged) }, { ...unchanged, "1 10": "$31" });
    expect(written(planned)).toEqual([[2, "Fee", 30, 31]]);
    expect(planned.report).toMatchObject({ ownRows: 1, missingColumns: ["Rule"] });
    expect(planned.edit.read.keys).toEqual(["[2]", '[""]', "[1]"]);
  });

  it("fails if the table has no column of AHJ ids", () => {
    const table = tableOf([
      ["Name", "Fee"],
      ["Alpha", 30],
    ]);
    expect(() => prepareRefresh({ saved: wide, table, last: undefined, digests: createDigests() })).toThrow(
      expect.objectContaining({ kind: "table-gone" }),
    );
  });

  it("gives a new value of a long table a row, and none to a value whose row was deleted", () => {
    const table = tableOf([
      ["AHJ ID", "Name", "Type ID", "Question", "Value"],
      [1, "Alpha", 10, "Fee", 30],
    ]);
    // Gamma had no value at all until now. The user has deleted the row of Alpha's rule.
    const last = lastSaid({ "1 10": "$30", "1 20": "as adopted", "3 10": null, "3 20": null });
    const start = { saved: long, table, last };
    expect([...prepareRefresh({ ...start, digests: createDigests() }).wanted.keys()]).toEqual([1, 3]);
    const gamma = { id: 3, name: "Gamma", type: "city", state_code: "CA", geoid: "0600003" };
    const said = { "1 10": "$30", "1 20": "as adopted", "3 20": "new rule" };
    const planned = plan(start, said, { who: new Map([[3, gamma]]) });
    expect(planned.edit.newRows).toEqual([[3, 20]]);
    expect(written(planned)).toEqual([
      [1, "Name", "", "Gamma"],
      [1, "Question", "", "Rule"],
      [1, "Value", "", "new rule"],
    ]);
    expect(planned.report).toMatchObject({
      ...{ newRows: 1, withoutRow: 1, read: { keys: ["[1,10]", "[3,20]"] } },
      changes: [{ ahj: gamma, type: rule, before: null, after: { value: "new rule" } }],
    });
    expect(planned.run).toEqual({ rows: 2, values: 2, notRefreshed: 0 });
  });

  it("takes a value that the last run did not record for new if its date is later, and reports the date", () => {
    const table = tableOf([
      ["AHJ ID", "Name", "Type ID", "Question", "Value"],
      [1, "Alpha", 10, "Fee", 30],
    ]);
    const said = { "1 10": "$30", "1 20": "as adopted" };
    const start = { saved: long, table, last: undefined };
    const on = (updatedAt: string) => ({
      dates: new Map([["1 20", published("as adopted", { updatedAt })]]),
    });
    expect(plan(start, said, on("2026-01-01T00:00:00Z")).report).toMatchObject({ newRows: 0, withoutRow: 1 });
    const later = on("2026-03-01T00:00:00Z");
    const planned = plan(start, said, later);
    expect(planned.report).toMatchObject({ newRows: 1, withoutRow: 0 });
    expect(valuesToDate(planned.report.changes.filter(isOfAnswer))).toEqual(new Map([[1, new Set([20])]]));
    expect(withDates(planned, later.dates).report.changes).toMatchObject([
      { after: { value: "as adopted", updatedAt: "2026-03-01T00:00:00Z" } },
    ]);
  });

  it("keeps the last values of an AHJ that the service refuses, and of a type that it does not know", () => {
    const start = { saved: wide, table: feesTable(), last: lastSaid(unchanged) };
    const planned = plan(start, {
      "1 10": refusal("outside-subscription"),
      "1 20": refusal("outside-subscription"),
      "2 10": "$40",
      "2 20": refusal("unknown-type"),
    });
    expect(planned.edit.updates).toEqual([]);
    expect(planned.report).toMatchObject({
      changes: [],
      notRefreshed: [
        {
          ...{ ahjId: 1, name: "Alpha", kind: "outside-subscription" },
          places: [
            { row: 0, header: "Fee" },
            { row: 0, header: "Rule" },
          ],
        },
      ],
      unknownTypes: [rule],
    });
    expect(planned.run).toEqual({ rows: 2, values: 1, notRefreshed: 1 });
    expect(toldBy(planned.snapshot)).toEqual(allSaid(unchanged));
  });

  it("names texts that a user typed into a column that is removed, in the import's rows and in the user's own rows", () => {
    const table = tableOf([
      ["AHJ ID", "Name", "Fee", "Rule"],
      [1, "Alpha", 30, "see Ann"],
      ["", "", "", "mine"],
    ]);
    const change = { types: [fee], newAhjs: [] };
    const planned = plan({ saved: wide, change, table, last: lastSaid(unchanged) }, unchanged);
    expect(planned.report.replaced).toEqual([
      { place: { row: 0, header: "Rule" }, text: "see Ann" },
      { place: { row: 1, header: "Rule" }, text: "mine" },
    ]);
    expect(planned.edit.goneColumns).toMatchObject([{ header: "Rule", typedRows: new Set([0, 1]) }]);
  });

  it("leaves a row beside a list alone if its entry names another AHJ", () => {
    const start = { saved: { ...wide, listHeader: "Name" }, table: feesTable(), last: undefined };
    const planned = plan(start, {}, { others: new Set([0]) });
    expect(written(planned)).toEqual([
      [1, "Fee", 40, ""],
      [1, "Rule", "none", ""],
    ]);
    expect(planned.report).toMatchObject({
      otherEntries: [{ place: { row: 0, header: "Name" } }],
      ownRows: 0,
    });
    expect(planned.run.rows).toBe(1);
  });

  it("names a changed value's source in its note, and forgets the value if the note could not be written", () => {
    const saved: SavedImport = { ...wide, form: { ...wide.form, hasNotes: true } };
    const start = { saved, table: feesTable(), last: lastSaid(unchanged) };
    const now = published("$31", {
      reference: "City Code",
      section: "4-12",
      updatedAt: "2026-03-01T06:00:00Z",
    });
    const planned = plan(start, { ...unchanged, "1 10": now });
    expect(planned.edit.updates).toMatchObject([
      { row: 0, header: "Fee", note: "City Code\n4-12\nUpdated 2026-03-01" },
    ]);
    const result = {
      changedCells: [],
      missingCells: [],
      missingColumns: [],
      changedColumns: [],
      notesLeft: 1,
      notesOfOthers: { kept: [], replaced: [] },
    };
    expect(toldBy(finishRefresh(planned, result, 7).snapshot)).not.toHaveProperty("1 10");
  });

  it("adds the columns of a new type and the row of a new AHJ, and removes the columns of a type that the change drops", () => {
    const gamma = { id: 3, name: "Gamma", type: "city", state_code: "CA", geoid: null };
    const delta = { ...gamma, id: 4, name: "Delta" };
    const change = { types: [fee, hours], newAhjs: [gamma, delta] };
    const start = { saved: wide, change, table: feesTable(), last: lastSaid(unchanged) };
    expect(prepareRefresh({ ...start, digests: createDigests() }).wanted).toEqual(
      new Map([1, 2, 3, 4].map((id) => [id, new Set([10, 30])])),
    );
    const planned = plan(start, {
      ...{ "1 10": "$30", "1 30": "9-5", "2 10": "$40", "3 10": "$50" },
      ...{ "4 10": refusal("outside-subscription"), "4 30": refusal("outside-subscription") },
    });
    expect(planned.edit).toMatchObject({
      newRows: [[3]],
      newColumns: ["Hours"],
      columns: ["AHJ ID", "Name", "Fee", "Rule"],
      goneColumns: [{ header: "Rule", shown: ["as adopted", "none"] }],
    });
    expect(written(planned)).toEqual([
      [0, "Hours", "", "9-5"],
      [1, "Hours", "", ""],
      [2, "Name", "", "Gamma"],
      [2, "Fee", "", 50],
      [2, "Hours", "", ""],
    ]);
    expect(planned.report).toMatchObject({
      ...{ changes: [], newRows: 1 },
      notRefreshed: [{ ahjId: 4, name: "Delta", kind: "outside-subscription", places: [] }],
    });
    expect(planned.saved.types).toEqual([fee, hours]);
  });

  it("names the unit of a new column if all its amounts have that unit, and puts it before ids in the last column", () => {
    const depth = { id: 40, name: "Depth", unit_of_measure: "feet" };
    const width = { id: 50, name: "Width", unit_of_measure: "feet" };
    const idsLast: SavedImport = { ...wide, columns: [...wide.columns.slice(1), wide.columns[0]!] };
    const change = { types: [fee, rule, depth, width], newAhjs: [] };
    const planned = plan(
      { saved: idsLast, change, table: feesTable(), last: lastSaid(unchanged) },
      { ...unchanged, "1 40": "3 feet", "2 40": "2.50", "1 50": "3 feet", "2 50": "36 feet" },
    );
    expect(planned.edit.newColumns).toEqual(["Depth (feet)", "Width (feet)"]);
    expect(planned.saved.columns.map(({ header, numberFormat }) => [header, numberFormat])).toEqual([
      ...[["Name"], ["Fee"], ["Rule"]].map(([header]) => [header, undefined]),
      ["Depth (feet)", "0.00"],
      ["Width (feet)", "General"],
      ["AHJ ID", undefined],
    ]);
    expect(planned.edit.updates.map(({ header, cell }) => [header, cell.value, cell.numberFormat])).toEqual([
      ["Depth (feet)", 3, "0.00"],
      ["Depth (feet)", 2.5, "0.00"],
      ["Width (feet)", 3, "General"],
      ["Width (feet)", 36, "General"],
    ]);
  });

  it("finds the column with a unit that an interrupted change has added", () => {
    const depth = { id: 40, name: "Depth", unit_of_measure: "feet" };
    const table = tableOf([
      ["AHJ ID", "Name", "Fee", "Rule", "Depth (feet)"],
      [1, "Alpha", 30, "as adopted", 3],
      [2, "Beta", 40, "none", ""],
    ]);
    const change = { types: [fee, rule, depth], newAhjs: [] };
    const begun = { columns: ["Depth (feet)"], rows: [] };
    const planned = plan(
      { saved: wide, change, begun, table, last: lastSaid(unchanged) },
      { ...unchanged, "1 40": "3 feet", "2 40": "2.50" },
    );
    expect(planned.edit.newColumns).toEqual([]);
    expect(planned.added.columns).toEqual(["Depth (feet)"]);
    expect(planned.saved.columns.at(-1)?.header).toBe("Depth (feet)");
    expect(written(planned)).toEqual([[1, "Depth (feet)", "", 2.5]]);
  });

  describe("under a header that names a unit", () => {
    const days = { id: 60, name: "Review", unit_of_measure: "days" };
    const header = "Review (days)";
    const inDays: SavedImport = {
      ...wide,
      columns: [
        { header: "Name", content: { of: "ahj", field: "name" } },
        { header, content: { of: "answer", part: "value", typeId: 60 }, numberFormat: "General" },
        { header: "AHJ ID", content: { of: "ahj", field: "id" } },
      ],
      types: [days],
    };
    const table = (value: unknown, numberFormat = "General"): TableColumns => {
      const read = tableOf([
        ["Name", header, "AHJ ID"],
        ["Alpha", value, 1],
      ]);
      read.columns.get(header)!.numberFormats = [numberFormat];
      return read;
    };
    const cellsOf = (planned: ReturnType<typeof plan>) =>
      planned.edit.updates.map(({ cell: { value, numberFormat } }) => [value, numberFormat]);

    it.each([
      ["27 days", "12", [12, "General"]],
      ["27 days", "12.50 days", [12.5, "0.00"]],
      ["27 days", "27 working days", [27, '0 "working days"']],
      ["27 days", "6 weeks", ["6 weeks", "@"]],
      ["27 working days", "27 days", [27, "General"]],
    ])("a value that was %s and is %s is shown in its unit", (before, now, cell) => {
      const last = lastSaid({ "1 60": before });
      const planned = plan({ saved: inDays, table: table(27), last }, { "1 60": now });
      expect(cellsOf(planned)).toEqual([cell]);
      expect(planned.report.changes).toMatchObject([{ before: { value: before }, after: { value: now } }]);
    });

    it("a cell's number format tells its unit if the last run is not known", () => {
      const start = (numberFormat: string) => ({
        saved: inDays,
        table: table(27, numberFormat),
        last: undefined,
      });
      expect(cellsOf(plan(start("General"), { "1 60": "27 working days" }))).toEqual([
        [27, '0 "working days"'],
      ]);
      expect(cellsOf(plan(start('0 "working days"'), { "1 60": "27 days" }))).toEqual([[27, "General"]]);
      expect(cellsOf(plan(start('0 "working days"'), { "1 60": "27 working days" }))).toEqual([]);
      // A number format that the user has chosen stays.
      expect(cellsOf(plan(start("0.0"), { "1 60": "27 days" }))).toEqual([]);
    });

    it("a value of a column whose header names no unit names its own, also if it is another after a refresh", () => {
      const columns = inDays.columns.map((column) =>
        column.header === header ? { ...column, numberFormat: '0 "days"' } : column,
      );
      const saved = { ...inDays, columns };
      const last = lastSaid({ "1 60": "27" });
      const cellOf = (now: string) =>
        cellsOf(plan({ saved, table: table(27, '0 "days"'), last }, { "1 60": now }));
      expect(cellOf("12")).toEqual([[12, '0 "days"']]);
      expect(cellOf("1")).toEqual([[1, '0 "day"']]);
      expect(cellOf("2.5 days")).toEqual([[2.5, '0.0 "days"']]);
      expect(cellOf("5 working days")).toEqual([[5, '0 "working days"']]);
      expect(cellOf("2 hours")).toEqual([["2 hours", "@"]]);
      expect(cellOf("27")).toEqual([]);
    });

    it("a new row has the column's format", () => {
      const gamma = { id: 3, name: "Gamma", type: "city", state_code: "CA", geoid: null };
      const change = { types: [days], newAhjs: [gamma] };
      const planned = plan(
        {
          saved: { ...inDays, columns: inDays.columns.map((each) => ({ ...each })) },
          change,
          table: table(27),
          last: lastSaid({ "1 60": "27 days" }),
        },
        { "1 60": "27 days", "3 60": "5 days" },
      );
      expect(cellsOf(planned)).toEqual([
        ["Gamma", "@"],
        [5, "General"],
      ]);
    });

    it("a format that would hide or change a number is not taken from the workbook", () => {
      for (const numberFormat of [";;;", "0%", '0 "hours"', "#,##0,"]) {
        const saved = {
          ...inDays,
          columns: inDays.columns.map((each) => (each.header === header ? { ...each, numberFormat } : each)),
        };
        const last = lastSaid({ "1 60": "27 days" });
        expect(cellsOf(plan({ saved, table: table(27), last }, { "1 60": "12 days" }))).toEqual([
          [12, '0 "days"'],
        ]);
      }
    });
  });

  it("lists a cell that somebody changed during the refresh as changed meanwhile, not as refreshed", () => {
    const start = { saved: wide, table: feesTable(), last: lastSaid(unchanged) };
    const planned = plan(start, { ...unchanged, "1 10": "$31", "2 10": "$45" });
    const result = {
      changedCells: [{ row: 0, header: "Fee" }],
      missingCells: [],
      missingColumns: [],
      changedColumns: [],
      notesLeft: 0,
      notesOfOthers: { kept: [], replaced: [] },
    };
    const { report } = finishRefresh(planned, result, 7);
    expect(report.changedMeanwhile).toEqual([{ row: 0, header: "Fee" }]);
    expect(report.changes.map(({ place }) => place)).toEqual([{ row: 1, header: "Fee" }]);
  });

  it("changes only the cells of an answer that is refreshed alone, adds no row, and keeps the records of other answers", () => {
    const table = tableOf([
      ["AHJ ID", "Name", "Type ID", "Question", "Value"],
      [1, "Alpha", 10, "Fee", 30],
      [2, "Beta", 10, "Fee", 40],
      [1, "Alpha", 10, "Fee", 30],
    ]);
    const last = lastSaid({ "1 10": "$30", "2 10": "$40", "3 10": null });
    const prepared = prepareCell(
      { saved: long, table, last, digests: createDigests() },
      { ahjId: 1, typeId: 10 },
    );
    expect(prepared.wanted).toEqual(new Map([[1, new Set([10])]]));
    const outcomeOf = () => published("$31");
    const planned = finished(planRefresh(prepared, { outcomeOf, others: new Set(), rowless: [] }));
    expect(written(planned)).toEqual([
      [0, "Value", 30, 31],
      [2, "Value", 30, 31],
    ]);
    expect(planned.edit.newRows).toEqual([]);
    expect(toldBy(planned.snapshot)).toEqual(allSaid({ "1 10": "$31", "2 10": "$40", "3 10": null }));
  });
});

describe("a jurisdiction that the answers describe", () => {
  const headers = ["AHJ ID", "Name", "Type ID", "Question", "Value"];
  const county = (name: string) => ({ id: 1, name, type: "county", state_code: "CA", geoid: "06001" });
  const said = { "1 10": "$30", "1 20": "as adopted" };
  /** The digests of a refresh after which the first row shows this name. */
  const digestsAfter = (name: string) =>
    plan({ saved: long, table: tableOf([headers, [1, name, 10, "Fee", 30]]), last: lastSaid(said) }, said, {
      ahjNow: () => county(name),
    }).digests;

  it("is called by its new name in a row that is added for it, too, and in the next refresh nothing is news", () => {
    const last = lastSaid({ "1 10": "$30", "1 20": null });
    const table = tableOf([headers, [1, "Alpha", 10, "Fee", 30]]);
    const ahjNow = () => county("Omega");
    const planned = plan({ saved: long, table, last }, said, { ahjNow }, digestsAfter("Alpha"));
    expect(written(planned)).toEqual([
      [0, "Name", "Alpha", "Omega"],
      [1, "Name", "", "Omega"],
      [1, "Question", "", "Rule"],
      [1, "Value", "", "as adopted"],
    ]);
    planned.digests.settle();
    const after = tableOf([headers, [1, "Omega", 10, "Fee", 30], [1, "Omega", 20, "Rule", "as adopted"]]);
    const again = plan(
      { saved: long, table: after, last: planned.snapshot },
      said,
      { ahjNow },
      planned.digests,
    );
    expect([again.edit.updates, again.report.changes, again.report.edited]).toEqual([[], [], []]);
  });

  it("is known again whether an interrupted refresh had written its new name or not", () => {
    const ahjNow = () => county("Omega");
    const last = lastSaid(said);
    const rows = (...names: string[]) =>
      tableOf([headers, [1, names[0], 10, "Fee", 30], [1, names[1], 20, "Rule", "as adopted"]]);
    const begun = { saved: long, table: rows("Alpha", "Omega"), last };
    // Not settled: the refresh has ended in the middle.
    const { digests } = plan(begun, said, { ahjNow }, digestsAfter("Alpha"));
    const { edit, report } = plan(begun, said, { ahjNow }, digests);
    expect(edit.updates).toMatchObject([{ row: 0, header: "Name", cell: { value: "Omega" } }]);
    expect(report).toMatchObject({ edited: [], changes: [{ type: null, after: { value: "Omega" } }] });
  });

  it("gets the blank cells of a row that an interrupted refresh had added, and that is no news", () => {
    const table = tableOf([headers, [1, "Alpha", 10, "Fee", 30], [1, "", 20, "", ""]]);
    const begun = { columns: [], rows: [{ ahj: county("Alpha"), typeId: 20 }] };
    const last = lastSaid({ "1 10": "$30", "1 20": null });
    const ahjNow = () => county("Alpha");
    const { edit, report } = plan(
      { saved: long, table, last, begun },
      said,
      { ahjNow },
      digestsAfter("Alpha"),
    );
    expect(edit.updates.filter(({ header }) => header === "Name")).toMatchObject([
      { row: 1, cell: { value: "Alpha" } },
    ]);
    expect([report.edited, report.changes.filter(({ type }) => type === null)]).toEqual([[], []]);
  });
});
