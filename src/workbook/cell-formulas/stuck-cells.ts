import { calledNames } from "../formula-text/formula-examples";
import { areasOf, cellKey, type FindOptions, type FormulaCell } from "../sheet/cells/formula-search";
import type { Workbook } from "../sheet/workbook";
import { mayChange, protectedSheetIds } from "../sheet/write-access";
import { type FormulaCalls, pause, pending, quietMs, unlessCancelled, untilCalculated } from "./settle";

/** The value of a cell whose formula calls a function that Excel does not know. */
const unknownFunction = "#NAME?";

/** True if a cell with this value may be stuck: a recalculation does not repair it, but entering the formula again does. */
export function mayBeStuck(value: unknown): boolean {
  return value === unknownFunction || value === pending;
}

/** Cells whose formulas call the add-in's functions and keep showing #NAME? or #BUSY!. */
export interface StuckCells {
  cells: FormulaCell[];
  /** Stuck cells on protected sheets, where the add-in can't write. */
  onProtected: FormulaCell[];
  /** Names of the workbook that are called like the add-in's functions: while there is one, Excel knows none of the functions. */
  hiding: string[];
}

interface StuckDependencies {
  workbook: Pick<Workbook, "findFormulas" | "readCells" | "replaceCells" | "run">;
  calls: FormulaCalls;
}

/**
 * The stuck cells of the workbook. A cell that only waits for an answer is not stuck, so waiting cells are read again once no formula has
 * asked anything for a while. Fails with cancelled, too.
 */
export async function findStuckCells(
  { workbook, calls }: StuckDependencies,
  { signal, ...options }: FindOptions & { signal: AbortSignal },
): Promise<StuckCells> {
  const formulas = await workbook.findFormulas("workbook", { ...options, signal });
  let stuck = await stuckOf(formulas, workbook, signal);
  if (stuck.waiting.length > 0) {
    await untilQuiet(calls, signal);
    stuck = await stuckOf([...stuck.unknown, ...stuck.waiting], workbook, signal);
  }
  const all = [...stuck.unknown, ...stuck.waiting];
  if (all.length === 0) return { cells: [], onProtected: [], hiding: [] };
  const hiding = stuck.unknown.length > 0 ? await workbook.run(namesOfFunctions(options.namespace)) : [];
  const closed = new Set(await workbook.run(protectedSheetIds));
  return {
    cells: all.filter(({ sheetId }) => !closed.has(sheetId)),
    onProtected: all.filter(({ sheetId }) => closed.has(sheetId)),
    hiding,
  };
}

/** The names of the workbook and its sheets that are called like the add-in's functions (xlwings/xlwings-lite#33). */
const namesOfFunctions = (namespace: string) => async (context: Excel.RequestContext) => {
  const functions = calledNames(namespace);
  const { names, worksheets } = context.workbook;
  const collections = [names.load("items/name")];
  worksheets.load("items/id");
  await context.sync();
  for (const sheet of worksheets.items) collections.push(sheet.names.load("items/name"));
  await context.sync();
  const all = collections.flatMap(({ items }) => items.map(({ name }) => name));
  return [...new Set(all.filter((name) => functions.has(name.toUpperCase())))];
};

export interface Repair {
  /** Cells that are still stuck. */
  left: FormulaCell[];
  /** Cells that got another formula than theirs, because Excel has filled a table's column with one of them. */
  replaced: FormulaCell[];
}

/** Enters the formulas of these cells again. A failed write leaves all as it was. */
export async function repairCells(
  cells: readonly FormulaCell[],
  { workbook, calls }: StuckDependencies,
  { signal, onRepaired }: { signal: AbortSignal; onRepaired(cells: number): void },
): Promise<Repair> {
  if (cells.length === 0) return { left: [], replaced: [] };
  await workbook.run((context) => mayChange(context));
  const askedBefore = await unlessCancelled(calls.idle(), signal);
  const formulas = new Map(
    cells.map(({ sheetId, row, column, formula }) => [cellKey(sheetId, row, column), formula]),
  );
  const formats = await workbook.readCells(firstCells(cells), ["numberFormat"], signal);
  const changes = areasOf(cells).map((area) => {
    const states = (isAfter: boolean) =>
      Array.from({ length: area.rows }, (_, down) =>
        Array.from({ length: area.columns }, (__, across) => {
          const key = cellKey(area.sheetId, area.row + down, area.column + across);
          const isText = formats.get(key)?.numberFormat === "@";
          // Excel would keep a formula as text in a cell with the text format.
          const numberFormat = isText ? (isAfter ? "General" : "@") : null;
          return { content: formulas.get(key) ?? "", numberFormat };
        }),
      );
    return { ...area, before: states(false), after: states(true) };
  });
  await workbook.replaceCells(changes, { signal, onReplaced: onRepaired });
  await untilCalculated(cells, askedBefore, { workbook, calls, signal });
  const now = await workbook.readCells(firstCells(cells), ["formula"], signal);
  const isTheirs = ({ sheetId, row, column, formula }: FormulaCell) =>
    now.get(cellKey(sheetId, row, column))?.formula === formula;
  const { unknown, waiting } = await stuckOf(cells.filter(isTheirs), workbook, signal);
  return { left: [...unknown, ...waiting], replaced: cells.filter((cell) => !isTheirs(cell)) };
}

const firstCells = (cells: readonly FormulaCell[]) => cells.map((cell) => ({ ...cell, rows: 1, columns: 1 }));

async function stuckOf(
  cells: readonly FormulaCell[],
  workbook: Pick<Workbook, "readCells">,
  signal: AbortSignal,
): Promise<{ unknown: FormulaCell[]; waiting: FormulaCell[] }> {
  const shown = await workbook.readCells(firstCells(cells), ["value"], signal);
  const valueOf = ({ sheetId, row, column }: FormulaCell) => shown.get(cellKey(sheetId, row, column))?.value;
  const meant = cells.filter((cell) => mayBeStuck(valueOf(cell)));
  return {
    unknown: meant.filter((cell) => valueOf(cell) !== pending),
    waiting: meant.filter((cell) => valueOf(cell) === pending),
  };
}

/** Waits until no formula has asked anything for a while and none waits for an answer. */
async function untilQuiet(calls: FormulaCalls, signal: AbortSignal): Promise<void> {
  for (;;) {
    const asked = await unlessCancelled(calls.idle(), signal);
    await unlessCancelled(pause(quietMs), signal);
    if ((await unlessCancelled(calls.idle(), signal)) === asked) return;
  }
}
