import { Failure, statusOf } from "../errors";
import { leavesBlank } from "../engine/absence";
import type { CellAnswer } from "../engine/lookup/answers/kept-answers";
import { answerFields } from "../workbook/formula-text/answer-fields";
import { cellText } from "../workbook/sheet/values/cell-value";
import { choiceOf } from "./arguments";
import type { Planned, ResultContent } from "./answer-plan";
import type { Call } from "./call";
import {
  citationOf,
  citesNumbers,
  type Host,
  type TypedAnswer,
  updatedCell,
  valueCell,
} from "./excel-values";
import { type Grid, type GridWork, planGrid } from "./jurisdiction-grid";

type Field = (typeof answerFields)[number];

/** The part of an answer that a formula shows, by the argument "field". */
const fields = {
  value: valueCell,
  text: ({ cell }) => cellText(cell.value),
  reference: ({ cell }) => cellText(cell.reference ?? ""),
  section: ({ cell }) => cellText(cell.section ?? ""),
  citation: ({ cell }) => citationOf(cell),
  // If the service could not be asked for the date, only the value may be kept.
  updated_at: ({ cell }, host) =>
    cell.updatedAt === null ? new Failure("unreachable") : updatedCell(cell.updatedAt, host),
  unit: ({ type }) => cellText(type.unit_of_measure),
  question: ({ type }) => cellText(type.name),
  status: ({ isOld }) => (isOld ? "old answer" : "ok"),
} satisfies Record<Field, (answer: TypedAnswer & { isOld: boolean }, host: Host) => ResultContent>;

/** The field that an argument names. */
export function fieldFrom(argument: unknown): Field {
  return choiceOf(argument, answerFields) ?? "value";
}

/** =REGDATA.VALUE */
export function value(
  call: Call,
  args: { geoid: unknown; typeId: unknown; field: unknown; ifMissing: unknown },
): Planned | Promise<Planned> {
  const field = fieldFrom(args.field);
  const shown = new ShownField(field, call.app, args.ifMissing as ResultContent | null);
  return planGrid({ geoids: args.geoid, typeIds: args.typeId }, shown);
}

/** A class, because thousands of formulas wait at once and share its functions. */
class ShownField implements GridWork {
  constructor(
    private readonly field: Field,
    private readonly host: Host,
    private readonly ifMissing: ResultContent | null,
  ) {}

  wanted() {
    return wanted(this.field, this.host);
  }

  rowsOf(grid: Grid) {
    return everyCell(grid, fieldOf(grid, this.field, this.host, this.ifMissing));
  }
}

type CellOf = (answer: CellAnswer, row: number, column: number) => ResultContent;

/** The cells of a result. A cell is blank if its jurisdiction or its type is blank. */
export function everyCell(grid: Grid, cellOf: CellOf): ResultContent[][] {
  return grid.rows.map((_, row) =>
    grid.columns.map((_, column) => {
      const answer = grid.answer(row, column);
      return answer === null ? "" : cellOf(answer, row, column);
    }),
  );
}

/** Returns the content of a cell. `ifMissing` replaces an answer without a value; null means no replacement. */
export function fieldOf(
  grid: Grid,
  field: Field,
  host: Host,
  ifMissing: ResultContent | null = null,
): CellOf {
  return (answer, _, column) => {
    if (!(answer instanceof Failure)) return fields[field](answer, host);
    if (field === "status") return statusOf(answer.kind);
    const type = grid.type(column);
    // A type has its name whichever jurisdiction is asked, and its unit even if there is no value.
    if (field === "question" && type) return cellText(type.name);
    if (!leavesBlank(answer.kind)) return answer;
    return (field === "unit" && type ? cellText(type.unit_of_measure) : undefined) ?? ifMissing ?? answer;
  };
}

/** The data that a field needs besides the value. Numbers that carry their citation carry its date too. */
export function wanted(field: Field, host: Host): { dated: boolean; types: boolean } {
  return {
    dated: field === "updated_at" || (field === "value" && citesNumbers(host)),
    types: field === "unit" || field === "question",
  };
}
