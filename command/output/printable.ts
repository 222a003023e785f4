/**
 * A text from a workbook or the service as a terminal may show it: without what would move the cursor, color what follows, or
 * turn the direction of the line.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => (character === "\n" ? "\n" : "\ufffd"));
}

/** The same on one line, cut to so many characters. */
export function printableLine(text: string, mostCharacters = 200): string {
  const line = printable(text).replace(/\s+/g, " ").trim();
  return line.length <= mostCharacters ? line : `${line.slice(0, mostCharacters - 1)}…`;
}
