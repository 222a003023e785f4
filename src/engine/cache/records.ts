import * as z from "zod/mini";
import { orderMs } from "./age";
import type { CachedAnswer, CachedDocument } from "./answer-cache";

// A Content Security Policy without `unsafe-eval` reports what zod would otherwise try.
z.config({ jitless: true });

/** A document on disk. A record of another format counts as none. */
const storedDocument = z.object({
  format: z.literal(1),
  /** When it was fetched. */
  atMs: z.number(),
  content: z.string(),
  /** Absent in records of builds before there were any. */
  columns: z.optional(z.unknown()),
});
export type DocumentRecord = z.infer<typeof storedDocument>;

/** The answers of one AHJ, by data point type. */
export type Answers = Map<number, CachedAnswer>;

export function documentRecord({ fetchedAtMs, content, columns }: CachedDocument): DocumentRecord {
  return { format: 1, atMs: fetchedAtMs, content: JSON.stringify(content), columns };
}

/** Undefined where it is of another format or damaged. */
export function documentOf(record: unknown): CachedDocument | undefined {
  try {
    const { atMs, content, columns } = storedDocument.parse(record);
    return { fetchedAtMs: atMs, content: JSON.parse(content), columns };
  } catch {
    return undefined;
  }
}

/** Adds answers to others; of two of the same type the newer stays, of two of the same age the added one. */
export function addNewer(answers: Answers, added: Iterable<readonly [number, CachedAnswer]>): Answers {
  for (const [type, answer] of added) {
    const present = answers.get(type);
    if (!present || orderMs(present.fetchedAtMs) <= orderMs(answer.fetchedAtMs)) answers.set(type, answer);
  }
  return answers;
}
