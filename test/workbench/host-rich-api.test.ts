import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createDocument } from "../../src/workbench/host/document";
import { createObjectEvents } from "../../src/workbench/host/object-events";
import type { MessageEntry } from "../../src/workbench/host/object-events";
import type { Ref } from "../../src/workbench/host/object-model";
import { createRichApi, membersOf } from "../../src/workbench/host/rich-api";
import { createMemorySpreadsheet, rect } from "./memory-spreadsheet";

const [ROOT, METHOD, PROPERTY, INDEXER, REFERENCE, NULL_OBJECT] = [1, 3, 4, 5, 6, 7];
const [INSTANTIATE, QUERY, CALL, SET, TRACE] = [1, 2, 3, 4, 5];

let spreadsheet: ReturnType<typeof createMemorySpreadsheet>;
let model: Parameters<typeof createRichApi>[0];
let api: ReturnType<typeof createRichApi>;
let posted: MessageEntry[];

beforeEach(() => {
  spreadsheet = createMemorySpreadsheet();
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
      updateControl: vi.fn(),
      takeFocus: vi.fn(),
      report: vi.fn(),
    },
    runtime: { actionsReady: vi.fn(), functionsReady: vi.fn(), settle: vi.fn() },
  };
  api = createRichApi(model);
});

/** A request in office.js's form. Paths: 1 the workbook, 2 its sheets, 3 Sheet1, then those given. */
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
const values = (response: ReturnType<typeof request>) => response.Results.map(({ Value }) => Value);

