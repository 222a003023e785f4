import { config } from "../../config";
import { asFailure, Failure } from "../../errors";
import { type AskedByFormula, askedByFormulas } from "../cell-formulas/asked-by-formulas";
import { frozenIn } from "../cell-formulas/frozen-here";
import type { FrozenPart } from "../cell-formulas/frozen-formulas";
import { formulaCalls } from "../formula-text/formula-call";
import { isFormulaFunction } from "../formula-text/formula-functions";
import type { KeptImport } from "../imports/saved/import-book";
import { type CellSource, sourcesOf } from "../imports/sources/cell-source";
import { isFormula } from "../sheet/cells/cell-content";
import { callCount, type CellArea, cellKey, usedParts } from "../sheet/cells/formula-search";
import type { SelectedCell, TableHeaderHere } from "../sheet/cells/selected-cell";
import { anchorOf, asResultOf, readSourceCells } from "../sheet/cells/source-cells";
import { addressOf, cellAddress, holdsCell, sheetNameIn } from "../sheet/layout/cell-address";
import { isError } from "../sheet/values/shown-value";
import type { CellPosition, Workbook } from "../sheet/workbook";
import { gatheredValues } from "./gathered-values";
import {
  type FormulaHere,
  type NotFollowed,
  type Referenced,
  referencedAreas,
  type ReferencedArea,
} from "./referenced-areas";

/** An answer in a cell that another cell is made of. */
export interface AnswerInCell {
  cell: SelectedCell;
  source: CellSource;
}

/** The cells of which another cell is made, directly or by way of others. */
export interface Precedents {
  /** The cell that is made of them. */
  of: SelectedCell;
  answers: AnswerInCell[];
  /** Cells with a number that no formula gives. */
  typedNumbers: SelectedCell[];
  /** Cells with a text, TRUE or FALSE that no formula gives. */
  typedTexts: SelectedCell[];
  /** Cells of imports and of the add-in's formulas that hold no answer, such as names of places and questions. */
  others: SelectedCell[];
  /** The number of blank cells. A large area's count only among its filled cells. */
  blanks: number;
  notFollowed: NotFollowed[];
  /** The number of cells that were looked at. */
  looked: number;
  /** False if there are more cells or answers than are listed. */
  isWhole: boolean;
}

export interface PrecedentDependencies {
  workbook: Pick<Workbook, "run" | "scopeNow" | "readCells" | "valuesAt">;
  /** The prefix of the add-in's functions, such as REGDATA. */
  namespace: string;
  /** True if Excel has ExcelApi 1.12. */
  canSeeSpills: boolean;
  imports: readonly KeptImport[];
  /** The import to which a table belongs; undefined if it belongs to none. */
  importOf(table: TableHeaderHere): Promise<KeptImport | undefined>;
  frozen(): Promise<readonly FrozenPart[]>;
}

export interface PrecedentOptions {
  signal: AbortSignal;
  /** Called with the number of cells that were looked at so far. */
  onLooked?: ((cells: number) => void) | undefined;
}

/** A cell with a formula may ask for a whole country; nobody reads more. */
const mostAnswers = 5_000;
/** The most cells that are read to find those that hold something. */
const mostRead = 100_000;

const untold = "What it asks for can’t be told without calculating.";
const ofService = "Its places or questions are known to the service alone.";
const unreadCall = "A call in this formula could not be read.";

/**
 * Finds the cells of which the cell at this place is made, by the references of its formula and of the formulas in those cells, the nearest
 * first. The service is not asked. References that can't be followed are told, and no cell is looked at twice. Fails with the workbook's kinds and
 * cancelled.
 */
export async function readPrecedents(
  place: CellPosition,
  dependencies: PrecedentDependencies,
  options: PrecedentOptions,
): Promise<Precedents> {
  const { workbook, canSeeSpills } = dependencies;
  const { signal, onLooked } = options;
  const [of] = await workbook.run((context) => readSourceCells(context, [place], { canSeeSpills, signal }));
  if (!of) throw new Failure("internal");
  const gathered = { ...workbook, valuesAt: gatheredValues(workbook).valuesAt };
  const walk = createWalk(of, { ...dependencies, workbook: gathered }, signal);
  let open = of.formula === "" ? [] : await walk.take([{ cell: of, isArgument: false }]);
  while (open.length > 0) {
    const referenced = await referencedAreas(open, { ...dependencies, workbook });
    walk.found.notFollowed.push(...referenced.notFollowed);
    const { cells, again } = await walk.cellsIn(referenced);
    open = [...again, ...(await walk.take(cells))];
    onLooked?.(walk.found.looked);
  }
  return walk.found;
}

