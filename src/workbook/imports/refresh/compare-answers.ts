import { Failure, type FailureKind } from "../../../errors";
import { noteText } from "../../sheet/layout/note-text";
import {
  answerCell,
  createAnswerCells,
  type ColumnType,
  type Known,
  type Published,
} from "../../sheet/layout/table-plan";
import type { TableCell } from "../../sheet/tables/bound-table";
import type { CellUpdate } from "../../sheet/tables/table-edit";
import type { Cell } from "../../sheet/values/cell-value";
import { wordsOf } from "../../sheet/values/number-format";
import { answerKey, type AnswerPlace } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";
import type { Snapshot } from "../saved/snapshots";

/** What the service says of an AHJ and type: null where there is no value, a Failure where it says nothing. */
export type OutcomeOf = (ahjId: number, typeId: number) => Published | null | Failure;

/** A value that is not what it was. */
export interface ValueChange {
  ahj: { id: number; name: string };
  type: ColumnType;
  /** Of the value in the table's body. */
  place: TableCell;
  /** Null where there was none. Without a kept run it is what the cell showed, without a citation. */
  before: Known | null;
  /** Null where there is none any more. */
  after: Known | null;
}

/** A text that stood in a cell of a citation and was nobody's answer: somebody had typed it there, and it was replaced. */
export interface ReplacedText {
  place: TableCell;
  text: string;
}

/** An AHJ that kept its last values, because the service does not give them to whoever refreshed. */
export interface NotRefreshed {
  ahjId: number;
  name: string;
  kind: FailureKind;
  /** Its values; none where it was to be added, and was not. */
  places: TableCell[];
}

/** How the cells of a table differ from what the service says. */
export interface Compared {
  changes: ValueChange[];
  /** By AHJ id. */
  notRefreshed: Map<number, NotRefreshed>;
  unknownTypes: ColumnType[];
  updates: CellUpdate[];
  /** The answers, by `answerKey`, whose notes are to be written. */
  noted: string[];
  /** Values that there are. */
  values: number;
  replaced: ReplacedText[];
}

/** Compares the cells that are there with what the service says. `last` is what it said the last time. Pauses after each. */
export function* compareAnswers(
  { form }: Pick<SavedImport, "form">,
  places: Iterable<AnswerPlace>,
  outcomeOf: OutcomeOf,
  last: Snapshot | undefined,
): Generator<void, Compared> {
  const changes: ValueChange[] = [];
  const notRefreshed = new Map<number, NotRefreshed>();
  const unknownTypes = new Map<number, ColumnType>();
  const updates: CellUpdate[] = [];
  const noted: string[] = [];
  const replaced: ReplacedText[] = [];
  let values = 0;
  const how = { form, cellOf: createAnswerCells() };
  for (const answerPlace of places) {
    yield;
    const { ahj, type, part, place, shown } = answerPlace;
    const outcome = outcomeOf(ahj.id, type.id);
    if (outcome instanceof Failure) {
      if (outcome.kind === "unknown-type") unknownTypes.set(type.id, type);
      else noteNotRefreshed(notRefreshed, ahj, outcome.kind, part === "value" && shown ? place : undefined);
      continue;
    }
    const known = last?.get(ahj.id, type.id);
    const { isShown, isOther, update } = compareCell(how, answerPlace, outcome, known);
    const isKnownShown =
      known !== undefined &&
      shown !== undefined &&
      (isOther ? doesShow(known, part, type, shown.value) : isShown);
    const typed = isShown || isKnownShown ? null : asShown(shown?.value);
    if (update) updates.push(typed ? { ...update, typed: typed.value } : update);
    if (update && update.note !== undefined) noted.push(answerKey(ahj.id, type.id));
    if (outcome && part === "value") values += 1;
    // What a new column shows was asked to come, and is no news.
    if (shown === undefined) continue;
    if (part !== "value") {
      // A text that somebody typed over the answer is lost with the update, so the report names it.
      if (typed) replaced.push({ place, text: typed.value });
      continue;
    }
    const before = isKnownShown || isShown ? (known ?? null) : typed;
    if (isOther || !isShown) changes.push({ ahj, type, place, before, after: outcome });
  }
  return {
    changes,
    notRefreshed,
    unknownTypes: [...unknownTypes.values()],
    updates,
    noted,
    values,
    replaced,
  };
}

/**
 * Whether a cell shows what was published, whether that is other than what was known, and what is to be written. Under a header
 * that names a unit, an amount in another one shows that: where the last run is not known, the cell's words tell.
 */
function compareCell(
  { form, cellOf }: Pick<SavedImport, "form"> & { cellOf: typeof answerCell },
  { part, type, place, shown, numberFormat: columnFormat }: AnswerPlace,
  outcome: Published | null,
  known: Known | null | undefined,
): { isShown: boolean; isOther: boolean; update: CellUpdate | null } {
  const isOther = known !== undefined && !isSame(known, outcome);
  const cell = cellOf(part, outcome, type, columnFormat);
  const mayHideUnit = known === undefined && Boolean(columnFormat) && typeof cell.value === "number";
  const isShown =
    shown !== undefined &&
    shows(cell, shown.value) &&
    (!mayHideUnit || wordsOf(shown.numberFormat) === wordsOf(cell.numberFormat));
  const note = noteFor({ form }, part, outcome);
  const lastNote = known === undefined ? undefined : noteFor({ form }, part, known);
  // A text may change where the number that it gives does not.
  if (!isShown || (isOther && part === "value"))
    return { isShown, isOther, update: { ...place, cell, note, lastNote, shown: shown?.value ?? "" } };
  // Nobody knows what the note names. A blank cell's may be the user's own.
  if (known !== undefined || !note) return { isShown, isOther, update: null };
  const numberFormat = typeof cell.value === "number" ? shown.numberFormat : cell.numberFormat;
  return {
    isShown,
    isOther,
    update: { ...place, cell: { ...cell, numberFormat }, note, shown: shown.value },
  };
}

/** Whether a cell shows a part of an answer that was known. */
export function doesShow(
  known: Known | null,
  part: AnswerPlace["part"],
  type: ColumnType,
  shown: unknown,
): boolean {
  return shows(answerCell(part, known, type), shown);
}

/** Adds an AHJ that keeps its last values, and the place of one of them. */
export function noteNotRefreshed(
  noted: Map<number, NotRefreshed>,
  { id, name }: { id: number; name: string },
  kind: FailureKind,
  place?: TableCell,
): void {
  const before = noted.get(id) ?? { ahjId: id, name, kind, places: [] };
  if (place) before.places.push(place);
  noted.set(id, before);
}

export function isSame(one: Known | null, other: Known | null): boolean {
  return (
    one?.value === other?.value && one?.reference === other?.reference && one?.section === other?.section
  );
}

/** A note that does not change with its cell would name the wrong source. */
export function noteFor(
  { form }: Pick<SavedImport, "form">,
  part: AnswerPlace["part"],
  outcome: Known | null,
) {
  if (!form.hasNotes || part !== "value") return undefined;
  return outcome && noteText(outcome);
}

/** Excel keeps a leading apostrophe to itself. */
export function shows({ value }: Cell, shown: unknown): boolean {
  return shown === (typeof value === "string" ? value.replace(/^'/, "") : value);
}

export function asShown(shown: unknown): Known | null {
  if (shown === "" || shown === undefined || shown === null) return null;
  return { value: String(shown), reference: null, section: null, updatedAt: null };
}
