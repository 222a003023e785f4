import type { TableColumns } from "../../sheet/tables/bound-table";
import { isDateFormat, shownNumber } from "../../sheet/values/number-format";
import type { ColumnType } from "../../sheet/layout/table-plan";
import { answerPlaces, type AnswerPlace, importRows } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";

/** What an import's table shows of one question. */
export interface QuestionSummary {
  type: ColumnType;
  /** Jurisdictions: with a value, without one, and without one because the last refresh was not given it. */
  counts: { value: number; none: number; noAccess: number };
  /** Amounts and dates, as the cells show them; the lower of two in the middle. Null where there are none. */
  numbers: { label: "Smallest" | "Median" | "Largest"; text: string; share: number }[] | null;
  /** Values beside those: texts, or all where none is an amount. */
  texts: number;
  /** The commonest of those; the first of equals is the one that comes first in the table. */
  commonest: { text: string; count: number; share: number }[];
}

const mostAnswers = 3;

/** Sums up what the table shows, question by question; `notRefreshed` are AHJs that the last refresh was not given. */
export function summarize(
  saved: SavedImport,
  table: TableColumns,
  notRefreshed: ReadonlySet<number>,
): QuestionSummary[] {
  const rows = importRows(saved, table);
  const places = [...answerPlaces(saved, table, rows)].filter(({ part }) => part === "value");
  const ahjIds = new Set(rows.map(({ ahj }) => ahj.id));
  const ofType = new Map<number, AnswerPlace[]>(saved.types.map(({ id }) => [id, []]));
  for (const place of places) if (isFilled(place)) ofType.get(place.type.id)?.push(place);
  const shownTypes = new Set(places.map(({ type }) => type.id));
  return saved.types
    .filter(({ id }) => saved.form.layout === "long" || shownTypes.has(id))
    .map((type) => {
      const filled = ofType.get(type.id) ?? [];
      const withValue = new Set(filled.map(({ ahj }) => ahj.id));
      const without = [...ahjIds].filter((id) => !withValue.has(id));
      const noAccess = without.filter((id) => notRefreshed.has(id)).length;
      const texts = filled.filter(({ shown }) => typeof shown?.value !== "number");
      return {
        type,
        counts: { value: withValue.size, none: without.length - noAccess, noAccess },
        numbers: numbersOf(filled),
        texts: texts.length,
        commonest: commonestOf(texts, filled.length),
      };
    });
}

function isFilled({ shown }: AnswerPlace): boolean {
  return shown !== undefined && shown.value !== "";
}

function numbersOf(filled: readonly AnswerPlace[]): QuestionSummary["numbers"] {
  const sorted = filled
    .flatMap(({ shown }) => (typeof shown?.value === "number" ? [{ ...shown, value: shown.value }] : []))
    .sort((one, other) => one.value - other.value);
  const [smallest, median, largest] = [sorted[0], sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)];
  if (!smallest || !median || !largest) return null;
  // Amounts are compared with nothing, days with the first of them.
  const from = isDateFormat(smallest.numberFormat) ? smallest.value : 0;
  const range = largest.value - from;
  const at = (label: "Smallest" | "Median" | "Largest", { value, numberFormat }: typeof smallest) => ({
    label,
    text: shownNumber(value, numberFormat),
    share: range > 0 ? (value - from) / range : 1,
  });
  return [at("Smallest", smallest), at("Median", median), at("Largest", largest)];
}

function commonestOf(texts: readonly AnswerPlace[], all: number): QuestionSummary["commonest"] {
  const counts = new Map<string, number>();
  for (const { shown } of texts) {
    const text = typeof shown?.value === "boolean" ? (shown.value ? "TRUE" : "FALSE") : String(shown?.value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostAnswers)
    .map(([text, count]) => ({ text, count, share: count / all }));
}
