import { twice } from "../../async/twice";
import { config } from "../../config";
import { gridOf } from "../../lists";
import { asFailure, type Failure } from "../../errors";
import { SheetFailure } from "../../sheet-failure";
import { type Scalar, textCell } from "../sheet/values/cell-value";
import {
  type CellArea,
  type CellContents,
  cellKey,
  doMeet,
  type FormulaCell,
  type FormulaScope,
} from "../sheet/cells/formula-search";
import { isFormula } from "../sheet/cells/cell-content";
import { withDetail, withTextsLost } from "../sheet/cells/changed-meanwhile";
import type { AreaChange, ContentState } from "../sheet/cells/replace-cells";
import { planTracks } from "../sheet/parts/tracked-areas";
import { fingerprint } from "../sheet/values/fingerprint";
import { isError } from "../sheet/values/shown-value";
import type { Workbook } from "../sheet/workbook";
import type { Note } from "../work-note/unfinished-book";
import { onlyCalculates } from "../formula-text/calculating";
import { findHomes, findSorted, placesToSearch } from "./frozen-places";
import { type CellsNow, changesOf, mostCompared, type ShownChange, standingIn, withinCells } from "./compare";
import { type LackingValue, notAvailable } from "./lacking-value";
import { type FormulaCalls, pending, readSettled, unlessCancelled, untilCalculated } from "./settle";
import {
  canBeKept,
  forgetWhere,
  type FrozenFormula,
  type FrozenPart,
  keepFrozen,
  listFrozen,
  trackPrefix,
} from "./frozen-formulas";

/** A formula that is not changed, and the reason. */
export interface Left extends CellArea {
  sheetName: string;
  reason: string;
  /** The formula as the workbook remembers it, if it can't come back because its cells hold something else. */
  ghost?: FrozenFormula | undefined;
}

export interface Frozen {
  formulas: FrozenFormula[];
  left: Left[];
  /** Cells without a value inside results that were frozen. They keep showing #N/A. */
  withoutValue: number;
}

type Contents = ReadonlyMap<string, Pick<CellContents, "value" | "text" | "numberFormat">>;

/**
 * The changes that freeze these formulas, and the formulas that stay as they are. For `ownFormats`, see `readOwnFormats`. `lacking` holds
 * formulas that show #N/A because no value is recorded.
 */
export function planFreeze(
  cells: readonly FormulaCell[],
  contents: Contents,
  ownFormats: ReadonlyMap<string, string> | undefined,
  lacking: ReadonlySet<FormulaCell> = new Set(),
): Frozen & { changes: AreaChange[] } {
  const plan: ReturnType<typeof planFreeze> = { formulas: [], left: [], withoutValue: 0, changes: [] };
  for (const cell of cells) {
    const { sheetId, row, column, rows, columns, formula, sheetName } = cell;
    if (!canBeKept(cell)) {
      const reason = "fills more cells than can be brought back";
      plan.left.push({ sheetId, sheetName, row, column, rows, columns, reason });
      continue;
    }
    const results = gridOf(cell, (down, across) => {
      const key = cellKey(sheetId, row + down, column + across);
      const { value = "", text = "", numberFormat = "General" } = contents.get(key) ?? {};
      return { value, text, numberFormat, ownFormat: ownFormats?.get(key) };
    });
    const reason = reasonToStay(results.flat(), ownFormats !== undefined, lacking.has(cell));
    if (reason !== null) {
      plan.left.push({ sheetId, sheetName, row, column, rows, columns, reason });
      continue;
    }
    const formats = results.map((each) => each.map(({ numberFormat }) => formatOfFormula(numberFormat)));
    const [[first = "General"] = []] = formats;
    plan.formulas.push({
      sheetId,
      sheetName,
      row,
      column,
      rows,
      columns,
      formula,
      shown: fingerprint(results.map((each) => each.map(({ value }) => value))),
      numberFormats: formats.flat().every((format) => format === first) ? first : formats,
    });
    plan.withoutValue += results.flat().filter(({ value }) => isError(value)).length;
    plan.changes.push({
      sheetId,
      row,
      column,
      rows,
      columns,
      before: formulaStates(cell, (down, across) => formats[down]?.[across] ?? first).map((row, down) =>
        row.map((state, across) => ({ ...state, shown: results[down]?.[across]?.value ?? "" })),
      ),
      after: results.map((each) => each.map(constant)),
    });
  }
  return plan;
}

