import { Failure } from "../errors";
import type { AnswerColumn } from "./answer-column";
import { type Condition, testOf } from "./conditions/condition";
import { operators } from "./conditions/operators";
import { type Heaps, heapsOf, type Match, type TestedColumn } from "./heaps";

/** A search for jurisdictions whose answers meet all conditions, or any of them. */
export interface Find {
  match: Match;
  conditions: readonly Condition[];
}

/** A question whose answers a find compares. */
export interface WantedColumn {
  type: Condition["type"];
  /** True if the dates of the last changes are wanted, which only the list of data points tells. */
  isDated: boolean;
}

/** The questions that a find compares, each once. */
export function columnsFor({ conditions }: Pick<Find, "conditions">): WantedColumn[] {
  return eachOnce(conditions.map(columnOf));
}

/** The question of a condition, with its dates if the operator compares them. */
export function columnOf({ type, operator }: Pick<Condition, "type" | "operator">): WantedColumn {
  return { type, isDated: operators[operator].isDated ?? false };
}

/** Each question once; dated if one of its columns is dated. */
export function eachOnce(columns: readonly WantedColumn[]): WantedColumn[] {
  const once = new Map<number, WantedColumn>();
  for (const { type, isDated } of columns)
    once.set(type.id, { type, isDated: isDated || (once.get(type.id)?.isDated ?? false) });
  return [...once.values()];
}

/**
 * Puts `length` jurisdictions into heaps by their answers. Asks for nothing: `answersTo` gives the columns that `columnsFor` names. A
 * column that is missing, or lacks the dates, counts as not answered. Fails with invalid-argument for a condition that can't be used.
 */
export function findIn(
  length: number,
  answersTo: (typeId: number) => AnswerColumn | undefined,
  { match, conditions }: Find,
  nowMs: number,
): Heaps {
  const tested = conditions.map((condition): TestedColumn => {
    const test = testOf(condition, nowMs);
    if (test instanceof Failure) throw test;
    return { test, column: answersTo(condition.type.id) };
  });
  return heapsOf(length, tested, match);
}
