import type { Lookup } from "../../engine/lookup/lookup";
import type { FailureKind } from "../../errors";
import { type FindOptions, type FormulaCell } from "../sheet/cells/formula-search";
import type { Workbook } from "../sheet/workbook";
import { askedByFormulas } from "./asked-by-formulas";
import { inError } from "./in-error";
import { type LackingValue, notAvailable } from "./lacking-value";
import { type FormulaCalls, pending, untilCalculated } from "./settle";

/** The outcome for formulas that had waited for a connection. */
export interface AnsweredFormulas {
  /** The formulas that show a value now. */
  answered: number;
  /** The formulas that ask about a jurisdiction outside of the subscription. */
  outside: number;
  /** The formulas for which no value is recorded. */
  withoutValue: number;
  /** The formulas that show an error, or still wait, for another reason. */
  inError: number;
}

const outsideKinds: ReadonlySet<FailureKind | undefined> = new Set<FailureKind>([
  "outside-subscription",
  "maybe-outside-subscription",
]);

/**
 * Recalculates only those formulas of the workbook that show an error or still wait for an answer; cells that show a value keep it. Tells
 * how many these are, waits for their answers, and counts what the cells show then.
 */
export async function answerWaiting(
  workbook: Pick<Workbook, "findFormulas" | "readCells" | "calculate" | "valuesAt" | "run">,
  {
    onBegun,
    calls,
    lookup,
    lackingValue,
    ...options
  }: FindOptions & {
    signal: AbortSignal;
    onBegun: (formulas: number) => void;
    calls: FormulaCalls;
    lookup: Pick<Lookup, "lastFailure">;
    lackingValue: LackingValue;
  },
): Promise<AnsweredFormulas> {
  const { namespace, signal } = options;
  const askedBefore = await calls.idle();
  const waiting = await inError(workbook, await workbook.findFormulas("workbook", options), signal);
  if (waiting.length === 0) return { answered: 0, outside: 0, withoutValue: 0, inError: 0 };
  onBegun(waiting.length);
  await workbook.calculate(waiting);
  await untilCalculated(waiting, askedBefore, { workbook, calls, signal });
  const left = await inError(workbook, waiting, signal);
  const lacking = await lackingValue(left, signal);
  const others = left.filter((cell) => !lacking.has(cell));
  const asked = await askedByFormulas(others, { workbook, namespace, signal });
  const outside = asked.filter(({ grids }) =>
    grids.some(({ jurisdictions, types }) =>
      jurisdictions.some((ahj) =>
        types.some((type) => outsideKinds.has(lookup.lastFailure({ ahj, type })?.kind)),
      ),
    ),
  ).length;
  return {
    answered: waiting.length - left.length,
    outside,
    withoutValue: lacking.size,
    inError: others.length - outside,
  };
}

/** The number of these formulas that show #N/A or still wait, as all do that have asked without a key. */
export async function countWaiting(
  workbook: Pick<Workbook, "readCells">,
  formulas: readonly FormulaCell[],
  signal?: AbortSignal,
): Promise<number> {
  const anchors = formulas.map((cell) => ({ ...cell, rows: 1, columns: 1 }));
  const shown = await workbook.readCells(anchors, ["value"], signal);
  return [...shown.values()].filter(({ value }) => value === notAvailable || value === pending).length;
}
