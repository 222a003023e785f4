import type { Client } from "../api/client";
import type { DocumentCache } from "../cache/answer-cache";
import { Failure, type FailureKind } from "../errors";
import type { Lookup } from "../lookup/lookup";
import type { Wanted } from "../lookup/plan";
import { readCollection } from "../lookup/read-collection";
import type { Cell } from "../sheet/cell-value";
import { noteText } from "../sheet/notes";
import type { CellUpdate, TableColumns } from "../sheet/import-table";
import { answerCell, type ColumnType, type PlannedColumn, type Published } from "../sheet/table-plan";
import type { Workbook } from "../sheet/workbook";
import type { RunOptions } from "./run-import";
import type { ImportRun, SavedImport } from "./saved-import";
import { cellKey, createSnapshots, type Known, type Snapshot } from "./snapshots";

/** A value that is not what it was. */
export interface ValueChange {
  ahj: { id: number; name: string };
  type: ColumnType;
  /** Of the value in the table's body. */
  place: { row: number; column: number };
  /** Null where there was none. Without a kept run it is what the cell showed, without a citation. */
  before: Known | null;
  /** Null where there is none any more. */
  after: Known | null;
}

/** What became of a refresh. */
export interface RefreshReport {
  changes: ValueChange[];
  /** AHJs that kept their last values, because the service does not give them to whoever refreshed. */
  notRefreshed: { ahjId: number; name: string; kind: FailureKind }[];
  /** Types that the service no longer knows: their columns kept their last values. */
  unknownTypes: ColumnType[];
  /** Columns of the import that are no longer in the table. */
  missingColumns: string[];
  /** Rows of the table that belong to no AHJ: the user's own. */
  ownRows: number;
  /** Notes that still name the source of the last value, because this Excel gives no way to change them. */
  notesLeft?: number | undefined;
}

export interface RefreshDoors {
  workbook: Pick<Workbook, "readColumns" | "updateCells">;
  client: Client;
  lookup: Lookup;
  documents: DocumentCache;
}

/** What the service says of an AHJ and type: null where there is no value, a Failure where it says nothing. */
type OutcomeOf = (ahjId: number, typeId: number) => Published | null | Failure;

/**
 * Asks again for what an import's table holds, and writes what differs into its cells. Rows are recognised by AHJ id,
 * columns by header, wherever they stand now; the user's own stay as they are. Fails with a Failure, the sheet as it
 * was.
 */
