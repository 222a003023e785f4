import { aboutOf } from "../../../engine/absence";
import { Failure, type FailureKind } from "../../../errors";
import { isNoValue } from "../../sheet/layout/no-value";
import { noteText } from "../../sheet/layout/note-text";
import {
  answerCell,
  type AnswerCells,
  type ColumnType,
  createAnswerCells,
  plainForm,
  type RowAhj,
} from "../../sheet/layout/table-plan";
import { contentParts, type Known, type PublishedAnswer } from "../../sheet/layout/answer-parts";
import type { TableCell } from "../../sheet/tables/bound-table";
import type { CellUpdate } from "../../sheet/tables/table-edit";
import { blankCell, type FormattedCell, textCell } from "../../sheet/values/cell-value";
import {
  type CellDigests,
  serviceCellKey,
  digestOf,
  editedDigest,
  noDigest,
  shownBy,
} from "../saved/cell-digests";
import { otherUnit, shownInCell } from "../../sheet/values/shown-number";
import { answerKey, type ServicePlace } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";
import { type FactOf, told } from "./ahj-facts";
import { type Whose, whoseCell, type Witnesses } from "./whose-cell";

/** The service's answer for an AHJ and a type: null if no value is recorded, a Failure if the service gives no answer. */
export type OutcomeOf = (ahjId: number, typeId: number) => PublishedAnswer | null | Failure;

/** An AHJ of a change; cities also have their county if it is known. */
export type ChangedAhj = Pick<RowAhj, "id" | "name" | "state_code" | "geoid"> & {
  county?: string | undefined;
};

/** A value, or what describes a jurisdiction, that differs from the one before. */
export interface ValueChange {
  ahj: ChangedAhj;
  /** Null if the cell describes its jurisdiction. */
  type: ColumnType | null;
  /** The cell in the table's body. */
  place: TableCell;
  /**
   * The earlier value; null if there was none. If this device has not kept the last run, it is the text that the cell showed, without a
   * citation.
   */
  before: Known | null;
  /** The present value; null if there is none any more. */
  after: Known | null;
  /**
   * The text that the cell shows now. Set if `before` is also a text as shown, since a published "Not required" does not compare with a
   * shown "TRUE".
   */
  shownAfter?: string | undefined;
}

/** The texts before and after: both as published, or both as the cell shows them. */
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

/** The name of what a cell shows: the question, or the header of a column that describes jurisdictions. */
export function subjectOf({ type, place }: Pick<ValueChange, "type" | "place">): string {
  return type?.name ?? place.header;
}

/** A cell that somebody has typed into or cleared. It was left as it is. */
export interface EditedCell {
  ahj: ValueChange["ahj"];
  type: ValueChange["type"];
  part: ServicePlace["part"];
  place: TableCell;
  /** The text that the cell shows; "" if it is blank. */
  text: string;
  /** The formula by which it shows that, if somebody has typed one. */
  formula?: string | undefined;
  /** The service's answer; null if no value is recorded. */
  after: Known | null;
  /** The service's answer before, if it is known and another one; null if no value was recorded. */
  before?: Known | null | undefined;
  /** True if the service's answer is another one than the last that the cell was given. */
  isChanged: boolean;
  /** The update that would make the cell show the service's answer. */
  update: CellUpdate;
}

/** The update that puts the service's answer into an edited cell; a failure names the text if that can't be put back. */
export function updateOver({ update, formula, text }: EditedCell): CellUpdate {
  const typed = formula ?? text;
  return typed === "" ? update : { ...update, typed };
}

/** A text that somebody had typed into a citation's cell, and that the refresh replaced. */
export interface ReplacedText {
  place: TableCell;
  text: string;
}

/** An AHJ that kept its last values, because the service does not give them to the key that refreshed. */
export interface NotRefreshed {
  ahjId: number;
  name: string;
  kind: FailureKind;
  /** The cells of its values; none if the AHJ was to be added and was not. */
  places: TableCell[];
  /** The number of those cells that hold something, which stays. */
  values: number;
}