/** A cell that is looked at. */
interface Reached {
  cell: SelectedCell;
  /** True if it only says what one of the add-in's functions is asked for. */
  isArgument: boolean;
}

function createWalk(of: SelectedCell, dependencies: PrecedentDependencies, signal: AbortSignal) {
  const { workbook, namespace, canSeeSpills, imports, importOf, frozen } = dependencies;
  const found: Precedents = {
    ...{ of, answers: [], typedNumbers: [], typedTexts: [], others: [], notFollowed: [] },
    ...{ blanks: 0, looked: 0, isWhole: true },
  };
  /** The cells that were looked at, and whether only as an argument. */
  const seen = new Map([[keyOf(of), false]]);
  /** The formulas that were followed, and those whose calls were listed. */
  const followed = new Set<string>();
  const listed = new Set<string>();
  let mayRead = mostRead;

  /** Looks at cells. Returns the formulas whose references are to be followed. */
  async function take(reached: readonly Reached[]): Promise<FormulaHere[]> {
    if (signal.aborted) throw new Failure("cancelled");
    const cells = await withFrozenFormulas(reached.map(({ cell }) => cell));
    const open: FormulaHere[] = [];
    const calculating: SelectedCell[] = [];
    cells.forEach((cell, index) => {
      const { cell: asRead, isArgument } = reached[index] as Reached;
      if (cell.formula === "") return;
      const anchor = anchorCell(cell);
      const key = keyOf(anchor);
      // Several cells into which one formula spills are made of the same answers.
      if (kindOf(cell) === "calculating" && !listed.has(key)) calculating.push(anchor);
      listed.add(key);
      // A frozen cell shows what it showed then, whatever its formula's references hold now.
      if (followed.has(key) || cell !== asRead) return;
      followed.add(key);
      open.push({ ...anchorOf(cell), address: anchor.address, formula: cell.formula, isArgument });
    });
    const taken = cells.map((cell, index) => ({ cell, isArgument: reached[index]?.isArgument ?? false }));
    await takeContents(taken, await askedBy(calculating));
    return open;
  }

  /** The cells, those with frozen values with the formulas that they had. */
  async function withFrozenFormulas(cells: readonly SelectedCell[]): Promise<SelectedCell[]> {
    const plain = cells.filter(({ formula, value }) => formula === "" && value !== "");
    const parts = plain.length > 0 ? await frozen() : [];
    if (parts.length === 0) return [...cells];
    const formulas = await frozenIn(plain, parts, workbook, signal);
    const formulaOf = new Map(plain.map((cell, index) => [cell, formulas[index]]));
    return cells.map((cell) => {
      const there = formulaOf.get(cell);
      // A value that was typed over a frozen one is somebody's own.
      return there && !there.edited ? asResultOf(cell, there.formula) : cell;
    });
  }

  function kindOf({ formula }: SelectedCell): "whole" | "calculating" | "formula" | "constant" {
    if (formula === "") return "constant";
    if (callCount(formula, namespace) === 0) return "formula";
    return formulaCalls(formula, namespace)[0]?.isWhole ? "whole" : "calculating";
  }

  /** The questions of formulas that calculate with answers, by the keys of their cells. */
  async function askedBy(cells: readonly SelectedCell[]): Promise<Map<string, AskedByFormula>> {
    const formulas = cells.map(({ sheetId, row, column, address, formula }) => ({
      ...{ sheetId, row, column, rows: 1, columns: 1, formula },
      sheetName: sheetNameIn(address),
    }));
    const asked = await askedByFormulas(formulas, { workbook, namespace, signal });
    return new Map(cells.map((cell, index) => [keyOf(cell), asked[index] as AskedByFormula]));
  }

  /** Takes what the cells hold, in their order. */
  async function takeContents(reached: readonly Reached[], asked: Map<string, AskedByFormula>) {
    const whole = reached.map(({ cell }) => cell).filter((cell) => kindOf(cell) === "whole");
    // All of them at once, so that what they refer to is read together.
    const sources = await Promise.all(whole.map(wholeSources));
    const sourcesOfCell = new Map(whole.map((cell, index) => [cell, sources[index] ?? []]));
    for (const { cell, isArgument } of reached) {
      const kind = kindOf(cell);
      if (kind === "whole") takeWhole(cell, sourcesOfCell.get(cell) ?? [], isArgument);
      else if (kind === "constant") await takeConstant(cell);
      else if (kind === "calculating") {
        const anchor = anchorCell(cell);
        const ofFormula = asked.get(keyOf(anchor));
        if (ofFormula) takeCalculating(anchor, ofFormula);
        asked.delete(keyOf(anchor));
      }
    }
  }

  async function wholeSources(cell: SelectedCell): Promise<CellSource[]> {
    try {
      return await sourcesOf(cell, { namespace, workbook, importOf });
    } catch (thrown) {
      const refusal = asFailure(thrown);
      const [call] = formulaCalls(cell.formula, namespace);
      if (refusal.kind !== "invalid-argument" || !call) throw refusal;
      return [{ question: null, refusal, from: { kind: "formula", call, args: [] } }];
    }
  }

  function takeWhole(cell: SelectedCell, sources: readonly CellSource[], isArgument: boolean) {
    sources.forEach((source, place) => {
      const name = source.from.kind === "formula" ? source.from.call.name : "";
      if (source.question || source.refusal) addAnswer({ cell, source });
      else if (isFormulaFunction(name) && !(place === 0 && isLabel(cell, source)))
        found.notFollowed.push({ cell: placeOf(cell), text: `${namespace}.${name}`, why: untold });
      else if (place === 0 && !isArgument) found.others.push(cell);
    });
  }

  function takeCalculating(cell: SelectedCell, { calls, grids, unread }: AskedByFormula) {
    if (calls.every(({ name }) => !isFormulaFunction(name))) found.others.push(cell);
    const tell = (text: string, why: string) => found.notFollowed.push({ cell: placeOf(cell), text, why });
    for (const call of calls) {
      const { name, jurisdictions, types, refused, untold: args } = call;
      const from = { kind: "formula" as const, call: { name, args: [], isWhole: false }, args: [] };
      if (!isFormulaFunction(name)) continue;
      if (args.length > 0) tell(`${namespace}.${name}: ${args.join(", ")}`, untold);
      else if (!new Set<unknown>(grids).has(call)) tell(`${namespace}.${name}`, ofService);
      for (const refusal of refused) addAnswer({ cell, source: { question: null, refusal, from } });
      if (args.length > 0) continue;
      for (const ahj of jurisdictions)
        for (const type of types)
          if (!addAnswer({ cell, source: { question: { ahj, type }, refusal: null, from } })) return;
    }
    if (unread > 0) tell(cell.formula.slice(0, mostCharacters), unreadCall);
  }

  /** Adds an answer. Returns false if there is no room for it. */
  function addAnswer(answer: AnswerInCell): boolean {
    const hasRoom = found.answers.length < mostAnswers;
    if (hasRoom) found.answers.push(answer);
    else found.isWhole = false;
    return hasRoom;
  }

  async function takeConstant(cell: SelectedCell) {
    const [source] = await sourcesOf(cell, { namespace, workbook, importOf });
    if (source?.from.kind === "import" && source.from.part === "value") addAnswer({ cell, source });
    else if (cell.value === "") found.blanks += 1;
    else if (source || (await isWritten(cell))) found.others.push(cell);
    else if (typeof cell.value === "number") found.typedNumbers.push(cell);
    else found.typedTexts.push(cell);
  }

  /** True if a cell is in a column that an import writes, or is its header. */
  async function isWritten({ table, header }: SelectedCell): Promise<boolean> {
    const here = table ?? header;
    const kept = here && (await importOf(here));
    return kept?.saved.columns.some((column) => column.header === here?.headers[here.column]) ?? false;
  }

  /**
   * The cells that are to be looked at: those with something in them, and blank ones of imports. `again` has formulas that were followed as
   * arguments alone, and turn out to be more.
   */
  async function cellsIn({ areas, sheets }: Referenced): Promise<{ cells: Reached[]; again: FormulaHere[] }> {
    const filled = await filledParts(areas);
    const contents = await workbook.readCells(
      filled.map(({ area }) => area),
      ["value", "text", "formula"],
      signal,
    );
    const positions = new Map<string, CellPosition & { isArgument: boolean }>();
    for (const { area, isArgument } of filled)
      for (const position of positionsIn(area)) {
        const key = keyOf(position);
        const known = positions.get(key);
        if (known) known.isArgument &&= isArgument;
        else positions.set(key, { ...position, isArgument });
      }
    const nameOf = new Map(sheets.map(({ id, name }) => [id, name]));
    const wanted: (CellPosition & { isArgument: boolean })[] = [];
    const again: FormulaHere[] = [];
    for (const [key, position] of positions) {
      const content = contents.get(key);
      const { isArgument } = position;
      const before = seen.get(key);
      if (!content || before === false || (before && isArgument)) continue;
      const hasFormula = isFormula(content);
      // Places and questions that somebody has typed are told with the answers.
      if (isArgument && !hasFormula) continue;
      const sheetName = nameOf.get(position.sheetId) ?? "";
      if (before) {
        const address = addressOf({ ...position, sheetName });
        if (hasFormula) again.push({ ...position, address, formula: content.formula });
      } else if (!hasFormula && content.value === "" && !isOfImport(position, sheetName)) {
        found.blanks += 1;
      } else if (found.looked + wanted.length >= config.precedentCells) {
        found.isWhole = false;
        break;
      } else {
        wanted.push(position);
      }
      seen.set(key, isArgument);
    }
    if (wanted.length === 0) return { cells: [], again };
    found.looked += wanted.length;
    const cells = await workbook.run((context) => readSourceCells(context, wanted, { canSeeSpills, signal }));
    return {
      cells: cells.map((cell, index) => ({ cell, isArgument: wanted[index]?.isArgument ?? false })),
      again,
    };
  }

  /** The areas, large ones cut to their filled part, as far as they may be read. */
  async function filledParts(areas: readonly ReferencedArea[]): Promise<ReferencedArea[]> {
    const isLarge = ({ area }: ReferencedArea) => area.rows * area.columns > config.precedentCells;
    const large = areas.filter(isLarge).map(({ area }) => area);
    const parts = large.length > 0 ? await workbook.run((context) => usedParts(context, large)) : [];
    const partOf = new Map(large.map((area, index) => [area, parts[index] ?? null]));
    return areas.flatMap((each) => {
      const area = isLarge(each) ? (partOf.get(each.area) ?? null) : each.area;
      if (!area) return [];
      const rows = Math.min(area.rows, Math.floor(mayRead / area.columns));
      if (rows < area.rows) found.isWhole = false;
      mayRead -= rows * area.columns;
      return rows > 0 ? [{ ...each, area: { ...area, rows } }] : [];
    });
  }

  /** True if an import's table covers the cell. */
  function isOfImport(position: CellPosition, sheetName: string): boolean {
    return imports.some(({ place }) => {
      if (!place || sheetNameIn(place.address) !== sheetName) return false;
      return holdsCell(place.address.slice(place.address.lastIndexOf("!") + 1), position);
    });
  }

  return { found, take, cellsIn };
}

