import type { FailureKind } from "../../errors";
import type { AnswerPart, FilledPart } from "./answer-part";

/** Why the service gives no value. */
export type Absence = Extract<
  FailureKind,
  "no-value" | "unknown-type" | "unknown-jurisdiction" | "outside-subscription"
>;

/** What the service said of one AHJ and data point type, and when. */
export type CachedAnswer = CachedValue | CachedAbsence;

export interface CachedValue {
  fetchedAtMs: number;
  /** As published. */
  value: string;
  reference: string | null;
  section: string | null;
  /** ISO 8601, where the answer came with it: a matrix does not tell. */
  updatedAt: string | null;
}

export interface CachedAbsence {
  fetchedAtMs: number;
  absence: Absence;
}

/** What is to be known of an answer before it is read. */
export interface Seen {
  fetchedAtMs: number;
  /** Why there is no value; null where there is one. */
  absence: Absence | null;
  /** Whether the value comes with the date of its last change. */
  isDated: boolean;
}

/** Answers by AHJ and type: in memory, and on disk where there is one. */
export interface AnswerCache {
  /** From memory, of any age. */
  get(ahjId: number, typeId: number): CachedAnswer | undefined;
  /** The same without its texts, which is quicker. */
  see(ahjId: number, typeId: number): Seen | undefined;
  /** The published value alone, which is quicker; null where there is none. */
  value(ahjId: number, typeId: number): string | null;
  /** Adds a published value, with all that belongs to it, to a part, without reading its texts. False where there is none. */
  copy(ahjId: number, typeId: number, into: AnswerPart): boolean;
  /** Brings what the disk holds of these AHJs into memory; of two answers the newer stays. Never fails. */
  load(ahjIds: Iterable<number>): Promise<void>;
  /** Keeps answers, in memory at once and on disk soon. */
  put(ahjId: number, answers: Iterable<readonly [typeId: number, answer: CachedAnswer]>): void;
  /** Keeps the answers of a part in the same way; of two of the same age the part's. It may not be changed any more. */
  putPart(filled: FilledPart): void;
  /** Forgets everything about these AHJs. */
  drop(ahjIds: Iterable<number>): void;
  /** Keeps in memory whatever comes of some AHJs, until it is released. */
  hold(): Hold;
  /** How many times as much as memory may hold at once so many answers are likely to take. */
  shareOfMemory(answers: number): number;
  /** Whether memory holds as much as it may at once. */
  isFull(): boolean;
}

/** AHJs whose answers stay in memory, though it may take more than it should. */
export interface Hold<Key = number> {
  keep(ahjs: Iterable<Key>): void;
  release(): void;
}

/** Whole texts under a name, such as the directory: on disk where there is one, else in memory. */
export interface DocumentCache {
  /** Those that are there. Never fails. */
  read(names: Iterable<string>): Promise<Map<string, CachedDocument>>;
  /** Keeps a document in place of the one with its name. */
  write(name: string, document: CachedDocument): void;
}

export interface CachedDocument {
  fetchedAtMs: number;
  /** Any value that JSON can hold; whoever reads it checks its shape. */
  content: unknown;
  /** Beside it, what only the browser can copy: columns of numbers. */
  columns?: unknown;
}
