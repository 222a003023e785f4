import type { WholeList } from "../../api/paged-list";
import type { DataPointValue } from "../../api/schemas";
import { absentAnswers } from "../../cache/cached-answer";
import { utcMs } from "../../api/utc-time";
import type { AnswerOf } from "./read-matrix";

/**
 * The answers that a list of data points gives to the cells asked for. A cell that the list does not show has no value, unless a warning
 * says that its AHJ is denied; `realTypes` tells which types are known. If a warning counts denied AHJs without naming them, an AHJ that
 * the list does not show gets no answer. The newest of several values counts (docs/interface.md, "Left open").
 */
export function answersOfDataPoints(
  { items, warnings }: Pick<WholeList<DataPointValue>, "items" | "warnings">,
  realTypes: ReadonlySet<number>,
  fetchedAtMs: number,
): AnswerOf {
  const absent = absentAnswers(fetchedAtMs);
  const newest = newestByCell(items);
  const excluded = new Set(warnings.flatMap((warning) => warning.excluded_ahj_ids));
  const someUnnamed = excluded.size === 0 && warnings.some((warning) => warning.code === "AHJ_ACCESS_DENIED");
  return (ahjId, typeId) => {
    if (excluded.has(ahjId)) return absent["outside-subscription"];
    const values = newest.get(ahjId);
    if (!values && someUnnamed) return undefined;
    const item = values?.get(typeId);
    if (!item?.value) return absent[realTypes.has(typeId) ? "no-value" : "unknown-type"];
    const { value, reference, section, updated_at: updatedAt } = item;
    return { fetchedAtMs, value, reference, section, updatedAt };
  };
}

/** The time of a value's last change, to compare with others. A value without a readable date is the oldest. */
const orderMs = ({ updated_at }: DataPointValue) => utcMs(updated_at) || -Infinity;

/** Data points by AHJ id and type id. The newest of several values counts (docs/interface.md, "Left open"). */
export function newestByCell(items: readonly DataPointValue[]): Map<number, Map<number, DataPointValue>> {
  const newest = new Map<number, Map<number, DataPointValue>>();
  for (const item of items) {
    let ofAhj = newest.get(item.ahj.id);
    if (!ofAhj) newest.set(item.ahj.id, (ofAhj = new Map()));
    const known = ofAhj.get(item.data_point_type.id);
    if (!known || orderMs(known) < orderMs(item)) {
      ofAhj.set(item.data_point_type.id, item);
    }
  }
  return newest;
}
