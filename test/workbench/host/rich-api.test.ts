import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createDocument } from "../../../workbench/host/office-document";
import { createObjectEvents } from "../../../workbench/host/objects/object-events";
import type { MessageEntry } from "../../../workbench/host/objects/object-events";
import type { CellValue } from "../../../workbench/spreadsheet";
import type { Ref } from "../../../workbench/host/objects/object-model";
import { createRichApi, membersOf } from "../../../workbench/host/rich-api";
import { plainStyle } from "../../../workbench/book-contents";
import { createLoggedSpreadsheet, rect } from "../logged-spreadsheet";

const [ROOT, METHOD, PROPERTY, INDEXER, REFERENCE, NULL_OBJECT] = [1, 3, 4, 5, 6, 7];
const [INSTANTIATE, QUERY, CALL, SET, TRACE] = [1, 2, 3, 4, 5];

let spreadsheet: ReturnType<typeof createLoggedSpreadsheet>;
let model: Parameters<typeof createRichApi>[0];
let api: ReturnType<typeof createRichApi>;
let posted: MessageEntry[];

beforeEach(() => {
  spreadsheet = createLoggedSpreadsheet();
  posted = [];
  model = {
    spreadsheet,
    document: createDocument(),
    events: createObjectEvents(
      spreadsheet,
      (entries) => posted.push(...entries),
      () => false,
    ),
    shell: {
      paneVisible: () => true,
      showPane: vi.fn(),
      takeFocus: vi.fn(),
      report: vi.fn(),
      undoStackCleared: vi.fn(),
    },
    functions: { ready: vi.fn(), settle: vi.fn() },
  };
  api = createRichApi(model);
});

/** A request in office.js's form. Paths: 1 the workbook, 2 its sheets, 3 Sheet1, then the given ones. */
function request(actions: unknown[][], paths: Record<string, object> = {}) {
  const body = {
    AutoKeepReference: true,
    Actions: actions.map(([ActionType, ObjectPathId, Name = "", detail = {}], index) => ({
      Id: 100 + index,
      ActionType,
      ObjectPathId,
      Name,
      ...(detail as object),
    })),
    ObjectPaths: {
      1: { Id: 1, ObjectPathType: ROOT, Name: "" },
      2: { Id: 2, ObjectPathType: PROPERTY, Name: "Worksheets", ParentObjectPathId: 1 },
      3: { Id: 3, ObjectPathType: INDEXER, Name: "", ParentObjectPathId: 2, ...args("sheet1") },
      ...paths,
    },
  };
  return api.execute(JSON.stringify(body));
}
const args = (...values: unknown[]) => ({ ArgumentInfo: { Arguments: values } });
const range = (address: string) => ({
  4: { Id: 4, ObjectPathType: METHOD, Name: "GetRange", ParentObjectPathId: 3, ...args(address) },
});
const load = (...Select: string[]) => ({ QueryInfo: { Select } });
const values = (response: Awaited<ReturnType<typeof request>>) => response.Results.map(({ Value }) => Value);

describe("a load of several properties", () => {
  it("reads the cells once, and anew after a write and in the next request", async () => {
    const read = vi.spyOn(spreadsheet, "read");
    const query = [QUERY, 4, "", load("values", "formulas", "numberFormat")];
    const shown = async (...actions: unknown[][]) =>
      values(await request(actions, range("A1"))).flatMap((value) =>
        value ? [(value as { Values: CellValue[][] }).Values[0]?.[0]] : [],
      );
    expect(await shown(query)).toEqual([""]);
    expect(read).toHaveBeenCalledTimes(1);
    expect(await shown(query, [SET, 4, "Values", args([[7]])], query)).toEqual(["", 7]);
    expect(read).toHaveBeenCalledTimes(3);
    spreadsheet.writeFormulas("sheet-1", rect(0, 0, 1, 1), [[8]]);
    expect(await shown(query)).toEqual([8]);
  });
});

describe("a simulated older Excel", () => {
  it.each([
    ["1.12", "ApiNotFound"],
    ["1.13", undefined],
  ])("with ExcelApi %s answers what came with 1.13 with %s", async (excelApi, code) => {
    spreadsheet.addTable({
      sheetId: "sheet-1",
      rect: rect(0, 0, 2, 1),
      name: "Fees",
      style: "TableStyleMedium2",
    });
    const [table] = spreadsheet.tables();
    api = createRichApi({ ...model, excelApi });
    const response = await request([[CALL, 6, "Resize", args("A1:A3")]], {
      5: { Id: 5, ObjectPathType: PROPERTY, Name: "Tables", ParentObjectPathId: 1 },
      6: { Id: 6, ObjectPathType: INDEXER, Name: "", ParentObjectPathId: 5, ...args(table?.id) },
    });
    expect(response.Error?.Code).toBe(code);
  });
});

describe("a sheet's visibility", () => {
  const second = {
    5: { Id: 5, ObjectPathType: INDEXER, Name: "", ParentObjectPathId: 2, ...args("Second") },
  };
  const hide = (pathId: number, visibility: string): unknown[] => [
    SET,
    pathId,
    "Visibility",
    args(visibility),
  ];
  const visibility = async (pathId: number) =>
    (values(await request([[QUERY, pathId, "", load("visibility")]], second))[0] as { Visibility: string })
      .Visibility;
  beforeEach(() => void spreadsheet.addSheet("Second"));

  it("tells how it is hidden", async () => {
    for (const wanted of ["Hidden", "VeryHidden", "Visible"]) {
      await request([hide(5, wanted)], second);
      expect(await visibility(5)).toBe(wanted);
    }
  });

  it("that is VeryHidden is not deleted (Worksheet.delete), until it is only hidden", async () => {
    const refused = await request([hide(5, "VeryHidden"), [CALL, 5, "Delete"]], second);
    expect(refused.Error?.Code).toBe("InvalidOperation");
    expect(spreadsheet.sheets()).toHaveLength(2);
    expect((await request([hide(5, "Hidden"), [CALL, 5, "Delete"]], second)).Error).toBeUndefined();
    expect(spreadsheet.sheets()).toHaveLength(1);
  });

  it("that is the last visible one is neither deleted nor hidden", async () => {
    await request([hide(5, "Hidden")], second);
    for (const action of [[CALL, 3, "Delete"], hide(3, "Hidden")])
      expect((await request([action])).Error?.Code).toBe("InvalidOperation");
    expect(spreadsheet.sheets().map(({ isHidden }) => isHidden)).toEqual([false, true]);
  });

  it("stays very hidden in the file", async () => {
    await request([hide(5, "VeryHidden")], second);
    const { document } = model;
    const saved = document.save();
    document.veryHiddenSheets.clear();
    document.open(JSON.parse(JSON.stringify(saved)));
    expect(await visibility(5)).toBe("VeryHidden");
  });
});

