import { type FormattedCell, formattedValue, linkedText, textCell } from "../values/cell-value";
import { columnCell } from "../values/value-column";

/** The published answer of a cell, as far as it is known. */
export interface Known {
  value: string;
  reference: string | null;
  section: string | null;
  /** The time of the last change in ISO 8601; null if the answer came without it. */
  updatedAt: string | null;
}

/** The answer that the service published for an AHJ and a type. */
export interface PublishedAnswer extends Known {
  /** The time when the service gave the answer. */
  fetchedAtMs: number;
}

/** A part of an answer. Each can have a column of its own. */
export type PartOfAnswer = keyof Known;

/** All that tables, reports and Source know of a part of an answer. */
interface PartFacts {
  /** The header of its column. In a wide table, it follows the question's name, but for the value. */
  header: string;
  /** The word for it within a sentence: "the service has no section". */
  noun: string;
  /** The sentence by which Source explains its column. */
  about: string;
  /** The user's choice that adds its column; null if every table has it. */
  addedBy: "hasCitations" | "hasDates" | null;
  /** True if another text is another answer. Only such a text may be longer than a cell can hold. */
  isContent: boolean;
  /** The text as people read it, from the text as it came. */
  readable(text: string): string;
  /** The cell of its column. */
  cell(text: string, unit: string, numberFormat?: string | null): FormattedCell;
}

const asPublished = (text: string) => text;

/** The parts of an answer, in the order in which a table shows them. */
export const answerParts: Record<PartOfAnswer, PartFacts> = {
  value: {
    header: "Value",
    noun: "value",
    about: "The answers to this question, as the service published them.",
    addedBy: null,
    isContent: true,
    readable: asPublished,
    cell: columnCell,
  },
  reference: {
    header: "Reference",
    noun: "reference",
    about: "Where each answer is written: the document or page.",
    addedBy: "hasCitations",
    isContent: true,
    readable: asPublished,
    cell: linkedText,
  },
  section: {
    header: "Section",
    noun: "section",
    about: "The section in which each answer is written.",
    addedBy: "hasCitations",
    isContent: true,
    readable: asPublished,
    cell: textCell,
  },
  updatedAt: {
    header: "Updated",
    noun: "date",
    about: "The day on which the service last updated each answer.",
    addedBy: "hasDates",
    isContent: false,
    readable: dayOf,
    cell: dayCell,
  },
};

export const answerPartNames = Object.keys(answerParts) as PartOfAnswer[];

/** The parts by which two answers are compared. */
export const contentParts = answerPartNames.filter((part) => answerParts[part].isContent);

/** The parts that have columns in a table of this form. */
export function partsShown(form: {
  hasCitations: boolean;
  hasDates?: boolean | null | undefined;
}): PartOfAnswer[] {
  return answerPartNames.filter((part) => {
    const { addedBy } = answerParts[part];
    return addedBy === null || form[addedBy];
  });
}

export function isAnswerPart(name: string): name is PartOfAnswer {
  return Object.hasOwn(answerParts, name);
}

/** The day of a time in ISO 8601, in UTC. */
export function dayOf(isoTime: string): string {
  return isoTime.slice(0, "2026-01-31".length);
}

/** The day as a date of the sheet. A text that is no time stays text. */
function dayCell(isoTime: string): FormattedCell {
  return formattedValue(dayOf(isoTime), "date") ?? textCell(isoTime);
}
