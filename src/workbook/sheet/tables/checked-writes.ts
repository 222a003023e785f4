import { config } from "../../../config";
import { Failure } from "../../../errors";
import { groupBy } from "../../../lists";
import { type CellContent, contentAfter, type Entry, entryOf, holds } from "../cells/cell-content";
import { replaceCells } from "../cells/replace-cells";
import { rowKey, rowsRead } from "../layout/row-keys";
import { wholeWebAddress } from "../values/web-address";
import { existingTable, readColumns } from "./bound-table";
import { cellsAtOnce } from "./target-place";

/** A place in a table's body that moves with its row and column. */
export interface KeyedPlace {
  /** Tells the row apart: see `rowKey`. */
  key: string;
  /** Which of the rows with this key it is, from 0; undefined for the first whose cell holds what is expected. */
  nth: number | undefined;
  header: string;
}

/** A cell that was not taken back: somebody has changed it, or its row is not found any more. */
export interface PlaceLeft extends KeyedPlace {
  /** What was written to it. */
  written?: unknown;
}

/** A write that is made only if the cell still holds what is expected. */
export interface CheckedWrite extends KeyedPlace {
  expected: Partial<CellContent>;
  put: Entry;
}

/** A table whose rows are told apart by the columns `ids`. */
export interface KeyedTable {
  context: Excel.RequestContext;
  tableId: string;
  ids: readonly string[];
  /** Texts that were taken from their cells and are to come back. An entry goes when they are there again. */
  displaced: Map<object, readonly unknown[]>;
}

export interface CheckedWriter {
  /**
   * Writes each cell that still holds what is expected. Cells whose row or column is gone are passed over. Fails with
   * cancelled between two requests; what was written until then can be taken back. After a failure, it can be called again.
   */
  write(writes: readonly CheckedWrite[], options?: CheckedWriteOptions): Promise<void>;
  /** Cells that somebody has changed since they were read: they were left as they are. */
  changedByOthers(): readonly CheckedWrite[];
  /** True of a write that was made and not taken back. */
  isMade(write: CheckedWrite): boolean;
  /** Gives each cell that still holds what was written its former content; the others are told. */
  takeBack(): Promise<PlaceLeft[]>;
}

export interface CheckedWriteOptions {
  signal?: AbortSignal | undefined;
  /** Told after each request how many cells are written. */
  onWritten?: ((cells: number) => void) | undefined;
}

/** A write, and the row of the table's body where its cell stood when that was read. */
interface Candidate {
  write: CheckedWrite;
  row: number;
  /** What the cell held then. */
  content?: CellContent | undefined;
}

/** Cells of a column that one request has written to: they follow what is inserted and deleted (Range.track). */
type WrittenCells = () => Excel.Range | undefined;

/** Rows may move while what landed elsewhere is taken back; after so many tries, something else is wrong. */
const mostTries = 10;

/**
 * Writes into the cells of a table, each found by its row's key (from the columns `ids`) and its column's header. People
 * type, sort, insert and delete between any two requests. So each request that writes first reads the keys and contents of
 * the cells that it writes to: Excel carries out the steps of a request in their order. A write that met another row, or
 * another content, is taken back at once in the same way, and no text is lost.
 */
