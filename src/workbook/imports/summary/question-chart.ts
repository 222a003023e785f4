import { countedValues } from "../../../pictures/by-state";
import type { ShownValue } from "../../../pictures/pictured-answers";
import { medianOf } from "../../../pictures/question-picture";
import type { ChartPlan } from "../../sheet/drawing/chart-plan";
import { isDateFormat, shownNumber } from "../../sheet/values/number-format";
import type { StateSummary } from "./state-summary";
import { unitOf } from "./summary-sheet";

/** Answers that have a bar of their own. */
const mostAnswers = 12;
const mostLabelCharacters = 60;

/**
 * A question as a chart: the medians of several states as columns, or else how many cells hold each answer as bars. Null where no
 * cell holds anything.
 */
export function chartOfQuestion(states: readonly StateSummary[]): ChartPlan | null {
  const values = states.flatMap((state) => state.values);
  const [first] = states;
  if (!first || values.length === 0) return null;
  return chartOfMedians(first, states) ?? chartOfAnswers(first, values);
}

function chartOfMedians({ type }: StateSummary, states: readonly StateSummary[]): ChartPlan | null {
  const medians = states.flatMap(({ state, amounts }) => {
    const median = medianOf(amounts);
    return median ? [{ label: state || "State not known", ...median }] : [];
  });
  const [median] = medians;
  // A day has no height.
  if (!median || medians.length < 2 || isDateFormat(median.numberFormat)) return null;
  const isAlike = medians.every(({ numberFormat }) => numberFormat === median.numberFormat);
  const unit = unitOf(median, type.unit_of_measure);
  return {
    title: `${type.name}: median by state`,
    kind: "columns",
    headers: ["State", unit === "" ? "Median" : `Median (${unit})`],
    rows: medians.map(({ label, value }) => ({ label, value })),
    numberFormat: isAlike ? median.numberFormat : undefined,
  };
}

function chartOfAnswers({ type }: StateSummary, values: readonly ShownValue[]): ChartPlan {
  const counted = countedValues(values);
  const shown = counted.slice(0, mostAnswers);
  const others = values.length - shown.reduce((sum, { count }) => sum + count, 0);
  const rows = shown.map((held) => ({ label: labelOf(held), value: held.count }));
  return {
    title: `${type.name}: answers`,
    kind: "bars",
    headers: ["Answer", "Cells"],
    rows: [...rows, ...(others > 0 ? [{ label: "All other answers", value: others }] : [])],
    numberFormat: "0",
  };
}

function labelOf({ value, numberFormat }: ShownValue): string {
  if (typeof value === "number") return shownNumber(value, numberFormat);
  const text = typeof value === "boolean" ? (value ? "TRUE" : "FALSE") : value;
  return text.length > mostLabelCharacters ? `${text.slice(0, mostLabelCharacters)}…` : text;
}