interface Result extends Pick<CellContents, "value" | "text" | "numberFormat"> {
  ownFormat: string | undefined;
}

function reasonToStay(
  results: readonly Result[],
  knowsOwnFormats: boolean,
  lacksValue: boolean,
): string | null {
  const values = results.map(({ value }) => value);
  if (values.includes(pending)) return "still waits for its answer";
  const [first] = values;
  const errors = values.filter(isError);
  const other = errors.find((error) => error !== notAvailable);
  // A table in which only some cells have no value is worth freezing. A result of errors alone is worth it only if "no value recorded" is
  // the service's answer.
  if (errors.length === values.length && (other !== undefined || !lacksValue))
    return `shows ${String(first)}`;
  if (other !== undefined) return `shows ${String(other)} in ${errors.length} of its ${values.length} cells`;
  const isLost = results.some((result) => isGeneralNumber(result) && !knowsOwnFormats && !isPlain(result));
  return isLost ? "shows a number in a form that this Excel can't keep" : null;
}

/** True if a number is in the format General, so that the formula may have given it a format of its own. */
function isGeneralNumber({ value, numberFormat }: Pick<CellContents, "value" | "numberFormat">): boolean {
  return typeof value === "number" && numberFormat === "General";
}

/** True if the number is shown as the format General would show it, which may round it. */
function isPlain({ value, text }: Result): boolean {
  return Math.abs(Number(text) - Number(value)) <= Math.abs(Number(value)) * 1e-4;
}

function constant({ value, numberFormat, ownFormat }: Result): ContentState {
  if (typeof value === "string" && value !== "" && !isError(value)) {
    const { value: content, numberFormat: format } = textCell(value);
    return { content, numberFormat: format };
  }
  const isGeneral = isGeneralNumber({ value, numberFormat });
  if (isGeneral && ownFormat !== undefined) return { content: value, numberFormat: ownFormat };
  return {
    content: value,
    numberFormat: numberFormat === "@" && typeof value !== "string" ? "General" : null,
  };
}

/** Replaces the text format, which an interrupted freeze may have left behind: Excel would keep a formula entered in it as text. */
function formatOfFormula(numberFormat: string): string {
  return numberFormat === "@" ? "General" : numberFormat;
}

/** The formula in the first cell, and empty content in the cells that it spills into. */
function formulaStates(
  cell: Pick<FormulaCell, "formula" | "rows" | "columns">,
  formatOf: (down: number, across: number) => string,
): ContentState[][] {
  return gridOf(cell, (down, across) => {
    const isFirst = down + across === 0;
    return {
      content: isFirst ? cell.formula : "",
      numberFormat: formatOfFormula(formatOf(down, across)),
      isSpilledInto: !isFirst,
    };
  });
}

interface WriteOptions {
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
  /** The workbook's note of this work. */
  note?: Note | undefined;
}

/** The most areas that a note lists. Formulas in further areas stay frozen and listed until the user unfreezes again. */
const mostNotedAreas = 500;

/**
 * Replaces formulas by the values that they show; the workbook remembers the formulas. After a failure or a cancel, all is as before. The
 * cells are read again: a formula whose values are not all there comes back and does not count as frozen.
 */