describe("the selection", () => {
  const selected = (Name: string) => ({
    5: { Id: 5, ObjectPathType: METHOD, Name, ParentObjectPathId: 1 },
    6: { Id: 6, ObjectPathType: PROPERTY, Name: "Areas", ParentObjectPathId: 5 },
    7: { Id: 7, ObjectPathType: METHOD, Name: "GetItemAt", ParentObjectPathId: 6, ...args(1) },
  });
  const code = async (Name: string) => (await request([[INSTANTIATE, 5]], selected(Name))).Error?.Code;

  it("of several areas is no range, but areas (excel-add-ins-workbooks.md)", async () => {
    spreadsheet.select("sheet-1", [rect(0, 0, 1, 1), rect(4, 1, 2, 1)]);
    expect(await code("GetSelectedRange")).toBe("InvalidSelection");
    const areas = await request([[QUERY, 7, "", load("address")]], selected("GetSelectedRanges"));
    expect(values(areas)).toEqual([{ Address: "Sheet1!B5:B6" }]);
  });

  it("of a chart or a picture is neither", async () => {
    spreadsheet.select("sheet-1", []);
    expect(await code("GetSelectedRange")).toBe("InvalidSelection");
    expect(await code("GetSelectedRanges")).toBe("InvalidSelection");
  });
});

describe("a range", () => {
  const merged = {
    ...range("A1:B2000"),
    5: { Id: 5, ObjectPathType: METHOD, Name: "GetMergedAreasOrNullObject", ParentObjectPathId: 4 },
  };

  it.each([
    [512, undefined],
    [513, "GeneralException"],
  ])("tells its %i merged areas with %s (Range.getMergedAreasOrNullObject)", async (count, code) => {
    spreadsheet.merged = () => Array.from({ length: count }, (_, row) => rect(row, 0, 1, 2));
    const response = await request([[QUERY, 5, "", load("areaCount")]], merged);
    expect(response.Error?.Code).toBe(code);
    if (code === undefined) expect(values(response)).toEqual([{ AreaCount: 512 }]);
  });

  const fees = { sheetId: "sheet-1", rect: rect(1, 1, 3, 2), name: "Fees", style: "TableStyleMedium2" };
  const tables = () =>
    spreadsheet
      .tables()
      .map(({ name, rect: { row, column, rows, columns } }) => [name, row, column, rows, columns]);

  it.each([
    ["A1:D9", "All", []],
    ["B2:C4", "All", []],
    ["B2:C3", "All", [["Fees", 1, 1, 3, 2]]],
    ["A1:D9", "Contents", [["Fees", 1, 1, 3, 2]]],
    ["A1:D9", "Formats", [["Fees", 1, 1, 3, 2]]],
  ])("%s cleared of %s leaves the tables %j: all of a table takes it away", async (address, what, left) => {
    spreadsheet.addTable(fees);
    await request([[CALL, 4, "Clear", args(what)]], range(address));
    expect(tables()).toEqual(left);
  });

  const copied = (to: string, from: string) => request([[CALL, 4, "CopyFrom", args(from, "All")]], range(to));

  it("copied with a whole table makes another, but not into a table, and not of a part", async () => {
    spreadsheet.addTable(fees);
    await copied("F1", "Sheet1!A1:C4");
    expect(tables()).toEqual([
      ["Fees", 1, 1, 3, 2],
      ["Table1", 1, 6, 3, 2],
    ]);
    await copied("B2", "Sheet1!B2:C4");
    await copied("F20", "Sheet1!B3:C4");
    expect(tables()).toHaveLength(2);
  });

  it.each([
    ["E1:E6", ["0,4", "2,4", "4,4"]],
    ["E1:F4", ["0,4", "0,5", "2,4", "2,5"]],
    ["E1:E5", ["0,4"]],
  ])("copied to %s fills it where it is an exact multiple (Range.copyFrom)", async (to, places) => {
    await copied(to, "Sheet1!A1:A2");
    const copies = spreadsheet.log.filter((line) => line.startsWith("copy "));
    const at = copies.map((line) => JSON.parse(line.slice(5)) as [unknown, { row: number; column: number }]);
    expect(at.map(([, { row, column }]) => `${row},${column}`)).toEqual(places);
  });
});

