/** Shorter pieces of a key occur in other texts as well. */
const leastPiece = 8;
/** Shorter texts can't be told from others. */
const leastForm = 6;
const mask = "••••";

const capitals = /[A-Z]+/g;
/** Characters that nobody sees. */
const unseen = /[\s\0\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+/g;
/**
 * The ways in which programs write one character for another: in addresses (%26, %u0026), in JSON and programs (\u0026, \x26, \"), in XML
 * and HTML (&amp;, &#38;, &#x26;), and in cells of a workbook's file (_x0026_).
 */
const escapes =
  /(?:%(?:u00)?|\\+u00|\\+x)([\da-f]{2})|\\+u\{0*([\da-f]{2})\}|&#x0*([\da-f]{2});?|_x00([\da-f]{2})_|&#0*(\d{2,3});?|&(amp|lt|gt|quot|apos);|\\+(?:[nrt]|(["'/\\]))/g;
/** An escape may be escaped in turn: JSON in XML in an address. */
const mostLevels = 4;
/** A formula doubles these, and programs put a backslash before them. */
const quotes = /["'\\]+/g;
/** The bytes of a hexadecimal dump may stand apart, with colons or commas and 0x between them. */
const apartBytes = /\b(?:0x)?([\da-f]{2})\W+(?=(?:0x)?[\da-f]{2}\b)|\b0x(?=[\da-f]{2}\b)/g;

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

type Replace = (match: string, ...groups: string[]) => string;
const nothing: Replace = () => "";
const together: Replace = (_, byte) => byte ?? "";
/** Changes ASCII letters only, so that every character keeps its place. */
const small: Replace = (letters) => letters.toLowerCase();
const opened: Replace = (_, inAddress, inBraces, inHtml, inCell, decimal, name, quote) => {
  const hex = inAddress ?? inBraces ?? inHtml ?? inCell;
  const code = hex ? parseInt(hex, 16) : Number(decimal);
  return code ? String.fromCharCode(code).toLowerCase() : (named[name ?? ""] ?? quote ?? "");
};

/**
 * The texts of which one stands in any text that holds the key, once that is read as `holdsForm` and `withoutForms` read it: as it is, with
 * all escapes opened, without quotes, and with its bytes together. They are the key itself, base64 after any bytes, and hexadecimal, in lower case.
 */
export function keyForms(key: string): string[] {
  const hex = [...key].map((character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  const base64 = [0, 1, 2].map((before) => base64After(before, key));
  const base64Url = base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  const others = [...readings(key, replacedText).slice(1, 3), ...base64, ...base64Url, hex].map((form) =>
    form.toLowerCase(),
  );
  const forms = [key.toLowerCase(), ...others.filter(({ length }) => length >= leastForm)];
  return [...new Set(forms)].filter((form) => form !== "");
}

/** True if the key is too short to be told from other texts. */
export function isTooShortToFind(key: string): boolean {
  return key.length < leastForm;
}

/** True if a text holds one of these forms, in capitals or small letters, escaped in any way, also with blanks or invisible marks inside. */
export function holdsForm(text: string, forms: readonly string[]): boolean {
  if (forms.every(({ length }) => length > text.length)) return false;
  const all = new Set(readings(text, replacedText));
  return [...all].some((reading) => forms.some((form) => reading.includes(form)));
}

/**
 * The text with a mask in the place of every form, and of every piece of a form that has 8 characters or more, or as many as `least` says:
 * Infinity masks whole forms alone.
 */
export function withoutForms(text: string, forms: readonly string[], least = leastPiece): string {
  const starts = Array.from({ length: text.length }, (_, at) => at);
  const isHidden = new Uint8Array(text.length);
  for (const { text: reading, starts: from, ends } of readings(
    { text, starts, ends: starts.map((at) => at + 1) },
    replacedInPlace,
  )) {
    for (const piece of forms.flatMap((form) => piecesOf(form, least))) {
      for (let at = reading.indexOf(piece); at >= 0; at = reading.indexOf(piece, at + 1)) {
        isHidden.fill(1, from[at], ends[at + piece.length - 1]);
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
  return withoutForms(text, keyForms(key)) !== text;
}

/** A text as one may read it, with the place of each of its characters in the text as it is. */
interface Reading {
  text: string;
  starts: readonly number[];
  ends: readonly number[];
}

/** A text in small letters, with all escapes opened, without quotes, and with its bytes together; the same text may be there twice. */
function readings<Text>(text: Text, replaced: (text: Text, pattern: RegExp, by: Replace) => Text): Text[] {
  const lower = replaced(text, capitals, small);
  const plain = replaced(lower, unseen, nothing);
  let open = plain;
  for (let level = 0; level < mostLevels; level += 1) {
    const next = replaced(open, escapes, opened);
    if (next === open) break;
    open = next;
  }
  return [plain, open, replaced(open, quotes, nothing), replaced(lower, apartBytes, together)];
}

const replacedText = (text: string, pattern: RegExp, by: Replace) => text.replace(pattern, by);

function replacedInPlace(reading: Reading, pattern: RegExp, by: Replace): Reading {
  const { text, starts, ends } = reading;
  const now = { text: "", starts: [] as number[], ends: [] as number[] };
  const take = (from: number, to: number) => {
    now.text += text.slice(from, to);
    for (let at = from; at < to; at += 1) {
      now.starts.push(starts[at] ?? 0);
      now.ends.push(ends[at] ?? 0);
    }
  };
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    take(done, match.index);
    done = match.index + match[0].length;
    const [whole, ...groups] = match;
    const replacement = by(whole, ...groups);
    now.text += replacement;
    // Letters alone are replaced by as many: each keeps its own place.
    const isSame = replacement.length === whole.length;
    for (let at = 0; at < replacement.length; at += 1) {
      now.starts.push(starts[match.index + (isSame ? at : 0)] ?? 0);
      now.ends.push(ends[isSame ? match.index + at : done - 1] ?? 0);
    }
  }
  if (done === 0) return reading;
  take(done, text.length);
  return now;
}

/** The characters of base64 that depend only on the key, if `bytesBefore` bytes (modulo 3) stand before it. */
function base64After(bytesBefore: number, key: string): string {
  const bytes = bytesBefore + key.length;
  return btoa("\0".repeat(bytesBefore) + key).slice(
    Math.ceil((bytesBefore * 8) / 6),
    Math.floor((bytes * 8) / 6),
  );
}

function piecesOf(form: string, least: number): string[] {
  const length = Math.min(least, form.length);
  return Array.from({ length: form.length - length + 1 }, (_, at) => form.slice(at, at + length));
}
