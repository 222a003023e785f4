import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

/**
 * Checks by the words that name their statements: a table row goes by its first cell, a bullet by two or more words that no other bullet
 * under its heading has. A check throws if its subject breaks the statement.
 */
export type Checks = Record<string, () => void | Promise<void>>;
export type ChecksByHeading = Readonly<Record<string, Checks>>;

/** Statements under this heading bind nobody: any behavior is right. */
export const leftOpen = "Left open";

/** A bullet or a table row of docs/interface.md. */
export interface Statement {
  /** The heading above the statement. */
  heading: string;
  /** A bullet's text; a table row's cells, with ` | ` between them. */
  text: string;
  /** A table row's first cell. */
  rowName?: string;
}

const lines = readFileSync(join(root, "docs/interface.md"), "utf8").split("\n");

/** The headings of docs/interface.md below its title. */
export const headings = lines.flatMap((line) => headingIn(line) ?? []);

/** The bullets and table rows below those headings, in the page's order. */
export const pageStatements: readonly Statement[] = read().statements;

/** Lines below a heading that are neither bullets nor rows: they belong in the introduction or under "Left open". */
export const otherLines: readonly { heading: string; line: string }[] = read().others;

/** True if these words name this statement: a single word is a row's name, several words are part of a bullet. */
export function isMeant({ text, rowName }: Statement, words: string): boolean {
  return words.includes(" ") ? rowName === undefined && text.includes(words) : rowName === words;
}

function headingIn(line: string): string | undefined {
  return /^##+ (.*)$/.exec(line)?.[1];
}

function read() {
  const statements: Statement[] = [];
  const others: { heading: string; line: string }[] = [];
  let heading: string | undefined;
  lines.forEach((line, index) => {
    const last = statements.at(-1);
    heading = headingIn(line) ?? heading;
    if (heading === undefined || line === "" || headingIn(line) !== undefined) return;
    const isTableHead = line.startsWith("|") && /^\| -/.test(lines[index + 1] ?? "");
    if (isTableHead || /^\| -/.test(line)) return;
    if (line.startsWith("- ")) {
      statements.push({ heading, text: line.slice(2) });
    } else if (line.startsWith("|")) {
      const cells = line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim());
      const text = cells.filter((cell) => cell !== "").join(" | ");
      statements.push({ heading, text, rowName: (cells[0] ?? "").replace(/^`(.*)`$/, "$1") });
    } else if (/^ {2}\S/.test(line) && last?.heading === heading && last.rowName === undefined) {
      last.text += ` ${line.trim()}`;
    } else {
      others.push({ heading, line });
    }
  });
  return { statements, others };
}
