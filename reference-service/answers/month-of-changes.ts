/** A month in which some rules change, so that a client can be tried on data that differs from what it fetched last. */
import type { MatrixCell } from "../../src/engine/api/schemas";
import type { AhjRecord } from "../geography/geography";
import { timestamp } from "../timestamp";
import type { CatalogueType } from "./sample-catalogue";
import { earlierRuleText, placeInMonth, ruleText, ruleUpdatedAt } from "./sample-values";

/** The sides of the month that a service can be on. */
export const sidesOfMonth = ["before", "after"] as const;
export type SideOfMonth = (typeof sidesOfMonth)[number];

/** What the rules say, and since when. */
export interface Rules {
  textOf(maker: AhjRecord, entry: CatalogueType): MatrixCell;
  /** ISO 8601, UTC. */
  updatedAt(maker: AhjRecord, entry: CatalogueType): string;
}

/** The sample's rules without such a month. */
export const unchangedRules: Rules = { textOf: ruleText, updatedAt: ruleUpdatedAt };

const dayMs = 24 * 60 * 60 * 1000;
const monthMs = 30 * dayMs;

/**
 * The rules before the month, or after it. After it all say what they say without it, and those that changed have a date
 * of the 30 days before the day of `nowMs`.
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
