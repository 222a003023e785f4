import { whenThere } from "../async/when-there";
import { asFailure, Failure } from "../errors";
import type { Ahj, DataPointType } from "../engine/api/schemas";
import type { CellAnswer } from "../engine/lookup/answers/kept-answers";
import {
  type AhjName,
  type LookedUp,
  none,
  nothing,
  type Question,
  type TypeName,
} from "../engine/lookup/wants";
import { jurisdictionsOf, typeOf } from "../engine/lookup/asked-names";
import { cellsOf } from "./arguments";
import { type Call, checkSize } from "./call";

/** A formula's questions: a row for each jurisdiction, a column for each data point type. */
export class Grid {
  constructor(
    readonly rows: readonly (AhjName | Failure | null)[],
    readonly columns: readonly (TypeName | Failure | null)[],
    private readonly asked: { rows: Distinct<AhjName>; columns: Distinct<TypeName> },
    private readonly found: LookedUp | Failure,
  ) {}

  /** The answer for a row and a column; null if one of them is blank. */
  answer(row: number, column: number): CellAnswer | null {
    const [name = null, type = null] = [this.rows[row], this.columns[column]];
    if (name === null || type === null) return null;
    if (name instanceof Failure) return name;
    if (type instanceof Failure) return type;
    if (this.found instanceof Failure) return this.found;
    const { rows, columns } = this.asked;
    const place = (rows.places[row] ?? 0) * columns.names.length + (columns.places[column] ?? 0);
    return this.found.values[place] ?? new Failure("unexpected-answer");
  }

  /** The jurisdiction of a row; null if the row is blank. */
  ahj(row: number): Ahj | Failure | null {
    const name = this.rows[row] ?? null;
    if (name === null || name instanceof Failure) return name;
    if (this.found instanceof Failure) return this.found;
    return this.found.ahjs[this.asked.rows.places[row] ?? 0] ?? new Failure("unexpected-answer");
  }

  /** The data point type of a column, as far as the answers tell it; null if they don't. */
  type(column: number): DataPointType | null {
    const type = this.columns[column] ?? null;
    if (type === null || type instanceof Failure || this.found instanceof Failure) return null;
    return this.found.types[this.asked.columns.places[column] ?? 0] ?? null;
  }
}

/**
 * Asks for every jurisdiction and type of two arguments, each once. A failure of the whole ask appears in each cell. `options` is called
 * when the host is ready; with `ahjs` and `types` it asks for the jurisdictions' and the types' own data too. `isTable`: the jurisdictions'
 * data is wanted even if there is no question for them.
 */
export function readGrid(
  call: Call,
  { geoids, typeIds }: { geoids: unknown; typeIds: unknown },
  options: () => { dated?: boolean; ahjs?: boolean; types?: boolean },
  isTable = false,
): Grid | Promise<Grid> {
  return whenThere(jurisdictionsOf(cellsOf(geoids)), (rows) => {
    const columns = cellsOf(typeIds).map(typeOf);
    checkSize(rows.length, columns.length);
    const asked = { rows: distinct(rows), columns: distinct(columns) };
    const [names, typeNames] = [asked.rows.names, asked.columns.names];
    const questions: Question[] = [];
    for (const ahj of names) for (const type of typeNames) questions.push({ ahj, type });
    const gridOf = (found: LookedUp | Failure) => new Grid(rows, columns, asked, found);
    if (names.length === 0 || (questions.length === 0 && !isTable)) return gridOf(nothing);
    const found = call.ask(() => {
      const { dated = false, ahjs = false, types = false } = options();
      return { questions, dated, ahjs: ahjs ? names : none, types: types ? typeNames : none };
    });
    return found instanceof Promise
      ? found.then(gridOf, (thrown: unknown) => gridOf(asFailure(thrown)))
      : gridOf(found);
  });
}

/** The different names of an argument, in their first order, and the place of each of its cells among them; undefined for other cells. */
export interface Distinct<Name> {
  names: Name[];
  places: (number | undefined)[];
}

export function distinct<Name extends string | number>(
  wanted: readonly (Name | Failure | null)[],
): Distinct<Name> {
  const [first] = wanted;
  // Thousands of formulas ask for a single cell.
  if (wanted.length === 1 && first !== undefined && first !== null && !(first instanceof Failure))
    return { names: [first], places: onePlace };
  const known = new Map<Name, number>();
  const places = wanted.map((name) => {
    if (name === null || name instanceof Failure) return undefined;
    const place = known.get(name) ?? known.size;
    known.set(name, place);
    return place;
  });
  return { names: [...known.keys()], places };
}

const onePlace = [0];