describe("a request", () => {
  it("writes a range, loads it and hands out a reference for later requests", async () => {
    const response = await request(
      [
        [INSTANTIATE, 3],
        [INSTANTIATE, 4],
        [CALL, 4, "_KeepReference"],
        [INSTANTIATE, 4],
        [SET, 4, "Values", args([["geoid"], ["001"]])],
        [QUERY, 4, "", load("address", "values")],
      ],
      range("A1:A2"),
    );
    expect(values(response)).toEqual([
      { Id: "sheet-1" },
      {},
      null,
      { _ReferenceId: "r1" },
      null,
      { Address: "Sheet1!A1:A2", Values: [["geoid"], ["001"]], _ReferenceId: "r1" },
    ]);
    const reference = { 4: { Id: 4, ObjectPathType: REFERENCE, Name: "r1" } };
    expect(values(await request([[QUERY, 4, "", load("rowCount")]], reference))).toEqual([
      { RowCount: 2, _ReferenceId: "r1" },
    ]);
    await request([[CALL, 1, "_RemoveReference", args("r1")]]);
    expect((await request([[QUERY, 4]], reference)).Error?.Code).toBe("ItemNotFound");
  });

  it("stops at the first failure, says which action it was and keeps what went before", async () => {
    const response = await request(
      [
        [SET, 4, "Values", args([[1]])],
        [SET, 4, "Values", args([[1, 2]])],
        [SET, 4, "Values", args([[3]])],
      ],
      range("B2"),
    );
    expect(response.Error).toMatchObject({ Code: "InvalidArgument", ActionIndex: 1, HttpStatusCode: 400 });
    expect(response.Results).toHaveLength(1);
    expect(spreadsheet.read("sheet-1", rect(1, 1, 1, 1))[0]![0]!.value).toBe(1);
  });

  it("answers what is not modeled with ApiNotFound and the member's name, and reports it", async () => {
    const pivots = { 5: { Id: 5, ObjectPathType: PROPERTY, Name: "PivotTables", ParentObjectPathId: 3 } };
    const names = [
      await request([[INSTANTIATE, 5]], pivots),
      await request([[CALL, 4, "AutoFill"]], range("A1")),
      await request([[SET, 4, "Control", args({})]], range("A1")),
      await request([[QUERY, 4, "", load("savedAsArray")]], range("A1")),
      await request([[6, 4]], range("A1")),
    ].map(({ Error }) => `${Error?.Code} ${Error?.Message}`);
    expect(names).toEqual([
      expect.stringMatching(/^ApiNotFound .*Worksheet\.PivotTables/),
      expect.stringMatching(/^ApiNotFound .*Range\.AutoFill/),
      expect.stringMatching(/^ApiNotFound .*Range\.Control/),
      expect.stringMatching(/^ApiNotFound .*Range\.SavedAsArray/),
      expect.stringMatching(/^ApiNotFound .*action type 6/),
    ]);
    expect(model.shell.report).toHaveBeenCalledTimes(5);
  });

  it("calculates exactly a range, and tells where results spill", async () => {
    const spill = rect(1, 1, 2, 1);
    spreadsheet.spillParent = (_sheet, row, column) =>
      column === 1 && (row === 1 || row === 2) ? { row: 1, column: 1 } : null;
    spreadsheet.spillOf = (_sheet, row, column) => (row === 1 && column === 1 ? spill : null);
    const spilling = {
      5: { Id: 5, ObjectPathType: METHOD, Name: "GetSpillingToRangeOrNullObject", ParentObjectPathId: 4 },
    };
    const ask = async (address: string) => {
      const { Results } = await request(
        [
          [QUERY, 4, "", load("hasSpill")],
          [INSTANTIATE, 5],
          [QUERY, 5, "", load("address")],
        ],
        { ...range(address), ...spilling },
      );
      return [Results[0]?.Value, Results[2]?.Value];
    };
    expect(await ask("B2")).toEqual([{ HasSpill: true }, { Address: "Sheet1!B2:B3" }]);
    expect((await ask("B3"))[1] ?? {}).not.toHaveProperty("Address");
    expect((await ask("B2:C3"))[0]).toEqual({ HasSpill: null });
    expect((await ask("D2"))[0]).toEqual({ HasSpill: false });
    await request([[CALL, 4, "Calculate"]], range("B2:C2"));
    expect(spreadsheet.log).toContain(`recalculate ${JSON.stringify(["sheet-1", rect(1, 1, 1, 2)])}`);
  });

  it("passes over what is asked of a null object", async () => {
    const missing = {
      5: {
        Id: 5,
        ObjectPathType: METHOD,
        Name: "GetItemOrNullObject",
        ParentObjectPathId: 2,
        ...args("nope"),
      },
      6: { Id: 6, ObjectPathType: METHOD, Name: "GetRange", ParentObjectPathId: 5 },
      7: { Id: 7, ObjectPathType: NULL_OBJECT, Name: "" },
    };
    const response = await request(
      [
        [INSTANTIATE, 5],
        [CALL, 5, "Delete"],
        [QUERY, 6],
        [QUERY, 7],
      ],
      missing,
    );
    expect(values(response)).toEqual([null, null, null, null]);
    expect(response.Error).toBeUndefined();
  });

  it("takes objects as arguments", async () => {
    const paths = {
      ...range("B2"),
      5: { Id: 5, ObjectPathType: METHOD, Name: "GetRange", ParentObjectPathId: 3, ...args("A5") },
      6: {
        Id: 6,
        ObjectPathType: METHOD,
        Name: "GetBoundingRect",
        ParentObjectPathId: 4,
        ArgumentInfo: { Arguments: [null], ReferencedObjectPathIds: [5] },
      },
      7: { Id: 7, ObjectPathType: METHOD, Name: "GetBoundingRect", ParentObjectPathId: 4, ...args("C1") },
    };
    const loads = [6, 7].map((id) => [QUERY, id, "", load("address")]);
    expect(values(await request(loads, paths))).toEqual([
      { Address: "Sheet1!A2:B5" },
      { Address: "Sheet1!B1:C2" },
    ]);
  });

  it("loads nested properties and the items of collections", async () => {
    spreadsheet.addSheet("Second");
    expect(
      values(
        await request(
          [
            [QUERY, 4, "", load("worksheet/name", "rowIndex")],
            [QUERY, 2, "", load("name")],
          ],
          range("C3"),
        ),
      ),
    ).toEqual([
      { RowIndex: 2, Worksheet: { Name: "Sheet1" } },
      {
        _Items: [
          { Id: "sheet-1", Name: "Sheet1" },
          { Id: "sheet-2", Name: "Second" },
        ],
      },
    ]);
  });

  it("makes one write of a large write's pieces", async () => {
    const row = (id: number, at: number) => ({
      [id]: { Id: id, ObjectPathType: METHOD, Name: "GetRow", ParentObjectPathId: 4, ...args(at) },
    });
    const response = await request(
      [
        [CALL, 4, "_ValidateArraySize", args(3, 2)],
        ...[5, 6, 7].map((id) => [SET, id, "Values", args([[id, id]])]),
        [QUERY, 4, "", load("values")],
      ],
      { ...range("A1:B3"), ...row(5, 0), ...row(6, 1), ...row(7, 2) },
    );
    expect(values(response).at(-1)).toEqual({
      Values: [
        [5, 5],
        [6, 6],
        [7, 7],
      ],
    });
    expect(spreadsheet.log).toEqual([`writeFormulas ${JSON.stringify(["sheet-1", rect(0, 0, 3, 2)])}`]);
  });
});

