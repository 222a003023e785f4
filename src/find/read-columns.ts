import { inTurns } from "../async/in-turns";
import { partsOf } from "../lists";
import { utcMs } from "../engine/api/utc-time";
import type { Answers, CellAnswer, ReadOptions } from "../engine/lookup/answers/answers";
import type { Work } from "../engine/lookup/answers/request-plan";
import { Failure, type FailureKind } from "../errors";
import { type Absent, type AnswerColumn, type ColumnEntry, createAnswerColumn } from "./answer-column";
import type { WantedColumn } from "./find";

/** What a find asks of the service. */
export function workFor(ahjIds: readonly number[], wanted: readonly WantedColumn[]): Work {
  const typeIds = (isDated: boolean) =>
    new Set(wanted.filter((column) => column.isDated === isDated).map(({ type }) => type.id));
  const forAll = (ids: ReadonlySet<number>) =>
    new Map(ids.size > 0 ? ahjIds.map((ahjId) => [ahjId, ids]) : []);
  return { values: forAll(typeIds(false)), dated: forAll(typeIds(true)) };
}

export interface ReadColumns {
  /** One for each that was wanted, by the place of the jurisdictions. */
  columns: AnswerColumn[];
  /** Why some answers could not be had; undefined if all came. */
  failure: Failure | undefined;
  /** Answers older than the user wants, given because the service could not be asked. */
  old: { count: number; oldestMs: number } | null;
}

/**
 * Reads the answers of jurisdictions into columns, asking only for those that are not kept. They are read in as many parts as memory
 * needs, and no answer is held longer than its part. Throws only `cancelled`: an answer that can't be had is "not-answered".
 */
export async function readColumns(
  ahjIds: readonly number[],
  wanted: readonly WantedColumn[],
  answers: Pick<Answers, "read" | "hold" | "partsOf">,
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
      if (!absentByKind[answer.kind]) result.failure ??= answer;
    } else if (answer.isOld) {
      const { count, oldestMs } = result.old ?? { count: 0, oldestMs: Infinity };
      result.old = { count: count + 1, oldestMs: Math.min(oldestMs, answer.cell.fetchedAtMs) };
    }
  };
  const size = Math.ceil(ahjIds.length / answers.partsOf(ahjIds.length * wanted.length));
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

/** What the service has said in place of a value; every other failure is that it did not answer. */
const absentByKind: Partial<Record<FailureKind, Absent>> = {
  "no-value": "no-value",
  "unknown-type": "unknown-question",
  "outside-subscription": "outside-subscription",
  "unknown-jurisdiction": "unknown-jurisdiction",
};

/** Where a date can't be asked for, the answer comes without it: nothing is then known of the date, and the service did not answer. */
export function isUndated(answer: CellAnswer): boolean {
  return !(answer instanceof Failure) && answer.cell.updatedAt === null;
}

/** Why an answer has come without its date. */
export function undatedFailure(keptOnly: boolean | undefined): Failure {
  return new Failure(keptOnly ? "not-asked" : "unreachable");
}

/** What a column holds of an answer. */
export function entryOf(answer: CellAnswer): ColumnEntry {
  if (answer instanceof Failure) return { absent: absentByKind[answer.kind] ?? "not-answered" };
  const { value, updatedAt } = answer.cell;
  return { text: value, updatedMs: updatedAt === null ? NaN : utcMs(updatedAt) };
}