export async function freezeFormulas(
  cells: readonly FormulaCell[],
  workbook: Pick<
    Workbook,
    "readCells" | "readOwnFormats" | "replaceCells" | "writePart" | "deletePart" | "run"
  >,
  {
    signal,
    onProgress,
    canSeeDataTypes,
    lackingValue,
    note,
  }: WriteOptions & {
    canSeeDataTypes: boolean;
    /** If missing, a formula that shows only #N/A stays a formula. */
    lackingValue?: LackingValue | undefined;
  },
): Promise<Frozen> {
  const contents = await readSettled(cells, ["value", "text", "numberFormat"], { workbook, signal });
  const asked = cells.filter(({ sheetId, row, column, rows, columns }) =>
    gridOf({ rows, columns }, (down, across) => contents.get(cellKey(sheetId, row + down, column + across)))
      .flat()
      .some((cell) => cell !== undefined && isGeneralNumber(cell)),
  );
  const ownFormats = canSeeDataTypes ? await workbook.readOwnFormats(asked) : undefined;
  const notThere = cells.filter(
    ({ sheetId, row, column }) => contents.get(cellKey(sheetId, row, column))?.value === notAvailable,
  );
  const lacking = notThere.length > 0 ? await lackingValue?.(notThere, signal) : undefined;
  const { changes, ...plan } = planFreeze(cells, contents, ownFormats, lacking);
  const { tracks, names } = planTracks(trackPrefix, plan.formulas);
  const formulas = plan.formulas.map((formula, index) => ({ ...formula, track: tracks[index] }));
  const frozen = { ...plan, formulas };
  const atMs = Date.now();
  if (formulas.length > 0) await note?.begin({ kind: "freeze", frozenAtMs: atMs, formulas: formulas.length });
  const parts: FrozenPart[] = [];
  /** Forgets formulas that are in their cells again. The others stay remembered. */
  async function forgetThoseThatStand(some: readonly FrozenFormula[]): Promise<FrozenFormula[]> {
    const standing = new Set(await thoseThatStand(some, workbook));
    await forgetWhere(parts, (formula) => standing.has(formula), workbook);
    return [...standing];
  }
  try {
    // The formulas are stored before the cells are overwritten, so that none is lost if Excel ends in between.
    await keepFrozen({ atMs, formulas, names }, workbook, (part) => parts.push(part));
    await workbook.replaceCells(changes, { signal, onReplaced: progressOf(changes, onProgress) });
  } catch (thrown) {
    // A refusal here must not hide the failure. An unfreeze shows the formulas that then stay remembered.
    const back = await forgetThoseThatStand(frozen.formulas).catch(() => []);
    const isRefusal = !isCancelled(thrown) && !asFailure(thrown).isPartlyWritten;
    throw isRefusal && back.length > 0 && back.length === frozen.formulas.length
      ? withDetail(thrown, "Nothing was frozen: all formulas are in their cells.")
      : thrown;
  }
  const lost = await seeWhatIsFrozen(frozen.formulas, changes, workbook).catch(() => null);
  if (lost === null) {
    const reason = "was replaced by its values, which Excel did not show again; its formula is remembered";
    const unseen = frozen.formulas.map((formula) => leftAs(formula, reason));
    return { ...frozen, formulas: [], left: [...frozen.left, ...unseen] };
  }
  if (lost.length === 0) return frozen;
  for (const { change } of lost) if (change) await workbook.replaceCells([change]).catch(() => undefined);
  const isLost = new Set(lost.map(({ formula }) => formula));
  const back = new Set(await forgetThoseThatStand([...isLost]).catch(() => []));
  for (const { formula, change } of lost) {
    const tried = back.has(formula)
      ? "its formula is back"
      : "its formula is remembered: see what stands there, then unfreeze it";
    const reason = change
      ? `could not be frozen, because not all of its values arrived; ${tried}`
      : "was changed while it was frozen, and was left as it is";
    frozen.left.push(leftAs(formula, reason));
  }
  return { ...frozen, formulas: frozen.formulas.filter((formula) => !isLost.has(formula)) };
}

function leftAs(
  { sheetId, sheetName, row, column, rows, columns }: Omit<Left, "reason" | "ghost">,
  reason: string,
): Left {
  return { sheetId, sheetName, row, column, rows, columns, reason };
}