export function createCheckedWriter({ context, tableId, ids, displaced }: KeyedTable): CheckedWriter {
  const made = new Map<CheckedWrite, Entry>();
  const changedByOthers: CheckedWrite[] = [];
  /** Writes that give others their own back, where a write landed on it. What fails is tried again by `takeBack`. */
  const owed = new Map<CheckedWrite, WrittenCells>();
  /** Texts that were put where they belong, by column: one that stands once stands there. */
  const atHome = new Set<string>();
  /** Writes of a refused request that stand in rows with other ids. */
  const strays: CheckedWrite[] = [];
  /** False while more addresses are written than a table has links for: they stay texts. */
  let mayLink = true;

  async function giveBack(misplaced: ReadonlyMap<CheckedWrite, WrittenCells>) {
    const writes = [...misplaced.keys()];
    for (const [write, cells] of misplaced) {
      owed.set(write, cells);
      const text = textOf(contentAfter(write.put));
      displaced.set(write, text === "" ? [] : [text]);
    }
    const settle = (write: CheckedWrite) => {
      owed.delete(write);
      displaced.delete(write);
    };
    // A cell that was changed once more meanwhile keeps its newest text.
    const attempted = await attempt(writes, {
      ...{ isForward: false, onMade: settle, onChanged: settle, options: {} },
    }).catch((thrown: unknown) => ({ thrown }));
    // The rows of the others have got other ids in this moment, or the table is none any more.
    for (const write of writes) {
      const cells = owed.get(write)?.();
      if (!cells || atHome.has(homeOf(write, write.expected))) continue;
      // One by one: each may be refused.
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      if (await replaceWhereItStands(context, cells, write)) settle(write);
    }
    if (attempted && owed.size > 0) throw attempted.thrown;
  }

  /** Reads what these cells hold, and in which rows they stand; with `isWriting`, writes to them after that. */
  async function request(table: Excel.Table, candidates: readonly Candidate[], isWriting: boolean) {
    const keys = queueKeys(table, ids, candidates);
    const contents = queueContents(table, candidates);
    const cellsOf = isWriting ? queueWrites(table, candidates, mayLink) : () => undefined;
    await context.sync();
    const [keysNow, contentsNow] = [keys(), contents()];
    return candidates.map((candidate, index) => ({
      ...candidate,
      isHere: keysNow[index] === candidate.write.key,
      key: keysNow[index],
      content: contentsNow[index],
      cells: () => cellsOf(candidate),
    }));
  }

  /** Should Excel refuse a request in its middle, what it has written is known all the same. */
  async function writeOrRemember(
    table: Excel.Table,
    fitting: readonly (Candidate & { content: CellContent })[],
    remember: (write: CheckedWrite, before: CellContent) => void,
  ) {
    try {
      return await request(table, fitting, true);
    } catch (thrown) {
      const now = await request(table, fitting, false).catch(() => []);
      now.forEach(({ write, isHere, content }, index) => {
        const before = fitting[index]?.content;
        const put = contentAfter(write.put);
        if (!content || !before || !holds(content, put)) return;
        if (isHere) remember(write, before);
        // The row has other ids by now: nobody can tell what stood there.
        else if (!holds(before, put)) strays.push(write);
      });
      throw thrown;
    }
  }

  interface Attempt {
    /** False: these writes take others back. They are not remembered, and go on after a cancel. */
    isForward: boolean;
    onMade?(write: CheckedWrite): void;
    onChanged(write: CheckedWrite): void;
    /** Told of cells whose row or column is not found. Default: they are passed over. */
    onGone?(write: CheckedWrite): void;
    options: CheckedWriteOptions;
  }

  async function attempt(
    wanted: readonly CheckedWrite[],
    { isForward, onMade, onChanged, onGone, options }: Attempt,
  ) {
    const remember = (write: CheckedWrite, before: CellContent) => {
      if (isForward) made.set(write, entryOf(before));
      atHome.delete(homeOf(write, before));
      atHome.add(homeOf(write, contentAfter(write.put)));
      onMade?.(write);
    };
    let open = wanted;
    for (let tries = 1; open.length > 0; tries += 1) {
      if (tries > mostTries) {
        const detail = "Rows or columns of the table kept moving while its cells were written.";
        throw new Failure("sheet-refused", { detail });
      }
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      const table = await existingTable(context, tableId);
      const again = new Set<CheckedWrite>();
      const settled = new Set<CheckedWrite>();
      const { candidates, keys } = await locate(open);
      const found = new Set(candidates.map(({ write }) => write));
      for (const write of open) if (!found.has(write)) onGone?.(write);
      for (const part of partsOf(candidates)) {
        if (isForward && options.signal?.aborted) throw new Failure("cancelled");
        const fitting: (Candidate & { content: CellContent })[] = [];
        for (const { write, row, isHere, content } of await request(table, part, false)) {
          if (settled.has(write)) continue;
          if (!isHere) again.add(write);
          else if (content && holds(content, write.expected)) {
            settled.add(write);
            fitting.push({ write, row, content });
          } else if (content && write.nth !== undefined) onChanged(write);
        }
        if (fitting.length === 0) continue;
        const misplaced = new Map<CheckedWrite, WrittenCells>();
        const outcomes = await writeOrRemember(table, fitting, remember);
        const known = isForward ? new Set<number>() : rowsKnownByTexts(outcomes, keys);
        for (const { write, row, key, content, cells, ...outcome } of outcomes) {
          const isHere = outcome.isHere || known.has(row);
          const isExpected = isHere && content !== undefined && holds(content, write.expected);
          if (isExpected) {
            remember(write, content);
            continue;
          }
          if (!isHere) {
            settled.delete(write);
            again.add(write);
          } else if (content) onChanged(write);
          // A row or column that is gone took the cell with it.
          if (content === undefined) continue;
          // Without columns of ids, no row is found by its key.
          const place = { key: key ?? "", nth: isHere ? write.nth : undefined, header: write.header };
          misplaced.set({ ...place, expected: contentAfter(write.put), put: entryOf(content) }, cells);
        }
        await giveBack(misplaced);
        if (isForward) options.onWritten?.(made.size);
      }
      open = [...again].filter((write) => !settled.has(write));
    }
  }

  /** The rows where the cells of these writes may stand, and the keys of all rows. */
  async function locate(
    writes: readonly CheckedWrite[],
  ): Promise<{ candidates: Candidate[]; keys: ReadonlySet<string> }> {
    const columns = await readColumns(context, tableId, ids);
    const there = new Set(columns.headers);
    const { keys } = rowsRead(columns, ids);
    const rowsOf = groupBy([...keys.entries()], ([, key]) => key);
    const candidates = writes.flatMap((write) => {
      const rows = there.has(write.header) ? (rowsOf.get(write.key) ?? []) : [];
      const wanted = write.nth === undefined ? rows : rows.slice(write.nth, write.nth + 1);
      return wanted.map(([row]) => ({ write, row }));
    });
    return { candidates, keys: new Set(keys) };
  }

  return {
    write(writes, options = {}) {
      const addresses = writes.filter(({ put }) => wholeWebAddress(String(put.value)) !== undefined);
      mayLink = addresses.length <= config.mostLinks;
      return attempt(writes, {
        isForward: true,
        onChanged: (write) => changedByOthers.push(write),
        options,
      });
    },
    changedByOthers: () => changedByOthers,
    isMade: (write) => made.has(write),
    async takeBack() {
      const left: PlaceLeft[] = [];
      const writes = new Map(
        [...made]
          .reverse()
          .map(([write, before]) => [{ ...write, expected: contentAfter(write.put), put: before }, write]),
      );
      const onLeft = ({ key, nth, header, expected }: CheckedWrite) =>
        left.push({ key, nth, header, written: textOf(expected) });
      const onMade = (back: CheckedWrite) => {
        const write = writes.get(back);
        if (write) made.delete(write);
      };
      // A row may be there, but not be found any more: somebody has typed over its id.
      const onGone = onLeft;
      await attempt([...writes.keys()], { isForward: false, onMade, onChanged: onLeft, onGone, options: {} });
      // Now what was written in its own place is gone: what is left of it stands elsewhere.
      await giveBack(new Map(owed));
      for (const write of owed.keys()) onLeft(write);
      for (const write of strays) onLeft({ ...write, expected: contentAfter(write.put) });
      return left;
    },
  };
}

