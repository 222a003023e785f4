import { contents, type HelpEntry, startPage } from "./contents";
import type { DocumentedFunction } from "./documented-functions";
import { type KindOfFailure, messagesOfFormulas, messagesOfPane, statusWords } from "./error-tables";
import { functionList } from "./function-pages";
import type { Html } from "./html-text";
import { contentsList, framed, type HelpPage } from "./page-frame";

/**
 * The pages that are written by hand. `textOf` gives the text of the file in `pages` with this path. The contents of tables from elsewhere
 * replace marks in the text.
 */
export function writtenPages(
  textOf: (path: string) => string,
  functions: readonly DocumentedFunction[],
  kinds: Readonly<Record<string, KindOfFailure>>,
): HelpPage[] {
  const marks: Record<string, Record<string, Html>> = {
    [startPage.path]: { contents: contentsList() },
    "formulas.html": { formulas: functionList(functions), "status words": statusWords(kinds) },
    "errors.html": {
      "messages of formulas": messagesOfFormulas(kinds),
      "messages of the pane": messagesOfPane(kinds),
    },
  };
  return writtenEntries.map((entry) => {
    let text = textOf(entry.path);
    for (const [mark, content] of Object.entries(marks[entry.path] ?? {}))
      text = filled(entry.path, text, `<!-- ${mark} -->`, content);
    return framed(entry, { html: text });
  });
}

/** The entries of all files in `pages`. */
export const writtenEntries: readonly HelpEntry[] = [startPage, ...contents.flatMap(({ pages }) => pages)];

function filled(path: string, text: string, mark: string, { html }: Html): string {
  if (!text.includes(mark)) throw new Error(`${path} lacks its mark ${mark}`);
  return text.replace(mark, () => html);
}
