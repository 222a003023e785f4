import { contains, intersect, MAX_COLUMNS, MAX_ROWS, parseAddress, union } from "../address";
import {
  type CellContents,
  type CellStyle,
  createStyles,
  type FilteredTable,
  plainStyle,
} from "../book-contents";
import { createDrawings } from "../drawings";
import { createSheetFilters } from "../sheet-filters";
import { newGuid } from "../guid";
import {
  cardTexts,
  dateNumber,
  formatValue,
  isTextFormat,
  parseValue,
  textOf,
} from "../grid/calculation/calculated-values";
import {
  type CellLook,
  type CellValue,
  type DataType,
  type DefinedName,
  errorTexts,
  type CellView,
  type FunctionCall,
  type FunctionDefinition,
  type FunctionResult,
  type FunctionRunner,
  type FunctionScalar,
  PENDING,
  type Rect,
  type Spreadsheet,
  type SpreadsheetEvent,
  type TableInfo,
} from "../spreadsheet";
import { type Argument, type Formula, parseFormula } from "./simple-formula";
import { hasFunctionWithAt } from "../function-with-at";
import { renamedFormula, shiftedFormula } from "../shifted-formula";
import { shownIn } from "../structured-references";
import { type LineShift, shiftedRect } from "../line-shift";

/** A spreadsheet with more of a user's actions than the workbench's grid offers to code. */
export interface MemorySpreadsheet extends Spreadsheet {
  renameSheet(sheetId: string, name: string): void;
  /** Clicks a cell with the left button. */
  click(sheetId: string, row: number, column: number): void;
  /** Changes the date system, as a user does under Options. Numbers stay as they are, and so show other days. */
  setDateSystem(uses1904: boolean): void;
  /** Inserts or deletes rows or columns. Cells, tables and ranges of the add-in move along; references in formulas do not. */
  shift(sheetId: string, shift: LineShift): void;
  /** The cells that have contents or formats, sheet by sheet. Formulas come without results. */
  ownCells(): OwnCell[];
}

interface OwnCell {
  sheetId: string;
  row: number;
  column: number;
  content: CellValue;
  isFormula: boolean;
  numberFormat: string;
  fillColor: string | null;
}

/** Row and column in one number. */
type CellKey = number;

/** A cell's entry and the value that it shows. */
interface Cell {
  /** As entered; a formula begins with "=". */
  content: CellValue;
  formula?: CalculatedFormula | undefined;
  numberFormat: string;
  look?: Partial<CellLook> | undefined;
  link?: string | undefined;
  linkTip?: string | undefined;
  /** The data type of a value that a formula has left behind. */
  dataType?: DataType | undefined;
}

interface CalculatedFormula {
  /** Null for a formula that can't be calculated here. Its cell shows #NAME?, or the value with which it was opened. */
  parsed: Formula | null;
  /** The arguments of the last calculation, as JSON. */
  given: string | undefined;
  callId: number | undefined;
  /** The call, while its cell shows 0 in place of its answer. */
  zeroOf?: number | undefined;
  /** Undefined until the function's first answer. */
  result: FunctionResult | undefined;
  /** The call, if it came from calculating a range: its answer reaches no further than the formulas that name the cell. */
  ofRange?: number | undefined;
  /** True for a formula that a file has in a form that stays #NAME? until it is entered again. */
  isStuck?: boolean | undefined;
}

/** The cells of a sheet, and which of them hold formulas: what is done for those alone need not look at all others. */
class Cells extends Map<CellKey, Cell> {
  private readonly formulas = new Set<CellKey>();
  constructor(cells: Iterable<[CellKey, Cell]> = []) {
    super();
    for (const [key, cell] of cells) this.set(key, cell);
  }
  get haveFormulas(): boolean {
    return this.formulas.size > 0;
  }
  override set(key: CellKey, cell: Cell): this {
    if (cell.formula) this.formulas.add(key);
    else this.formulas.delete(key);
    return super.set(key, cell);
  }
  override delete(key: CellKey): boolean {
    this.formulas.delete(key);
    return super.delete(key);
  }
  override clear(): void {
    this.formulas.clear();
    super.clear();
  }
}

interface Sheet {
  id: string;
  name: string;
  isHidden: boolean;
  cells: Cells;
  /** The cells of the file that was opened, as it gave them. */
  opened: readonly CellContents[];
  /** Values that formulas fill into cells beyond their own. */
  spilled: Map<CellKey, { value: FunctionScalar; from: CellKey }>;
  /** Formulas whose results have no room. */
  blocked: Set<CellKey>;
  merged: Rect[];
  columnWidths: Map<number, number>;
  rowHeights: Map<number, number>;
  hiddenRows: Set<number>;
  hiddenColumns: Set<number>;
  frozen: { rows: number; columns: number };
}

interface SavedSheet {
  id: string;
  name: string;
  isHidden: boolean;
  merged: Rect[];
  columnWidths: [number, number][];
  rowHeights?: [number, number][];
  hiddenRows?: number[];
  hiddenColumns?: number[];
  frozen: { rows: number; columns: number };
  cells: [
    string,
    Omit<Cell, "formula"> & {
      isFormula: boolean;
      result?: FunctionResult | undefined;
      isStuck?: boolean | undefined;
    },
  ][];
}
interface Saved {
  sheets: SavedSheet[];
  tables: FilteredTable[];
  names: DefinedName[];
  drawings: unknown;
  sheetFilters?: unknown;
  uses1904?: boolean;
}

const general = "General";

/** The width of a column and the height of a row of a new sheet, in pixels. */
const usualWidth = 64;
const usualHeight = 20;

/**
 * A spreadsheet in memory: cells as Excel reads them, tables, the add-in's functions with spills, and files. It calculates
 * no other formula than a single reference and DATE of constants. If it does not calculate, every formula keeps what it was opened with, and a new one
 * is blank.
 */
