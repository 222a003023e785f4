import { openCache } from "../../../src/engine/cache/cache";
import { createDisk } from "../../../src/engine/cache/store";
import { Failure, type FormulaFailureKind } from "../../../src/errors";
import {
  type RefreshDependencies,
  refreshImport,
  type RefreshOptions,
} from "../../../src/workbook/imports/refresh/refresh";
import type { SavedImport } from "../../../src/workbook/imports/saved/saved-import";
import { createSnapshots } from "../../../src/workbook/imports/saved/snapshots";
import type { Lookup } from "../../../src/engine/lookup/lookup";
import { rowsRead } from "../../../src/workbook/sheet/layout/row-keys";
import type { TableColumns } from "../../../src/workbook/sheet/tables/bound-table";
import type { EditOptions, TableEdit } from "../../../src/workbook/sheet/tables/table-edit";
import {
  plainForm,
  planTable,
  type RowAhj,
  type TableForm,
} from "../../../src/workbook/sheet/layout/table-plan";
import type { PublishedAnswer } from "../../../src/workbook/sheet/layout/answer-parts";
import { savedFees } from "./saved-fees";
import { type Answers, lastRun, toldBy } from "./last-run";
import { memoryBook } from "./memory-parts";

export const ahj = (id: number, name: string): RowAhj => ({
  id,
  name,
  type: "county",
  state_code: "CA",
  geoid: `0600${id}`,
});
export const fee = { id: 10, name: "Fee", unit_of_measure: "USD" };
export const rule = { id: 20, name: "Rule", unit_of_measure: "" };
export const published = (value: string, more: Partial<PublishedAnswer> = {}): PublishedAnswer => ({
  ...{ value, reference: "Code", section: "1", updatedAt: null, fetchedAtMs: 5 },
  ...more,
});

/** The played service's answers by "AHJ type". A pair that is missing here has no value. */
export type Said = Record<string, PublishedAnswer | FormulaFailureKind>;

/** A lookup that gives these answers, and the questions that it was asked. */
export function playLookup(
  said: Said,
  { dates = {}, who = [] }: { dates?: Said; who?: readonly RowAhj[] } = {},
) {
  const asked: { values: string[]; dated: string[]; ahjs: unknown[] } = { values: [], dated: [], ahjs: [] };
  const signals: unknown[] = [];
  const options: Record<string, unknown>[] = [];
  let recalls = 0;
  const keysOf = (wanted: ReadonlyMap<number, ReadonlySet<number>> = new Map()) =>
    [...wanted].flatMap(([ahjId, typeIds]) => [...typeIds].map((typeId) => `${ahjId} ${typeId}`));
  const lookup: Pick<Lookup, "answers" | "ask" | "catalogue" | "directory"> = {
    answers: {
      hold: () => ({ keep() {}, release() {} }),
      read: (work: Parameters<Lookup["answers"]["read"]>[0], given: { signal?: AbortSignal } = {}) => {
        const [values, dated] = [keysOf(work.values), keysOf(work.dated)];
        asked.values.push(...values);
        asked.dated.push(...dated);
        signals.push(given.signal);
        options.push({ ...given });
        const of = (ahjId: number, typeId: number) => {
          const key = `${ahjId} ${typeId}`;
          const answer = (dated.includes(key) ? (dates[key] ?? said[key]) : said[key]) ?? "no-value";
          return typeof answer === "string" ? new Failure(answer) : { cell: answer };
        };
        return Promise.resolve({ of });
      },
    } as unknown as Lookup["answers"],
    ask: (({ ahjs = [] }: { ahjs?: readonly unknown[] }, given: { signal?: AbortSignal } = {}) => {
      asked.ahjs.push(...ahjs);
      signals.push(given.signal);
      const found = ahjs.map(
        (id) => who.find((each) => each.id === id) ?? new Failure("unknown-jurisdiction"),
      );
      return Promise.resolve({ ahjs: found });
    }) as unknown as Lookup["ask"],
    // The directory knows no AHJ until it has read the cache.
    directory: {
      recall: () => Promise.resolve(void (recalls += 1)),
      byId: (id: number) => (recalls > 0 ? who.find((each) => each.id === id) : undefined),
      toldSince: () => undefined,
      resolved: () => undefined,
      known: () => (recalls > 0 ? who : []),
      // It is not certain which AHJ a name means.
      resolve: (names: readonly string[]) =>
        Promise.resolve(new Map(names.map((name) => [name, new Failure("ambiguous-jurisdiction")]))),
    } as unknown as Lookup["directory"],
    // Its answers describe no question.
    catalogue: { knownType: () => undefined, learn() {} } as unknown as Lookup["catalogue"],
  };
  return { lookup: lookup as Lookup, asked, signals, options, recalls: () => recalls };
}

interface SheetCell {
  value: unknown;
  numberFormat: string;
  note?: string | null | undefined;
}