describe("a formula", () => {
  it("is calculated before what was written with it is read", async () => {
    await request(
      [
        [SET, 4, "Formulas", args([["=1+1"]])],
        [QUERY, 4, "", load("values")],
      ],
      range("A1"),
    );
    expect(spreadsheet.log).toEqual([
      expect.stringMatching(/^writeFormulas/),
      expect.stringMatching(/^calculated/),
    ]);
  });
});

describe("writes", () => {
  it("to other places are not joined, and all of them are made", async () => {
    await request(
      [
        [SET, 4, "Values", args([[1]])],
        [SET, 5, "Values", args([[2]])],
      ],
      {
        ...range("A1"),
        5: { Id: 5, ObjectPathType: METHOD, Name: "GetRange", ParentObjectPathId: 3, ...args("B2") },
      },
    );
    expect(spreadsheet.log).toHaveLength(2);
    expect(spreadsheet.read("sheet-1", rect(0, 0, 2, 2)).map((row) => row.map(({ value }) => value))).toEqual(
      [
        [1, ""],
        ["", 2],
      ],
    );
  });

  it("of one value fill as many cells as there are", async () => {
    expect((await request([[SET, 4, "Values", args("x")]], range("A1:A200000"))).Error).toBeUndefined();
    expect(spreadsheet.usedRect("sheet-1", true, rect(0, 0, 1_048_576, 16_384))).toEqual(
      rect(0, 0, 200_000, 1),
    );
  });

  it("of another shape than the range's are refused before their first piece", async () => {
    const response = await request([[CALL, 4, "_ValidateArraySize", args(3, 1)]], range("A1:A2"));
    expect(response.Error?.Code).toBe("InvalidArgument");
  });
});

describe("a range", () => {
  it("is filled by a single value and keeps its cells where null stands", async () => {
    await request([[SET, 4, "Values", args("x")]], range("A1:B2"));
    await request(
      [
        [
          SET,
          4,
          "Formulas",
          args([
            [null, 1],
            ["=A1", null],
          ]),
        ],
      ],
      range("A1:B2"),
    );
    expect(values(await request([[QUERY, 4, "", load("formulas")]], range("A1:C2")))).toEqual([
      {
        Formulas: [
          ["x", 1, ""],
          ["=A1", "x", ""],
        ],
      },
    ]);
  });

  it("is calculated alone, and has the rows that it lies in", async () => {
    const rows = {
      5: { Id: 5, ObjectPathType: METHOD, Name: "GetEntireRow", ParentObjectPathId: 4, ...args() },
    };
    const response = await request(
      [
        [CALL, 4, "Calculate"],
        [QUERY, 5, "", load("columnIndex", "rowIndex", "rowCount", "columnCount")],
      ],
      { ...range("B3:C4"), ...rows },
    );
    expect(spreadsheet.log).toContain(`recalculate ${JSON.stringify(["sheet-1", rect(2, 1, 2, 2)])}`);
    expect(values(response).at(-1)).toEqual({
      ColumnIndex: 0,
      RowIndex: 2,
      RowCount: 2,
      ColumnCount: 16_384,
    });
  });

  it.each([
    ["GetOffsetRange", [-1, 0]],
    ["GetResizedRange", [-2, 0]],
    ["GetRow", [2]],
    ["GetAbsoluteResizedRange", [1.5, 1]],
  ])("refuses %s(%j) of A1:B2", async (name, values) => {
    const path = {
      5: { Id: 5, ObjectPathType: METHOD, Name: name, ParentObjectPathId: 4, ...args(...values) },
    };
    expect((await request([[INSTANTIATE, 5]], { ...range("A1:B2"), ...path })).Error?.Code).toBe(
      "InvalidArgument",
    );
  });

  it("finds the used cells inside it", async () => {
    await request(
      [
        [
          SET,
          4,
          "Values",
          args([
            ["a", ""],
            ["", "b"],
            ["", ""],
          ]),
        ],
      ],
      range("B2:C4"),
    );
    const used = async (address: string) =>
      values(
        await request([[QUERY, 5, "", load("address")]], {
          ...range(address),
          5: {
            Id: 5,
            ObjectPathType: METHOD,
            Name: "GetUsedRangeOrNullObject",
            ParentObjectPathId: 4,
            ...args(true),
          },
        }),
      );
    expect(await used("A1:Z9")).toEqual([{ Address: "Sheet1!B2:C3" }]);
    expect(await used("C:C")).toEqual([{ Address: "Sheet1!C3" }]);
    expect(await used("B3")).toEqual([null]);
    expect(await used("D:D")).toEqual([null]);
  });

  it("of a whole column reads as null and is not written (excel-add-ins-ranges-unbounded.md)", async () => {
    const read = await request([[QUERY, 4, "", load("values", "cellCount")]], range("A:A"));
    expect(values(read)).toEqual([{ Values: null, CellCount: 1_048_576 }]);
    expect((await request([[SET, 4, "Values", args(1)]], range("A:A"))).Error?.Code).toBe("InvalidArgument");
  });

  it("measures in points what the grid measures in pixels", async () => {
    const format = { 5: { Id: 5, ObjectPathType: PROPERTY, Name: "Format", ParentObjectPathId: 4 } };
    await request([[SET, 5, "ColumnWidth", args(96)]], { ...range("B:C"), ...format });
    expect(spreadsheet.log).toEqual(['setColumnWidth ["sheet-1",1,2,128]']);
  });

  it("leads to a web address or to cells, and shows its text; other kinds of link are named", async () => {
    const link = async (address: string, value: unknown) =>
      (await request([[SET, 4, "Hyperlink", args(value)]], range(address))).Error?.Message;
    const web = { address: "https://example.gov/4", textToDisplay: "See https://example.gov/4." };
    expect(await link("B2", web)).toBeUndefined();
    expect(spreadsheet.read("sheet-1", rect(1, 1, 1, 1))[0]?.[0]?.value).toBe(web.textToDisplay);
    expect(spreadsheet.log).toContain('setLink ["sheet-1",1,1,"https://example.gov/4",null]');
    expect(await link("B2:B3", web)).toMatch(/Hyperlink of several cells/);
    expect(await link("B3", { documentReference: "Sheet1!A1", textToDisplay: "A1" })).toBeUndefined();
    expect(spreadsheet.log).toContain('setLink ["sheet-1",2,1,"#Sheet1!A1",null]');
    expect(await link("B2", { ...web, documentReference: "A1" })).toMatch(/Hyperlink with two targets/);
    expect(await link("B2", { ...web, shape: "Go" })).toMatch(/Hyperlink shape/);
    await request([[CALL, 4, "Clear", args("Hyperlinks")]], range("B2:B3"));
    expect(spreadsheet.log.slice(-2)).toEqual([
      'setLink ["sheet-1",1,1,null]',
      'setLink ["sheet-1",2,1,null]',
    ]);
  });

  it("tells the looks of its cells, and null if they differ (excel-add-ins-blank-null-values.md)", async () => {
    const format = { 5: { Id: 5, ObjectPathType: PROPERTY, Name: "Format", ParentObjectPathId: 4 } };
    const looks = (address: string) =>
      request([[QUERY, 5, "", load("verticalAlignment")]], { ...range(address), ...format });
    expect((await looks("B2")).Results.at(-1)?.Value).toEqual({ VerticalAlignment: "Bottom" });
    expect((await looks("B2:B3")).Results.at(-1)?.Value).toEqual({ VerticalAlignment: "Bottom" });
    spreadsheet.look = (_sheet, row) => ({ ...plainStyle, verticalAlignment: row === 1 ? "Top" : "Bottom" });
    expect((await looks("B2:B3")).Results.at(-1)?.Value).toEqual({ VerticalAlignment: null });
  });

  it("takes the looks that are modeled, and names the others", async () => {
    const format = { 5: { Id: 5, ObjectPathType: PROPERTY, Name: "Format", ParentObjectPathId: 4 } };
    const look = async (name: string, value: unknown) =>
      (await request([[SET, 5, name, args(value)]], { ...range("B2"), ...format })).Error?.Message;
    expect(await look("VerticalAlignment", "Top")).toBeUndefined();
    expect(spreadsheet.log).toEqual([
      `applyStyle ${JSON.stringify(["sheet-1", rect(1, 1, 1, 1), { verticalAlignment: "Top" }])}`,
    ]);
    expect(await look("HorizontalAlignment", "Distributed")).toMatch(/alignment Distributed/);
    expect(await look("ShrinkToFit", true)).toMatch(/setting RangeFormat\.ShrinkToFit/);
  });
});

