import { config } from "../../config";
import type { CachedAnswer } from "./answer-cache";
import { addNewer, type Answers, newestMs } from "./records";

/** The answers in memory, at most `config.cachedAnswers`. */
export interface AnswerMemory {
  get(ahjId: number, typeId: number): CachedAnswer | undefined;
  /** All that is there of an AHJ. */
  of(ahjId: number): Iterable<readonly [typeId: number, answer: CachedAnswer]>;
  /** Adds answers; of two the newer stays, of two of the same age the added one. */
  add(ahjId: number, answers: Iterable<readonly [typeId: number, answer: CachedAnswer]>): void;
  delete(ahjId: number): void;
  clear(): void;
}

export function createAnswerMemory(): AnswerMemory {
  const byAhj = new Map<number, Answers>();
  let size = 0;

  function remove(ahjId: number) {
    size -= byAhj.get(ahjId)?.size ?? 0;
    byAhj.delete(ahjId);
  }

  function removeOldest() {
    const oldestFirst = Array.from(byAhj, ([ahjId, answers]) => ({ ahjId, atMs: newestMs(answers) }));
    oldestFirst.sort((a, b) => a.atMs - b.atMs);
    // A tenth at once: the sorting is then rare enough to cost nothing.
    for (const { ahjId } of oldestFirst) {
      if (size <= config.cachedAnswers * 0.9) return;
      remove(ahjId);
    }
  }

  return {
    get: (ahjId, typeId) => byAhj.get(ahjId)?.get(typeId),
    of: (ahjId) => byAhj.get(ahjId) ?? [],
    add(ahjId, added) {
      const answers = byAhj.get(ahjId) ?? new Map<number, CachedAnswer>();
      size -= answers.size;
      byAhj.set(ahjId, addNewer(answers, added));
      size += answers.size;
      if (size > config.cachedAnswers) removeOldest();
    },
    delete: remove,
    clear() {
      byAhj.clear();
      size = 0;
    },
  };
}
