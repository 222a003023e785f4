import { stateOfGeoid } from "../../../engine/lookup/directory/states";
import type { ColumnType, RowAhj } from "../../sheet/layout/table-plan";
import type { TableColumns } from "../../sheet/tables/bound-table";
import { answerPlaces, importRows } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";

/** What the add-in knows of an AHJ by its id, without asking: a table beside a list has no column for it. */
export type KnownAhj = (ahjId: number) => Pick<RowAhj, "state_code" | "geoid" | "name"> | undefined;

/** A value as its cell holds it. */
export interface HeldValue {
  value: number | string | boolean;
  numberFormat: string;
}

/** What an import's table shows of one question in one state. */
export interface StateSummary {
  type: ColumnType;
  /** Postal code; "" where nobody knows it. */
  state: string;
  /** Jurisdictions. */
  ahjs: number;
  withValue: number;
  /** All that the cells hold, in the table's order. */
  values: HeldValue[];
}

/**
 * Sums up what the table shows, by question and state: questions in the import's order, states by their codes. A question whose
 * column is gone is left out. Pauses after each cell.
 */
export function* summarizeByState(
  saved: SavedImport,
  table: TableColumns,
  known: KnownAhj,
): Generator<void, StateSummary[]> {
  const rows = importRows(saved, table);
  const stateOf = new Map(rows.map(({ ahj }) => [ahj.id, stateOfAhj(ahj, known)]));
  const ahjs = new Map<string, number>();
  for (const state of stateOf.values()) ahjs.set(state, (ahjs.get(state) ?? 0) + 1);
  const states = [...ahjs.keys()].sort((one, other) => byName(one, other));

  const questions = new Map<number, Map<string, { ids: Set<number>; values: HeldValue[] }>>();
  const valuesOf = (typeId: number) => {
    const found =
      questions.get(typeId) ??
      new Map(states.map((state) => [state, { ids: new Set<number>(), values: [] }]));
    questions.set(typeId, found);
    return found;
  };
  if (saved.form.layout === "long") for (const { id } of saved.types) valuesOf(id);
  for (const { ahj, type, part, shown } of answerPlaces(saved, table, rows)) {
    yield;
    if (part !== "value" || !shown) continue;
    const of = valuesOf(type.id).get(stateOf.get(ahj.id) ?? "");
    const value = heldValue(shown.value);
    if (!of || value === null) continue;
    of.ids.add(ahj.id);
    of.values.push({ value, numberFormat: shown.numberFormat });
  }
  return saved.types.flatMap((type) =>
    [...(questions.get(type.id) ?? [])].map(([state, { ids, values }]) => ({
      ...{ type, state, values },
      ahjs: ahjs.get(state) ?? 0,
      withValue: ids.size,
    })),
  );
}

/** What a cell holds; null where it is blank. */
export function heldValue(value: unknown): HeldValue["value"] | null {
  if (value === "" || value === null || value === undefined) return null;
  return typeof value === "number" || typeof value === "boolean" ? value : String(value);
}

/** The state that a table, or else the directory or a geoID, tells of an AHJ. */
export function stateOfAhj({ id, state_code, geoid }: RowAhj, known: KnownAhj): string {
  const other = known(id);
  return state_code || other?.state_code || stateOfGeoid(geoid ?? other?.geoid ?? "") || "";
}

/** What is not known comes last. */
function byName(one: string, other: string): number {
  if (one === "" || other === "") return one === other ? 0 : one === "" ? 1 : -1;
  return one < other ? -1 : 1;
}

/** The lower of the two numbers in the middle, so that it is a real cell's; null where there are none. */
export function medianOf(values: readonly HeldValue[]): (HeldValue & { value: number }) | null {
  const numbers = values
    .filter((each): each is HeldValue & { value: number } => typeof each.value === "number")
    .sort((one, other) => one.value - other.value);
  return numbers[Math.floor((numbers.length - 1) / 2)] ?? null;
}

/** The value that most cells hold; of equals the first. Null where there are none. */
export function commonestOf(values: readonly HeldValue[]): (HeldValue & { count: number }) | null {
  return countedValues(values)[0] ?? null;
}

/** Each value with how many cells hold it, the commonest first. */
export function countedValues(values: readonly HeldValue[]): (HeldValue & { count: number })[] {
  const counted = new Map<string, HeldValue & { count: number }>();
  for (const held of values) {
    const key = JSON.stringify([held.value, typeof held.value === "number" ? held.numberFormat : ""]);
    const known = counted.get(key);
    if (known) known.count += 1;
    else counted.set(key, { ...held, count: 1 });
  }
  return [...counted.values()].sort((one, other) => other.count - one.count);
}
