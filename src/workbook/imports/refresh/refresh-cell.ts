import { Failure } from "../../../errors";
import type { FoundAnswer } from "../../../engine/lookup/answers/answers";
import type { Lookup } from "../../../engine/lookup/lookup";
import type { ExchangeOptions } from "../../../engine/transport/exchange";
import type { Published } from "../../sheet/layout/table-plan";
import { rowsRead } from "../../sheet/tables/bound-table";
import { answerPlaces, idHeaders, importRows } from "../saved/import-rows";
import { asShown, compareCell, isSame, type RefreshDoors } from "./refresh";
import { rowsOfOthers } from "./list-entry";
import type { SavedImport } from "../saved/saved-import";
import { answerKey, createSnapshots, type Known } from "../saved/snapshots";

/** The ids of an AHJ and a type. */
export interface Answered {
  ahjId: number;
  typeId: number;
}

/** What asking anew has brought; null where there is no value, undefined where it was not known before. */
export interface AnswerChange {
  before: Known | null | undefined;
  after: Known | null;
}

/**
 * Asks the service for one answer, whatever is kept: one request. `before` is what was known of it; where that has the
 * date of its last change, the new one has it, too. Fails with why there is no answer; a limit that is used up is not
 * waited for.
 */
export async function askAnew(
  { ahjId, typeId }: Answered,
  before: FoundAnswer | Failure | null,
  { answers }: Pick<Lookup, "answers">,
  { signal }: Pick<ExchangeOptions, "signal"> = {},
): Promise<Published | null> {
  const wanted = new Map([[ahjId, new Set([typeId])]]);
  const isDated = !(before instanceof Failure) && before !== null && before.cell.updatedAt !== null;
  const nowMs = Date.now();
  const read = await answers.read(isDated ? { values: new Map(), dated: wanted } : { values: wanted }, {
    signal,
    urgent: true,
    sinceMs: nowMs,
    giveUpAtMs: nowMs,
  });
  const answer = read.of(ahjId, typeId);
  if (!(answer instanceof Failure)) return answer.cell;
  if (answer.kind === "no-value") return null;
  throw answer;
}

/** What became of an answer that was asked anew. */
export function changeOf(before: FoundAnswer | Failure | null, after: Known | null): AnswerChange {
  if (before === null) return { before: undefined, after };
  if (!(before instanceof Failure)) return { before: before.cell, after };
  return { before: before.kind === "no-value" ? null : undefined, after };
}

/** Whether it is the same, as far as it was known. */
export function isUnchanged({ before, after }: AnswerChange): boolean {
  return before !== undefined && isSame(before, after);
}

/**
 * Asks anew for one answer of an import, and writes what differs into the cells that show it, in whichever rows of its
 * table they stand now. Fails with a Failure, the sheet as it was.
 */
export async function refreshCell(
  saved: SavedImport,
  asked: Answered,
  before: FoundAnswer | Failure | null,
  { tables, lookup, documents }: Omit<RefreshDoors, "client">,
  {
    onWriting,
    onWritten,
    ...options
  }: Pick<ExchangeOptions, "signal"> & {
    /** Awaited right before the first write; should it fail, nothing is written. */
    onWriting?: (() => Promise<void>) | undefined;
    /** Awaited when the sheet is written, before this device keeps what was published. */
    onWritten?: (() => Promise<void>) | undefined;
  } = {},
): Promise<AnswerChange> {
  const { ahjId, typeId } = asked;
  await tables.mayWrite(saved.tableId);
  const after = await askAnew(asked, before, lookup, options);
  const part: SavedImport = {
    ...saved,
    types: saved.types.filter(({ id }) => id === typeId),
    columns: saved.columns.filter(
      ({ content }) => content.of !== "answer" || content.typeId === null || content.typeId === typeId,
    ),
  };
  const columns = part.columns.map(({ header }) => header);
  const table = await tables.read(saved.tableId, [...columns, saved.listHeader ?? ""]);
  const rows = importRows(part, table).filter(({ ahj }) => ahj.id === ahjId);
  const others = rowsOfOthers(saved, table, rows, lookup.directory);
  const cells = answerPlaces(
    part,
    table,
    rows.filter(({ row }) => !others.has(row)),
  );
  const snapshots = createSnapshots(documents);
  const last = await snapshots.read(saved.id);
  const key = answerKey(ahjId, typeId);
  const compared = cells.map((cell) => ({ ...cell, ...compareCell(saved, cell, after, last?.get(key)) }));
  const updates = compared.flatMap(({ update }) => update ?? []);
  const read = rowsRead(table, idHeaders(part));
  if (updates.length > 0) await onWriting?.();
  let notesLeft = 0;
  const { changedCells } = await tables.edit(
    saved.tableId,
    { read, columns, updates, newRows: [], newColumns: [], goneColumns: [] },
    { ...options, onNotesLeft: (notes) => (notesLeft = notes) },
  );
  if (changedCells.length > 0) {
    throw new Failure("sheet-refused", {
      detail: "Somebody has changed the cell meanwhile, and it was left as it is.",
      nextStep: "Refresh it again to replace what stands there.",
    });
  }
  await onWritten?.();
  if (last) {
    const now = new Map(last).set(key, after);
    // The next refresh writes the note.
    if (notesLeft > 0) now.delete(key);
    await snapshots.write(saved.id, now);
  }
  const change = changeOf(before, after);
  const typedOver = compared.find(({ part, isShown }) => part === "value" && !isShown);
  // What somebody typed over it is what was there before.
  return typedOver && isUnchanged(change) ? { before: asShown(typedOver.shown?.value), after } : change;
}
