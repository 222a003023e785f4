import type { Scalar } from "./cell-value";

/** True if the value is what Excel gives for an error; a text of the same form can't be told from it. */
export function isError(value: unknown): boolean {
  return typeof value === "string" && /^#(?:N\/A|DIV\/0!|NAME\?|(?!BUSY!)[A-Z_]+!)$/.test(value);
}

/**
 * The value that a cell shows; for an entity, such as a card, its text. Excel gives "#VALUE!" as the value of an entity
 * (Excel.EntityCellValue.basicValue) and the entity's own text as its text. The text of an error begins with "#" in every language and has
 * no space.
 */
export function shownValue({ value, text }: { value: Scalar; text: string }): Scalar {
  return isError(value) && !/^#\S+$/.test(text) ? text : value;
}
