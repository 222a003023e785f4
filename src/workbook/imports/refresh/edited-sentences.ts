import { answerParts, isAnswerPart } from "../../sheet/layout/answer-parts";
import type { EditedCell } from "./compare-answers";

/** The number of characters of a text that are shown. */
const shownCharacters = 200;

/** True if the service has something for an edited cell. If it has not, its word in the cell is a blank. */
export function hasAnswer({ part, after }: Pick<EditedCell, "part" | "after">): boolean {
  return (after?.[isAnswerPart(part) ? part : "value"] ?? null) !== null;
}

/** Sentences on what stands in an edited cell, and on what the service says and, if it is known, said before. */
export function editedSentences(cell: EditedCell): string {
  const { part, place, text, formula, before, after, isChanged } = cell;
  const known = isAnswerPart(part) ? part : "value";
  const noun = isAnswerPart(part) ? answerParts[part].noun : place.header;
  const typed =
    formula !== undefined
      ? `Edited to the formula ${beginning(formula)}.`
      : text === ""
        ? "Cleared."
        : `Edited to “${beginning(text)}”.`;
  const [was, is] = [before?.[known] ?? null, after?.[known] ?? null];
  const shown = (said: string | null) => (said === null ? `no ${noun}` : `“${beginning(said)}”`);
  if (isChanged && before !== undefined && was !== is)
    return `${typed} The service changed: ${shown(was)} → ${shown(is)}.`;
  if (isChanged && before === undefined) return `${typed} The service changed this: now ${shown(is)}.`;
  return is === null ? `${typed} The service has ${shown(is)}.` : `${typed} The service says ${shown(is)}.`;
}

function beginning(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}
