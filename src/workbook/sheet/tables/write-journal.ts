import { Failure } from "../../../errors";
import { partsOf } from "../../../lists";
import { entryOf } from "../cells/cell-content";
import { withCellsLeft, withDetail } from "../cells/changed-meanwhile";
import { othersIn, type ReadCell } from "../cells/others-texts";
import { cellAddress } from "../layout/cell-address";
import type { SheetTable, TableSize } from "../layout/table-plan";
import { takeBack } from "./copy-aside";
import { cellsAtOnce, changedSinceChosen, type Prepared } from "./target-place";

/** Knows what a table that is being written has put where, so that it can be taken back and no text of others is lost. */
export interface WriteJournal {
  /**
   * Empties the place, whose cells the copy holds. Fails with cells-in-the-way, and with all as it was, where somebody has changed
   * anything since it was copied. `tableSize`: of the table that stands there. A row inserted into it is blank, but has moved others
   * out of the place.
   */
  empty(tableSize?: TableSize): Promise<void>;
  /**
   * Queues the reading of rows of the target, before the same request writes to them. The result is called after the sync; it
   * fails with cells-in-the-way where somebody has typed into them.
   */
  watch(start: number, rows: number): () => void;
  /**
   * Makes a change of a table's size, for which Excel gives names to new columns. Fails with cells-in-the-way where somebody has
   * typed a header.
   */
  resize(queueChange: () => void): Promise<void>;
  /**
   * Takes back what was written. Cells that somebody has changed meanwhile keep their texts, and the failure that this gives
   * names them.
   */
  takenBack(thrown: unknown): Promise<unknown>;
}

/** Rows and columns by which people may have moved what was written. */
const mostMoved = 100;
/** People may type while their texts are given back; more often than this, nobody does. */
const mostTries = 5;

