import { Failure } from "../../../errors";
import { formatTable, setUpSheet } from "../format-table";
import type { SheetTable, TableSize } from "../layout/table-plan";
import type { CellPosition, Workbook } from "../workbook";
import { mayWrite } from "../write-access";
import { contentAfter, heldBy } from "../cells/cell-content";
import { copyAside, letGo, newCopyName } from "./copy-aside";
import { inspectInPlace, prepareInPlace, type TableToReplace } from "./in-place";
import { prepareBeside } from "../lists/beside-list";
import type { BesideTarget } from "../lists/beside-plan";
import { blocksOf, hasHiddenRows, writeBlock, type WrittenBlock } from "../swap/blocks";
import { notesOf } from "../swap/notes";
import type { Place, Placed } from "../swap/swap";
import { type PlacedNote, writeNotes } from "./notes";
import {
  type GivenUp,
  makePlainCells,
  mustBeAsTold,
  readHeldBytes,
  mustBeBlank,
  mustBeGivenUp,
  mustNotExtendTable,
  mustTakeTable,
  type TargetPlace,
  type PlaceToWrite,
  type Prepared,
  type Preparing,
  rangeAt,
  readTableContents,
} from "./target-place";
import { placeOnNewSheet } from "./filled-sheet";
import { takeBackTable } from "./take-back-table";

/** The place for a table: a first cell, a place beside a list, or that of another table. */
export type TableTarget = GivenUp &
  (
    | ({ kind: "cell" } & CellPosition)
    | ({ kind: "beside" } & BesideTarget)
    /** The place of another table, which keeps its id in Excel. This takes ExcelApi 1.13. */
    | ({ kind: "in-place" } & TableToReplace)
  );

/** The place for a table, or a new sheet for it. */
export type Destination = TableTarget | { kind: "new-sheet"; name: string };

export interface WriteOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((writtenRows: number) => void) | undefined;
  /** Awaited right before the first write of each table; if it fails, nothing is written. `workbook` writes within the same requests. */
  onWriting?: ((place: PlaceToWrite, plan: SheetTable, workbook: Workbook) => Promise<void>) | undefined;
  /**
   * Awaited after everything is written and before the copy of the earlier cells is deleted. If it fails, the table is undone. `workbook`
   * writes within the same requests.
   */
  onWritten?: ((written: WrittenTable, workbook: Workbook) => Promise<void>) | undefined;
  /** Awaited before each part is written. */
  gate?: (() => Promise<void>) | undefined;
  /** Notes on cells of the rows below the header. They are written if `hasNotes` is true. */
  notes?: readonly PlacedNote[] | undefined;
  /** A line that is printed above each page, if the sheet holds only the table. */
  heading?: string | undefined;
  /** False if the user stays where they are. Default: the table is shown. */
  isShown?: boolean | undefined;
  /** A second table on a new sheet. It is planned when the address of the first one is known. */
  companion?: { sheetName: string; plan(address: string): Promise<SheetTable> } | undefined;
}

export interface WrittenTable {
  address: string;
  /** Excel's own id, which stays when the table is renamed or moved. */
  tableId: string;
  companionAddress?: string | undefined;
  /** The addresses of cells whose note somebody else had written, so that it was left. */
  notesKept: string[];
}

type ExcelAccess = Pick<Workbook, "run" | "hasExcelApi" | "hasNotes" | "within">;

/** Looks at the cells that a table of this size would overwrite. Fails with the workbook's kinds. */
export function inspectTarget(
  { run, hasExcelApi }: Pick<Workbook, "run" | "hasExcelApi">,
  target: Exclude<TableTarget, { kind: "beside" }>,
  size: TableSize,
): Promise<TargetPlace> {
  return run(async (context) => {
    if (target.kind === "in-place") return inspectInPlace(context, target, size, hasExcelApi);
    const area = { row: target.row, column: target.column, ...size };
    const range = rangeAt(context, target.sheetId, area);
    await mustTakeTable(context, target.sheetId, area, hasExcelApi);
    await mustNotExtendTable(context, target.sheetId, area);
    const filled = range.getUsedRangeOrNullObject(true);
    range.load("address");
    filled.load("address");
    await context.sync();
    return {
      address: range.address,
      filled: filled.isNullObject ? null : filled.address,
      contents: await readTableContents(context, range, size),
    };
  });
}

/**
 * Writes the plan as an Excel table. A failed or cancelled write leaves the sheet as it was, except for what somebody has typed meanwhile.
 * Fails with the workbook's kinds, cells-in-the-way and too-large.
 */
