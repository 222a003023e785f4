import type { Scalar } from "./cell-value";

/** Whether it is what Excel gives as the value of an error; a text of this form can't be told from it. */
export function isError(value: unknown): boolean {
  return typeof value === "string" && /^#(?:N\/A|DIV\/0!|NAME\?|(?!BUSY!)[A-Z_]+!)$/.test(value);
}

/**
 * What a cell shows: its value, but of an entity, such as a card, its text. Excel gives "#VALUE!" as the value of an entity
 * (Excel.EntityCellValue.basicValue), while its text is the entity's own; the text of an error begins with "#" in every
 * language, and has no blank.
 */
export function shownValue({ value, text }: { value: Scalar; text: string }): Scalar {
  return isError(value) && !/^#\S+$/.test(text) ? text : value;
}