describe("a sheet's setup", () => {
  const part = (name: string) => ({
    5: { Id: 5, ObjectPathType: PROPERTY, Name: name, ParentObjectPathId: 3 },
  });

  it("freezes the rows and columns as far as a range goes, or rows alone", async () => {
    const freeze = (name: string, argument: unknown) =>
      request([[CALL, 5, name, args(argument)]], part("FreezePanes"));
    await freeze("FreezeAt", "A1:B1");
    await freeze("FreezeRows", 2);
    expect(spreadsheet.log).toEqual([
      'freeze ["sheet-1",{"rows":1,"columns":2}]',
      'freeze ["sheet-1",{"rows":2,"columns":0}]',
    ]);
  });

  it("repeats whole rows alone", async () => {
    const repeat = async (rows: string) =>
      (await request([[CALL, 5, "SetPrintTitleRows", args(rows)]], part("PageLayout"))).Error?.Code;
    expect(await repeat("A1:C1")).toBe("InvalidArgument");
    expect(await repeat("$1:$1")).toBeUndefined();
    expect(model.document.printSetups.get("sheet-1")).toEqual({ titleRows: "1:1" });
  });

  it("repeats whole columns alone", async () => {
    const repeat = async (columns: string) =>
      (await request([[CALL, 5, "SetPrintTitleColumns", args(columns)]], part("PageLayout"))).Error?.Code;
    expect(await repeat("A1:A9")).toBe("InvalidArgument");
    expect(await repeat("$A:$A")).toBeUndefined();
    expect(model.document.printSetups.get("sheet-1")).toEqual({ titleColumns: "A:A" });
  });

  it("is printed on so many pages, in one of two orientations", async () => {
    const print = async (name: string, value: unknown) =>
      (await request([[SET, 5, name, args(value)]], part("PageLayout"))).Error?.Code;
    expect(await print("Zoom", { horizontalFitToPages: 1, verticalFitToPages: 0 })).toBeUndefined();
    expect(await print("Orientation", "Landscape")).toBeUndefined();
    expect(model.document.printSetups.get("sheet-1")).toEqual({
      fitToPages: { across: 1, down: 0 },
      orientation: "Landscape",
    });
    expect(await print("Zoom", { scale: 50 })).toBeUndefined();
    expect(model.document.printSetups.get("sheet-1")).toEqual({ orientation: "Landscape" });
    expect(await print("Zoom", { scale: 9 })).toBe("InvalidArgument");
    expect(await print("Zoom", { scale: 50, horizontalFitToPages: 1 })).toBe("ApiNotFound");
    expect(await print("Zoom", { horizontalFitToPages: -1, verticalFitToPages: 0 })).toBe("InvalidArgument");
    expect(await print("Orientation", "Upside down")).toBe("InvalidArgument");
  });

  it("has a print area and a footer in three parts", async () => {
    const areaOf = async (area: string) =>
      (await request([[CALL, 5, "SetPrintArea", args(area)]], part("PageLayout"))).Error?.Code;
    expect(await areaOf("A1:E40")).toBeUndefined();
    expect(await areaOf("nowhere")).toBe("InvalidArgument");
    const footer = {
      ...part("PageLayout"),
      6: { Id: 6, ObjectPathType: PROPERTY, Name: "HeadersFooters", ParentObjectPathId: 5 },
      7: { Id: 7, ObjectPathType: PROPERTY, Name: "DefaultForAllPages", ParentObjectPathId: 6 },
    };
    await request([[SET, 7, "CenterFooter", args("Page &P of &N")]], footer);
    await request([[SET, 7, "LeftFooter", args("&A")]], footer);
    await request([[SET, 7, "LeftHeader", args("Fees")]], footer);
    expect(model.document.printSetups.get("sheet-1")).toEqual({
      area: "A1:E40",
      header: { left: "Fees", center: "", right: "" },
      footer: { left: "&A", center: "Page &P of &N", right: "" },
    });
  });
});