export async function refreshImport(
  saved: SavedImport,
  { workbook, client, lookup, documents }: RefreshDoors,
  options: RunOptions = {},
): Promise<{ run: ImportRun; report: RefreshReport }> {
  const headers = saved.columns.map(({ header }) => header);
  const table = await workbook.readColumns(saved.tableId, [...headers, saved.listHeader ?? ""]);
  const rows = rowsOf(saved, table);
  const cells = cellsOf(saved, table, rows);
  const wanted = new Map<number, Set<number>>();
  for (const { ahj, type } of cells) {
    const typeIds = wanted.get(ahj.id);
    if (typeIds) typeIds.add(type.id);
    else wanted.set(ahj.id, new Set([type.id]));
  }
  const outcomeOf = saved.collection
    ? await askCollection(saved.collection.id, wanted, client, options)
    : await askMatrix(wanted, lookup, options);

  const snapshots = createSnapshots(documents);
  const last = await snapshots.read(saved.id);
  const next: Snapshot = new Map();
  const report: RefreshReport = {
    changes: [],
    notRefreshed: [],
    unknownTypes: [],
    missingColumns: headers.filter((header) => !table.columns.has(header)),
    ownRows: table.rowCount - rows.length,
  };
  const notRefreshed = new Map<number, RefreshReport["notRefreshed"][number]>();
  const unknownTypes = new Map<number, ColumnType>();
  const updates: CellUpdate[] = [];
  for (const { ahj, type, part, place, shown } of cells) {
    const outcome = outcomeOf(ahj.id, type.id);
    if (outcome instanceof Failure) {
      if (outcome.kind === "unknown-type") unknownTypes.set(type.id, type);
      else notRefreshed.set(ahj.id, { ahjId: ahj.id, name: ahj.name, kind: outcome.kind });
      continue;
    }
    const key = cellKey(ahj.id, type.id);
    const before = last?.get(key);
    const isOther = before !== undefined && !isSame(before, outcome);
    const cell = answerCell(part, outcome, type);
    const isShown = shows(cell, shown);
    // A text may change where the number that it gives does not.
    if (!isShown || isOther) updates.push({ ...place, cell, note: noteFor(saved, part, outcome) });
    if (part !== "value") continue;
    next.set(key, outcome);
    if (isOther) report.changes.push({ ahj, type, place, before, after: outcome });
    else if (!isShown) report.changes.push({ ahj, type, place, before: asShown(shown), after: outcome });
  }
  report.notRefreshed = [...notRefreshed.values()];
  report.unknownTypes = [...unknownTypes.values()];
  await addDates(report.changes, lookup, options);

  await workbook.updateCells(saved.tableId, updates, {
    signal: options.signal,
    onNotesLeft: (notes) => (report.notesLeft = notes),
    onWritten: (done) => options.onProgress?.({ phase: "writing", done, total: updates.length }),
  });
  // What was not refreshed keeps what was known of it.
  snapshots.write(saved.id, new Map([...(last ?? []), ...next]));
  const values = [...next.values()].filter((published) => published !== null).length;
  return {
    run: { atMs: Date.now(), rows: rows.length, values, notRefreshed: notRefreshed.size },
    report,
  };
}

/** A row of the table that stands for an AHJ, and for a type where the table is long. */
interface TableRow {
  row: number;
  ahj: { id: number; name: string };
  typeId: number | null;
}

function rowsOf({ columns, form, listHeader }: SavedImport, table: TableColumns): TableRow[] {
  const valuesOf = (of: "ahj" | "type", field: "id" | "name") => {
    const column = columns.find(({ content }) => content.of === of && content.field === field);
    return column && table.columns.get(column.header)?.values;
  };
  const ids = valuesOf("ahj", "id");
  const typeIds = valuesOf("type", "id");
  if (!ids || (form.layout === "long" && !typeIds)) {
    throw new Failure("table-gone", {
      detail: "The column of ids, by which rows are recognised, is missing.",
    });
  }
  const names = valuesOf("ahj", "name") ?? table.columns.get(listHeader ?? "")?.values;
  return ids.flatMap((id, row) => {
    const typeId = typeIds ? idOf(typeIds[row]) : null;
    const ahjId = idOf(id);
    if (ahjId === null || (typeIds && typeId === null)) return [];
    return [{ row, ahj: { id: ahjId, name: String(names?.[row] ?? `AHJ ${ahjId}`) }, typeId }];
  });
}

