import { stateTable } from "../../../pictures/by-state";
import { commonestUnit, type PicturedAnswer } from "../../../pictures/pictured-answers";
import { countKinds } from "../../../pictures/question-picture";
import type { ChartPlan } from "../../sheet/drawing/chart-plan";
import type { ColumnType } from "../../sheet/layout/table-plan";
import { isDateFormat } from "../../sheet/values/shown-number";
import { unitOf } from "./summary-sheet";

/** The most answers that have a bar of their own. */
const mostAnswers = 12;
const mostLabelCharacters = 60;

/**
 * A question as a chart: as columns, the medians of several states, with the number of amounts behind each; otherwise, as bars, the number
 * of jurisdictions with each answer. A state without a median (by-state.ts) has no column. Null if no jurisdiction has a value.
 */
export function chartOfQuestion(question: ColumnType, answers: readonly PicturedAnswer[]): ChartPlan | null {
  return chartOfMedians(question, answers) ?? chartOfAnswers(question, answers);
}

function chartOfMedians(question: ColumnType, answers: readonly PicturedAnswer[]): ChartPlan | null {
  const { rows, numberFormat } = stateTable(question, answers);
  const medians = rows.flatMap(({ state, median, amounts }) =>
    median ? [{ label: state || "State not known", value: median.value, count: amounts }] : [],
  );
  // Dates have no zero to start a column from, so they get no columns.
  if (numberFormat === null || medians.length < 2 || isDateFormat(numberFormat)) return null;
  const unit = unitOf(numberFormat, question.unit_of_measure);
  return {
    title: `${question.name}: median by state`,
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
    kind: "bars",
    headers: ["Answer", "Jurisdictions"],
    rows: [...rows, ...(others > 0 ? [{ label: "All other answers", value: others }] : [])],
    numberFormat: "0",
  };
}

function labelOf(text: string): string {
  return text.length > mostLabelCharacters ? `${text.slice(0, mostLabelCharacters)}…` : text;
}
