import { beforeEach, describe, expect, it } from "vitest";
import { createObjectEvents, type MessageEntry } from "../../../workbench/host/objects/object-events";
import { createMemorySpreadsheet } from "../../../workbench/memory/memory-spreadsheet";
import { rect } from "../logged-spreadsheet";

// Numbers and wire names: `EventType` and `_Register…Event` of excel-web-16.00.debug.js.
let spreadsheet: ReturnType<typeof createMemorySpreadsheet>;
let events: ReturnType<typeof createObjectEvents>;
let posted: MessageEntry[];
beforeEach(() => {
  posted = [];
  spreadsheet = createMemorySpreadsheet();
  events = createObjectEvents(
    spreadsheet,
    (entries) => posted.push(...entries),
    () => false,
  );
});
const told = () =>
  posted.map(([, type, target, json]) => [type, target, JSON.parse(json) as { address?: string }] as const);

describe("a table", () => {
  beforeEach(() => {
    const place = { sheetId: "sheet-1", rect: rect(1, 1, 3, 2) };
    spreadsheet.addTable({ id: "t", name: "Fees", style: "TableStyleMedium2", ...place });
  });

  it("hears of the part of a change that lies in it (TableChangedEventArgs.address)", () => {
    events.calls("table", "t")._RegisterDataChangedEvent?.();
    events.calls("tables", "Workbook")._RegisterDataChangedEvent?.();
    spreadsheet.writeFormulas("sheet-1", rect(0, 0, 3, 2), [
      ["", ""],
      ["", "x"],
      ["", "y"],
    ]);
    spreadsheet.writeFormulas("sheet-1", rect(9, 9, 1, 1), [["elsewhere"]]);
    expect(told().map(([type, target, { address }]) => [type, target, address])).toEqual([
      [101, "t", "B2:B3"],
      [101, "Workbook", "B2:B3"],
    ]);
    expect(told()[0]?.[2]).toMatchObject({ tableId: "t", worksheetId: "sheet-1", changeType: "RangeEdited" });
  });

  it("hears which part of it is selected, and with an empty address that it is left (isInsideTable of TableSelectionChangedEventArgs)", () => {
    events.calls("table", "t")._RegisterSelectionChangedEvent?.();
    for (const area of [rect(0, 0, 3, 3), rect(8, 8, 1, 1), rect(9, 9, 1, 1)])
      spreadsheet.select("sheet-1", [area]);
    expect(told().map(([type, target, { address }]) => [type, target, address])).toEqual([
      [100, "t", "B2:C3"],
      [100, "t", ""],
    ]);
  });

  it("is told nothing any more once nobody listens", () => {
    const calls = events.calls("table", "t");
    calls._RegisterDataChangedEvent?.();
    calls._UnregisterDataChangedEvent?.();
    spreadsheet.writeFormulas("sheet-1", rect(1, 1, 1, 1), [["x"]]);
    expect(posted).toEqual([]);
  });
});

it("sheets tell that one was added, and which one was left for another (WorksheetCollection.onAdded, onDeactivated)", () => {
  const calls = events.calls("sheets", "Workbook");
  for (const name of ["Added", "Activated", "Deactivated"]) calls[`_Register${name}Event`]?.();
  const { id } = spreadsheet.addSheet("Second");
  spreadsheet.activateSheet(id);
  expect(told()).toEqual([
    [13, "Workbook", { source: "Local", worksheetId: id }],
    [12, "Workbook", { source: "Local", worksheetId: "sheet-1" }],
    [11, "Workbook", { source: "Local", worksheetId: id }],
  ]);
});

it("a sheet hears where it was clicked (WorksheetSingleClickedEventArgs)", () => {
  events.calls("sheets", "sheet-1")._RegisterSingleClickedEvent?.();
  spreadsheet.click("sheet-1", 1, 2);
  expect(told()).toEqual([
    [21, "sheet-1", expect.objectContaining({ address: "C2", offsetX: 0, offsetY: 0 })],
  ]);
});
