import { localDay } from "../../sheet/values/local-day";
import type { FailureKind } from "../../../errors";
import { groupBy } from "../../../lists";
import type { RowAhj } from "../../sheet/layout/table-plan";
import type { TableCell } from "../../sheet/tables/bound-table";
import type { NotRefreshed } from "./compare-answers";

/** The reasons why a refresh could not check a jurisdiction, as the middle of a sentence. */
export const uncheckedReasons = {
  "outside-subscription": "outside your subscription",
  "maybe-outside-subscription": "probably outside your subscription",
  "unknown-jurisdiction": "the service does not know them",
  "not-searched": "outside the area that is searched",
  "not-known": "their answers do not say whether they meet the conditions",
} as const;
export type UncheckedReason = keyof typeof uncheckedReasons;

/** A jurisdiction of a find's table of which it is not known whether it meets the conditions. It has not left. */
export interface UncheckedAhj {
  ahj: RowAhj;
  reason: UncheckedReason;
  /** The first cell of its row. */
  place: TableCell;
}

/** The jurisdictions that a refresh could not check, in sentences: one for each reason. `ahjs` is the number of those with rows. */
export function uncheckedSentences({
  ahjs,
  notRefreshed,
  keptAsOfMs,
  unchecked,
}: {
  ahjs: number;
  notRefreshed: readonly Pick<NotRefreshed, "kind" | "values">[];
  keptAsOfMs: number | null;
  unchecked: readonly Pick<UncheckedAhj, "reason">[];
}): string[] {
  const noted: { reason: string; values?: number }[] = [
    ...notRefreshed.map(({ kind, values }) => ({ reason: reasonOfFailure(kind), values })),
    ...unchecked.map(({ reason }) => ({ reason: uncheckedReasons[reason] })),
  ];
  return [...groupBy(noted, ({ reason }) => reason)].map(([reason, those]) => {
    const [some, all] = [those.length, Math.max(ahjs, those.length)].map((count) =>
      count.toLocaleString("en-US"),
    );
    // The values of an answer that can't be judged were refreshed like all others.
    const what =
      reason === uncheckedReasons["not-known"]
        ? "Their rows stay."
        : `Their rows and ${valuesWords(those)} stay${keptAsOfMs === null ? "" : `, as of ${localDay(keptAsOfMs)}`}.`;
    return `${some} of ${all} could not be checked: ${reason}. ${what}`;
  });
}

/** The number of the values, if it is known of all. */
function valuesWords(those: readonly { values?: number }[]): string {
  const counts = those.flatMap(({ values }) => values ?? []);
  if (counts.length < those.length) return "values";
  const count = counts.reduce((sum, values) => sum + values, 0);
  return `${count.toLocaleString("en-US")} value${count === 1 ? "" : "s"}`;
}

/** The reason why a jurisdiction kept its last values, as the middle of a sentence. */
export function reasonOfFailure(kind: FailureKind): string {
  return kind in uncheckedReasons
    ? uncheckedReasons[kind as UncheckedReason]
    : "the service gave no answers for them";
}