/** The formulas that are in their cells. */
async function thoseThatStand(
  formulas: readonly FrozenFormula[],
  workbook: Pick<Workbook, "readCells">,
): Promise<FrozenFormula[]> {
  const anchors = formulas.map((each) => ({ ...each, rows: 1, columns: 1 }));
  const now = await workbook.readCells(anchors, ["formula", "value"]);
  return formulas.filter(({ sheetId, row, column, formula }) => {
    const there = now.get(cellKey(sheetId, row, column));
    return there !== undefined && isFormula(there) && there.formula === formula;
  });
}

/** Reads frozen cells again. Returns the formulas whose values are not all there, with the change that brings the formula back. */
async function seeWhatIsFrozen(
  formulas: readonly FrozenFormula[],
  written: readonly AreaChange[],
  workbook: Pick<Workbook, "readCells">,
): Promise<{ formula: FrozenFormula; change: AreaChange | null }[]> {
  const contents = await twice(() => workbook.readCells(formulas, cellParts));
  return formulas.flatMap((formula, index) => {
    const { now, shown, hasFormula } = standingIn(formula, contents);
    if (shown === formula.shown && !hasFormula) return [];
    // Blanks and errors may be left over from a calculation. Anything else is somebody's, and the formula would displace it.
    const isOthers = now.some((cells, down) =>
      cells.some((cell, across) => {
        const value = cell?.value ?? "";
        const expected = written[index]?.before[down]?.[across]?.shown;
        return value !== expected && value !== "" && value !== pending && !isError(value);
      }),
    );
    return [{ formula, change: isOthers || hasFormula ? null : changeBack(formula, now) }];
  });
}

/**
 * The changes that bring these formulas back, and the formulas that stay frozen. If several were frozen in one cell, the first counts. A
 * formula also comes back over values that the user gives up for it (`givenUp`).
 */
export function planUnfreeze(
  formulas: readonly FrozenFormula[],
  contents: CellsNow,
  givenUp: readonly GivenUpValue[] = [],
): {
  back: FrozenFormula[];
  changes: AreaChange[];
  left: Left[];
  doubles: Map<FrozenFormula, FrozenFormula>;
} {
  const plan: ReturnType<typeof planUnfreeze> = { back: [], changes: [], left: [], doubles: new Map() };
  const taken = new Map<string, FrozenFormula>();
  const take = (keys: readonly string[], frozen: FrozenFormula) =>
    keys.forEach((key) => taken.set(key, frozen));
  for (const frozen of formulas) {
    const { sheetId, row, column } = frozen;
    const { now, shown, hasFormula } = standingIn(frozen, contents);
    const keys = gridOf(frozen, (down, across) => cellKey(sheetId, row + down, column + across)).flat();
    const isTaken = keys.some((key) => taken.has(key));
    const twin = taken.get(cellKey(sheetId, row, column));
    if (twin && isSameCell(twin, frozen) && twin.formula === frozen.formula) {
      plan.doubles.set(frozen, twin);
      continue;
    }
    const [[anchor] = []] = now;
    // An interrupted run has already brought the formula back, or never froze it.
    if (!isTaken && anchor && isFormula(anchor) && anchor.formula === frozen.formula) {
      take(keys, frozen);
      plan.back.push(frozen);
      if (anchor.value === "#SPILL!") {
        const reason = "is back, but values are in the way of its result: delete them";
        plan.left.push(leftAs(frozen, reason));
      }
      // The interrupted run has given the cell the text format, in which Excel would keep a formula entered again as text.
      if (anchor.numberFormat === "@") {
        const place = { sheetId, row, column, rows: 1, columns: 1 };
        const cell = { formula: frozen.formula, rows: 1, columns: 1 };
        const { numberFormats } = frozen;
        const format =
          typeof numberFormats === "string" ? numberFormats : (numberFormats[0]?.[0] ?? "General");
        const before = [[{ content: frozen.formula, numberFormat: "@" }]];
        plan.changes.push({ ...place, before, after: formulaStates(cell, () => format) });
      }
      continue;
    }
    const isGivenUp = givenUp.some((each) => isSameCell(each, frozen) && each.shown === shown);
    const isAsItWas = shown === frozen.shown || isGivenUp;
    const changed = isAsItWas ? null : "no longer shows what was frozen: it was changed or moved";
    const reason = hasFormula || isTaken ? "holds another formula now" : changed;
    if (reason !== null) {
      plan.left.push({ ...leftAs(frozen, reason), ghost: frozen });
      continue;
    }
    take(keys, frozen);
    plan.back.push(frozen);
    plan.changes.push(changeBack(frozen, now));
  }
  return plan;
}

