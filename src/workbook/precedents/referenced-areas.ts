import { config } from "../../config";
import {
  formulaReferences,
  namedReferences,
  otherWorkbook,
  type ReferenceMeaning,
} from "../formula-text/formula-references";
import type { CellArea, ScopeNow } from "../sheet/cells/formula-search";
import {
  type NamedPlace,
  readNames,
  readSpillAreas,
  readTablesOf,
  tableAt,
  type TableShape,
} from "../sheet/cells/named-places";
import type { CellPosition, Workbook } from "../sheet/workbook";

/** A formula in its cell. */
export interface FormulaHere extends CellPosition {
  /** The cell's address, with the sheet's name. */
  address: string;
  formula: string;
  /** True if what it gives only says what one of the add-in's functions is asked for. */
  isArgument: boolean;
}

/** Cells to which a formula refers. */
export interface ReferencedArea {
  area: CellArea;
  /** True if they only say what one of the add-in's functions is asked for. */
  isArgument: boolean;
}

/** A reference of which it can't be told which cells it names. */
export interface NotFollowed {
  /** The cell with the formula. */
  cell: CellPosition & { address: string };
  /** The reference as the formula writes it. */
  text: string;
  /** The reason, in a sentence. */
  why: string;
}

export interface Referenced {
  areas: ReferencedArea[];
  notFollowed: NotFollowed[];
  /** All sheets of the workbook. */
  sheets: ScopeNow["sheets"];
}

/** A reference that is looked up, with the formula in which it stands. */
interface Open {
  from: FormulaHere;
  text: string;
  isArgument: boolean;
  meaning: ReferenceMeaning;
}

/** Names may stand for names; longer chains are not followed. */
const mostNamesDeep = 5;

const reasons = {
  noSheet: "This workbook has no sheet of that name. It may be in another workbook.",
  noName: "This workbook has no name and no table of that name.",
  notCells:
    "The name stands for no fixed cells: for a number, a calculation, or other cells wherever it is used.",
  ownFunction: "The function is made of a formula that the workbook keeps under a name.",
  noTable: "The formula stands in no table.",
  noColumn: "The table has no such column.",
  noRow: "It stands beside no row of the table.",
  tooDeep: "Its name stands for names that stand for others, and so on.",
  noSpills: "This Excel does not tell add-ins into which cells a result spills.",
};

/**
 * The cells to which formulas refer in this workbook, in the order of the formulas, and the references of which that can't be told. An area may
 * reach to the end of the sheet. Fails with the workbook's kinds.
 */
export async function referencedAreas(
  formulas: readonly FormulaHere[],
  { workbook, namespace, canSeeSpills }: ReferenceDependencies,
): Promise<Referenced> {
  const { sheets } = await workbook.scopeNow("workbook");
  const found: Referenced = { areas: [], notFollowed: [], sheets };
  let open = formulas.flatMap((from) =>
    formulaReferences(from.formula, namespace).map(({ text, isArgument, ...meaning }): Open => ({
      ...{ from, text, isArgument: isArgument || from.isArgument },
      meaning,
    })),
  );
  for (let deep = 0; open.length > 0; deep += 1) {
    const tables = await tablesOf(open, sheets, workbook);
    const spills = await spillsOf(open, sheets, workbook, canSeeSpills);
    const next: Open[] = [];
    const tell = ({ from, text, isArgument }: Open, why: string) => {
      // If what a function is asked for can't be told, that is told with the function.
      if (!isArgument) found.notFollowed.push({ cell: placeOf(from), text, why });
    };
    for (const [index, each] of open.entries()) {
      const outcome = outcomeOf(each, { sheets, named: tables[index], spill: spills[index], canSeeSpills });
      if ("why" in outcome) {
        if (outcome.why !== null) tell(each, outcome.why);
      } else if ("areas" in outcome) {
        found.areas.push(...outcome.areas.map((area) => ({ area, isArgument: each.isArgument })));
      } else if (deep < mostNamesDeep) {
        next.push(...outcome.meanings.map((meaning) => ({ ...each, meaning })));
      } else {
        tell(each, reasons.tooDeep);
      }
    }
    open = next;
  }
  return found;
}

