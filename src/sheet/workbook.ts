import { config } from "../config";
import { Failure } from "../errors";
import { fitsSheet, type TablePlan, type TableSize, writePieces } from "./table-plan";
import { columnWidths, wrappedColumns } from "./table-look";

/** A cell, by its sheet's id; rows and columns count from zero. */
export interface CellPosition {
  sheetId: string;
  row: number;
  column: number;
}

/** Where a table goes: its first cell, or a sheet of its own. */
export type Destination =
  ({ kind: "cell"; overwrite: boolean } & CellPosition) | { kind: "new-sheet"; name: string };

/** What stands where a table would go. */
export interface Place extends CellPosition {
  /** The whole rectangle. */
  address: string;
  /** The cells in the way; null when the place is free. */
  filled: string | null;
}

export interface WriteOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((writtenRows: number) => void) | undefined;
}

/** The one door to Excel's sheets. Failures: sheet-refused (with Excel's own words), cells-in-the-way, too-large. */
export interface Workbook {
  /** Looks at the rectangle of this size at the selected cell. */
  inspectSelectedCell(size: TableSize): Promise<Place>;
  /** The values of the selected cells, row by row, as far as they are used. */
  selectedValues(): Promise<unknown[]>;
  /** Writes the plan as an Excel table; a failed or cancelled write leaves the sheet as it was. */
  writeTable(plan: TablePlan, destination: Destination, options?: WriteOptions): Promise<{ address: string }>;
  /** Has every formula of the workbook calculated again. */
  recalculate(): Promise<void>;
}

/** `excel` gives Excel's API once the page runs in Excel. */
export function createWorkbook(excel: () => typeof Excel): Workbook {
  async function run<Result>(work: (context: Excel.RequestContext) => Promise<Result>): Promise<Result> {
    try {
      return await excel().run(work);
    } catch (thrown) {
      const words = thrown instanceof Error ? `Excel says: “${thrown.message}”.` : "";
      throw thrown instanceof Failure
        ? thrown
        : new Failure("sheet-refused", { detail: words, cause: thrown });
    }
  }

  return {
    inspectSelectedCell: (size) =>
      run(async (context) => {
        const selected = context.workbook.getSelectedRange();
        const sheet = context.workbook.worksheets.getActiveWorksheet();
        selected.load("rowIndex,columnIndex");
        sheet.load("id");
        await context.sync();
        const position = {
          sheetId: sheet.id,
          row: selected.rowIndex,
          column: selected.columnIndex,
        };
        const target = rangeAt(context, position, size);
        const filled = target.getUsedRangeOrNullObject(true);
        target.load("address");
        filled.load("address");
        await context.sync();
        return { ...position, address: target.address, filled: filled.isNullObject ? null : filled.address };
      }),

    selectedValues: () =>
      run(async (context) => {
        const used = context.workbook.getSelectedRange().getUsedRangeOrNullObject(true);
        used.load("values");
        await context.sync();
        return used.isNullObject ? [] : used.values.flat();
      }),

    writeTable: (plan, destination, options = {}) =>
      run(async (context) => {
        const size = { rows: plan.rows.length + 1, columns: plan.headers.length };
        const { target, undo } =
          destination.kind === "new-sheet"
            ? await prepareNewSheet(context, destination.name, size)
            : await prepareCell(context, size, destination);
        try {
          await fill(context, target, plan, options);
          return await makeTable(context, target, plan, destination);
        } catch (thrown) {
          await undo().catch((cause: unknown) => {
            const detail = "What had been written could not be taken back.";
            throw new Failure("sheet-refused", { detail, cause });
          });
          throw thrown;
        }
      }),

    recalculate: () =>
      run(async (context) => {
        const sheets = context.workbook.worksheets;
        sheets.load("items/id");
        await context.sync();
        for (const sheet of sheets.items) sheet.calculate(true);
        await context.sync();
      }),
  };
}

function rangeAt(
  context: Excel.RequestContext,
  { sheetId, row, column }: CellPosition,
  size: TableSize,
): Excel.Range {
  if (!fitsSheet({ rows: row + size.rows, columns: column + size.columns })) throw new Failure("too-large");
  return context.workbook.worksheets.getItem(sheetId).getRangeByIndexes(row, column, size.rows, size.columns);
}