function idOf(value: unknown): number | null {
  const id = typeof value === "number" ? value : typeof value === "string" ? Number(value) : NaN;
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** A cell of the table that holds a part of an answer. */
interface AnswerCellHere {
  ahj: TableRow["ahj"];
  type: ColumnType;
  part: "value" | "reference" | "section";
  place: { row: number; column: number };
  /** What the cell shows now. */
  shown: unknown;
}

function cellsOf({ columns, types }: SavedImport, table: TableColumns, rows: readonly TableRow[]) {
  const typeOf = new Map(types.map((type) => [type.id, type]));
  return columns.flatMap(({ header, content }: PlannedColumn): AnswerCellHere[] => {
    const here = table.columns.get(header);
    if (!here || content.of !== "answer") return [];
    const { part } = content;
    return rows.flatMap(({ row, ahj, typeId }) => {
      const type = typeOf.get(content.typeId ?? typeId ?? 0);
      if (!type) return [];
      return [{ ahj, type, part, place: { row, column: here.place }, shown: here.values[row] }];
    });
  });
}

async function askMatrix(wanted: Wanted, lookup: Lookup, options: RunOptions): Promise<OutcomeOf> {
  const total = [...wanted.values()].reduce((sum, typeIds) => sum + typeIds.size, 0);
  const answers = await lookup.answers.read(
    { values: wanted },
    {
      signal: options.signal,
      onWait: options.onWait,
      // Half a refresh would pass for a whole one.
      failFast: true,
      sinceMs: Date.now(),
      onProgress: (done) => options.onProgress?.({ phase: "fetching", done, total }),
    },
  );
  return (ahjId, typeId) => {
    const answer = answers.of(ahjId, typeId);
    if (!(answer instanceof Failure)) return answer.cell;
    if (answer.kind === "no-value") return null;
    if (!keptKinds.has(answer.kind)) throw answer;
    return answer;
  };
}

/** Where the service says nothing of an AHJ or a type, the last values stay. */
const keptKinds = new Set<FailureKind>([
  "outside-subscription",
  "maybe-outside-subscription",
  "unknown-jurisdiction",
  "unknown-type",
]);

async function askCollection(
  collectionId: string,
  wanted: Wanted,
  client: Client,
  { signal, onWait, onProgress }: RunOptions,
): Promise<OutcomeOf> {
  const { values, denialOf, missing } = await readCollection(collectionId, [...wanted.keys()], client, {
    signal,
    onWait,
    onValues: (done, total) => onProgress?.({ phase: "fetching", done, total }),
  });
  if (missing > 0) throw new Failure("unexpected-answer", { detail: "A list changed while it was read." });
  const fetchedAtMs = Date.now();
  const denials = new Map<number, Failure>();
  for (const ahjId of wanted.keys()) {
    const kind = denialOf(ahjId);
    if (kind) denials.set(ahjId, new Failure(kind));
  }
  return (ahjId, typeId) => {
    const found = values.get(ahjId)?.get(typeId);
    if (!found?.value) return denials.get(ahjId) ?? null;
    const { value, reference, section, updated_at: updatedAt } = found;
    return { value, reference, section, updatedAt, fetchedAtMs };
  };
}

function isSame(one: Known | null, other: Known | null): boolean {
  return (
    one?.value === other?.value && one?.reference === other?.reference && one?.section === other?.section
  );
}

/** A note that does not change with its cell would name the wrong source. */
function noteFor({ form }: SavedImport, part: AnswerCellHere["part"], outcome: Published | null) {
  if (!form.hasNotes || part !== "value") return undefined;
  return outcome && noteText(outcome);
}

/** Excel keeps a leading apostrophe to itself. */
function shows({ value }: Cell, shown: unknown): boolean {
  return shown === (typeof value === "string" ? value.replace(/^'/, "") : value);
}

function asShown(shown: unknown): Known | null {
  if (shown === "" || shown === undefined || shown === null) return null;
  return { value: String(shown), reference: null, section: null, updatedAt: null };
}

/** More changes than these are not asked about singly. */
const mostDated = 500;

/** A matrix does not tell when a value changed: of few changes it is asked. Who can't say it, says nothing. */
async function addDates(changes: ValueChange[], lookup: Lookup, { signal }: RunOptions): Promise<void> {
  const undated = changes.filter(({ after }) => after && after.updatedAt === null);
  if (undated.length === 0 || undated.length > mostDated) return;
  const dated = new Map<number, Set<number>>();
  for (const { ahj, type } of undated) dated.set(ahj.id, (dated.get(ahj.id) ?? new Set()).add(type.id));
  const answers = await lookup.answers.read({ values: new Map(), dated }, { signal });
  for (const change of undated) {
    const answer = answers.of(change.ahj.id, change.type.id);
    if (answer instanceof Failure || answer.cell.value !== change.after?.value) continue;
    change.after = { ...change.after, updatedAt: answer.cell.updatedAt };
  }
}
