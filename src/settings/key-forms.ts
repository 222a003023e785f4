/** Shorter texts stand in every workbook. */
const leastCharacters = 6;
/** Shorter pieces of a key stand in other names as well. */
const leastShared = 8;

/**
 * The forms in which a key may stand in a workbook: as it is, in a web address and in XML. Most keys look alike in all
 * three. A key that is too short to be told from other text has no form.
 */
export function keyForms(key: string): string[] {
  if (key.length < leastCharacters) return [];
  const inXml = key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return [...new Set([key, encodeURIComponent(key), inXml])];
}

/** True if a text holds the key, or so much of it that it was pasted there. */
export function holdsOfKey(text: string, key: string): boolean {
  const length = Math.min(leastShared, key.length);
  for (let at = 0; at + length <= key.length; at += 1) {
    if (text.includes(key.slice(at, at + length))) return true;
  }
  return false;
}