/**
 * Rows that still hold all that was expected in them, with a text that is expected in no other row. Such a row is the one that is
 * meant, though somebody has typed over its id in the moment of the request; but not a row with one of the `keys`, which is another's
 * that has moved there.
 */
function rowsKnownByTexts(
  outcomes: readonly (Candidate & { key: string | undefined; content: CellContent | undefined })[],
  keys: ReadonlySet<string>,
) {
  const counts = new Map<string, number>();
  const home = ({ write }: Candidate) => homeOf(write, write.expected);
  for (const one of outcomes) counts.set(home(one), (counts.get(home(one)) ?? 0) + 1);
  const isDistinct = (one: Candidate) => textOf(one.write.expected) !== "" && counts.get(home(one)) === 1;
  const rows = groupBy(outcomes, ({ row }) => row);
  const isKnown = (cells: typeof outcomes) =>
    cells.every(({ key }) => key === undefined || !keys.has(key)) &&
    cells.some(isDistinct) &&
    cells.every(({ write, content }) => content !== undefined && holds(content, write.expected));
  return new Set([...rows].flatMap(([row, cells]) => (isKnown(cells) ? [row] : [])));
}

const textOf = ({ formula, value }: Partial<CellContent>) => formula ?? value;

const homeOf = ({ header }: KeyedPlace, content: Partial<CellContent>) =>
  JSON.stringify([header, textOf(content)]);

