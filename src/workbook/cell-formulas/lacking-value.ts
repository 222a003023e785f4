import { Failure } from "../../errors";
import type { Lookup } from "../../engine/lookup/lookup";
import type { FormulaCell } from "../sheet/cells/formula-search";
import { type AskedDoors, askedByFormulas } from "./asked-by-formulas";

/** What a cell shows whose answer is not there. Entered, it shows the same, whether Excel takes it for the error or for its text. */
export const notAvailable = "#N/A";

/** Tells which formulas in error are so only because no value is recorded. */
export type LackingValue = (
  cells: readonly FormulaCell[],
  signal: AbortSignal,
) => Promise<ReadonlySet<FormulaCell>>;

/**
 * By what is kept: a formula lacks a value if the service has answered all that it asks, and has none recorded for a part of it.
 * The service is asked nothing.
 */
export async function lackingValue(
  cells: readonly FormulaCell[],
  { lookup, ...doors }: AskedDoors & { lookup: Pick<Lookup, "ask"> },
): Promise<ReadonlySet<FormulaCell>> {
  const asked = (await askedByFormulas(cells, doors)).filter(({ isWhole }) => isWhole);
  const questionsOf = asked.map(({ grids }) =>
    grids.flatMap(({ jurisdictions, types }) =>
      jurisdictions.flatMap((ahj) => types.map((type) => ({ ahj, type }))),
    ),
  );
  const questions = questionsOf.flat();
  if (questions.length === 0) return new Set();
  const { values } = await lookup.ask({ questions }, { keptOnly: true, signal: doors.signal });
  const lacking = new Set<FormulaCell>();
  let end = 0;
  asked.forEach(({ cell }, index) => {
    const answers = values.slice(end, (end += questionsOf[index]?.length ?? 0));
    const failures = answers.filter((answer) => answer instanceof Failure);
    if (failures.length > 0 && failures.every(({ kind }) => kind === "no-value")) lacking.add(cell);
  });
  return lacking;
}
