import * as z from "../../zod";
import { orderMs } from "./age";
import type { CachedDocument } from "./answer-cache";
import type { CachedAnswer } from "./cached-answer";

/** A document on disk. A record of another format is ignored. */
const storedDocument = z.object({
  format: z.literal(1),
  /** When the document was fetched. */
  atMs: z.number(),
  content: z.string(),
  /** Missing in records of builds that stored no columns. */
  columns: z.optional(z.unknown()),
});
export type DocumentRecord = z.infer<typeof storedDocument>;

/** The answers of one AHJ, by the data point type's id. */
export type AnswersOfAhj = Map<number, CachedAnswer>;

export function documentRecord({ fetchedAtMs, content, columns }: CachedDocument): DocumentRecord {
  return { format: 1, atMs: fetchedAtMs, content: JSON.stringify(content), columns };
}

/** Returns undefined if the record has another format or is damaged. */
export function documentOf(record: unknown): CachedDocument | undefined {
  try {
    const { atMs, content, columns } = storedDocument.parse(record);
    return { fetchedAtMs: atMs, content: JSON.parse(content), columns };
  } catch {
    return undefined;
  }
}

/** Adds answers to `answers` and returns it. The newer of two answers of a type stays; if both have the same age, the added one does. */
export function addNewer(
  answers: AnswersOfAhj,
  added: Iterable<readonly [number, CachedAnswer]>,
): AnswersOfAhj {
  for (const [type, answer] of added) {
    const present = answers.get(type);
    if (!present || orderMs(present.fetchedAtMs) <= orderMs(answer.fetchedAtMs)) answers.set(type, answer);
  }
  return answers;
}
