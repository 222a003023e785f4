import { readArgument } from "./formula-call";

/**
 * The text of an argument with these values: a single constant, or an array that goes down or across. Quotes inside texts are doubled, so
 * no text can end its quotation early.
 */
export function constant(
  values: readonly (string | number)[],
  direction: "down" | "across" = "down",
): string {
  const texts = values.map((value) =>
    typeof value === "number" ? String(value) : `"${value.replaceAll('"', '""')}"`,
  );
  return texts.length === 1 ? (texts[0] ?? "") : `{${texts.join(direction === "down" ? ";" : ",")}}`;
}

/** The values of an argument that consists of texts and numbers only; null for any other argument. */
export function constantsIn(text: string | undefined): (string | number)[] | null {
  if (text === undefined) return [];
  const argument = readArgument(text);
  if (argument.kind !== "value") return null;
  const values: unknown[] = Array.isArray(argument.value) ? argument.value.flat() : [argument.value];
  const isPlain = (value: unknown) => typeof value === "string" || typeof value === "number";
  return values.every(isPlain) ? values : null;
}

/** The word that a constant names, in any case; null if it names none of the words or is calculated. */
export function wordIn<Word extends string>(text: string, words: readonly Word[]): Word | null {
  const typed = text
    .replace(/^"(.*)"$/s, "$1")
    .trim()
    .toLowerCase();
  return words.find((word) => word === typed) ?? null;
}

const plainNumber = /^-?(0|[1-9]\d{0,14})(\.\d{1,6})?$/;

/** The constant for a user's typed text: a number if it certainly is one, otherwise a quoted text. */
export function typedConstant(typed: string): string {
  return plainNumber.test(typed) ? typed : constant([typed]);
}
