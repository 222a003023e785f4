import type { Amount, SortedAnswers } from "./pictured-answers";
import { countKinds } from "./question-picture";

/** The counties that are drawn in one color. */
export interface ColorClass {
  label: string;
  /** The number of counties in this color. */
  count: number;
}

const mostClasses = 5;

/**
 * Sorts amounts into at most five quantile classes of about the same size. Equal amounts share a class. Up to five different amounts have a
 * class each. `classOf` gives the index of an amount's class.
 */
export function quantileClasses(amounts: readonly Amount[]): {
  classes: ColorClass[];
  classOf(value: number): number;
} {
  const differing = [...new Set(amounts.map(({ value }) => value))];
  const ends =
    differing.length <= mostClasses
      ? differing
      : Array.from(
          { length: mostClasses },
          (_, index) => amounts[Math.ceil(((index + 1) * amounts.length) / mostClasses) - 1]?.value ?? NaN,
        );
  const own = [...new Set(ends)];
  const classOf = (value: number) => own.findIndex((end) => value <= end);
  const classes = own.map((end, index) => {
    const within = amounts.filter(({ value }) => value <= end && classOf(value) === index);
    const [first, last] = [within[0]?.text ?? "", within.at(-1)?.text ?? ""];
    return { label: first === last ? first : `${first} to ${last}`, count: within.length };
  });
  return { classes, classOf };
}

/** Classes of the most common kinds: up to five kinds have a class each; of more, four have one and all others share one. */
export function kindClasses(texts: SortedAnswers["texts"]): {
  classes: ColorClass[];
  classOf(text: string): number;
} {
  const all = countKinds(texts, ({ text }) => text);
  const own = all.length <= mostClasses ? all : all.slice(0, mostClasses - 1);
  const classOf = (text: string) => {
    const index = own.findIndex((kind) => kind.text === text);
    return index < 0 ? own.length : index;
  };
  const classes = own.map(({ text, count }) => ({ label: text, count }));
  const rest = all.slice(own.length);
  if (rest.length > 0) {
    const count = rest.reduce((sum, kind) => sum + kind.count, 0);
    classes.push({ label: `${rest.length} other answers`, count });
  }
  return { classes, classOf };
}
