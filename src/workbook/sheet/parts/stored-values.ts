import * as z from "../../../zod";
import { config } from "../../../config";

export const naturalNumber = z.int().check(z.between(0));
/** The last time that a JavaScript Date can hold. */
const mostMs = 8.64e15;
/** A time in milliseconds since 1970. */
export const timeMs = z.number().check(z.between(0, mostMs));
/** A list with at most one item for each column of a sheet. */
export const columnList = <Item extends z.ZodMiniType>(item: Item) =>
  z.array(item).check(z.lengthAtMost(config.sheetColumns));
/** The longest text that is accepted. `cutLongTexts` makes sure that the add-in writes no longer one. */
const mostCharacters = 2_000;
// zod's own maxLength also reads the length of values that are not texts, which can throw.
export const boundedText = z.string().check(z.lengthAtMost(mostCharacters));
/** A name that the pane shows. Invisible characters, and those that change the direction of the text around them, are replaced. */
export const shownName = z.pipe(
  boundedText,
  z.transform((given) => given.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu, "\ufffd")),
);

/** For JSON.stringify: cuts texts that `boundedText` would refuse when the part is read again. */
export function cutLongTexts(_key: string, given: unknown): unknown {
  return typeof given === "string" ? given.slice(0, mostCharacters) : given;
}