describe("a request", () => {
  it("writes a range, loads it and hands out a reference for later requests", () => {
    const response = request(
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
    expect(values(request([[QUERY, 4, "", load("rowCount")]], reference))).toEqual([
      { RowCount: 2, _ReferenceId: "r1" },
    ]);
    request([[CALL, 1, "_RemoveReference", args("r1")]]);
    expect(api.tracked).toBe(0);
    expect(request([[QUERY, 4]], reference).Error?.Code).toBe("ItemNotFound");
  });

  it("stops at the first failure, says which action it was and keeps what went before", () => {
    const response = request(
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

  it("answers what is not modelled with ApiNotFound and the member's name, and reports it", () => {
    const charts = { 5: { Id: 5, ObjectPathType: PROPERTY, Name: "Charts", ParentObjectPathId: 3 } };
    const names = [
      request([[INSTANTIATE, 5]], charts),
      request([[CALL, 4, "Merge"]], range("A1")),
      request([[SET, 4, "Hyperlink", args({})]], range("A1")),
      request([[QUERY, 4, "", load("hasSpill")]], range("A1")),
      request([[6, 4]], range("A1")),
    ].map(({ Error }) => `${Error?.Code} ${Error?.Message}`);
    expect(names).toEqual([
      expect.stringMatching(/^ApiNotFound .*Worksheet\.Charts/),
      expect.stringMatching(/^ApiNotFound .*Range\.Merge/),
      expect.stringMatching(/^ApiNotFound .*Range\.Hyperlink/),
      expect.stringMatching(/^ApiNotFound .*Range\.HasSpill/),
      expect.stringMatching(/^ApiNotFound .*action type 6/),
    ]);
    expect(model.shell.report).toHaveBeenCalledTimes(5);
  });

  it("passes over what is asked of a null object", () => {
    const missing = {
      5: {
        Id: 5,
        ObjectPathType: METHOD,
        Name: "GetItemOrNullObject",
        ParentObjectPathId: 2,
        ...args("nope"),
      },
      6: { Id: 6, ObjectPathType: METHOD, Name: "GetUsedRange", ParentObjectPathId: 5 },
      7: { Id: 7, ObjectPathType: NULL_OBJECT, Name: "" },
    };
    const response = request(
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

  it("takes objects as arguments", () => {
    const paths = {
      ...range("B2"),
      5: { Id: 5, ObjectPathType: METHOD, Name: "GetCell", ParentObjectPathId: 3, ...args(4, 0) },
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
    expect(values(request(loads, paths))).toEqual([{ Address: "Sheet1!A2:B5" }, { Address: "Sheet1!B1:C2" }]);
  });

  it("loads nested properties and the items of collections", () => {
    spreadsheet.addSheet("Second");
    spreadsheet.addSheet("Third");
    expect(
      values(
        request(
          [
            [QUERY, 4, "", load("worksheet/name", "format/columnWidth", "rowIndex")],
            [QUERY, 2, "", { QueryInfo: { Select: ["name"], Skip: 1, Top: 1 } }],
          ],
          range("C3"),
        ),
      ),
    ).toEqual([
      { RowIndex: 2, Worksheet: { Name: "Sheet1" }, Format: { ColumnWidth: 48 } },
      { _Items: [{ Id: "sheet-2", Name: "Second" }] },
    ]);
  });

  it("makes one write of a large write's pieces", () => {
    const row = (id: number, at: number) => ({
      [id]: { Id: id, ObjectPathType: METHOD, Name: "GetRow", ParentObjectPathId: 4, ...args(at) },
    });
    const response = request(
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

describe("writes", () => {
  it("elsewhere are not joined, and all of them are made", () => {
    request(
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

  it("of one value fill as many cells as there are", () => {
    expect(request([[SET, 4, "Values", args("x")]], range("A1:A200000")).Error).toBeUndefined();
    expect(spreadsheet.usedRect("sheet-1", true)).toEqual(rect(0, 0, 200_000, 1));
  });

  it("of a shape that is not the range's are refused before their first piece", () => {
    const response = request([[CALL, 4, "_ValidateArraySize", args(3, 1)]], range("A1:A2"));
    expect(response.Error?.Code).toBe("InvalidArgument");
  });
});

describe("a range", () => {
  it("is filled by a single value and keeps its cells where null stands", () => {
    request([[SET, 4, "Values", args("x")]], range("A1:B2"));
    request(
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
    expect(values(request([[QUERY, 4, "", load("formulas", "valueTypes")]], range("A1:C2")))).toEqual([
      {
        Formulas: [
          ["x", 1, ""],
          ["=A1", "x", ""],
        ],
        ValueTypes: [
          ["String", "Double", "Empty"],
          ["String", "String", "Empty"],
        ],
      },
    ]);
  });

  it.each([
    ["GetOffsetRange", [-1, 0]],
    ["GetResizedRange", [-2, 0]],
    ["GetRow", [2]],
    ["GetAbsoluteResizedRange", [1.5, 1]],
  ])("refuses %s(%j) of A1:B2", (name, values) => {
    const path = {
      5: { Id: 5, ObjectPathType: METHOD, Name: name, ParentObjectPathId: 4, ...args(...values) },
    };
    expect(request([[INSTANTIATE, 5]], { ...range("A1:B2"), ...path }).Error?.Code).toBe("InvalidArgument");
  });

  it("finds the used cells inside it", () => {
    request(
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
    const used = (address: string, name: string) =>
      request([[QUERY, 5, "", load("address")]], {
        ...range(address),
        5: { Id: 5, ObjectPathType: METHOD, Name: name, ParentObjectPathId: 4, ...args(true) },
      });
    expect(values(used("A1:Z9", "GetUsedRange"))).toEqual([{ Address: "Sheet1!B2:C3" }]);
    expect(values(used("C:C", "GetUsedRange"))).toEqual([{ Address: "Sheet1!C3" }]);
    expect(values(used("B3", "GetUsedRangeOrNullObject"))).toEqual([null]);
    expect(values(used("D:D", "GetUsedRangeOrNullObject"))).toEqual([null]);
    expect(used("D:D", "GetUsedRange").Error?.Code).toBe("ItemNotFound");
  });

  it("gives null instead of a whole column's cells", () => {
    expect(values(request([[QUERY, 4, "", load("values", "isEntireColumn")]], range("A:A")))).toEqual([
      { Values: null, IsEntireColumn: true },
    ]);
  });

  it("measures in points what the grid measures in pixels", () => {
    const format = { 5: { Id: 5, ObjectPathType: PROPERTY, Name: "Format", ParentObjectPathId: 4 } };
    request([[SET, 5, "ColumnWidth", args(96)]], { ...range("B:C"), ...format });
    expect(spreadsheet.log).toEqual(['setColumnWidth ["sheet-1",1,2,128]']);
  });
});

describe("a table", () => {
  const tables = {
    5: { Id: 5, ObjectPathType: PROPERTY, Name: "Tables", ParentObjectPathId: 3 },
    6: { Id: 6, ObjectPathType: METHOD, Name: "Add", ParentObjectPathId: 5, ...args("A1:C3", true) },
  };

  it("gives every column a name of its own, as Excel does", () => {
    request([[SET, 4, "Values", args([["geoid", "", "GEOID"]])]], range("A1:C1"));
    const response = request(
      [
        [INSTANTIATE, 6],
        [QUERY, 7, "", load("count", "name")],
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
      { Count: 3, _Items: ["geoid", "Column2", "GEOID2"].map((Name, index) => ({ Id: index + 1, Name })) },
      { Address: "Sheet1!A2:C3" },
    ]);
  });

  it("is refused where it would overlap another", () => {
    request([[INSTANTIATE, 6]], tables);
    expect(request([[INSTANTIATE, 6]], tables).Error?.Code).toBe("InvalidArgument");
  });
});

describe("events", () => {
  it("tell only what was registered for, until it is unregistered", () => {
    const response = request([
      [CALL, 3, "_RegisterDataChangedEvent"],
      [TRACE, 0],
      [CALL, 2, "_RegisterAddedEvent"],
    ]);
    expect(response.TraceIds).toEqual([101]);
    spreadsheet.emit("changed", { sheetId: "sheet-1", rect: rect(0, 0, 2, 1) });
    spreadsheet.emit("selected", { sheetId: "sheet-1", rect: rect(0, 0, 1, 1) });
    spreadsheet.addSheet("Other");
    request([[CALL, 3, "_UnregisterDataChangedEvent"]]);
    spreadsheet.emit("changed", { sheetId: "sheet-1", rect: rect(0, 0, 1, 1) });
    expect(posted.map(([category, type, target]) => [category, type, target])).toEqual([
      [65536, 10, "sheet-1"],
      [65536, 13, "Workbook"],
    ]);
    const changed = JSON.parse(posted[0]![3]) as { address: string; referenceId: string };
    expect(changed.address).toBe("A1:A2");
    const name = "_GetRangeForEventByReferenceId";
    const path = {
      4: { Id: 4, ObjectPathType: METHOD, Name: name, ParentObjectPathId: 1, ...args(changed.referenceId) },
    };
    expect(values(request([[QUERY, 4, "", load("address")]], path))).toEqual([{ Address: "Sheet1!A1:A2" }]);
  });
});

describe("custom XML", () => {
  it("is found by the namespace of its root", () => {
    const parts = { 5: { Id: 5, ObjectPathType: PROPERTY, Name: "CustomXmlParts", ParentObjectPathId: 1 } };
    const add = (xml: string) => ({
      6: { Id: 6, ObjectPathType: METHOD, Name: "Add", ParentObjectPathId: 5, ...args(xml) },
    });
    const count = (namespace: string) =>
      values(
        request([[CALL, 6, "GetCount"]], {
          ...parts,
          6: {
            Id: 6,
            ObjectPathType: METHOD,
            Name: "GetByNamespace",
            ParentObjectPathId: 5,
            ...args(namespace),
          },
        }),
      )[0];
    request([[INSTANTIATE, 6]], {
      ...parts,
      ...add('<?xml version="1.0"?>\n<!-- a --><p:a id="1" xmlns:p="urn:x" xmlns="urn:y"/>'),
    });
    expect([count("urn:x"), count("urn:y")]).toEqual([1, 0]);
    expect(request([[INSTANTIATE, 6]], { ...parts, ...add("no xml") }).Error?.Code).toBe("InvalidArgument");
  });
});

describe("the names of the object model", () => {
  /** One reference of every class that office.js has a class of. */
  const refs: Ref[] = [
    { type: "Workbook" },
    { type: "Application" },
    { type: "WorksheetCollection" },
    { type: "Worksheet", sheetId: "sheet-1" },
    { type: "WorksheetFreezePanes", sheetId: "sheet-1" },
    { type: "Range", sheetId: "sheet-1", rect: rect(0, 0, 1, 1) },
    { type: "RangeFormat", sheetId: "sheet-1", rect: rect(0, 0, 1, 1) },
    { type: "RangeFont", sheetId: "sheet-1", rect: rect(0, 0, 1, 1) },
    { type: "RangeFill", sheetId: "sheet-1", rect: rect(0, 0, 1, 1) },
    { type: "TableCollection" },
    { type: "Table", tableId: "table-1" },
    { type: "TableColumn", tableId: "table-1", index: 0 },
    { type: "Setting", key: "k" },
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
    // Deactivated, Added and Deleted are events of the collection only; GetFirst and GetLast of some collections.
    const shared = /^_(Unr|R)egister|^Get(First|Last|Count|ItemAt|ItemOrNullObject)$/;
    expect(members.filter((name) => !shared.test(name) && !source.includes(`"${name}"`))).toEqual([]);
  });
});