/** An import of these answers, as it stands in a sheet in memory; `known` holds the answers that this device has kept of it. */
export async function playImport({
  ahjs,
  types = [fee, rule],
  form = plainForm,
  said,
  known,
}: {
  ahjs: readonly RowAhj[];
  types?: readonly (typeof fee)[];
  form?: TableForm;
  said: Said;
  known?: Answers;
}) {
  const of = (ahjId: number, typeId: number) => {
    const answer = said[`${ahjId} ${typeId}`] ?? "no-value";
    if (typeof answer === "object") return answer;
    return answer === "no-value" ? null : undefined;
  };
  const plan = planTable({ ahjs, types, of }, form);
  const saved = savedFees({
    form,
    columns: plan.columns,
    types: [...types],
    lastRun: { atMs: Date.parse("2026-01-02T00:00:00Z"), rows: 0, values: 0, notRefreshed: 0 },
  });
  // Excel hides a leading apostrophe.
  const asInSheet = (value: unknown) => (typeof value === "string" ? value.replace(/^'/, "") : value);
  const headers = plan.columns.map(({ header }) => header);
  const rows: Record<string, SheetCell>[] = plan.rows.map((row) =>
    Object.fromEntries(
      row.map(({ value, numberFormat }, at) => [
        headers[at] ?? "",
        { value: asInSheet(value), numberFormat },
      ]),
    ),
  );
  const edits: TableEdit[] = [];
  const reads: (readonly string[])[] = [];
  const { documents } = openCache(createDisk({}), "one");
  /** `documents` are this device's; with those of another device, the workbook is a colleague's. */
  const excel = { canNote: true, documents };
  const read = (wanted: readonly string[]): TableColumns => {
    const columns: TableColumns["columns"] = new Map();
    for (const header of headers.filter((each) => wanted.includes(each))) {
      const cells = rows.map((row) => row[header] ?? { value: "", numberFormat: "General" });
      columns.set(header, {
        values: cells.map(({ value }) => value),
        numberFormats: cells.map(({ numberFormat }) => numberFormat),
      });
    }
    return { rowCount: rows.length, headers: [...headers], columns };
  };
  const tables: RefreshDependencies["tables"] = {
    mayWrite: () => Promise.resolve(),
    read(_, wanted) {
      reads.push(wanted);
      return Promise.resolve(read(wanted));
    },
    edit: (_, edit, { onWritten, onNotesLeft }: EditOptions = {}) => {
      expectSameRows(edit);
      edits.push(edit);
      headers.push(...edit.newColumns);
      for (const ids of edit.newRows) {
        const cells = edit.read.ids.map((id, at) => [id, { value: ids[at] ?? "", numberFormat: "General" }]);
        rows.push(Object.fromEntries(cells) as Record<string, SheetCell>);
      }
      const notes = edit.updates.filter(({ note }) => note !== undefined);
      for (const { row, header, cell, note } of edit.updates) {
        const { value, numberFormat } = cell;
        const there = rows[row]?.[header];
        const noted = note === undefined || !excel.canNote ? there?.note : note;
        if (rows[row]) rows[row][header] = { value: asInSheet(value), numberFormat, note: noted };
      }
      if (edit.updates.length > 0) onWritten?.(edit.updates.length);
      if (notes.length > 0 && !excel.canNote) onNotesLeft?.(notes.length);
      return Promise.resolve({
        changedCells: [],
        missingCells: [],
        missingColumns: [],
        changedColumns: [],
        notesOfOthers: { kept: [], replaced: [] },
      });
    },
  };
  function expectSameRows({ read: given }: TableEdit) {
    const { keys } = rowsRead(read(given.ids), given.ids);
    if (keys.join() !== given.keys.join()) throw new Error("other rows than were read");
  }
  const refreshFrom = (
    { lookup }: ReturnType<typeof playLookup>,
    options?: RefreshOptions,
    changes: Partial<SavedImport> = {},
  ) => {
    // An import of a matrix asks only the lookup, so it needs no client.
    const client = undefined as unknown as RefreshDependencies["client"];
    const dependencies = {
      tables,
      client,
      lookup,
      documents: excel.documents,
      book,
      credentials: { baseUrl: saved.service },
    };
    return refreshImport({ ...saved, ...changes }, dependencies, options);
  };
  const { book, parts } = await memoryBook(saved);
  const snapshots = createSnapshots(documents);
  if (known) await snapshots.write(saved.id, lastRun(known));
  return {
    saved,
    tables,
    documents,
    book,
    parts,
    rows,
    headers,
    reads,
    edits,
    excel,
    /** The answers of the last run that this device has kept. */
    async kept() {
      const run = await snapshots.read(saved.id);
      return run && toldBy(run);
    },
    /** Deletes a column of the table. */
    cut: (header: string) => void headers.splice(headers.indexOf(header), 1),
    cell: (row: number, header: string) => rows[row]?.[header] ?? { value: undefined, numberFormat: "" },
    refreshFrom,
    /** Refreshes from a service that gives these answers by now. */
    refresh: (now: Said, options?: RefreshOptions) => refreshFrom(playLookup(now), options),
  };
}