/** A journal for a table that is written to a place where there was nothing, or nothing but what the place has a copy of. */
export function createWriteJournal(
  context: Excel.RequestContext,
  prepared: Prepared,
  plan: SheetTable,
): WriteJournal {
  const written = { rows: plan.rows.length + 1, columns: plan.columns.length };
  const sizeBefore = prepared.changed ?? written;
  let changed = sizeBefore;
  /** The target as it was when the first rows were written; people may have inserted or deleted some before that. */
  let targetThen = written;
  /** Something has been written or emptied. */
  let isTouched = false;
  /** Texts of others, by row and column of the target. */
  const others = new Map<string, ReadCell>();
  /** What the copy holds. */
  const copied = new Set<unknown>();
  /** What has been put back into cells, by their places: such a text is nobody's newer one. */
  const given = new Map<string, unknown>();
  /** Headers that Excel has given to columns whose header was cleared, or that are new. */
  const namedByExcel = new Set<unknown>();
  /** How many columns the table had when it got its size; undefined for one that keeps its own. */
  let tableColumns: number | undefined;
  /** Rows of the target that have been written, from the first. */
  let rowsWritten = 0;
  /** Cells that were found as they were written, when they were emptied. */
  let cellsFound = 0;
  /** People have moved rows or columns: what the copy holds belongs elsewhere by now. */
  let haveRowsMoved = false;
  const knowsOthers = othersIn(plan);

  const partOf = (first: Excel.Range, { row, column = 0, rows = 1, columns = changed.columns }: Part) =>
    first.getCell(row, column).getAbsoluteResizedRange(rows, columns);

  const isNamed = ({ row, content }: ReadCell) => row === 0 && namedByExcel.has(content.value);

  /** Reads cells, and what the copy has of them. The result is called after the sync. */
  function queueReading(part: Part): () => ReadCell[] {
    const now = partOf(prepared.target, part).load("values,formulas,numberFormat");
    const copy = prepared.backup && partOf(prepared.backup.range, part).load("values,formulas");
    return () => {
      for (const value of copy?.values.flat() ?? []) copied.add(value);
      return cellsOf(now, { row: part.row, column: part.column ?? 0 }).map((cell) => {
        const { value, formula } = cell.content;
        const [down, across] = [cell.row - part.row, cell.column - (part.column ?? 0)];
        // A formula may give another value on the sheet of the copy.
        const isCopied =
          copy !== undefined &&
          (value === copy.values[down]?.[across] || formula === copy.formulas[down]?.[across]);
        return { ...cell, isAsBefore: cell.isAsBefore || isCopied || isNamed(cell) };
      });
    };
  }

  /** Reads what is filled of a part that was blank: mostly nothing, and never more than that. The result is called after the sync. */
  function queueFilled(part: Part): () => ReadCell[] {
    const whole = partOf(prepared.target, part).load("rowIndex,columnIndex");
    const used = whole.getUsedRangeOrNullObject(true);
    used.load("values,formulas,numberFormat,rowIndex,columnIndex");
    return () =>
      usedCells(used, whole, part.row).map((cell) => ({
        ...cell,
        isAsBefore: cell.isAsBefore || isNamed(cell),
      }));
  }

  /** The cells whose texts are neither planned nor as before. */
  function othersAmong(cells: readonly ReadCell[], werePeoples = false): ReadCell[] {
    // Where the place was not blank, texts of its copy may stand anywhere.
    const mayHoldOldTexts = prepared.backup?.isBlank === false;
    const among = knowsOthers(cells, { mayHoldOldTexts, werePeoples });
    haveRowsMoved ||= among.haveMoved;
    return among.others;
  }

  /** Notes texts of others. Gives those that were not known yet. */
  function note(cells: readonly ReadCell[]): ReadCell[] {
    // Once rows have moved, the copy is shown: what it holds is not given back to a place that may be another's.
    const isInCopy = ({ content }: ReadCell) => haveRowsMoved && copied.has(content.value);
    const isKnown = (cell: ReadCell) => others.get(placeOf(cell))?.content.value === cell.content.value;
    const fresh = cells.filter((cell) => !isInCopy(cell) && !isKnown(cell));
    for (const cell of fresh) others.set(placeOf(cell), cell);
    return fresh;
  }

  function queueTexts(cells: Iterable<ReadCell>): void {
    for (const each of cells) {
      const { row, column, content } = each;
      given.set(placeOf(each), content.value);
      const cell = partOf(prepared.target, { row, column, columns: 1 });
      const { value, numberFormat } = entryOf(content);
      cell.numberFormat = [[numberFormat]];
      cell.values = [[value]];
    }
  }

  /** Gives people texts again that a request has met and overwritten. A cell with a newer text keeps that. */
  async function giveBack(met: readonly ReadCell[]): Promise<void> {
    let open = met;
    const isGiven = (cell: ReadCell) => given.get(placeOf(cell)) === cell.content.value;
    for (let tries = 0; open.length > 0 && tries < mostTries; tries += 1) {
      const looked = queueEach(open);
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      const there = looked();
      note(othersAmong(there, true));
      const lost = open.filter((cell, index) => {
        const now = there[index];
        if (!now) return true;
        const isNewer = !isGiven(now) && othersAmong([now], true).length > 0;
        return now.content.value !== cell.content.value && !isNewer;
      });
      if (lost.length === 0) return;
      const read = queueEach(lost);
      const givenBefore = new Map(given);
      queueTexts(lost);
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      const wasGiven = (cell: ReadCell) => givenBefore.get(placeOf(cell)) === cell.content.value;
      open = note(othersAmong(read()).filter((cell) => !wasGiven(cell)));
    }
  }

  function queueEach(cells: readonly ReadCell[]): () => ReadCell[] {
    const read = cells.map(({ row, column }) => queueReading({ row, column, columns: 1 }));
    return () => read.flatMap((cell) => cell());
  }

  /** Empties rows, but for texts of others. */
  async function clearRows(rows: Part & { rows: number }): Promise<void> {
    const looked = queueReading(rows);
    await context.sync();
    const there = looked();
    const typed = othersAmong(there);
    note(typed);
    const known = [...others.values()].filter(({ row }) => row >= rows.row && row < rows.row + rows.rows);
    const cleared = queueClearing(rows);
    queueTexts(known);
    await context.sync();
    const gone = cleared();
    const met = othersAmong(gone);
    cellsFound += gone.filter((cell) => !cell.isAsBefore).length - met.length;
    await giveBack(note(met));
  }

  /** Queues the emptying of rows. The result, called after the sync, gives what was in them right before. */
  function queueClearing(rows: Part & { rows: number }): () => ReadCell[] {
    const read = queueReading(rows);
    // Excel may take a table away whose cells are all cleared with "All", as its own command does.
    const [header, body] = rows.row > 0 ? [0, rows.rows] : [1, rows.rows - 1];
    if (header > 0) {
      partOf(prepared.target, { row: 0 }).clear("Contents");
      partOf(prepared.target, { row: 0 }).clear("Formats");
    }
    const readNames = header > 0 ? queueNames() : undefined;
    if (body > 0) partOf(prepared.target, { ...rows, row: rows.row + header, rows: body }).clear("All");
    return () => {
      readNames?.();
      return read();
    };
  }

  /**
   * Empties rows that hold what the copy holds. Should they hold anything else, this gives false: then they are filled again with what
   * they held, unless rows or columns have been moved meanwhile. Then it is not known any more where that belongs.
   */
  async function emptyRows(rows: Part & { rows: number }, queueMoves: () => () => boolean): Promise<boolean> {
    const { target } = prepared;
    const there = await twice(async () => {
      const cleared = queueClearing(rows);
      const moved = queueMoves();
      await context.sync();
      haveRowsMoved ||= moved();
      return cleared();
    });
    const typed = othersAmong(there);
    if (!haveRowsMoved && there.every(({ isAsBefore }) => isAsBefore)) return true;
    note(typed);
    if (haveRowsMoved) return false;
    const met = await twice(async () => {
      const all = { row: 0, rows: rows.row + rows.rows };
      const looked = queueReading(all);
      if (prepared.backup) queueCopy(partOf(target, all), partOf(prepared.backup.range, all));
      queueRead(rows, there);
      const moved = queueMoves();
      await context.sync();
      haveRowsMoved = moved();
      return looked();
    });
    isTouched = haveRowsMoved;
    // What somebody has typed into emptied cells is newer than what was there.
    const newer = met.filter(({ content: { value } }) => value !== "" && !namedByExcel.has(value));
    if (haveRowsMoved) {
      await twice(async () => {
        queueClearing(rows);
        await context.sync();
      });
    } else for (const cell of there) given.set(placeOf(cell), cell.content.value);
    await giveBack(note(newer));
    return false;
  }

  /** Queues the writing of rows that were read. */
  function queueRead(rows: Part & { rows: number }, cells: readonly ReadCell[]): void {
    const lines = Array.from({ length: rows.rows }, (_, down) =>
      cells.filter(({ row }) => row === rows.row + down).map(({ content }) => entryOf(content)),
    );
    const range = partOf(prepared.target, rows);
    range.numberFormat = lines.map((line) => line.map(({ numberFormat }) => numberFormat));
    range.values = lines.map((line) => line.map(({ value }) => value));
  }

  /** Queues a look at the names that Excel gives to the columns of a table whose header was cleared. */
  function queueNames(): () => void {
    const header = partOf(prepared.target, { row: 0 }).load("values");
    return () => {
      for (const name of header.values[0] ?? []) namedByExcel.add(name);
    };
  }

  function rowParts(): (Part & { rows: number })[] {
    const rows = Array.from({ length: changed.rows }, (_, row) => row);
    return partsOf(rows, Math.max(1, Math.floor(cellsAtOnce / changed.columns))).map((part) => ({
      row: part[0] ?? 0,
      rows: part.length,
    }));
  }

  async function inParts(work: (rows: Part & { rows: number }) => Promise<void>): Promise<void> {
    for (const part of rowParts()) await twice(() => work(part));
  }

  async function lookAt(rows: Part & { rows: number }): Promise<void> {
    const read = queueReading(rows);
    await context.sync();
    note(othersAmong(read()));
  }

  /** Inserted rows and columns have made the target larger, or have moved its table's last rows below it. */
  async function followTarget(): Promise<void> {
    const { target, table } = prepared;
    target.load("rowIndex,rowCount,columnCount");
    const whole = table?.getRange().load("rowIndex,rowCount,columnCount");
    await context.sync();
    const tableRows = whole ? whole.rowIndex + whole.rowCount - target.rowIndex : 0;
    const rows = Math.max(target.rowCount - targetThen.rows, tableRows - written.rows);
    // Columns of a table that has fewer rows than were written don't make the target wider.
    const newInTable = whole && tableColumns !== undefined ? whole.columnCount - tableColumns : 0;
    const columns = Math.max(target.columnCount - targetThen.columns, newInTable);
    changed = {
      rows: Math.max(changed.rows, sizeBefore.rows + rows),
      columns: Math.max(changed.columns, sizeBefore.columns + columns),
    };
  }

  /** Puts what the copy holds into the emptied cells. Texts of others stay. */
  async function copyBack(): Promise<void> {
    const { backup } = prepared;
    if (!backup || (haveRowsMoved && backup.isBlank)) return;
    if (haveRowsMoved)
      throw new Failure("sheet-refused", { detail: "Rows or columns were moved meanwhile." });
    const [whole, copy] = [prepared.target, backup.range].map((first) =>
      partOf(first, { row: 0, ...changed }),
    ) as [Excel.Range, Excel.Range];
    whole.load("rowIndex,columnIndex");
    const used = whole.getUsedRangeOrNullObject(true);
    used.load("values,formulas,numberFormat,rowIndex,columnIndex");
    const tablesBefore = whole.getTables(false).load("items/id");
    whole.copyFrom(copy, "All");
    const tables = whole.getTables(false).load("items/id");
    queueTexts(others.values());
    await context.sync();
    // Where somebody has deleted the table in that moment, its copy has come as another one.
    const known = new Set(tablesBefore.items.map(({ id }) => id));
    const copied = tables.items.filter(({ id }) => !known.has(id));
    for (const table of copied) table.convertToRange();
    if (copied.length > 0) await context.sync();
    const met = usedCells(used, whole);
    await giveBack(note(met.filter((cell) => !cell.isAsBefore && !isNamed(cell))));
  }

  /**
   * Deletes the sheet that was added for the table, unless texts of others are on it, or too much to be read in one request: then
   * this gives false. The request that deletes also reads: with a text of the last moment, the sheet comes back.
   */
  async function deleteSheet(): Promise<boolean> {
    const sheet = prepared.addedSheet;
    if (!sheet) return false;
    const used = sheet.getUsedRangeOrNullObject(true).load("rowIndex,columnIndex,rowCount,columnCount");
    sheet.load("name");
    await context.sync();
    if (!used.isNullObject) {
      // People may have moved what was written: it is looked for some way beyond its place.
      const rows = Math.min(used.rowIndex + used.rowCount, written.rows + mostMoved);
      const columns = Math.min(used.columnIndex + used.columnCount, written.columns + mostMoved);
      changed = { rows: Math.max(written.rows, rows), columns: Math.max(written.columns, columns) };
      if (others.size > 0 || used.rowCount * used.columnCount > cellsAtOnce) return false;
    }
    const looked = queueUsed(sheet);
    await context.sync();
    const there = othersAmong(looked());
    note(there);
    if (there.length > 0) return false;
    const read = queueUsed(sheet);
    sheet.delete();
    await context.sync();
    const typed = othersAmong(read());
    if (typed.length === 0) return true;
    const again = context.workbook.worksheets.add(sheet.name);
    prepared.addedSheet = again;
    prepared.target = again.getRange("A1");
    note(typed);
    queueTexts(typed);
    await context.sync();
    return true;
  }

  /** Reads all that is filled on the added sheet. The result is called after the sync. */
  function queueUsed(sheet: Excel.Worksheet): () => ReadCell[] {
    const used = sheet.getUsedRangeOrNullObject(true);
    used.load("values,formulas,numberFormat,rowIndex,columnIndex");
    return () => usedCells(used);
  }

  function mustBeAsBefore(cells: readonly ReadCell[]): void {
    const met = cells.filter(({ isAsBefore }) => !isAsBefore);
    if (met.length === 0) return;
    note(met);
    throw typedThere();
  }

  return {
    async empty(tableSize) {
      const size = sizeOf(prepared.target);
      /** Queues a look whether the place or its table has got another size. */
      const queueMoves = () => {
        prepared.target.load("rowCount,columnCount");
        const table = tableSize && prepared.table?.getRange().load("rowCount,columnCount");
        return () =>
          sizeOf(prepared.target) !== size ||
          (table !== undefined &&
            (table.rowCount !== tableSize?.rows || table.columnCount !== tableSize.columns));
      };
      // Nothing is emptied where anything has changed.
      await inParts(lookAt);
      if (others.size > 0) throw typedThere();
      const hasMoved = await twice(async () => {
        const moved = queueMoves();
        await context.sync();
        return moved();
      });
      if (hasMoved) throw changedSinceChosen();
      isTouched = true;
      for (const part of rowParts()) if (!(await emptyRows(part, queueMoves))) throw changedSinceChosen();
    },
    async resize(queueChange) {
      isTouched = true;
      const [looked, before] = [queueReading({ row: 0 }), partOf(prepared.target, { row: 0 }).load("values")];
      const { target } = prepared;
      const { rowCount, columnCount } = target;
      target.load("rowCount,columnCount");
      queueChange();
      const after = partOf(prepared.target, { row: 0 }).load("values");
      const whole = prepared.table?.getRange().load("columnCount");
      await context.sync();
      tableColumns = whole?.columnCount;
      // Cells that were inserted or deleted have moved others.
      const haveMoved = target.rowCount !== rowCount || target.columnCount !== columnCount;
      haveRowsMoved ||= haveMoved;
      mustBeAsBefore(looked());
      if (haveMoved) throw typedThere();
      after.values[0]?.forEach((name: unknown, column) => {
        if (name !== before.values[0]?.[column]) namedByExcel.add(name);
      });
    },
    watch(start, rows) {
      isTouched = true;
      const { target } = prepared;
      target.load("address,rowCount,columnCount");
      const part = { row: start, rows, columns: plan.columns.length };
      const wasBlank = prepared.backup?.isBlank ?? true;
      const read = wasBlank ? queueFilled(part) : queueReading(part);
      return () => {
        if (start === 0) targetThen = { rows: target.rowCount, columns: target.columnCount };
        rowsWritten = Math.max(rowsWritten, start + rows);
        mustBeAsBefore(read());
      };
    },
    async takenBack(thrown) {
      const left: string[] = [];
      let areSomeMissing = false;
      async function undo() {
        // An added sheet goes, whether or not anything was written to it.
        const isGone = prepared.addedSheet !== undefined && (await twice(deleteSheet));
        if (isTouched && !isGone) {
          await twice(async () => prepared.undoTable?.());
          await twice(followTarget);
          if (prepared.backup) await inParts(lookAt);
          // What the copy holds belongs elsewhere by now: nothing is emptied, and the copy is shown.
          if (haveRowsMoved && prepared.backup?.isBlank === false) throw new Failure("sheet-refused");
          cellsFound = 0;
          for (let tries = 0, before = { rows: 0, columns: 0 }; tries < mostTries; tries += 1) {
            // Inserted rows and columns may have moved something out of what was emptied.
            if (before.rows === changed.rows && before.columns === changed.columns) break;
            before = changed;
            await inParts(clearRows);
            await twice(followTarget);
          }
          const isSheetGone = await twice(deleteSheet);
          const filled = plan.rows.slice(0, Math.max(0, rowsWritten - 1)).flat();
          const cellsWritten =
            (rowsWritten > 0 ? written.columns : 0) + filled.filter(({ value }) => value !== "").length;
          areSomeMissing = !isSheetGone && cellsFound + others.size < cellsWritten;
        }
        const shape = isTouched ? await twice(async () => prepared.undoShape?.(others.size > 0)) : [];
        if (isTouched) await twice(copyBack);
        const place = await twice(async () => prepared.undoPlace?.(others.size > 0));
        left.push(...(shape ?? []), ...(place ?? []));
      }
      let notTakenBack: Failure | undefined;
      // Texts that were overwritten come back first, whatever Excel refuses afterwards.
      if (isTouched) await twice(() => giveBack([...others.values()])).catch(() => undefined);
      await takeBack(context, undo, () => prepared.backup).catch((refusal: Failure) => {
        notTakenBack = refusal;
      });
      left.push(...(await addresses().catch(() => [])));
      if (notTakenBack) {
        return others.size === 0 ? notTakenBack : withCellsLeft(notTakenBack, left);
      }
      const failure = left.length > 0 || others.size > 0 ? withCellsLeft(thrown, left) : thrown;
      if (!areSomeMissing) return failure;
      const lookAround = (address: string) => `${notFound} Look around ${address}.`;
      return withDetail(failure, await targetAddress().then(lookAround, () => notFound));
    },
  };

  /** Where the target is; where it was, if it is gone. */
  async function targetAddress(): Promise<string> {
    const target = prepared.target.load("address");
    await context.sync().catch(() => undefined);
    return target.address;
  }

  async function addresses(): Promise<string[]> {
    if (others.size === 0) return [];
    const address = await targetAddress();
    return [...others.values()].map(({ row, column }) => cellAddress(address, row, column));
  }
}

