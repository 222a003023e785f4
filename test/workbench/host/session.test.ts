import { beforeEach, describe, expect, it, vi } from "vitest";
import { createFunctionBridge } from "../../../workbench/host/custom-functions";
import { createDocument } from "../../../workbench/host/office-document";
import type { WorkbookDocument } from "../../../workbench/host/office-document";
import { frameName, launchUrl } from "../../../workbench/host/launch";
import { createSession } from "../../../workbench/host/session";
import type { Session } from "../../../workbench/host/session";
import { call, createLoggedSpreadsheet } from "../logged-spreadsheet";

const launch = {
  appId: "app",
  addinName: "Sample",
  conversationId: "c1",
  hostOrigin: "https://localhost:3000",
  excelApi: "1.15",
  customFunctionsRuntime: "1.3",
  undo: "web" as const,
  paneVisible: true,
};

let spreadsheet: ReturnType<typeof createLoggedSpreadsheet>;
let document: WorkbookDocument;
let session: Session;
const raise = vi.fn();
const shell = {
  paneVisible: () => true,
  showPane: vi.fn(),
  takeFocus: vi.fn(),
  report: vi.fn(),
  undoStackCleared: vi.fn(),
};

beforeEach(() => {
  vi.clearAllMocks();
  spreadsheet = createLoggedSpreadsheet();
  document = createDocument();
  const functions = createFunctionBridge(spreadsheet, [], { ...launch, report: shell.report });
  session = createSession(launch, { spreadsheet, document, functions, shell }, raise);
  functions.call([call(1, "SUM")]);
});

const method = (DispatchId: number, more: object = {}) =>
  session.invoke("executeMethod", { DdaMethod: { ControlId: "app", Version: 1, DispatchId }, ...more });
const richApi = (body: object | string) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return method(93, { ArrayData: ["", "POST", "ProcessQuery", [], text, 0, 0] });
};
const ROOT = { Id: 1, ObjectPathType: 1, Name: "" };
const empty = { Actions: [{ Id: 1, ActionType: 1, Name: "", ObjectPathId: 1 }], ObjectPaths: { 1: ROOT } };
const FUNCTIONS = { Id: 1, ObjectPathType: 2, Name: "Microsoft.ExcelServices.CustomFunctions" };
const functionsCall = (Name: string, ...Arguments: unknown[]) => ({
  Actions: [{ Id: 1, ActionType: 3, Name, ObjectPathId: 1, ArgumentInfo: { Arguments } }],
  ObjectPaths: { 1: FUNCTIONS },
});

describe("the launch", () => {
  it("tells office.js its host in the address and in the frame's name", async () => {
    const url = new URL(launchUrl(new URL("https://localhost:3000/addin/taskpane.html?et="), launch));
    expect(url.searchParams.get("_host_Info")).toBe("Excel$Web$16.01$en-US$c1$$$3");
    expect(url.searchParams.has("et")).toBe(true);
    expect(JSON.parse(frameName(launch))).toMatchObject({ xdmInfo: "c1|app|https://localhost:3000" });
  });

  it("reports the requirement sets, with the ExcelApi that was asked for", async () => {
    const context = session.invoke("ContextActivationManager_getAppContextAsync", "app") as Record<
      string,
      string
    >;
    expect(JSON.parse(context._requirementMatrix!)).toMatchObject({
      ...{ ExcelApi: "1.15", CustomFunctionsRuntime: "1.3", SharedRuntime: "1.1", DelayForCellEdit: "1.1" },
    });
  });
});

