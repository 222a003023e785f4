import type { DataPointType } from "../../engine/api/schemas";
import { isBlank, jurisdictionsOf, quoted, typeOf } from "../../engine/lookup/asked-names";
import { isPlaceName } from "../../engine/lookup/directory/geoid";
import { kindOfWord } from "../../engine/lookup/directory/kind-words";
import type { AhjName, TypeName } from "../../engine/lookup/lookup";
import { Failure } from "../../errors";
import { type Condition, testOf } from "../../find/conditions/condition";
import {
  conditionWordsOf,
  type Operator,
  operatorLabel,
  operatorReadings,
  operators,
  operatorsFor,
  readOperator,
} from "../../find/conditions/operators";
import { config } from "../../config";
import { answerKind } from "../../find/readings/answer-reading";
import { msOfSerial } from "../../workbook/sheet/values/serial-date";
import { unitForm } from "../../workbook/sheet/values/units";
import { cellsOf } from "../arguments";

/** The jurisdictions that a formula looks at, in the order of its argument, and the kinds that they may be of; none stands for any. */
export type Where =
  | { kind: "all"; kinds: readonly string[] }
  | { kind: "some"; names: readonly WhereName[]; kinds: readonly string[] };

/** A state's code, a jurisdiction, or a code that stands for none and is not asked. */
export type WhereName = { state: string } | { ahj: AhjName } | Refused;

/** A geoID or name that stands for no jurisdiction, and why. */
export interface Refused {
  refusal: Failure;
  geoid: string;
}

/** Reads geoIDs, `ahj:` and ids, names, states by code or name, kinds such as "counties", and "all". */
export async function readWhere(argument: unknown): Promise<Where> {
  const given = cellsOf(argument).filter((cell) => !isBlankCell(cell));
  if (given.length === 0) throw refusal('"where" is blank: give geoIDs, states or "all".');
  const kinds = given.flatMap((cell) => kindOfWord(wordOf(cell)) ?? []);
  const cells = given.filter((cell) => kindOfWord(wordOf(cell)) === undefined);
  if (cells.length === 0 || cells.some((cell) => wordOf(cell) === "all")) return { kind: "all", kinds };
  const [{ stateCodeOf }, { stateBehind }] = await Promise.all([
    import("../../engine/lookup/search/state-names"),
    import("../../engine/lookup/search/split-state"),
  ]);
  const states = cells.map((cell) => (typeof cell === "string" ? stateCodeOf(cell) : undefined));
  const others = await jurisdictionsOf(cells.filter((_, at) => states[at] === undefined));
  const names = cells.map((cell, at): WhereName => {
    const state = states[at];
    if (state !== undefined) return { state };
    const ahj = others.shift() ?? null;
    if (ahj instanceof Failure && ahj.kind === "not-a-jurisdiction")
      return { refusal: ahj, geoid: String(cell).trim() };
    if (ahj === null || ahj instanceof Failure)
      throw refusal(`${quoted(cell)} in "where" is neither a geoID nor a state, nor "all".`);
    // A misspelled state would take the list of the whole country.
    if (typeof ahj === "string" && isPlaceName(ahj) && !stateBehind(ahj))
      throw refusal(
        `${quoted(cell)} in "where" is no state, and the name of a jurisdiction needs its state here, as in "Alameda County, CA".`,
      );
    return { ahj };
  });
  if (kinds.length > 0 && !names.every((name) => "state" in name))
    throw refusal('"where" names kinds of jurisdictions: beside them it takes states or "all" alone.');
  return { kind: "some", names, kinds };
}

/** A row of the conditions. */
export interface ConditionRow {
  /** The row's place in the range, from 1 on. */
  row: number;
  type: TypeName;
  operator: Operator;
  value: unknown;
}

/** Reads the conditions. Their questions must still be looked up. Blank rows are left out. */
export function readConditionRows(argument: unknown): ConditionRow[] {
  const rows = Array.isArray(argument) ? (argument as unknown[][]) : [[argument]];
  const columns = rows[0]?.length ?? 0;
  if (rows.flat().every(isBlankCell))
    throw refusal("The conditions are missing: give question, operator and value in three columns.");
  if (columns < 2 || columns > 3)
    throw refusal(
      'The conditions need three columns: question, operator and value. Operator and value may stand in one cell, as in "under 10".',
    );
  const read = rows.flatMap((cells, index) => {
    const [question, operator, value] = cells;
    return cells.every(isBlankCell) ? [] : [conditionRow(index + 1, question, operator, value)];
  });
  if (read.length > config.mostConditions)
    throw refusal(`There are more than ${config.mostConditions} conditions.`);
  return read;
}

