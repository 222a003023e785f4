import { inTurns } from "../async/in-turns";
import { partsOf } from "../lists";
import { absenceOf } from "../engine/absence";
import { utcMs } from "../engine/api/utc-time";
import type { Answers, ReadOptions } from "../engine/lookup/answers/answers";
import type { CellAnswer } from "../engine/lookup/answers/kept-answers";
import type { UnknownAnswers } from "../engine/lookup/answers/request-plan";
import { Failure } from "../errors";
import { type AnswerColumn, type ColumnEntry, createAnswerColumn } from "./answer-column";
import type { WantedColumn } from "./find";

/** The requested cells of a find. */
export function workFor(ahjIds: readonly number[], wanted: readonly WantedColumn[]): UnknownAnswers {
  const typeIds = (isDated: boolean) =>
    new Set(wanted.filter((column) => column.isDated === isDated).map(({ type }) => type.id));
  const forAll = (ids: ReadonlySet<number>) =>
    new Map(ids.size > 0 ? ahjIds.map((ahjId) => [ahjId, ids]) : []);
  return { values: forAll(typeIds(false)), dated: forAll(typeIds(true)) };
}

export interface ReadColumns {
  /** A column for each wanted one, each with the jurisdictions in their order. */
  columns: AnswerColumn[];
  /** The reason why some answers are missing; undefined if all came. */
  failure: Failure | undefined;
  /** Answers that are older than the user wants, given because the service could not be asked. */
  old: { count: number; oldestMs: number } | null;
}

/**
 * Reads the answers of jurisdictions into columns, and asks only for answers that are not kept. They are read in as many parts as memory
 * needs, and no answer is held longer than its part. Only `cancelled` is thrown: an answer that can't be had is "not-answered".
 */
export async function readAnswerColumns(
  ahjIds: readonly number[],
  wanted: readonly WantedColumn[],
  answers: Pick<Answers, "read" | "hold" | "batchesFor">,
  {
    onProgress,
    ...options
  }: Pick<ReadOptions, "signal" | "onWait" | "onProgress" | "keptOnly" | "sinceMs"> = {},
): Promise<ReadColumns> {
  const filling = wanted.map(({ type, isDated }) => createAnswerColumn(type, ahjIds.length, isDated));
  const result: ReadColumns = { columns: filling.map(({ column }) => column), failure: undefined, old: null };
  if (wanted.length === 0 || ahjIds.length === 0) return result;
  const undated = undatedFailure(options.keptOnly);
  const note = (answer: CellAnswer) => {
    if (answer instanceof Failure) {
      if (!absenceOf(answer.kind)) result.failure ??= answer;
    } else if (answer.isOld) {
      const { count, oldestMs } = result.old ?? { count: 0, oldestMs: Infinity };
      result.old = { count: count + 1, oldestMs: Math.min(oldestMs, answer.cell.fetchedAtMs) };
    }
  };
  const size = Math.ceil(ahjIds.length / answers.batchesFor(ahjIds.length * wanted.length));
  let place = 0;
  for (const part of partsOf(ahjIds, size)) {
    const [cellsBefore, ahjsBefore] = [place * wanted.length, place];
    const hold = answers.hold();
    try {
      const read = await answers.read(workFor(part, wanted), {
        ...options,
        hold,
        onProgress: (cells, ahjs) => onProgress?.(cellsBefore + cells, ahjsBefore + ahjs),
      });
      await inTurns(part, (ahjId) => {
        for (const { column, set } of filling) {
          const told = read.of(ahjId, column.type.id);
          const answer = column.updatedMs && isUndated(told) ? undated : told;
          note(answer);
          set(place, entryOf(answer));
        }
        place += 1;
      });
    } finally {
      hold.release();
    }
  }
  return result;
}

/**
 * True if an answer has come without its date, because the date could not be asked for. A condition about the date then counts as not
 * answered.
 */
export function isUndated(answer: CellAnswer): boolean {
  return !(answer instanceof Failure) && answer.cell.updatedAt === null;
}

/** The reason why an answer has come without its date. */
export function undatedFailure(keptOnly: boolean | undefined): Failure {
  return new Failure(keptOnly ? "not-asked" : "unreachable");
}

/** The entry of an answer in a column. */
export function entryOf(answer: CellAnswer): ColumnEntry {
  if (answer instanceof Failure) return { absent: absenceOf(answer.kind) ?? "not-answered" };
  const { value, updatedAt } = answer.cell;
  return { text: value, updatedMs: updatedAt === null ? NaN : utcMs(updatedAt) };
}
