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

/** Facts that answers of the two times share if they belong together, the surest first. */
const likenesses: ((answer: DatedAnswer) => string)[] = [
  ({ importName, value }) => `${importName}\n${value}`,
  ({ importName }) => importName,
  // The import has another name meanwhile.
  ({ value }) => String(value),
  () => "",
];

/** Pairs of the answers of one place to one question. */
function pairsOf(before: readonly DatedAnswer[], now: readonly DatedAnswer[]): Pair[] {
  const pairs: Pair[] = [];
  let [earlier, later] = [before, now];
  for (const likeness of likenesses) {
    if (earlier.length === 0 || later.length === 0) break;
    const open = groupBy(earlier, likeness);
    const taken = new Set<DatedAnswer>();
    /** How many of each list are taken. */
    const places = new Map<string, number>();
    later = later.filter((answer) => {
      const key = likeness(answer);
      const place = places.get(key) ?? 0;
      const found = open.get(key)?.[place];
      if (!found) return true;
      places.set(key, place + 1);
      taken.add(found);
      pairs.push({ before: found, now: answer });
      return false;
    });
    earlier = earlier.filter((answer) => !taken.has(answer));
  }
  return [
    ...pairs,
    ...later.map((answer) => ({ before: null, now: answer })),
    ...earlier.map((answer) => ({ before: answer, now: null })),
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
