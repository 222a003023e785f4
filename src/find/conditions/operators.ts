import { type AnswerKind } from "../readings/answer-reading";

/** How a condition compares an answer. */
export type Operator =
  | "is"
  | "is-not"
  | "contains"
  | "at-least"
  | "at-most"
  | "more-than"
  | "less-than"
  | "between"
  | "is-yes"
  | "is-no"
  | "no-value"
  | "has-value"
  | "updated-before"
  | "updated-after"
  | "older-than";

interface OperatorFacts {
  /** As the pane shows it, and as a cell of =REGDATA.FIND names it. */
  label: string;
  /** The label for days. */
  dateLabel?: string;
  /** Other spellings that a cell may have. */
  spellings: readonly string[];
  /** The kinds of answer that the operator fits. */
  fits: readonly AnswerKind[];
  /** The kind of operand that follows the operator. */
  operand: "none" | "answer" | "two-answers" | "text" | "day" | "age";
  /** True if the operator compares the date of the answer's last change, which takes more requests. */
  isDated?: boolean;
}

const all: readonly AnswerKind[] = ["amount", "date", "yes-no", "code-edition", "text"];
const ordered: readonly AnswerKind[] = ["amount", "date", "code-edition"];

/** In the order in which the pane offers them. */
export const operators: Readonly<Record<Operator, OperatorFacts>> = {
  "is-yes": { label: "is yes", spellings: ["yes", "= yes", "is true"], fits: ["yes-no"], operand: "none" },
  "is-no": { label: "is no", spellings: ["no", "= no", "is false"], fits: ["yes-no"], operand: "none" },
  "at-least": {
    label: "at least",
    dateLabel: "on or after",
    spellings: [">=", "≥", "from", "min", "minimum"],
    fits: ordered,
    operand: "answer",
  },
  "at-most": {
    label: "at most",
    dateLabel: "on or before",
    spellings: ["<=", "≤", "up to", "max", "maximum"],
    fits: ordered,
    operand: "answer",
  },
  "more-than": {
    label: "more than",
    dateLabel: "after",
    spellings: [">", "over", "above", "greater than", "is more than", "is over", "later than"],
    fits: ordered,
    operand: "answer",
  },
  "less-than": {
    label: "less than",
    dateLabel: "before",
    spellings: ["<", "under", "below", "fewer than", "is less than", "is under", "earlier than"],
    fits: ordered,
    operand: "answer",
  },
  between: { label: "between", spellings: ["from to"], fits: ordered, operand: "two-answers" },
  is: { label: "is", spellings: ["=", "equals", "equal to"], fits: all, operand: "answer" },
  "is-not": { label: "is not", spellings: ["<>", "≠", "!=", "not"], fits: all, operand: "answer" },
  contains: { label: "contains", spellings: ["has", "includes"], fits: all, operand: "text" },
  "has-value": { label: "has a value", spellings: ["has value", "is known"], fits: all, operand: "none" },
  "no-value": { label: "has no value", spellings: ["no value", "is blank"], fits: all, operand: "none" },
  "updated-after": {
    label: "was updated after",
    spellings: ["updated after"],
    fits: all,
    operand: "day",
    isDated: true,
  },
  "updated-before": {
    label: "was updated before",
    spellings: ["updated before"],
    fits: all,
    operand: "day",
    isDated: true,
  },
  "older-than": {
    label: "is older than",
    spellings: ["older than"],
    fits: all,
    operand: "age",
    isDated: true,
  },
};

export const operatorIds = Object.keys(operators) as Operator[];

export function operatorLabel(operator: Operator, kind: AnswerKind): string {
  const { label, dateLabel } = operators[operator];
  return (kind === "date" ? dateLabel : undefined) ?? label;
}

/** True for an operator that compares the order of numbers, days or code editions. */
export function comparesOrder(operator: Operator): boolean {
  return operators[operator].fits === ordered;
}

/** The operators for a kind of answer, in the order in which they are offered. */
export function operatorsFor(kind: AnswerKind): Operator[] {
  return operatorIds.filter((operator) => operators[operator].fits.includes(kind));
}

/** The operator that a text names, by its label, its id or another spelling; null for any other text. */
export function readOperator(text: string): Operator | null {
  const asked = text.trim().replace(/\s+/g, " ").toLowerCase();
  const found = operatorIds.find((id) => {
    const { label, dateLabel, spellings } = operators[id];
    return [id, label, dateLabel, ...spellings].includes(asked);
  });
  return found ?? null;
}

/** Matches operators that may stand beside a value without a blank. */
const signs = /(<=|>=|<>|!=|[≤≥≠<>]|(?<![<>!])=)/g;

/** The words of a text, with each sign such as ">=" as a word of its own. */
export function conditionWordsOf(text: string): string[] {
  return text.replace(signs, " $1 ").trim().split(/\s+/);
}

/** Each way to read words as an operator and what follows it, the longest operator first. */
export function operatorReadings(words: readonly string[]): { operator: Operator; operand: string }[] {
  return words
    .map((_, at) => {
      const count = words.length - at;
      return {
        operator: readOperator(words.slice(0, count).join(" ")),
        operand: words.slice(count).join(" "),
      };
    })
    .flatMap(({ operator, operand }) => (operator === null ? [] : [{ operator, operand }]));
}
