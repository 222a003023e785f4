import { inTurns } from "../../../async/in-turns";
import type { DocumentCache } from "../../../engine/cache/answer-cache";
import type { Lookup } from "../../../engine/lookup/lookup";
import { Failure } from "../../../errors";
import { answerCell } from "../../sheet/layout/table-plan";
import { shows } from "../refresh/compare-answers";
import type { AnswerPlace } from "../saved/import-rows";
import { createSnapshots, type Snapshot } from "../saved/snapshots";
import type { SourceCell } from "./sources-sheet";

/** The device's knowledge of answers. */
export interface KeptSourcesDependencies {
  lookup: Pick<Lookup, "answers">;
  documents: DocumentCache;
}

/** The answers that this device holds for cells of an import. */
export interface KeptSources {
  /** The answers of the import's last run; undefined if this device did not keep them. */
  last: Snapshot | undefined;
  /** The answer that a value's cell shows exactly; undefined if this device does not know it. */
  answerAt(place: AnswerPlace): SourceCell["answer"] | undefined;
}

/** Reads what this device knows of the answers in these cells of an import. The service is not asked. */
export async function readKeptSources(
  importId: string,
  places: readonly Pick<AnswerPlace, "ahj" | "type">[],
  { lookup, documents }: KeptSourcesDependencies,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<KeptSources> {
  const wanted = new Map<number, Set<number>>();
  await inTurns(places, ({ ahj, type }) => {
    wanted.set(ahj.id, (wanted.get(ahj.id) ?? new Set()).add(type.id));
  });
  const kept = await lookup.answers.read({ values: wanted }, { ...options, keptOnly: true });
  const last = await createSnapshots(documents).read(importId);
  return {
    last,
    answerAt({ ahj, type, shown }) {
      const found = kept.of(ahj.id, type.id);
      const ofLast = last?.get(ahj.id, type.id);
      const answers: SourceCell["answer"][] = found instanceof Failure ? [] : [found.cell];
      if (ofLast) answers.push({ ...ofLast, fetchedAtMs: null });
      return answers.find((answer) => shows(answerCell("value", answer, type), shown?.value));
    },
  };
}