const mostCharacters = 200;

const keyOf = ({ sheetId, row, column }: CellPosition) => cellKey(sheetId, row, column);
const placeOf = ({ sheetId, row, column, address }: SelectedCell) => ({ sheetId, row, column, address });

/** The cell with the formula that gives this cell's value. */
function anchorCell(cell: SelectedCell): SelectedCell {
  const { address, offset } = cell;
  if (offset.row === 0 && offset.column === 0) return cell;
  const place = { address: cellAddress(address, -offset.row, -offset.column), offset: { row: 0, column: 0 } };
  return { ...cell, ...anchorOf(cell), ...place };
}

/** The functions whose results have cells that name places and questions. */
const labelling = new Set(["MATRIX", "COLLECTION", "FIND"]);

/** True if a cell of a formula's result certainly holds no answer. */
function isLabel({ value }: SelectedCell, { from, about }: CellSource): boolean {
  if (about) return true;
  const isLabelling = from.kind === "formula" && labelling.has(from.call.name);
  return isLabelling && typeof value === "string" && !isError(value);
}

function* positionsIn({ sheetId, row, column, rows, columns }: CellArea): Generator<CellPosition> {
  for (let down = 0; down < rows; down += 1)
    for (let across = 0; across < columns; across += 1)
      yield { sheetId, row: row + down, column: column + across };
}
