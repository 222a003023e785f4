import { groupBy } from "../../lists";
import { answerKey } from "../imports/saved/import-rows";
import { otherUnit } from "../sheet/values/shown-number";
import { type DatedAnswer, hasValue, valueText } from "./dated-answer";

/** An answer before and now. One of them is null if only one of the times has a value for this place and question. */
export interface DatedDifference {
  before: DatedAnswer | null;
  now: DatedAnswer | null;
  /** The later of them, which tells place, question and import. */
  about: DatedAnswer;
}

/** The kinds of differences, in the order in which they are told. */
export const differenceKinds = ["changed", "cited", "came", "went"] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/**
 * The differences between two times: values that are others, values whose citation alone is another, values of places and questions that
 * only the later time has, and those that only the earlier one has.
 */
export type DatedComparison = Record<DifferenceKind, DatedDifference[]> & {
  /** The number of answers without a difference. */
  same: number;
};

/** True if nothing differs. */
export function isSameAll(comparison: DatedComparison): boolean {
  return differenceKinds.every((kind) => comparison[kind].length === 0);
}

/**
 * Compares answers of two times by their AHJ and question, wherever their rows stand. If an answer stands several times, those of one import
 * are compared, those with the same value first. Pauses after each answer.
 */
export function* compareDated(
  before: readonly DatedAnswer[],
  now: readonly DatedAnswer[],
): Generator<void, DatedComparison> {
  const comparison: DatedComparison = { changed: [], cited: [], came: [], went: [], same: 0 };
  const keyOf = ({ ahjId, typeId }: DatedAnswer) => answerKey(ahjId, typeId);
  const earlier = groupBy(before, keyOf);
  yield;
  const later = groupBy(now, keyOf);
  for (const [key, group] of later) {
    yield;
    for (const pair of pairsOf(earlier.get(key) ?? [], group)) note(comparison, pair);
  }
  for (const [key, group] of earlier) {
    yield;
    if (!later.has(key)) for (const answer of group) note(comparison, { before: answer, now: null });
  }
  return comparison;
}

function note(comparison: DatedComparison, { before, now }: Pair): void {
  if (before && now) {
    if (!isSameValue(before, now)) comparison.changed.push({ before, now, about: now });
    else if (hasOtherCitation(before, now)) comparison.cited.push({ before, now, about: now });
    else comparison.same += 1;
  } else if (now && hasValue(now)) comparison.came.push({ before, now, about: now });
  else if (before && hasValue(before)) comparison.went.push({ before, now, about: before });
}

type Pair = Pick<DatedDifference, "before" | "now">;

/** The ways in which an answer is found again, the surest first. */
const likenesses: ((one: DatedAnswer, other: DatedAnswer) => boolean)[] = [
  (one, other) => one.importName === other.importName && isSameValue(one, other),
  (one, other) => one.importName === other.importName,
  // The import has another name meanwhile.
  isSameValue,
  () => true,
];

/** Pairs of the answers of one place to one question. */
function pairsOf(before: readonly DatedAnswer[], now: readonly DatedAnswer[]): Pair[] {
  const [first] = before;
  const [only] = now;
  if (first && only && before.length + now.length === 2) return [{ before: first, now: only }];
  const pairs: Pair[] = [];
  const open = new Set(before);
  let rest = now;
  for (const isAlike of likenesses) {
    rest = rest.filter((answer) => {
      const found = [...open].find((each) => isAlike(each, answer));
      if (!found) return true;
      open.delete(found);
      pairs.push({ before: found, now: answer });
      return false;
    });
  }
  return [
    ...pairs,
    ...rest.map((answer) => ({ before: null, now: answer })),
    ...[...open].map((answer) => ({ before: answer, now: null })),
  ];
}

/** True if both show the same value. The decimals and the grouping that somebody has given a number say nothing about it. */
function isSameValue(one: DatedAnswer, other: DatedAnswer): boolean {
  // A number that another program has stored as text looks as it did.
  if (typeof one.value !== typeof other.value) return valueText(one) === valueText(other);
  if (one.value !== other.value) return false;
  if (typeof one.value !== "number") return true;
  const unit = one.unit ?? other.unit ?? "";
  const unitOf = ({ numberFormat }: DatedAnswer) => {
    const words = otherUnit(numberFormat, unit);
    // Formats of people's own may have parentheses and dashes.
    return /[\p{L}\p{Sc}]/u.test(words) ? words : "";
  };
  return unit === (other.unit ?? unit) && unitOf(one) === unitOf(other);
}

/** True if the citations are known and differ. A citation that is not known says nothing. */
function hasOtherCitation(one: DatedAnswer, other: DatedAnswer): boolean {
  const isKnown = ({ reference, section }: DatedAnswer) => reference !== null || section !== null;
  const isOther = one.reference !== other.reference || one.section !== other.section;
  return isKnown(one) && isKnown(other) && isOther;
}