describe("requests", () => {
  it("are answered in office.js's form", async () => {
    expect(await richApi(empty)).toEqual({
      Version: 1,
      Error: 0,
      Data: [200, [], JSON.stringify({ Results: [{ ActionId: 1, Value: {} }], TraceIds: [] })],
    });
  });

  it("of more than 5 MB are refused, and so are answers", async () => {
    const write = (characters: number) => ({
      Actions: [
        {
          Id: 1,
          ActionType: 4,
          Name: "Values",
          ObjectPathId: 3,
          ArgumentInfo: { Arguments: ["é".repeat(characters)] },
        },
        {
          Id: 2,
          ActionType: 2,
          Name: "",
          ObjectPathId: 3,
          QueryInfo: { Select: ["values", "text", "formulas"] },
        },
      ],
      ObjectPaths: {
        1: ROOT,
        2: { Id: 2, ObjectPathType: 4, Name: "Worksheets", ParentObjectPathId: 1 },
        3: {
          Id: 3,
          ObjectPathType: 3,
          Name: "GetRange",
          ParentObjectPathId: 4,
          ArgumentInfo: { Arguments: ["A1"] },
        },
        4: { Id: 4, ObjectPathType: 3, Name: "GetActiveWorksheet", ParentObjectPathId: 2, ArgumentInfo: {} },
      },
    });
    expect(await richApi(write(2_700_000))).toEqual({ Version: 1, Error: 5103 });
    expect(await richApi(write(1_000_000))).toEqual({ Version: 1, Error: 5104 });
    expect(await richApi(write(800_000))).toMatchObject({ Error: 0 });
  });

  it("fail as often as they are told to, those of functions apart", async () => {
    session.fail(5102, 2, "workbook");
    session.fail(5004, 1, "functions");
    const results = functionsCall("SetInvocationArrayResults", []);
    const errors: number[] = [];
    for (const body of [empty, results, empty, empty, results])
      errors.push(((await richApi(body)) as { Error: number }).Error);
    expect(errors).toEqual([5102, 5004, 5102, 0, 0]);
  });

  it("of methods that are not modeled are refused and reported", async () => {
    expect(await method(82)).toEqual({ Version: 1, Error: 5000 });
    expect(shell.report).toHaveBeenCalledWith(expect.stringContaining("Document.goToByIdAsync"));
    expect(() => session.register("documentSelectionChanged")).toThrow("not modeled");
  });
});

describe("the selection", () => {
  it("is read as a text of one cell, or as rows of values; several cells as one text are refused by name", async () => {
    const read = (CoerceType: string) =>
      method(64, { DdaGetBindingData: { CoerceType, ValueFormat: "unformatted", FilterType: "all" } });
    spreadsheet.writeFormulas("sheet-1", { row: 0, column: 0, rows: 1, columns: 2 }, [["Kern", 4]]);
    spreadsheet.select("sheet-1", [{ row: 0, column: 1, rows: 1, columns: 1 }]);
    expect(await read("text")).toMatchObject({ Error: 0, Data: "4" });
    spreadsheet.select("sheet-1", [{ row: 0, column: 0, rows: 1, columns: 2 }]);
    expect(await read("matrix")).toMatchObject({ Error: 0, Data: [["Kern", 4]] });
    expect(await read("text")).toEqual({ Version: 1, Error: 5000 });
    expect(shell.report).toHaveBeenCalledWith(expect.stringContaining("of several cells as text"));
  });
});

describe("a binding", () => {
  const asked = (BindingId: string) => method(68, { DdaBindingsMethod: { BindingId } });
  const bound = { row: 1, column: 1, rows: 2, columns: 2 };

  it("is known to the common API by its id, and one that is not there is error 3002", async () => {
    document.bindings.set("Fees", { type: "Range", sheetId: "sheet-1", rect: bound });
    const Fees = { Name: "Fees", BindingType: 3, RowCount: 2, ColCount: 2, HasHeaders: false };
    expect(await asked("Fees")).toEqual({ Version: 1, Error: 0, Bindings: [Fees] });
    expect(await asked("None")).toEqual({ Version: 1, Error: 3002 });
    expect(() => session.register("None_bindingDataChanged")).toThrow("not modeled");
  });

  it("tells of changes and selections in its cells, as long as the add-in wants to hear of events", async () => {
    document.bindings.set("Fees", { type: "Range", sheetId: "sheet-1", rect: bound });
    session.register("Fees_bindingDataChanged");
    session.register("Fees_bindingSelectionChanged");
    spreadsheet.writeFormulas("sheet-1", { row: 0, column: 0, rows: 1, columns: 1 }, [["outside"]]);
    expect(raise).not.toHaveBeenCalled();
    spreadsheet.writeFormulas("sheet-1", { row: 2, column: 2, rows: 1, columns: 1 }, [["inside"]]);
    expect(raise).toHaveBeenLastCalledWith("Fees_bindingDataChanged", {
      ddaBinding: expect.objectContaining({ Name: "Fees" }),
    });
    spreadsheet.select("sheet-1", [{ row: 2, column: 0, rows: 3, columns: 2 }]);
    expect(raise).toHaveBeenLastCalledWith(
      "Fees_bindingSelectionChanged",
      expect.objectContaining({ subset: { StartRow: 1, StartCol: 0, RowCount: 1, ColCount: 1 } }),
    );
    const Runtime = { Id: 2, ObjectPathType: 4, Name: "_Runtime", ParentObjectPathId: 1 };
    const ArgumentInfo = { Arguments: [false] };
    const off = { Id: 1, ActionType: 4, Name: "EnableEvents", ObjectPathId: 2, ArgumentInfo };
    await richApi({ Actions: [off], ObjectPaths: { 1: ROOT, 2: Runtime } });
    raise.mockClear();
    spreadsheet.writeFormulas("sheet-1", { row: 2, column: 2, rows: 1, columns: 1 }, [["again"]]);
    expect(raise).not.toHaveBeenCalled();
  });

  it("is kept in the file", () => {
    document.bindings.set("Fees", { type: "Range", sheetId: "sheet-1", rect: bound });
    const saved = JSON.parse(JSON.stringify(document.save())) as unknown;
    document.bindings.clear();
    document.open(saved);
    expect(document.bindings.get("Fees")).toEqual({ type: "Range", sheetId: "sheet-1", rect: bound });
  });
});