export function writeTable(
  { run, hasExcelApi, hasNotes, within }: ExcelAccess,
  plan: SheetTable,
  destination: Destination,
  options: WriteOptions = {},
): Promise<WrittenTable> {
  return run(async (context) => {
    const here = within(context);
    const onWriting: BeforeTable = async (place, table) => options.onWriting?.(place, table, here);
    const size = { rows: plan.rows.length + 1, columns: plan.columns.length };
    const prepared =
      destination.kind === "new-sheet"
        ? await prepareNewSheet(context, destination.name, plan, onWriting)
        : await prepare(context, destination, size, {
            hasExcelApi,
            async beforeWriting(place) {
              const copyName = newCopyName();
              if (!options.onWriting) return copyName;
              const sheet = context.workbook.worksheets.getItem(place.sheetId).load("name");
              await context.sync();
              await onWriting({ ...place, sheetName: sheet.name, copyName }, plan);
              return copyName;
            },
          });
    const written: WrittenBlock[] = [];
    try {
      await fill(context, prepared, plan, options, written);
      const made = await makeTable(context, prepared, plan, options);
      const companionAddress = await writeCompanion(context, made.address, plan.rows.length, {
        ...options,
        onWriting,
      });
      const notesKept = options.notes && hasNotes() ? await note(context, prepared, plan, options) : [];
      await options.onWritten?.({ ...made, companionAddress, notesKept }, here);
      if (prepared.backup) await letGo(context, prepared.backup);
      return { ...made, companionAddress, notesKept };
    } catch (thrown) {
      throw await takeBackTable(context, prepared, written, thrown);
    }
  });
}

/** Awaited right before the first write of a table. */
type BeforeTable = (place: PlaceToWrite, plan: SheetTable) => Promise<void>;

async function prepare(
  context: Excel.RequestContext,
  destination: TableTarget,
  size: TableSize,
  preparing: Preparing,
): Promise<Prepared> {
  if (destination.kind === "cell") return prepareCell(context, destination, size, preparing);
  return destination.kind === "beside"
    ? prepareBeside(context, destination, size.columns, preparing)
    : prepareInPlace(context, destination, size, preparing);
}

async function prepareCell(
  context: Excel.RequestContext,
  { mayOverwrite, contents, ...position }: CellPosition & GivenUp,
  size: TableSize,
  { hasExcelApi, beforeWriting }: Preparing,
): Promise<Prepared> {
  const area = { row: position.row, column: position.column, ...size };
  const target = rangeAt(context, position.sheetId, area);
  await mayWrite(context, target.worksheet);
  await mustTakeTable(context, position.sheetId, area, hasExcelApi);
  await mustNotExtendTable(context, position.sheetId, area);
  const filled = target.getUsedRangeOrNullObject(true);
  const used = target.worksheet.getUsedRangeOrNullObject(true);
  filled.load("address");
  used.load("address");
  await context.sync();
  mustBeGivenUp(filled.isNullObject ? null : filled.address, mayOverwrite, size);
  const copyName = await beforeWriting({ sheetId: position.sheetId, area });
  const backup = await copyAside(context, target, {
    sheetName: copyName,
    isBlank: filled.isNullObject,
  });
  return {
    target,
    isAlone: used.isNullObject,
    mayWiden: used.isNullObject,
    backup,
    async begin() {
      // The copy is made, so from here on the journal sees each change.
      if (filled.isNullObject) await mustBeBlank(context, backup.range);
      await mustBeAsTold(context, target, contents);
    },
    undoTable: () => makePlainCells(context, target),
  };
}

async function prepareNewSheet(
  context: Excel.RequestContext,
  wantedName: string,
  plan: SheetTable,
  onWriting: BeforeTable,
): Promise<Prepared> {
  const size = { rows: plan.rows.length + 1, columns: plan.columns.length };
  await mayWrite(context);
  return placeOnNewSheet(context, wantedName, size, async (sheetName) => {
    const area = { row: 0, column: 0, ...size };
    await onWriting({ sheetId: null, sheetName, area, copyName: null }, plan);
  });
}

