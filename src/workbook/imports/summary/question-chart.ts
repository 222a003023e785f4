import { stateTable } from "../../../pictures/by-state";
import { histogramOf } from "../../../pictures/histogram";
import {
  type AnswerCounts,
  commonestUnit,
  countAnswers,
  isOfAmounts,
  lackingWords,
  type PicturedAnswer,
  sortAnswers,
  type SortedAnswers,
} from "../../../pictures/pictured-answers";
import { countKinds } from "../../../pictures/question-picture";
import type { ChartPlan } from "../../sheet/drawing/chart-plan";
import type { ColumnType } from "../../sheet/layout/table-plan";
import { isDateFormat } from "../../sheet/values/shown-number";
import { unitOf } from "./summary-sheet";

/** The most answers that have a bar of their own. */
const mostAnswers = 12;
const mostLabelCharacters = 60;

/** The most jurisdictions that have a bar each. */
export const mostBars = 40;

/** The subject of a chart: the answers as the pane shows them, the amount of each jurisdiction, or the medians of several states. */
export type ChartSubject = "answers" | "jurisdictions" | "states";

/**
 * A question as a chart. The subject "answers" has, as columns, the numbers of jurisdictions with the amounts of the histogram's bins; if
 * most are not amounts, as bars, those with each answer. "jurisdictions" has bars, if there are at most 40 amounts; "states", columns with
 * the number of amounts behind each. A state without a median (by-state.ts) has no column. Null if there is nothing to draw.
 */
export function chartOfQuestion(
  question: ColumnType,
  answers: readonly PicturedAnswer[],
  subject: ChartSubject,
): ChartPlan | null {
  if (subject === "states") return chartOfMedians(question, answers);
  const sorted = sortAnswers(question, answers);
  if (subject === "jurisdictions") return chartOfJurisdictions(question, sorted);
  return (isOfAmounts(sorted) ? chartOfBins(question, sorted) : null) ?? chartOfAnswers(question, answers);
}

function chartOfBins(question: ColumnType, sorted: SortedAnswers): ChartPlan | null {
  const histogram = histogramOf(sorted, question.unit_of_measure);
  return (
    histogram && {
      title: question.name,
      leftOut: leftOutOf(sorted.counts, sorted.texts.length),
      kind: "columns",
      headers: ["Answer", "Jurisdictions"],
      rows: histogram.bins.map(({ label, count }) => ({ label, value: count })),
      numberFormat: "0",
    }
  );
}

function chartOfJurisdictions(
  question: ColumnType,
  { amounts, numberFormat, counts, texts }: SortedAnswers,
): ChartPlan | null {
  // Dates have no zero to start a bar from, so they get no bars.
  if (numberFormat === null || isDateFormat(numberFormat)) return null;
  if (amounts.length === 0 || amounts.length > mostBars) return null;
  const unit = unitOf(numberFormat, question.unit_of_measure);
  const rows = amounts.map(({ ahj, value }) => ({
    label: labelOf([ahj.name, ahj.state_code].filter((part) => part !== "").join(", ")),
    value,
  }));
  return {
    title: `${question.name} by jurisdiction`,
    leftOut: leftOutOf(counts, texts.length),
    kind: "bars",
    headers: ["Jurisdiction", unit === "" ? "Amount" : `Amount (${unit})`],
    rows: rows.reverse(),
    numberFormat,
  };
}

function chartOfMedians(question: ColumnType, answers: readonly PicturedAnswer[]): ChartPlan | null {
  const { rows, numberFormat } = stateTable(question, answers);
  const medians = rows.flatMap(({ state, median, amounts }) =>
    median ? [{ label: state || "State not known", value: median.value, count: amounts }] : [],
  );
  // Dates have no zero to start a column from, so they get no columns.
  if (numberFormat === null || medians.length < 2 || isDateFormat(numberFormat)) return null;
  const unit = unitOf(numberFormat, question.unit_of_measure);
  const counts = countAnswers(answers);
  const drawn = medians.reduce((sum, { count }) => sum + count, 0);
  const amounts = rows.reduce((sum, row) => sum + row.amounts, 0);
  return {
    title: `${question.name}: median by state`,
    leftOut: leftOutOf(counts, counts.value - amounts, amounts - drawn),
    kind: "columns",
    headers: ["State", unit === "" ? "Median" : `Median (${unit})`, "Amounts"],
    rows: medians,
    numberFormat,
  };
}

function chartOfAnswers(question: ColumnType, answers: readonly PicturedAnswer[]): ChartPlan | null {
  const values = answers.flatMap(({ shown }) => (typeof shown === "string" ? [] : [shown]));
  if (values.length === 0) return null;
  const { textOf } = commonestUnit(question, values);
  const counted = countKinds(
    values.map((shown) => ({ text: textOf(shown) })),
    ({ text }) => text,
  );
  const shown = counted.slice(0, mostAnswers);
  const others = values.length - shown.reduce((sum, { count }) => sum + count, 0);
  const rows = shown.map(({ text, count }) => ({ label: labelOf(text), value: count }));
  return {
    title: `${question.name}: answers`,
    leftOut: leftOutOf(countAnswers(answers), 0),
    kind: "bars",
    headers: ["Answer", "Jurisdictions"],
    rows: [...rows, ...(others > 0 ? [{ label: "All other answers", value: others }] : [])],
    numberFormat: "0",
  };
}

/**
 * The jurisdictions that a chart does not draw, in words, by the reason; undefined if it draws all. `texts` have a value that is not one
 * amount in the unit of the others; `withoutMedian` have an amount, but their state has mostly other answers.
 */
function leftOutOf(counts: AnswerCounts, texts: number, withoutMedian = 0): string | undefined {
  const words = [
    ...(texts > 0 ? [`${texts.toLocaleString("en-US")} not one amount in this unit`] : []),
    ...(withoutMedian > 0
      ? [`${withoutMedian.toLocaleString("en-US")} in states with mostly other answers`]
      : []),
    ...lackingWords(counts),
  ];
  const all = counts.value + counts.none + counts.unknown + counts.edited;
  return words.length === 0
    ? undefined
    : `of ${all.toLocaleString("en-US")} jurisdictions, ${words.join(", ")}`;
}

function labelOf(text: string): string {
  return text.length > mostLabelCharacters ? `${text.slice(0, mostLabelCharacters)}…` : text;
}
