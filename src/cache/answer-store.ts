/** Answers by jurisdiction and question, in memory. One store belongs to one service address and one key. */
export interface AnswerStore<Answer> {
  get(ahjId: number, typeId: number): Answer | undefined;
  set(ahjId: number, typeId: number, answer: Answer): void;
}

export function createAnswerStore<Answer>(): AnswerStore<Answer> {
  const byAhj = new Map<number, Map<number, Answer>>();
  return {
    get: (ahjId, typeId) => byAhj.get(ahjId)?.get(typeId),
    set(ahjId, typeId, answer) {
      let byType = byAhj.get(ahjId);
      if (!byType) byAhj.set(ahjId, (byType = new Map()));
      byType.set(typeId, answer);
    },
  };
}
