import { type StateValues, valuesByState } from "../../../pictures/by-state";
import type { ShownValue } from "../../../pictures/pictured-answers";
import { stateOfGeoid } from "../../../engine/lookup/directory/states";
import type { ColumnType, RowAhj } from "../../sheet/layout/table-plan";
import type { TableColumns } from "../../sheet/tables/bound-table";
import { answerPlaces, importRows } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";

/** What the add-in knows of an AHJ by its id, without asking: a table beside a list has no column for it. */
export type KnownAhj = (ahjId: number) => Pick<RowAhj, "state_code" | "geoid" | "name"> | undefined;

/** What an import's table shows of one question in one state. */
export interface StateSummary extends StateValues {
  type: ColumnType;
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
  const ahjs = new Map(
    rows.map(({ ahj }) => [ahj.id, { id: ahj.id, state_code: stateOfAhj(ahj, known) }] as const),
  );
  type Held = { ahj: { id: number; state_code: string }; shown: ShownValue };
  const held = new Map<number, Held[]>();
  if (saved.form.layout === "long") for (const { id } of saved.types) held.set(id, []);
  for (const { ahj, type, part, shown } of answerPlaces(saved, table, rows)) {
    yield;
    if (part !== "value") continue;
    const ofType = held.get(type.id) ?? [];
    held.set(type.id, ofType);
    const [of, value] = [ahjs.get(ahj.id), heldValue(shown?.value)];
    if (of && shown && value !== null)
      ofType.push({ ahj: of, shown: { value, numberFormat: shown.numberFormat } });
  }
  return saved.types.flatMap((type) => {
    const ofType = held.get(type.id);
    if (!ofType) return [];
    const answered = new Set(ofType.map(({ ahj }) => ahj.id));
    const others = [...ahjs.values()].filter(({ id }) => !answered.has(id));
    const answers = [...ofType, ...others.map((ahj) => ({ ahj, shown: "no value" as const }))];
    return valuesByState(type, answers).map((values) => ({ type, ...values }));
  });
}

/** What a cell holds; null where it is blank. */
export function heldValue(value: unknown): ShownValue["value"] | null {
  if (value === "" || value === null || value === undefined) return null;
  return typeof value === "number" || typeof value === "boolean" ? value : String(value);
}

/** The state that a table, or else the directory or a geoID, tells of an AHJ. */
export function stateOfAhj({ id, state_code, geoid }: RowAhj, known: KnownAhj): string {
  const other = known(id);
  return state_code || other?.state_code || stateOfGeoid(geoid ?? other?.geoid ?? "") || "";
}
