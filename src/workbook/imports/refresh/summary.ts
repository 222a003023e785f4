import type { TableColumns } from "../../sheet/tables/bound-table";
import { isDateFormat, shownInCell } from "../../sheet/values/number-format";
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

/** What the cells of one question hold. */
interface Shown {
  hasColumn: boolean;
  /** The unit that only the header of its column names. */
  unit: string | null;
  ahjIds: Set<number>;
  numbers: ShownNumber[];
  /** All others, each with how often it is there. */
  texts: Map<string, number>;
  cells: number;
}

interface ShownNumber {
  value: number;
  numberFormat: string;
}

/**
 * Sums up what the table shows, question by question; `notRefreshed` are AHJs that the last refresh was not given. Pauses after
 * each cell.
 */
export function* summarize(
  saved: SavedImport,
  table: TableColumns,
  notRefreshed: ReadonlySet<number>,
): Generator<void, QuestionSummary[]> {
  const rows = importRows(saved, table);
  const hasColumn = saved.form.layout === "long";
  const ofType = new Map(
    saved.types.map(({ id }): [number, Shown] => [
      id,
      { hasColumn, unit: null, ahjIds: new Set(), numbers: [], texts: new Map(), cells: 0 },
    ]),
  );
  for (const { ahj, type, part, shown, numberFormat } of answerPlaces(saved, table, rows)) {
    yield;
    const of = ofType.get(type.id);
    if (!of || part !== "value") continue;
    of.hasColumn = true;
    // What the column's header says of its amounts, nothing else says here.
    of.unit = numberFormat ? type.unit_of_measure : null;
    if (shown !== undefined && shown.value !== "") addShown(of, ahj.id, shown);
  }
  const ahjIds = [...new Set(rows.map(({ ahj }) => ahj.id))];
  const summaries: QuestionSummary[] = [];
  for (const type of saved.types) {
    yield;
    const of = ofType.get(type.id);
    if (!of?.hasColumn) continue;
    const without = ahjIds.filter((id) => !of.ahjIds.has(id));
    const noAccess = without.filter((id) => notRefreshed.has(id)).length;
    summaries.push({
      type,
      counts: { value: of.ahjIds.size, none: without.length - noAccess, noAccess },
      numbers: numbersOf(of),
      texts: of.cells - of.numbers.length,
      commonest: commonestOf(of),
    });
  }
  return summaries;
}

function addShown(of: Shown, ahjId: number, { value, numberFormat }: NonNullable<AnswerPlace["shown"]>) {
  of.cells += 1;
  of.ahjIds.add(ahjId);
  if (typeof value === "number") return void of.numbers.push({ value, numberFormat });
  const text = shownInCell(value, numberFormat);
  of.texts.set(text, (of.texts.get(text) ?? 0) + 1);
}

function numbersOf({ numbers, unit }: Pick<Shown, "numbers" | "unit">): QuestionSummary["numbers"] {
  const sorted = [...numbers].sort((one, other) => one.value - other.value);
  const [smallest, median, largest] = [sorted[0], sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)];
  if (!smallest || !median || !largest) return null;
  // Amounts are compared with nothing, days with the first of them.
  const from = isDateFormat(smallest.numberFormat) ? smallest.value : 0;
  const range = largest.value - from;
  const at = (label: "Smallest" | "Median" | "Largest", { value, numberFormat }: ShownNumber) => ({
    label,
    text: shownInCell(value, numberFormat, unit),
    share: range > 0 ? (value - from) / range : 1,
  });
  return [at("Smallest", smallest), at("Median", median), at("Largest", largest)];
}

function commonestOf({ texts, cells }: Shown): QuestionSummary["commonest"] {
  return [...texts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostAnswers)
    .map(([text, count]) => ({ text, count, share: count / cells }));
}