describe("a table", () => {
  const tables = {
    5: { Id: 5, ObjectPathType: PROPERTY, Name: "Tables", ParentObjectPathId: 3 },
    6: { Id: 6, ObjectPathType: METHOD, Name: "Add", ParentObjectPathId: 5, ...args("A1:C3", true) },
  };

  it("gives every column a name of its own, as Excel does", async () => {
    await request([[SET, 4, "Values", args([["geoid", "", "GEOID"]])]], range("A1:C1"));
    const response = await request(
      [
        [INSTANTIATE, 6],
        [QUERY, 7, "", load("name")],
        [QUERY, 8, "", load("address")],
      ],
      {
        ...tables,
        7: { Id: 7, ObjectPathType: PROPERTY, Name: "Columns", ParentObjectPathId: 6 },
        8: { Id: 8, ObjectPathType: METHOD, Name: "GetDataBodyRange", ParentObjectPathId: 6 },
      },
    );
    expect(values(response)).toEqual([
      { Id: "table-1" },
      { _Items: ["geoid", "Column2", "GEOID2"].map((Name, index) => ({ Id: index + 1, Name })) },
      { Address: "Sheet1!A2:C3" },
    ]);
  });

  it("is refused where it would overlap another", async () => {
    await request([[INSTANTIATE, 6]], tables);
    expect((await request([[INSTANTIATE, 6]], tables)).Error?.Code).toBe("InvalidArgument");
  });

  it("has a name of its own, and a style that is modeled", async () => {
    await request([[INSTANTIATE, 6]], tables);
    const added = {
      ...tables,
      6: { Id: 6, ObjectPathType: METHOD, Name: "Add", ParentObjectPathId: 5, ...args("E1:E2", true) },
    };
    const set = async (name: string, value: string) =>
      (
        await request([[SET, 7, name, args(value)]], {
          5: tables[5],
          7: { Id: 7, ObjectPathType: INDEXER, Name: "", ParentObjectPathId: 5, ...args("Table2") },
        })
      ).Error?.Code;
    expect((await request([[QUERY, 6, "", load("name")]], added)).Results[0]?.Value).toEqual({
      Name: "Table2",
    });
    expect(await set("Name", "table1")).toBe("InvalidArgument");
    expect(await set("Name", "A1")).toBe("InvalidArgument");
    expect(await set("Style", "TableStyleDark1")).toBe("ApiNotFound");
    expect(await set("Style", "TableStyleLight2")).toBeUndefined();
    expect(await set("Name", "Codes")).toBeUndefined();
    expect(spreadsheet.tables()[1]).toMatchObject({ name: "Codes", style: "TableStyleLight2" });
  });
});

describe("a table that grows", () => {
  const added = {
    5: { Id: 5, ObjectPathType: PROPERTY, Name: "Tables", ParentObjectPathId: 3 },
    6: { Id: 6, ObjectPathType: METHOD, Name: "Add", ParentObjectPathId: 5, ...args("A1:B3", true) },
  };
  const table = {
    5: added[5],
    6: { Id: 6, ObjectPathType: INDEXER, Name: "", ParentObjectPathId: 5, ...args("Table1") },
    7: { Id: 7, ObjectPathType: PROPERTY, Name: "Rows", ParentObjectPathId: 6 },
    8: { Id: 8, ObjectPathType: PROPERTY, Name: "Columns", ParentObjectPathId: 6 },
  };
  const add = (parent: number, ...values: unknown[]) => ({
    ...table,
    9: { Id: 9, ObjectPathType: METHOD, Name: "Add", ParentObjectPathId: parent, ...args(...values) },
  });
  const rectNow = () => spreadsheet.tables()[0]?.rect;

  it("takes whole rows at its end, and gives its last rows back", async () => {
    await request([[INSTANTIATE, 6]], added);
    expect((await request([[INSTANTIATE, 9]], add(7, null, [["x", 1]]))).Error).toBeUndefined();
    expect(rectNow()).toEqual(rect(0, 0, 4, 2));
    expect(spreadsheet.read("sheet-1", rect(3, 0, 1, 2))[0]!.map(({ value }) => value)).toEqual(["x", 1]);
    expect((await request([[INSTANTIATE, 9]], add(7, null, [["x"]]))).Error?.Code).toBe("InvalidArgument");
    const remove = (address: string) => request([[CALL, 4, "Delete", args("Up")]], range(address));
    expect((await remove("A3:B3")).Error).toBeUndefined();
    expect(rectNow()).toEqual(rect(0, 0, 3, 2));
    expect((await remove("A3")).Error?.Code).toBe("InsertDeleteConflict");
    expect((await remove("A1:B1")).Error?.Code).toBe("InsertDeleteConflict");
  });

  it("takes a column with a name, and lets a column go", async () => {
    await request([[INSTANTIATE, 6]], added);
    expect((await request([[INSTANTIATE, 9]], add(8, 2, null, "Fee"))).Error).toBeUndefined();
    expect(rectNow()).toEqual(rect(0, 0, 3, 3));
    expect(spreadsheet.read("sheet-1", rect(0, 2, 1, 1))[0]![0]!.value).toBe("Fee");
    const fee = { Id: 9, ObjectPathType: INDEXER, Name: "", ParentObjectPathId: 8, ...args("Fee") };
    expect((await request([[CALL, 9, "Delete"]], { ...table, 9: fee })).Error).toBeUndefined();
    expect(rectNow()).toEqual(rect(0, 0, 3, 2));
  });
});

