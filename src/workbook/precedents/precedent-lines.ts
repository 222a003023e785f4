import type { CitedAnswer } from "../imports/sources/sources-sheet";
import type { CellPosition } from "../sheet/workbook";
import type { Precedents } from "./read-precedents";

/**
 * The state of an answer of which a cell is made. "missing" has no value, "unheld" is not kept on this device, and "differs" is not what the
 * cell shows.
 */
export type AnswerStanding = "missing" | "unheld" | "differs" | "old" | "current";

/** An answer of which a cell is made, in words. */
export interface AnswerLine extends CitedAnswer {
  /** The cell that shows it. */
  place: CellPosition;
  /** The question's id; null if it is not known. */
  typeId: number | null;
  standing: AnswerStanding;
  /** Why it stands so, in sentences; "" if there is nothing to say. */
  why: string;
}

/** The cells of which a cell is made, with the answers in words and in their order. */
export interface ListedPrecedents extends Omit<Precedents, "answers"> {
  answers: AnswerLine[];
}

/** The standings in the order of the list: what needs somebody's attention comes first. */
export const standingWords: Record<AnswerStanding, string> = {
  missing: "No value",
  unheld: "Not on this device",
  differs: "Cell shows something else",
  old: "Old",
  current: "Current",
};

const ranks = Object.keys(standingWords) as AnswerStanding[];

/** The answers in the order of the list. Answers of the same standing keep their order. */
export function inOrder(lines: readonly AnswerLine[]): AnswerLine[] {
  return ranks.flatMap((rank) => lines.filter(({ standing }) => standing === rank));
}

/** The most addresses that a sentence names. */
const mostNamed = 10;

/** The list in a few sentences. `counted` gives a number with its noun, as `2 answers`. */
export function precedentSentences(
  { of, answers, typedNumbers, typedTexts, blanks, notFollowed, looked, isWhole }: ListedPrecedents,
  counted: (count: number, noun: string) => string,
): string[] {
  if (of.formula === "") return [`${of.address} holds no formula any more.`];
  const countOf = (standing: AnswerStanding) => answers.filter((each) => each.standing === standing).length;
  const told: [AnswerStanding, one: string, several: string][] = [
    ["missing", "has no value", "have no value"],
    ["unheld", "is not on this device", "are not on this device"],
    ["differs", "is not what its cell shows", "are not what their cells show"],
    ["old", "is old", "are old"],
  ];
  const states = told.flatMap(([standing, one, several]) => {
    const count = countOf(standing);
    return count === 0 ? [] : [`${count.toLocaleString("en-US")} ${count === 1 ? one : several}`];
  });
  const typed = (cells: Precedents["typedNumbers"], noun: string) => {
    if (cells.length === 0) return [];
    const named = cells.slice(0, mostNamed).map(({ address }) => address);
    const more = cells.length > mostNamed ? " and more" : "";
    return [`${counted(cells.length, noun)}: ${named.join(", ")}${more}.`];
  };
  return [
    `${counted(answers.length, "answer")}${states.length > 0 ? `: ${states.join(", ")}` : ""}.`,
    ...typed(typedNumbers, "typed number"),
    ...typed(typedTexts, "typed text"),
    ...(blanks > 0 ? [`${counted(blanks, "blank cell")}.`] : []),
    ...(notFollowed.length > 0 ? [`${counted(notFollowed.length, "reference")} can’t be followed.`] : []),
    ...(isWhole ? [] : [`${counted(looked, "cell")} looked at: the list is not whole.`]),
  ];
}
