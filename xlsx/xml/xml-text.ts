import { broken, WorkbookFileError } from "../workbook-file-error";

/**
 * Decodes an XML part in UTF-8, in UTF-16, or in the encoding that its declaration names. The declaration then says UTF-8, because parts
 * are written in UTF-8. Throws a WorkbookFileError for an encoding that is not known, and for bytes that are not in the encoding.
 */
export function xmlText(bytes: Uint8Array, partName: string): string {
  const hasLittleEndianMark = bytes[0] === 0xff && bytes[1] === 0xfe;
  const hasBigEndianMark = bytes[0] === 0xfe && bytes[1] === 0xff;
  // Without a byte order mark, the "<" that begins the part shows the encoding.
  const isBigEndian = hasBigEndianMark || (bytes[0] === 0 && bytes[1] === 0x3c);
  const isUtf16 = isBigEndian || hasLittleEndianMark || (bytes[0] === 0x3c && bytes[1] === 0);
  const decode = (encoding: string) => {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch (thrown) {
      if (thrown instanceof RangeError)
        throw new WorkbookFileError(
          "unsupported",
          "The file is written in a character set that Excel does not use. Open it in Excel, save it, and try again.",
          `${partName}: ${encoding}`,
        );
      throw broken(`${partName} is not in ${encoding.toUpperCase()}, as it should be`);
    }
  };
  if (isUtf16) return inUtf8(decode(isBigEndian ? "utf-16be" : "utf-16le"));
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const [, encoding = "utf-8"] = declaredEncoding(start);
  return /^(?:utf-?8|us-ascii)$/i.test(encoding) ? decode("utf-8") : inUtf8(decode(encoding));
}

/** The declaration of an XML text, and the encoding that it names; empty if it names none. */
function declaredEncoding(text: string): [declaration?: string, encoding?: string] {
  const [declaration, , encoding] =
    /^(?:\uFEFF|\u00EF\u00BB\u00BF)?<\?xml\b[^>]*?\bencoding\s*=\s*(["'])([\w.-]+)\1[^>]*>/.exec(text) ?? [];
  return declaration !== undefined && encoding !== undefined ? [declaration, encoding] : [];
}

function inUtf8(text: string): string {
  const [declaration, encoding] = declaredEncoding(text);
  if (declaration === undefined || encoding === undefined) return text;
  return declaration.replace(encoding, "UTF-8") + text.slice(declaration.length);
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text for the content of an element. Removes characters that XML can't hold; `escapedCharacters` can escape them before. */
export function xmlContent(text: string): string {
  return withoutForbidden(text)
    .replace(/[&<>]/g, (character) => escapes[character] ?? "")
    .replaceAll("\r", "&#13;");
}

/** Escapes a text for an attribute in double quotes. Removes characters that XML can't hold. */
export function xmlAttribute(text: string): string {
  return withoutForbidden(text)
    .replace(/[&<>"]/g, (character) => escapes[character] ?? "")
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Writes the attributes of a tag, each with a space before it. Undefined ones are left out. */
export function xmlAttributes(attributes: Record<string, string | number | undefined>): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${xmlAttribute(String(value))}"`)
    .join("");
}

function withoutForbidden(text: string): string {
  // Half of a surrogate pair can't be encoded, so U+FFFD replaces it.
  const wellFormed = /[\ud800-\udfff]/.test(text)
    ? text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd")
    : text;
  // eslint-disable-next-line no-control-regex
  return wellFormed.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "");
}

/**
 * Escapes a text as Excel stores it: `_x0007_` stands for a character that XML can't hold, and `_x005F_` for the underscore of a text
 * that looks like such an escape.
 */
export function escapedCharacters(text: string): string {
  return (
    text
      .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
      // eslint-disable-next-line no-control-regex
      .replace(/[\0-\x08\x0b-\x1f\ufffe\uffff]/g, (character) => {
        const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
        return `_x${code}_`;
      })
  );
}

/** The inverse of `escapedCharacters`. */
export function unescapedCharacters(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
