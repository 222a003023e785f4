import { errorTexts, type CellValue } from "../../../spreadsheet";
import { HostError, notModelled } from "../../host-error";
import { bounded } from "../range-format";
import type { Family, Model, Ref } from "../object-model";

/** A value of a function's argument, the rows of a range, or the error of another function. */
type Argument = CellValue | CellValue[][] | { error: string };

/** Functions of formulas that the add-in calls, beside dates. */
export const functionFamily: Family<"Functions"> = {
  Functions(_self, model) {
    const call =
      (work: (...args: Argument[]) => CellValue | { error: string }) =>
      (...given: unknown[]): Ref<"FunctionResult"> => {
        const args = given.map((each) => argumentOf(each, model));
        const failed = args.find((each) => typeof each === "object" && "error" in each);
        const result = failed ? (failed as { error: string }) : work(...args);
        return typeof result === "object"
          ? { type: "FunctionResult", value: null, error: result.error }
          : { type: "FunctionResult", value: result };
      };
    return {
      objects: {
        // Office.js sends the values as one array.
        Sum: (values) => call(sum)(...(values as unknown[])),
        RandBetween: call(randomBetween),
        VLookup: call(verticalLookup),
      },
    };
  },
};

function argumentOf(given: unknown, { spreadsheet }: Model): Argument {
  if (typeof given === "number" || typeof given === "string" || typeof given === "boolean") return given;
  const ref = given as Ref | null | undefined;
  if (ref?.type === "Range") {
    const rows = spreadsheet.read(ref.sheetId, bounded(ref.rect)).map((row) => row.map(({ value }) => value));
    const error = rows.flat().find((value) => errorTexts.has(String(value)));
    return error === undefined ? rows : { error: String(error) };
  }
  if (ref?.type === "FunctionResult")
    return ref.error === undefined ? (ref.value as CellValue) : { error: ref.error };
  throw new HostError("InvalidArgument", "a value, a range or the result of a function expected");
}

/** Numbers of ranges count, and their texts and truth values do not; those that are given as such do (SUM of support.microsoft.com). */
function sum(...args: Argument[]): CellValue | { error: string } {
  let total = 0;
  for (const each of args) {
    if (Array.isArray(each)) {
      for (const value of each.flat()) if (typeof value === "number") total += value;
      continue;
    }
    const number = Number(each);
    if (each === "" || Number.isNaN(number)) return { error: "#VALUE!" };
    total += number;
  }
  return total;
}

function randomBetween(lowest: Argument, highest: Argument): CellValue | { error: string } {
  const [from, to] = [Math.ceil(numberOf(lowest)), Math.floor(numberOf(highest))];
  if (Number.isNaN(from + to)) return { error: "#VALUE!" };
  // "If bottom is greater than top" (RANDBETWEEN of support.microsoft.com).
  if (from > to) return { error: "#NUM!" };
  return from + Math.floor(Math.random() * (to - from + 1));
}

/** The exact lookup; the other one is by the order of the first column. */
function verticalLookup(
  wanted: Argument,
  rows: Argument,
  column: Argument,
  isApproximate: Argument = true,
): CellValue | { error: string } {
  if (isApproximate !== false && isApproximate !== 0) throw notModelled("Functions.VLookup of a near match");
  const at = Math.trunc(numberOf(column));
  if (!Array.isArray(rows) || Number.isNaN(at) || at < 1) return { error: "#VALUE!" };
  // "If col_index_num is greater than the number of columns in table-array" (VLOOKUP of support.microsoft.com).
  if (at > (rows[0]?.length ?? 0)) return { error: "#REF!" };
  if (typeof wanted === "string" && /[*?~]/.test(wanted))
    throw notModelled("Functions.VLookup with wildcards");
  const plain = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : value);
  const row = rows.find(([first]) => plain(first) === plain(wanted));
  const value = row?.[at - 1];
  // A blank cell is zero, as in formulas.
  return value === undefined ? { error: "#N/A" } : value === "" ? 0 : value;
}

function numberOf(argument: Argument): number {
  return Array.isArray(argument) ? Number(argument[0]?.[0] ?? Number.NaN) : Number(argument);
}
