import { inTurns } from "../../async/in-turns";
import { partsOf } from "../../lists";
import { Failure } from "../../errors";
import { jurisdictionsOf, typeOf } from "../../engine/lookup/asked-names";
import type { AhjName, TypeName } from "../../engine/lookup/lookup";
import { addressesIn, argumentRows, type FormulaCall, formulaCalls } from "../formula-text/formula-call";
import { type ArgumentRole, formulaFunctions, isFormulaFunction } from "../formula-text/formula-functions";
import { mayNameOwnRow, type OwnRow } from "../formula-text/own-row";
import { callCount, type CellArea, cellKey, type FormulaCell } from "../sheet/cells/formula-search";
import { readTablesOf, tableAt } from "../sheet/cells/named-places";
import { columnIndex } from "../sheet/layout/cell-address";
import type { Workbook } from "../sheet/workbook";

/** The questions of one call: every jurisdiction for every type. Blanks are left out. */
export interface AskedGrid {
  jurisdictions: AhjName[];
  types: TypeName[];
  /** The reasons why the formula refuses some of its arguments' cells. */
  refused: Failure[];
  /** True for REGDATA.AHJ, which asks for details of the jurisdictions and not for types. */
  isDetailed: boolean;
}

/** The names in the arguments of one call, as far as they can be told without calculating. */
export interface AskedCall extends AskedGrid {
  /** The function's name without the namespace, in capitals. */
  name: string;
  /** The texts of the arguments about jurisdictions and questions that can't be told, such as a defined name. */
  untold: string[];
}

/** The questions of a formula, as far as they can be told without calculating it. */
export interface AskedByFormula {
  cell: FormulaCell;
  /** The calls that ask for every jurisdiction and every type that they name, if all of these can be told. */
  grids: AskedGrid[];
  /** True if the questions of every call in the formula are known. */
  isWhole: boolean;
  /** All calls that could be read. */
  calls: AskedCall[];
  /** The number of calls that could not be read. */
  unread: number;
}

export interface AskedDependencies {
  workbook: Pick<Workbook, "valuesAt" | "readCells" | "run">;
  /** The prefix of the add-in's functions, such as REGDATA. */
  namespace: string;
  signal?: AbortSignal | undefined;
}

/** Reads the questions of formulas from their arguments, and from the cells to which the arguments refer. */
export async function askedByFormulas(
  cells: readonly FormulaCell[],
  { workbook, namespace, signal }: AskedDependencies,
): Promise<AskedByFormula[]> {
  const formulas: { cell: FormulaCell; calls: FormulaCall[] }[] = [];
  const ownRowOf = await readOwnRows(cells, workbook);
  await inTurns(cells, (cell) =>
    formulas.push({ cell, calls: formulaCalls(cell.formula, namespace, ownRowOf(cell)) }),
  );
  const contents = await readCells(formulas, workbook, signal);
  return Promise.all(
    formulas.map(async ({ cell, calls }) => {
      const cellsAt = (address: string) => contents.get(cell.sheetId)?.get(address);
      const asked = await Promise.all(calls.map((call) => askedByCall(call, cellsAt)));
      const grids = asked.filter(({ name, untold }) => asksGrid(name) && untold.length === 0);
      const unread = Math.max(0, callCount(cell.formula, namespace) - calls.length);
      const isWhole = calls.length > 0 && unread === 0 && grids.length === calls.length;
      return { cell, grids, isWhole, calls: asked, unread };
    }),
  );
}

/** The rows of tables in which formulas stand that may name cells of theirs. */
async function readOwnRows(
  cells: readonly FormulaCell[],
  workbook: AskedDependencies["workbook"],
): Promise<(cell: FormulaCell) => OwnRow | undefined> {
  const naming = cells.filter(({ formula }) => mayNameOwnRow(formula));
  if (naming.length === 0) return () => undefined;
  const sheetIds = [...new Set(naming.map(({ sheetId }) => sheetId))];
  const tables = await workbook.run((context) => readTablesOf(context, sheetIds));
  return (cell) => {
    const table = mayNameOwnRow(cell.formula) ? tableAt(tables, cell) : undefined;
    return table && { row: cell.row, column: table.column, headers: table.columnNames };
  };
}