/** The differences between the cells of a table and what the service says. */
export interface Compared {
  changes: ValueChange[];
  edited: EditedCell[];
  /** Values that were replaced although it is not known whether the service or a person had entered the earlier ones. */
  unsure: ValueChange[];
  /** The number of cells for which the service gave an answer or said that no value is recorded. */
  confirmed: number;
  /** The AHJs that kept their last values, by id. */
  notRefreshed: Map<number, NotRefreshed>;
  unknownTypes: ColumnType[];
  updates: CellUpdate[];
  /** The answers, by `answerKey`, whose notes are to be written. */
  noted: string[];
  /** The number of answers that have a value. */
  values: number;
  replaced: ReplacedText[];
}

/** The evidence by which edited cells are recognized, and what happens to them. */
export interface Comparison extends Witnesses {
  /** True if edited cells are left as they are. */
  keepsEdits: boolean;
  /** Receives the digests of all cells, before and after the updates. */
  written: CellDigests;
  /** The types whose unit or name is another now: their cells are written again, since their number formats follow. */
  isRenamed?: ReadonlySet<number> | undefined;
  factOf: FactOf;
}

/**
 * Compares the cells of a table with the service's answers, and with what the answers told about the jurisdictions. Pauses after each cell.
 */
export function* compareAnswers(
  { form }: Pick<SavedImport, "form">,
  places: Iterable<ServicePlace>,
  outcomeOf: OutcomeOf,
  { keepsEdits, written, isRenamed, factOf, ...witnesses }: Comparison,
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
  const how = { form, cellOf: createAnswerCells(form) };
  for (const servicePlace of places) {
    yield;
    const { ahj, type, part, place, shown } = servicePlace;
    const outcome = type ? outcomeOf(ahj.id, type.id) : factOf(ahj.id, servicePlace.part);
    const doesShowKnown = (known: Known | null) => doesShow(known, servicePlace, form);
    const asBefore = () => whoseNow(servicePlace, witnesses, doesShowKnown);
    if (outcome === undefined || outcome instanceof Failure) {
      if (shown) noteDigests(written, servicePlace, asBefore);
      if (!type || !outcome) continue;
      if (aboutOf(outcome.kind) === "type") unknownTypes.set(type.id, type);
      else {
        const cell =
          part === "value" && shown ? { place, isFilled: !isNoValue(shown.value, part, form) } : undefined;
        noteNotRefreshed(notRefreshed, ahj, outcome.kind, cell);
      }
      continue;
    }
    if (type) confirmed += 1;
    // The cell shows nothing of the AHJ that its row is to have, and its note is about the one before.
    const isFollowed = servicePlace.before !== undefined;
    const about = isFollowed ? servicePlace.before : ahj;
    const inNote = type && about ? witnesses.last?.get(about.id, type.id) : undefined;
    const known = isFollowed ? undefined : inNote;
    const same = compareCell(how, servicePlace, outcome, { known, inNote });
    const { isShown, isOther } = same;
    const hasNewFormat = type !== null && isRenamed?.has(type.id);
    const update = same.update ?? (hasNewFormat ? inFormat(how, servicePlace, outcome) : null);
    const isFormula = shown?.formula !== undefined;
    const isOurs = !shown || (isShown && !isFormula);
    const whose = isOurs ? "service" : asBefore();
    // The table of an earlier version does not tell who wrote what describes a jurisdiction, and a user may prefer another name.
    if (!type && whose === "unknown" && !isFollowed) {
      noteDigests(written, servicePlace, () => whose);
      continue;
    }
    // A formula that shows the present answer already has what the user asked for.
    const isKept = whose === "somebody" && (keepsEdits || isShown);
    noteDigests(written, servicePlace, () => whose, isKept ? undefined : update?.cell);
    // If the column's header names the unit, the cell does not.
    const unit = type && servicePlace.numberFormat ? type.unit_of_measure : null;
    const textShown = (cell: ServicePlace["shown"]) => asShown(cell, part, form, unit);
    const typed = isKept ? null : typedText(servicePlace, whose, form, unit);
    if (update && !isKept) {
      updates.push(typed ? { ...update, typed: typed.value } : update);
      if (type && update.note !== undefined) noted.push(answerKey(ahj.id, type.id));
    }
    if (outcome && part === "value") values += 1;
    // Values in a new column were asked for, so they are not reported as changes.
    if (shown === undefined) continue;
    if (update && isKept)
      edited.push({
        ...{
          ahj,
          type,
          part,
          place,
          text: typeof shown.value === "boolean" ? shownInCell(shown.value, "") : String(shown.value),
        },
        ...{ formula: shown.formula, after: outcome, update },
        ...(isOther && { before: known }),
        isChanged: isOther || (known === undefined && isUnlikeWritten(witnesses, servicePlace, update)),
      });
    if (type && part !== "value") {
      // A text that somebody typed over the citation is lost with the update, so the report names it.
      if (typed) replaced.push({ place, text: typed.value });
      continue;
    }
    const change = { ahj, type, place, after: outcome };
    const shownAfter = update ? textShown(update.cell)?.value : undefined;
    if (typed) unsure.push({ ...change, before: typed, shownAfter });
    else if (isKept) {
      // The service's change is reported although the edited cell stays as it is.
      if (isOther) changes.push({ ...change, before: known ?? null });
    } else if (isOther || !isShown) {
      const isKnownShown = isShown || (known !== undefined && doesShowKnown(known));
      if (isKnownShown) changes.push({ ...change, before: known ?? null });
      else changes.push({ ...change, before: textShown(shown), shownAfter });
    }
  }
  return {
    changes,
    edited,
    unsure,
    confirmed,
    notRefreshed,
    updates,
    noted,
    values,
    replaced,
    unknownTypes: [...unknownTypes.values()],
  };
}

