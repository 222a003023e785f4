/**
 * What one record on disk looks like. Answers are tuples and their jurisdiction one record: of the shapes tried
 * in Chromium (objects or tuples, each as they are or as JSON text) none is read faster.
 */
import * as z from "zod/mini";
import { orderMs } from "./age";
import type { Absence, CachedAnswer, CachedDocument } from "./answer-cache";

// A Content Security Policy without `unsafe-eval` reports what zod would otherwise try.
z.config({ jitless: true });

export interface DiskRecord {
  /** A record of another format counts as none. */
  format: number;
  /** When its newest part was fetched; 0 where that is in the future. */
  atMs: number;
  /** How many answers or documents it holds. */
  count: number;
  content: unknown;
}

/** The answers of one AHJ, by data point type. */
export type Answers = Map<number, CachedAnswer>;

const format = 1;

const absences = {
  "no-value": "no-value",
  "unknown-type": "unknown-type",
  "unknown-jurisdiction": "unknown-jurisdiction",
  "outside-subscription": "outside-subscription",
} as const satisfies { [Kind in Absence]: Kind };

const typeId = z.int();
const timeMs = z.number();
const textOrNull = z.nullable(z.string());
/** Type id, fetchedAtMs, value, reference, section, updatedAt. */
const storedValue = z.tuple([typeId, timeMs, z.string(), textOrNull, textOrNull, textOrNull]);
const storedAbsence = z.tuple([typeId, timeMs, z.literal(Object.values(absences))]);
type StoredAnswer = z.infer<typeof storedValue> | z.infer<typeof storedAbsence>;

// With all checks 50,000 answers of 1,000 records take some 50 ms, in as many turns as there are records.
const storedAnswers = z.object({
  format: z.literal(format),
  content: z.array(z.union([storedValue, storedAbsence])),
});
const storedDocument = z.object({ format: z.literal(format), atMs: timeMs, content: z.string() });

export function answersRecord(answers: Answers): DiskRecord {
  return {
    format,
    atMs: newestMs(answers),
    count: answers.size,
    content: Array.from(answers, ([type, answer]) => toStored(type, answer)),
  };
}

/** Undefined where it is of another format or damaged. */
export function answersOf(record: unknown): Answers | undefined {
  const parsed = storedAnswers.safeParse(record);
  return parsed.success ? new Map(parsed.data.content.map(fromStored)) : undefined;
}

export function documentRecord({ fetchedAtMs, content }: CachedDocument): DiskRecord & { content: string } {
  return { format, atMs: fetchedAtMs, count: 1, content: JSON.stringify(content) };
}

/** Undefined where it is of another format or damaged. */
export function documentOf(record: unknown): CachedDocument | undefined {
  try {
    const { atMs, content } = storedDocument.parse(record);
    return { fetchedAtMs: atMs, content: JSON.parse(content) };
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

/** When the newest was fetched, apart from those in the future; 0 where there is none. */
export function newestMs(answers: Answers): number {
  let newest = 0;
  for (const { fetchedAtMs } of answers.values()) newest = Math.max(newest, orderMs(fetchedAtMs));
  return newest;
}

function toStored(type: number, answer: CachedAnswer): StoredAnswer {
  if ("absence" in answer) return [type, answer.fetchedAtMs, answer.absence];
  const { fetchedAtMs, value, reference, section, updatedAt } = answer;
  return [type, fetchedAtMs, value, reference, section, updatedAt];
}

function fromStored(stored: StoredAnswer): [type: number, answer: CachedAnswer] {
  if (stored.length === 3) return [stored[0], { fetchedAtMs: stored[1], absence: stored[2] }];
  const [type, fetchedAtMs, value, reference, section, updatedAt] = stored;
  return [type, { fetchedAtMs, value, reference, section, updatedAt }];
}
