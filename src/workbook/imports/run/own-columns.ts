import type { DataPointType } from "../../../engine/api/schemas";
import { namesPlace } from "../../../engine/lookup/lists/headings";
import type { TypeFinder } from "../../../engine/lookup/search/find-types";
import { plainName } from "../../../engine/lookup/search/plain-name";
import type { TableColumns } from "../../sheet/tables/bound-table";
import { moneyIn } from "../../sheet/values/units";

/** A column of the user's own table, and the question that its header may mean. */
export interface HeadedColumn {
  header: string;
  /** The number of blank cells. */
  blanks: number;
  /** The number of cells that hold anything, formulas too. */
  filled: number;
  /** The question that the header's words find first; null if they find none. */
  type: DataPointType | null;
  /** True if the question has all words of the header, and its unit. A single word without a unit, such as "Status", may mean too much. */
  isSure: boolean;
}

/**
 * The columns of a table, in the table's order, but those of `taken` and those that name places. The table must have been read with all of its
 * columns and their formulas.
 * @example headedColumns(table, new Set(["City"]), finder)[0]; // { header: "permit fee $", blanks: 3, filled: 0, type: { id: 1056 }, isSure: true }
 */
export function headedColumns(
  { headers, columns }: TableColumns,
  taken: ReadonlySet<string>,
  finder: TypeFinder,
): HeadedColumn[] {
  return headers.flatMap((header): HeadedColumn[] => {
    const column = columns.get(header);
    // Nobody could find a column again whose header another one has too.
    const isOnlyOne = headers.indexOf(header) === headers.lastIndexOf(header);
    if (!column || !isOnlyOne || taken.has(header) || namesPlace(header)) return [];
    const blanks = column.values.filter((value, row) => value === "" && !column.formulas?.has(row)).length;
    return [{ header, blanks, filled: column.values.length - blanks, ...meantBy(header, finder) }];
  });
}

/** A unit at the end of a header: "(days)", "[$]". */
const unitInBrackets = /[([]\s*([^()[\]]+?)\s*[)\]]\s*$/;
const currencySign = /\p{Sc}|\busd\b/iu;

/** The question that a header means: the first one in the header's unit among those with all of its words. */
function meantBy(header: string, finder: TypeFinder): Pick<HeadedColumn, "type" | "isSure"> {
  const isOfMoney = currencySign.test(header);
  const unit = unitInBrackets.exec(header)?.[1] ?? "";
  const unitWords = currencySign.test(unit) ? "" : plainName(unit);
  const words = plainName(header.replace(unitInBrackets, " "));
  if (words === "") return { type: null, isSure: false };
  // The search reads units, too.
  const asked = [words, unitWords].filter(Boolean).join(" ");
  const whole = finder.find(asked);
  const { types } = whole.areClose ? finder.find(words) : whole;
  const isInUnit = ({ unit_of_measure }: DataPointType) => {
    const there = plainName(unit_of_measure).split(" ");
    const hasWords = unitWords.split(" ").every((word) => word === "" || there.includes(word));
    return hasWords && (!isOfMoney || moneyIn(unit_of_measure).currency !== undefined);
  };
  const inUnit = types.find(isInUnit);
  const saysEnough = isOfMoney || asked.includes(" ");
  return {
    type: inUnit ?? types[0] ?? null,
    isSure: inUnit !== undefined && !whole.areClose && saysEnough,
  };
}