describe("settings", () => {
  it("are told as changed when the add-in saves them, if it wants to hear of that", async () => {
    const save = () =>
      method(76, { DdaSettingsMethod: { OverwriteIfStale: true, Properties: [["k", "1"]] } });
    await save();
    expect(raise).not.toHaveBeenCalled();
    session.register("settingsChanged");
    await save();
    expect(raise).toHaveBeenCalledWith("settingsChanged", {});
  });

  it("replace those that the document had, and travel with it", async () => {
    document.settings.set("removed in the page", "1");
    await method(76, { DdaSettingsMethod: { OverwriteIfStale: true, Properties: [["k", '{"a":1}']] } });
    const saved = JSON.parse(JSON.stringify(document.save())) as unknown;
    document.settings.clear();
    document.open(saved);
    expect([...document.settings]).toEqual([["k", '{"a":1}']]);
  });
});

describe("the page's life", () => {
  it("has started when its functions can be called, and then gets the calls that waited", async () => {
    expect(raise).not.toHaveBeenCalled();
    await richApi(functionsCall("_SetOsfControlContainerReadyForCustomFunctions"));
    await session.started;
    expect(raise).toHaveBeenCalledWith("richApiMessage", { ArrayData: [expect.arrayContaining([1, 1000])] });
  });

  it("hears that the workbook comes in front of another one, and not that it stays there", async () => {
    const register = { Id: 1, ActionType: 3, Name: "_RegisterActivatedEvent", ObjectPathId: 1 };
    await richApi({ Actions: [register], ObjectPaths: { 1: ROOT } });
    document.isBehind = false;
    document.isBehind = true;
    expect(raise).not.toHaveBeenCalled();
    document.isBehind = false;
    expect(raise).toHaveBeenCalledWith("richApiMessage", {
      ArrayData: [expect.arrayContaining([2203, "Workbook"])],
    });
  });

  it("runs a ribbon command until the add-in says that it is completed", async () => {
    const pressed = session.runCommand("Stamp", "stamp");
    const [, payload] = raise.mock.calls[0] as [string, Record<number, string>];
    expect(payload[1]).toBe("stamp");
    await method(94, { 0: payload[0], 1: 0, 2: "{}" });
    await pressed;
  });

  it("gives the keyboard back to the grid", async () => {
    for (const action of [13, 14, 15]) session.invoke("ContextActivationManager_notifyHost", ["app", action]);
    expect(shell.takeFocus.mock.calls).toEqual([["grid"], ["previous"], ["grid"]]);
  });

  it("hears nothing of the workbook once it is closed", async () => {
    const register = {
      Actions: [{ Id: 1, ActionType: 3, Name: "_RegisterSelectionChangedEvent", ObjectPathId: 2 }],
    };
    const Worksheets = { Id: 2, ObjectPathType: 4, Name: "Worksheets", ParentObjectPathId: 1 };
    await richApi({ ...register, ObjectPaths: { 1: ROOT, 2: Worksheets } });
    spreadsheet.select("sheet-1", [{ row: 0, column: 0, rows: 1, columns: 1 }]);
    expect(raise).toHaveBeenCalledTimes(1);
    session.close();
    spreadsheet.select("sheet-1", [{ row: 1, column: 0, rows: 1, columns: 1 }]);
    expect(raise).toHaveBeenCalledTimes(1);
  });
});
