import type { AskOptions, LookedUp, Lookup } from "../../engine/lookup/lookup";
import { Failure } from "../../errors";
import type { FormulaCell } from "../sheet/cells/formula-search";
import { type AskedDependencies, askedByFormulas } from "./asked-by-formulas";

/** The failures that a formula shows. */
export interface FormulaAnswers {
  cell: FormulaCell;
  /** The refusals of its arguments, then the answers that are failures, in the order of the questions. */
  failures: Failure[];
  /** True if all questions of the formula could be told without calculating it. */
  isWhole: boolean;
}

/** Asks in one batch the questions of formulas that can be told without calculating. Fails with cancelled. */
export async function formulaAnswers(
  cells: readonly FormulaCell[],
  {
    lookup,
    keptOnly,
    ...dependencies
  }: AskedDependencies & { lookup: Pick<Lookup, "ask"> } & Pick<AskOptions, "keptOnly">,
): Promise<FormulaAnswers[]> {
  const asked = (await askedByFormulas(cells, dependencies)).map(({ cell, grids, isWhole }) => ({
    cell,
    isWhole,
    refused: grids.flatMap((grid) => grid.refused),
    questions: grids.flatMap(({ jurisdictions, types }) =>
      jurisdictions.flatMap((ahj) => types.map((type) => ({ ahj, type }))),
    ),
    ahjs: grids.flatMap(({ jurisdictions, isDetailed }) => (isDetailed ? jurisdictions : [])),
  }));
  const questions = asked.flatMap((formula) => formula.questions);
  const ahjs = asked.flatMap((formula) => formula.ahjs);
  if (questions.length + ahjs.length === 0) return [];
  const found: Pick<LookedUp, "values" | "ahjs"> = await lookup.ask(
    { questions, ahjs },
    { signal: dependencies.signal, keptOnly },
  );
  let [value, ahj] = [0, 0];
  return asked.map((formula) => {
    const answers = [
      ...found.values.slice(value, (value += formula.questions.length)),
      ...found.ahjs.slice(ahj, (ahj += formula.ahjs.length)),
    ];
    const failures = answers.filter((answer) => answer instanceof Failure);
    return { cell: formula.cell, isWhole: formula.isWhole, failures: [...formula.refused, ...failures] };
  });
}
