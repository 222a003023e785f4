import { onAbort } from "../../async/on-abort";
import { Failure } from "../../errors";
import type { Workbook } from "../sheet/workbook";
import type { CellArea, CellContents } from "../sheet/cells/formula-search";

/** Runs work during which formulas ask again, and waits until no formula waits for an answer. App implements both. */
export interface FormulaCalls {
  askAnew<Result>(work: () => Promise<Result>): Promise<Result>;
  idle(): Promise<number>;
}

/** The value of a cell that waits for its formula. */
export const pending = "#BUSY!";

/** Excel takes over results at most twice a second. */
const handOverMs = 600;
/** Formulas that have not asked after this time ask nothing: a condition skips the call, or an argument is an error. */
export const quietMs = 3_000;
/** Cells that still wait after this time with no request under way are stuck (OfficeDev/office-js#6930). */
const stuckMs = 15_000;

/**
 * Waits until cells that are being calculated show their results. `askedBefore` is the number that `idle` gave before the calculation.
 * Excel does not tell when it is done, so this waits for the formulas' calls, then for the requests under way, and then until no cell shows
 * #BUSY! any more. Cells that keep showing #BUSY! are given up. Fails with cancelled.
 */
export async function untilCalculated(
  cells: readonly CellArea[],
  askedBefore: number,
  {
    workbook,
    calls,
    signal,
    expected = cells.length,
  }: {
    workbook: Pick<Workbook, "readCells">;
    calls: FormulaCalls;
    signal: AbortSignal;
    /** How many calls are waited for, as long as some come now and then. Default: one for each cell. */
    expected?: number;
  },
): Promise<void> {
  let asked = askedBefore;
  let lastAskedMs = Date.now();
  let idleSinceMs: number | undefined;
  for (;;) {
    await unlessCancelled(pause(handOverMs), signal);
    const now = await unlessCancelled(calls.idle(), signal);
    if (now > asked) {
      [asked, lastAskedMs, idleSinceMs] = [now, Date.now(), undefined];
      // Answers that have just arrived are still on their way into the cells.
      continue;
    }
    if (asked - askedBefore < expected && Date.now() - lastAskedMs < quietMs) continue;
    const shown = await readSettled(cells, ["value"], { workbook, signal });
    if (![...shown.values()].some(({ value }) => value === pending)) return;
    idleSinceMs ??= Date.now();
    if (Date.now() - idleSinceMs > stuckMs) return;
  }
}

/**
 * Reads formulas' cells. Excel may show 0 for a moment between #BUSY! and the value (OfficeDev/office-js#6577), so a 0 is believed once it is
 * read twice, with a pause between. Fails with cancelled.
 */
export async function readSettled<Part extends keyof CellContents>(
  cells: readonly CellArea[],
  parts: readonly (Part | "value")[],
  { workbook, signal }: { workbook: Pick<Workbook, "readCells">; signal: AbortSignal },
): Promise<Map<string, Pick<CellContents, Part | "value">>> {
  let zerosBefore: ReadonlySet<string> | undefined;
  for (;;) {
    const contents = await workbook.readCells(cells, parts, signal);
    const zeros = new Set([...contents].flatMap(([key, { value }]) => (value === 0 ? key : [])));
    if ([...zeros].every((key) => zerosBefore?.has(key))) return contents;
    zerosBefore = zeros;
    await unlessCancelled(pause(handOverMs), signal);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export function unlessCancelled<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const detail = "Answers to requests that were already sent still arrive.";
    const release = onAbort(signal, () => reject(new Failure("cancelled", { detail })));
    promise.then(resolve, reject).finally(release);
  });
}