/** Writes the companion table. If it fails, its sheet is deleted again. */
async function writeCompanion(
  context: Excel.RequestContext,
  address: string,
  rowsBefore: number,
  {
    companion,
    onProgress,
    onWriting,
    ...options
  }: Omit<WriteOptions, "onWriting"> & { onWriting: BeforeTable },
): Promise<string | undefined> {
  if (!companion) return undefined;
  const plan = await companion.plan(address);
  const prepared = await prepareNewSheet(context, companion.sheetName, plan, onWriting);
  const written: WrittenBlock[] = [];
  try {
    const progress = { ...options, onProgress: (rows: number) => onProgress?.(rowsBefore + rows) };
    await fill(context, prepared, plan, progress, written);
    return (await makeTable(context, prepared, plan, { isShown: false })).address;
  } catch (thrown) {
    throw await takeBackTable(context, prepared, written, thrown);
  }
}

async function fill(
  context: Excel.RequestContext,
  prepared: Prepared,
  plan: SheetTable,
  { signal, onProgress, gate }: WriteOptions,
  written: WrittenBlock[],
): Promise<void> {
  const headers = plan.columns.map(({ header }) => header);
  const { backup, earlier } = prepared;
  if (backup && !backup.isBlank)
    prepared.heldBytes = await readHeldBytes(context, backup.range, {
      rows: Math.max(plan.rows.length + 1, earlier?.rows ?? 0),
      columns: Math.max(plan.columns.length, earlier?.columns ?? 0),
    });
  await prepared.begin?.(written, headers);
  const header = plan.columns.map((column) => ({ value: column.header, numberFormat: "@" }));
  if (!prepared.addedSheet) prepared.isFiltered = await hasHiddenRows(context, prepared.target);
  for (const block of blocksOf([header, ...plan.rows], prepared.earlier, prepared)) {
    await gate?.();
    if (signal?.aborted) throw new Failure("cancelled");
    const start = Math.max(1, block.row);
    const end = block.row + block.entries.length;
    const { queueCheck } = prepared;
    const check = queueCheck && end > start ? () => queueCheck(start, end - start) : undefined;
    await writeBlock(context, prepared, block, { written, queueCheck: check });
    if (end > block.row) onProgress?.(end - 1);
  }
}

/** Writes notes on cells that still show what was written. Returns the addresses of cells that already had a note. */
async function note(
  context: Excel.RequestContext,
  { target }: Prepared,
  plan: SheetTable,
  { notes = [], signal, gate }: WriteOptions,
): Promise<string[]> {
  const body = target.getOffsetRange(1, 0);
  const channel = await notesOf(context, body);
  // The add-in has written no notes here before, so an existing note is somebody else's unless it is given up.
  const cells = notes.map((cell) => ({ ...cell, written: null }));
  const changed = new Set<Place>();
  const queueCheck = (part: readonly Placed<PlacedNote, PlacedNote>[]) => {
    const read = part.map(({ row, column }) => body.getCell(row, column).load("values,formulas"));
    return () =>
      part.map(({ cell: place }, index) => {
        const cell = plan.rows[place.row]?.[place.column];
        const [value, formula] = [read[index]?.values[0]?.[0], read[index]?.formulas[0]?.[0]] as unknown[];
        const isAsWritten = cell === undefined || heldBy({ value, formula }) === contentAfter(cell).value;
        if (!isAsWritten) changed.add(place);
        return { isHere: isAsWritten, now: undefined };
      });
  };
  const { kept } = await writeNotes<PlacedNote, PlacedNote>(
    context,
    (open) =>
      Promise.resolve({
        channel,
        places: open.map((cell) => (changed.has(cell) ? undefined : cell)),
        queueCheck,
      }),
    cells,
    { signal, gate },
  );
  return kept;
}

async function makeTable(
  context: Excel.RequestContext,
  { whole, table: existing, ...place }: Prepared,
  plan: SheetTable,
  { isShown = true, heading }: Pick<WriteOptions, "isShown" | "heading"> = {},
): Promise<Pick<WrittenTable, "address" | "tableId">> {
  const { target, isAlone } = place;
  const sheet = target.worksheet;
  const table = existing ?? sheet.tables.add(whole ?? target, true);
  table.load("id");
  if (!existing) table.style = "TableStyleMedium2";
  await formatTable(context, place, plan);
  target.load("address,rowIndex,columnIndex");
  await context.sync();
  const written = { address: target.address, tableId: table.id };
  if (isShown) {
    sheet.activate();
    target.getCell(0, 0).select();
  }
  // While another workbook is in front, Excel refuses to show the table (excel-add-ins-troubleshooting.md); it is written all the same.
  await context.sync().catch(() => undefined);
  if (isAlone) await setUpSheet(context, target, plan, heading);
  return written;
}
