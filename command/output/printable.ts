/**
 * Makes a text from a workbook or the service safe for a terminal: replaces characters that would move the cursor, color the text after
 * them, or turn the direction of the line.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => (character === "\n" ? "\n" : "\ufffd"));
}

/** The same on one line, cut to `mostCharacters` characters. */
export function printableLine(text: string, mostCharacters = 200): string {
  const line = printable(text).replace(/\s+/g, " ").trim();
  return line.length <= mostCharacters ? line : `${line.slice(0, mostCharacters - 1)}…`;
}