describe("cells of several areas", () => {
  const areas = {
    4: { Id: 4, ObjectPathType: METHOD, Name: "GetRanges", ParentObjectPathId: 3, ...args("A1,C2:C3") },
    5: { Id: 5, ObjectPathType: PROPERTY, Name: "Format", ParentObjectPathId: 4 },
    6: { Id: 6, ObjectPathType: PROPERTY, Name: "Fill", ParentObjectPathId: 5 },
  };

  it("are filled together and cleared again, and take other looks together", async () => {
    await request([[SET, 6, "Color", args("#FFF2CC")]], areas);
    await request([[CALL, 6, "Clear"]], areas);
    const filled = (fillColor: string | null) =>
      [rect(0, 0, 1, 1), rect(1, 2, 2, 1)].map(
        (area) => `applyStyle ${JSON.stringify(["sheet-1", area, { fillColor }])}`,
      );
    expect(spreadsheet.log).toEqual([...filled("#FFF2CC"), ...filled(null)]);
    await request([[SET, 5, "WrapText", args(true)]], areas);
    expect(spreadsheet.log.slice(-2)).toEqual(
      [rect(0, 0, 1, 1), rect(1, 2, 2, 1)].map(
        (area) => `applyStyle ${JSON.stringify(["sheet-1", area, { wrapText: true }])}`,
      ),
    );
  });

  it("tell their fill and their text's color, white if they have none", async () => {
    const wanted = { format: { fill: { color: true, pattern: true }, font: { color: true } } };
    const properties = (load: object) => request([[CALL, 4, "GetCellProperties", args(load)]], range("A1"));
    expect(values(await properties(wanted))).toEqual([
      [
        [
          {
            format: {
              fill: { color: "#FFFFFF", pattern: null, patternColor: null, tintAndShade: null },
              font: { color: "#000000" },
            },
          },
        ],
      ],
    ]);
    expect((await properties({ format: { shrinkToFit: true } })).Error?.Message).toMatch(
      /GetCellProperties shrinkToFit/,
    );
  });
});

describe("a protected sheet", () => {
  it("says so, and refuses to be written until it is not", async () => {
    const protection = { 5: { Id: 5, ObjectPathType: PROPERTY, Name: "Protection", ParentObjectPathId: 3 } };
    const isProtected = async () => values(await request([[QUERY, 5, "", load("protected")]], protection));
    const write = async () => (await request([[SET, 4, "Values", args([[1]])]], range("B2"))).Error?.Code;
    model.document.protectedSheets.add("sheet-1");
    expect(await isProtected()).toEqual([{ Protected: true }]);
    expect(await write()).toBe("AccessDenied");
    model.document.protectedSheets.clear();
    expect(await isProtected()).toEqual([{ Protected: false }]);
    expect(await write()).toBeUndefined();
  });

  it("keeps its protection in the file, as the workbook keeps its calculation mode", async () => {
    model.document.protectedSheets.add("sheet-1");
    model.document.calculationMode = "Manual";
    const file = model.document.save();
    model.document.open({ settings: [], customXmlParts: [] });
    const application = {
      5: { Id: 5, ObjectPathType: PROPERTY, Name: "Application", ParentObjectPathId: 1 },
    };
    const mode = async () => values(await request([[QUERY, 5, "", load("calculationMode")]], application));
    expect([await mode(), model.document.protectedSheets.size]).toEqual([
      [{ CalculationMode: "Automatic" }],
      0,
    ]);
    model.document.open(file);
    expect([await mode(), model.document.protectedSheets.size]).toEqual([[{ CalculationMode: "Manual" }], 1]);
  });
});

describe("a sheet", () => {
  const add = async (...name: unknown[]) =>
    await request([[QUERY, 4, "", load("name")]], {
      4: { Id: 4, ObjectPathType: METHOD, Name: "Add", ParentObjectPathId: 2, ...args(...name) },
    });

  it("is added with its name, or the next free one", async () => {
    expect(values(await add("Codes"))).toEqual([{ Name: "Codes" }]);
    expect(values(await add())).toEqual([{ Name: "Sheet2" }]);
    expect((await add("codes")).Error?.Code).toBe("ItemAlreadyExists");
    expect((await add("a/b")).Error?.Code).toBe("InvalidArgument");
  });

  it("is not deleted when it is the only one", async () => {
    expect((await request([[CALL, 3, "Delete"]])).Error?.Code).toBe("InvalidOperation");
    await add();
    expect((await request([[CALL, 3, "Delete"]])).Error).toBeUndefined();
  });
});

describe("events", () => {
  it("are told only to those who registered, until they unregister", async () => {
    const response = await request([
      [CALL, 3, "_RegisterDataChangedEvent"],
      [TRACE, 0],
      [CALL, 2, "_RegisterDeletedEvent"],
    ]);
    expect(response.TraceIds).toEqual([101]);
    spreadsheet.emit({ kind: "changed", sheetId: "sheet-1", rect: rect(0, 0, 2, 1) });
    spreadsheet.emit({ kind: "selected", sheetId: "sheet-1", rects: [rect(0, 0, 1, 1)] });
    spreadsheet.emit({ kind: "deleted", sheetId: "sheet-2" });
    await request([[CALL, 3, "_UnregisterDataChangedEvent"]]);
    spreadsheet.emit({ kind: "changed", sheetId: "sheet-1", rect: rect(0, 0, 1, 1) });
    expect(posted.map(([category, type, target]) => [category, type, target])).toEqual([
      [65536, 10, "sheet-1"],
      [65536, 15, "Workbook"],
    ]);
    expect(JSON.parse(posted[0]![3])).toMatchObject({ address: "A1:A2", worksheetId: "sheet-1" });
  });
});

describe("events of tables", () => {
  it("tell the name of a table that was added or deleted, and nothing of sheets", async () => {
    await request(
      [
        [CALL, 4, "_RegisterAddedEvent"],
        [CALL, 4, "_RegisterDeletedEvent"],
      ],
      { 4: { Id: 4, ObjectPathType: PROPERTY, Name: "Tables", ParentObjectPathId: 1 } },
    );
    const table = { sheetId: "sheet-1", tableId: "table-1", tableName: "Fees" };
    spreadsheet.emit({ kind: "table-added", ...table });
    spreadsheet.emit({ kind: "deleted", sheetId: "sheet-2" });
    spreadsheet.emit({ kind: "table-deleted", ...table });
    expect(posted.map(([category, type, target]) => [category, type, target])).toEqual([
      [65536, 102, "Workbook"],
      [65536, 103, "Workbook"],
    ]);
    // TableAddedEventArgs and TableDeletedEventArgs in @types/office-js.
    const told = posted.map(([, , , json]) => JSON.parse(json) as unknown);
    const added = { source: "Local", tableId: "table-1", worksheetId: "sheet-1" };
    expect(told).toEqual([added, { ...added, tableName: "Fees" }]);
  });
});