export interface ReferenceDependencies {
  workbook: Pick<Workbook, "run" | "scopeNow">;
  /** The prefix of the add-in's functions, such as REGDATA. */
  namespace: string;
  /** True if Excel has ExcelApi 1.12. */
  canSeeSpills: boolean;
}

const placeOf = ({ sheetId, row, column, address }: FormulaHere) => ({ sheetId, row, column, address });

/** The outcome of a reference: its cells, what its name stands for, or why they can't be told. Null as the reason: there is nothing to tell. */
type Outcome = { areas: CellArea[] } | { meanings: ReferenceMeaning[] } | { why: string | null };

interface LookedUp {
  sheets: ScopeNow["sheets"];
  named: NamedPlace | undefined;
  spill: CellArea | undefined;
  canSeeSpills: boolean;
}

function outcomeOf({ from, meaning }: Open, { sheets, named, spill, canSeeSpills }: LookedUp): Outcome {
  switch (meaning.kind) {
    case "untold":
      return { why: meaning.why };
    case "cells": {
      if (meaning.isSpill && !canSeeSpills) return { why: reasons.noSpills };
      const areas = areasOf(meaning, from, sheets);
      if (areas === null) return { why: reasons.noSheet };
      return { areas: spill ? [spill] : areas };
    }
    case "table":
      if (!named?.table) return { why: meaning.table === null ? reasons.noTable : reasons.noName };
      return partOf(named.table, meaning, from);
    case "name": {
      if (meaning.isCalled) return { why: named?.formula == null ? null : reasons.ownFunction };
      if (named?.formula != null) {
        const meanings = namedReferences(named.formula);
        return meanings ? { meanings } : { why: reasons.notCells };
      }
      if (named?.table) return partOf(named.table, { columns: [], sections: [] }, from);
      const isElsewhere = meaning.sheet !== null && placeOfSheet(meaning.sheet, sheets) < 0;
      return { why: isElsewhere ? otherWorkbook : reasons.noName };
    }
  }
}

/** The meanings of the names and tables among the references, by the references' places. */
async function tablesOf(
  open: readonly Open[],
  sheets: ScopeNow["sheets"],
  workbook: ReferenceDependencies["workbook"],
): Promise<(NamedPlace | undefined)[]> {
  const named: { name: string; sheetId: string; index: number }[] = [];
  const own: { from: FormulaHere; index: number }[] = [];
  open.forEach(({ meaning, from }, index) => {
    const { sheetId } = from;
    if (meaning.kind === "name") {
      const sheet = meaning.sheet === null ? { id: sheetId } : sheets[placeOfSheet(meaning.sheet, sheets)];
      if (sheet) named.push({ name: meaning.name, sheetId: sheet.id, index });
    } else if (meaning.kind === "table" && meaning.table !== null)
      named.push({ name: meaning.table, sheetId, index });
    else if (meaning.kind === "table") own.push({ from, index });
  });
  const found: (NamedPlace | undefined)[] = open.map(() => undefined);
  if (named.length > 0) {
    const distinct = [...new Map(named.map((each) => [`${each.sheetId} ${each.name}`, each])).values()];
    const places = await workbook.run((context) => readNames(context, distinct));
    const byKey = new Map(distinct.map(({ sheetId, name }, index) => [`${sheetId} ${name}`, places[index]]));
    for (const { name, sheetId, index } of named) found[index] = byKey.get(`${sheetId} ${name}`);
  }
  if (own.length > 0) {
    const sheetIds = [...new Set(own.map(({ from }) => from.sheetId))];
    const tables = await workbook.run((context) => readTablesOf(context, sheetIds));
    for (const { from, index } of own) found[index] = { formula: null, table: tableAt(tables, from) ?? null };
  }
  return found;
}

