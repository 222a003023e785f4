import { twice } from "../../../async/twice";
import { Failure } from "../../../errors";
import { partsOf } from "../../../lists";
import { entryOf, heldBy, isFormula } from "../cells/cell-content";
import { withCellsLeft, withDetail } from "../cells/changed-meanwhile";
import { othersIn, type ReadCell } from "../cells/others-texts";
import { cellAddress } from "../layout/cell-address";
import type { SheetTable, TableSize } from "../layout/table-plan";
import { takeBack } from "./copy-aside";
import { cellsAtOnce, changedSinceChosen, type Prepared } from "./target-place";

/** A record of the writes of a table, by which they can be undone without losing texts of others. */
export interface WriteJournal {
  /**
   * Empties the place, whose cells the copy holds. Fails with cells-in-the-way if somebody has changed anything since the copy was made;
   * all is then as it was. `tableSize` is the size of the table that is there: a row inserted into it is blank itself but has moved others
   * out of the place.
   */
  empty(tableSize?: TableSize): Promise<void>;
  /**
   * Queues the reading of rows of the target, ahead of the writes in the same request. The returned function, called after the sync, fails
   * with cells-in-the-way if somebody has typed into them.
   */
  watch(start: number, rows: number): () => void;
  /** Changes a table's size, for which Excel gives names to new columns. Fails with cells-in-the-way if somebody has typed a header. */
  resize(queueChange: () => void): Promise<void>;
  /** Undoes the writes. Cells that somebody has changed meanwhile keep their texts, and the returned failure names them. */
  takenBack(thrown: unknown): Promise<unknown>;
}

/** The most rows and columns by which moved cells are looked for beyond their place. */
const mostMoved = 100;
/** The most rounds of putting texts back, since somebody may type during each of them. */
const mostTries = 5;

