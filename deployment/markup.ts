const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text for XML or HTML, in an attribute's double quotes too. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

/** Replaces each occurrence of `from`. Throws if there is none. */
export function replaced(source: string, from: string | RegExp, to: string): string {
  const pieces = source.split(from);
  if (pieces.length === 1) throw new Error(`Nothing is like ${from.toString()} in ${source.slice(0, 200)}`);
  return pieces.join(to);
}
