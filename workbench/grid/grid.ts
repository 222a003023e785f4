import type { IRange, IWorksheetData } from "@univerjs/core";
import {
  InsertColMutation,
  InsertSheetMutation,
  RemoveColMutation,
  RemoveSheetMutation,
  ReorderRangeMutation,
  SetRangeValuesMutation,
  SetSelectionsOperation,
  SetWorksheetActiveOperation,
} from "@univerjs/preset-sheets-core";
import { AddSheetTableMutation, DeleteSheetTableMutation } from "@univerjs/preset-sheets-table";
import { cellAt, union } from "../address";
import { createDrawings } from "../drawings";
import { shiftedRect } from "../line-shift";
import type { Rect, Spreadsheet, SpreadsheetEvent } from "../spreadsheet";
import { createAppearance } from "./appearance";
import { createAttachments } from "./attachments";
import { createCalculation } from "./calculation/calculation";
import { type CellMenu, createCellMenu } from "./cell-menu";
import { createCells } from "./cells";
import { type Popups, showPopups } from "./cell-popup";
import { paintConditionalFormats } from "./overlay/conditional-looks";
import { showDrawings } from "./overlay/drawing-layer";
import { createContents } from "./grid-contents";
import { tellClicks } from "./clicks";
import { createEditing } from "./editing";
import { createLines } from "./lines";
import { createSheetFilters } from "../sheet-filters";
import { createFormulas } from "./calculation/formula-text";
import { createMoving } from "./calculation/moving";
import { createLinks } from "./links";
import { createSaving } from "./saving";
import { createSheets } from "./grid-sheets";
import { createSpillPlaces, followShrinkingSpills } from "./calculation/spills";
import { followTables } from "./calculation/table-references";
import { createTables } from "./grid-tables";
import { type Book, type CellMatrix, isEntered, startUniver, toRect } from "./univer";
import { completeSuggestions, mendFunctions } from "./calculation/univer-functions";

/** Starts the grid with an empty workbook. It fills `container`. */
export function createGrid(container: HTMLElement): Spreadsheet & CellMenu & Popups {
  const book = startUniver(container);
  mendFunctions(book);
  const calculation = createCalculation(book);
  const { startOver, ...formulas } = createFormulas(book, calculation);
  followShrinkingSpills(book, calculation);
  const tables = createTables(book);
  followTables(book, tables);
  const cells = createCells(book, tables);
  const attachments = createAttachments(book);
  const drawings = createDrawings();
  const links = createLinks(book);
  const popups = showPopups(book, { ...attachments, ...links });
  completeSuggestions(book);
  paintConditionalFormats(book, drawings);
  const sheetFilters = createSheetFilters();
  const { follow: followLines, ...lines } = createLines(book, sheetFilters);
  showDrawings(book, container, drawings, { ...cells, ...tables, ...lines });
  const sheets = createSheets(book);
  const appearance = createAppearance(book, cells);
  const spills = createSpillPlaces(book);
  const { on, emit } = createEvents(book, tables.tables, [drawings, sheetFilters, { follow: followLines }]);
  return {
    ...sheets,
    ...createEditing(book),
    ...cells,
    ...appearance,
    ...tables,
    ...formulas,
    ...attachments,
    ...links,
    ...createMoving({ ...sheets, ...cells, ...tables, ...links }, emit),
    ...spills,
    drawings,
    sheetFilters,
    ...lines,
    uses1904: () => false,
    ...createSaving(book, { ...tables, drawings, sheetFilters }, startOver),
    ...createContents(
      book,
      { ...sheets, ...cells, ...appearance, ...tables, ...spills, drawings, sheetFilters },
      startOver,
    ),
    ...createCellMenu(book, container),
    ...popups,
    on,
  };
}

function createEvents(
  book: Book,
  tables: Spreadsheet["tables"],
  followers: { follow(event: SpreadsheetEvent): void }[],
) {
  const listeners = new Set<(event: SpreadsheetEvent) => void>();
  const last = new Map<string, string>();
  const emit = (event: SpreadsheetEvent) => {
    // Univer repeats itself while the pointer moves, when an edit ends and when a sheet is shown.
    const mayBeRepeated = event.kind === "selected" || event.kind === "activated";
    const isRepeated = mayBeRepeated && last.get(event.kind) === JSON.stringify(event);
    last.set(event.kind, JSON.stringify(event));
    if (isRepeated) return;
    for (const follower of followers) follower.follow(event);
    for (const listener of [...listeners]) listener(event);
  };

  let deletedName = "";
  book.beforeRun(({ id, params }) => {
    if (id !== DeleteSheetTableMutation.id) return;
    deletedName = tables().find((table) => table.id === params.tableId)?.name ?? "";
  });

  book.onRun(({ id, params }, options) => {
    if (params.unitId !== book.unitId()) return;
    if (id === InsertSheetMutation.id)
      return emit({ kind: "added", sheetId: String((params.sheet as IWorksheetData).id) });
    const sheetId = params.subUnitId as string;
    if (id === SetRangeValuesMutation.id && options.fromFormula === true) {
      const cells = params.cellValue as CellMatrix;
      emit({ kind: "calculated", sheetId, rects: () => cellsIn(cells) });
    } else if (id === SetRangeValuesMutation.id) {
      const rect = enteredRect(params.cellValue as CellMatrix);
      if (rect) emit({ kind: "changed", sheetId, rect });
    } else if (id === ReorderRangeMutation.id) {
      emit({ kind: "changed", sheetId, rect: toRect(params.range as IRange) });
    } else if (id === SetSelectionsOperation.id) {
      const rects = (params.selections as { range: IRange }[]).map(({ range }) => toRect(range));
      if (rects.length > 0) emit({ kind: "selected", sheetId, rects });
    } else if (id === SetWorksheetActiveOperation.id) {
      emit({ kind: "activated", sheetId });
    } else if (id === RemoveSheetMutation.id) {
      emit({ kind: "deleted", sheetId });
    } else if (id === AddSheetTableMutation.id || id === DeleteSheetTableMutation.id) {
      const isAdded = id === AddSheetTableMutation.id;
      const tableName = isAdded ? String(params.name) : deletedName;
      const tableId = String(params.tableId);
      emit({ kind: isAdded ? "table-added" : "table-deleted", sheetId, tableId, tableName });
    } else if (id === InsertColMutation.id || id === RemoveColMutation.id) {
      const { column: at, columns } = toRect(params.range as IRange);
      const by = id === InsertColMutation.id ? columns : -columns;
      emit({ kind: "moved", sheetId, follow: (rect) => shiftedRect(rect, { axis: "column", at, by }) });
    }
  });

  tellClicks(book, emit);

  const on: Spreadsheet["on"] = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { on, emit };
}

/** The cells of a change. */
function cellsIn(matrix: CellMatrix): Rect[] {
  return Object.entries(matrix).flatMap(([row, cells]) =>
    Object.keys(cells ?? {}).map((column) => cellAt(Number(row), Number(column))),
  );
}

/** The smallest rectangle around the cells whose contents a change enters; null if it only changes formats. */
function enteredRect(matrix: CellMatrix): Rect | null {
  let rect: Rect | null = null;
  for (const [row, cells] of Object.entries(matrix)) {
    for (const [column, cell] of Object.entries(cells ?? {})) {
      if (isEntered(cell)) rect = union(rect, cellAt(Number(row), Number(column)));
    }
  }
  return rect;
}
