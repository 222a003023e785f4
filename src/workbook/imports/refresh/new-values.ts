import { utcMs } from "../../../engine/api/utc-time";
import type { WantedAnswers } from "../../../engine/lookup/answers/request-plan";
import { Failure } from "../../../errors";
import type { ColumnType } from "../../sheet/layout/table-plan";
import type { Known, PublishedAnswer } from "../../sheet/layout/answer-parts";
import { answerKey, type ImportRow } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";
import type { Snapshot } from "../saved/snapshots";
import type { OutcomeOf } from "./compare-answers";

/**
 * The ids of AHJs of a long table that had no value at the last run, and so have no row. AHJs that had values and have no row now were
 * taken out by the user.
 */
export function rowlessAhjs(last: Snapshot | undefined, there: Pick<ReadonlySet<number>, "has">): number[] {
  if (!last) return [];
  return [...last.ahjIds()].filter(
    (id) => !there.has(id) && [...last.typeIds(id)].every((typeId) => last.get(id, typeId) === null),
  );
}

/** A long table with its rows as they were read, and the AHJs whose values may have no row. */
export interface LongTable {
  saved: Pick<SavedImport, "types" | "lastRun">;
  rows: readonly ImportRow[];
  mayLackRows: readonly number[];
  last: Snapshot | undefined;
}

/** A value for which the date of its last change may matter. */
export interface DatableValue {
  ahj: { id: number };
  type: { id: number };
  after: Known | null;
}

export interface RowlessValue extends DatableValue {
  type: ColumnType;
  after: PublishedAnswer;
}

/** The values that have no row. Pauses after each AHJ. */
export function* rowlessValues(
  { saved, rows, mayLackRows }: LongTable,
  outcomeOf: OutcomeOf,
): Generator<void, RowlessValue[]> {
  const found: RowlessValue[] = [];
  const there = new Map<number, Set<number | null>>();
  if (mayLackRows.length > 0)
    for (const { ahj, typeId } of rows) there.set(ahj.id, (there.get(ahj.id) ?? new Set()).add(typeId));
  for (const id of mayLackRows) {
    for (const type of saved.types) {
      const after = there.get(id)?.has(type.id) ? null : outcomeOf(id, type.id);
      if (after !== null && !(after instanceof Failure)) found.push({ ahj: { id }, type, after });
    }
    yield;
  }
  return found;
}

const keyOf = ({ ahj, type }: DatableValue) => answerKey(ahj.id, type.id);

/** The values without a row that this device has no record of, so that only their dates tell whether they are new. */
export function doubtfulValues(rowless: readonly RowlessValue[], last: Snapshot | undefined): DatableValue[] {
  return rowless.filter(({ ahj, type }) => last?.get(ahj.id, type.id) === undefined);
}

/**
 * The new values of a long table that have no row yet: those that were not recorded at the last run or, if this device has not kept that
 * run, those changed after its answers came. All other values without a row were taken out by the user; `withoutRow` is their number.
 */
export function newValues(
  { saved, mayLackRows, last }: LongTable,
  { rowless, dates }: Rowless,
): { ahjIds: number[]; of(ahjId: number, typeId: number): PublishedAnswer | null; withoutRow: number } {
  const isFresh = (value: RowlessValue) => {
    const known = last?.get(value.ahj.id, value.type.id);
    if (known !== undefined) return known === null;
    const { atMs, asOfMs } = saved.lastRun;
    return utcMs(datedAs(value, dates)?.updatedAt ?? "") > (asOfMs ?? atMs);
  };
  const fresh = new Map(
    rowless.filter(isFresh).map((value): [string, PublishedAnswer] => [keyOf(value), value.after]),
  );
  const ids = new Set(rowless.filter((value) => fresh.has(keyOf(value))).map(({ ahj }) => ahj.id));
  return {
    ahjIds: mayLackRows.filter((id) => ids.has(id)),
    of: (ahjId, typeId) => fresh.get(answerKey(ahjId, typeId)) ?? null,
    withoutRow: rowless.length - fresh.size,
  };
}

/** The values of a long table that have no row, with the dates that are known. */
export interface Rowless {
  rowless: readonly RowlessValue[];
  /** The dates of `doubtfulValues`. */
  dates: Dates;
}

/** Answers that were asked for one value at a time to learn their dates, by `answerKey`. */
export type Dates = ReadonlyMap<string, Known>;

/** The most values that are asked for one at a time. */
const mostDated = 500;

/** The values whose dates have to be asked for, because a matrix does not tell when a value changed. Empty if there are too many. */
export function valuesToDate(values: readonly DatableValue[]): WantedAnswers {
  const undated = values.filter(({ after }) => after && after.updatedAt === null);
  const wanted = new Map<number, Set<number>>();
  if (undated.length > mostDated) return wanted;
  for (const { ahj, type } of undated) wanted.set(ahj.id, (wanted.get(ahj.id) ?? new Set()).add(type.id));
  return wanted;
}

/** The value with the date of its last change, if the service gave the date for the same value. */
export function datedAs(value: DatableValue, dates: Dates): Known | null {
  const { after } = value;
  const dated = dates.get(keyOf(value));
  if (!after || after.updatedAt !== null || dated?.value !== after.value) return after;
  return { ...after, updatedAt: dated.updatedAt };
}
