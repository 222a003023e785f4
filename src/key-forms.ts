/** Shorter pieces of a key occur in other texts as well. */
const leastPiece = 8;
const mask = "••••";

/**
 * The forms in which a key may stand in a text, in lower case: as it is, in a web address, in XML and in JSON, in base64 after any text,
 * and in hexadecimal. Most keys look alike in the first four.
 */
export function keyForms(key: string): string[] {
  const inXml = key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const hex = [...key].map((character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  const base64 = [0, 1, 2].map((before) => base64After(before, key));
  const base64Url = base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  const asWritten = [key, encodeURIComponent(key), inXml, JSON.stringify(key).slice(1, -1)];
  return [...new Set([...asWritten, ...base64, ...base64Url, hex].map(lowerCase))].filter(
    (form) => form !== "",
  );
}

/** True if the key is too short to be told from other texts. */
export function isTooShortToFind(key: string): boolean {
  return key.length < 6;
}

/** True if a text holds one of these forms, in capitals or small letters, also with blanks or invisible marks inside. */
export function holdsForm(text: string, forms: readonly string[]): boolean {
  const folded = lowerCase(text).replace(/[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, "");
  return forms.some((form) => folded.includes(form));
}

/** The text with a mask in the place of every form, and of every piece of a form that has 8 characters or more. */
export function withoutForms(text: string, forms: readonly string[]): string {
  const folded = lowerCase(text);
  const isHidden = new Uint8Array(text.length);
  for (const form of forms) {
    for (const piece of piecesOf(form)) {
      for (let at = folded.indexOf(piece); at >= 0; at = folded.indexOf(piece, at + 1)) {
        isHidden.fill(1, at, at + piece.length);
      }
    }
  }
  let shown = "";
  for (let at = 0; at < text.length; at += 1) {
    if (!isHidden[at]) shown += text[at];
    else if (!isHidden[at - 1]) shown += mask;
  }
  return shown;
}

/** True if a text holds the key, or so much of it that it must have been pasted. */
export function holdsOfKey(text: string, key: string): boolean {
  return piecesOf(key).some((piece) => text.includes(piece));
}

/** The characters of base64 that depend only on the key, if `bytesBefore` bytes (modulo 3) stand before it. */
function base64After(bytesBefore: number, key: string): string {
  const bytes = bytesBefore + key.length;
  return btoa("\0".repeat(bytesBefore) + key).slice(
    Math.ceil((bytesBefore * 8) / 6),
    Math.floor((bytes * 8) / 6),
  );
}

function piecesOf(form: string): string[] {
  const length = Math.min(leastPiece, form.length);
  return Array.from({ length: form.length - length + 1 }, (_, at) => form.slice(at, at + length));
}

/** Changes ASCII letters only, so that every character keeps its place. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