/** The change that replaces what stands in the cells of a frozen formula by the formula. */
function changeBack(frozen: FrozenFormula, now: ReturnType<typeof standingIn>["now"]): AreaChange {
  const { sheetId, row, column, rows, columns, numberFormats } = frozen;
  return {
    ...{ sheetId, row, column, rows, columns },
    before: now.map((cells) =>
      cells.map((cell) => constantAsItStands(cell?.value ?? "", cell?.numberFormat)),
    ),
    after: formulaStates(frozen, (down, across) =>
      typeof numberFormats === "string" ? numberFormats : (numberFormats[down]?.[across] ?? "General"),
    ),
  };
}

function constantAsItStands(value: Scalar, numberFormat = "General"): ContentState {
  const isText = typeof value === "string" && value !== "" && !isError(value);
  return { content: isText && numberFormat !== "@" ? `'${value}` : value, numberFormat };
}

/** The most formulas that are shown to a user at once. */
export const shownAtOnce = 200;

/** A formula that the user has to look at before it comes back, at the cell where it would go. */
export interface ToBeSeen extends FrozenFormula {
  /** True if the formula does more than calculate with the add-in's answers. */
  doesMore: boolean;
  /** Where the formula was frozen, if it has moved since: its references shift with it, and other cells may show the same values. */
  from?: Pick<FrozenFormula, "row" | "column"> | undefined;
}

/** Values typed over a frozen formula that the user has seen and gives up for the formula; `shown` is their `fingerprint`. */
export type GivenUpValue = Pick<FrozenFormula, "sheetId" | "row" | "column" | "shown">;

function isSameCell(one: Pick<CellArea, "sheetId" | "row" | "column">, other: typeof one): boolean {
  return one.sheetId === other.sheetId && one.row === other.row && one.column === other.column;
}

/** A formula that the user saw and wants back, with its text and its cell. */
export type SeenFormula = Pick<FrozenFormula, "sheetId" | "row" | "column" | "formula">;

export interface Unfrozen {
  back: FrozenFormula[];
  left: Left[];
  toBeSeen: ToBeSeen[];
  /** How many more formulas the user has to look at: the next unfreeze shows them. */
  toBeSeenLater: number;
  /** The formulas that the user has seen and wanted until now. */
  seen: readonly SeenFormula[];
  /** The cells that show another value than when they were frozen; null if that could not be told, for example after a cancel. */
  changes: ShownChange[] | null;
  /** Texts that somebody typed during the write. They were overwritten and could not be put back. */
  textsLost: readonly unknown[];
  /** The reason why the workbook still lists formulas as frozen although they are back. The next unfreeze corrects the list. */
  stillListed: Failure | null;
}

/** Which of the frozen formulas of a scope are meant: those that were frozen at `atMs`, and those whose cells lie in `areas`. Default: all. */
export interface OnlyFrozen {
  atMs?: number | undefined;
  areas?: CellArea[] | null | undefined;
}

/**
 * Brings the frozen formulas of a scope back, each only where all values that it showed still stand: in its old place, or in the place in
 * its sheet to which it was moved. Formulas that can't come back, such as those that Excel refuses, stay remembered. If Excel refuses all
 * of them, or the run is cancelled, all is as before.
 */