/** A part of a column that some of the cells stand in, as far as the table still has these rows. */
function columnPart(table: Excel.Table, header: string, candidates: readonly Pick<Candidate, "row">[]) {
  const rows = candidates.map(({ row }) => row);
  const first = rows.reduce((a, b) => Math.min(a, b));
  const last = rows.reduce((a, b) => Math.max(a, b));
  const column = table.columns.getItemOrNullObject(header).getDataBodyRange();
  const wanted = column.getCell(first, 0).getAbsoluteResizedRange(last - first + 1, 1);
  return { first, last, range: column.getIntersectionOrNullObject(wanted) };
}

/** A cell of a table's body, with the key of its row and the header of its column. */
export interface ExpectedCell {
  row: number;
  column: number;
  key: string | undefined;
  header: string;
}

/** Whether the cell that is meant stands in a place, and which cell does: its row's key and its column's header. */
export interface Standing {
  isHere: boolean;
  which: string;
}

/** Queues a look at whether cells still stand in their rows and columns. The result is called after the sync. */
export function queueStanding(
  table: Excel.Table,
  ids: readonly string[],
  cells: readonly ExpectedCell[],
): () => Standing[] {
  const keys = queueKeys(table, ids, cells);
  const header = table.getHeaderRowRange().load("values");
  return () => {
    const headers = (header.values[0] ?? []) as unknown[];
    return keys().map((key, index) => {
      const cell = cells[index];
      const header = cell && headers[cell.column];
      return { isHere: key === cell?.key && header === cell?.header, which: JSON.stringify([key, header]) };
    });
  };
}

/** Queues the reading of rows' keys; the result is called after the sync. A row that the table no longer has has none. */
function queueKeys(
  table: Excel.Table,
  ids: readonly string[],
  candidates: readonly Pick<Candidate, "row">[],
): () => (string | undefined)[] {
  const columns = ids.map((header) => {
    const { first, range } = columnPart(table, header, candidates);
    return { first, range: range.load("values") };
  });
  return () =>
    candidates.map(({ row }) => {
      const values = columns.map(({ first, range }) =>
        range.isNullObject ? undefined : (range.values[row - first] as unknown[] | undefined),
      );
      return values.every((value) => value === undefined)
        ? undefined
        : rowKey(values.map((value) => value?.[0]));
    });
}

function queueContents(table: Excel.Table, candidates: readonly Candidate[]) {
  const parts = new Map(
    [...groupBy(candidates, ({ write }) => write.header)].map(([header, cells]) => {
      const { first, range } = columnPart(table, header, cells);
      return [header, { first, range: range.load("values,formulas,numberFormat") }];
    }),
  );
  return () =>
    candidates.map(({ row, write }): CellContent | undefined => {
      const { first = 0, range } = parts.get(write.header) ?? {};
      if (!range || range.isNullObject || range.values[row - first] === undefined) return undefined;
      const [value, formula, numberFormat] = [range.values, range.formulas, range.numberFormat].map(
        (rows: unknown[][]) => rows[row - first]?.[0],
      );
      return { value, formula, numberFormat: String(numberFormat) };
    });
}

