import { leavesBlank } from "../engine/absence";
import { absentOf, type AnswerColumn } from "./answer-column";
import { no, reasonOf, unknown, type UnknownReason, type Verdict, yes } from "./conditions/verdict";
import type { Test } from "./conditions/condition";

/** A test and the answers to be tested. */
export interface TestedColumn {
  test: Test;
  /** Undefined if no answers were asked for yet. */
  column: AnswerColumn | undefined;
}

/** "all": a jurisdiction has to meet every condition; "any": one is enough. */
export type Match = "all" | "any";

export type Heap = "yes" | "no" | "not-known";

/** All jurisdictions, in three heaps. */
export interface Heaps {
  /** The number of jurisdictions in each heap. */
  counts: Record<Heap, number>;
  heapOf(place: number): Heap;
  /** The places of the jurisdictions of a heap, in their order. */
  placesIn(heap: Heap): number[];
  /** The reasons why a jurisdiction is "not-known": one for each condition that could not be decided. */
  reasonsFor(place: number): { condition: number; reason: UnknownReason }[];
}

/** Puts jurisdictions into heaps by conditions; `length` is their number. Without a condition all are in "yes". */
export function heapsOf(length: number, tested: readonly TestedColumn[], match: Match): Heaps {
  const byCondition = tested.map((each) => verdictsOf(length, each));
  const verdicts = joined(length, byCondition, match);
  const counts: Record<Heap, number> = { yes: 0, no: 0, "not-known": 0 };
  for (const verdict of verdicts) counts[heapOfVerdict(verdict)] += 1;
  return {
    counts,
    heapOf: (place) => heapOfVerdict(verdicts[place] ?? no),
    placesIn(heap) {
      const places: number[] = [];
      verdicts.forEach((verdict, place) => {
        if (heapOfVerdict(verdict) === heap) places.push(place);
      });
      return places;
    },
    reasonsFor(place) {
      if (heapOfVerdict(verdicts[place] ?? no) !== "not-known") return [];
      return byCondition.flatMap((of, condition) => {
        const reason = reasonOf(of[place] ?? no);
        return reason ? [{ condition, reason }] : [];
      });
    },
  };
}

function heapOfVerdict(verdict: Verdict): Heap {
  if (verdict === yes) return "yes";
  return verdict === no ? "no" : "not-known";
}

/** One verdict for each jurisdiction: each different text is judged once. */
function verdictsOf(length: number, { test, column }: TestedColumn): Uint8Array {
  const { ofText, ofUpdate, ofNone } = test;
  if (!column || (ofUpdate && !column.updatedMs)) return new Uint8Array(length).fill(unknown("not-answered"));
  const ofCode = ofText && Uint8Array.from(column.readings, ofText);
  const verdicts = new Uint8Array(length);
  for (let place = 0; place < length; place += 1) {
    const code = column.codes[place] ?? 0;
    if (code < column.texts.length)
      verdicts[place] = ofCode ? (ofCode[code] ?? no) : (ofUpdate?.(column.updatedMs?.[place] ?? NaN) ?? no);
    else {
      const absent = absentOf(code);
      verdicts[place] = leavesBlank(absent) ? ofNone : unknown(absent);
    }
  }
  return verdicts;
}

/**
 * Joins the verdicts of the conditions. "all": one "no" decides; "any": one "yes" decides. Otherwise one unknown verdict makes the result
 * unknown.
 */
function joined(length: number, byCondition: readonly Uint8Array[], match: Match): Uint8Array {
  const [deciding, other] = match === "all" ? [no, yes] : [yes, no];
  const verdicts = new Uint8Array(length).fill(byCondition.length === 0 ? yes : other);
  for (const of of byCondition) {
    for (let place = 0; place < length; place += 1) {
      const verdict = of[place] ?? no;
      const before = verdicts[place];
      if (before === deciding || verdict === other) continue;
      if (verdict === deciding || before === other) verdicts[place] = verdict;
    }
  }
  return verdicts;
}