export async function unfreezeFormulas(
  scope: FormulaScope,
  workbook: Pick<
    Workbook,
    "readParts" | "scopeNow" | "readCells" | "run" | "replaceCells" | "writePart" | "deletePart"
  >,
  {
    signal,
    onProgress,
    namespace,
    calls,
    seen = [],
    givenUp = [],
    only,
    note,
  }: WriteOptions & {
    namespace: string;
    calls: FormulaCalls;
    only?: OnlyFrozen | undefined;
    /**
     * The formulas that do more than calculate and that the user has seen and wants: a formula changed after that look is not among them.
     */
    seen?: readonly SeenFormula[] | undefined;
    /** The values typed over formulas that the user gives up. */
    givenUp?: readonly GivenUpValue[] | undefined;
  },
): Promise<Unfrozen> {
  const askedBefore = await unlessCancelled(calls.idle(), signal);
  const { parts } = await listFrozen(workbook, namespace);
  const now = await workbook.scopeNow(scope);
  const meant = parts.flatMap(({ atMs, formulas }) =>
    only?.atMs === undefined || only.atMs === atMs ? formulas : [],
  );
  const { homes, places } = await findHomes(meant, now.sheets, workbook);
  const areas = only?.areas ?? now.areas;
  const isWanted = (area: CellArea) => areas?.some((each) => doMeet(each, area)) ?? true;
  const isOnSheet = (area: CellArea) => areas?.some(({ sheetId }) => sheetId === area.sheetId) ?? true;
  const there = homes.flatMap(({ here }) => (here && isOnSheet(here) ? [here] : []));
  // Sorting may have moved a formula into the selected area from elsewhere in its column, so all formulas of that sheet are searched.
  const near = withinCells(
    [...there.filter(isWanted), ...there.filter((each) => !isWanted(each))],
    mostCells,
  );
  const { contents, sorted } = await whereFrozen(near, places, workbook, { givenUp, signal });
  const left: Left[] = [];
  const toBeSeen: ToBeSeen[] = [];
  const wasSeen = new Set(seen.map(seenKey));
  const wanted = new Map<FrozenFormula, FrozenFormula>();
  let cells = 0;
  for (const home of homes) {
    const { kept } = home;
    if (home.here === null) {
      const { reason, at } = home;
      if (at ? isWanted(at) : scope === "workbook") left.push({ ...(at ?? kept), reason, ghost: kept });
      continue;
    }
    const move = sorted.get(home.here);
    const found = move && "here" in move ? move : home;
    const { here } = found;
    if (!isWanted(here)) continue;
    cells += here.rows * here.columns;
    const doesMore = !onlyCalculates(here.formula, namespace);
    const from = found === home ? home.from : { row: home.here.row, column: home.here.column };
    if (move && "reason" in move) left.push({ ...here, reason: move.reason });
    else if (!wasSeen.has(seenKey(here)) && (doesMore || found.isDoubtful))
      toBeSeen.push({ ...here, doesMore, from });
    else if (cells > mostCells) left.push({ ...here, reason: "too many cells at once: unfreeze fewer" });
    else wanted.set(here, kept);
  }
  const here = [...wanted.keys()];
  const plan = planUnfreeze(here, contents, givenUp);
  if (plan.back.length > 0) {
    const noted = areas && areas.slice(0, mostNotedAreas);
    await note?.begin({ kind: "unfreeze", areas: noted, formulas: plan.back.length });
  }
  const textsLost: unknown[] = [];
  const { failure, written } = await replaceWhatExcelTakes(plan.changes, (changes) =>
    workbook.replaceCells(changes, {
      signal,
      onReplaced: progressOf(plan.changes, onProgress),
      onTextsLost: (texts) => textsLost.push(...texts),
    }),
  );
  const writtenAt = new Set([...written].map(({ sheetId, row, column }) => cellKey(sheetId, row, column)));
  const { back, left: refused } = await twice(() => seeWhatStands(plan.back, writtenAt, workbook)).catch(
    (thrown: unknown): never => {
      const detail = "It could not be seen which formulas are back: unfreeze again.";
      throw new SheetFailure(asFailure(thrown).kind, { detail, isPartlyWritten: true, cause: thrown });
    },
  );
  if (failure && back.length + written.size === 0) throw withTextsLost(failure, textsLost);
  const isBack = new Set(back);
  const doubles = [...plan.doubles].flatMap(([double, of]) => (isBack.has(of) ? [double] : []));
  const done = new Set([...back, ...doubles].map((formula) => wanted.get(formula)));
  // The formulas are back in their cells even if the workbook still lists them as frozen.
  const stillListed = await twice(() => forgetWhere(parts, (formula) => done.has(formula), workbook)).then(
    () => null,
    asFailure,
  );
  async function compare(): Promise<ShownChange[]> {
    if (back.length > 0) await untilCalculated(back, askedBefore, { workbook, calls, signal });
    const compared = withinCells(back, mostCompared);
    return changesOf(compared, contents, await workbook.readCells(compared, ["value", "text"], signal));
  }
  const changes = await compare().catch((thrown: unknown) => {
    if (asFailure(thrown).kind !== "internal") return null;
    throw thrown;
  });
  return {
    back,
    left: [
      ...plan.left.map(({ ghost, ...each }) => ({ ...each, ghost: ghost && wanted.get(ghost) })),
      ...refused,
      ...left,
    ],
    changes,
    seen,
    textsLost,
    stillListed,
    toBeSeen: toBeSeen.slice(0, shownAtOnce),
    toBeSeenLater: Math.max(0, toBeSeen.length - shownAtOnce),
  };
}