async function askedByCall(
  call: FormulaCall,
  cellsAt: (address: string) => unknown[][] | null | undefined,
): Promise<AskedCall> {
  const { name } = call;
  const roles = rolesOf(name);
  const untold: string[] = [];
  const rowsOf = (role: ArgumentRole): unknown[][] => {
    const argument = call.args[roles.indexOf(role)];
    if (!argument || argument.kind === "omitted") return [];
    const rows = argumentRows(argument, cellsAt);
    if (!rows) untold.push(argument.text);
    return rows ?? [];
  };
  const ahjs = await jurisdictionsOf(rowsOf("jurisdictions").flat());
  // A condition begins with its question.
  const inConditions = rowsOf("conditions").map(([question]) => question);
  const types = [...rowsOf("types").flat(), ...inConditions].map(typeOf);
  return {
    name,
    jurisdictions: ahjs.filter(isThere),
    types: types.filter(isThere),
    refused: [...ahjs, ...types].filter((each) => each instanceof Failure),
    isDetailed: name === "AHJ",
    untold,
  };
}

function rolesOf(name: string): readonly ArgumentRole[] {
  if (name === "AHJ") return ["jurisdictions"];
  return isFormulaFunction(name) ? formulaFunctions[name] : [];
}

/** True if a function asks for each jurisdiction and each type of its arguments, or for each jurisdiction alone. */
function asksGrid(name: string): boolean {
  const roles = rolesOf(name);
  return roles.includes("jurisdictions") && (name === "AHJ" || roles.includes("types"));
}

/** True if the cell is not blank and the formula does not refuse it. */
function isThere<Thing>(cell: Thing | Failure | null): cell is Thing {
  return cell !== null && !(cell instanceof Failure);
}

/** The values of the cells to which arguments refer, by sheet id and by address as the formula writes it. */
async function readCells(
  formulas: readonly { cell: FormulaCell; calls: readonly FormulaCall[] }[],
  workbook: AskedDependencies["workbook"],
  signal: AbortSignal | undefined,
) {
  const addresses = new Map<string, Set<string>>();
  for (const { cell, calls } of formulas) {
    const ofSheet = addresses.get(cell.sheetId) ?? new Set<string>();
    addresses.set(cell.sheetId, ofSheet);
    for (const { args } of calls) {
      for (const address of args.flatMap(addressesIn)) ofSheet.add(address);
    }
  }
  const contents = new Map<string, Map<string, unknown[][] | null>>();
  for (const [sheetId, ofSheet] of addresses) {
    const read = new Map<string, unknown[][] | null>();
    contents.set(sheetId, read);
    // Most of the addresses are single cells of the formula's own sheet, such as those beside it. They are read as few areas.
    const singles = new Map<string, CellArea>();
    const others: string[] = [];
    for (const address of ofSheet) {
      const place = singleCell(address);
      if (place) singles.set(address, { sheetId, ...place, rows: 1, columns: 1 });
      else others.push(address);
    }
    if (singles.size > 0) {
      const shown = await workbook.readCells([...singles.values()], ["value", "text"], signal);
      for (const [address, { row, column }] of singles) {
        const held = shown.get(cellKey(sheetId, row, column));
        read.set(address, held ? [[held.value]] : null);
      }
    }
    for (const part of partsOf(others, addressesAtOnce)) {
      if (signal?.aborted) throw new Failure("cancelled");
      const values = await workbook.valuesAt(sheetId, part);
      part.forEach((address, index) => read.set(address, values[index] ?? null));
    }
  }
  return contents;
}

/** The row and column of an address such as `$B7`, which names no sheet; null for any other. */
function singleCell(address: string): { row: number; column: number } | null {
  const [, letters, row] = /^\$?([A-Z]{1,3})\$?([1-9]\d*)$/i.exec(address) ?? [];
  return letters === undefined ? null : { row: Number(row) - 1, column: columnIndex(letters.toUpperCase()) };
}

const addressesAtOnce = 500;
