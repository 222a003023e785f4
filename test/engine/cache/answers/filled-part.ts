import type { CachedAnswer } from "../../../../src/engine/cache/cached-answer";
import { createAnswerPart, type FilledPart, pushRow } from "../../../../src/engine/cache/answer-part";

/** A full part with the answers of some AHJs, one after the other. */
export function filledPart(
  ...ofAhjs: [ahjId: number, answers: [typeId: number, answer: CachedAnswer][]][]
): FilledPart {
  const part = createAnswerPart(ofAhjs.reduce((sum, [, answers]) => sum + answers.length, 0));
  const rows = ofAhjs.map(([ahjId, answers]) => pushRow(part, ahjId, new Map(answers)));
  part.seal();
  return { part, rows };
}