export function createMemorySpreadsheet({ calculates = true } = {}): MemorySpreadsheet {
  let sheets: Sheet[] = [newSheet("sheet-1", "Sheet1")];
  let tables: FilteredTable[] = [];
  let names: DefinedName[] = [];
  let moved: { sheetId: string; shift: LineShift }[] = [];
  let uses1904 = false;
  let looks = createLooks();
  const firstCell = { row: 0, column: 0, rows: 1, columns: 1 };
  let selection: ReturnType<Spreadsheet["selection"]> = { sheetId: "sheet-1", rects: [firstCell] };
  let ids = 1;
  let definitions: FunctionDefinition[] = [];
  let runner: FunctionRunner | undefined;
  let called: FunctionCall[] = [];
  /** The last content of columns whose cells formulas of their own rows name, by their places. */
  const columnVersions = new Map<string, { text: string; version: number }>();
  let isCalculationDue = false;
  const pending = new Map<number, { sheet: Sheet; key: CellKey }>();
  let editing: { ended: Promise<void>; end: () => void } | undefined;
  const listeners = new Set<(event: SpreadsheetEvent) => void>();
  const resting = new Set<() => void>();

  const drawings = createDrawings();
  const sheetFilters = createSheetFilters();
  const emit = (event: SpreadsheetEvent) => {
    drawings.follow(event);
    sheetFilters.follow(event);
    for (const listener of listeners) listener(event);
  };
  const sheetOf = (sheetId: string): Sheet => {
    const sheet = sheets.find(({ id }) => id === sheetId);
    if (!sheet) throw new Error(`no sheet ${sheetId}`);
    return sheet;
  };
  const tableOf = (tableId: string): FilteredTable => {
    const table = tables.find(({ id }) => id === tableId);
    if (!table) throw new Error(`no table ${tableId}`);
    return table;
  };

  function shown(sheet: Sheet, key: CellKey): FunctionScalar {
    const cell = sheet.cells.get(key);
    if (cell?.dataType) return cell.dataType;
    if (!cell?.formula)
      return cell && cell.content !== "" ? cell.content : (sheet.spilled.get(key)?.value ?? "");
    if (calculates && cell.formula.parsed === null && cell.formula.result === undefined)
      return { error: "#NAME?", message: "" };
    if (sheet.blocked.has(key)) return { error: "#SPILL!", message: "" };
    const { result, callId, zeroOf } = cell.formula;
    if (!calculates && result === undefined) return "";
    if (callId !== undefined && callId === zeroOf) return 0;
    if (callId !== undefined || result === undefined) return { error: PENDING, message: "" };
    return Array.isArray(result) ? (result[0]?.[0] ?? null) : result;
  }
  const valueAt = (sheet: Sheet, key: CellKey): CellValue => valueOf(shown(sheet, key));
  const dataTypeAt = (sheet: Sheet, key: CellKey): DataType | undefined => {
    const scalar = shown(sheet, key);
    return scalar !== null && typeof scalar === "object" && !("error" in scalar) ? scalar : undefined;
  };

  /** The rows of an argument of the formula in a cell, or the error that stands in it. A blank cell arrives as zero, as in Excel. */
  function rowsOf(
    argument: Argument,
    sheet: Sheet,
    key: CellKey,
    blank: CellValue = 0,
  ): CellValue[][] | null | { error: string } {
    if (argument === null) return null;
    if ("definedName" in argument) {
      const reference = referenceOf(argument.definedName, sheet);
      return reference ? rowsOf(reference, sheet, key, blank) : { error: "#NAME?" };
    }
    if ("header" in argument) {
      const column = columnBeside(argument, sheet, key);
      if (!column) return { error: "#VALUE!" };
      return rowsOf({ rect: { ...column, row: placeOf(key)[0], rows: 1 } }, sheet, key, blank);
    }
    if ("joined" in argument) {
      let text = "";
      for (const part of argument.joined) {
        const rows = rowsOf(part, sheet, key, "");
        if (!Array.isArray(rows)) return rows ?? { error: "#VALUE!" };
        text += formatValue(rows[0]?.[0] ?? "", general);
      }
      return [[text]];
    }
    if ("constants" in argument) return argument.constants;
    if ("date" in argument) {
      const day = dateNumber(...argument.date, uses1904);
      return day === null ? { error: "#NUM!" } : [[day]];
    }
    const target =
      argument.sheetName === undefined ? sheet : sheets.find(({ name }) => name === argument.sheetName);
    if (!target) return { error: "#REF!" };
    const rows = each(argument.rect, (row, column) => valueAt(target, keyOf(row, column)));
    const error = rows.flat().find((value) => typeof value === "string" && errorTexts.has(value));
    if (error !== undefined) return { error: String(error) };
    return rows.map((cells) => cells.map((value) => (value === "" ? blank : value)));
  }

  /**
   * Calls the functions of formulas whose arguments have changed, and of all formulas in `anew`, in the order of their references. If `reached`
   * is given, all others keep what they show, until their arguments change again.
   */
  function calculate(
    anew: ReadonlySet<CalculatedFormula> = new Set(),
    reached?: ReadonlySet<CalculatedFormula>,
  ) {
    isCalculationDue = false;
    // A name that is called like one of the functions takes all of them away (xlwings/xlwings-lite#33).
    const areHidden = names.some(({ name }) => definitions.some((one) => one.name === name.toUpperCase()));
    const calculated = new Map<string, CellKey[]>();
    const columns = new Map<string, number>();
    for (const sheet of calculates ? sheets : []) {
      for (const [key, { formula }] of sheet.cells) {
        if (!formula?.parsed || formula.isStuck) continue;
        const args = argumentsOf(formula.parsed, sheet, key);
        // A formula that names a cell of its own row is calculated with each change of that column (OfficeDev/office-js#6469).
        const given = JSON.stringify([args, columnsBeside(formula.parsed, { sheet, key }, columns)]);
        const isReached = "result" in formula.parsed && reached?.has(formula);
        if (given === formula.given && !anew.has(formula) && !isReached) continue;
        formula.given = given;
        if (reached && !reached.has(formula) && formula.result !== undefined) continue;
        const ofSheet = calculated.get(sheet.id) ?? [];
        ofSheet.push(key);
        calculated.set(sheet.id, ofSheet);
        if (formula.callId !== undefined) drop(formula.callId);
        formula.callId = undefined;
        if (!Array.isArray(args)) {
          // A formula that had a result may not be called again when its name is back (OfficeDev/office-js#6487).
          formula.isStuck = args.error === "#NAME?" && formula.result !== undefined;
          formula.result = args;
          continue;
        }
        if ("result" in formula.parsed) {
          formula.result = args[0] ?? "";
          continue;
        }
        const { name } = formula.parsed;
        const definition = definitions.find((one) => one.name === name.toUpperCase());
        if (!definition || areHidden) {
          formula.result = { error: "#NAME?", message: "" };
          continue;
        }
        formula.callId = ++ids;
        if (reached) formula.ofRange = formula.callId;
        pending.set(formula.callId, { sheet, key });
        called.push({
          id: formula.callId,
          functionId: definition.id,
          args: boundArguments(definition, args),
        });
      }
    }
    spillAll();
    send();
    for (const [sheetId, keys] of calculated) tellCalculated(sheetId, keys);
  }

  function tellCalculated(sheetId: string, keys: readonly CellKey[]) {
    const rects = () => keys.map(placeOf).map(([row, column]) => ({ row, column, rows: 1, columns: 1 }));
    emit({ kind: "calculated", sheetId, rects });
  }

  /** These formulas, and those that name one of their cells. */
  function withThoseThatName(formulas: ReadonlySet<CalculatedFormula>): Set<CalculatedFormula> {
    const places = sheets.flatMap(({ id, cells }) =>
      [...cells].flatMap(([key, { formula }]) => {
        if (!formula || !formulas.has(formula)) return [];
        const [row, column] = placeOf(key);
        const rect = spreadsheet.spillOf(id, row, column) ?? { row, column, rows: 1, columns: 1 };
        return { sheetId: id, rect };
      }),
    );
    const reached = new Set(formulas);
    for (const sheet of sheets) {
      for (const { formula } of sheet.cells.values()) {
        const { parsed } = formula ?? {};
        if (!formula || !parsed) continue;
        const named = ("result" in parsed ? [parsed.result] : parsed.args).flatMap((argument) =>
          argument && "rect" in argument ? argument : [],
        );
        const doesName = named.some(({ sheetName = sheet.name, rect }) =>
          places.some((place) => sheetOf(place.sheetId).name === sheetName && intersect(place.rect, rect)),
        );
        if (doesName) reached.add(formula);
      }
    }
    return reached;
  }

  /** True if the filter of a table hides a row of it. */
  function isFilteredInTable(sheetId: string, row: number): boolean {
    for (const { sheetId: id, rect, filters } of tables) {
      if (!filters || id !== sheetId || row <= rect.row || row >= rect.row + rect.rows) continue;
      for (const [column, texts] of Object.entries(filters)) {
        const cell = { row, column: rect.column + Number(column), rows: 1, columns: 1 };
        const [[shownThere] = []] = spreadsheet.read(sheetId, cell);
        if (texts && !texts.includes(shownThere?.text ?? "")) return true;
      }
    }
    return false;
  }

  /** The cells that a name of the sheet or of the workbook stands for. */
  function referenceOf(name: string, sheet: Sheet) {
    const isMeant = (one: DefinedName) => one.name.toLowerCase() === name.toLowerCase();
    const meant = names.filter((one) => isMeant(one) && [null, sheet.id].includes(one.sheetId));
    const { formula = "" } = meant.find(({ sheetId }) => sheetId !== null) ?? meant[0] ?? {};
    return parseAddress(formula.slice(1));
  }

  /** The cells below a header of the named table, or of the one in which a cell stands, if the cell stands in its rows. */
  function columnBeside(
    { header, table: name }: { header: string; table: string | undefined },
    sheet: Sheet,
    key: CellKey,
  ): Rect | undefined {
    const [row, column] = placeOf(key);
    const table = tables.find((each) => {
      if (each.sheetId !== sheet.id) return false;
      if (name === undefined) return contains(each.rect, row, column);
      return each.name.toLowerCase() === name.toLowerCase() && contains(each.rect, row, each.rect.column);
    });
    if (!table || row === table.rect.row) return undefined;
    const across = Array.from({ length: table.rect.columns }, (_, each) => table.rect.column + each).find(
      (each) => valueAt(sheet, keyOf(table.rect.row, each)) === header,
    );
    const { row: top, rows } = table.rect;
    return across === undefined ? undefined : { row: top + 1, column: across, rows: rows - 1, columns: 1 };
  }

  /** The versions of the columns of which a formula names its own row's cell. `known` has those that were looked at before. */
  function columnsBeside(
    parsed: Formula,
    { sheet, key }: { sheet: Sheet; key: CellKey },
    known: Map<string, number>,
  ): number[] {
    const written = ("result" in parsed ? [parsed.result] : parsed.args).flatMap((argument) =>
      argument && "joined" in argument ? argument.joined : argument,
    );
    return written.flatMap((argument) => {
      const column = argument && "header" in argument && columnBeside(argument, sheet, key);
      if (!column) return [];
      const place = JSON.stringify([sheet.id, column]);
      const version = known.get(place) ?? versionOf(place, column, sheet);
      known.set(place, version);
      return [version];
    });
  }

  /** The number of a column's changes. */
  function versionOf(place: string, column: Rect, sheet: Sheet): number {
    const text = JSON.stringify(each(column, (row, across) => valueAt(sheet, keyOf(row, across))));
    const last = columnVersions.get(place) ?? { text, version: 0 };
    const version = last.text === text ? last.version : last.version + 1;
    columnVersions.set(place, { text, version });
    return version;
  }

  function argumentsOf(
    parsed: Formula,
    sheet: Sheet,
    key: CellKey,
  ): (CellValue[][] | null)[] | { error: string; message: string } {
    const written = "result" in parsed ? [parsed.result] : parsed.args;
    const args: (CellValue[][] | null)[] = [];
    for (const argument of written) {
      const rows = rowsOf(argument, sheet, key);
      if (rows !== null && !Array.isArray(rows)) return { error: rows.error, message: "" };
      args.push(rows);
    }
    return args;
  }

  function drop(id: number) {
    pending.delete(id);
    called = called.filter((call) => call.id !== id);
    runner?.cancel([id]);
  }

  /** One hand-over for all that a turn asks. */
  function send() {
    if (called.length === 0) return rest();
    queueMicrotask(() => {
      const calls = called;
      called = [];
      if (calls.length > 0) runner?.call(calls);
    });
  }

  function rest() {
    if (pending.size > 0 || isCalculationDue) return;
    for (const tell of resting) tell();
    resting.clear();
  }

  function spillAll() {
    for (const sheet of sheets) {
      sheet.spilled.clear();
      sheet.blocked.clear();
      if (!sheet.cells.haveFormulas) continue;
      // After each change: it makes nothing for cells that spill nothing.
      sheet.cells.forEach(({ formula }, key) => {
        if (!formula || formula.callId !== undefined || !Array.isArray(formula.result)) return;
        const [row, column] = placeOf(key);
        const cells = formula.result.flatMap((values, down) =>
          values.map((value, across) => ({ value, key: keyOf(row + down, column + across) })),
        );
        const others = cells.filter((cell) => cell.key !== key);
        const isMerged = (place: CellKey) => sheet.merged.some((area) => contains(area, ...placeOf(place)));
        const isTaken = (other: CellKey) =>
          (sheet.cells.get(other)?.content ?? "") !== "" ||
          sheet.spilled.has(other) ||
          isMerged(other) ||
          tables.some((table) => table.sheetId === sheet.id && contains(table.rect, ...placeOf(other)));
        if (others.some((other) => isTaken(other.key))) sheet.blocked.add(key);
        else for (const other of others) sheet.spilled.set(other.key, { value: other.value, from: key });
      });
    }
  }

  /** Formulas are calculated soon after a change, not within it. */
  function dueCalculation() {
    isCalculationDue = true;
    queueMicrotask(() => isCalculationDue && calculate());
  }

  function changed(sheetId: string, rect: Rect) {
    dueCalculation();
    emit({ kind: "changed", sheetId, rect });
  }

  function put(sheet: Sheet, key: CellKey, value: CellValue) {
    const cell = sheet.cells.get(key) ?? { content: "", numberFormat: general };
    if (cell.formula?.callId !== undefined) drop(cell.formula.callId);
    const next: Cell = { ...cell, formula: undefined, dataType: undefined, content: value };
    const isText = isTextFormat(cell.numberFormat);
    if (typeof value === "string" && value.length > 1 && value.startsWith("=") && !isText) {
      const [row, column] = placeOf(key);
      const formula = shownIn(() => tables, value, { sheetId: sheet.id, row, column });
      next.content = formula;
      next.formula = {
        parsed: parseFormula(formula),
        given: undefined,
        callId: undefined,
        result: undefined,
      };
    } else if (typeof value === "string") {
      const parsed = parseValue(value, cell.numberFormat, uses1904);
      next.content = parsed.value;
      if (parsed.numberFormat !== undefined && cell.numberFormat === general)
        next.numberFormat = parsed.numberFormat;
    } else if (isText) {
      next.content = String(value);
    }
    sheet.cells.set(key, next);
  }

  /** Lines as they are inserted or deleted in Excel: references and names follow. */
  function shiftWithReferences(sheetId: string, shift: LineShift) {
    const { name } = sheetOf(sheetId);
    moved.push({ sheetId, shift });
    changeReferences((formula, own) =>
      shiftedFormula(formula, shift, (sheetName) => (sheetName ?? own) === name),
    );
    shiftLines(sheetId, shift);
  }

  /** Changes the texts of all formulas, `own` being the name of a formula's sheet, and of all names, which have none. */
  function changeReferences(changed: (formula: string, own: string | undefined) => string) {
    for (const sheet of sheets) {
      for (const cell of sheet.cells.values()) {
        if (!cell.formula) continue;
        const text = changed(String(cell.content), sheet.name);
        if (text === cell.content) continue;
        cell.content = text;
        cell.formula.parsed = parseFormula(text);
      }
    }
    names = names.map((defined) => ({ ...defined, formula: changed(defined.formula, undefined) }));
  }

  function shiftLines(sheetId: string, shift: LineShift) {
    const sheet = sheetOf(sheetId);
    const follow = (rect: Rect) => shiftedRect(rect, shift);
    const cells = [...sheet.cells];
    sheet.cells.clear();
    for (const [key, cell] of cells) {
      const [row, column] = placeOf(key);
      const place = follow({ row, column, rows: 1, columns: 1 });
      if (place) sheet.cells.set(keyOf(place.row, place.column), cell);
      const callId = cell.formula?.callId;
      if (callId === undefined) continue;
      if (place) pending.set(callId, { sheet, key: keyOf(place.row, place.column) });
      else drop(callId);
    }
    sheet.merged = sheet.merged.flatMap((area) => follow(area) ?? []);
    const lineAt = (line: number, axis: "row" | "column") =>
      follow({ row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS, [axis]: line, [`${axis}s`]: 1 })?.[
        axis
      ];
    if (shift.strip === undefined || shift.strip.size >= (shift.axis === "row" ? MAX_COLUMNS : MAX_ROWS)) {
      const rows = [...sheet.hiddenRows].flatMap((row) => lineAt(row, "row") ?? []);
      const columns = [...sheet.hiddenColumns].flatMap((column) => lineAt(column, "column") ?? []);
      [sheet.hiddenRows, sheet.hiddenColumns] = [new Set(rows), new Set(columns)];
    }
    const gone = tables.filter((table) => table.sheetId === sheetId && !follow(table.rect));
    tables = tables.flatMap((table) => {
      if (table.sheetId !== sheetId) return [table];
      const rect = follow(table.rect);
      if (!rect) return [];
      const { row, rows } = table.rect;
      // A table whose totals row is deleted has none, and its last row stays one of its rows.
      const losesTotals = table.showsTotals && !follow({ ...table.rect, row: row + rows - 1, rows: 1 });
      return [{ ...table, rect, ...(losesTotals && { showsTotals: false }) }];
    });
    spillAll();
    emit({ kind: "moved", sheetId, follow });
    for (const table of gone) emit({ kind: "table-deleted", ...tellingOf(table) });
  }

  /** Each cell of a rectangle gets what stood at the place that `from` names, counted from the first row and column. */
  function reorder(
    sheetId: string,
    rect: Rect,
    from: (place: [row: number, column: number]) => [row: number, column: number],
  ) {
    const { cells } = sheetOf(sheetId);
    const before = each(rect, (row, column) => cells.get(keyOf(row, column)));
    for (const cell of before.flat()) if (cell?.formula?.callId !== undefined) drop(cell.formula.callId);
    each(rect, (row, column) => {
      const [down, across] = from([row - rect.row, column - rect.column]);
      const cell = before[down]?.[across];
      const key = keyOf(row, column);
      const formula = cell?.formula && { ...cell.formula, given: undefined, callId: undefined };
      if (cell) cells.set(key, { ...cell, formula });
      else cells.delete(key);
    });
    changed(sheetId, rect);
  }

  const spreadsheet: MemorySpreadsheet = {
    sheets: () => sheets.map(({ id, name, isHidden }) => ({ id, name, isHidden })),
    addSheet(name) {
      const sheet = newSheet(`sheet-${++ids}`, name);
      sheets.push(sheet);
      emit({ kind: "added", sheetId: sheet.id });
      return { id: sheet.id, name, isHidden: false };
    },
    deleteSheet(sheetId) {
      for (const { formula } of sheetOf(sheetId).cells.values())
        if (formula?.callId !== undefined) drop(formula.callId);
      sheets = sheets.filter(({ id }) => id !== sheetId);
      tables = tables.filter((table) => table.sheetId !== sheetId);
      if (selection.sheetId === sheetId) {
        const [next] = sheets.filter(({ isHidden }) => !isHidden);
        selection = { ...selection, sheetId: next?.id ?? "" };
      }
      emit({ kind: "deleted", sheetId });
      changed(sheets[0]?.id ?? "", firstCell);
    },
    renameSheet(sheetId, name) {
      const before = sheetOf(sheetId).name;
      sheetOf(sheetId).name = name;
      changeReferences((formula) => renamedFormula(formula, before, name));
    },
    uses1904: () => uses1904,
    setDateSystem(next) {
      uses1904 = next;
      calculate();
    },
    shift(sheetId, shift) {
      shiftLines(sheetId, shift);
      changed(sheetId, firstCell);
    },
    ownCells() {
      const own: OwnCell[] = [];
      for (const { id: sheetId, cells } of sheets) {
        for (const [key, { content, formula, numberFormat, look }] of cells) {
          const fillColor = look?.fillColor ?? null;
          if (content === "" && fillColor === null) continue;
          const [row, column] = placeOf(key);
          const isFormula = formula !== undefined;
          own.push({ sheetId, row, column, content, isFormula, numberFormat, fillColor });
        }
      }
      return own;
    },
    insertColumns(sheetId, column, count) {
      shiftWithReferences(sheetId, { axis: "column", at: column, by: count });
      changed(sheetId, firstCell);
      const { cells } = sheetOf(sheetId);
      for (const [key, { content: _, formula: __, link: ___, ...look }] of cells) {
        const [row, before] = placeOf(key);
        if (before !== column - 1) continue;
        for (let added = 0; added < count; added += 1)
          cells.set(keyOf(row, column + added), { ...look, content: "" });
      }
    },
    deleteColumns(sheetId, column, count) {
      shiftWithReferences(sheetId, { axis: "column", at: column, by: -count });
      changed(sheetId, firstCell);
    },
    moveSheet(sheetId, position) {
      const sheet = sheetOf(sheetId);
      sheets = sheets.filter(({ id }) => id !== sheetId);
      sheets.splice(position, 0, sheet);
    },
    moveCells: shiftWithReferences,
    activateSheet(sheetId) {
      if (selection.sheetId === sheetId) return;
      selection = { sheetId, rects: [firstCell] };
      emit({ kind: "activated", sheetId });
    },
    hideSheet(sheetId, isHidden) {
      sheetOf(sheetId).isHidden = isHidden;
    },
    selection: () => selection,
    select(sheetId, rects) {
      // Selecting the same areas again raises no event (OfficeDev/office-js#4691).
      if (JSON.stringify(selection) === JSON.stringify({ sheetId, rects })) return;
      selection = { sheetId, rects };
      emit({ kind: "selected", ...selection });
    },

    edit(isEditing) {
      if (isEditing && !editing) {
        let end = () => {};
        const ended = new Promise<void>((resolve) => (end = resolve));
        editing = { ended, end };
      }
      if (isEditing) return;
      editing?.end();
      editing = undefined;
    },
    editingEnds: () => editing?.ended,

    read(sheetId, rect) {
      const sheet = sheetOf(sheetId);
      return each(rect, (row, column) => {
        const key = keyOf(row, column);
        const cell = sheet.cells.get(key);
        if (!cell && !sheet.spilled.has(key)) return blankView;
        const value = valueAt(sheet, key);
        const formula = cell?.formula ? cell.content : value;
        return new View(value, formula, cell?.numberFormat ?? general, dataTypeAt(sheet, key), uses1904);
      });
    },
    writeFormulas(sheetId, rect, rows) {
      const sheet = sheetOf(sheetId);
      visit(rect, (row, column) => {
        const value = rows[row - rect.row]?.[column - rect.column] ?? null;
        if (value !== null) put(sheet, keyOf(row, column), value);
      });
      changed(sheetId, rect);
    },
    writeNumberFormats(sheetId, rect, rows) {
      const { cells } = sheetOf(sheetId);
      visit(rect, (row, column) => {
        const numberFormat = rows[row - rect.row]?.[column - rect.column] ?? null;
        const key = keyOf(row, column);
        if (numberFormat !== null) cells.set(key, { ...(cells.get(key) ?? { content: "" }), numberFormat });
      });
    },
    clear(sheetId, rect, { contents, formats }) {
      const sheet = sheetOf(sheetId);
      for (const [key, cell] of sheet.cells) {
        if (!contains(rect, ...placeOf(key))) continue;
        if (contents) put(sheet, key, "");
        const left = sheet.cells.get(key) ?? cell;
        if (contents) Object.assign(left, { link: undefined, linkTip: undefined });
        if (formats) Object.assign(left, { numberFormat: general, look: undefined });
      }
      if (contents) changed(sheetId, rect);
    },
    copy({ sheetId, rect }, to, { contents, formats } = { contents: true, formats: true }) {
      const [source, target] = [sheetOf(sheetId), sheetOf(to.sheetId)];
      const copied = each(rect, (row, column) => source.cells.get(keyOf(row, column)));
      copied.forEach((cells, down) =>
        cells.forEach((cell, across) => {
          const key = keyOf(to.row + down, to.column + across);
          const before = target.cells.get(key);
          if (contents && before?.formula?.callId !== undefined) drop(before.formula.callId);
          const formula = cell?.formula && { ...cell.formula, given: undefined, callId: undefined };
          if (!cell && contents && formats) return void target.cells.delete(key);
          const blank: Cell = { content: "", numberFormat: general };
          const { numberFormat, look, ...entry } = { ...(cell ?? blank), formula };
          const copied = {
            ...(before ?? blank),
            ...(contents && entry),
            ...(formats && { numberFormat, look }),
          };
          if (cell || before) target.cells.set(key, copied);
        }),
      );
      if (contents) changed(to.sheetId, { ...rect, row: to.row, column: to.column });
    },
    keepValues(sheetId, rect) {
      const sheet = sheetOf(sheetId);
      visit(rect, (row, column) => {
        const key = keyOf(row, column);
        const [content, dataType] = [valueAt(sheet, key), dataTypeAt(sheet, key)];
        const cell: Cell = sheet.cells.get(key) ?? { content: "", numberFormat: general };
        if (cell.formula?.callId !== undefined) drop(cell.formula.callId);
        if (content !== "" || cell.formula)
          sheet.cells.set(key, { ...cell, formula: undefined, content, dataType });
      });
      changed(sheetId, rect);
    },
    reorderRows: (sheetId, rect, order) => reorder(sheetId, rect, ([y, x]) => [order[y] ?? y, x]),
    reorderColumns: (sheetId, rect, order) => reorder(sheetId, rect, ([y, x]) => [y, order[x] ?? x]),
    click(sheetId, row, column) {
      emit({ kind: "clicked", sheetId, row, column, offsetX: 0, offsetY: 0 });
    },
    spillParent(sheetId, row, column) {
      const sheet = sheetOf(sheetId);
      const key = keyOf(row, column);
      const from = sheet.spilled.get(key)?.from ?? (isSpilling(sheet, key) ? key : undefined);
      if (from === undefined) return null;
      const [parentRow, parentColumn] = placeOf(from);
      return { row: parentRow, column: parentColumn };
    },
    spillOf(sheetId, row, column) {
      const sheet = sheetOf(sheetId);
      const key = keyOf(row, column);
      const result = sheet.cells.get(key)?.formula?.result;
      if (!isSpilling(sheet, key) || !Array.isArray(result)) return null;
      return { row, column, rows: result.length, columns: result[0]?.length ?? 1 };
    },
    usedRect(sheetId, valuesOnly, within) {
      const sheet = sheetOf(sheetId);
      let used: Rect | null = null;
      const add = (key: CellKey) => {
        const [row, column] = placeOf(key);
        if (contains(within, row, column)) used = union(used, { row, column, rows: 1, columns: 1 });
      };
      for (const [key, cell] of sheet.cells) {
        const isFormatted = cell.numberFormat !== general || Boolean(cell.look?.fillColor);
        if (cell.content !== "" || (!valuesOnly && isFormatted)) add(key);
      }
      for (const key of sheet.spilled.keys()) add(key);
      return used;
    },

    setLink(sheetId, row, column, address, screenTip) {
      const cell = sheetOf(sheetId).cells.get(keyOf(row, column));
      if (cell) Object.assign(cell, { link: address ?? undefined, linkTip: screenTip });
    },
    linkTip: (sheetId, row, column) => sheetOf(sheetId).cells.get(keyOf(row, column))?.linkTip ?? null,
    link: (sheetId, row, column) => sheetOf(sheetId).cells.get(keyOf(row, column))?.link ?? null,
    applyStyle(sheetId, rect, style) {
      const { cells } = sheetOf(sheetId);
      visit(rect, (row, column) => {
        const key = keyOf(row, column);
        const cell = cells.get(key) ?? { content: "", numberFormat: general };
        cells.set(key, { ...cell, look: { ...cell.look, ...style } });
      });
    },
    look(sheetId, row, column) {
      const { numberFormat: _, ...plain } = plainStyle;
      return { ...plain, ...sheetOf(sheetId).cells.get(keyOf(row, column))?.look };
    },
    setColumnWidth(sheetId, column, columns, width) {
      const { columnWidths } = sheetOf(sheetId);
      for (let at = column; at < column + columns; at += 1) columnWidths.set(at, width);
    },
    setRowHeight(sheetId, row, rows, height) {
      const { rowHeights } = sheetOf(sheetId);
      for (let at = row; at < row + rows; at += 1) rowHeights.set(at, height);
    },
    rowHeight: (sheetId, row) => sheetOf(sheetId).rowHeights.get(row) ?? usualHeight,
    autofitColumns() {},
    autofitRows() {},
    columnWidth: (sheetId, column) => sheetOf(sheetId).columnWidths.get(column) ?? usualWidth,
    frozen: (sheetId) => sheetOf(sheetId).frozen,
    freeze: (sheetId, frozen) => void (sheetOf(sheetId).frozen = frozen),
    merge(sheetId, rect) {
      sheetOf(sheetId).merged.push(rect);
      spillAll();
    },
    unmerge(sheetId, rect) {
      const sheet = sheetOf(sheetId);
      sheet.merged = sheet.merged.filter((area) => !intersect(area, rect));
      spillAll();
    },
    merged: (sheetId) => [...sheetOf(sheetId).merged],
    names: () => names,
    addName(name) {
      names = [...names, name];
      dueCalculation();
    },
    deleteName({ name, sheetId }) {
      names = names.filter((one) => one.name !== name || one.sheetId !== sheetId);
      dueCalculation();
    },

    tables: () => tables.map((table) => ({ ...table })),
    addTable(wanted) {
      const table = { id: newGuid(), ...wanted };
      tables.push(table);
      emit({ kind: "table-added", ...tellingOf(table) });
      return { ...table };
    },
    updateTable: (tableId, change) =>
      void Object.assign(
        tableOf(tableId),
        Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
      ),
    deleteTable(tableId) {
      const table = tables.find(({ id }) => id === tableId);
      tables = tables.filter((each) => each !== table);
      if (table) emit({ kind: "table-deleted", ...tellingOf(table) });
    },
    filterTable(tableId, column, texts) {
      const { filters = {} } = tableOf(tableId);
      tableOf(tableId).filters = { ...filters, [column]: texts ? [...texts] : null };
    },
    tableFilter: (tableId, column) => tableOf(tableId).filters?.[column] ?? null,
    isRowHidden: (sheetId, row) =>
      sheetOf(sheetId).hiddenRows.has(row) || spreadsheet.isRowFiltered(sheetId, row),
    isRowFiltered: (sheetId, row) => sheetFilters.hides(sheetId, row) || isFilteredInTable(sheetId, row),
    isColumnHidden: (sheetId, column) => sheetOf(sheetId).hiddenColumns.has(column),
    hideRows: (sheetId, row, rows, isHidden) => mark(sheetOf(sheetId).hiddenRows, row, rows, isHidden),
    hideColumns: (sheetId, column, columns, isHidden) =>
      mark(sheetOf(sheetId).hiddenColumns, column, columns, isHidden),
    sheetFilters,
    drawings,

    registerFunctions(known, by) {
      definitions = known;
      runner = by;
      calculate();
    },
    showZero(calls) {
      const ofRanges = new Set<CalculatedFormula>();
      for (const id of calls) {
        const call = pending.get(id);
        const formula = call?.sheet.cells.get(call.key)?.formula;
        if (!formula) continue;
        formula.zeroOf = id;
        if (formula.ofRange === id) ofRanges.add(formula);
      }
      if (ofRanges.size > 0) calculateToRest({ reached: withThoseThatName(ofRanges) });
      calculateToRest();
    },
    settle(results) {
      const ofRanges = new Set<CalculatedFormula>();
      const answered = new Map<string, CellKey[]>();
      for (const { id, result } of results) {
        const call = pending.get(id);
        const formula = call?.sheet.cells.get(call.key)?.formula;
        pending.delete(id);
        if (!call || !formula || formula.callId !== id) continue;
        formula.callId = undefined;
        formula.result = result;
        const ofSheet = answered.get(call.sheet.id) ?? [];
        ofSheet.push(call.key);
        answered.set(call.sheet.id, ofSheet);
        if (formula.ofRange === id) ofRanges.add(formula);
      }
      spillAll();
      for (const [sheetId, keys] of answered) tellCalculated(sheetId, keys);
      if (ofRanges.size > 0) calculateToRest({ reached: withThoseThatName(ofRanges) });
      calculateToRest();
    },
    // Calculating a range stops at the cells that name it (OfficeDev/office-js#6885).
    recalculate(sheetId, within) {
      const anew = new Set<CalculatedFormula>();
      for (const [key, { formula, content }] of sheetOf(sheetId).cells)
        if (formula && (!within || contains(within, ...placeOf(key))) && !hasFunctionWithAt(String(content)))
          anew.add(formula);
      calculateToRest({ anew, reached: within && withThoseThatName(anew) });
    },
    async calculated() {
      await Promise.resolve();
      if (isCalculationDue) calculate();
    },
    idle: () =>
      new Promise((resolve) => {
        resting.add(resolve);
        queueMicrotask(() => queueMicrotask(rest));
      }),
    errorMessage(sheetId, row, column) {
      const scalar = shown(sheetOf(sheetId), keyOf(row, column));
      const isError = scalar !== null && typeof scalar === "object" && "error" in scalar;
      return isError && scalar.message !== "" ? scalar.message : null;
    },
    card(sheetId, row, column) {
      const card = dataTypeAt(sheetOf(sheetId), keyOf(row, column))?.card;
      return card ? cardTexts(card, uses1904) : null;
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    save: () =>
      ({
        sheets: sheets.map(savedSheet),
        tables: tables.map((table) => ({ ...table })),
        names,
        drawings: drawings.save(),
        sheetFilters: sheetFilters.save(),
        ...(uses1904 && { uses1904 }),
      }) satisfies Saved,
    open(saved) {
      for (const id of [...pending.keys()]) drop(id);
      const file = saved as Saved;
      sheets = file.sheets.map((sheet) => ({
        ...newSheet(sheet.id, sheet.name),
        isHidden: sheet.isHidden,
        merged: [...sheet.merged],
        columnWidths: new Map(sheet.columnWidths),
        rowHeights: new Map(sheet.rowHeights),
        hiddenRows: new Set(sheet.hiddenRows),
        hiddenColumns: new Set(sheet.hiddenColumns),
        frozen: sheet.frozen,
        cells: new Cells(sheet.cells.map(([place, cell]) => [keyOfSaved(place), openedCell(cell)])),
      }));
      ids = Math.max(ids, ...sheets.map(({ id }) => Number(/\d+$/.exec(id)?.[0] ?? 0)));
      tables = file.tables.map((table) => ({ ...table }));
      names = file.names;
      uses1904 = file.uses1904 ?? false;
      drawings.open(file.drawings ?? []);
      sheetFilters.open(file.sheetFilters ?? []);
      selection = { sheetId: sheets[0]?.id ?? "", rects: [firstCell] };
      opened();
    },
    contents() {
      return {
        sheets: sheets.map((sheet) => ({
          ...{ id: sheet.id, name: sheet.name, isHidden: sheet.isHidden },
          merged: [...sheet.merged],
          columnWidths: new Map(sheet.columnWidths),
          frozen: sheet.frozen,
          cells: cellsOf(sheet),
        })),
        activeSheetId: selection.sheetId,
        tables: tables.map((table) => ({ ...table })),
        names: [...names],
        moved: [...moved],
        ...(uses1904 && { uses1904 }),
      };
    },
    openContents(contents) {
      for (const id of [...pending.keys()]) drop(id);
      looks = createLooks();
      sheets = contents.sheets.map(({ cells, ...sheet }) => ({
        ...newSheet(sheet.id, sheet.name),
        isHidden: sheet.isHidden,
        merged: [...sheet.merged],
        columnWidths: new Map(sheet.columnWidths),
        frozen: sheet.frozen,
        cells: new Cells(
          cells.map((cell) => [keyOf(cell.row, cell.column), cellOf(cell, looks.lookOf, calculates)]),
        ),
        opened: cells,
      }));
      tables = contents.tables.map((table) => ({ ...table }));
      names = [...contents.names];
      moved = [];
      uses1904 = contents.uses1904 ?? false;
      ids = Math.max(ids, ...sheets.map(({ id }) => Number(/\d+$/.exec(id)?.[0] ?? 0)));
      drawings.open([]);
      sheetFilters.open([]);
      selection = { sheetId: contents.activeSheetId, rects: [firstCell] };
      opened();
    },
  };
  return spreadsheet;

  /** Values from the file count as calculated; errors are calculated anew, as in Excel. */
  function opened() {
    const columns = new Map<string, number>();
    for (const sheet of calculates ? sheets : []) {
      for (const [key, { formula }] of sheet.cells) {
        if (!formula?.parsed || formula.result === undefined) continue;
        const args = argumentsOf(formula.parsed, sheet, key);
        formula.given = JSON.stringify([args, columnsBeside(formula.parsed, { sheet, key }, columns)]);
      }
    }
    spillAll();
    calculate();
  }

  /** Cells that are as they were opened are the very objects of the file, so that who has both need not compare them. */
  function cellsOf(sheet: Sheet): CellContents[] {
    const cells: CellContents[] = [];
    const openedAt = inOrder(sheet.opened);
    for (const [key, { content, formula, numberFormat, look, link }] of sheet.cells) {
      // A file keeps only the value of a data type, so the cell gets the data type's number format.
      const ofDataType = numberFormat === general ? dataTypeAt(sheet, key)?.numberFormat : undefined;
      const style = looks.styleOf(look, ofDataType ?? numberFormat);
      if (content === "" && style === plainStyle && link === undefined) continue;
      const value = valueAt(sheet, key);
      const opened = openedAt(key);
      const isConstant = formula === undefined && opened?.formula === undefined;
      if (isConstant && opened?.value === value && opened.style === style && opened.link === link) {
        cells.push(opened);
        continue;
      }
      const [row, column] = placeOf(key);
      const cell: CellContents = { row, column, value, style };
      if (link !== undefined) cell.link = link;
      if (formula) cell.formula = String(content);
      if (formula?.isStuck) cell.isStuck = true;
      if (isSpilling(sheet, key) && Array.isArray(formula?.result))
        cell.spill = formula.result.map((values) => values.map(valueOf));
      cells.push(cell);
    }
    return cells.sort((one, other) => one.row - other.row || one.column - other.column);
  }

  /** Copies results to formulas that are references at once, and then calls the functions that depend on them. */
  function calculateToRest({
    anew,
    reached,
  }: { anew?: ReadonlySet<CalculatedFormula>; reached?: ReadonlySet<CalculatedFormula> | undefined } = {}) {
    calculate(anew, reached);
    const given = () =>
      sheets.flatMap(({ cells }) => [...cells.values()].map(({ formula }) => formula?.given)).join();
    // A circle of references would never end.
    for (let [before, round] = ["", 0]; before !== given() && round < 20; round += 1) {
      before = given();
      calculate(undefined, reached);
    }
  }
}

class View implements CellView {
  constructor(
    readonly value: CellValue,
    readonly formula: CellValue,
    readonly numberFormat: string,
    private readonly dataType: DataType | undefined,
    private readonly uses1904: boolean,
  ) {}
  /** Computed on demand, because few callers read it and it takes longer than the other properties. */
  get text(): string {
    return this.dataType
      ? textOf(this.dataType, this.numberFormat, this.uses1904)
      : formatValue(this.value, this.numberFormat, this.uses1904);
  }
}
const blankView = new View("", "", general, undefined, false);

function newSheet(id: string, name: string): Sheet {
  return {
    ...{ id, name, isHidden: false },
    ...{ cells: new Cells(), opened: [], spilled: new Map(), blocked: new Set(), merged: [] },
    ...{ columnWidths: new Map(), rowHeights: new Map(), frozen: { rows: 0, columns: 0 } },
    ...{ hiddenRows: new Set(), hiddenColumns: new Set() },
  };
}

/** Puts numbers of lines into a set, or takes them out. */
function mark(lines: Set<number>, first: number, count: number, isIn: boolean): void {
  for (let line = first; line < first + count; line += 1)
    if (isIn) lines.add(line);
    else lines.delete(line);
}

function isSpilling(sheet: Sheet, key: CellKey): boolean {
  const formula = sheet.cells.get(key)?.formula;
  if (!Array.isArray(formula?.result) || formula.callId !== undefined || sheet.blocked.has(key)) return false;
  // A single result stays in its cell.
  return formula.result.length > 1 || (formula.result[0]?.length ?? 0) > 1;
}

/** An argument as its parameter takes it: a single value becomes rows if the parameter takes rows, and null if it is left out. */
function boundArguments(
  { parameters }: FunctionDefinition,
  args: readonly (CellValue[][] | null)[],
): FunctionCall["args"] {
  return parameters.map(({ dimensionality }, index) => {
    const rows = args[index] ?? null;
    return rows === null || dimensionality === "matrix" ? rows : (rows[0]?.[0] ?? null);
  });
}

function savedSheet({ cells, merged, columnWidths, ...sheet }: Sheet): SavedSheet {
  const { id, name, isHidden, rowHeights, hiddenRows, hiddenColumns, frozen } = sheet;
  return {
    ...{ id, name, isHidden, merged: [...merged], columnWidths: [...columnWidths], frozen },
    ...{ rowHeights: [...rowHeights], hiddenRows: [...hiddenRows], hiddenColumns: [...hiddenColumns] },
    // Copying the cell's properties one by one takes three times as long.
    cells: [...cells].map(([key, cell]) => [
      savedPlace(key),
      {
        ...cell,
        formula: undefined,
        isFormula: cell.formula !== undefined,
        result: cell.formula?.result,
        isStuck: cell.formula?.isStuck,
      },
    ]),
  };
}

function valueOf(scalar: FunctionScalar): CellValue {
  if (scalar === null) return 0;
  if (typeof scalar !== "object") return scalar;
  return "error" in scalar ? scalar.error : scalar.value;
}

function scalarOf(value: CellValue): FunctionScalar {
  return typeof value === "string" && errorTexts.has(value) ? { error: value, message: "" } : value;
}

/** The looks of cells as the spreadsheet has them, and the styles of files that they are of. */
function createLooks() {
  const known = new Map<CellStyle, CellLook>();
  const styles = createStyles();
  /** The styles that were opened, by those that are alike. */
  const opened = new Map<CellStyle, CellStyle>();
  const stylesOfLooks = new Map<Cell["look"], Map<string, CellStyle>>();
  /** Cells share their looks, so that a style is made once for a look and a number format. */
  const styleOf = (look: Cell["look"], numberFormat: string, own?: CellStyle): CellStyle => {
    const ofLook = stylesOfLooks.get(look) ?? new Map<string, CellStyle>();
    stylesOfLooks.set(look, ofLook);
    const found = ofLook.get(numberFormat);
    if (found) return found;
    const made = styles({ ...plainStyle, ...look, numberFormat });
    const style = own ?? opened.get(made) ?? made;
    if (own) opened.set(made, own);
    ofLook.set(numberFormat, style);
    return style;
  };
  return {
    styleOf: (look: Cell["look"], numberFormat: string) => styleOf(look, numberFormat),
    /** Gives all cells of one style the same look object. Look objects never change: a cell whose look changes gets another object. */
    lookOf(style: CellStyle): CellLook {
      const found = known.get(style);
      if (found) return found;
      const { numberFormat, ...look } = style;
      known.set(style, look);
      styleOf(look, numberFormat, style);
      return look;
    },
  };
}

/** Finds cells by their keys, which are asked for in rising order as far as the cells are in theirs. Others may not be found. */
function inOrder(cells: readonly CellContents[]): (key: CellKey) => CellContents | undefined {
  let next = 0;
  return (key) => {
    let cell = cells[next];
    while (cell && keyOf(cell.row, cell.column) < key) cell = cells[++next];
    return cell && keyOf(cell.row, cell.column) === key ? cell : undefined;
  };
}

/** A cell from a file. A formula that was saved with an error is calculated again, if the spreadsheet calculates. */
function cellOf(
  { value, formula, spill, style, link, isStuck }: CellContents,
  lookOf: (style: CellStyle) => CellLook,
  calculates: boolean,
): Cell {
  const look = style === plainStyle ? undefined : lookOf(style);
  const cell: Cell = { content: formula ?? value, numberFormat: style.numberFormat, look, link };
  if (formula === undefined) return cell;
  const parsed = parseFormula(formula);
  const isError = typeof value === "string" && errorTexts.has(value);
  const result = spill ? spill.map((values) => values.map(scalarOf)) : scalarOf(value);
  cell.formula = {
    parsed,
    given: undefined,
    callId: undefined,
    result: calculates && parsed && isError && !isStuck ? undefined : result,
    isStuck,
  };
  return cell;
}

function openedCell({ result, isFormula, isStuck, ...cell }: SavedSheet["cells"][number][1]): Cell {
  if (!isFormula) return cell;
  const isError = (scalar: FunctionScalar) =>
    scalar !== null && typeof scalar === "object" && "error" in scalar;
  const wasError = result === undefined || (!Array.isArray(result) && isError(result));
  return {
    ...cell,
    formula: {
      parsed: parseFormula(String(cell.content)),
      given: undefined,
      callId: undefined,
      result: wasError && !isStuck ? undefined : result,
      isStuck,
    },
  };
}

function each<T>({ row, column, rows, columns }: Rect, of: (row: number, column: number) => T): T[][] {
  const all: T[][] = [];
  for (let down = 0; down < rows; down += 1) {
    const line: T[] = [];
    for (let across = 0; across < columns; across += 1) line.push(of(row + down, column + across));
    all.push(line);
  }
  return all;
}

function visit({ row, column, rows, columns }: Rect, see: (row: number, column: number) => void): void {
  for (let y = row; y < row + rows; y += 1) for (let x = column; x < column + columns; x += 1) see(y, x);
}

const keyOf = (row: number, column: number): CellKey => row * MAX_COLUMNS + column;
const placeOf = (key: CellKey): [row: number, column: number] => [
  Math.floor(key / MAX_COLUMNS),
  key % MAX_COLUMNS,
];

function savedPlace(key: CellKey): string {
  const [row, column] = placeOf(key);
  return `${row} ${column}`;
}
function keyOfSaved(place: string): CellKey {
  const [row = 0, column = 0] = place.split(" ").map(Number);
  return keyOf(row, column);
}

function tellingOf({ id: tableId, name: tableName, sheetId }: TableInfo) {
  return { sheetId, tableId, tableName };
}
