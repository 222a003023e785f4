import { whenThere } from "../async/when-there";
import { Failure } from "../errors";
import type { Ahj, DataPointType } from "../engine/api/schemas";
import type { CellAnswer } from "../engine/lookup/answers/kept-answers";
import {
  type AhjName,
  type LookedUp,
  none,
  nothing,
  type Question,
  type TypeName,
  type Wants,
} from "../engine/lookup/wants";
import { jurisdictionsOf, typeOf } from "../engine/lookup/asked-names";
import { cellsOf } from "./arguments";
import type { AnswerPlan, Planned, ResultContent } from "./answer-plan";
import { checkSize } from "./call";

/** The answers to a formula's questions: a row for each jurisdiction, a column for each data point type. */
export class Grid {
  private readonly ahjs: Distinct<AhjName>;
  private readonly types: Distinct<TypeName>;

  constructor(
    readonly rows: readonly Named<AhjName>[],
    readonly columns: readonly Named<TypeName>[],
    private readonly found: LookedUp | Failure,
  ) {
    this.ahjs = distinct(rows);
    this.types = distinct(columns);
  }

  /** The answer for a row and a column; null if one of them is blank. */
  answer(row: number, column: number): CellAnswer | null {
    const [name = null, type = null] = [this.rows[row], this.columns[column]];
    if (name === null || type === null) return null;
    if (name instanceof Failure) return name;
    if (type instanceof Failure) return type;
    if (this.found instanceof Failure) return this.found;
    const place = (this.ahjs.places[row] ?? 0) * this.types.names.length + (this.types.places[column] ?? 0);
    return this.found.values[place] ?? new Failure("unexpected-answer");
  }

  /** The jurisdiction of a row; null if the row is blank. */
  ahj(row: number): Ahj | Failure | null {
    const name = this.rows[row] ?? null;
    if (name === null || name instanceof Failure) return name;
    if (this.found instanceof Failure) return this.found;
    return this.found.ahjs[this.ahjs.places[row] ?? 0] ?? new Failure("unexpected-answer");
  }

  /** The data point type of a column, as far as the answers tell it; null if they don't. */
  type(column: number): DataPointType | null {
    const type = this.columns[column] ?? null;
    if (type === null || type instanceof Failure || this.found instanceof Failure) return null;
    return this.found.types[this.types.places[column] ?? 0] ?? null;
  }
}

/** A formula that shows a grid. */
export interface GridWork {
  /** Called when the host is ready. With `ahjs` and `types`, the jurisdictions' and the types' own data is asked for too. */
  wanted(): { dated?: boolean; ahjs?: boolean; types?: boolean };
  rowsOf(grid: Grid): ResultContent[][];
  /** True if the jurisdictions' data is wanted even if there is no question for them. */
  isTable?: boolean;
}

/** Plans to ask for every jurisdiction and type of two arguments, each once. A failure of the whole ask appears in each cell. */
export function planGrid(
  { geoids, typeIds }: { geoids: unknown; typeIds: unknown },
  work: GridWork,
): Planned | Promise<Planned> {
  return whenThere(jurisdictionsOf(cellsOf(geoids)), (rows): Planned => {
    const columns = cellsOf(typeIds).map(typeOf);
    checkSize(rows.length, columns.length);
    const plan = new GridPlan(work, rows, columns);
    const asksNothing = !rows.some(isName) || (!columns.some(isName) && !work.isTable);
    return asksNothing ? plan.resultOf(nothing) : plan;
  });
}

class GridPlan implements AnswerPlan {
  constructor(
    private readonly work: GridWork,
    private readonly rows: readonly Named<AhjName>[],
    private readonly columns: readonly Named<TypeName>[],
  ) {}

  wants(): Wants {
    const [{ names }, { names: types }] = [distinct(this.rows), distinct(this.columns)];
    // It has its length from the start, because an array that grows takes the memory of many questions.
    const questions = new Array<Question>(names.length * types.length);
    let place = 0;
    for (const ahj of names) for (const type of types) questions[place++] = { ahj, type };
    const { dated = false, ahjs = false, types: hasTypes = false } = this.work.wanted();
    return { questions, dated, ahjs: ahjs ? names : none, types: hasTypes ? types : none };
  }

  resultOf(found: LookedUp | Failure): ResultContent[][] {
    return this.work.rowsOf(new Grid(this.rows, this.columns, found));
  }
}

/** The name in a cell; a Failure if the cell has none, null if it is blank. */
export type Named<Name> = Name | Failure | null;

/** The different names of an argument, in their first order, and the place of each of its cells among them; undefined for other cells. */
export interface Distinct<Name> {
  names: readonly Name[];
  places: (number | undefined)[];
}

export function distinct<Name extends string | number>(
  wanted: readonly (Name | Failure | null)[],
): Distinct<Name> {
  // Thousands of formulas ask for a single cell.
  if (wanted.length === 1 && wanted.every(isName)) return { names: wanted, places: onePlace };
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

function isName<Name extends string | number>(cell: Name | Failure | null): cell is Name {
  return cell !== null && !(cell instanceof Failure);
}