function conditionRow(row: number, question: unknown, operator: unknown, value: unknown): ConditionRow {
  const type = isBlankCell(question) ? null : typeOf(question);
  if (type === null) throw refusedRow(row, "The question is missing.");
  if (type instanceof Failure) throw refusedRow(row, `${quoted(question)} is no question id.`);
  if (isBlankCell(operator)) throw refusedRow(row, "The operator is missing, such as at most.");
  const whole = readOperator(String(operator));
  const read = whole === null ? comparisonIn(operator, value) : { operator: whole, value };
  if (read === null)
    throw refusedRow(
      row,
      `${quoted(operator)} is no operator. There are: ${Object.values(operators)
        .map(({ label }) => label)
        .join(", ")}.`,
    );
  return { row, type, ...read };
}

/** An operator and its value from a text that has both, such as "under 10"; null if it has not, or if another value stands beside it. */
function comparisonIn(cell: unknown, beside: unknown): Pick<ConditionRow, "operator" | "value"> | null {
  if (!isBlankCell(beside)) return null;
  const readings = operatorReadings(conditionWordsOf(String(cell)));
  const read = readings.find(({ operator }) => operators[operator].operand !== "none");
  return read ? { operator: read.operator, value: read.operand } : null;
}

/** The condition that a row means; `type` is its question. Throws a failure that names the row if the row can't be used. */
export function conditionOf(
  { row, operator, value }: ConditionRow,
  type: DataPointType,
  nowMs: number,
): Condition {
  const { id, name, unit_of_measure } = type;
  const kind = answerKind(unit_of_measure);
  const label = operatorLabel(operator, kind);
  if (!operatorsFor(kind).includes(operator)) {
    const fitting = operatorsFor(kind).map((each) => operatorLabel(each, kind));
    throw refusedRow(row, `"${label}" does not fit “${name}”. What fits: ${fitting.join(", ")}.`);
  }
  const condition = { type: { id, name, unit_of_measure }, operator, operand: "" };
  if (operators[operator].operand === "none") {
    if (!isBlankCell(value)) throw refusedRow(row, `"${label}" takes no value: leave the third cell blank.`);
    return condition;
  }
  if (isBlankCell(value)) {
    const zero = value === 0 ? " Excel gives a blank cell as 0; for zero write it as text, '0." : "";
    throw refusedRow(row, `"${label}" needs a value.${zero}`);
  }
  const meant = { ...condition, ...operandOf(row, operator, value, unit_of_measure) };
  const test = testOf(meant, nowMs);
  if (test instanceof Failure) throw refusedRow(row, test.detail ?? "");
  return meant;
}

/** True if the value of a row may be the number of a day, which depends on the workbook's date system. */
export function mayBeDay(
  { operator, value }: Pick<ConditionRow, "operator" | "value">,
  { unit_of_measure }: Pick<DataPointType, "unit_of_measure">,
): boolean {
  const { operand } = operators[operator];
  const isOfDays =
    operand === "day" ||
    operand === "age" ||
    (operand === "answer" && answerKind(unit_of_measure) === "date");
  return typeof value === "number" && isOfDays;
}

/** A number of an earlier day is no day but the length of an age, because no service has answers from before. */
const firstDayMs = Date.UTC(1990, 0, 1);

/** A value in the form in which the pane would have it typed, because Excel gives days and percentages as numbers. */
function operandOf(
  row: number,
  operator: Operator,
  value: unknown,
  unit: string,
): Pick<Condition, "operator" | "operand"> {
  const text = (operand: string) => ({ operator, operand });
  const kind = answerKind(unit);
  if (typeof value === "boolean")
    return text(kind === "yes-no" ? (value ? "yes" : "no") : String(value).toUpperCase());
  if (typeof value !== "number") return text(String(value).trim());
  const { operand } = operators[operator];
  const isDay =
    mayBeDay({ operator, value }, { unit_of_measure: unit }) &&
    (operand !== "age" || msOfSerial(value) >= firstDayMs);
  if (isDay) return text(dayOf(row, value));
  if (operand === "answer" && unitForm(unit)?.kind === "percent") {
    if (value > mostShare)
      throw refusedRow(row, `As a number ${value} is ${value * 100} %. Write ${value}% instead.`);
    return text(`${Number((value * 100).toPrecision(12))}%`);
  }
  return text(String(value));
}

/** The largest share, such as 0.33. A larger number certainly means percent. */
const mostShare = 2;

function dayOf(row: number, serial: number): string {
  const ms = msOfSerial(serial);
  if (Number.isNaN(ms)) throw refusedRow(row, `${serial} is no date.`);
  return new Date(ms).toISOString().slice(0, 10);
}

/** True for a blank cell, which arrives as 0, null or an empty text, and for a text of blanks. */
function isBlankCell(cell: unknown): boolean {
  return isBlank(cell) || (typeof cell === "string" && cell.trim() === "");
}

function wordOf(cell: unknown): string {
  return typeof cell === "string" ? cell.trim().toLowerCase() : "";
}

function refusal(detail: string): Failure {
  return new Failure("invalid-argument", { detail });
}

/** The failure of a row of the conditions. */
export function refusedRow(row: number, why: string): Failure {
  return refusal(`Row ${row} of the conditions: ${why}`);
}
