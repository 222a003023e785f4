import type { Snapshot } from "../../../src/workbook/imports/saved/snapshots";
import type { Known } from "../../../src/workbook/sheet/layout/answer-parts";

/** Answers by "AHJ type". */
export type Answers = Record<string, Known | null>;

/** The snapshot of a last run with these answers. */
export function lastRun(answers: Answers): Snapshot {
  const keys = Object.keys(answers).map((key) => key.split(" ").map(Number) as [number, number]);
  return {
    ahjIds: () => new Set(keys.map(([ahjId]) => ahjId)),
    mostTypes: keys.length,
    typeIds: (ahjId) => new Set(keys.flatMap(([id, typeId]) => (id === ahjId ? [typeId] : []))),
    get: (ahjId, typeId) => answers[`${ahjId} ${typeId}`],
  };
}

/** All answers that the snapshot of a last run holds. */
export function toldBy(run: Snapshot): Answers {
  return Object.fromEntries(
    [...run.ahjIds()].flatMap((ahjId) =>
      [...run.typeIds(ahjId)].flatMap((typeId) => {
        const known = run.get(ahjId, typeId);
        return known === undefined ? [] : [[`${ahjId} ${typeId}`, known]];
      }),
    ),
  );
}
