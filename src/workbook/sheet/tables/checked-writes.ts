import { config } from "../../../config";
import { Failure } from "../../../errors";
import { groupBy } from "../../../lists";
import { type CellContent, contentAfter, type Entry, entryOf, holds } from "../cells/cell-content";
import { replaceCells } from "../cells/replace-cells";
import { rowKey, rowsRead } from "../layout/row-keys";
import { wholeWebAddress } from "../values/web-address";
import { existingTable, readTableColumns } from "./bound-table";
import { cellsAtOnce } from "./target-place";

/** A place in a table's body that moves with its row and column. */
export interface KeyedPlace {
  /** The key of the row; see `rowKey`. */
  key: string;
  /** The index among the rows with this key; undefined for the first one whose cell holds the expected content. */
  nth: number | undefined;
  header: string;
}

/** A cell that was not restored, because somebody has changed it or its row can't be found. */
export interface PlaceLeft extends KeyedPlace {
  /** The content that was written to it. */
  written?: unknown;
}

/** A write that is made only if the cell still holds the expected content. */
export interface CheckedWrite extends KeyedPlace {
  expected: Partial<CellContent>;
  put: Entry;
}

/** A table whose rows are recognized by the values in the columns `ids`. */
export interface KeyedTable {
  context: Excel.RequestContext;
  tableId: string;
  ids: readonly string[];
  /** Texts that were taken from their cells and must be put back. An entry is removed when its texts are back. */
  displaced: Map<object, readonly unknown[]>;
}

export interface CheckedWriter {
  /**
   * Writes each cell that still holds the expected content. Cells whose row or column is gone are skipped. Fails with cancelled between two
   * requests; the writes made until then can be undone. It can be called again after a failure.
   */
  write(writes: readonly CheckedWrite[], options?: CheckedWriteOptions): Promise<void>;
  /** Writes that were not made, because somebody has changed the cell since it was read. */
  changedByOthers(): readonly CheckedWrite[];
  /** True for a write that was made and not undone. */
  isMade(write: CheckedWrite): boolean;
  /** Gives each cell that still holds what was written its earlier content. Returns the other cells. */
  takeBack(): Promise<PlaceLeft[]>;
}

export interface CheckedWriteOptions {
  signal?: AbortSignal | undefined;
  /** Called after each request with the number of cells that are written. */
  onWritten?: ((cells: number) => void) | undefined;
}

/** A write, with the row of the table's body where its cell was when the table was read. */
interface Candidate {
  write: CheckedWrite;
  row: number;
  /** The content of the cell at that time. */
  content?: CellContent | undefined;
}

/**
 * The cells of a column that one request has written to. Excel moves the range along when rows or columns are inserted or deleted
 * (Range.track).
 */
type WrittenCells = () => Excel.Range | undefined;

/** A limit on the tries. Rows may move while misplaced writes are undone, but hardly this often. */
const mostTries = 10;

/**
 * Writes into the cells of a table, each found by its row's key (from the columns `ids`) and its column's header. Somebody may type, sort,
 * insert or delete between any two requests. Excel carries out the steps of a request in order, so each request that writes first reads the
 * keys and contents of the cells that it writes to. If it has met another row or another content, that cell's content is put back at once
 * in the same way, so no text is lost.
 */
export function createCheckedWriter({ context, tableId, ids, displaced }: KeyedTable): CheckedWriter {
  const made = new Map<CheckedWrite, Entry>();
  const changedByOthers: CheckedWrite[] = [];
  /** Writes that put other cells' contents back after a write has landed on them. `takeBack` tries failed ones again. */
  const owed = new Map<CheckedWrite, WrittenCells>();
  /** Texts that were written to their own place, by column. If such a text stands only once in the column, it is in its place. */
  const atHome = new Set<string>();
  /** Writes of a refused request that are in rows with other ids. */
  const strays: CheckedWrite[] = [];
  /** False if more addresses are written than a table may have links; they then stay plain texts. */
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
      isForward: false,
      onMade: settle,
      onChanged: settle,
      options: {},
    }).catch((thrown: unknown) => ({ thrown }));
    // The rows of the remaining writes have just got other ids, or the table no longer exists.
    for (const write of writes) {
      const cells = owed.get(write)?.();
      if (!cells || atHome.has(homeOf(write, write.expected))) continue;
      // The writes are made one by one, because Excel may refuse each of them.
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      if (await replaceWhereItStands(context, cells, write)) settle(write);
    }
    if (attempted && owed.size > 0) throw attempted.thrown;
  }

  /** Reads the contents of cells and the keys of their rows. With `isWriting`, it then writes to the cells in the same request. */
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

  /** Writes. If Excel refuses the request in the middle, it is read which writes were made. */
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
        // The row has other ids now, so its earlier content is not known.
        else if (!holds(before, put)) strays.push(write);
      });
      throw thrown;
    }
  }

  interface Attempt {
    /** False for writes that undo others. They are not remembered, and they go on after a cancel. */
    isForward: boolean;
    onMade?(write: CheckedWrite): void;
    onChanged(write: CheckedWrite): void;
    /** Called for cells whose row or column is not found. Default: they are skipped. */
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
          // A column or row that was deleted took the cell with it.
          if (content === undefined) continue;
          // Without columns of ids, rows can't be found by their keys.
          const place = { key: key ?? "", nth: isHere ? write.nth : undefined, header: write.header };
          misplaced.set({ ...place, expected: contentAfter(write.put), put: entryOf(content) }, cells);
        }
        await giveBack(misplaced);
        if (isForward) options.onWritten?.(made.size);
      }
      open = [...again].filter((write) => !settled.has(write));
    }
  }

  /** The rows that may hold the cells of these writes, and the keys of all rows. */
  async function locate(
    writes: readonly CheckedWrite[],
  ): Promise<{ candidates: Candidate[]; keys: ReadonlySet<string> }> {
    const columns = await readTableColumns(context, tableId, ids);
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
      // The row may still be there but can't be found, because somebody has typed over its id.
      const onGone = onLeft;
      await attempt([...writes.keys()], { isForward: false, onMade, onChanged: onLeft, onGone, options: {} });
      // All writes in their own places are undone now, so any text of them that is left stands elsewhere.
      await giveBack(new Map(owed));
      for (const write of owed.keys()) onLeft(write);
      for (const write of strays) onLeft({ ...write, expected: contentAfter(write.put) });
      return left;
    },
  };
}

