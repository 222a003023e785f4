/** A month in which some rules change. It lets a client be tried on data that differ from the data it fetched last. */
import type { MatrixCell } from "../../src/engine/api/schemas";
import type { AhjRecord } from "../geography/geography";
import { timestamp } from "../timestamp";
import type { CatalogueType } from "./sample-catalogue";
import { earlierRuleText, placeInMonth, ruleText, ruleUpdatedAt } from "./sample-values";

/** A service answers as before the month or as after it. */
export const sidesOfMonth = ["before", "after"] as const;
export type SideOfMonth = (typeof sidesOfMonth)[number];

/** The texts of the rules, and the dates of their last changes. */
export interface Rules {
  textOf(maker: AhjRecord, entry: CatalogueType): MatrixCell;
  /** ISO 8601, UTC. */
  updatedAt(maker: AhjRecord, entry: CatalogueType): string;
}

/** The sample's rules without a month of changes. */
export const unchangedRules: Rules = { textOf: ruleText, updatedAt: ruleUpdatedAt };

const dayMs = 24 * 60 * 60 * 1000;
const monthMs = 30 * dayMs;

/**
 * The rules before or after the month. After it, all rules have the texts of `unchangedRules`, and the rules that changed have a date in
 * the 30 days before the day of `nowMs`.
 */
export function createRules(side: SideOfMonth, nowMs: number): Rules {
  const firstMs = Math.floor(nowMs / dayMs) * dayMs - monthMs;
  if (side === "before") {
    return {
      ...unchangedRules,
      textOf: (maker, entry) =>
        placeInMonth(maker, entry) === undefined ? ruleText(maker, entry) : earlierRuleText(maker, entry),
    };
  }
  return {
    ...unchangedRules,
    updatedAt(maker, entry) {
      const place = placeInMonth(maker, entry);
      return place === undefined ? ruleUpdatedAt(maker, entry) : timestamp(firstMs + place * monthMs);
    },
  };
}
