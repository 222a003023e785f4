/** A promise of docs/security.md, docs/privacy.md or docs/reliability.md, and ways to break it. */
export interface HeldPromise {
  /** The words of the document. */
  says: string;
  mutants: readonly Mutant[];
}

/** One break of a promise, and what must notice it. */
export type Mutant = Break & (CaughtByTest | CaughtByLint);

interface Break {
  /** A file of the repository. */
  file: string;
  /** Stands in the file exactly once. */
  text: string;
  becomes: string;
}

interface CaughtByTest {
  test: string;
  /** The title of the test as its file writes it, with the placeholders of a table. */
  title: string;
}

interface CaughtByLint {
  /** A rule of .oxlintrc.json, such as `no-console`. */
  rule: string;
}

/** A regular expression for the titles that a test has when it runs: placeholders stand for any text. */
export function titlePattern(title: string): string {
  return title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/%[sdijfop]|\\\$\w+/g, ".*");
}