/** Queues writes. The result gives the cells that one was written with. */
function queueWrites(
  table: Excel.Table,
  candidates: readonly Candidate[],
  mayLink: boolean,
): (candidate: Candidate) => Excel.Range | undefined {
  const parts = [...groupBy(candidates, ({ write }) => write.header)].map(([header, cells]) => {
    return { ...columnPart(table, header, cells), cells };
  });
  // The lowest row first: if the table has lost rows, Excel refuses the request before it has written anything.
  for (const { first, last, range, cells } of parts.sort((one, other) => other.last - one.last)) {
    // Null leaves a cell as it is.
    const formats = Array.from({ length: last - first + 1 }, (): (string | null)[] => [null]);
    const values = Array.from({ length: last - first + 1 }, (): (Entry["value"] | null)[] => [null]);
    for (const { row, write } of cells) {
      formats[row - first] = [write.put.numberFormat];
      values[row - first] = [write.put.value];
    }
    // The format first: Excel would make numbers and dates of texts that look like them.
    range.numberFormat = formats;
    range.values = values;
    for (const { row, write, content } of cells)
      queueLink(() => range.getCell(row - first, 0), {
        ...{ before: content?.value, after: write.put.value, mayLink },
      });
  }
  return (candidate) => parts.find(({ cells }) => cells.includes(candidate))?.range;
}

/** Queues that a cell leads where its text says: a link stays on its cell, whatever is written there. */
function queueLink(
  cell: () => Excel.Range,
  { before, after, mayLink }: { before: unknown; after: Entry["value"]; mayLink: boolean },
): void {
  const [linkBefore, link] = [before, after].map((value) => wholeWebAddress(String(value)));
  if (link !== undefined && mayLink) cell().hyperlink = { address: link, textToDisplay: String(after) };
  else if (linkBefore !== undefined) cell().clear("Hyperlinks");
}

/**
 * Writes into a cell wherever it stands by now, if it alone of the column that it was written into holds what is expected. Says
 * whether it did.
 */
async function replaceWhereItStands(
  context: Excel.RequestContext,
  range: Excel.Range,
  { expected, put }: Pick<CheckedWrite, "expected" | "put">,
): Promise<boolean> {
  const sheet = range.worksheet.load("id");
  range.load("columnIndex");
  try {
    await context.sync();
    const { columnIndex } = range;
    const whole = sheet.getRangeByIndexes(0, columnIndex, config.sheetRows, 1);
    const column = whole.getUsedRangeOrNullObject(true).load("rowIndex,rowCount");
    await context.sync();
    if (column.isNullObject || column.rowCount > cellsAtOnce) return false;
    column.load("values,formulas,numberFormat");
    await context.sync();
    const there = column.values.flatMap(([value]: unknown[], row) => {
      const formula = column.formulas[row]?.[0] as unknown;
      const content = { value, formula, numberFormat: String(column.numberFormat[row]?.[0]) };
      return value !== "" && holds(content, expected) ? [{ row, content }] : [];
    });
    const [cell, ...more] = there;
    if (!cell || more.length > 0) return false;
    const now = entryOf(cell.content);
    const place = { row: column.rowIndex + cell.row, column: columnIndex, rows: 1, columns: 1 };
    await replaceCells(
      context,
      [
        {
          ...{ sheetId: sheet.id, ...place },
          before: [[{ content: now.value, numberFormat: now.numberFormat }]],
          after: [[{ content: put.value, numberFormat: put.numberFormat }]],
        },
      ],
      {},
    );
    return true;
  } catch {
    // What stood there is named as lost.
    return false;
  }
}

/** How many rows without a write a part may span. */
const mostGap = 20;

/** Up to three bytes a character in UTF-8, and what goes with it; a link is a step of its own with its text once more. */
function writeBytes({ put: { value } }: CheckedWrite): number {
  const text = String(value);
  return text.length * 3 + 60 + (wholeWebAddress(text) === undefined ? 0 : text.length * 6 + linkBytes);
}

/** The way to a link's cell, and the change. */
const linkBytes = 500;

/** Cuts writes into parts by rows: near each other, and small enough for one request. */
function partsOf(candidates: readonly Candidate[]): Candidate[][] {
  const byRow = groupBy(candidates, ({ row }) => row);
  const parts: Candidate[][] = [];
  let bytes = 0;
  let last = -Infinity;
  for (const [row, cells] of [...byRow].sort(([one], [other]) => one - other)) {
    const size = cells.reduce((sum, { write }) => sum + writeBytes(write), 0);
    bytes += size;
    const part = parts.at(-1);
    if (part && row - last <= mostGap && bytes <= config.writeBytes) part.push(...cells);
    else {
      parts.push([...cells]);
      bytes = size;
    }
    last = row;
  }
  return parts;
}
