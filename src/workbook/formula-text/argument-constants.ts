import { readArgument } from "./formula-call";

/** An argument of these values: one alone, or a list that goes down or across. Text can't leave its quotes. */
export function constant(
  values: readonly (string | number)[],
  direction: "down" | "across" = "down",
): string {
  const texts = values.map((value) =>
    typeof value === "number" ? String(value) : `"${value.replaceAll('"', '""')}"`,
  );
  return texts.length === 1 ? (texts[0] ?? "") : `{${texts.join(direction === "down" ? ";" : ",")}}`;
}

/** The values of an argument that is made of texts and numbers; null for any other. */
export function constantsIn(text: string | undefined): (string | number)[] | null {
  if (text === undefined) return [];
  const argument = readArgument(text);
  if (argument.kind !== "value") return null;
  const values: unknown[] = Array.isArray(argument.value) ? argument.value.flat() : [argument.value];
  const isPlain = (value: unknown) => typeof value === "string" || typeof value === "number";
  return values.every(isPlain) ? values : null;
}

/** Which of the words a constant means, in any case; null where it is none of them, or calculated. */
export function wordIn<Word extends string>(text: string, words: readonly Word[]): Word | null {
  const typed = text
    .replace(/^"(.*)"$/s, "$1")
    .trim()
    .toLowerCase();
  return words.find((word) => word === typed) ?? null;
}

const plainNumber = /^-?(0|[1-9]\d{0,14})(\.\d{1,6})?$/;

/** What somebody types to be shown: a number where it is certainly one. */
export function typedConstant(typed: string): string {
  return plainNumber.test(typed) ? typed : constant([typed]);
}