/** Whose text a cell holds. In a row that stands for another AHJ now, the evidence is that of the AHJ before. */
function whoseNow(
  place: ServicePlace,
  witnesses: Witnesses,
  doesShowKnown: (known: Known | null) => boolean,
): Whose {
  const { before, shown } = place;
  if (before === undefined) return whoseCell(place, witnesses, doesShowKnown);
  if (before !== null) return whoseCell({ ...place, ahj: before }, witnesses, doesShowKnown);
  return (shown?.value ?? "") === "" && shown?.formula === undefined ? "service" : "somebody";
}

/** True if the digests tell that a cell was given another text than the one of this update. */
function isUnlikeWritten(
  { digests }: Pick<Witnesses, "digests">,
  place: ServicePlace,
  { cell }: CellUpdate,
): boolean {
  const key = serviceCellKey(place);
  return digests.isKnown(key) && digests.isAsWritten(key, shownBy(cell)) === false;
}

/**
 * Notes the digests of what a cell shows and will show. If a row stands in the table twice, a cell that shows the service's text decides.
 */
function noteDigests(
  written: CellDigests,
  place: ServicePlace,
  whose: () => Whose,
  put?: FormattedCell,
): void {
  const key = serviceCellKey(place);
  if (!written.hasRoomFor(key)) return;
  const owner = whose();
  if (owner !== "service" && written.has(key)) return;
  // The cell of another row is being written with this text, over the one before.
  if (owner === "service" && !put && written.isAsWritten(key, place.shown?.value ?? "")) return;
  const isService = owner === "service";
  const before = isService
    ? digestOf(key, place.shown?.value ?? "")
    : owner === "somebody"
      ? editedDigest
      : noDigest;
  written.set(key, before, put ? digestOf(key, shownBy(put)) : before);
}

/**
 * Compares a cell with the published answer: whether it shows it, whether the answer differs from the known one, and the update that is
 * needed, if any. Under a header that names a unit, an amount in another unit carries its own unit, so if the last run is not known, the
 * units in the number formats are compared too.
 */
function compareCell(
  { form, cellOf }: Pick<SavedImport, "form"> & { cellOf: AnswerCells },
  servicePlace: ServicePlace,
  outcome: Known | null,
  { known, inNote }: Record<"known" | "inNote", Known | null | undefined>,
): { isShown: boolean; isOther: boolean; update: CellUpdate | null } {
  const { type, part, place, shown, numberFormat: columnFormat } = servicePlace;
  const isOther = known !== undefined && !isSame(known, outcome);
  const cell = cellSaying(outcome, servicePlace, cellOf);
  const mayHideUnit = known === undefined && Boolean(columnFormat) && typeof cell.value === "number";
  const isWritten =
    shown !== undefined &&
    shows(cell, shown.value) &&
    (!mayHideUnit || otherUnitIn(shown, type) === otherUnitIn(cell, type));
  // A blank cell says as a dash does that there is no value, but gets its dash.
  const isShown =
    isWritten || (shown !== undefined && outcome === null && isNoValue(shown.value, part, form));
  const note = noteFor({ form }, part, outcome);
  const lastNote = inNote === undefined ? undefined : noteFor({ form }, part, inNote);
  // The published text may change while the number that is read from it stays the same.
  const formula = shown?.formula;
  if (!isWritten || formula !== undefined || (isOther && part === "value"))
    return {
      isShown,
      isOther,
      update: { ...place, cell, note, lastNote, shown: shown?.value ?? "", formula },
    };
  // The last run is not known, so the note may name an old source and is written again. A blank cell's note may be the user's own.
  if (known !== undefined || !note) return { isShown, isOther, update: null };
  const numberFormat = typeof cell.value === "number" ? shown.numberFormat : cell.numberFormat;
  return {
    isShown,
    isOther,
    update: { ...place, cell: { ...cell, numberFormat }, note, lastNote, shown: shown.value },
  };
}

