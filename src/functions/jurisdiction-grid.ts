import { asFailure, Failure } from "../errors";
import type { Ahj, DataPointType } from "../engine/api/schemas";
import type { CellAnswer } from "../engine/lookup/answers/answers";
import type { AhjName, Found, TypeName, Wants } from "../engine/lookup/lookup";
import { jurisdictionOf, typeOf } from "../engine/lookup/asked-names";
import { cellsOf } from "./arguments";
import { type Call, checkSize } from "./call";

/** What a formula asks: a row for each jurisdiction, a column for each data point type. */
export interface Grid {
  rows: (AhjName | Failure | null)[];
  columns: (TypeName | Failure | null)[];
  /** Of a row and a column: null where one of them is blank. */
  answer(row: number, column: number): CellAnswer | null;
  /** Who a row is; null where it is blank. */
  ahj(row: number): Ahj | Failure | null;
  /** What a column is, as far as the answers tell. */
  type(column: number): DataPointType | null;
}

/**
 * Asks for every jurisdiction and type of two arguments, each once. What fails as a whole fails in each cell.
 * `ahjs`, `types`: who the jurisdictions are, what the types are is wanted too; called when the host is ready.
 * `isTable`: who the jurisdictions are is wanted even where nothing is asked of them.
 */
export async function readGrid(
  call: Call,
  geoids: unknown,
  typeIds: unknown,
  options: () => { dated?: boolean; ahjs?: boolean; types?: boolean },
  isTable = false,
): Promise<Grid> {
  const rows = cellsOf(geoids).map(jurisdictionOf);
  const columns = cellsOf(typeIds).map(typeOf);
  checkSize(rows.length, columns.length);
  const rowPlaces = placesOf(rows);
  const columnPlaces = placesOf(columns);
  const names = [...rowPlaces.keys()];
  const asked = [...columnPlaces.keys()];
  const questions = names.flatMap((ahj) => asked.map((type) => ({ ahj, type })));
  const found =
    names.length === 0 || (questions.length === 0 && !isTable)
      ? nothing
      : await findOrFail(call, () => {
          const { dated = false, ahjs = false, types = false } = options();
          return { questions, dated, ahjs: ahjs ? names : [], types: types ? asked : [] };
        });
  return {
    rows,
    columns,
    answer(row, column) {
      const [name = null, type = null] = [rows[row], columns[column]];
      if (name === null || type === null) return null;
      if (name instanceof Failure) return name;
      if (type instanceof Failure) return type;
      if (found instanceof Failure) return found;
      const place = (rowPlaces.get(name) ?? 0) * asked.length + (columnPlaces.get(type) ?? 0);
      return found.values[place] ?? new Failure("unexpected-answer");
    },
    ahj(row) {
      const name = rows[row] ?? null;
      if (name === null || name instanceof Failure) return name;
      if (found instanceof Failure) return found;
      return found.ahjs[rowPlaces.get(name) ?? 0] ?? new Failure("unexpected-answer");
    },
    type(column) {
      const type = columns[column] ?? null;
      if (type === null || type instanceof Failure || found instanceof Failure) return null;
      return found.types[columnPlaces.get(type) ?? 0] ?? null;
    },
  };
}

export const nothing: Found = { values: [], ahjs: [], details: [], types: [], names: [] };

/** What is found; a failure of all of it is a result too. */
export async function findOrFail(call: Call, wants: () => Wants): Promise<Found | Failure> {
  try {
    return await call.ask(wants);
  } catch (thrown) {
    return asFailure(thrown);
  }
}

/** What is wanted, without doubles, and at which place. */
export function placesOf<Name extends string | number>(
  wanted: readonly (Name | Failure | null)[],
): Map<Name, number> {
  const places = new Map<Name, number>();
  for (const name of wanted) {
    if (name !== null && !(name instanceof Failure) && !places.has(name)) places.set(name, places.size);
  }
  return places;
}