/** Forgets formulas that can't come back: see `Left.ghost`. Returns how many it forgot. The cells stay as they are. */
export async function forgetGhosts(
  ghosts: readonly FrozenFormula[],
  workbook: Pick<Workbook, "readParts" | "writePart" | "deletePart" | "run">,
  namespace: string,
): Promise<number> {
  const { parts } = await listFrozen(workbook, namespace);
  const wanted = new Set(ghosts.map((ghost) => JSON.stringify(ghost)));
  const isGhost = (formula: FrozenFormula) => wanted.has(JSON.stringify(formula));
  await forgetWhere(parts, isGhost, workbook);
  return parts.flatMap(({ formulas }) => formulas.filter(isGhost)).length;
}

/** The numbers of frozen formulas of the workbook, and of those among them that can't come back. Fails with cancelled. */
export async function countFrozen(
  workbook: Pick<Workbook, "readParts" | "scopeNow" | "readCells" | "run">,
  namespace: string,
  signal: AbortSignal,
): Promise<{ frozen: number; ghosts: number; unreadable: number }> {
  const { parts, unreadable } = await listFrozen(workbook, namespace);
  const all = parts.flatMap(({ formulas }) => formulas);
  if (all.length === 0) return { frozen: 0, ghosts: 0, unreadable };
  const { sheets } = await workbook.scopeNow("workbook");
  const { homes, places } = await findHomes(all, sheets, workbook);
  const there = homes.flatMap(({ here }) => here ?? []);
  const near = withinCells(there, mostCells);
  const { contents, sorted } = await whereFrozen(near, places, workbook, { signal });
  const { left, doubles } = planUnfreeze(near, contents);
  const isGhost = ({ ghost }: Left) => ghost !== undefined && !sorted.has(ghost);
  const ghosts = all.length - there.length + left.filter(isGhost).length;
  return { frozen: all.length - ghosts - doubles.size, ghosts, unreadable };
}

/**
 * Reads the cells of frozen formulas, and finds formulas whose rows somebody has sorted. `near` holds the formulas in the cells where
 * `findHomes` has found them, `places` what it has found besides.
 */