interface Prepared {
  target: Excel.Range;
  /** Puts the sheet back as it was. */
  undo(): Promise<void>;
}

async function prepareCell(
  context: Excel.RequestContext,
  size: TableSize,
  { overwrite, ...position }: CellPosition & { overwrite: boolean },
): Promise<Prepared> {
  const target = rangeAt(context, position, size);
  const filled = target.getUsedRangeOrNullObject(true);
  filled.load("address,formulas,numberFormat");
  await context.sync();
  if (!filled.isNullObject && !overwrite) {
    throw new Failure("cells-in-the-way", { detail: `${filled.address} is not empty.` });
  }
  const before = filled.isNullObject ? null : { formats: filled.numberFormat, formulas: filled.formulas };
  return {
    target,
    async undo() {
      target.clear();
      if (before) {
        filled.numberFormat = before.formats;
        filled.formulas = before.formulas;
      }
      await context.sync();
    },
  };
}

async function prepareNewSheet(
  context: Excel.RequestContext,
  wantedName: string,
  size: TableSize,
): Promise<Prepared> {
  const sheets = context.workbook.worksheets;
  const before = sheets.getActiveWorksheet();
  sheets.load("items/name");
  await context.sync();
  const sheet = sheets.add(
    freeSheetName(
      wantedName,
      sheets.items.map((item) => item.name),
    ),
  );
  return {
    target: sheet.getRangeByIndexes(0, 0, size.rows, size.columns),
    async undo() {
      sheet.delete();
      before.activate();
      await context.sync();
    },
  };
}

const sheetNameCharacters = 31;

/** A name Excel takes: no `\ / ? * [ ] :`, at most 31 characters, not taken (case apart). */
export function freeSheetName(wanted: string, taken: readonly string[]): string {
  const clean =
    wanted
      .replace(/[\\/?*[\]:]/g, " ")
      .replace(/^'+|'+$/g, "")
      .trim() || "RegData";
  const lowered = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? "" : ` ${number}`;
    const name = clean.slice(0, sheetNameCharacters - ending.length).trim() + ending;
    if (!lowered.has(name.toLowerCase())) return name;
  }
}

async function fill(
  context: Excel.RequestContext,
  target: Excel.Range,
  plan: TablePlan,
  { signal, onProgress }: WriteOptions,
): Promise<void> {
  const columns = plan.headers.length;
  const header = target.getRow(0);
  header.numberFormat = [plan.headers.map(() => "@")];
  header.values = [plan.headers];
  for (const { start, rows } of writePieces(plan.rows, config.writeBytes)) {
    if (signal?.aborted) throw new Failure("cancelled");
    const piece = target.getCell(start + 1, 0).getAbsoluteResizedRange(rows.length, columns);
    // The format first: Excel would make numbers and dates of texts that look like them.
    piece.numberFormat = rows.map((row) => row.map((cell) => cell.numberFormat));
    piece.values = rows.map((row) => row.map((cell) => cell.value));
    // One request a piece is the point: Excel on the web takes 5 MB at most.
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    onProgress?.(start + rows.length);
  }
}

async function makeTable(
  context: Excel.RequestContext,
  target: Excel.Range,
  plan: TablePlan,
  destination: Destination,
): Promise<{ address: string }> {
  const sheet = target.worksheet;
  const table = sheet.tables.add(target, true);
  table.style = "TableStyleMedium2";
  target.format.verticalAlignment = "Top";
  const header = target.getRow(0);
  header.format.wrapText = true;
  columnWidths(plan).forEach((width, column) => {
    target.getColumn(column).format.columnWidth = width;
  });
  for (const column of wrappedColumns(plan)) target.getColumn(column).format.wrapText = true;
  header.format.autofitRows();
  if (destination.kind === "new-sheet") {
    sheet.freezePanes.freezeRows(1);
    sheet.activate();
  }
  target.getCell(0, 0).select();
  target.load("address");
  await context.sync();
  return { address: target.address };
}