describe("the names of the object model", () => {
  /** One reference for every class that office.js has. */
  const refs: Ref[] = [
    { type: "Workbook" },
    { type: "WorksheetCollection" },
    { type: "Worksheet", sheetId: "sheet-1" },
    { type: "WorksheetFreezePanes", sheetId: "sheet-1" },
    { type: "PageLayout", sheetId: "sheet-1" },
    { type: "Range", sheetId: "sheet-1", rect: rect(0, 0, 1, 1) },
    { type: "RangeFormat", sheetId: "sheet-1", areas: [rect(0, 0, 1, 1)] },
    { type: "RangeFont", sheetId: "sheet-1", areas: [rect(0, 0, 1, 1)] },
    { type: "RangeSort", sheetId: "sheet-1", rect: rect(0, 0, 1, 1) },
    { type: "RangeFill", sheetId: "sheet-1", areas: [rect(0, 0, 1, 1)] },
    { type: "RangeAreas", sheetId: "sheet-1", rects: [rect(0, 0, 1, 1)] },
    { type: "WorksheetProtection", sheetId: "sheet-1" },
    { type: "WorkbookProtection" },
    { type: "Application" },
    { type: "TableRowCollection", tableId: "table-1" },
    { type: "TableCollection" },
    { type: "Table", tableId: "table-1" },
    { type: "TableColumn", tableId: "table-1", index: 0 },
    { type: "TableColumnCollection", tableId: "table-1" },
    { type: "TableRow", tableId: "table-1", index: 0 },
    { type: "TableSort", tableId: "table-1" },
    { type: "Filter", tableId: "table-1", index: 0 },
    { type: "AutoFilter", tableId: "table-1" },
    { type: "NamedItemCollection" },
    { type: "NamedItem", name: "Rate", sheetId: null },
    { type: "CustomXmlPart", partId: "p" },
  ];
  const library = readFileSync(
    createRequire(import.meta.url).resolve("@microsoft/office-js/dist/excel-web-16.00.debug.js"),
    "utf8",
  );

  it.each(refs.map((ref) => [ref.type, ref] as const))("are office.js's own: %s", (type, ref) => {
    const start = library.indexOf(`return "${type}";`);
    const source = library.slice(start, library.indexOf(`\n    Excel.${type} = ${type};`, start));
    const { properties, links, objects, calls } = membersOf(ref, model);
    const members = [properties, links, objects, calls].flatMap((table) => Object.keys(table ?? {}));
    // Deletion is an event of the collection only.
    const shared = /^_(Unr|R)egister/;
    /** Some properties are set by functions beside the class, under another name than they are read by. */
    const isSetBeside = (name: string) => library.includes(`_invokeSetProperty(thisObj, "${name}"`);
    const isOwn = (name: string) => shared.test(name) || source.includes(`"${name}"`) || isSetBeside(name);
    expect(members.filter((name) => !isOwn(name))).toEqual([]);
  });
});

describe("cells that are moved", () => {
  const shift = (Name: string, ...values: unknown[]) => ({
    5: { Id: 5, ObjectPathType: METHOD, Name, ParentObjectPathId: 4, ...args(...values) },
  });
  const fill = (at: number, column: number, value: CellValue) =>
    spreadsheet.writeFormulas("sheet-1", rect(at, column, 1, 1), [[value]]);
  const moves = () => spreadsheet.log.filter((line) => /^(copy|clear|moveCells) /.test(line));

  it("go down before an insertion and up after a deletion, in the range's columns alone", async () => {
    fill(1, 0, "one");
    fill(2, 3, "elsewhere");
    await request([[INSTANTIATE, 5]], { ...range("A2:B2"), ...shift("Insert", "Down") });
    await request([[CALL, 4, "Delete", args("Up")]], range("A2:B2"));
    const moved = (by: number) =>
      `moveCells ${JSON.stringify(["sheet-1", { axis: "row", at: 1, by, strip: { from: 0, size: 2 } }])}`;
    expect(moves()).toEqual([moved(1), moved(-1)]);
  });

  it("are not moved to the right, nor if they are a part of a table", async () => {
    fill(4, 0, "one");
    spreadsheet.addTable({ name: "Table1", sheetId: "sheet-1", rect: rect(4, 0, 2, 2), style: "" });
    const refused = [
      await request([[INSTANTIATE, 5]], { ...range("A2:B2"), ...shift("Insert", "Right") }),
      await request([[INSTANTIATE, 5]], { ...range("B2"), ...shift("Insert", "Down") }),
    ];
    expect(refused.map(({ Error }) => Error?.Code)).toEqual(["ApiNotFound", "InsertDeleteConflict"]);
    expect(moves()).toEqual([]);
  });
});

describe("the defined names", () => {
  it("are those of the workbook and those of each sheet", async () => {
    spreadsheet.defined.push(
      { name: "Token", formula: "=Sheet1!$A$1", comment: "mine", sheetId: null },
      { name: "Local", formula: "=1", comment: "", sheetId: "sheet-1" },
    );
    const names = (Id: number, ParentObjectPathId: number) => ({
      [Id]: { Id, ObjectPathType: PROPERTY, Name: "Names", ParentObjectPathId },
    });
    const response = await request(
      [
        [QUERY, 10, "", load("name", "formula", "comment")],
        [QUERY, 11, "", load("name", "formula")],
      ],
      { ...names(10, 1), ...names(11, 3) },
    );
    expect(values(response)).toEqual([
      { _Items: [{ Id: "Token", Name: "Token", Formula: "=Sheet1!$A$1", Comment: "mine" }] },
      { _Items: [{ Id: "Local", Name: "Local", Formula: "=1" }] },
    ]);
  });
});
