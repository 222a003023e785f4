/** Shorter texts stand in every workbook. */
const leastCharacters = 6;
/** Shorter pieces of a key stand in other names as well. */
const leastShared = 8;

/**
 * The forms in which a key may stand in a file: as it is, in a web address, in XML, in JSON, in this add-in's own parts and
 * in base64. None for one that is too short to be told from any other text.
 */
export function keyForms(key: string): string[] {
  if (key.length < leastCharacters) return [];
  const inXml = key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const inJson = JSON.stringify(key).slice(1, -1);
  // As jsonPart writes it.
  const inParts = inJson.replace(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`);
  const forms = [key, encodeURIComponent(key), inXml, inXml.replaceAll('"', "&quot;"), inJson, inParts];
  // Without its filling characters it is found in the middle of others, too.
  if ([...key].every((character) => character <= "\xff")) forms.push(btoa(key).replaceAll("=", ""));
  return [...new Set(forms)];
}

/** Whether a text holds the key, or so much of it that it was pasted there. */
export function holdsOfKey(text: string, key: string): boolean {
  const length = Math.min(leastShared, key.length);
  for (let at = 0; at + length <= key.length; at += 1) {
    if (text.includes(key.slice(at, at + length))) return true;
  }
  return false;
}