/** The areas of the spills among the references, by the references' places. */
async function spillsOf(
  open: readonly Open[],
  sheets: ScopeNow["sheets"],
  workbook: ReferenceDependencies["workbook"],
  canSeeSpills: boolean,
): Promise<(CellArea | undefined)[]> {
  const wanted = open.flatMap(({ meaning, from }, index) => {
    if (meaning.kind !== "cells" || !meaning.isSpill || !canSeeSpills) return [];
    const [area] = areasOf(meaning, from, sheets) ?? [];
    return area ? [{ index, area }] : [];
  });
  const found: (CellArea | undefined)[] = open.map(() => undefined);
  if (wanted.length === 0) return found;
  const anchors = wanted.map(({ area: { sheetId, row, column } }) => ({ sheetId, row, column }));
  const areas = await workbook.run((context) => readSpillAreas(context, anchors));
  wanted.forEach(({ index }, place) => (found[index] = areas[place]));
  return found;
}

/** The same cells of each sheet that a reference names; null if the workbook lacks a sheet. */
function areasOf(
  { sheets: named, range }: ReferenceMeaning & { kind: "cells" },
  { sheetId }: CellPosition,
  sheets: ScopeNow["sheets"],
): CellArea[] | null {
  const { top, left, bottom, right } = range;
  const area = {
    row: top ?? 0,
    column: left ?? 0,
    rows: (bottom ?? config.sheetRows - 1) - (top ?? 0) + 1,
    columns: (right ?? config.sheetColumns - 1) - (left ?? 0) + 1,
  };
  if (!named) return [{ sheetId, ...area }];
  const places = [placeOfSheet(named.first, sheets), placeOfSheet(named.last, sheets)];
  if (places.includes(-1)) return null;
  // All sheets between the two count, in whichever order they are named.
  const between = sheets.slice(Math.min(...places), Math.max(...places) + 1);
  return between.map(({ id }) => ({ sheetId: id, ...area }));
}

/** The place of a sheet among the others, -1 if the workbook lacks it. */
function placeOfSheet(wanted: string, sheets: ScopeNow["sheets"]): number {
  return sheets.findIndex(({ name }) => name.toLowerCase() === wanted.toLowerCase());
}

/** The cells that a structured reference names. */
function partOf(
  { columnNames, hasHeaders, hasTotals, ...whole }: TableShape,
  { columns, sections }: { columns: readonly string[]; sections: readonly string[] },
  from: CellPosition,
): Outcome {
  const placesOfColumns = columns.map((wanted) =>
    columnNames.findIndex((name) => name.toLowerCase() === wanted.toLowerCase()),
  );
  if (placesOfColumns.includes(-1)) return { why: reasons.noColumn };
  const first = columns.length > 0 ? Math.min(...placesOfColumns) : 0;
  const last = columns.length > 0 ? Math.max(...placesOfColumns) : whole.columns - 1;
  const across = { column: whole.column + first, columns: last - first + 1 };
  const [above, below] = [Number(hasHeaders), Number(hasTotals)];
  const rowsOf = (row: number, rows: number): CellArea[] =>
    rows > 0 ? [{ sheetId: whole.sheetId, ...across, row, rows }] : [];
  const body = { row: whole.row + above, rows: whole.rows - above - below };
  const parts: Record<string, () => CellArea[]> = {
    all: () => rowsOf(whole.row, whole.rows),
    headers: () => rowsOf(whole.row, above),
    data: () => rowsOf(body.row, body.rows),
    totals: () => rowsOf(whole.row + whole.rows - below, below),
  };
  if (sections.includes("this row")) {
    const isBeside =
      from.sheetId === whole.sheetId && from.row >= body.row && from.row < body.row + body.rows;
    return isBeside ? { areas: rowsOf(from.row, 1) } : { why: reasons.noRow };
  }
  const wanted = sections.length > 0 ? sections : ["data"];
  return { areas: wanted.flatMap((section) => parts[section]?.() ?? []) };
}
