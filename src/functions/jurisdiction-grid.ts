import { asFailure, Failure } from "../errors";
import type { Ahj, DataPointType } from "../engine/api/schemas";
import type { CellAnswer } from "../engine/lookup/answers/kept-answers";
import { type AhjName, type LookedUp, nothing, type TypeName, type Wants } from "../engine/lookup/wants";
import { jurisdictionsOf, typeOf } from "../engine/lookup/asked-names";
import { cellsOf } from "./arguments";
import { type Call, checkSize } from "./call";

/** A formula's questions: a row for each jurisdiction, a column for each data point type. */
export interface Grid {
  rows: (AhjName | Failure | null)[];
  columns: (TypeName | Failure | null)[];
  /** The answer for a row and a column; null if one of them is blank. */
  answer(row: number, column: number): CellAnswer | null;
  /** The jurisdiction of a row; null if the row is blank. */
  ahj(row: number): Ahj | Failure | null;
  /** The data point type of a column, as far as the answers tell it; null if they don't. */
  type(column: number): DataPointType | null;
}

/**
 * Asks for every jurisdiction and type of two arguments, each once. A failure of the whole ask appears in each cell. `options` is called
 * when the host is ready; with `ahjs` and `types` it asks for the jurisdictions' and the types' own data too. `isTable`: the jurisdictions'
 * data is wanted even if there is no question for them.
 */
export async function readGrid(
  call: Call,
  { geoids, typeIds }: { geoids: unknown; typeIds: unknown },
  options: () => { dated?: boolean; ahjs?: boolean; types?: boolean },
  isTable = false,
): Promise<Grid> {
  const rows = await jurisdictionsOf(cellsOf(geoids));
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

/** The results, or the failure of the whole ask. */
export async function findOrFail(call: Call, wants: () => Wants): Promise<LookedUp | Failure> {
  try {
    return await call.ask(wants);
  } catch (thrown) {
    return asFailure(thrown);
  }
}

/** The distinct names, each with its index in the ask. */
export function placesOf<Name extends string | number>(
  wanted: readonly (Name | Failure | null)[],
): Map<Name, number> {
  const places = new Map<Name, number>();
  for (const name of wanted) {
    if (name !== null && !(name instanceof Failure) && !places.has(name)) places.set(name, places.size);
  }
  return places;
}
