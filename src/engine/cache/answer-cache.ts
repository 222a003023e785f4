import type { AnswerPart, FilledPart } from "./answer-part";
import type { CachedAnswer, Seen } from "./cached-answer";

/** Answers by AHJ and type, in memory and, if the browser has a store, on disk. */
export interface AnswerCache {
  /** Returns an answer of any age from memory. */
  get(ahjId: number, typeId: number): CachedAnswer | undefined;
  /** Like `get` without the answer's texts, which is quicker. */
  see(ahjId: number, typeId: number): Seen | undefined;
  /** Returns the published value alone, which is quicker than `get`; null if there is none. */
  value(ahjId: number, typeId: number): string | null;
  /** Adds a published value with its citation and dates to a part, without reading its texts. Returns false if there is no value. */
  copy(ahjId: number, typeId: number, into: AnswerPart): boolean;
  /** Reads the answers of these AHJs from disk into memory. The newer of two answers stays. Never fails. */
  load(ahjIds: Iterable<number>): Promise<void>;
  /** Keeps answers: in memory at once, on disk soon. */
  put(ahjId: number, answers: Iterable<readonly [typeId: number, answer: CachedAnswer]>): void;
  /** Keeps the answers of a part, as `put` does. If two answers have the same age, the part's stays. The part must not change later. */
  putPart(filled: FilledPart): void;
  /** Forgets everything about these AHJs. */
  drop(ahjIds: Iterable<number>): void;
  /** Keeps all answers of some AHJs in memory, including later ones, until the hold is released. */
  hold(): Hold;
  /** The memory that this many answers are likely to take, as a multiple of the memory that answers may take in all. */
  shareOfMemory(answers: number): number;
  /** True if the answers in memory take more than they may at once. */
  isFull(): boolean;
}

/** AHJs whose answers stay in memory, even if memory then takes more than it should. */
export interface Hold<Key = number> {
  keep(ahjs: Iterable<Key>): void;
  release(): void;
}

/** Whole documents by name, such as the directory: on disk if the browser has a store, otherwise in memory. */
export interface DocumentCache {
  /** Reads the documents that exist. Never fails. */
  read(names: Iterable<string>): Promise<Map<string, CachedDocument>>;
  /** Keeps a document and replaces an earlier one of the same name. */
  write(name: string, document: CachedDocument): void;
}

export interface CachedDocument {
  fetchedAtMs: number;
  /** Any value that JSON can hold. The reader checks its shape. */
  content: unknown;
  /** Columns of numbers that belong to the content. IndexedDB copies them as they are, and JSON could not. */
  columns?: unknown;
}