/** The cells of a range that was loaded, which begins in this row and column of the target. */
function cellsOf(range: Excel.Range, first: { row: number; column: number }): ReadCell[] {
  return range.values.flatMap((line: unknown[], down) =>
    line.map((value, across) => {
      const formula = range.formulas[down]?.[across] as unknown;
      const content = { value, formula, numberFormat: String(range.numberFormat[down]?.[across]) };
      return { row: first.row + down, column: first.column + across, content, isAsBefore: value === "" };
    }),
  );
}

/** The cells of a used range that was loaded, within a range that begins in this row of the target; in a whole sheet, in its first. */
function usedCells(
  used: Excel.Range,
  within: Pick<Excel.Range, "rowIndex" | "columnIndex"> = { rowIndex: 0, columnIndex: 0 },
  first = 0,
): ReadCell[] {
  if (used.isNullObject) return [];
  const row = first + used.rowIndex - within.rowIndex;
  return cellsOf(used, { row, column: used.columnIndex - within.columnIndex });
}

const sizeOf = ({ rowCount, columnCount }: Excel.Range) => `${rowCount} ${columnCount}`;

/** Queues the copying of cells. Copied with "All", a whole table would become a new one where the old one is gone. */
function queueCopy(to: Excel.Range, from: Excel.Range): void {
  to.copyFrom(from, "Formats");
  to.copyFrom(from, "Formulas");
}

/** Rows and columns of the target. */
interface Part {
  row: number;
  column?: number | undefined;
  rows?: number | undefined;
  columns?: number | undefined;
}

const notFound =
  "Some of what had been written could not be found again, because cells were moved or cleared meanwhile.";

const placeOf = ({ row, column }: ReadCell) => `${row} ${column}`;

const typedThere = () => new Failure("cells-in-the-way");

/** Excel often takes the second time what it has refused once, such as for too many requests. */
function twice<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch(work);
}
