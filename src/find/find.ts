import { Failure } from "../errors";
import type { AnswerColumn } from "./answer-column";
import { type Condition, testOf } from "./conditions/condition";
import { operators } from "./conditions/operators";
import { type Heaps, heapsOf, type Match, type TestedColumn } from "./heaps";

/** What is looked for: jurisdictions whose answers meet all of the conditions, or any. */
export interface Find {
  match: Match;
  conditions: readonly Condition[];
}

/** More conditions than anybody reads. */
export const mostConditions = 50;

/** A question whose answers a find compares. */
export interface WantedColumn {
  type: Condition["type"];
  /** With the dates of the last changes, which only the list of data points tells. */
  isDated: boolean;
}

/** The questions that a find compares, each once. */
export function columnsFor({ conditions }: Pick<Find, "conditions">): WantedColumn[] {
  const wanted = new Map<number, WantedColumn>();
  for (const { type, operator } of conditions) {
    const isDated = operators[operator].isDated ?? false;
    wanted.set(type.id, { type, isDated: isDated || (wanted.get(type.id)?.isDated ?? false) });
  }
  return [...wanted.values()];
}

/**
 * Puts `length` jurisdictions into heaps by their answers. Nothing is asked: `columnOf` gives the columns that `columnsFor` names; a
 * column that is missing, or lacks the dates, counts as not answered. Fails with invalid-argument for a condition that can't be used.
 */
export function findIn(
  length: number,
  columnOf: (typeId: number) => AnswerColumn | undefined,
  { match, conditions }: Find,
  nowMs: number,
): Heaps {
  const tested = conditions.map((condition): TestedColumn => {
    const test = testOf(condition, nowMs);
    if (test instanceof Failure) throw test;
    return { test, column: columnOf(condition.type.id) };
  });
  return heapsOf(length, tested, match);
}