/**
 * Rows that held all expected contents, one of them a text that is expected in no other row. Such a row is the right one even if somebody
 * has typed over its id during the request. A row with one of the `keys` is not: it is another row that has moved there.
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

/** The part of a column that holds some of the cells, as far as the table still has these rows. */
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

/** Queues a check of which cells are still in their rows and columns. Call the returned function after the request. */
export function queueStanding(
  table: Excel.Table,
  ids: readonly string[],
  cells: readonly ExpectedCell[],
): () => boolean[] {
  const keys = queueKeys(table, ids, cells);
  const header = table.getHeaderRowRange().load("values");
  return () => {
    const headers = (header.values[0] ?? []) as unknown[];
    return keys().map((key, index) => {
      const cell = cells[index];
      return cell !== undefined && key === cell.key && headers[cell.column] === cell.header;
    });
  };
}

/**
 * Queues the reading of rows' keys. Call the returned function after the sync. The key of a row that the table no longer has is undefined.
 */
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

/** Queues writes. The returned function gives the range that a write was made with. */
function queueWrites(
  table: Excel.Table,
  candidates: readonly Candidate[],
  mayLink: boolean,
): (candidate: Candidate) => Excel.Range | undefined {
  const parts = [...groupBy(candidates, ({ write }) => write.header)].map(([header, cells]) => {
    return { ...columnPart(table, header, cells), cells };
  });
  // The lowest row comes first: if the table has lost rows, Excel then refuses the request before it has written anything.
  for (const { first, last, range, cells } of parts.sort((one, other) => other.last - one.last)) {
    // Null leaves a cell as it is.
    const formats = Array.from({ length: last - first + 1 }, (): (string | null)[] => [null]);
    const values = Array.from({ length: last - first + 1 }, (): (Entry["value"] | null)[] => [null]);
    for (const { row, write } of cells) {
      formats[row - first] = [write.put.numberFormat];
      values[row - first] = [write.put.value];
    }
    // The format is set first, because Excel would turn texts that look like numbers or dates into them.
    range.numberFormat = formats;
    range.values = values;
    for (const { row, write, content } of cells)
      queueLink(() => range.getCell(row - first, 0), {
        before: content?.value,
        after: write.put.value,
        mayLink,
      });
  }
  return (candidate) => parts.find(({ cells }) => cells.includes(candidate))?.range;
}

/**
 * Queues the link of a cell, so that it leads where the new text says. Otherwise a link would stay on its cell whatever is written there.
 */
function queueLink(
  cell: () => Excel.Range,
  { before, after, mayLink }: { before: unknown; after: Entry["value"]; mayLink: boolean },
): void {
  const [linkBefore, link] = [before, after].map((value) => wholeWebAddress(String(value)));
  if (link !== undefined && mayLink) cell().hyperlink = { address: link, textToDisplay: String(after) };
  else if (linkBefore !== undefined) cell().clear("Hyperlinks");
}

/**
 * Writes into a cell wherever it is now, if exactly one cell of the column that was written to holds the expected content. Returns true if
 * it did.
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
          sheetId: sheet.id,
          ...place,
          before: [[{ content: now.value, numberFormat: now.numberFormat }]],
          after: [[{ content: put.value, numberFormat: put.numberFormat }]],
        },
      ],
      {},
    );
    return true;
  } catch {
    // The cell's earlier text is reported as lost.
    return false;
  }
}

/** The most rows without a write between two rows of a part. */
const mostGap = 20;

/**
 * An upper bound of a write's size: three bytes for a character in UTF-8, plus the step itself. A link is a separate step that repeats the
 * text.
 */
function writeBytes({ put: { value } }: CheckedWrite): number {
  const text = String(value);
  return text.length * 3 + 60 + (wholeWebAddress(text) === undefined ? 0 : text.length * 6 + linkBytes);
}

/** The bytes of the path to a link's cell and of the change itself. */
const linkBytes = 500;

/** Cuts writes into parts of nearby rows that are small enough for one request. */
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