export async function whereFrozen(
  near: readonly FrozenFormula[],
  places: readonly CellArea[],
  workbook: Pick<Workbook, "readCells">,
  { givenUp = [], signal }: { givenUp?: readonly GivenUpValue[] | undefined; signal: AbortSignal },
) {
  const contents = await workbook.readCells(near, cellParts, signal);
  const standing = new Set(planUnfreeze(near, contents, givenUp).back);
  const searched = withinCells(placesToSearch(near, standing, places), mostCells);
  const unread = searched.filter(({ sheetId, row, column }) => !contents.has(cellKey(sheetId, row, column)));
  if (unread.length > 0)
    for (const [key, cell] of await workbook.readCells(unread, cellParts, signal)) contents.set(key, cell);
  const sorted = findSorted(near, standing, searched, contents);
  // The user has pointed at the cell itself, so a search for another place does not apply.
  for (const frozen of near) if (givenUp.some((each) => isSameCell(each, frozen))) sorted.delete(frozen);
  return { contents, standing, sorted };
}

const cellParts = ["value", "text", "formula", "numberFormat"] as const;

function seenKey({ sheetId, row, column, formula }: SeenFormula): string {
  return `${cellKey(sheetId, row, column)} ${formula}`;
}

/** A limit on the cells read together, because a part in a foreign workbook may name any number of them. */
const mostCells = 4 * config.formulaCells;

/** A limit on the retries, because a sheet may refuse every formula and each refusal costs a request. */
const mostRefusals = 100;

/**
 * Writes the changes, and tries a part that Excel refuses again in halves: a single formula that it refuses, such as one that names a
 * deleted sheet, must not keep the others from coming back. Returns the first failure, if any, and the changes that were written.
 */
async function replaceWhatExcelTakes(
  changes: AreaChange[],
  replace: (part: AreaChange[]) => Promise<void>,
): Promise<{ failure: Failure | null; written: Set<AreaChange> }> {
  const parts = [changes];
  const written = new Set<AreaChange>();
  let failure: Failure | null = null;
  let refusals = 0;
  for (let part = parts.pop(); part && refusals < mostRefusals; part = parts.pop()) {
    try {
      await replace(part);
      for (const change of part) written.add(change);
    } catch (thrown) {
      if (isCancelled(thrown)) {
        failure = failure?.detail === undefined ? asFailure(thrown) : withDetail(thrown, failure.detail);
        break;
      }
      failure ??= asFailure(thrown);
      refusals += 1;
      const half = Math.ceil(part.length / 2);
      if (part.length > 1) parts.push(part.slice(half), part.slice(0, half));
    }
  }
  return { failure, written };
}

/** Reads again which formulas stand in their cells, because Excel may have spread one formula over its table column and other formulas. */
async function seeWhatStands(
  formulas: readonly FrozenFormula[],
  writtenAt: ReadonlySet<string>,
  workbook: Pick<Workbook, "readCells">,
): Promise<{ back: FrozenFormula[]; left: Left[] }> {
  const anchors = formulas.map((each) => ({ ...each, rows: 1, columns: 1 }));
  const now = await workbook.readCells(anchors, ["formula", "value"]);
  const back: FrozenFormula[] = [];
  const left: Left[] = [];
  for (const frozen of formulas) {
    const key = cellKey(frozen.sheetId, frozen.row, frozen.column);
    const there = now.get(key);
    const hasFormula = there !== undefined && isFormula(there);
    if (hasFormula && there.formula === frozen.formula) back.push(frozen);
    else if (hasFormula) left.push({ ...frozen, reason: "got another formula from Excel" });
    else if (writtenAt.has(key))
      left.push({
        ...frozen,
        reason: "came back, but its cell was changed or moved meanwhile: look around it",
      });
    else left.push({ ...frozen, reason: "its formula was not written: Excel refused it, or you cancelled" });
  }
  return { back, left };
}

function isCancelled(thrown: unknown): boolean {
  return asFailure(thrown).kind === "cancelled";
}

function progressOf(changes: readonly AreaChange[], onProgress: WriteOptions["onProgress"]) {
  const total = changes.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
  return (done: number) => onProgress(done, total);
}