/** The unit that a number format names, unless it is the question's own; "" if there is none. */
function otherUnitIn(
  { numberFormat }: Pick<FormattedCell, "numberFormat">,
  type: ServicePlace["type"],
): string {
  return otherUnit(numberFormat, type?.unit_of_measure ?? "");
}

/** The update that gives a cell which shows the answer the number format of its column's new unit; null if it has it. */
function inFormat(
  { cellOf }: { cellOf: AnswerCells },
  servicePlace: ServicePlace,
  outcome: Known | null,
): CellUpdate | null {
  const { place, shown } = servicePlace;
  const cell = cellSaying(outcome, servicePlace, cellOf);
  if (!shown || typeof cell.value !== "number" || cell.numberFormat === shown.numberFormat) return null;
  return { ...place, cell, shown: shown.value, formula: shown.formula };
}

/** The cell that shows what the service says. */
function cellSaying(known: Known | null, place: ServicePlace, cellOf: AnswerCells): FormattedCell {
  if (place.type) return cellOf(place.part, known, place.type, place.numberFormat);
  return known ? textCell(known.value) : blankCell;
}

/** True if a cell shows its part of a known answer. */
export function doesShow(
  known: Known | null,
  { type, part, shown }: ServicePlace,
  form: SavedImport["form"],
): boolean {
  if (known === null) return isNoValue(shown?.value, part, form);
  return shows(type ? answerCell(part, known, type) : textCell(known.value), shown?.value);
}

/** Adds an AHJ that keeps its last values, with the cell of one of them. */
export function noteNotRefreshed(
  noted: Map<number, NotRefreshed>,
  { id, name }: { id: number; name: string },
  kind: FailureKind,
  cell?: { place: TableCell; isFilled: boolean },
): void {
  const before = noted.get(id) ?? { ahjId: id, name, kind, places: [], values: 0 };
  if (cell) before.places.push(cell.place);
  if (cell?.isFilled) before.values += 1;
  noted.set(id, before);
}

/** True if both are the same answer. Its day may be another: the service may confirm an answer without changing it. */
export function isSame(one: Known | null, other: Known | null): boolean {
  return contentParts.every((part) => one?.[part] === other?.[part]);
}

/**
 * The text of the note of a cell: it changes along with the cell, or it would name the wrong source. Undefined if the import has no notes
 * or the cell holds no value; null if there is no answer.
 */
export function noteFor(
  { form }: Pick<SavedImport, "form">,
  part: ServicePlace["part"],
  outcome: Known | null,
) {
  if (!form.hasNotes || part !== "value") return undefined;
  return outcome && noteText(outcome);
}

/** True if a cell shows what was written. */
export function shows(cell: FormattedCell, shown: unknown): boolean {
  return shown === shownBy(cell);
}

/** The value that a cell shows, or its formula, without a citation; null if it shows no value. For `unit`, see `shownInCell`. */
export function asShown(
  shown: ServicePlace["shown"],
  part: ServicePlace["part"],
  form: SavedImport["form"],
  unit: string | null = null,
): Known | null {
  if (shown?.formula !== undefined) return told(shown.formula);
  if (shown === undefined || isNoValue(shown.value, part, form)) return null;
  return told(shownInCell(shown.value, shown.numberFormat, unit));
}

/** The text of a cell that may be somebody's; null if there is none. A dash is somebody's only if it is known to be. */
export function typedText(
  { shown, part }: ServicePlace,
  whose: Whose,
  form: SavedImport["form"],
  unit: string | null = null,
): Known | null {
  return whose === "service" ? null : asShown(shown, part, whose === "somebody" ? plainForm : form, unit);
}