/** A journal for a table that is written to a blank place, or to one that the backup holds a copy of. */
export function createWriteJournal(
  context: Excel.RequestContext,
  prepared: Prepared,
  plan: SheetTable,
): WriteJournal {
  const written = { rows: plan.rows.length + 1, columns: plan.columns.length };
  const sizeBefore = prepared.changed ?? written;
  let changed = sizeBefore;
  /** The size of the target when the first rows were written; rows or columns may have been inserted or deleted before that. */
  let targetThen = written;
  /** True once something has been written or emptied. */
  let isTouched = false;
  /** Texts of others, by row and column of the target. */
  const others = new Map<string, ReadCell>();
  /** The values that the copy holds. */
  const copied = new Set<unknown>();
  /** The values that were put back into cells, by place, so that they are not taken for newer texts. */
  const given = new Map<string, unknown>();
  /** Headers that Excel has given to new columns, or to columns whose header was cleared. */
  const namedByExcel = new Set<unknown>();
  /** The number of the table's columns when it was resized; undefined for a table that keeps its size. */
  let tableColumns: number | undefined;
  /** The number of rows of the target that have been written, from the first. */
  let rowsWritten = 0;
  /** The number of cells that still held what was written when they were emptied. */
  let cellsFound = 0;
  /** True once somebody has moved rows or columns, so that the copy's content belongs elsewhere. */
  let haveRowsMoved = false;
  const knowsOthers = othersIn(plan);

  const partOf = (first: Excel.Range, { row, column = 0, rows = 1, columns = changed.columns }: Part) =>
    first.getCell(row, column).getAbsoluteResizedRange(rows, columns);

  const isNamed = ({ row, content }: ReadCell) => row === 0 && namedByExcel.has(content.value);

  /** Queues the reading of cells and of their copies. Call the returned function after the sync. */
  function queueReading(part: Part): () => ReadCell[] {
    const now = partOf(prepared.target, part).load("values,formulas,numberFormat");
    const copy = prepared.backup && partOf(prepared.backup.range, part).load("values,formulas");
    return () => {
      for (const held of [copy?.values, copy?.formulas].flat(2)) copied.add(held);
      return cellsOf(now, { row: part.row, column: part.column ?? 0 }).map((cell) => {
        const { value, formula } = cell.content;
        const [down, across] = [cell.row - part.row, cell.column - (part.column ?? 0)];
        const [was, wasFormula] = [copy?.values, copy?.formulas].map(
          (rows?: unknown[][]) => rows?.[down]?.[across],
        );
        // A formula may give another value on the sheet of the copy; a formula that shows a copied constant is somebody's.
        const mayShowCopied = !isFormula(cell.content) || isFormula({ value: was, formula: wasFormula });
        const isCopied = copy !== undefined && ((mayShowCopied && value === was) || formula === wasFormula);
        return { ...cell, isAsBefore: cell.isAsBefore || isCopied || isNamed(cell) };
      });
    };
  }

  /**
   * Queues the reading of the filled cells of a part that was blank, since mostly there are none. Call the returned function after the
   * sync.
   */
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
    // If the place was not blank, its earlier texts may stand anywhere.
    const mayHoldOldTexts = prepared.backup?.isBlank === false;
    const among = knowsOthers(cells, { mayHoldOldTexts, werePeoples });
    haveRowsMoved ||= among.haveMoved;
    return among.others;
  }

  /** Notes texts of others. Returns those that were not known yet. */
  function note(cells: readonly ReadCell[]): ReadCell[] {
    // Once rows have moved, the copy is shown to the user. Its content is not put back, since the place may belong to others now.
    const isInCopy = ({ content }: ReadCell) => haveRowsMoved && copied.has(heldBy(content));
    const isKnown = (cell: ReadCell) => isHeld(others.get(placeOf(cell)), cell);
    const fresh = cells.filter((cell) => !isInCopy(cell) && !isKnown(cell));
    for (const cell of fresh) others.set(placeOf(cell), cell);
    return fresh;
  }

  function queueTexts(cells: Iterable<ReadCell>): void {
    for (const each of cells) {
      const { row, column, content } = each;
      given.set(placeOf(each), heldBy(content));
      const cell = partOf(prepared.target, { row, column, columns: 1 });
      const { value, numberFormat } = entryOf(content);
      cell.numberFormat = [[numberFormat]];
      cell.values = [[value]];
    }
  }

  /** Puts back texts that a request has overwritten. A cell with a newer text keeps that one. */
  async function giveBack(met: readonly ReadCell[]): Promise<void> {
    let open = met;
    const isGiven = (cell: ReadCell) => given.get(placeOf(cell)) === heldBy(cell.content);
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
        return !isHeld(now, cell) && !isNewer;
      });
      if (lost.length === 0) return;
      const read = queueEach(lost);
      const givenBefore = new Map(given);
      queueTexts(lost);
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      const wasGiven = (cell: ReadCell) => givenBefore.get(placeOf(cell)) === heldBy(cell.content);
      open = note(othersAmong(read()).filter((cell) => !wasGiven(cell)));
    }
  }

  function queueEach(cells: readonly ReadCell[]): () => ReadCell[] {
    const read = cells.map(({ row, column }) => queueReading({ row, column, columns: 1 }));
    return () => read.flatMap((cell) => cell());
  }

  /** Empties rows, except for texts of others. */
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

  /** Queues the emptying of rows. The returned function, called after the sync, gives their content right before. */
  function queueClearing(rows: Part & { rows: number }): () => ReadCell[] {
    const read = queueReading(rows);
    // Excel may delete a table if all of its cells are cleared with "All", as its own command does.
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
   * Empties rows that still hold what the copy holds, and returns true. If they hold anything else, it returns false and fills them again,
   * unless rows or columns have been moved meanwhile, because it is then not known where the content belongs.
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
    // A text that somebody has typed into the emptied cells is newer than the earlier content.
    const newer = met.filter(({ content }) => heldBy(content) !== "" && !namedByExcel.has(heldBy(content)));
    if (haveRowsMoved) {
      await twice(async () => {
        queueClearing(rows);
        await context.sync();
      });
    } else for (const cell of there) given.set(placeOf(cell), heldBy(cell.content));
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

  /** Queues the reading of the names that Excel gives to the columns of a table whose header was cleared. */
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

  /** Follows the target's size: inserted rows and columns have made it larger, or have moved its table's last rows below it. */
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

  /** Puts the copy's content into the emptied cells. Texts of others stay. */
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
    // If somebody has deleted the table in that moment, the copy has brought a new one.
    const known = new Set(tablesBefore.items.map(({ id }) => id));
    const copied = tables.items.filter(({ id }) => !known.has(id));
    for (const table of copied) table.convertToRange();
    if (copied.length > 0) await context.sync();
    const met = usedCells(used, whole);
    await giveBack(note(met.filter((cell) => !cell.isAsBefore && !isNamed(cell))));
  }

  /**
   * Deletes the sheet that was added for the table, and returns true. Returns false if texts of others are on it, or too much to be read in
   * one request. The request that deletes also reads: if somebody has typed at the last moment, the sheet is added again.
   */
  async function deleteSheet(): Promise<boolean> {
    const sheet = prepared.addedSheet;
    if (!sheet) return false;
    const used = sheet.getUsedRangeOrNullObject(true).load("rowIndex,columnIndex,rowCount,columnCount");
    sheet.load("name");
    await context.sync();
    if (!used.isNullObject) {
      // Somebody may have moved written cells, so they are looked for some way beyond their place.
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

  /** Queues the reading of all filled cells of the added sheet. Call the returned function after the sync. */
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
      /** Queues a check whether the place or its table has changed its size. */
      const queueMoves = () => {
        prepared.target.load("rowCount,columnCount");
        const table = tableSize && prepared.table?.getRange().load("rowCount,columnCount");
        return () =>
          sizeOf(prepared.target) !== size ||
          (table !== undefined &&
            (table.rowCount !== tableSize?.rows || table.columnCount !== tableSize.columns));
      };
      // Nothing is emptied if anything has changed.
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
      // A changed size means that somebody has inserted or deleted cells, which has moved others.
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
        // An added sheet is deleted even if nothing was written to it.
        const isGone = prepared.addedSheet !== undefined && (await twice(deleteSheet));
        if (isTouched && !isGone) {
          await twice(async () => prepared.undoTable?.());
          await twice(followTarget);
          if (prepared.backup) await inParts(lookAt);
          // The copy's content belongs elsewhere now, so nothing is emptied and the copy is shown.
          if (haveRowsMoved && prepared.backup?.isBlank === false) throw new Failure("sheet-refused");
          cellsFound = 0;
          for (let tries = 0, before = { rows: 0, columns: 0 }; tries < mostTries; tries += 1) {
            // Inserted rows and columns may have moved cells out of the area that was emptied.
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
      // Overwritten texts are put back first, in case Excel refuses the other steps.
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

  /** The address of the target, or its last known address if it is gone. */
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

/** The cells of a loaded range, which begins in this row and column of the target. */
function cellsOf(range: Excel.Range, first: { row: number; column: number }): ReadCell[] {
  return range.values.flatMap((line: unknown[], down) =>
    line.map((value, across) => {
      const formula = range.formulas[down]?.[across] as unknown;
      const content = { value, formula, numberFormat: String(range.numberFormat[down]?.[across]) };
      return {
        ...{ row: first.row + down, column: first.column + across },
        ...{ content, isAsBefore: heldBy(content) === "" },
      };
    }),
  );
}

/**
 * The cells of a loaded used range, counted from the range `within`, which begins in row `first` of the target. Default: the whole sheet.
 */
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

/** Queues the copying of cells. Copying a whole table with "All" would make a new table if the old one is gone. */
function queueCopy(to: Excel.Range, from: Excel.Range): void {
  to.copyFrom(from, "Formats");
  to.copyFrom(from, "Formulas");
}

/** A part of the target, in rows and columns. */
interface Part {
  row: number;
  column?: number | undefined;
  rows?: number | undefined;
  columns?: number | undefined;
}

const notFound =
  "Some of what had been written could not be found again, because cells were moved or cleared meanwhile.";

const isHeld = (one: ReadCell | undefined, other: ReadCell) =>
  one !== undefined && heldBy(one.content) === heldBy(other.content);

const placeOf = ({ row, column }: ReadCell) => `${row} ${column}`;

const typedThere = () => new Failure("cells-in-the-way");
