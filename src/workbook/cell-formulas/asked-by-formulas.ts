import { partsOf } from "../../lists";
import { Failure } from "../../errors";
import { jurisdictionsOf, typeOf } from "../../engine/lookup/asked-names";
import type { AhjName, TypeName } from "../../engine/lookup/lookup";
import { type FormulaCall, formulaCalls } from "../formula-text/formula-call";
import { formulaFunctions, isFormulaFunction } from "../formula-text/formula-functions";
import { callCount, type FormulaCell } from "../sheet/cells/formula-search";
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

/** The questions of a formula, as far as they can be told without calculating it. */
export interface AskedByFormula {
  cell: FormulaCell;
  grids: AskedGrid[];
  /** True if the questions of every call in the formula are known. */
  isWhole: boolean;
}

export interface AskedDependencies {
  workbook: Pick<Workbook, "valuesAt">;
  /** The prefix of the add-in's functions, such as REGDATA. */
  namespace: string;
  signal?: AbortSignal | undefined;
}

/** Reads the questions of formulas from their arguments, and from the cells to which the arguments refer. */
export async function askedByFormulas(
  cells: readonly FormulaCell[],
  { workbook, namespace, signal }: AskedDependencies,
): Promise<AskedByFormula[]> {
  const formulas = cells.map((cell) => ({ cell, calls: formulaCalls(cell.formula, namespace) }));
  const contents = await readCells(formulas, workbook, signal);
  return Promise.all(
    formulas.map(async ({ cell, calls }) => {
      const cellsAt = (address: string) => contents.get(cell.sheetId)?.get(address);
      const grids = await Promise.all(calls.map((call) => gridOf(call, cellsAt)));
      const told = grids.filter((grid) => grid !== null);
      const isRead = calls.length > 0 && calls.length === callCount(cell.formula, namespace);
      return { cell, grids: told, isWhole: isRead && told.length === grids.length };
    }),
  );
}

/** Null if the arguments can't be told without calculating, or if the function gives no answers about jurisdictions. */
async function gridOf(
  call: FormulaCall,
  cellsAt: (address: string) => unknown[] | null | undefined,
): Promise<AskedGrid | null> {
  const roles = rolesOf(call);
  if (!roles) return null;
  const valuesOf = (role: "jurisdictions" | "types"): unknown[] | null => {
    const argument = call.args[roles.indexOf(role)];
    if (!argument || argument.kind === "omitted") return [];
    if (argument.kind === "cells") return cellsAt(argument.address) ?? null;
    return argument.kind === "value" ? [argument.value].flat(2) : null;
  };
  const [jurisdictions, types] = [valuesOf("jurisdictions"), valuesOf("types")];
  if (!jurisdictions || !types) return null;
  const [ahjs, ofTypes] = [await jurisdictionsOf(jurisdictions), types.map(typeOf)];
  return {
    jurisdictions: ahjs.filter(isThere),
    types: ofTypes.filter(isThere),
    refused: [...ahjs, ...ofTypes].filter((each) => each instanceof Failure),
    isDetailed: call.name === "AHJ",
  };
}

function rolesOf({ name }: FormulaCall): readonly string[] | null {
  if (name === "AHJ") return ["jurisdictions"];
  if (!isFormulaFunction(name)) return null;
  const roles: readonly string[] = formulaFunctions[name];
  return roles.includes("jurisdictions") && roles.includes("types") ? roles : null;
}

/** True if the cell is not blank and the formula does not refuse it. */
function isThere<Thing>(cell: Thing | Failure | null): cell is Thing {
  return cell !== null && !(cell instanceof Failure);
}

/** The values of the cells to which arguments refer, by sheet id and by address as the formula writes it. */
async function readCells(
  formulas: readonly { cell: FormulaCell; calls: readonly FormulaCall[] }[],
  workbook: Pick<Workbook, "valuesAt">,
  signal: AbortSignal | undefined,
) {
  const addresses = new Map<string, Set<string>>();
  for (const { cell, calls } of formulas) {
    const ofSheet = addresses.get(cell.sheetId) ?? new Set<string>();
    addresses.set(cell.sheetId, ofSheet);
    for (const { args } of calls) {
      for (const argument of args) if (argument.kind === "cells") ofSheet.add(argument.address);
    }
  }
  const contents = new Map<string, Map<string, unknown[] | null>>();
  for (const [sheetId, ofSheet] of addresses) {
    const read = new Map<string, unknown[] | null>();
    contents.set(sheetId, read);
    for (const part of partsOf([...ofSheet], addressesAtOnce)) {
      if (signal?.aborted) throw new Failure("cancelled");
      const values = await workbook.valuesAt(sheetId, part);
      part.forEach((address, index) => read.set(address, values[index]?.flat() ?? null));
    }
  }
  return contents;
}

/** Most of the addresses are single cells, so a batch stays small. */
const addressesAtOnce = 500;
