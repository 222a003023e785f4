import type { DataPointType } from "../../../engine/api/schemas";
import type { TypeFinder } from "../../../engine/lookup/search/find-types";

/** The questions that the lines of a text name. */
export interface PastedQuestions {
  /** Each once, in the order of the lines. */
  types: DataPointType[];
  /** The lines for which no question has everything that they say. */
  notFound: string[];
}

/** More lines than a service has questions are no list of questions. */
const mostLines = 500;

/** The lines of a pasted text, or its cells; null for a single one, which is a search. */
export function pastedLines(text: string): string[] | null {
  const lines = text
    .split(/[\r\n\t]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.length > 1 ? lines.slice(0, mostLines) : null;
}

/** Looks each line up as the search does, and takes the best match. */
export function questionsIn(lines: readonly string[], finder: TypeFinder): PastedQuestions {
  const types = new Map<number, DataPointType>();
  const notFound: string[] = [];
  for (const line of lines) {
    const { types: found, areClose } = finder.find(line);
    const [best] = found;
    if (best && !areClose) types.set(best.id, best);
    else notFound.push(line);
  }
  return { types: [...types.values()], notFound };
}
