/** One tab of a browser, worked from outside as a person does: by mouse and keyboard, and by looking at it. */
export interface Tab {
  /** The browser's, as it says itself. */
  version: string;
  /** Resolves when the page has loaded; its certificate may be the machine's own. */
  open(url: string): Promise<void>;
  /**
   * Runs a function in the page and gives what it returns, both ways as JSON. The function sees its arguments and the page, and
   * nothing of the file that it stands in. Rejects with what it throws.
   */
  run<Args extends unknown[], Result>(
    work: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>>;
  /** At a place of the page, in its pixels. */
  click(place: Place): Promise<void>;
  /** Types into what has the keyboard; "\n" is Enter. */
  type(text: string): Promise<void>;
  /** As PNG. */
  picture(): Promise<Buffer>;
  /** Ends the browser and all that was started for it. */
  close(): Promise<void>;
}

export interface Place {
  x: number;
  y: number;
}

/** The size of a page on a small notebook. */
export const viewport = { width: 1_300, height: 860 };

/** The key Enter in WebDriver's words. */
const enterKey = "\uE007";

/** The keys of a text, as WebDriver names them. */
export function keysOf(text: string): string[] {
  return Array.from(text, (character) => (character === "\n" ? enterKey : character));
}

/** A script that gives, or promises, the JSON of what `work` returns. */
export function scriptFor(work: (...args: never[]) => unknown, args: readonly unknown[]): string {
  // tsx gives functions their names with it.
  const prelude = "const __name = (named) => named;";
  return `(async () => { ${prelude} return JSON.stringify(await (${String(work)})(...${JSON.stringify(args)})) ?? "null"; })()`;
}
