/** Shorter texts stand in every workbook. */
const leastCharacters = 6;

/**
 * The forms in which a key may stand in a file: as it is, in a web address, in XML and in JSON. None for one that is too
 * short to be told from any other text.
 */
export function keyForms(key: string): string[] {
  if (key.length < leastCharacters) return [];
  const inXml = key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const inJson = JSON.stringify(key).slice(1, -1);
  return [...new Set([key, encodeURIComponent(key), inXml, inXml.replaceAll('"', "&quot;"), inJson])];
}
