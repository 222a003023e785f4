import { Failure, type FailureKind } from "../../../errors";
import { noteText } from "../../sheet/layout/note-text";
import {
  answerCell,
  createAnswerCells,
  type ColumnType,
  type Known,
  type Published,
  type RowAhj,
} from "../../sheet/layout/table-plan";
import type { TableCell } from "../../sheet/tables/bound-table";
import type { CellUpdate } from "../../sheet/tables/table-edit";
import type { Cell } from "../../sheet/values/cell-value";
import { type CellDigests, digestOf, editedDigest, noDigest, shownBy } from "../saved/cell-digests";
import { shownInCell, wordsOf } from "../../sheet/values/number-format";
import { answerKey, type AnswerPlace } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";
import { type Whose, whoseCell, type Witnesses } from "./whose-cell";

/** What the service says of an AHJ and type: null where there is no value, a Failure where it says nothing. */
export type OutcomeOf = (ahjId: number, typeId: number) => Published | null | Failure;

/** Of a city, the county where it is known. */
export type ChangedAhj = Pick<RowAhj, "id" | "name" | "state_code" | "geoid"> & {
  county?: string | undefined;
};

/** A value that is not what it was. */
export interface ValueChange {
  ahj: ChangedAhj;
  type: ColumnType;
  /** Of the value in the table's body. */
  place: TableCell;
  /** Null where there was none. Without a kept run it is what the cell showed, without a citation. */
  before: Known | null;
  /** Null where there is none any more. */
  after: Known | null;
  /** What the cell shows now, where `before` is what it showed: "TRUE" and "Not required" would not compare. */
  shownAfter?: string | undefined;
}

/** The texts before and after, both as published or both as the cell shows them. */
export function textsOf({
  before,
  after,
  shownAfter,
}: Pick<ValueChange, "after" | "shownAfter"> & { before: Known | null | undefined }): {
  before: string | null;
  after: string | null;
} {
  return { before: before?.value ?? null, after: after && (shownAfter ?? after.value) };
}

/** A cell that somebody has typed into, or cleared: it was left as it is. */
export interface EditedCell {
  ahj: ValueChange["ahj"];
  type: ColumnType;
  part: AnswerPlace["part"];
  place: TableCell;
  /** What the cell shows; "" where it is blank. */
  text: string;
  /** What the service says. */
  after: Known | null;
  /** What has the cell show that. */
  update: CellUpdate;
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
  edited: EditedCell[];
  /** Values that were replaced, though nobody knows whether those before were the service's. */
  unsure: ValueChange[];
  /** Cells of which the service said what they are to show. */
  confirmed: number;
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

/** What a comparison goes by, and what becomes of cells that somebody has typed into. */
export interface Comparison extends Witnesses {
  /** They are left as they are. */
  keepsEdits: boolean;
  /** Gets the digests of all cells, before and after the updates. */
  written: CellDigests;
}

/** Compares the cells that are there with what the service says. Pauses after each. */
export function* compareAnswers(
  { form }: Pick<SavedImport, "form">,
  places: Iterable<AnswerPlace>,
  outcomeOf: OutcomeOf,
  { keepsEdits, written, ...witnesses }: Comparison,
): Generator<void, Compared> {
  const changes: ValueChange[] = [];
  const edited: EditedCell[] = [];
  const unsure: ValueChange[] = [];
  const notRefreshed = new Map<number, NotRefreshed>();
  const unknownTypes = new Map<number, ColumnType>();
  const updates: CellUpdate[] = [];
  const noted: string[] = [];
  const replaced: ReplacedText[] = [];
  let values = 0;
  let confirmed = 0;
  const how = { form, cellOf: createAnswerCells() };
  for (const answerPlace of places) {
    yield;
    const { ahj, type, part, place, shown } = answerPlace;
    const outcome = outcomeOf(ahj.id, type.id);
    const doesShowKnown = (known: Known | null) => doesShow(known, part, type, shown?.value);
    if (outcome instanceof Failure) {
      if (outcome.kind === "unknown-type") unknownTypes.set(type.id, type);
      else noteNotRefreshed(notRefreshed, ahj, outcome.kind, part === "value" && shown ? place : undefined);
      if (shown) noteDigests(written, answerPlace, () => whoseCell(answerPlace, witnesses, doesShowKnown));
      continue;
    }
    confirmed += 1;
    const known = witnesses.last?.get(ahj.id, type.id);
    const { isShown, isOther, update } = compareCell(how, answerPlace, outcome, known);
    const whose = isShown || !shown ? "service" : whoseCell(answerPlace, witnesses, doesShowKnown);
    const isKept = whose === "somebody" && keepsEdits;
    noteDigests(written, answerPlace, () => whose, isKept ? undefined : update?.cell);
    // Where the column's header names the unit, the cell does not.
    const unit = answerPlace.numberFormat ? type.unit_of_measure : null;
    const typed = whose === "service" || isKept ? null : asShown(shown, unit);
    if (update && !isKept) {
      updates.push(typed ? { ...update, typed: typed.value } : update);
      if (update.note !== undefined) noted.push(answerKey(ahj.id, type.id));
    }
    if (outcome && part === "value") values += 1;
    // What a new column shows was asked to come, and is no news.
    if (shown === undefined) continue;
    if (update && isKept)
      edited.push({ ahj, type, part, place, text: String(shown.value), after: outcome, update });
    if (part !== "value") {
      // A text that somebody typed over the answer is lost with the update, so the report names it.
      if (typed) replaced.push({ place, text: typed.value });
      continue;
    }
    const change = { ahj, type, place, after: outcome };
    const shownAfter = update ? asShown(update.cell, unit)?.value : undefined;
    if (typed) unsure.push({ ...change, before: typed, shownAfter });
    else if (isKept) {
      // What the service says is news all the same.
      if (isOther) changes.push({ ...change, before: known ?? null });
    } else if (isOther || !isShown) {
      const isKnownShown = isShown || (known !== undefined && doesShowKnown(known));
      if (isKnownShown) changes.push({ ...change, before: known ?? null });
      else changes.push({ ...change, before: asShown(shown, unit), shownAfter });
    }
  }
  return {
    ...{ changes, edited, unsure, confirmed, notRefreshed, updates, noted, values, replaced },
    unknownTypes: [...unknownTypes.values()],
  };
}

/** Notes what a cell shows, and what it will show. A row that stands in the table twice has the digests of the service's text. */
function noteDigests(
  written: CellDigests,
  { ahj, type, part, shown }: AnswerPlace,
  whose: () => Whose,
  put?: Cell,
): void {
  const key = { ahjId: ahj.id, typeId: type.id, part };
  if (!written.hasRoomFor(key)) return;
  const owner = whose();
  if (owner !== "service" && written.has(key)) return;
  const isService = owner === "service";
  const before = isService
    ? digestOf(key, shown?.value ?? "")
    : owner === "somebody"
      ? editedDigest
      : noDigest;
  written.set(key, before, put ? digestOf(key, shownBy(put)) : before);
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

/** Whether a cell shows what was written. */
export function shows(cell: Cell, shown: unknown): boolean {
  return shown === shownBy(cell);
}

/** What a cell shows, without a citation; null where it is blank. `unit`: see `shownInCell`. */
export function asShown(shown: AnswerPlace["shown"], unit: string | null = null): Known | null {
  if (shown === undefined || shown.value === "" || shown.value === null || shown.value === undefined)
    return null;
  const value = shownInCell(shown.value, shown.numberFormat, unit);
  return { value, reference: null, section: null, updatedAt: null };
}
